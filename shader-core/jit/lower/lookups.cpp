#include "shader-core/jit/lower/lookups.h"

#include <numeric>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "shader-core/isa/isa.h"

namespace tessera::jit {

namespace {

using isa::BlockLookup;
using llvm::Value;

/// Rows of results stay in memory until they are used: 16 KB of stack at most.
constexpr size_t kMaxRows = 32;
/// Instructions that one lookup may bring with it: a bound on compile time.
constexpr size_t kMaxMoved = 256;

/// Lookups that are asked for at the place of the first.
struct Group {
    std::vector<llvm::CallInst*> lookups;
    unsigned row = 0;  ///< of LookupRows: the first one's; each block of each lookup has one
    [[nodiscard]] size_t size() const { return lookups.size(); }
    [[nodiscard]] llvm::CallInst* first() const { return lookups.front(); }
};

/// Blocks of lanes that a lookup is for: two in a pair.
unsigned blocksOf(const llvm::CallInst& lookup) {
    const auto* lanes = llvm::cast<llvm::FixedVectorType>(lookup.getArgOperand(2)->getType());
    return lanes->getNumElements() / LookupRows::kLanes;
}

TextureDescriptor descriptorOf(const llvm::CallInst& lookup) {
    const auto* bits = llvm::cast<llvm::ConstantInt>(lookup.getArgOperand(0));
    return TextureDescriptor::unpack(static_cast<uint32_t>(bits->getZExtValue()));
}
bool isTexel(const TextureDescriptor& descriptor) {
    return static_cast<isa::LodMode>(descriptor.lodMode) == isa::LodMode::Texel;
}
bool isMoved(const TextureDescriptor& descriptor) { return descriptor.offset != decltype(descriptor.offset){}; }
/// What lookups have in common that one function answers: all but by how much they are moved.
uint32_t kindOf(TextureDescriptor descriptor) {
    const uint32_t moved = isMoved(descriptor) ? 1 : 0;
    descriptor.offset = {};
    return descriptor.pack() << 1 | moved;
}

bool isLookup(const llvm::Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
    if (call == nullptr || call->getCalledFunction() == nullptr) return false;
    const llvm::StringRef name = call->getCalledFunction()->getName();
    return name == kLookupName || name == kTexelName;
}

// --- Which lookups go together ---

/// Forms the groups of a basic block, and moves what the coordinates need to where they are asked.
class Grouping {
public:
    explicit Grouping(llvm::BasicBlock& block) {
        std::vector<llvm::CallInst*> lookups;
        unsigned number = 0;
        for (llvm::Instruction& i : block) {
            // Even, so that what is moved has a number before that of the lookup it goes to.
            places_[&i] = number += 2;
            if (isLookup(i)) lookups.push_back(llvm::cast<llvm::CallInst>(&i));
        }
        if (lookups.empty()) return;
        // The first rows are for those that are alone.
        const unsigned blocks = blocksOf(*lookups.front());
        rows_ = blocks;
        for (llvm::CallInst* lookup : lookups) add(lookup, blocks);
        unsigned row = blocks;
        for (Group& group : groups) {
            if (group.size() == 1) continue;
            group.row = row;
            row += static_cast<unsigned>(group.size()) * blocks;
        }
    }
    std::vector<Group> groups;

private:
    void add(llvm::CallInst* lookup, unsigned blocks) {
        const auto key = std::make_pair(kindOf(descriptorOf(*lookup)), lookup->getArgOperand(1));
        const auto open = open_.find(key);
        if (open != open_.end()) {
            Group& group = groups[open->second];
            const size_t added = (group.size() == 1 ? 2 : 1) * blocks;
            if (rows_ + added <= kMaxRows && bringTo(group.first(), lookup)) {
                group.lookups.push_back(lookup);
                rows_ += added;
                return;
            }
        }
        open_[key] = groups.size();
        groups.push_back({{lookup}});
    }

