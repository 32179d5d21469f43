#include "shader-core/debug/replay/block_variable.h"

#include <bit>

#include "shader-core/debug/expression.h"
#include "shader-core/debug/replay/replay.h"
#include "shader-core/debug/testing/groups.h"

namespace tessera::debug {
namespace {

/// Of three blocks, two of them instances of one; the text says what these are called. Registers hold their numbers.
Group groupOfBlocks() {
    Group group = groupOf(".vertex\n    mov o0, c20\n    ret\n", 0x1);
    auto program = std::make_shared<isa::Program>(*group.program);
    program->source =
        "uniform Lamps{ Lamp lamp[2]; int count; } /* not this */;\n"
        "uniform Lamp { bool on; mat3x2 turn; uint bits[2]; } lamps [2];\nuniform Eye { vec3 eye; float near; };";
    const auto members = [](const std::string& prefix) {
        std::vector<isa::BlockMember> list(3);
        list[0] = {.name = prefix + "on", .type = isa::VarType::Bool, .offset = 0};
        list[1] = {.name = prefix + "turn", .type = isa::VarType::Mat3x2, .offset = 16, .matrixStride = 16};
        list[1].rowMajor = true;
        list[2] = {
            .name = prefix + "bits", .type = isa::VarType::UInt, .arraySize = 2, .offset = 48, .arrayStride = 16};
        return list;
    };
    program->blocks = {{"Lamp[0]", 0, 0, 80, true, members("Lamp.")},
                       {"Lamp[1]", 4, 5, 80, true, members("Lamp.")},
                       {"Eye",
                        10,
                        1,
                        16,
                        true,
                        {{.name = "eye", .type = isa::VarType::Vec3, .offset = 0},
                         {.name = "near", .type = isa::VarType::Float, .offset = 12}}}};
    program->constantCount = 21;
    group.constants.assign(21, {0.0f, 0.25f, 0.5f, 0.75f});
    for (size_t reg = 0; reg < 21; ++reg)
        for (float& component : group.constants[reg]) component += static_cast<float>(reg);
    group.constants[7][0] = std::bit_cast<float>(0xFFFFFFFFu);
    group.constants[4][0] = std::bit_cast<float>(2);
    group.program = std::move(program);
    return group;
}

std::string valueOf(const Replay& replay, std::string_view text) {
    std::string error;
    const auto expression = Expression::parse(text, error);
    if (!expression) return error;
    const auto value = expression->evaluate(Moment(replay.group(), replay.state()), 0, error);
    return value ? valueText(*value) : error;
}

TEST_CASE("members of blocks are variables by the source's names and by OpenGL's") {
    const Replay replay(groupOfBlocks());
    CHECK(valueOf(replay, "eye") == "10.0 10.25 10.5");
    CHECK(valueOf(replay, "eye.zy") == "10.5 10.25");
    CHECK(valueOf(replay, "near * 2") == "21.5");
    CHECK(valueOf(replay, "lamps[1].turn[2]") == "5.5 6.5");
    CHECK(valueOf(replay, "Lamp[1].turn") == "(5.0 6.0) (5.25 6.25) (5.5 6.5)");
    CHECK(valueOf(replay, "lamps[1].bits[0]") == "4294967295");
    CHECK(valueOf(replay, "lamps[1].on") == "true");
    CHECK(valueOf(replay, "lamps[1].on == true") == "true");
    CHECK(valueOf(replay, "lamps[0].on") == "index 0 is outside of the elements of 'lamps' that the program has: 1");
    // A block that nothing reads has no registers, and what no source says is no name.
    for (const char* none : {"lamps.on", "Lamps.count", "count", "Eye.eye", "nothing[2].on", "Lamps[0].count"})
        CHECK_MESSAGE(valueOf(replay, none).find("no variable") != std::string::npos, none, valueOf(replay, none));
}

TEST_CASE("elements, columns and components are those that there are") {
    const Replay replay(groupOfBlocks());
    CHECK(valueOf(replay, "lamps[1].bits[1]") == "1090519040");
    CHECK(valueOf(replay, "eye[2]") == "10.5");
    for (const std::string name : {"lamps[1].bits[2]", "lamps[1].turn[3]", "eye[3]", "near[0]"})
        CHECK(valueOf(replay, name) == std::string("there is no element ") + name[name.size() - 2]);
    for (const std::string name : {"lamps[1].bits", "lamps[1].turn", "eye", "near"})
        CHECK(valueOf(replay, name + "[-1]") == "there is no element -1");
}

TEST_CASE("a member that lies beyond its block is none") {
    Group group = groupOfBlocks();
    auto program = std::make_shared<isa::Program>(*group.program);
    program->blocks[2].members[0].offset = 8;
    program->blocks[2].members[1].arraySize = 0xFFFF, program->blocks[2].members[1].arrayStride = 16;
    program->blocks[1].members[1].offset = UINT32_MAX;
    group.program = std::move(program);
    const Replay replay(std::move(group));
    for (const char* none : {"eye", "near", "lamps[1].turn"})
        CHECK_MESSAGE(valueOf(replay, none).find("no variable") != std::string::npos, none, valueOf(replay, none));
}

}  // namespace
}  // namespace tessera::debug
