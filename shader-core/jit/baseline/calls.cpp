// What code calls for, a block's sixteen lanes at a time: operations that are no few instructions, and lookups.
#include "shader-core/jit/baseline/generator.h"
#include "shader-core/jit/baseline/steps.h"

namespace tessera::jit {

using isa::BlockLookup;
using isa::Op;

void Generator::storeOperand(const Instruction& i, int s, int component, Memory to) {
    const Values::Scope scope(values_);
    a_.store(to, inVector(source(i, s, component)));
}

/// Results of a call, from its rows to where they belong. `from`: of the part.
void Generator::writeRows(size_t at, unsigned wanted, const std::function<Memory(int)>& from) {
    std::array<Result, 4> results;
    for (int c = 0; c < 4; ++c) {
        if (!(wanted >> c & 1)) continue;
        const Values::Scope scope(values_);
        const Vector to = values_.take();
        a_.load(to, from(c));
        values_.keep(to);
        results[static_cast<size_t>(c)] = {to};
    }
    writeAll(at, wanted, results);
}

unsigned Generator::wantedOf(size_t at) const {
    const Instruction& i = facts_.code[at];
    unsigned wanted = 0;
    for (int c = 0; c < 4; ++c)
        if ((componentsWritten(i) >> c & 1) != 0 && live_.isLive(at + 1, destination(i, c))) wanted |= 1u << c;
    return wanted;
}

// --- Operations ---

/// Row c of each operand, and of the result, is for component c. Of a lit instruction the rows are those of its source.
void Generator::steps(size_t begin, size_t at) {
    const Instruction& i = facts_.code[at];
    const unsigned wanted = wantedOf(at);
    const bool isLit = i.op == Op::Lit;
    const int sources = isa::sourceCount(isa::opInfo(i.op).shape);
    const auto operandRow = [this](int s, int c) { return scratch_ + static_cast<uint32_t>(4 * s + c); };
    const auto resultRow = [this](int c) { return scratch_ + 12 + static_cast<uint32_t>(c); };
    // A component of the same operands as one before it is computed once.
    std::array<int, 4> sameAs{0, 1, 2, 3};
    unsigned computed = 0;
    for (int c = 0; c < 4; ++c) {
        if (!(wanted >> c & 1)) continue;
        for (int earlier = c - 1; earlier >= 0 && !isLit; --earlier) {
            bool same = (computed >> earlier & 1) != 0;
            for (int s = 0; s < sources; ++s)
                same = same && isa::swizzleAt(i.src[static_cast<size_t>(s)].swizzle, c) ==
                                   isa::swizzleAt(i.src[static_cast<size_t>(s)].swizzle, earlier);
            if (same) sameAs[static_cast<size_t>(c)] = earlier;
        }
        if (sameAs[static_cast<size_t>(c)] == c) computed |= 1u << c;
    }
    straight(begin, at, at + 1, [&] {
        for (int c = 0; c < 4; ++c)
            for (int s = 0; s < sources; ++s)
                if (isLit ? wanted != 0 && c != 2 : (computed >> c & 1) != 0)
                    storeOperand(i, s, c, row(operandRow(s, c)));
    });
    for (int c = 0; c < 4; ++c) {
        if (!(computed >> c & 1) || (isLit && c % 3 == 0)) continue;
        const int third = isLit ? 3 : c;
        a_.address(Reg::rdi, wholeRow(operandRow(0, isLit ? 0 : c)));
        a_.address(Reg::rsi, wholeRow(isLit ? operandRow(0, 1) : operandRow(1, c)));
        a_.address(Reg::rdx, wholeRow(isLit ? operandRow(0, third) : operandRow(2, c)));
        a_.address(Reg::rcx, wholeRow(resultRow(c)));
        const Step step = isLit ? litStep(level_, c) : stepOf(level_, i.op, i.type);
        a_.call(reinterpret_cast<const void*>(step));
    }
    after_ = [=, this] {
        writeRows(at, wanted, [&](int c) { return row(resultRow(sameAs[static_cast<size_t>(c)])); });
    };
    if (isLit)  // x and w are 1
        after_ = [=, this] {
            std::array<Result, 4> results;
            for (int c = 0; c < 4; ++c) {
                if (!(wanted >> c & 1)) continue;
                const Values::Scope scope(values_);
                const Vector to = values_.take();
                a_.load(to, c % 3 == 0 ? a_.everywhere(kOneBits) : VectorOperand(row(resultRow(c))));
                values_.keep(to);
                results[static_cast<size_t>(c)] = {to};
            }
            writeAll(at, wanted, results);
        };
}

// --- Lookups ---

void Generator::texture(size_t begin, size_t at) {
    const Instruction& i = facts_.code[at];
    const bool mayBeOwn = isa::lodModeOf(i.op) == isa::LodMode::Implicit && program_.stage == isa::Stage::Fragment;
    if (mayBeOwn)
        askOwn(begin, at);
    else
        askUnits(begin, at);
}

/// A lookup with a derived level of detail: the unit's own function, or the texture units by way of LookupRows.
void Generator::askOwn(size_t begin, size_t at) {
    const Instruction& i = facts_.code[at];
    const TextureDescriptor descriptor{i.textureUnit, static_cast<uint8_t>(i.textureTarget),
                                       static_cast<uint8_t>(isa::LodMode::Implicit), false};
    const int coordinates = isa::coordinateCount(i.textureTarget);
    const uint32_t results = lookup_ + offsetof(LookupRows, result) / kRowBytes;
    straight(begin, at, at + 1, [&] {
        for (int c = 0; c < coordinates; ++c) storeOperand(i, 0, c, row(lookup_ + static_cast<uint32_t>(c)));
    });
    const auto own = [&](size_t offset) {
        return Memory{Reg::rax, static_cast<int32_t>(i.textureUnit * sizeof(BlockLookup) + offset)};
    };
    const Label general = a_.newLabel(), done = a_.newLabel();
    a_.loadWide(Reg::rax, field(offsetof(Frame, lookups)));
    a_.test(own(offsetof(BlockLookup, targets)), 1u << descriptor.target);
    a_.jumpIf(Condition::Zero, general);
    takenBits(at, Reg::rsi);
    a_.loadWide(Reg::rdi, own(offsetof(BlockLookup, texture)));
    a_.address(Reg::rdx, wholeRow(lookup_));
    a_.address(Reg::rcx, wholeRow(results));
    a_.call(own(offsetof(BlockLookup, function)));
    a_.jump(done);
    a_.bind(general);
    takenBits(at, Reg::r8);
    a_.moveWide(Reg::rdi, kFrame);
    a_.address(Reg::rsi, wholeRow(lookup_));
    a_.move(Reg::rdx, 1);
    a_.move(Reg::rcx, descriptor.pack());
    a_.call(field(offsetof(Frame, sample) + offsetof(SampleFunctions, rows)));
    a_.bind(done);
    after_ = [=, this, wanted = wantedOf(at)] {
        writeRows(at, wanted, [&](int c) { return row(results + static_cast<uint32_t>(c)); });
    };
}

/// Any other: the texture units by way of a TextureCall, whose rows are those of a group.
void Generator::askUnits(size_t begin, size_t at) {
    const Instruction& i = facts_.code[at];
    const isa::LodMode mode = isa::lodModeOf(i.op);
    const TextureDescriptor descriptor{i.textureUnit, static_cast<uint8_t>(i.textureTarget), static_cast<uint8_t>(mode),
                                       false};
    const int coordinates = isa::coordinateCount(i.textureTarget);
    const auto ofCall = [this](size_t offset) { return ofPart(kCallLanes, offset); };
    const auto rowOfCall = [&](int number) { return ofCall(static_cast<size_t>(number) * kComponentBytes); };
    const auto findLanes = [this] {
        a_.load(Reg::rax, field(offsetof(Frame, firstLane)));
        a_.address(kCallLanes, wholeRow(call_));
        a_.addressOfElement(kCallLanes, kCallLanes, Reg::rax);
    };
    findLanes();
    straight(begin, at, at + 1, [&] {
        for (int c = 0; c < coordinates; ++c) {
            storeOperand(i, 0, c, rowOfCall(c));
            if (mode != isa::LodMode::Gradient) continue;
            storeOperand(i, 1, c, rowOfCall(TextureCall::kDdx + c));
            storeOperand(i, 2, c, rowOfCall(TextureCall::kDdy + c));
        }
        if (mode == isa::LodMode::Bias || mode == isa::LodMode::Explicit)
            storeOperand(i, 1, 0, rowOfCall(TextureCall::kLod));
    });
    takenBits(at, Reg::r8);
    a_.moveWide(Reg::rdi, kFrame);
    a_.address(Reg::rsi, wholeRow(call_));
    a_.move(Reg::rdx, descriptor.pack());
    a_.moveWide(Reg::rcx, Reg::r8);
    a_.call(field(offsetof(Frame, sample) + offsetof(SampleFunctions, call)));
    findLanes();
    after_ = [=, this, wanted = wantedOf(at)] {
        writeRows(at, wanted, [&](int c) {
            return ofPart(kCallLanes, offsetof(TextureCall, result) + static_cast<size_t>(c) * kComponentBytes);
        });
    };
}

}  // namespace tessera::jit