    /// Whether what the coordinates of `lookup` need is before `first` now.
    bool bringTo(llvm::CallInst* first, llvm::CallInst* lookup) {
        const unsigned place = places_.lookup(first);
        std::vector<llvm::Instruction*> needed;
        llvm::DenseSet<const llvm::Instruction*> seen;
        if (!findNeeded(*lookup, place, needed, seen)) return false;
        for (llvm::Instruction* i : needed) {
            i->moveBefore(first);
            places_[i] = place - 1;
        }
        return true;
    }

    /// Operands of `user` that are not before `place`, and theirs, each after what it needs itself.
    bool findNeeded(llvm::Instruction& user, unsigned place, std::vector<llvm::Instruction*>& needed,
                    llvm::DenseSet<const llvm::Instruction*>& seen) {
        struct Step {
            llvm::Instruction* user;
            unsigned operand;
        };
        llvm::SmallVector<Step, 16> path{{&user, 0}};
        while (!path.empty()) {
            Step& step = path.back();
            if (step.operand == step.user->getNumOperands()) {
                if (step.user != &user) needed.push_back(step.user);
                path.pop_back();
                continue;
            }
            auto* operand = llvm::dyn_cast<llvm::Instruction>(step.user->getOperand(step.operand++));
            if (operand == nullptr || operand->getParent() != user.getParent() || places_.lookup(operand) < place)
                continue;
            if (!seen.insert(operand).second) continue;
            if (!canMove(*operand) || seen.size() > kMaxMoved) return false;
            path.push_back({operand, 0});
        }
        return true;
    }

    static bool canMove(const llvm::Instruction& i) {
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
            return load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
        return !i.mayHaveSideEffects() && !i.mayReadFromMemory() && !llvm::isa<llvm::PHINode>(i) && !i.isTerminator();
    }

    llvm::DenseMap<const llvm::Instruction*, unsigned> places_;
    llvm::DenseMap<std::pair<uint32_t, Value*>, size_t> open_;  ///< of `groups`, by kindOf() and lanes
    size_t rows_ = 0;
};

// --- What they become ---

class LookupWriter {
public:
    explicit LookupWriter(llvm::Function& function)
        : function_(function), frame_(function.getArg(0)), b_(function.getContext()) {}

    void write(const Group& group) {
        llvm::CallInst* first = group.first();
        blocks_ = blocksOf(*first);
        channels_ = channelsOf(group);
        readResults(group);
        llvm::BasicBlock* before = first->getParent();
        llvm::BasicBlock* done = llvm::SplitBlock(before, first->getIterator());
        done->setName("sampled");
        before->getTerminator()->eraseFromParent();
        b_.SetInsertPoint(before);
        for (unsigned i = 0; i < group.size(); ++i) storeCoordinates(*group.lookups[i], group.row + i * blocks_);
        ask(group, done);
        for (llvm::CallInst* lookup : group.lookups) lookup->eraseFromParent();
    }

private:
    /// The rows of lookup `index` of a group that starts at `row`.
    Value* rowsAt(Value* rows, Value* index) { return b_.CreateGEP(rowsType(), rows, index); }
    llvm::Type* rowsType() { return llvm::ArrayType::get(b_.getInt8Ty(), sizeof(LookupRows)); }
    Value* rowsOf(unsigned row) { return rowsAt(rows(), b_.getInt64(row)); }
    Value* byteOffset(Value* base, uint64_t bytes) { return b_.CreateConstGEP1_64(b_.getInt8Ty(), base, bytes); }
    Value* field(size_t offset, llvm::Type* type) { return b_.CreateLoad(type, byteOffset(frame_, offset)); }
    Value* lookupField(unsigned unit, size_t offset, llvm::Type* type) {
        Value* lookups = field(offsetof(Frame, lookups), b_.getPtrTy());
        return b_.CreateLoad(type, byteOffset(lookups, uint64_t{unit} * sizeof(BlockLookup) + offset));
    }
    llvm::Type* lanes() { return llvm::FixedVectorType::get(b_.getFloatTy(), LookupRows::kLanes); }

