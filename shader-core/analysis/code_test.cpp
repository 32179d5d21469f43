// What small programs are found to be: routines, divergence, liveness, nests, and the facts of a stage.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "shader-core/analysis/liveness.h"
#include "shader-core/analysis/nests.h"
#include "shader-core/analysis/routines.h"
#include "shader-core/analysis/stage_facts.h"
#include "shader-core/analysis/webs.h"
#include "shader-core/asm/assembler.h"
#include "shader-core/isa/executor.h"

using namespace tessera;
using namespace tessera::analysis;
using isa::File;

namespace {

isa::Program assembled(const std::string& body, const std::string& stage = "fragment") {
    assembly::AssembleResult result = assembly::assemble(
        "." + stage + "\n.input v0 a vec4\n.input v1 b vec4\n.uniform c0 u vec4\n" + body + "ret\n", "test");
    REQUIRE_MESSAGE(result.program.has_value(), body);
    REQUIRE(isa::verify(*result.program) == "");
    return *result.program;
}

/// The main program, then subroutines.
const std::string kCalls =
    "mul r0, v0, v1\n"        // 0
    "sge p1, r0.x, c0.x\n"    // 1
    "(p1) call half\n"        // 2
    "call half\n"             // 3
    "mov o0, r0\n"            // 4
    "ret\n"                   // 5
    "half: mul r0, r0, r1\n"  // 6
    "slt p2, r0.x, v0.y\n"    // 7
    "(p2) ret\n"              // 8
    "call quarter\n"          // 9
    "ret\n"                   // 10
    "quarter: mov r1, r2\n";  // 11, and 12

struct Live {
    explicit Live(const isa::Program& program)
        : facts(findFacts(program)), numbers(facts), liveness(facts, numbers, program.outputMask) {}
    [[nodiscard]] bool at(size_t at, File file, unsigned index, unsigned component = 0) const {
        const uint32_t number = numbers.of(file, index, component);
        return number != ComponentNumbers::kNone && liveness.isLive(at, number);
    }
    [[nodiscard]] bool keeps(size_t at, unsigned temporary) const {
        return liveness.keepsOthers(at, numbers.of(File::R, temporary, 0));
    }
    [[nodiscard]] bool isNumeric(unsigned temporary) const {
        return liveness.isNumeric(numbers.of(File::R, temporary, 0));
    }
    const Facts facts;
    const ComponentNumbers numbers;
    const Liveness liveness;
};

}  // namespace

TEST_CASE("routines end with an unguarded ret outside of ifs and loops") {
    const std::vector<isa::Instruction> code = decodedCode(assembled(kCalls));
    const std::vector<Routine> routines = findRoutines(code);
    REQUIRE(routines.size() == 3);
    CHECK(routines[1].first == 6);
    CHECK(routines[1].last == 10);
    for (const size_t at : {6, 8, 10}) CHECK(routineOf(routines, at) == 1);
    CHECK(routineOf(routines, 5) == 0);
    CHECK(routineOf(routines, 12) == 2);
    CHECK(expandedSize(code) == 6 + 2 * (5 + 2));
    CHECK_FALSE(hasLoops(assembled(kCalls)));
    CHECK(hasLoops(assembled("loop\nslt p1, v0.x, v1.x\n(p1) brk\nendloop\nmov o0, v0\n")));
}

TEST_CASE("lanes diverge behind what some of them leave, and are together again where all meet") {
    const Facts facts =
        findFacts(assembled("slt p1, v0.x, v1.x\n"  // 0
                            "slt p2, c0.x, c0.y\n"  // 1
                            "(p2) if\n"             // 2
                            "mov r0, v0\n"          // 3
                            "endif\n"               // 4
                            "(p1) if\n"             // 5
                            "mov r0, v1\n"          // 6
                            "endif\n"               // 7
                            "mov o0, r0\n"));       // 8
    CHECK(facts.refusal == "");
    CHECK(facts.at[2].uniformGuard);
    CHECK_FALSE(facts.at[3].divergent);
    CHECK_FALSE(facts.at[5].uniformGuard);
    CHECK(facts.at[6].divergent);
    CHECK_FALSE(facts.at[8].divergent);
    const Facts calls = findFacts(assembled(kCalls));
    CHECK(calls.at[6].divergent);  // some lanes call
    CHECK(calls.at[12].divergent);
    CHECK_FALSE(calls.at[4].divergent);
}

