#include "shader-core/jit/lower/graphics.h"

#include <algorithm>
#include <bit>

#include <llvm/IR/MDBuilder.h>

#include "shader-core/jit/lower/lookups.h"

namespace tessera::jit {

using isa::File;

GraphicsToLlvm::GraphicsToLlvm(llvm::Module& module, const isa::Program& program, const Facts& facts, SimdLevel level,
                               unsigned lanes, int inlinedSize)
    : IsaToLlvm(module, program, facts, level, lanes,
                {offsetof(Frame, launch), offsetof(Frame, constants), offsetof(Frame, budget),
                 offsetof(Frame, instructions), offsetof(Frame, stopped)},
                inlinedSize),
      pair_(lanes > kBlockLanes),
      forks_(facts.forks),
      steps_(analysis::findDrawSteps(facts, program)) {
    blocks_ = pair_ ? 2 : 1;
    const bool calls = std::ranges::any_of(facts.code, [](const Instruction& i) { return i.op == isa::Op::Call; });
    if (calls || facts.relativeTemps || facts.relativeOutputs) return;
    numbers_ = &ownNumbers_.emplace(facts);
    live_ = &ownLive_.emplace(facts, *ownNumbers_, program.outputMask);
}

void GraphicsToLlvm::start() {
    kill_ = variable(laneBits_, "kill");
    if (steps_.any()) computeDrawValues();
    if (lanes_ != kBlockLanes && !forks_) {
        launch_ = wide_.allLanes();
        return;
    }
    if (pair_)
        for (Variable*& count : counts_) count = variable(i64_, "block.count");
    Value* launchBits = b_.CreateTrunc(frameField(fields_.launch, i32_, "launch"), laneBits_);
    Value* helperBits = b_.CreateTrunc(frameField(offsetof(Frame, helper), i32_, "helper"), laneBits_);
    launch_ = fromBits(launchBits);
    wanted_ = b_.CreateAnd(launchBits, b_.CreateNot(helperBits));
}

// --- Registers ---

IsaToLlvm::Variable* GraphicsToLlvm::predicateVariable(unsigned index, bool) {
    Variable*& predicate = predicates_[index];
    if (predicate == nullptr) predicate = variable(exec_->getAllocatedType(), "p");
    return predicate;
}

IsaToLlvm::Value* GraphicsToLlvm::uniformGuard(const Instruction& i) { return uniformBit(guardMask(wide_, i)); }

IsaToLlvm::Variable* GraphicsToLlvm::temporary(unsigned index, unsigned component, bool write) {
    if (!once_) return registerVariable(File::R, index, component);
    Variable*& ofDraw = ofDraw_[steps_.webs.of(at_, index, component, write)];
    if (ofDraw == nullptr) ofDraw = variable(b_.getFloatTy(), "draw");
    return ofDraw;
}

IsaToLlvm::Value* GraphicsToLlvm::special(const LaneBuilder& l, const isa::Source& s, unsigned component) {
    if (s.index != static_cast<int>(isa::Special::Lane))
        return blockRegister(offsetof(Frame, specials), s.index, component);
    if (component != 0) return l.splatBits(0);
    Value* first = frameField(offsetof(Frame, firstLane), i32_, "first.lane");
    return l.asFloat(b_.CreateAdd(wide_.laneNumbers(), wide_.broadcast(first)));
}

// --- Draw values ---

/// In the first block with these constants.
void GraphicsToLlvm::computeDrawValues() {
    Value* values = frameField(offsetof(Frame, values), pointer_, "values");
    Value* areThere = byteOffset(values, offsetof(isa::DrawValues, areThere));
    BasicBlock *first = newBasicBlock("draw.values"), *next = newBasicBlock("have.draw.values");
    likely(b_.CreateICmpNE(b_.CreateLoad(i32_, areThere), b_.getInt32(0)), next, first);
    enter(first);
    once_ = true;
    calls_.takeIn(false);
    for (at_ = 0; at_ < steps_.at.size(); ++at_) {
        const analysis::DrawSteps::Step& step = steps_.at[at_];
        Instruction i = facts_.code[at_];
        i.dst.writeMask = step.computed | step.needed;
        if (i.dst.writeMask == 0) continue;
        write(i, compute(i, at_));
        for (unsigned c = 0; c < 4; ++c)
            if (step.place[c] != analysis::DrawSteps::kNoPlace)
                b_.CreateStore(b_.CreateLoad(b_.getFloatTy(), temporary(i.dst.index, c, true)),
                               drawValue(step.place[c]));
    }
    calls_.takeIn(true);
    once_ = false;
    b_.CreateStore(b_.getInt32(1), areThere);
    b_.CreateBr(next);
    enter(next);
    // All of them here: a load between lookups would part them (lookups.h).
    for (const analysis::DrawSteps::Step& step : steps_.at)
        for (const uint8_t place : step.place)
            if (place != analysis::DrawSteps::kNoPlace)
                drawValues_[place] = b_.CreateLoad(b_.getFloatTy(), drawValue(place));
}

IsaToLlvm::Value* GraphicsToLlvm::drawValue(unsigned place) {
    return byteOffset(frameField(offsetof(Frame, values), pointer_, "values"),
                      offsetof(isa::DrawValues, value) + place * sizeof(float));
}

void GraphicsToLlvm::instruction(size_t at) {
    if (!steps_.any() || steps_.at[at].computed == 0) return IsaToLlvm::instruction(at);
    const analysis::DrawSteps::Step& step = steps_.at[at];
    Instruction i = facts_.code[at];
    for (unsigned c = 0; c < 4; ++c)
        if (step.computed >> c & 1 && step.place[c] == analysis::DrawSteps::kNoPlace)
            i.dst.writeMask &= static_cast<uint8_t>(~(1U << c));
    if (i.dst.writeMask == 0) return;
    selectLanes(i, at);
    Instruction others = i;
    others.dst.writeMask &= static_cast<uint8_t>(~step.computed);
    Components result = others.dst.writeMask != 0 ? compute(others, at) : Components{};
    for (unsigned c = 0; c < 4; ++c)
        if (i.dst.writeMask >> c & step.computed >> c & 1) result[c] = wide_.broadcast(drawValues_[step.place[c]]);
    write(i, result);
}

// --- Helpers and discards ---

/// Helpers leave a loop that no lane of their quad with a visible result is in any more (docs/isa.md, control flow).
void GraphicsToLlvm::retireIdleHelpers(const Nest& loop) {
    if (program_.stage != isa::Stage::Fragment) return;
    Value* lanes = bits(loadMask(exec_));
    const auto ofLanes = [&](uint32_t mask) {
        return llvm::ConstantInt::get(laneBits_, mask & (lanes_ == kBlockLanes ? 0xFFFF : ~0U));
    };
    Value* seen = b_.CreateAnd(wanted_, b_.CreateNot(b_.CreateLoad(laneBits_, kill_)));
    BasicBlock *some = newBasicBlock("helpers"), *next = newBasicBlock("no.helpers");
    // Most blocks have none.
    b_.CreateCondBr(b_.CreateICmpNE(b_.CreateAnd(lanes, b_.CreateNot(seen)), ofLanes(0)), some, next,
                    llvm::MDBuilder(context_).createBranchWeights(1, 100));
    enter(some);
    const auto spread = [&](Value* quads, unsigned distance, uint32_t lower) {
        Value* low = b_.CreateAnd(quads, ofLanes(lower));
        Value* high = b_.CreateAnd(b_.CreateLShr(quads, distance), ofLanes(lower));
        return b_.CreateOr(quads, b_.CreateOr(b_.CreateShl(low, distance), high));
    };
    Value* quads = spread(spread(b_.CreateAnd(lanes, seen), 1, 0x55555555), 4, 0x0F0F0F0F);
    Value* idle = b_.CreateAnd(lanes, b_.CreateNot(quads));
    storeMask(b_.CreateOr(loadMask(loop.waiting), fromBits(idle)), loop.waiting);
    storeMask(fromBits(b_.CreateAnd(lanes, quads)), exec_);
    b_.CreateBr(next);
    enter(next);
}

/// A block of a pair counts what one of its lanes executes.
void GraphicsToLlvm::countBlocks() {
    if (!pair_ || !forks_) return;
    Value* executing = bits(loadMask(exec_));
    for (unsigned k = 0; k < 2; ++k) {
        Value* lanes = b_.CreateAnd(executing, b_.getInt32(0xFFFFU << (k * kBlockLanes)));
        Value* counted =
            b_.CreateSelect(b_.CreateICmpNE(lanes, b_.getInt32(0)), b_.getInt64(pendingCount_), b_.getInt64(0));
        b_.CreateStore(b_.CreateAdd(b_.CreateLoad(i64_, counts_[k]), counted), counts_[k]);
    }
}

void GraphicsToLlvm::storeCount() {
    if (!pair_) return IsaToLlvm::storeCount();
    const size_t places[] = {offsetof(Frame, instructions), offsetof(Frame, secondInstructions)};
    for (size_t k = 0; k < 2; ++k)
        b_.CreateStore(b_.CreateLoad(i64_, forks_ ? counts_[k] : count_), byteOffset(frame_, places[k]));
}

void GraphicsToLlvm::lowerKil(size_t at) {
    const Instruction& i = facts_.code[at];
    Value* killed = b_.CreateOr(b_.CreateLoad(laneBits_, kill_), bits(taken(i, at)));
    b_.CreateStore(killed, kill_);
    flushCount();
    BasicBlock* next = newBasicBlock("not.all.discarded");
    Value* left = b_.CreateAnd(wanted_, b_.CreateNot(killed));
    b_.CreateCondBr(b_.CreateICmpNE(left, b_.getInt16(0)), next, discarded_);
    enter(next);
}

void GraphicsToLlvm::storeDiscarded() {
    b_.CreateStore(b_.CreateZExt(b_.CreateLoad(laneBits_, kill_), i32_), byteOffset(frame_, offsetof(Frame, kill)));
}

/// Components that were never written get zero; lanes outside the launch mask are the caller's.
void GraphicsToLlvm::storeResults() {
    Value* outputs = frameField(offsetof(Frame, outputs), pointer_, "outputs");
    for (const int output : program_.outputMask) {
        const auto index = static_cast<unsigned>(output);
        for (unsigned c = 0; c < 4; ++c) {
            Value* value = llvm::Constant::getNullValue(wide_.floats());
            const auto found = registers_.find({static_cast<unsigned>(isa::File::O), index, c});
            if (outputs_ != nullptr)
                value = b_.CreateAlignedLoad(wide_.floats(), memoryRegister(outputs_, index, c), llvm::Align(64));
            else if (found != registers_.end())
                value = b_.CreateLoad(wide_.floats(), found->second);
            const uint64_t offset = uint64_t{index} * sizeof(isa::GroupRegister) + c * sizeof(float) * isa::kGroupSize;
            b_.CreateAlignedStore(value, byteOffset(outputs, offset), rowAlignment());
        }
    }
}

// --- Texture lookups ---

/// Operands go to the rows of a TextureCall, the texture units, through Frame::sample, are asked, results come back.
/// Lookups that a unit's own function may answer are written later, several together (lookups.h). Where what that gives
/// lies between 0 and 1 and makes no difference, nobody is asked.
IsaToLlvm::Components GraphicsToLlvm::texture(const Instruction& i, size_t at) {
    const isa::LodMode mode = isa::lodModeOf(i.op);
    TextureDescriptor descriptor = descriptorOf(i);
    const bool isTexel = isa::mayBeBlockFetch(i);
    const bool mayBeOwn =
        program_.stage == isa::Stage::Fragment && (isTexel || isa::mayBeBlockLookup(i) || isa::mayBeMovedLookup(i));
    const bool isNulled = mayBeOwn && !isTexel && facts_.at[at].nulled;
    const int coordinates = mode == isa::LodMode::Size ? 1 : isa::coordinateCount(i.textureTarget);
    const auto wantedLanes = [&] { return b_.CreateZExt(bits(taken(i, at)), i32_); };
    if (mayBeOwn) {
        std::array<Value*, 4> coordinate{};
        for (int c = 0; c < coordinates; ++c) coordinate[static_cast<size_t>(c)] = source(wide_, i, 0, c);
        if (isTexel) {
            coordinate[LookupRows::kLevel] = source(wide_, i, 1, 0);
            for (Value*& row : coordinate)
                if (row != nullptr) row = wide_.asInt(row);
            for (int c = 0; c < isa::offsetCount(i.textureTarget); ++c) {
                const auto axis = static_cast<size_t>(c);
                Value* offset = wide_.asInt(wide_.splatBits(static_cast<uint32_t>(i.texelOffset[axis])));
                coordinate[axis] = b_.CreateAdd(coordinate[axis], offset);
            }
            descriptor.offset = {};
        }
        if (!isNulled) return placeLookup(b_, descriptor, wantedLanes(), coordinate);
        BasicBlock *left = b_.GetInsertBlock(), *asked = newBasicBlock("sample"), *done = newBasicBlock("nulled");
        likely(hasOwnLookup(b_, frame_, descriptor, isa::BlockLookup::kUpToOne), done, asked);
        enter(asked);
        Components result = placeLookup(b_, descriptor, wantedLanes(), coordinate);
        b_.CreateBr(done);
        enter(done);
        for (Value*& component : result) {
            llvm::PHINode* phi = b_.CreatePHI(wide_.floats(), 2);
            phi->addIncoming(component, asked);
            phi->addIncoming(llvm::Constant::getNullValue(wide_.floats()), left);
            component = phi;
        }
        return result;
    }
    if (textureCall_ == nullptr) {
        llvm::IRBuilder<> entry(entryEnd_);
        textureCall_ =
            entry.CreateAlloca(llvm::ArrayType::get(entry.getInt8Ty(), sizeof(TextureCall)), nullptr, "call");
        textureCall_->setAlignment(llvm::Align(64));
    }
    Value* firstLane = frameField(offsetof(Frame, firstLane), i32_, "first.lane");
    Value* lanes = b_.CreateGEP(b_.getFloatTy(), textureCall_, b_.CreateZExt(firstLane, i64_));
    const auto row = [&](int number) {
        return byteOffset(lanes, static_cast<uint64_t>(number) * isa::kGroupSize * sizeof(float));
    };
    const auto store = [&](int number, Value* x) { b_.CreateAlignedStore(x, row(number), llvm::Align(64)); };
    for (int c = 0; c < coordinates; ++c) store(c, source(wide_, i, 0, c));
    if (isa::hasLod(mode)) {
        store(TextureCall::kLod, source(wide_, i, 1, 0));
    } else if (mode == isa::LodMode::Gradient) {
        for (int c = 0; c < isa::gradientCount(i.textureTarget); ++c) {
            store(TextureCall::kDdx + c, source(wide_, i, 1, c));
            store(TextureCall::kDdy + c, source(wide_, i, 2, c));
        }
    }
    if (i.textureRelative)
        b_.CreateAlignedStore(b_.CreateLoad(wide_.floats(), registerVariable(isa::File::A, 0, 0)),
                              byteOffset(lanes, offsetof(TextureCall, address)), llvm::Align(64));
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer_, pointer_, i32_, i32_}, false);
    b_.CreateCall(type, frameField(offsetof(Frame, sample) + offsetof(SampleFunctions, call), pointer_, "sample"),
                  {frame_, textureCall_, b_.getInt32(descriptor.pack()), wantedLanes()})
        ->setDoesNotThrow();
    Components result{};
    for (uint64_t c = 0; c < 4; ++c)
        if (i.dst.file == isa::File::P ? c == 0 : (i.dst.writeMask >> c & 1) != 0)
            result[c] = b_.CreateAlignedLoad(
                wide_.floats(), byteOffset(lanes, offsetof(TextureCall, result) + c * isa::kGroupSize * sizeof(float)),
                llvm::Align(64));
    return result;
}

}  // namespace tessera::jit
