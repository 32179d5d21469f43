#include "shader-core/analysis/picture.h"

#include <vector>

#include <doctest/doctest.h>

#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

using namespace tessera;
using analysis::Picture;

namespace {

isa::Instruction instructionOf(isa::Op op, isa::Destination to, isa::Source a, isa::Source b = {}) {
    isa::Instruction instruction;
    instruction.op = op;
    instruction.dst = to;
    instruction.src[0] = a, instruction.src[1] = b;
    return instruction;
}

Picture pictureOfCode(const std::vector<isa::Instruction>& code) {
    isa::Program program;
    program.stage = isa::Stage::Fragment;
    for (const isa::Instruction& instruction : code) program.code.push_back(isa::encode(instruction));
    isa::deriveUsage(program);
    return analysis::pictureOf(program);
}

}  // namespace

TEST_CASE("programs that show a picture") {
    using isa::File;
    using isa::Op;
    const isa::Destination r0 = {.file = File::R}, o0 = {.file = File::O};
    const isa::Source coordinate = {.file = File::V, .index = 1, .swizzle = isa::makeSwizzle(2, 1, 1, 1)};
    const isa::Source texel = {.file = File::R}, factor = {.file = File::C, .index = 3, .swizzle = isa::broadcast(1)};
    const isa::Source color = {.file = File::V, .index = 4};
    const isa::Instruction lookup = instructionOf(Op::Tex, r0, coordinate), ret = instructionOf(Op::Ret, {}, {});

    Picture picture = pictureOfCode({lookup, instructionOf(Op::Mul, o0, factor, texel), ret});
    CHECK(picture.isLookup());
    CHECK(!picture.isCopy());
    CHECK(picture.instructions == 3);
    CHECK(picture.s == 2);
    CHECK(picture.t == 1);
    for (int c = 0; c < 4; ++c)
        CHECK(picture.channel[c] ==
              Picture::Channel{.texel = static_cast<int8_t>(c), .factor = Picture::Factor::Constant, .at = 13});

    picture = pictureOfCode({lookup, instructionOf(Op::Mul, o0, texel, color), ret});
    CHECK(picture.instructions == 3);
    CHECK(picture.channel[3] == Picture::Channel{.texel = 3, .factor = Picture::Factor::Varying, .at = 7});

    CHECK(pictureOfCode({instructionOf(Op::Tex, o0, coordinate), ret}).instructions == 2);
    const isa::Destination alpha = {.file = File::O, .writeMask = 8}, rest = {.file = File::O, .writeMask = 7};
    picture = pictureOfCode(
        {lookup, instructionOf(Op::Mov, rest, factor), instructionOf(Op::Mul, alpha, texel, factor), ret});
    CHECK(picture.channel[0] == Picture::Channel{.factor = Picture::Factor::Constant, .at = 13});
    CHECK(picture.channel[3].texel == 3);

    const auto isNone = [](const std::vector<isa::Instruction>& code) { return pictureOfCode(code).instructions == 0; };
    CHECK(isNone({lookup, instructionOf(Op::Add, o0, texel, factor), ret}));
    CHECK(isNone({lookup, instructionOf(Op::Mul, o0, texel, texel), ret}));
    CHECK(isNone({lookup, instructionOf(Op::Mul, rest, texel, factor), ret}));
    CHECK(isNone({lookup, lookup, instructionOf(Op::Mov, o0, texel), ret}));
    CHECK(isNone({instructionOf(Op::Mul, r0, coordinate, factor), instructionOf(Op::Tex, o0, texel), ret}));
    isa::Instruction clamped = instructionOf(Op::Tex, o0, coordinate);
    clamped.saturate = true;
    CHECK(isNone({clamped, ret}));
    isa::Instruction cube = instructionOf(Op::Tex, o0, coordinate);
    cube.textureTarget = isa::TextureTarget::Cube;
    CHECK(isNone({cube, ret}));
    isa::Source negative = texel;
    negative.negate = true;
    CHECK(isNone({lookup, instructionOf(Op::Mul, o0, negative, factor), ret}));
}

TEST_CASE("programs that write varyings as they are") {
    using isa::File;
    using isa::Op;
    const isa::Destination o0 = {.file = File::O}, alpha = {.file = File::O, .writeMask = 8};
    const isa::Destination rest = {.file = File::O, .writeMask = 7}, o1 = {.file = File::O, .index = 1};
    const isa::Source constant = {.file = File::C, .index = 3, .swizzle = isa::broadcast(1)};
    const isa::Source color = {.file = File::V, .index = 4}, other = {.file = File::V, .index = 1};
    const isa::Instruction ret = instructionOf(Op::Ret, {}, {});

    Picture copy = pictureOfCode({instructionOf(Op::Mov, o0, color), ret});
    CHECK(copy.isCopy());
    CHECK(!copy.isLookup());
    CHECK(copy.instructions == 2);
    for (uint32_t c = 0; c < 4; ++c)
        CHECK(copy.channel[c] == Picture::Channel{.factor = Picture::Factor::Varying, .at = c});

    copy = pictureOfCode({instructionOf(Op::Mov, rest, color), instructionOf(Op::Mov, alpha, other), ret});
    CHECK(copy.isCopy());
    CHECK(copy.channel[2] == Picture::Channel{.factor = Picture::Factor::Varying, .at = 6});
    CHECK(copy.channel[3] == Picture::Channel{.factor = Picture::Factor::Varying, .at = 3});
    copy = pictureOfCode({instructionOf(Op::Mov, rest, color), instructionOf(Op::Mov, alpha, constant), ret});
    CHECK(copy.isCopy());
    CHECK(copy.channel[3] == Picture::Channel{.factor = Picture::Factor::Constant, .at = 13});

    const auto isNone = [](const std::vector<isa::Instruction>& code) { return !pictureOfCode(code).isCopy(); };
    CHECK(isNone({instructionOf(Op::Mov, o0, constant), ret}));
    CHECK(isNone({instructionOf(Op::Mov, rest, color), ret}));
    CHECK(isNone({instructionOf(Op::Mov, o0, color), instructionOf(Op::Mov, o1, color), ret}));
    CHECK(isNone({instructionOf(Op::Mul, o0, color, constant), ret}));
    CHECK(isNone({instructionOf(Op::Mov, o0, {.file = File::V, .index = isa::kInLastColor0}), ret}));
    isa::Source negative = color;
    negative.negate = true;
    CHECK(isNone({instructionOf(Op::Mov, o0, negative), ret}));
}
