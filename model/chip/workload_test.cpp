#include "model/chip/workload.h"

#include <doctest/doctest.h>

#include <random>
#include <span>
#include <string>

#include "model/chip/trace.h"
#include "model/chip/workload_file.h"
#include "shader-core/interp/testing/random_program.h"

using namespace tessera;
using namespace tessera::model;

namespace {

/// Everything that a group executes; stops nothing.
class Follower final : public interp::Observer {
public:
    explicit Follower(const std::vector<isa::Instruction>& code) : tracer_(code) {}
    bool before(const interp::Step& step) override {
        trace.push_back(tracer_.follow(step));
        return true;
    }
    std::vector<Executed> trace;

private:
    Tracer tracer_;
};

constexpr uint64_t kBudget = 4000;  ///< a random program may go round for long

/// Nothing when the group needs more than its budget.
std::vector<Executed> traceOf(const isa::Routine& routine, const std::vector<isa::Instruction>& code,
                              interp::TestGroup group, uint32_t lanes) {
    Follower follower(code);
    group.run.inputs = group.inputs;
    group.run.outputs = group.outputs;
    group.run.specials = group.specials;
    group.run.constants = reinterpret_cast<const float(*)[4]>(group.constants.data());
    group.run.activeMask = lanes;
    group.run.budget = kBudget;
    interp::runObserved(routine, group.run, follower);
    return group.run.budgetExceeded ? std::vector<Executed>() : std::move(follower.trace);
}

interp::TestGroup randomGroup(std::mt19937& random) {
    interp::TestGroup group;
    for (isa::GroupRegister& input : group.inputs)
        for (int component = 0; component < 4; ++component)
            for (int lane = 0; lane < isa::kGroupSize; ++lane)
                interp::TestGroup::set(input, component, lane,
                                       random() % 2 != 0 ? static_cast<uint32_t>(random()) : random() % 8);
    return group;
}

/// One draw of a primitive with a block, a vertex batch, a transfer and the end of the frame.
Workload smallWorkload() {
    const auto program = [](isa::Stage stage) {
        return ProgramUse{interp::makeProgram({interp::control(isa::Op::Ret)}, stage), "program", 0};
    };
    Workload w;
    w.programs = {program(isa::Stage::Vertex), program(isa::Stage::Fragment), program(isa::Stage::Compute)};
    w.executed = {{.pc = 0, .lanes = 7, .accesses = {0, 1}}, {.pc = 0, .lanes = 0xFF}, {.pc = 0, .lanes = ~0u}};
    w.accesses = {{.address = 64}};
    w.lines = {0, 64};
    w.batches = {{.lanes = 7, .trace = {0, 1}, .fetches = {0, 2}}};
    w.blocks = {{.x = 1, .y = 2, .covered = 0xFFFF, .early = 0xFF, .written = 0xF, .trace = {1, 1}}};
    w.primitives = {{.batch = {0, 0, 0}, .scanned = 3, .blocks = {0, 1}}};
    w.draws = {{.vertexProgram = 0, .fragmentProgram = 1, .batches = {0, 1}, .primitives = {0, 1}}};
    w.transfers = {{"clear", 0, 1024}};
    w.groups = {{.lanes = ~0u, .trace = {2, 1}}};
    w.threadBlocks = {{{0, 1}}};
    w.launches = {{.program = 2, .threadsPerBlock = 32, .blocks = {0, 1}}};
    w.commands = {{CommandWork::Kind::Transfer, 0},
                  {CommandWork::Kind::Draw, 0},
                  {CommandWork::Kind::Launch, 0},
                  {CommandWork::Kind::EndFrame, 1}};
    return w;
}

}  // namespace

TEST_CASE("two blocks' traces merge into what the interpreter executes for both") {
    const std::shared_ptr<isa::Executor> interpreter = interp::makeInterpreter();
    std::mt19937 random(5);
    int parted = 0;
    for (uint32_t seed = 0; seed < 400; ++seed) {
        std::vector<isa::Instruction> code = interp::RandomProgram(seed).program();
        // Lanes that are discarded go on beside another block's, as helpers: whose trace shows them depends on who
        // shares the group.
        for (isa::Instruction& instruction : code)
            if (instruction.op == isa::Op::Kil) instruction.op = isa::Op::Ret;
        const auto program = interp::makeProgram(code, isa::Stage::Fragment, interp::RandomProgram::kAllTemps,
                                                 interp::RandomProgram::kConstants);
        const auto routine = interpreter->prepare(program);
        const std::vector<isa::Instruction> words = decodeAll(*program);
        const interp::TestGroup group = randomGroup(random);
        const std::vector<Executed> whole = traceOf(*routine, words, group, ~0u);
        std::vector<Executed> half[2] = {traceOf(*routine, words, group, 0xFFFF),
                                         traceOf(*routine, words, group, 0xFFFF0000)};
        for (Executed& executed : half[1]) executed.lanes >>= 16;
        if (half[0].empty() || half[1].empty() || whole.empty()) continue;
        const std::vector<MergedExecuted> merged = mergeTraces(half[0], half[1]);
        CAPTURE(seed);
        REQUIRE(merged.size() == whole.size());
        bool same = true;
        for (size_t i = 0; i < whole.size(); ++i) {
            same &= merged[i].pc == whole[i].pc && merged[i].lanes == whole[i].lanes;
            parted += merged[i].half[0] == nullptr || merged[i].half[1] == nullptr;
        }
        REQUIRE(same);
    }
    CHECK(parted > 1000);
}

