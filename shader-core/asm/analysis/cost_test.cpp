#include "shader-core/asm/analysis/cost.h"

#include <doctest/doctest.h>

#include "shader-core/asm/assembler.h"

namespace tessera::assembly {
namespace {

Cost costOf(const std::string& text) {
    const AssembleResult result = assemble(".fragment\n" + text, "t");
    REQUIRE_MESSAGE(result.program, result.log());
    return cost(*result.program);
}

// Latencies: arithmetic and control 4, transcendental 8, lighting 12, texture 32.

TEST_CASE("a machine's latencies are handed in") {
    const AssembleResult result = assemble(".fragment\nmov r0, v0\nrcp r1, r0\nmov o0, r1\nret", "t");
    REQUIRE_MESSAGE(result.program, result.log());
    Latencies latencies = staticLatencies();
    CHECK(cost(*result.program, latencies).longest == 4 + 8 + 4 + 4);
    latencies[static_cast<size_t>(isa::Op::Rcp)] = 1000;
    const Cost c = cost(*result.program, latencies);
    CHECK(c.longest == 4 + 1000 + 4 + 4);
    CHECK(c.unitCycles[static_cast<size_t>(isa::Unit::Tfu)] == 1000);
    CHECK(c.bound == isa::Unit::Tfu);
}

TEST_CASE("straight code adds up") {
    const Cost c = costOf("mov r0, v0\nrcp r1, r0\nnrm r2, r1\ntex r3, r2, t0, 2d\nmov o0, r3\nret");
    CHECK(c.instructions == 6);
    CHECK(c.perUnit == std::array<int, kUnits>{2, 1, 1, 1, 1});
    CHECK(c.longest == 4 + 8 + 12 + 32 + 4 + 4);
    CHECK(c.shortest == c.longest);
    CHECK(c.bound == isa::Unit::Texture);
    CHECK(c.lookups == 1);
    CHECK(c.temporaries == 4);
}

TEST_CASE("branches have a shorter and a longer side") {
    const Cost c = costOf("slt p1, v0, v1\n(p1) if\nmov r0, v0\nelse\nnrm r0, v0\nnrm r0, r0\nendif\nmov o0, r0\nret");
    CHECK(c.shortest == 4 + 4 + 4 + 4 + 4 + 4 + 4);   // slt if mov else endif mov ret
    CHECK(c.longest == 4 + 4 + 12 + 12 + 4 + 4 + 4);  // slt if nrm nrm endif mov ret
    CHECK(c.unitCycles == std::array<int64_t, kUnits>{8, 0, 24, 0, 12});
    CHECK(c.bound == isa::Unit::Light);
    CHECK(costOf("slt p1, v0, v1\n(p1) if\nmov r0, v0\nendif\nret").shortest == 16);
}

TEST_CASE("a loop counts once, and is left at the first brk") {
    const Cost c = costOf("loop\nslt p1, v0, v1\n(p1) brk\nrcp r0, r0\nendloop\nmov o0, r0\nret");
    CHECK(c.loops == 1);
    CHECK(c.shortest == 4 + 4 + 4 + 4 + 4);
    CHECK(c.longest == 4 + 4 + 4 + 8 + 4 + 4 + 4);
}

TEST_CASE("compute programs have units of their own") {
    const AssembleResult result =
        assemble(".compute\n.buffer b0 data\nld r0, b0[r1.x]\nsum r0, r0\nst b0[r1.x], r0\nret", "t");
    REQUIRE_MESSAGE(result.program, result.log());
    const Cost c = cost(*result.program);
    CHECK(c.perUnit == std::array<int, kUnits>{0, 0, 0, 0, 1, 2, 1});
    CHECK(c.bound == isa::Unit::Memory);
    CHECK(c.longest == 16 + 20 + 4 + 4);
}

TEST_CASE("kil and a guarded ret can end the shortest path; calls add their subroutine") {
    CHECK(costOf("slt p1, v0, v1\n(p1) kil\nrcp o0, v0\nret").shortest == 8);
    CHECK(costOf("slt p1, v0, v1\n(p1) ret\nrcp o0, v0\nret").longest == 4 + 4 + 8 + 4);
    const Cost c = costOf("call f\n(p1) call f\nret\nf: rcp o0, v0\nret");
    CHECK(c.longest == 4 + 12 + 4 + 12 + 4);
    CHECK(c.shortest == 4 + 12 + 4 + 4);
}

TEST_CASE("a routine ends behind all its ifs and loops, also those that hold a ret") {
    struct Row {
        const char* before;
        int shortest, longest;
    };
    constexpr int kRest = 4 + 12 + 4;  // call, what f does, ret
    for (const Row& row : {Row{"(p1) if\nret\nendif\n", 4 + 4, 4 + 4 + kRest},
                           Row{"(p1) if\nmov r0, v0\nelse\nmov r0, v1\nendif\n", 4 + 4 + 4 + kRest, 16 + kRest},
                           Row{"loop\n(p1) brk\n(p2) ret\nendloop\n", 4 + 4 + 4, 4 + 4 + 4 + 4 + kRest}}) {
        CAPTURE(row.before);
        const Cost c = costOf(std::string(row.before) + "call f\nret\nf: rcp o0, v0\nret");
        CHECK(c.shortest == row.shortest);
        CHECK(c.longest == row.longest);
    }
}

}  // namespace
}  // namespace tessera::assembly
