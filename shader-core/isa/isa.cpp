// Encoder and decoder. Both walk the field tables of fields.h under the control of the row of opcodes.def; the
// canonical form they share is what `problem()` accepts, so decode(encode(i)) == i and encode(decode(w)) == w.
#include "shader-core/isa/isa.h"

#include <bit>
#include <set>

#include "base/check.h"
#include "shader-core/isa/fields.h"
#include "static_latency.h"

namespace tessera::isa {

namespace {

constexpr uint8_t F = 1 << static_cast<int>(Type::F32);
constexpr uint8_t I = 1 << static_cast<int>(Type::I32);
constexpr uint8_t U = 1 << static_cast<int>(Type::U32);

constexpr std::array<OpInfo, kOpCount> kOps{{
#define OP(name, mnemonic, opcode, function, shape, unit, types, cost, set, meaning) \
    {Op::name,                                                                       \
     #name,                                                                          \
     mnemonic,                                                                       \
     opcode,                                                                         \
     function,                                                                       \
     Shape::shape,                                                                   \
     Unit::unit,                                                                     \
     static_cast<uint8_t>(types),                                                    \
     static_latency::cost,                                                           \
     InstructionSet::set,                                                            \
     meaning},
#include "shader-core/isa/opcodes.def"
#undef OP
}};

constexpr uint8_t kNoOp = 0xFF;

/// Row number for each opcode and function.
constexpr std::array<uint8_t, 1024> makeDecodeTable() {
    std::array<uint8_t, 1024> table{};
    table.fill(kNoOp);
    for (int i = 0; i < kOpCount; ++i) table[kOps[i].opcode << 5 | kOps[i].function] = static_cast<uint8_t>(i);
    return table;
}
constexpr std::array<uint8_t, 1024> kDecodeTable = makeDecodeTable();

constexpr bool rowsAreSound() {
    int graphics = 0;
    for (int i = 0; i < kOpCount; ++i) {
        const OpInfo& row = kOps[i];
        if (row.opcode > 31 || row.function > 31 || row.types == 0) return false;
        if (kDecodeTable[row.opcode << 5 | row.function] != i) return false;  // two rows share an encoding
        for (int j = 0; j < i; ++j)
            if (kOps[j].mnemonic == row.mnemonic) return false;
        graphics += row.set == InstructionSet::Graphics;
    }
    return graphics == 40;
}
static_assert(rowsAreSound(), "opcodes.def: encodings or mnemonics collide, or the graphics set is not forty");
static_assert(kDecodeTable[0] == kNoOp, "the zero word must not be an instruction");

uint32_t get(const Word& word, const Field& f) {
    const uint64_t half = f.first < 64 ? word.lo : word.hi;
    return static_cast<uint32_t>(half >> (f.first & 63) & ((uint64_t{1} << f.width) - 1));
}

void put(Word& word, const Field& f, uint32_t value) {
    CHECK_LT(uint64_t{value}, uint64_t{1} << f.width);
    (f.first < 64 ? word.lo : word.hi) |= uint64_t{value} << (f.first & 63);
}

const char* sourceProblem(const Source& s, bool immediateAllowed) {
    if (static_cast<int>(s.file) > static_cast<int>(File::I)) return "no such source file";
    if (!registerExists(s.file, s.index)) return "source register out of range";
    if (s.relative && !canBeRelative(s.file)) return "only r, v, c and o sources can be relative";
    if (s.snoop && (s.file != File::R || s.relative)) return "only r sources that are not relative can snoop";
    if (s.snoopOfBlock && !s.snoop) return "only sources that snoop do so in the block";
    if (s.wavefront >= kMaxWavefronts || (s.wavefront != 0 && !s.snoopOfBlock)) return "wavefront out of range";
    if (s.file == File::I && !immediateAllowed) return "this operand cannot be an immediate";
    if ((s.file == File::I || s.file == File::P) && s.swizzle != kSwizzleXYZW)
        return "immediates and predicates are not swizzled";
    return nullptr;
}

const char* destinationProblem(const Destination& d) {
    if (d.file != File::R && d.file != File::O && d.file != File::A && d.file != File::P)
        return "a destination is an r, o, a or p register";
    if (!registerExists(d.file, d.index)) return "destination register out of range";
    if (d.relative && !canBeRelative(d.file)) return "only r and o destinations can be relative";
    if (d.writeMask == 0 || d.writeMask > 0xF) return "write mask out of range";
    if (d.file == File::P && d.writeMask != 1) return "a predicate is written through component x";
    return nullptr;
}

const char* memoryProblem(const Instruction& i) {
    const Shape shape = opInfo(i.op).shape;
    if (!isMemory(shape))
        return i.slot != 0 || i.elementSize != ElementSize::Word ? "unused memory slot or element size" : nullptr;
    if (i.slot > kSharedSlot) return "no such memory";
    if (static_cast<int>(i.elementSize) > 2) return "no such element size";
    if (i.elementSize != ElementSize::Word && (!detail::shapeHasElementSize(shape) || i.type == Type::F32))
        return "only i32 and u32 loads and stores have elements of bytes and halves";
    if (i.src[0].negate || i.src[0].absolute) return "an address takes no modifier";
    if (shape != Shape::MS) return nullptr;
    const int count = elementCount(i);
    if (i.dst.writeMask == 0 || i.dst.writeMask != (1 << count) - 1) return "a store moves one to four elements";
    const Source& value = i.src[1];
    if (value.file == File::P) return count == 1 ? nullptr : "a predicate is one element";
    for (int c = count; c < 4; ++c)
        if (swizzleAt(value.swizzle, c) != swizzleAt(value.swizzle, count - 1))
            return "components behind the last element repeat it";
    return nullptr;
}

const char* snoopProblem(const Instruction& i) {
    int snooping = 0, ofBlock = 0;
    for (const Source& s : i.src) snooping += s.snoop, ofBlock += s.snoopOfBlock;
    if (i.snoopRow >= kGroupRows) return "snoop row out of range";
    if (i.snoopRow != 0 && snooping == ofBlock) return "unused snoop row";
    if (ofBlock == 0) return nullptr;
    if (!detail::shapeSnoopsBlock(opInfo(i.op).shape)) return "only arithmetic reads other wavefronts of the block";
    if (ofBlock != snooping) return "sources snoop in the group or in the block, not in both";
    if (ofBlock > 2) return "at most two sources read other wavefronts of the block";
    return i.subsetOfBlock ? nullptr
                           : "reading other wavefronts of the block needs a subset of the block, as .d1.block";
}

/// Why the instruction is not canonical, or null.
const char* problem(const Instruction& i) {
    if (static_cast<int>(i.op) >= kOpCount) return "no such instruction";
    const OpInfo& info = opInfo(i.op);
    const Instruction defaults;
    if (static_cast<int>(i.type) > 2 || !(info.types & 1 << static_cast<int>(i.type))) return "type not allowed";
    if (i.guard > kPredicates) return "no such predicate";
    if (i.guardNegate && i.guard == 0) return "a negated guard needs a predicate";
    if (i.guard != 0 && !canBeGuarded(i.op)) return "this instruction cannot be guarded";
    if (i.saturate && (!hasDestination(info.shape) || resultType(i.op, i.type) != Type::F32 || isMemory(info.shape)))
        return "only an f32 result can be saturated";
    if (i.subsetWidth > 3 || i.subsetDepth > 3) return "subset out of range";
    if (info.unit == Unit::Control && (i.subsetWidth || i.subsetDepth)) return "control instructions take no subset";
    if (i.subsetOfBlock && !i.subsetWidth && !i.subsetDepth) return "a subset of the block needs a width or a depth";

    if (hasDestination(info.shape)) {
        if (const char* why = destinationProblem(i.dst)) return why;
    } else if (i.dst != defaults.dst && info.shape != Shape::MS) {
        return "unused destination";
    } else if (i.dst.file != File::R || i.dst.index != 0 || i.dst.relative) {
        return "a store has no destination register";
    }
    int immediates = 0;
    for (int s = 0; s < 3; ++s) {
        if (s < sourceCount(info.shape)) {
            const bool immediate =
                isMemory(info.shape) ? hasOffset(info.shape) && s == 0 : detail::shapeTakesImmediate(info.shape);
            if (const char* why = sourceProblem(i.src[s], immediate)) return why;
            immediates += i.src[s].file == File::I;
        } else if (i.src[s] != defaults.src[s]) {
            return "unused source";
        }
    }
    if (immediates > 1) return "at most one immediate";
    if (immediates == 0 && i.immediate != 0 && !hasOffset(info.shape)) return "unused immediate";
    if (const char* why = memoryProblem(i)) return why;
    if (const char* why = snoopProblem(i)) return why;
    if (i.barrier >= kBarriers || i.barrierGroups > kMaxThreadBlockGroups) return "barrier out of range";
    if (info.shape != Shape::Barrier && (i.barrier != 0 || i.barrierGroups != 0)) return "unused barrier";
    if (isTexture(info.shape)) {
        if (i.subsetWidth || i.subsetDepth) return "lookups take no subset";
        if (i.src[0].snoop || i.src[1].snoop || i.src[2].snoop) return "sources of lookups do not snoop";
        if (i.textureUnit >= kMaxTextureUnits) return "texture unit out of range";
        if (i.textureTarget > kLastTextureTarget) return "no such texture target";
        for (const int8_t offset : i.texelOffset)
            if (offset < kLeastTexelOffset || offset > kGreatestTexelOffset) return "texel offset out of range";
    } else if (i.textureUnit != 0 || i.textureTarget != defaults.textureTarget || i.textureRelative ||
               i.texelOffset != defaults.texelOffset) {
        return "unused texture unit";
    }
    if (info.shape != Shape::Branch && i.target != 0) return "unused branch target";
    if (i.op != Op::Loop && i.iterations != 0) return "only a loop has a number of iterations";
    return nullptr;
}

void putSource(Word& word, int number, const Source& s) {
    const SourceFields f = sourceFields(number);
    put(word, f.file, static_cast<uint32_t>(s.file));
    put(word, f.index, s.index);
    put(word, f.swizzle, s.swizzle);
    put(word, f.negate, s.negate);
    put(word, f.absolute, s.absolute);
    put(word, f.relative, s.relative);
    put(word, f.snoop, s.snoop);
}

Source getSource(const Word& word, int number) {
    const SourceFields f = sourceFields(number);
    Source s;
    s.file = static_cast<File>(get(word, f.file));
    s.index = static_cast<uint16_t>(get(word, f.index));
    s.swizzle = static_cast<Swizzle>(get(word, f.swizzle));
    s.negate = get(word, f.negate) != 0;
    s.absolute = get(word, f.absolute) != 0;
    s.relative = get(word, f.relative) != 0;
    s.snoop = get(word, f.snoop) != 0;
    return s;
}

bool namesImmediate(const Instruction& i, int sources) {
    for (int s = 0; s < sources; ++s)
        if (i.src[s].file == File::I) return true;
    return false;
}

/// Components that carry no information take their one canonical value.
Instruction canonical(Instruction i) {
    for (Source& s : i.src)
        if (s.file == File::I || s.file == File::P) s.swizzle = kSwizzleXYZW;
    if (i.dst.file == File::P && hasDestination(opInfo(i.op).shape)) i.dst.writeMask = 1;
    return i;
}

}  // namespace

const OpInfo& opInfo(Op op) {
    CHECK_LT(static_cast<int>(op), kOpCount);
    return kOps[static_cast<int>(op)];
}

std::string writtenForm(Op op) {
    constexpr std::string_view kOperands[] = {"",
                                              "",
                                              " number, groups",
                                              " memory[a + offset], b",
                                              " d, a",
                                              " d, a, b",
                                              " d, a, b, c",
                                              " d, memory[a + offset]",
                                              " d, memory[a + offset], b",
                                              " d, memory[a], b, c",
                                              " d, a, unit, target",
                                              " d, a, b, unit, target",
                                              " d, a, b, c, unit, target"};
    static_assert(std::size(kOperands) == static_cast<size_t>(Shape::DT3) + 1);
    const OpInfo& info = opInfo(op);
    return std::string(info.mnemonic) +
           std::string(op == Op::Call ? " label" : kOperands[static_cast<size_t>(info.shape)]);
}

int sourceCount(Shape shape) { return detail::shapeSources(shape); }
bool hasDestination(Shape shape) { return detail::shapeHasDestination(shape); }
bool isTexture(Shape shape) { return detail::shapeIsTexture(shape); }
bool isMemory(Shape shape) { return detail::shapeIsMemory(shape); }
bool hasOffset(Shape shape) { return detail::shapeHasOffset(shape); }
int elementCount(const Instruction& instruction) { return std::popcount(instruction.dst.writeMask); }

bool canBeGuarded(Op op) { return op != Op::Else && op != Op::Endif && op != Op::Loop && op != Op::Endloop; }
bool canBeRelative(File file) { return file == File::R || file == File::V || file == File::C || file == File::O; }

int registerCount(File file) {
    switch (file) {
        case File::R:
            return kMaxTemps;
        case File::V:
            return kMaxInputs;
        case File::C:
            return kMaxConstants;
        case File::O:
            return kMaxOutputs;
        case File::A:
            return 1;
        case File::P:
            return kPredicates + 1;
        case File::S:
            return kSpecials;
        case File::I:
            return 1;
    }
    return 0;
}

bool registerExists(File file, int index) { return index < registerCount(file) && !(file == File::P && index == 0); }

Type sourceType(Op op, Type type) {
    if (op == Op::Txf || op == Op::Txs) return Type::I32;
    if (isTexture(opInfo(op).shape)) return Type::F32;  // the type is that of the texels
    return op == Op::F2i || op == Op::F2h ? Type::F32 : type;
}

Type sourceType(Op op, Type type, int source) {
    const bool shuffles = op == Op::Shi || op == Op::Shu || op == Op::Shd || op == Op::Shx;
    const bool isIndex = (shuffles && source == 1) || (isMemory(opInfo(op).shape) && source == 0);
    return isIndex && type == Type::F32 ? Type::I32 : sourceType(op, type);
}

Type resultType(Op op, Type type) {
    const bool comparison = op == Op::Slt || op == Op::Sge || op == Op::Seq || op == Op::Sne;
    if (op == Op::Vbal) return Type::U32;
    return comparison || op == Op::I2f || op == Op::H2f || op == Op::Vall || op == Op::Vany ? Type::F32 : type;
}

uint8_t componentsRead(const Instruction& i, int source) {
    const Shape shape = opInfo(i.op).shape;
    if (i.op == Op::Dp3 || i.op == Op::Nrm) return 0x7;
    if (i.op == Op::Dp4) return 0xF;
    if (i.op == Op::Lit) return 0xB;
    if (isTexture(shape)) {
        if (i.op == Op::Txs) return 0x1;                     // the level
        if (shape == Shape::DT2 && source == 1) return 0x1;  // the level of detail, or what is added to it
        const int count = source == 0 ? coordinateCount(i.textureTarget) : gradientCount(i.textureTarget);
        return static_cast<uint8_t>((1 << count) - 1);
    }
    if (isMemory(shape)) return shape == Shape::MS && source == 1 ? i.dst.writeMask : 0x1;
    return i.dst.file == File::P ? 0x1 : i.dst.writeMask;
}

std::string_view instructionProblem(const Instruction& instruction) {
    const char* why = problem(canonical(instruction));
    return why ? why : "";
}

Word encode(const Instruction& instruction) {
    const Instruction i = canonical(instruction);
    if (const char* why = problem(i)) checkFailed(__FILE__, __LINE__, "encodable instruction", why);
    const OpInfo& info = opInfo(i.op);
    const int sources = sourceCount(info.shape);
    Word word;
    put(word, field::kOpcode, info.opcode);
    put(word, field::kFunction, info.function);
    put(word, field::kSaturate, i.saturate);
    put(word, field::kGuard, i.guard);
    put(word, field::kGuardNegate, i.guardNegate);
    put(word, field::kType, static_cast<uint32_t>(i.type));
    if (!isTexture(info.shape)) {
        put(word, field::kSubsetWidth, i.subsetWidth);
        put(word, field::kSubsetDepth, i.subsetDepth);
        put(word, field::kSubsetOfBlock, i.subsetOfBlock);
    }
    if (hasDestination(info.shape)) {
        put(word, field::kDstFile, static_cast<uint32_t>(i.dst.file));
        put(word, field::kDstIndex, i.dst.index);
        put(word, field::kDstMask, i.dst.writeMask);
        put(word, field::kDstRelative, i.dst.relative);
    }
    for (int s = 0; s < sources; ++s) putSource(word, s, i.src[s]);
    if (info.shape == Shape::MS) put(word, field::kDstMask, i.dst.writeMask);
    if (sources > 0) put(word, field::kSnoopRow, i.snoopRow);
    const Field* wavefront = &field::kFirstWavefront;
    for (const Source& s : i.src) {
        if (!s.snoopOfBlock) continue;
        put(word, *wavefront, s.wavefront);
        if (wavefront == &field::kFirstWavefront) put(word, field::kSnoopOfBlock, 1);
        wavefront = &field::kSecondWavefront;
    }
    if (namesImmediate(i, sources) || hasOffset(info.shape)) put(word, field::kImmediate, i.immediate);
    if (isMemory(info.shape)) put(word, field::kSlot, i.slot);
    if (detail::shapeHasElementSize(info.shape)) put(word, field::kElementSize, static_cast<uint32_t>(i.elementSize));
    if (info.shape == Shape::Barrier) {
        put(word, field::kBarrier, i.barrier);
        put(word, field::kBarrierGroups, i.barrierGroups);
    }
    if (isTexture(info.shape)) {
        put(word, field::kTextureUnit, i.textureUnit);
        put(word, field::kTextureTarget, static_cast<uint32_t>(i.textureTarget));
        put(word, field::kTextureRelative, i.textureRelative);
        const Field offsets[] = {field::kTexelOffsetX, field::kTexelOffsetY, field::kTexelOffsetZ};
        for (size_t c = 0; c < 3; ++c) put(word, offsets[c], static_cast<uint32_t>(i.texelOffset[c]) & 15);
    }
    if (info.shape == Shape::Branch) {
        put(word, field::kTarget, i.target);
        put(word, field::kIterations, i.iterations);
    }
    return word;
}

std::vector<uint32_t> componentsReadInBlock(std::span<const Instruction> code) {
    std::set<uint32_t> read;
    for (const Instruction& i : code)
        for (int s = 0; s < sourceCount(opInfo(i.op).shape); ++s) {
            const Source& source = i.src[static_cast<size_t>(s)];
            if (!source.snoopOfBlock) continue;
            for (int c = 0; c < 4; ++c)
                if (componentsRead(i, s) >> c & 1)
                    read.insert(source.index * 4u + static_cast<uint32_t>(swizzleAt(source.swizzle, c)));
        }
    return {read.begin(), read.end()};
}

std::optional<Instruction> decode(Word word) {
    const uint8_t row = kDecodeTable[get(word, field::kOpcode) << 5 | get(word, field::kFunction)];
    if (row == kNoOp) return std::nullopt;
    const OpInfo& info = kOps[row];
    const int sources = sourceCount(info.shape);
    Instruction i;
    i.op = info.op;
    i.saturate = get(word, field::kSaturate) != 0;
    i.guard = static_cast<uint8_t>(get(word, field::kGuard));
    i.guardNegate = get(word, field::kGuardNegate) != 0;
    i.type = static_cast<Type>(get(word, field::kType));
    if (!isTexture(info.shape)) {
        i.subsetWidth = static_cast<uint8_t>(get(word, field::kSubsetWidth));
        i.subsetDepth = static_cast<uint8_t>(get(word, field::kSubsetDepth));
        i.subsetOfBlock = get(word, field::kSubsetOfBlock) != 0;
    }
    if (hasDestination(info.shape)) {
        i.dst.file = static_cast<File>(get(word, field::kDstFile));
        i.dst.index = static_cast<uint16_t>(get(word, field::kDstIndex));
        i.dst.writeMask = static_cast<uint8_t>(get(word, field::kDstMask));
        i.dst.relative = get(word, field::kDstRelative) != 0;
    }
    for (int s = 0; s < sources; ++s) i.src[s] = getSource(word, s);
    const bool immediate = namesImmediate(i, sources) && detail::shapeTakesImmediate(info.shape);
    if (info.shape == Shape::MS) i.dst.writeMask = static_cast<uint8_t>(get(word, field::kDstMask));
    if (isTexture(info.shape)) {
        for (Source& s : i.src) s.snoop = false;  // other fields lie there
    } else if (sources > 0) {
        i.snoopRow = static_cast<uint8_t>(get(word, field::kSnoopRow));
    }
    if (isMemory(info.shape)) i.slot = static_cast<uint8_t>(get(word, field::kSlot));
    if (detail::shapeHasElementSize(info.shape))
        i.elementSize = static_cast<ElementSize>(get(word, field::kElementSize));
    if (info.shape == Shape::Barrier) {
        i.barrier = static_cast<uint8_t>(get(word, field::kBarrier));
        i.barrierGroups = static_cast<uint8_t>(get(word, field::kBarrierGroups));
    }
    if (immediate || hasOffset(info.shape)) i.immediate = get(word, field::kImmediate);
    if (isTexture(info.shape)) {
        i.textureUnit = static_cast<uint8_t>(get(word, field::kTextureUnit));
        i.textureTarget = static_cast<TextureTarget>(get(word, field::kTextureTarget));
        i.textureRelative = get(word, field::kTextureRelative) != 0;
        const Field offsets[] = {field::kTexelOffsetX, field::kTexelOffsetY, field::kTexelOffsetZ};
        for (size_t c = 0; c < 3; ++c)
            i.texelOffset[c] = static_cast<int8_t>(static_cast<int>(get(word, offsets[c]) ^ 8) - 8);
    }
    if (info.shape == Shape::Branch) {
        i.target = static_cast<uint16_t>(get(word, field::kTarget));
        i.iterations = static_cast<uint16_t>(get(word, field::kIterations));
    }

    int wavefronts = 0;
    if (detail::shapeSnoopsBlock(info.shape) && get(word, field::kSnoopOfBlock) != 0) {
        for (Source& s : i.src) {
            if (!s.snoop) continue;
            s.snoopOfBlock = true;
            s.wavefront =
                static_cast<uint8_t>(get(word, wavefronts == 0 ? field::kFirstWavefront : field::kSecondWavefront));
            ++wavefronts;
        }
        if (wavefronts == 0) return std::nullopt;
    }

    const Word used = usedBits(info.shape, immediate, wavefronts);
    if ((word.lo & ~used.lo) || (word.hi & ~used.hi)) return std::nullopt;
    if (problem(i)) return std::nullopt;
    return i;
}

}  // namespace tessera::isa
