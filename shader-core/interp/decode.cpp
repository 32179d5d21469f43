// Resolves operands once, so that running an instruction is loads at known offsets.
#include <algorithm>
#include <cstring>
#include <optional>

#include "base/check.h"
#include "shader-core/interp/decoded.h"
#include "shader-core/isa/program.h"

namespace tessera::interp {

namespace {

/// Only lane-dependent files have a register per lane; constants and immediates are the same for all.
bool isUniform(isa::File file) { return file == isa::File::C || file == isa::File::I; }

Operand decodeOperand(const isa::Source& source, uint32_t immediateIndex) {
    Operand operand;
    operand.index = source.index;
    operand.base = static_cast<uint8_t>(source.file);
    operand.uniform = isUniform(source.file);
    operand.gathered = source.relative || source.snoop || source.file == isa::File::P;
    operand.snoop = source.snoop;
    operand.snoopOfBlock = source.snoopOfBlock;
    operand.wavefront = source.wavefront;
    operand.negate = source.negate;
    operand.absolute = source.absolute;
    uint32_t index = source.index;
    if (source.file == isa::File::I) index = immediateIndex;
    if (source.file == isa::File::S && index == static_cast<uint32_t>(isa::Special::Lane)) {
        operand.base = kBaseLane;
        index = 0;
    }
    for (int c = 0; c < 4; ++c) {
        const uint32_t component = static_cast<uint32_t>(isa::swizzleAt(source.swizzle, c));
        operand.offset[c] = operand.uniform ? index * kUniformBytes + component * uint32_t{sizeof(float)}
                                            : index * kRegisterBytes + component * kComponentBytes;
    }
    return operand;
}

void decodeDestination(Decoded& d, const isa::Destination& dst) {
    d.writeMask = dst.writeMask;
    d.dstBase = static_cast<uint8_t>(dst.file);
    d.dstRelative = dst.relative;
    d.dstIndex = dst.index;
    d.dstOffset = dst.index * kRegisterBytes;
}

/// The destination is memory at a known place, and no component reads what one before it has written.
bool canWriteAtOnce(const Decoded& d, int sources) {
    if (d.gathers || d.dstRelative || d.dstBase == kBasePredicate) return false;
    for (int c = 1; c < 4; ++c)
        for (int s = 0; s < sources; ++s)
            for (int earlier = 0; earlier < c; ++earlier)
                if ((d.writeMask >> c & 1) && (d.writeMask >> earlier & 1) && d.src[s].base == d.dstBase &&
                    d.src[s].offset[c] == d.dstOffset + static_cast<uint32_t>(earlier) * kComponentBytes)
                    return false;
    return true;
}

Decoded decodeInstruction(const isa::Instruction& i, uint32_t immediateIndex) {
    Decoded d;
    d.op = i.op;
    d.type = i.type;
    d.guard = i.guard;
    d.guardFlip = i.guardNegate ? ~0u : 0u;
    d.saturate = i.saturate;
    d.target = i.target;
    d.textureUnit = i.textureUnit;
    d.textureTarget = i.textureTarget;
    d.textureRelative = i.textureRelative;
    d.texelOffset = i.texelOffset;
    d.resultIsFloat = isa::resultType(i.op, i.type) == isa::Type::F32;
    d.subsetWidth = i.subsetWidth;
    d.subsetDepth = i.subsetDepth;
    d.subsetOfBlock = i.subsetOfBlock;
    d.iterations = i.iterations;
    d.offset = i.src[0].file == isa::File::I ? 0 : i.immediate;
    d.slot = i.slot;
    d.elementBytes = static_cast<uint8_t>(isa::byteCount(i.elementSize));
    d.snoopRow = i.snoopRow;
    d.barrier = i.barrier;
    d.barrierGroups = i.barrierGroups;
    const isa::Shape shape = isa::opInfo(i.op).shape;
    if (isa::hasDestination(shape) || shape == isa::Shape::MS) decodeDestination(d, i.dst);
    const int sources = isa::sourceCount(shape);
    for (int s = 0; s < sources; ++s) {
        d.src[s] = decodeOperand(i.src[s], immediateIndex);
        d.gathers |= d.src[s].gathered;
    }
    d.writesAtOnce = canWriteAtOnce(d, sources);
    for (int c = 0; c < 4; ++c) {
        for (int earlier = 0; earlier < c; ++earlier) {
            if (!(d.writeMask >> earlier & 1)) continue;
            bool same = true;
            for (int s = 0; s < sources; ++s) same &= d.src[s].offset[earlier] == d.src[s].offset[c];
            if (same) {
                d.sameAs[c] = static_cast<uint8_t>(earlier);
                break;
            }
        }
    }
    return d;
}

}  // namespace

uint32_t subsetLanes(const Decoded& d, uint32_t group, uint32_t blockThreads) {
    const auto width = static_cast<uint32_t>(d.subsetOfBlock ? isa::kWavefrontSize : isa::kGroupColumns);
    const uint32_t rowsOfGroup = isa::kGroupSize / width;
    const uint32_t first = d.subsetOfBlock ? group * rowsOfGroup : 0;  // row of the group
    const uint32_t rows = d.subsetOfBlock ? (blockThreads + width - 1) / width : rowsOfGroup;
    const uint32_t keptRows = d.subsetDepth == 3 ? 1 : (rows + (1u << d.subsetDepth) - 1) >> d.subsetDepth;
    const uint32_t keptColumns = d.subsetWidth == 3 ? 1 : width >> d.subsetWidth;
    uint32_t lanes = 0;
    for (uint32_t row = 0; row < rowsOfGroup; ++row)
        if (first + row < keptRows) lanes |= ((1u << keptColumns) - 1) << row * width;
    return lanes;
}

Program decodeProgram(std::shared_ptr<const isa::Program> source) {
    Program program;
    std::vector<isa::Instruction> code;
    code.reserve(source->code.size());
    program.code.reserve(source->code.size());
    for (const isa::Word& word : source->code) {
        const std::optional<isa::Instruction> i = isa::decode(word);
        CHECK(i.has_value());  // verify() came first
        bool hasImmediate = false;
        for (int s = 0; s < isa::sourceCount(isa::opInfo(i->op).shape); ++s)
            hasImmediate |= i->src[s].file == isa::File::I;
        if (hasImmediate) program.immediates.push_back({i->immediate, i->immediate, i->immediate, i->immediate});
        program.code.push_back(decodeInstruction(*i, static_cast<uint32_t>(program.immediates.size()) - 1));
        const Decoded& d = program.code.back();
        program.usesAddress |= d.dstBase == kBaseAddress || d.dstRelative || d.textureRelative;
        for (const isa::Source& source : i->src) program.usesAddress |= source.relative || source.file == isa::File::A;
        code.push_back(*i);
    }
    program.source = std::move(source);
    findRegistersToZero(program, code);
    return program;
}

}  // namespace tessera::interp