    Value* rows() {
        if (rows_ == nullptr) {
            llvm::BasicBlock& entry = function_.getEntryBlock();
            llvm::IRBuilder<> b(&entry, entry.begin());
            rows_ = b.CreateAlloca(llvm::ArrayType::get(rowsType(), kMaxRows), nullptr, "lookups");
            rows_->setAlignment(llvm::Align(64));
        }
        return rows_;
    }

    void storeCoordinates(const llvm::CallInst& lookup, unsigned row) {
        const auto descriptor = descriptorOf(lookup);
        const int count = isa::coordinateCount(static_cast<isa::TextureTarget>(descriptor.target));
        for (int c = 0; c < 4; ++c) {
            if (c >= count && !(isTexel(descriptor) && c == LookupRows::kLevel)) continue;
            for (unsigned block = 0; block < blocks_; ++block)
                b_.CreateAlignedStore(lanesOf(lookup.getArgOperand(static_cast<unsigned>(c) + 2), block),
                                      byteOffset(rowsOf(row + block), coordinateAt(c)), llvm::Align(64));
        }
        for (unsigned block = 0; isMoved(descriptor) && block < blocks_; ++block)
            b_.CreateStore(b_.getInt32(descriptor.pack()),
                           byteOffset(rowsOf(row + block), coordinateAt(LookupRows::kMove)));
    }
    /// The lanes of one block.
    Value* lanesOf(Value* all, unsigned block) {
        if (blocks_ == 1) return all;
        llvm::SmallVector<int, LookupRows::kLanes> from(LookupRows::kLanes);
        std::iota(from.begin(), from.end(), static_cast<int>(block * LookupRows::kLanes));
        return b_.CreateShuffleVector(all, from);
    }
    Value* channelOf(unsigned row, unsigned channel) {
        const auto load = [&](unsigned block) {
            return b_.CreateAlignedLoad(lanes(), byteOffset(rowsOf(row + block), resultAt(channel)), llvm::Align(64));
        };
        if (blocks_ == 1) return load(0);
        llvm::SmallVector<int, 2 * LookupRows::kLanes> all(size_t{2} * LookupRows::kLanes);
        std::iota(all.begin(), all.end(), 0);
        Value *first = load(0), *second = load(1);
        return b_.CreateShuffleVector(first, second, all);
    }
    /// Bits of those that are used.
    static uint32_t channelsOf(const Group& group) {
        uint32_t channels = 0;
        for (const llvm::CallInst* lookup : group.lookups)
            for (const llvm::User* user : lookup->users())
                if (!user->use_empty()) channels |= 1u << llvm::cast<llvm::ExtractValueInst>(user)->getIndices()[0];
        return channels;
    }
    /// Where the lookups were: channels that are used.
    void readResults(const Group& group) {
        for (unsigned i = 0; i < group.size(); ++i) {
            llvm::CallInst* lookup = group.lookups[i];
            b_.SetInsertPoint(lookup->getNextNode());
            for (llvm::User* user : llvm::make_early_inc_range(lookup->users())) {
                auto* channel = llvm::cast<llvm::ExtractValueInst>(user);
                channel->replaceAllUsesWith(channelOf(group.row + i * blocks_, channel->getIndices()[0]));
                channel->eraseFromParent();
            }
        }
    }

