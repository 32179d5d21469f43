#include "shader-core/isa/isa.h"

#include <doctest/doctest.h>

#include <set>

#include "shader-core/isa/testing/random_instruction.h"

namespace tessera::isa {
namespace {

Word flipped(Word word, int bit) {
    (bit < 64 ? word.lo : word.hi) ^= uint64_t{1} << (bit & 63);
    return word;
}

TEST_CASE("decode undoes encode, for every instruction") {
    RandomInstruction random(1);
    std::set<Op> seen;
    for (int n = 0; n < 100000; ++n) {
        const Instruction i = random.next(static_cast<Op>(n % kOpCount));
        REQUIRE(instructionProblem(i) == "");
        const std::optional<Instruction> back = decode(encode(i));
        REQUIRE(back.has_value());
        REQUIRE(*back == i);
        seen.insert(i.op);
    }
    CHECK(seen.size() == kOpCount);
}

TEST_CASE("what decodes encodes to the same word") {
    // Random words hardly ever decode; words near valid ones often do.
    RandomInstruction random(2);
    int decoded = 0;
    for (int n = 0; n < 200000; ++n) {
        Word word = encode(random.next());
        for (uint32_t flips = 1 + random.below(4); flips; --flips) word = flipped(word, random.below(128));
        if (n % 4 == 0)
            word = {uint64_t{random.bits()} << 32 | random.bits(), uint64_t{random.bits()} << 32 | random.bits()};
        if (const std::optional<Instruction> i = decode(word)) {
            REQUIRE(encode(*i) == word);
            ++decoded;
        }
    }
    CHECK(decoded > 10000);
}

TEST_CASE("the word has the documented layout") {
    Instruction mad;
    mad.op = Op::Mad;
    mad.guard = 2;
    mad.dst = {File::O, 5, 0b0110, true};
    mad.src[0] = {File::V, 3, makeSwizzle(3, 2, 1, 0), true, false, false, false};
    mad.src[1] = {File::C, 300, broadcast(1), false, true, true, false};
    mad.src[2] = {File::R, 511, kSwizzleXYZW, false, false, false, true};
    const Word word = encode(mad);
    CHECK(word.lo == (uint64_t{4} | 2u << 11 | 3u << 20 | 5u << 23 | uint64_t{6} << 32 | uint64_t{1} << 36 |
                      uint64_t{1} << 37 | uint64_t{3} << 40 | uint64_t{0x1B} << 49 | uint64_t{1} << 57));
    CHECK(word.hi == (uint64_t{2} | 300u << 3 | uint64_t{0x55} << 12 | uint64_t{1} << 21 | uint64_t{1} << 22 |
                      uint64_t{511} << 27 | uint64_t{0xE4} << 36 | uint64_t{1} << 47));

    Instruction add;
    add.op = Op::Add;
    add.type = Type::I32;
    add.src[1].file = File::I;
    add.immediate = 0xDEADBEEF;
    CHECK(encode(add).lo == (uint64_t{2} | 1u << 14 | uint64_t{0xF} << 32 | uint64_t{0xE4} << 49));
    CHECK(encode(add).hi == (uint64_t{7} | uint64_t{0xE4} << 12 | uint64_t{0xDEADBEEF} << 24));

    Instruction tex;
    tex.op = Op::Tex;
    tex.textureUnit = 25;
    tex.textureTarget = TextureTarget::Cube;
    tex.textureRelative = true;
    CHECK(encode(tex).hi == (uint64_t{25} << 48 | uint64_t{1} << 53 | uint64_t{1} << 57));
    const Word still = encode(tex);
    tex.texelOffset = {-1, 2, -8};
    CHECK(encode(tex) == Word{still.lo | uint64_t{15} << 16 | uint64_t{8} << 60, still.hi | uint64_t{2} << 58});

    Instruction brk;
    brk.op = Op::Brk;
    brk.target = 0xABCD;
    CHECK(encode(brk) == Word{16 | 2 << 5, uint64_t{0xABCD} << 48});

    Instruction loop;
    loop.op = Op::Loop;
    loop.target = 3;
    loop.iterations = 0x1234;
    CHECK(encode(loop) == Word{16, uint64_t{3} << 48 | uint64_t{0x1234} << 24});

    Instruction one;
    one.op = Op::Add;
    one.subsetWidth = one.subsetDepth = 3;
    const Word ofGroup = encode(one);
    one.subsetOfBlock = true;
    CHECK(encode(one) == Word{ofGroup.lo | uint64_t{1} << 63, ofGroup.hi});

    one.src[0].snoop = one.src[1].snoop = true;
    const Word rows = encode(one);
    one.src[0].snoopOfBlock = one.src[1].snoopOfBlock = true;
    one.src[0].wavefront = 0x55;
    one.src[1].wavefront = 0x23;
    CHECK(encode(one) ==
          Word{rows.lo, rows.hi | uint64_t{1} << 63 | uint64_t{0x55} << (120 - 64) | uint64_t{0x23} << (112 - 64)});
    one.src[0].snoop = one.src[0].snoopOfBlock = false;
    one.src[0].wavefront = 0;
    CHECK((encode(one).hi >> (112 - 64)) == (uint64_t{1} << 15 | uint64_t{0x23} << 8));  // the first that snoops
}

/// Bits that no instruction of a shape may set, written out from the table at the top of isa.h.
std::set<int> reservedBits(Shape shape, bool immediate, const Instruction& instruction) {
    std::set<int> bits;
    const auto reserve = [&bits](int first, int last) {
        for (int b = first; b <= last; ++b) bits.insert(b);
    };
    if (sourceCount(shape) == 0) reserve(61, 62);
    if (isTexture(shape)) reserve(126, 127);  // the component of a gather
    switch (shape) {
        case Shape::None:
            reserve(20, 127);
            break;
        case Shape::Branch:
            reserve(20, 87);
            reserve(104, 111);
            break;
        case Shape::Barrier:
            reserve(20, 111);
            reserve(123, 127);
            break;
        case Shape::MS:
            reserve(20, 31);
            reserve(36, 36);
            reserve(127, 127);
            break;
        case Shape::DM:
            reserve(64, 87);
            reserve(127, 127);
            break;
        case Shape::DMS1:
            reserve(125, 127);
            break;
        case Shape::DMS2:
            reserve(112, 119);
            reserve(125, 127);
            break;
        case Shape::DS1:
            reserve(64, 87);
            break;
        case Shape::DS1S2:
            break;
        case Shape::DS1S2S3:
            break;
        case Shape::DT1:
            reserve(64, 111);
            break;
        case Shape::DT2:
            reserve(87, 111);
            break;
        case Shape::DT3:
            reserve(87, 87);
            reserve(111, 111);
            break;
    }
    if (shape == Shape::DS1 || shape == Shape::DS1S2) {
        if (!immediate) reserve(88, 111);
    }
    if (shape == Shape::DS1 || shape == Shape::DS1S2 || shape == Shape::DS1S2S3) {
        int snooping = 0, ofBlock = 0;
        for (const Source& s : instruction.src) snooping += s.snoop, ofBlock += s.snoopOfBlock;
        if (!immediate) reserve(119, 119);
        if (!immediate && ofBlock < 2) reserve(112, 118);
        if (ofBlock == 0) reserve(120, 126);
        if (snooping == 0) reserve(127, 127);
    }
    return bits;
}

TEST_CASE("a reserved bit makes the word invalid") {
    RandomInstruction random(3);
    for (int n = 0; n < 20000; ++n) {
        const Instruction i = random.next(static_cast<Op>(n % kOpCount));
        bool immediate = false;
        for (const Source& s : i.src) immediate |= s.file == File::I;
        for (int bit : reservedBits(opInfo(i.op).shape, immediate, i)) {
            INFO("op " << opInfo(i.op).name << " bit " << bit);
            REQUIRE(!decode(flipped(encode(i), bit)));
        }
    }
}

TEST_CASE("decode rejects what the header names") {
    const Word mov = encode(Instruction{.op = Op::Mov});
    REQUIRE(decode(mov));
    CHECK(!decode(Word{}));                                                         // no opcode 0
    CHECK(!decode(Word{mov.lo | 31u << 5, mov.hi}));                                // no such function
    CHECK(!decode(Word{mov.lo | 3u << 14, mov.hi}));                                // no type 3
    CHECK(!decode(Word{mov.lo | 1u << 13, mov.hi}));                                // guard negate without guard
    CHECK(!decode(Word{mov.lo & ~(uint64_t{0xF} << 32), mov.hi}));                  // empty write mask
    CHECK(!decode(Word{mov.lo | 2u << 20, mov.hi}));                                // destination c
    CHECK(!decode(Word{mov.lo | 7u << 20, mov.hi}));                                // destination i
    CHECK(!decode(Word{mov.lo | 4u << 20 | 1u << 23, mov.hi}));                     // a1
    CHECK(decode(Word{mov.lo | 3u << 20 | 32u << 23, mov.hi}));                     // o32
    CHECK(!decode(Word{mov.lo | 3u << 20 | 33u << 23, mov.hi}));                    // o33
    CHECK(decode(Word{mov.lo | uint64_t{1} << 37 | uint64_t{39} << 40, mov.hi}));   // v39
    CHECK(!decode(Word{mov.lo | uint64_t{1} << 37 | uint64_t{40} << 40, mov.hi}));  // v40
    CHECK(!decode(Word{mov.lo | uint64_t{5} << 37, mov.hi}));                       // source p0
    CHECK(!decode(Word{mov.lo | uint64_t{6} << 37 | uint64_t{10} << 40, mov.hi}));  // s10
    CHECK(!decode(Word{mov.lo | uint64_t{6} << 37 | uint64_t{1} << 59, mov.hi}));   // s[a0.x]
    CHECK(!decode(Word{mov.lo | uint64_t{1} << 37 | uint64_t{1} << 60, mov.hi}));   // snoop of v
    CHECK(!decode(Word{mov.lo | 1u << 10 | 1u << 14, mov.hi}));                     // saturated integer

    CHECK(instructionProblem(Instruction{.op = Op::Else, .guard = 1}) != "");
    CHECK(instructionProblem(Instruction{.op = Op::Dp3, .type = Type::I32}) != "");
    Instruction two{.op = Op::Add};
    two.src[0].file = two.src[1].file = File::I;
    CHECK(instructionProblem(two) == "at most one immediate");
    Instruction mad{.op = Op::Mad};
    mad.src[0].file = File::I;
    CHECK(instructionProblem(mad) != "");
}

TEST_CASE("lookups take no subset and do not snoop") {
    for (int op = 0; op < kOpCount; ++op) {
        Instruction lookup{.op = static_cast<Op>(op), .type = Type::I32};
        if (!isTexture(opInfo(lookup.op).shape)) continue;
        lookup.textureUnit = kMaxTextureUnits - 1;
        CHECK(instructionProblem(lookup) == "");
        CHECK(decode(encode(lookup)) == lookup);
        Instruction other = lookup;
        other.subsetDepth = 1;
        CHECK(instructionProblem(other) == "lookups take no subset");
        other = lookup;
        other.src[0].snoop = true;
        CHECK(instructionProblem(other) == "sources of lookups do not snoop");
        other = lookup;
        other.textureUnit = kMaxTextureUnits;
        CHECK(instructionProblem(other) == "texture unit out of range");
        other = lookup;
        other.texelOffset[1] = kGreatestTexelOffset + 1;
        CHECK(instructionProblem(other) == "texel offset out of range");
        const Word word = encode(lookup);
        for (uint64_t target = 0; target < 16; ++target)
            CHECK(decode(Word{word.lo, word.hi | target << (117 - 64)}).has_value() ==
                  (target <= static_cast<uint64_t>(kLastTextureTarget)));
    }
}

TEST_CASE("components that are read in the block are those of sources that snoop there, each once") {
    Instruction i;
    i.op = Op::Add;
    i.dst.writeMask = 0b0110;
    i.src[0].index = i.src[1].index = 3;
    i.src[0].snoopOfBlock = true;
    CHECK(componentsReadInBlock(std::vector{i, i}) == std::vector<uint32_t>{13, 14});
}

TEST_CASE("a mask of registers") {
    constexpr RegisterMask mask = RegisterMask::range(2, 3) | uint64_t{1} << 40;
    std::vector<int> numbers;
    for (const int number : mask) numbers.push_back(number);
    CHECK(numbers == std::vector<int>{2, 3, 4, 40});
    CHECK(mask.count() == 4);
    CHECK(mask.width() == 41);
    CHECK(mask.from(32) == 1u << 8);
    CHECK(mask.any());
    CHECK((mask & ~mask).none());
    CHECK(RegisterMask().width() == 0);
    for (const int absent : {-1, 0, 1, 5, 39, 41, 63, 64, 1 << 30}) CHECK(!mask.has(absent));
    CHECK(RegisterMask::range(0, 64) == ~RegisterMask());
    CHECK(RegisterMask::range(63, 9) == uint64_t{1} << 63);
    CHECK(RegisterMask::range(-3, 4) == 1);
    for (const RegisterMask& none :
         {RegisterMask::range(64, 1), RegisterMask::range(5, 0), RegisterMask::range(70000, 9)})
        CHECK(none.none());
    ComponentMasks components;
    components.add(39, 3);
    CHECK(components.has(39, 3));
    CHECK(!components.has(39, 2));
    CHECK(ComponentMasks::all().has(39, 2));
}

TEST_CASE("encode makes what carries no information canonical") {
    Instruction slt{.op = Op::Slt};
    slt.dst = {File::P, 1, 0xF, false};
    slt.src[1].file = File::I;
    slt.src[1].swizzle = broadcast(2);
    const std::optional<Instruction> back = decode(encode(slt));
    REQUIRE(back);
    CHECK(back->dst.writeMask == 1);
    CHECK(back->src[1].swizzle == kSwizzleXYZW);
}

TEST_CASE("rows of the table keep their numbers") {
    CHECK(opInfo(Op::Mad).mnemonic == "mad");
    CHECK(opInfo(Op::Mad).opcode == 4);
    CHECK(opInfo(Op::Txl).shape == Shape::DT2);
    CHECK(opInfo(Op::Cos).unit == Unit::Tfu);
    CHECK(opInfo(Op::Kil).set == InstructionSet::Graphics);
    CHECK(opInfo(Op::Mod).types == 0b110);
    CHECK(sourceCount(Shape::DT3) == 3);
    CHECK(!hasDestination(Shape::Branch));
}

}  // namespace
}  // namespace tessera::isa