TEST_CASE("all that a workload says is in its file") {
    const struct {
        const char* what;
        void (*change)(Workload&);
    } changes[] = {
        {"width", [](Workload& w) { ++w.width; }},
        {"height", [](Workload& w) { ++w.height; }},
        {"commands[0].item", [](Workload& w) { ++w.commands[0].item; }},
        {"programs[0].temporaries", [](Workload& w) { ++w.programs[0].temporaries; }},
        {"draws[0].vertexProgram", [](Workload& w) { ++w.draws[0].vertexProgram; }},
        {"draws[0].fragmentProgram", [](Workload& w) { ++w.draws[0].fragmentProgram; }},
        {"draws[0].attributes", [](Workload& w) { ++w.draws[0].attributes; }},
        {"draws[0].varyings", [](Workload& w) { ++w.draws[0].varyings; }},
        {"draws[0].pixels.targets", [](Workload& w) { ++w.draws[0].pixels.targets; }},
        {"draws[0].pixels.samples", [](Workload& w) { ++w.draws[0].pixels.samples; }},
        {"draws[0].pixels.colorBytes", [](Workload& w) { ++w.draws[0].pixels.colorBytes; }},
        {"draws[0].pixels.target", [](Workload& w) { ++w.draws[0].pixels.target; }},
        {"draws[0].batches.first", [](Workload& w) { ++w.draws[0].batches.first; }},
        {"draws[0].batches.count", [](Workload& w) { ++w.draws[0].batches.count; }},
        {"draws[0].primitives.first", [](Workload& w) { ++w.draws[0].primitives.first; }},
        {"draws[0].primitives.count", [](Workload& w) { ++w.draws[0].primitives.count; }},
        {"draws[0].commandBytes", [](Workload& w) { ++w.draws[0].commandBytes; }},
        {"batches[0].lanes", [](Workload& w) { ++w.batches[0].lanes; }},
        {"batches[0].trace.first", [](Workload& w) { ++w.batches[0].trace.first; }},
        {"batches[0].trace.count", [](Workload& w) { ++w.batches[0].trace.count; }},
        {"batches[0].fetches.first", [](Workload& w) { ++w.batches[0].fetches.first; }},
        {"batches[0].fetches.count", [](Workload& w) { ++w.batches[0].fetches.count; }},
        {"primitives[0].batch[0]", [](Workload& w) { ++w.primitives[0].batch[0]; }},
        {"primitives[0].batch[1]", [](Workload& w) { ++w.primitives[0].batch[1]; }},
        {"primitives[0].batch[2]", [](Workload& w) { ++w.primitives[0].batch[2]; }},
        {"primitives[0].outcodes", [](Workload& w) { ++w.primitives[0].outcodes; }},
        {"primitives[0].newVertices", [](Workload& w) { ++w.primitives[0].newVertices; }},
        {"primitives[0].scanned", [](Workload& w) { ++w.primitives[0].scanned; }},
        {"primitives[0].blocks.first", [](Workload& w) { ++w.primitives[0].blocks.first; }},
        {"primitives[0].blocks.count", [](Workload& w) { ++w.primitives[0].blocks.count; }},
        {"blocks[0].x", [](Workload& w) { ++w.blocks[0].x; }},
        {"blocks[0].y", [](Workload& w) { ++w.blocks[0].y; }},
        {"blocks[0].covered", [](Workload& w) { ++w.blocks[0].covered; }},
        {"blocks[0].early", [](Workload& w) { ++w.blocks[0].early; }},
        {"blocks[0].written", [](Workload& w) { ++w.blocks[0].written; }},
        {"blocks[0].trace.first", [](Workload& w) { ++w.blocks[0].trace.first; }},
        {"blocks[0].trace.count", [](Workload& w) { ++w.blocks[0].trace.count; }},
        {"transfers[0].bytesRead", [](Workload& w) { ++w.transfers[0].bytesRead; }},
        {"transfers[0].bytesWritten", [](Workload& w) { ++w.transfers[0].bytesWritten; }},
        {"launches[0].program", [](Workload& w) { ++w.launches[0].program; }},
        {"launches[0].threadsPerBlock", [](Workload& w) { ++w.launches[0].threadsPerBlock; }},
        {"launches[0].sharedBytes", [](Workload& w) { ++w.launches[0].sharedBytes; }},
        {"launches[0].blocks.first", [](Workload& w) { ++w.launches[0].blocks.first; }},
        {"launches[0].blocks.count", [](Workload& w) { ++w.launches[0].blocks.count; }},
        {"threadBlocks[0].groups.first", [](Workload& w) { ++w.threadBlocks[0].groups.first; }},
        {"threadBlocks[0].groups.count", [](Workload& w) { ++w.threadBlocks[0].groups.count; }},
        {"groups[0].lanes", [](Workload& w) { ++w.groups[0].lanes; }},
        {"groups[0].trace.first", [](Workload& w) { ++w.groups[0].trace.first; }},
        {"groups[0].trace.count", [](Workload& w) { ++w.groups[0].trace.count; }},
        {"executed[0].pc", [](Workload& w) { ++w.executed[0].pc; }},
        {"executed[0].lanes", [](Workload& w) { ++w.executed[0].lanes; }},
        {"executed[0].accesses.first", [](Workload& w) { ++w.executed[0].accesses.first; }},
        {"executed[0].accesses.count", [](Workload& w) { ++w.executed[0].accesses.count; }},
        {"executed[0].callDepth", [](Workload& w) { ++w.executed[0].callDepth; }},
        {"executed[0].loopDepth", [](Workload& w) { ++w.executed[0].loopDepth; }},
        {"executed[0].iteration", [](Workload& w) { ++w.executed[0].iteration; }},
        {"accesses[0].address", [](Workload& w) { ++w.accesses[0].address; }},
        {"accesses[0].lane", [](Workload& w) { ++w.accesses[0].lane; }},
        {"accesses[0].cycles", [](Workload& w) { ++w.accesses[0].cycles; }},
        {"accesses[0].lookup", [](Workload& w) { ++w.accesses[0].lookup; }},
        {"accesses[0].filterTexels", [](Workload& w) { ++w.accesses[0].filterTexels; }},
        {"lines[0]", [](Workload& w) { ++w.lines[0]; }},
        {"pixels.depthRead", [](Workload& w) { w.draws[0].pixels.depthRead = !w.draws[0].pixels.depthRead; }},
        {"pixels.depthWrite", [](Workload& w) { w.draws[0].pixels.depthWrite = !w.draws[0].pixels.depthWrite; }},
        {"pixels.stencil", [](Workload& w) { w.draws[0].pixels.stencil = !w.draws[0].pixels.stencil; }},
        {"pixels.earlyTests", [](Workload& w) { w.draws[0].pixels.earlyTests = !w.draws[0].pixels.earlyTests; }},
        {"pixels.colorRead", [](Workload& w) { w.draws[0].pixels.colorRead = !w.draws[0].pixels.colorRead; }},
        {"name", [](Workload& w) { w.name += "x"; }},
        {"programs[0].name", [](Workload& w) { w.programs[0].name += "x"; }},
        {"draws[0].name", [](Workload& w) { w.draws[0].name += "x"; }},
        {"draws[0].call", [](Workload& w) { w.draws[0].call += "x"; }},
        {"transfers[0].name", [](Workload& w) { w.transfers[0].name += "x"; }},
        {"launches[0].name", [](Workload& w) { w.launches[0].name += "x"; }},
        {"commands[0].kind", [](Workload& w) { w.commands[0].kind = CommandWork::Kind::EndFrame; }},
        {"primitives[0].fate", [](Workload& w) { w.primitives[0].fate = Fate::Facing; }},
        {"programs[0].program", [](Workload& w) { w.programs[0].program = w.programs[1].program; }},
    };
    const std::string file = saveWorkload(smallWorkload());
    int loaded = 0;
    for (const auto& [what, change] : changes) {
        CAPTURE(std::string(what));
        Workload w = smallWorkload();
        change(w);
        const std::string changed = saveWorkload(w);
        CHECK(changed != file);
        std::string problem;
        if (const auto read = loadWorkload(std::as_bytes(std::span(changed)), &problem)) {
            CHECK(saveWorkload(*read) == changed);
            ++loaded;
        }
    }
    CHECK(loaded > 20);
}