    /// The unit's own functions, or the texture units.
    void ask(const Group& group, llvm::BasicBlock* done) {
        const TextureDescriptor descriptor = descriptorOf(*group.first());
        Value* wanted = group.first()->getArgOperand(1);
        Value* first = rowsOf(group.row);
        const size_t count = group.size() * blocks_;
        Value* ownWanted = blocks_ == 1 ? wanted : b_.getInt32((1u << LookupRows::kLanes) - 1);
        llvm::BasicBlock *own = newBlock("lookup", done), *general = newBlock("sample", done);
        const auto function = [&](size_t of) { return lookupField(descriptor.unit, of, b_.getPtrTy()); };
        Value* hasOwn = hasOwnLookup(b_, frame_, descriptor);
        if (isMoved(descriptor))
            hasOwn = b_.CreateAnd(hasOwn, b_.CreateIsNotNull(function(offsetof(BlockLookup, moved))));
        b_.CreateCondBr(hasOwn, own, general, llvm::MDBuilder(b_.getContext()).createBranchWeights(1000, 1));
        b_.SetInsertPoint(own);
        Value* texture = function(offsetof(BlockLookup, texture));
        if (isTexel(descriptor) || isMoved(descriptor)) {
            call(function(isTexel(descriptor) ? offsetof(BlockLookup, texels) : offsetof(BlockLookup, moved)),
                 {texture, ownWanted, b_.getInt32(static_cast<uint32_t>(count)), first, b_.getInt32(channels_)});
            b_.CreateBr(done);
        } else {
            if (count > 1) askSeveral(descriptor, texture, ownWanted, count, first, done);
            Value* one = function(offsetof(BlockLookup, function));
            forEach(count, first, done, [&](Value* rows) {
                call(one, {texture, ownWanted, byteOffset(rows, coordinateAt(0)), byteOffset(rows, resultAt(0))});
            });
        }
        b_.SetInsertPoint(general);
        Value* rows = field(offsetof(Frame, sample) + offsetof(SampleFunctions, rows), b_.getPtrTy());
        const auto askUnits = [&](Value* from, size_t number, const TextureDescriptor& of) {
            call(rows, {frame_, from, b_.getInt32(static_cast<uint32_t>(number)), b_.getInt32(of.pack()), wanted});
        };
        if (isMoved(descriptor)) {
            for (unsigned i = 0; i < group.size(); ++i)
                askUnits(rowsOf(group.row + i * blocks_), blocks_, descriptorOf(*group.lookups[i]));
        } else {
            askUnits(first, count, descriptor);
        }
        b_.CreateBr(done);
    }
    /// Where there is no function for several, control goes on.
    void askSeveral(const TextureDescriptor& descriptor, Value* texture, Value* wanted, size_t count, Value* first,
                    llvm::BasicBlock* done) {
        Value* several = lookupField(descriptor.unit, offsetof(BlockLookup, several), b_.getPtrTy());
        llvm::BasicBlock *together = newBlock("together", done), *apart = newBlock("apart", done);
        b_.CreateCondBr(b_.CreateIsNotNull(several), together, apart);
        b_.SetInsertPoint(together);
        call(several, {texture, wanted, b_.getInt32(static_cast<uint32_t>(count)), first, b_.getInt32(channels_)});
        b_.CreateBr(done);
        b_.SetInsertPoint(apart);
    }
    /// Ends with a jump to `done`.
    template <class Body>
    void forEach(size_t count, Value* first, llvm::BasicBlock* done, const Body& body) {
        if (count == 1) {
            body(first);
            b_.CreateBr(done);
            return;
        }
        llvm::BasicBlock *before = b_.GetInsertBlock(), *loop = newBlock("each", done);
        b_.CreateBr(loop);
        b_.SetInsertPoint(loop);
        llvm::PHINode* index = b_.CreatePHI(b_.getInt64Ty(), 2);
        body(rowsAt(first, index));
        Value* next = b_.CreateAdd(index, b_.getInt64(1));
        index->addIncoming(b_.getInt64(0), before);
        index->addIncoming(next, b_.GetInsertBlock());
        b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt64(count)), loop, done);
    }

