// What code calls for, a block's sixteen lanes at a time: operations that are no few instructions, and lookups.
#include "shader-core/jit/baseline/generator.h"
#include "shader-core/jit/baseline/steps.h"

namespace tessera::jit {

using isa::BlockLookup;
using isa::Op;

void Generator::storeOperand(const Instruction& i, int s, int component, Place to) {
    const Values::Scope scope(values_);
    a_.store(to, inVector(source(i, s, component)));
}

/// The same of the first operand with an integer added.
void Generator::storeMoved(const Instruction& i, int component, uint32_t by, Place to) {
    if (by == 0) return storeOperand(i, 0, component, to);
    const Values::Scope scope(values_);
    const Vector moved = values_.take();
    a_.binary(VectorOp::AddInts, moved, inVector(source(i, 0, component)), a_.everywhere(by));
    a_.store(to, moved);
}

/// Results of a call to where they belong. `from`: of the part.
void Generator::writeRows(size_t at, unsigned wanted, const std::function<VectorOperand(int)>& from) {
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
        if ((componentsWritten(i) >> c & 1) != 0 && (i.dst.relative || live_.isLive(at + 1, destination(i, c))))
            wanted |= 1u << c;
    return wanted;
}

// --- Operations ---

void Generator::callStep(Step step, const std::array<uint32_t, 3>& operands, uint32_t result) {
    const auto at = [this](uint32_t number) { return Argument::address(wholeRow(number)); };
    a_.call(reinterpret_cast<const void*>(step), {at(operands[0]), at(operands[1]), at(operands[2]), at(result)});
}

/// Row c of each operand, and of the result, is for component c.
void Generator::steps(size_t begin, size_t at) {
    const Instruction& i = facts_.code[at];
    const unsigned wanted = wantedOf(at);
    const int sources = isa::sourceCount(isa::opInfo(i.op).shape);
    const auto operandRow = [this](int s, int c) { return scratch_ + static_cast<uint32_t>(4 * s + c); };
    const auto resultRow = [this](int c) { return scratch_ + 12 + static_cast<uint32_t>(c); };
    // A component of the same operands as one before it is computed once.
    std::array<int, 4> sameAs{0, 1, 2, 3};
    unsigned computed = 0;
    for (int c = 0; c < 4; ++c) {
        if (!(wanted >> c & 1)) continue;
        for (int earlier = c - 1; earlier >= 0; --earlier) {
            bool same = (computed >> earlier & 1) != 0;
            for (int s = 0; s < sources; ++s)
                same = same && isa::swizzleAt(i.src[static_cast<size_t>(s)].swizzle, c) ==
                                   isa::swizzleAt(i.src[static_cast<size_t>(s)].swizzle, earlier);
            if (same) sameAs[static_cast<size_t>(c)] = earlier;
        }
        if (sameAs[static_cast<size_t>(c)] == c) computed |= 1u << c;
    }
    straight(begin, at, liveBehind(at), [&] {
        for (int c = 0; c < 4; ++c)
            for (int s = 0; s < sources; ++s)
                if (computed >> c & 1) storeOperand(i, s, c, row(operandRow(s, c)));
    });
    const Step step = stepOf(level_, i.op, i.type);
    for (int c = 0; c < 4; ++c)
        if (computed >> c & 1) callStep(step, {operandRow(0, c), operandRow(1, c), operandRow(2, c)}, resultRow(c));
    after_ = [=, this] {
        writeRows(at, wanted, [&](int c) { return row(resultRow(sameAs[static_cast<size_t>(c)])); });
    };
}

/// x and w of the result are 1, y is made of x, z of x, y and w.
void Generator::lighting(size_t begin, size_t at) {
    const Instruction& i = facts_.code[at];
    const unsigned wanted = wantedOf(at);
    const uint32_t x = scratch_, y = x + 1, w = x + 2, results = x + 3;
    straight(begin, at, liveBehind(at), [&] {
        storeOperand(i, 0, 0, row(x));
        storeOperand(i, 0, 1, row(y));
        storeOperand(i, 0, 3, row(w));
    });
    for (const int c : {1, 2})
        if (wanted >> c & 1) callStep(litStep(level_, c), {x, y, w}, results + static_cast<uint32_t>(c));
    after_ = [=, this] {
        writeRows(at, wanted, [&](int c) {
            return c == 0 || c == 3 ? a_.everywhere(kOneBits) : VectorOperand(row(results + static_cast<uint32_t>(c)));
        });
    };
}

// --- Relative registers ---

Reach Generator::reachOf(isa::File file, unsigned index, unsigned components) const {
    Reach reach{static_cast<uint16_t>(index), 0, static_cast<uint8_t>(components)};
    switch (file) {
        case isa::File::R:
            reach.count = program_.tempCount;
            return reach;
        case isa::File::C:
            reach.count = program_.constantCount;
            return reach;
        case isa::File::V:
            reach.count = isa::kMaxInputs, reach.exists = program_.inputMask.bits();
            return reach;
        default:
            reach.count = isa::kMaxOutputs, reach.exists = program_.outputMask.bits();
            return reach;
    }
}

/// The relative sources of an instruction to rows, when all values are in theirs.
void Generator::gatherRelative(size_t at) {
    const Instruction& i = facts_.code[at];
    for (int s = 0; s < isa::sourceCount(isa::opInfo(i.op).shape); ++s) {
        const isa::Source& source = i.src[static_cast<size_t>(s)];
        if (!source.relative) continue;
        unsigned components = 0;
        for (int c = 0; c < 4; ++c)
            if (isa::componentsRead(i, s) >> c & 1) components |= 1u << isa::swizzleAt(source.swizzle, c);
        if (source.file == isa::File::V)
            for (int c = 0; c < 4; ++c)
                if (components >> c & 1) inputComponents_.component[c] |= program_.inputMask;
        const Reach reach = reachOf(source.file, source.index, components);
        const Place file = source.file == isa::File::C   ? Place{Base::Constants}
                           : source.file == isa::File::V ? Place{Base::Inputs}
                                                         : wholeRow(numbers_.of(source.file, 0, 0));
        a_.call(reinterpret_cast<const void*>(gatherFrom(level_, source.file)),
                {Argument::address(file), Argument::address(wholeRow(numbers_.of(isa::File::A, 0, 0))),
                 Argument::number(reach.pack()), Argument::address(wholeRow(gathered_ + static_cast<uint32_t>(4 * s))),
                 Argument::number(reach.exists)});
    }
}

/// A result in rows to relative registers, when all values are in their rows.
void Generator::scatter(size_t at) {
    const Instruction& i = facts_.code[at];
    takenBits(at);
    const Reach reach = reachOf(i.dst.file, i.dst.index, componentsWritten(i));
    a_.call(reinterpret_cast<const void*>(scatterTo(level_)),
            {Argument::address(wholeRow(numbers_.of(i.dst.file, 0, 0))),
             Argument::address(wholeRow(numbers_.of(isa::File::A, 0, 0))), Argument::number(reach.pack()),
             Argument::address(wholeRow(scratch_)), Argument::mask(Bits::A), Argument::number(reach.exists)});
}

// --- Lookups ---

void Generator::texture(size_t begin, size_t at) {
    const Instruction& i = facts_.code[at];
    if (program_.stage == isa::Stage::Fragment && (isa::mayBeBlockLookup(i) || isa::mayBeBlockFetch(i)))
        askOwn(begin, at);
    else
        askUnits(begin, at);
}

/// A lookup with a derived level of detail, or of single texels: the unit's own function, or the texture units by way
/// of LookupRows.
void Generator::askOwn(size_t begin, size_t at) {
    const Instruction& i = facts_.code[at];
    TextureDescriptor descriptor = descriptorOf(i);
    descriptor.offset = {};  // of texels, which is added here
    const bool isTexel = isa::lodModeOf(i.op) == isa::LodMode::Texel;
    const int coordinates = isa::coordinateCount(i.textureTarget);
    const uint32_t results = lookup_ + offsetof(LookupRows, result) / kRowBytes;
    straight(begin, at, liveBehind(at), [&] {
        for (int c = 0; c < coordinates; ++c) {
            const bool isMoved = isTexel && c < isa::offsetCount(i.textureTarget);
            const auto offset = isMoved ? static_cast<uint32_t>(i.texelOffset[static_cast<size_t>(c)]) : 0;
            storeMoved(i, c, offset, row(lookup_ + static_cast<uint32_t>(c)));
        }
        if (isTexel) storeOperand(i, 1, 0, row(lookup_ + LookupRows::kLevel));
    });
    const auto own = [&](size_t offset) {
        return Place{Base::Loaded, static_cast<int32_t>(i.textureUnit * sizeof(BlockLookup) + offset)};
    };
    const Label general = a_.newLabel(), done = a_.newLabel();
    takenBits(at);
    a_.setLoaded(field(offsetof(Frame, lookups)));
    a_.jumpIfClear(own(offsetof(BlockLookup, targets)), BlockLookup::bitOf(i.textureTarget, isa::lodModeOf(i.op)),
                   general);
    const Argument texture = Argument::pointer(own(offsetof(BlockLookup, texture)));
    if (isTexel)
        a_.call(own(offsetof(BlockLookup, texels)),
                {texture, Argument::mask(Bits::A), Argument::number(1), Argument::address(wholeRow(lookup_)),
                 Argument::number(wantedOf(at))});
    else
        a_.call(own(offsetof(BlockLookup, function)),
                {texture, Argument::mask(Bits::A), Argument::address(wholeRow(lookup_)),
                 Argument::address(wholeRow(results))});
    a_.jump(done);
    a_.bind(general);
    a_.call(field(offsetof(Frame, sample) + offsetof(SampleFunctions, rows)),
            {Argument::frame(), Argument::address(wholeRow(lookup_)), Argument::number(1),
             Argument::number(descriptor.pack()), Argument::mask(Bits::A)});
    a_.bind(done);
    after_ = [=, this, wanted = wantedOf(at)] {
        writeRows(at, wanted, [&](int c) { return row(results + static_cast<uint32_t>(c)); });
    };
}

/// Any other: the texture units by way of a TextureCall, whose rows are those of a group.
void Generator::askUnits(size_t begin, size_t at) {
    const Instruction& i = facts_.code[at];
    const isa::LodMode mode = isa::lodModeOf(i.op);
    const TextureDescriptor descriptor = descriptorOf(i);
    const int coordinates = mode == isa::LodMode::Size ? 1 : isa::coordinateCount(i.textureTarget);
    const int gradients = mode == isa::LodMode::Gradient ? isa::gradientCount(i.textureTarget) : 0;
    const auto ofCall = [this](size_t offset) { return ofPart(Base::Element, offset); };
    const auto rowOfCall = [&](int number) { return ofCall(static_cast<size_t>(number) * kComponentBytes); };
    // The block's lanes of the rows.
    const auto findLanes = [this] { a_.setElement(wholeRow(call_), field(offsetof(Frame, firstLane))); };
    findLanes();
    straight(begin, at, liveBehind(at), [&] {
        for (int c = 0; c < coordinates; ++c) storeOperand(i, 0, c, rowOfCall(c));
        for (int c = 0; c < gradients; ++c) {
            storeOperand(i, 1, c, rowOfCall(TextureCall::kDdx + c));
            storeOperand(i, 2, c, rowOfCall(TextureCall::kDdy + c));
        }
        if (isa::hasLod(mode)) storeOperand(i, 1, 0, rowOfCall(TextureCall::kLod));
        if (i.textureRelative) {
            const Values::Scope scope(values_);
            a_.store(ofCall(offsetof(TextureCall, address)), inVector(named(numbers_.of(isa::File::A, 0, 0))));
        }
    });
    takenBits(at);
    a_.call(field(offsetof(Frame, sample) + offsetof(SampleFunctions, call)),
            {Argument::frame(), Argument::address(wholeRow(call_)), Argument::number(descriptor.pack()),
             Argument::mask(Bits::A)});
    findLanes();
    after_ = [=, this, wanted = wantedOf(at)] {
        writeRows(at, wanted, [&](int c) {
            return ofPart(Base::Element, offsetof(TextureCall, result) + static_cast<size_t>(c) * kComponentBytes);
        });
    };
}

}  // namespace tessera::jit