TEST_CASE("a workload that refers to what is not there is no machine's") {
    CHECK(validate(smallWorkload()).empty());
    const auto problemOf = [](auto&& change) {
        Workload w = smallWorkload();
        change(w);
        return validate(w);
    };
    CHECK(problemOf([](Workload& w) { w.programs[0].program = nullptr; }) == "program 0: it is not there");
    CHECK(problemOf([](Workload& w) { w.commands[1].item = 1; }) == "command 1: what it refers to is not there");
    CHECK(problemOf([](Workload& w) { w.commands[3].kind = static_cast<CommandWork::Kind>(4); }) ==
          "command 3: it is of no kind");
    CHECK(problemOf([](Workload& w) { w.commands.push_back(w.commands[1]); }) ==
          "command 4: its draw has been submitted before");
    CHECK(problemOf([](Workload& w) { w.draws.push_back(w.draws[0]); }) == "draw 1: a vertex batch is another draw's");
    CHECK(problemOf([](Workload& w) {
              w.draws.push_back(w.draws[0]);
              w.draws[1].batches = {1, 0};
          }) == "draw 1: a primitive is another draw's");
    CHECK(problemOf([](Workload& w) {
              w.primitives.push_back(w.primitives[0]);
              w.draws[0].primitives.count = 2;
          }) == "primitive 1: a block is another primitive's");
    CHECK(problemOf([](Workload& w) {
              w.threadBlocks.push_back(w.threadBlocks[0]);
              w.launches[0].blocks.count = 2;
          }) == "thread block 1: a group is another block's");
    CHECK(problemOf([](Workload& w) { w.launches.push_back(w.launches[0]); }) ==
          "launch 1: a block is another launch's");
    CHECK(problemOf([](Workload& w) { w.draws[0].fragmentProgram = 0; }) ==
          "draw 0: its fragment program is not there");
    CHECK(problemOf([](Workload& w) { w.draws[0].batches = {~0u, 2}; }) == "draw 0: its vertex batches are not there");
    CHECK(problemOf([](Workload& w) { w.draws[0].primitives.count = 2; }) == "draw 0: its primitives are not there");
    CHECK(problemOf([](Workload& w) { w.batches[0].fetches.count = 3; }) ==
          "vertex batch 0: the lines it fetches are not there");
    CHECK(problemOf([](Workload& w) { w.primitives[0].batch[2] = 1; }) ==
          "primitive 0: a vertex batch is not one of its draw's");
    CHECK(problemOf([](Workload& w) {
              w.primitives[0].fate = static_cast<Fate>(4);
              w.primitives[0].blocks = {};
          }) == "primitive 0: it has no fate");
    CHECK(problemOf([](Workload& w) { w.primitives[0].fate = Fate::Facing; }) ==
          "primitive 0: it is not drawn but covers blocks");
    CHECK(problemOf([](Workload& w) { w.blocks[0].written = 0x100; }) == "block 0: more passes a test than came to it");
    CHECK(problemOf([](Workload& w) { w.blocks[0].trace.first = 3; }) == "block 0: its trace is not there");
    CHECK(problemOf([](Workload& w) { w.executed[1].pc = 1; }) ==
          "block 0: it executes what its program does not have");
    CHECK(problemOf([](Workload& w) { w.executed[0].accesses.count = 2; }) ==
          "executed instruction 0: its accesses are not there");
    CHECK(problemOf([](Workload& w) { w.accesses[0].lane = 32; }) == "access 0: its lane is not below 32");
    CHECK(problemOf([](Workload& w) { w.accesses[0].bytes = 0; }) ==
          "access 0: its line takes no bytes, or more than 64");
    CHECK(problemOf([](Workload& w) { w.accesses[0].bytes = 65; }) ==
          "access 0: its line takes no bytes, or more than 64");
    for (const uint8_t step : {0, 24, 128})
        CHECK(problemOf([step](Workload& w) { w.accesses[0].step = step; }) ==
              "access 0: lines are no power of two apart, or more than 64 bytes");
    CHECK(problemOf([](Workload& w) { w.transfers[0].host = static_cast<TransferWork::Host>(3); }) ==
          "transfer 0: its host has no such part");
    CHECK(problemOf([](Workload& w) { w.transfers[0].bytesWhole = w.transfers[0].bytesWritten + 1; }) ==
          "transfer 0: more is cleared than is written");
    CHECK(problemOf([](Workload& w) { w.groups[0].trace.count = 2; }) == "group 0: its trace is not there");
    CHECK(problemOf([](Workload& w) { w.threadBlocks[0].groups.count = 2; }) ==
          "thread block 0: its groups are not there");
}