TEST_CASE("lanes that go on with the next round are missing behind that") {
    const Facts facts =
        findFacts(assembled("slt p1, v0.x, v1.x\n"  // 0
                            "slt p2, c0.x, c0.y\n"  // 1
                            "loop\n"                // 2
                            "mul r0, v0, v1\n"      // 3
                            "(p1) cont\n"           // 4
                            "mov r1, v1\n"          // 5
                            "(p2) brk\n"            // 6
                            "endloop\n"             // 7
                            "mov o0, r0\n"));       // 8
    CHECK(facts.at[5].divergent);
    CHECK(facts.at[6].divergent);
    CHECK_FALSE(facts.at[8].divergent);
}

TEST_CASE("a constant is the same in all lanes, unless it is found by an address that is not") {
    const auto isUniform = [](const std::string& address, const std::string& constant) {
        return findFacts(assembled("mov.i32 a0.x, " + address + "\nslt p1, " + constant + ", c0.y\n(p1) mov o0, v0\n"))
            .at[2]
            .uniformGuard;
    };
    CHECK(isUniform("v0.x", "c0.x"));
    CHECK(isUniform("c0.x", "c[a0.x].x"));
    CHECK_FALSE(isUniform("v0.x", "c[a0.x].x"));
}

TEST_CASE("what is live follows lanes into what they call, and out of it behind every call") {
    const Live live(assembled(kCalls));
    CHECK(live.at(0, File::R, 1));  // read by the first instruction of half
    CHECK(live.at(0, File::R, 2));  // and by quarter, which half calls
    CHECK(live.at(4, File::R, 0));
    CHECK_FALSE(live.at(4, File::R, 1));
    CHECK(live.at(11, File::R, 0));  // behind the calls of half
    CHECK(live.at(12, File::R, 1));  // the first of which is followed by another
    CHECK_FALSE(live.at(0, File::R, 0));
    // Lanes that do not call half wait for those that do, and read r0 behind it.
    CHECK(live.keeps(6, 0));
}

TEST_CASE("lanes that wait need what they will read, and nothing else") {
    const Live live(
        assembled("mul r0, v0, v1\n"      // 0
                  "mov r1, v1\n"          // 1
                  "slt p1, v0.x, v1.x\n"  // 2
                  "(p1) if\n"             // 3
                  "mul r0, v0, r1\n"      // 4
                  "mul r2, r0, r0\n"      // 5
                  "mul r0, r2, r2\n"      // 6
                  "endif\n"               // 7
                  "mov o0, r0\n"));       // 8
    CHECK(live.keeps(6, 0));
    CHECK_FALSE(live.keeps(5, 2));
    CHECK_FALSE(live.at(7, File::R, 2));
    CHECK_FALSE(live.at(4, File::R, 0));
}

TEST_CASE("a register is split where its lanes are all written anew, unless the whole program says otherwise") {
    using Code = std::vector<isa::Instruction>;
    struct Row {
        const char* what;
        void (*change)(Code&);
        bool isOne;  ///< what the first instruction writes is in one web with what the last one reads
    };
    const Row rows[] = {
        {"nothing", [](Code&) {}, false},
        {"a guard", [](Code& code) { code[2].guard = 1; }, true},
        {"fewer lanes", [](Code& code) { code[2].subsetWidth = 1; }, true},
        {"fewer rows", [](Code& code) { code[2].subsetDepth = 1; }, true},
        {"a call", [](Code& code) { code[1].op = isa::Op::Call; }, true},
        {"another group's registers", [](Code& code) { code[1].src[0].snoop = true; }, true},
    };
    const Code plain = findFacts(assembled("mov r0, v0\n"    // 0
                                           "mov r1, v1\n"    // 1
                                           "mov r0, v1\n"    // 2
                                           "mov o0, r0\n"))  // 3
                           .code;
    const auto isOne = [](const Code& code, bool whole) {
        const Webs webs(code, 2, whole);
        return webs.of(0, 0, 0, true) == webs.of(3, 0, 0, false);
    };
    for (const Row& row : rows) {
        CAPTURE(row.what);
        Code code = plain;
        row.change(code);
        CHECK(isOne(code, false) == row.isOne);
        CHECK(isOne(code, true));
    }
}