    void call(Value* function, llvm::ArrayRef<Value*> arguments) {
        llvm::SmallVector<llvm::Type*, 4> types;
        for (const Value* argument : arguments) types.push_back(argument->getType());
        b_.CreateCall(llvm::FunctionType::get(b_.getVoidTy(), types, false), function, arguments)->setDoesNotThrow();
    }
    llvm::BasicBlock* newBlock(const char* name, llvm::BasicBlock* before) {
        return llvm::BasicBlock::Create(b_.getContext(), name, &function_, before);
    }
    static uint64_t coordinateAt(int c) { return offsetof(LookupRows, coordinate) + static_cast<uint64_t>(c) * kRow; }
    static uint64_t resultAt(uint64_t c) { return offsetof(LookupRows, result) + c * kRow; }

    static constexpr uint64_t kRow = LookupRows::kLanes * sizeof(float);
    llvm::Function& function_;
    Value* frame_;
    llvm::IRBuilder<> b_;
    // Of the group that is being written.
    unsigned blocks_ = 1;    ///< of each lookup
    uint32_t channels_ = 0;  ///< that are read of some lookup
    llvm::AllocaInst* rows_ = nullptr;
};

}  // namespace

std::array<Value*, 4> placeLookup(llvm::IRBuilder<>& b, const TextureDescriptor& descriptor, Value* wanted,
                                  const std::array<Value*, 4>& coordinates) {
    llvm::Type* lanes = coordinates[0]->getType();
    llvm::Type* channel = lanes->getWithNewType(b.getFloatTy());
    llvm::Module& module = *b.GetInsertBlock()->getModule();
    auto* type = llvm::FunctionType::get(llvm::StructType::get(channel, channel, channel, channel),
                                         {b.getInt32Ty(), b.getInt32Ty(), lanes, lanes, lanes, lanes}, false);
    llvm::FunctionCallee function =
        module.getOrInsertFunction(lanes->isFPOrFPVectorTy() ? kLookupName : kTexelName, type);
    auto* declaration = llvm::cast<llvm::Function>(function.getCallee());
    // LLVM may not leave out a lookup, nor take it for another one, as somebody may count them.
    declaration->setOnlyAccessesInaccessibleMemory();
    declaration->setDoesNotThrow();
    llvm::SmallVector<Value*, 6> arguments{b.getInt32(descriptor.pack()), wanted};
    for (Value* coordinate : coordinates)
        arguments.push_back(coordinate != nullptr ? coordinate : llvm::PoisonValue::get(lanes));
    llvm::CallInst* call = b.CreateCall(function, arguments);
    std::array<Value*, 4> channels{};
    for (unsigned c = 0; c < 4; ++c) channels[c] = b.CreateExtractValue(call, c);
    return channels;
}

Value* hasOwnLookup(llvm::IRBuilder<>& b, Value* frame, const TextureDescriptor& descriptor, uint32_t also) {
    const auto at = [&](Value* base, uint64_t bytes) { return b.CreateConstGEP1_64(b.getInt8Ty(), base, bytes); };
    Value* lookups = b.CreateLoad(b.getPtrTy(), at(frame, offsetof(Frame, lookups)));
    Value* targets = b.CreateLoad(
        b.getInt32Ty(), at(lookups, uint64_t{descriptor.unit} * sizeof(BlockLookup) + offsetof(BlockLookup, targets)));
    const uint32_t bits = also | BlockLookup::bitOf(static_cast<isa::TextureTarget>(descriptor.target),
                                                    static_cast<isa::LodMode>(descriptor.lodMode));
    return b.CreateICmpEQ(b.CreateAnd(targets, b.getInt32(bits)), b.getInt32(bits));
}

void resolveLookups(llvm::Function& function) {
    std::vector<Group> groups;
    for (llvm::BasicBlock& block : function)
        for (Group& group : Grouping(block).groups) groups.push_back(std::move(group));
    LookupWriter writer(function);
    // From the end on, so that what is behind a group has a basic block of its own and need not move again.
    for (auto group = groups.rbegin(); group != groups.rend(); ++group) writer.write(*group);
    for (const char* name : {kLookupName, kTexelName})
        if (llvm::Function* declaration = function.getParent()->getFunction(name)) declaration->eraseFromParent();
}

}  // namespace tessera::jit