TEST_CASE("webs of loops in loops are found in a time that does not double with each, as a lane goes round them") {
    constexpr size_t kLoops = 40;
    std::string body = "mov r0, v0\nmov r1, v1\n";
    for (size_t k = 0; k < kLoops; ++k) body += "loop\nadd r2, r0, r1\nslt p1, r2.x, v0.y\n(p1) brk\nmov r1, v0\n";
    for (size_t k = 0; k < kLoops; ++k) body += "endloop\n";
    const Webs webs(findFacts(assembled(body + "mov o0, r2\n")).code, 3, false);
    constexpr size_t kFirst = 3, kLength = 5, kInner = kFirst + (kLoops - 1) * kLength;
    // The innermost loop's is the next one's, when it begins again, and that of any loop around it.
    CHECK(webs.of(kInner + 3, 1, 0, true) == webs.of(kInner, 1, 0, false));
    CHECK(webs.of(kInner + 3, 1, 0, true) == webs.of(kFirst, 1, 0, false));
    CHECK(webs.of(1, 1, 0, true) == webs.of(kFirst, 1, 0, false));
    CHECK(webs.of(0, 0, 0, true) == webs.of(kInner, 0, 0, false));
    CHECK(webs.of(0, 0, 0, true) != webs.of(1, 1, 0, true));
    CHECK_FALSE(webs.startsAsZero(webs.of(1, 1, 0, true)));
}

TEST_CASE("a relative operand may read any register of its file, and write none") {
    const Live live(
        assembled("mov.i32 a0.x, v1.x\n"       // 0
                  "mov r0, v0\n"               // 1
                  "mov r1, v1\n"               // 2
                  "mov r2, v1\n"               // 3
                  "mov r[a0.x + 1].x, v0\n"    // 4
                  "mov o0, r[a0.x].xxxy\n"));  // 5
    for (const unsigned temporary : {0u, 1u, 2u})
        for (const size_t at : {4, 5}) {
            CHECK(live.at(at, File::R, temporary, 1));
            CHECK_FALSE(live.at(at, File::R, temporary, 2));
        }
    CHECK(live.at(4, File::A, 0));
    CHECK_FALSE(live.at(6, File::A, 0));
    CHECK(live.numbers.of(File::R, 2, 3) == live.numbers.of(File::R, 0, 0) + 11);
}

TEST_CASE("where bits are looked at that may be those of another NaN, computed ones are the canonical one") {
    const Live live(
        assembled("slt p1, v0.x, v1.x\n"
                  "mul r0, v0, v1\n"  // arithmetic alone
                  "add r1, r0, v1\n"
                  "xor.i32 r3, r1, v0\n"  // who looks knows that the NaN was computed
                  "add r2, r0, v1\n"
                  "(p1) mov r2, v0\n"  // has a NaN of the application
                  "xor.i32 r3, r2, r3\n"
                  "mov o0, r3\n"));
    CHECK(live.isNumeric(0));
    CHECK(live.isNumeric(1));
    CHECK_FALSE(live.isNumeric(2));
}

TEST_CASE("rungs of a ladder are jumped over, a few of them are not, nor what neighbours look at") {
    const auto jumps = [](const std::string& rung, int rungs) {
        std::string text;
        for (int i = 0; i < rungs; ++i) text += "seq p1, v0.x, " + std::to_string(i) + ".0\n" + rung;
        const Facts facts = findFacts(assembled(text + "mov o0, r0\n"));
        std::vector<uint32_t> lengths;
        for (size_t n = 0; n < facts.at.size(); ++n)
            if (facts.at[n].jumpTo != 0) lengths.push_back(facts.at[n].jumpTo - static_cast<uint32_t>(n));
        CHECK(facts.pairs == lengths.empty());
        return lengths;
    };
    const std::string rung = "(p1) mul r1, r0.wxyz, 0.5\n(p1) add r0, r1, 0.25\n";
    CHECK(jumps(rung, 8) == std::vector<uint32_t>(8, 2));
    CHECK(jumps(rung, 7).empty());
    CHECK(jumps("(p1) mul r0, r0, 0.5\n", 8) == std::vector<uint32_t>(8, 1));
    CHECK(jumps("(p1) mul r0.xyz, r0, 0.5\n", 8).empty());
    CHECK(jumps("(p1) mov r0, v0\n", 8).empty());
    CHECK(jumps("(p1) mul r0, r0, 0.5\n(!p1) mul r1, r0, 0.5\n", 8) == std::vector<uint32_t>(16, 1));
    CHECK(jumps("(p1) mul r0, r0, 0.5\n(p1) ddx r1, r0\n(p1) mul r0, r1, 0.5\n", 4) == std::vector<uint32_t>(8, 1));
    CHECK(jumps("(p1) mul r0, r0, 0.5\n(p1) slt p1, r0.x, 0.5\n(p1) mul r0, r0, 0.5\n", 4) ==
          std::vector<uint32_t>(8, 1));
}

TEST_CASE("nests say where lanes wait and whether some leave for good") {
    const Facts facts =
        findFacts(assembled("slt p1, v0.x, v1.x\n"  // 0
                            "slt p2, c0.x, c0.y\n"  // 1
                            "(p2) if\n"             // 2: plain
                            "loop\n"                // 3
                            "(p1) if\n"             // 4: lanes leave it by brk
                            "mul r0, v0, v1\n"      // 5
                            "brk\n"                 // 6
                            "else\n"                // 7
                            "(p1) if\n"             // 8
                            "mov r0, v0\n"          // 9
                            "endif\n"               // 10
                            "endif\n"               // 11
                            "endloop\n"             // 12
                            "endif\n"               // 13
                            "mov o0, r0\n"));       // 14
    const Nests nests = findNests(facts);
    REQUIRE(nests.all.size() == 4);
    CHECK(nests.all[0].isPlain);
    CHECK(nests.all[0].end == 13);
    CHECK(nests.all[1].isLoop);
    CHECK_FALSE(nests.all[1].lanesLeave);  // those wait at its end
    CHECK(nests.all[2].lanesLeave);
    CHECK(nests.all[2].hasElse);
    CHECK_FALSE(nests.all[3].lanesLeave);
    CHECK(nests.innermost[7] == 2);
    CHECK(nests.innermost[9] == 3);
    CHECK(nests.innermost[14] == Nests::kNone);
    CHECK(nests.loopOf(6) == 1);
    CHECK(nests.meeting(2) == 2);
    CHECK(nests.meeting(0) == Nests::kNone);
    CHECK(nests.meeting(nests.all[2].around) == 1);
}

TEST_CASE("a stage's facts are those that linking asks for") {
    const StageFacts copy = factsOfStage(assembled("mov o0, v0\n"));
    CHECK_FALSE(copy.mayOverrun);
    CHECK_FALSE(copy.derivesInLoops);
    CHECK(copy.picture.isCopy());
    CHECK(copy.positions == nullptr);
    const StageFacts derives =
        factsOfStage(assembled("loop\nddx r0, v0\nslt p1, r0.x, v1.x\n(p1) brk\nendloop\nmov o0, r0\n"));
    CHECK(derives.mayOverrun);
    CHECK(derives.derivesInLoops);
    CHECK_FALSE(factsOfStage(assembled("ddx r0, v0\nmov o0, r0\n")).derivesInLoops);
    CHECK(factsOfStage(assembled("and.u32 r0.x, point_coord.z, 255\ni2f.u32 o0, r0.x\n")).readsSample);
    CHECK_FALSE(factsOfStage(assembled("and.u32 r0.x, point_coord.w, 255\ni2f.u32 o0, r0.x\n")).readsSample);
    CHECK_FALSE(factsOfStage(assembled("mov o0.xy, point_coord\n")).readsSample);
    const std::string lit = "mov o0, v0\nmov o2, v1\nadd o2, v1, c0\nmul o2, v1, v1\n";
    const StageFacts vertex = factsOfStage(assembled(".output o2 c vec4\n" + lit, "vertex"));
    REQUIRE(vertex.positions != nullptr);
    CHECK(vertex.positions->code.size() == 2);
}
