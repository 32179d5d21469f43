// Blocks: positions in their groups with the memory that belongs to them, and the search for the first difference.
#include "shader-core/debug/replay/launch.h"

#include <atomic>
#include <bit>
#include <cstring>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "shader-core/debug/replay/bisect_kernel.h"
#include "shader-core/debug/replay/capture.h"
#include "shader-core/debug/replay/replay.h"
#include "shader-core/debug/testing/groups.h"
#include "tests/debug/wrong_executor.h"

namespace tessera::debug {
namespace {

/// Each thread adds its number to an element, stores it to shared memory, and behind the barrier adds what the other
/// group stored.
constexpr std::string_view kExchange = R"(.compute
.group 64
.buffer b0 data
.shared 256
    mad.i32 r0.x, block.x, block_size.x, thread.x
    shl.i32 r0.x, r0.x, 2
    ld.f32 r1.x, b0[r0.x]
    i2f.i32 r1.y, thread.x
    add r1.x, r1.x, r1.y
    shl.i32 r0.y, thread.x, 2
    st.f32 shared[r0.y], r1.x
    bar 0
    xor.i32 r0.y, r0.y, 128
    ld.f32 r1.z, shared[r0.y]
    add r1.x, r1.x, r1.z
    st.f32 b0[r0.x], r1.x
    ret
)";
constexpr uint32_t kThreads = 64, kBlocks = 4;

std::shared_ptr<Launch> launchOf(std::string_view text, uint32_t blocks = kBlocks) {
    assembly::AssembleResult result = assembly::assemble(text, "test.tsa");
    REQUIRE_MESSAGE(result.program.has_value(), result.log());
    auto launch = std::make_shared<Launch>();
    launch->program = std::make_shared<isa::Program>(std::move(*result.program));
    launch->constants.resize(launch->program->constantCount);
    for (const isa::Literal& literal : launch->program->literals)
        launch->constants[literal.reg] = std::bit_cast<std::array<float, 4>>(literal.bits);
    launch->grid = {blocks, 1, 1};
    launch->block = {kThreads, 1, 1};
    std::vector<float> data(kThreads * kBlocks);
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
    launch->buffers[0].resize(data.size() * sizeof(float));
    std::memcpy(launch->buffers[0].data(), data.data(), launch->buffers[0].size());
    return launch;
}

float element(std::span<const std::byte> memory, size_t index) {
    float value = -1;
    REQUIRE((index + 1) * sizeof value <= memory.size());
    std::memcpy(&value, memory.data() + index * sizeof value, sizeof value);
    return value;
}

TEST_CASE("a group of a block has the memory of its moment, forwards and back") {
    const auto groups = groupsOf(launchOf(kExchange), 1);
    REQUIRE(groups.size() == 2);
    Replay first(groups[0]), second(groups[1]);
    CHECK(first.group().laneNames[5] == "thread 5,0,0");
    CHECK(second.group().laneNames[5] == "thread 37,0,0");
    first.goTo(7);  // at the barrier: its own part of shared memory is written
    CHECK(element(first.memory(isa::kSharedSlot), 3) == 64.0f + 3 + 3);
    CHECK(element(first.memory(isa::kSharedSlot), 35) == 0.0f);
    first.goTo(8);  // behind it: that of the other group too
    CHECK(element(first.memory(isa::kSharedSlot), 35) == 64.0f + 35 + 35);
    CHECK(element(first.memory(0), 64 + 3) == 64.0f + 3);
    // The second group stands at its start, which comes before that.
    CHECK(element(second.memory(isa::kSharedSlot), 3) == 64.0f + 3 + 3);
    CHECK(element(second.memory(isa::kSharedSlot), 35) == 0.0f);
    first.goTo(12);
    CHECK(first.state().pc == 12);
    CHECK(element(first.memory(0), 64 + 3) == (64.0f + 3 + 3) + (64 + 35 + 35));
    first.goTo(6);
    CHECK(element(first.memory(isa::kSharedSlot), 3) == 0.0f);
    CHECK(element(first.memory(0), 64 + 3) == 64.0f + 3);
    second.goTo(100);
    CHECK(second.state().ended);
    CHECK(second.state().count == 13);
    CHECK(element(second.memory(0), 64 + 35) == (64.0f + 3 + 3) + (64 + 35 + 35));
}

TEST_CASE("specials are those that the interpreter gives to a program that reads them") {
    const auto launch = launchOf(R"(.compute
.group 40
.buffer b0 data
    add.i32 r0, thread, block
    add.i32 r0, r0, block_size
    add.i32 r0, r0, grid_size
    add.i32 r0.xy, r0.xyyy, group.xyyy
    st.i32 b0[0], r0.x
    ret
)");
    launch->grid = {3, 2, 4}, launch->block = {5, 4, 2};
    for (const Group& group : groupsOf(launch, 17)) {
        const Replay replay(group);
        (void)replay.visit([&](const interp::Step& step) {
            for (const isa::Special special : {isa::Special::Thread, isa::Special::Block, isa::Special::ThreadBlockSize,
                                               isa::Special::GridSize, isa::Special::Group}) {
                const auto i = static_cast<size_t>(special);
                for (uint32_t left = group.activeMask; left != 0; left &= left - 1)
                    for (size_t c = 0; c < 4; ++c)
                        CHECK(std::bit_cast<uint32_t>(group.specials[i].lane[c][std::countr_zero(left)]) ==
                              std::bit_cast<uint32_t>(step.specials[i].lane[c][std::countr_zero(left)]));
            }
        });
    }
}

TEST_CASE("a move is interrupted where the group has come to, also when it waits for another one") {
    const auto groups = groupsOf(launchOf(kExchange), 0);
    Replay second(groups[1]);
    std::atomic<bool> interrupt = false;
    second.setInterrupt(&interrupt);
    second.goTo(3);
    interrupt = true;
    CHECK_FALSE(second.forward([](const interp::Step&, const WrittenTypes&) { return false; }));
    CHECK(second.state().count == 3);  // stopped while the first group ran
    CHECK_FALSE(second.backward([](const interp::Step&, const WrittenTypes&) { return true; }));
    CHECK(second.state().count == 3);
    interrupt = false;
    second.goTo(UINT64_MAX);
    CHECK(second.state().ended);
}

TEST_CASE("conditions count the instructions of the group alone") {
    const auto groups = groupsOf(launchOf(kExchange), 0);
    Replay second(groups[1]);
    CHECK(second.forward([](const interp::Step& step, const WrittenTypes&) { return step.pc == 9; }));
    CHECK(second.state().count == 9);
    CHECK(second.backward([](const interp::Step& step, const WrittenTypes&) { return step.pc == 2; }));
    CHECK(second.state().count == 2);
    CHECK(second.state().execMask == ~0u);
}

TEST_CASE("what is changed in a group goes to memory with it") {
    const auto groups = groupsOf(launchOf(kExchange), 0);
    Replay first(groups[0]);
    first.goTo(6);
    first.edit(isa::File::R, 1, 0, 3, __builtin_bit_cast(uint32_t, 1000.0f));
    first.goTo(8);
    CHECK(element(first.memory(isa::kSharedSlot), 3) == 1000.0f);
    CHECK(element(first.memory(isa::kSharedSlot), 4) == 8.0f);
}

TEST_CASE("launches that agree have no difference") {
    const auto launch = launchOf(kExchange);
    const KernelComparison same = compareLaunches(*launch, blocksRunnerOf(interp::makeInterpreter()),
                                                  blocksRunnerOf(interp::makeInterpreter(kLeastSimdLevel)));
    CHECK_FALSE(same.failed);
    CHECK_FALSE(same.difference.has_value());
}

std::optional<KernelDifference> compareWith(const Launch& launch, std::shared_ptr<isa::Executor> wrong) {
    const RunBlocks right = blocksRunnerOf(interp::makeInterpreter());
    return compareLaunches(launch, right, blocksRunnerOf(std::move(wrong))).difference;
}

TEST_CASE("the first wrong instruction of a launch is found: block, group, lane, and in the order of execution") {
    for (const uint64_t block : {0, 1, 3}) {
        const auto difference = compareWith(
            *launchOf(kExchange), std::make_shared<WrongExecutor>(Mistake{isa::Op::Add, 1u << 9, 1, 1u << 20}, block));
        REQUIRE(difference.has_value());
        CHECK(difference->block == block);
        CHECK(difference->slot == 0);
        REQUIRE(difference->result.has_value());
        CHECK(difference->result->group == 0);
        CHECK(difference->result->lane == 9);
        CHECK(difference->result->pc == 4);
        CHECK(difference->result->count == 4);
        CHECK_FALSE(difference->result->stored);
        const float sum = static_cast<float>(block) * 64 + 9 + 9;
        CHECK(difference->result->first == __builtin_bit_cast(uint32_t, sum));
        CHECK(difference->result->second == (__builtin_bit_cast(uint32_t, sum) ^ 1u << 20));
    }
    // The third addition of a block is the first group's behind the barrier, after the second group's first one.
    const auto later =
        compareWith(*launchOf(kExchange), std::make_shared<WrongExecutor>(Mistake{isa::Op::Add, 1u << 9, 3, 1u << 20}));
    REQUIRE(later.has_value());
    REQUIRE(later->result.has_value());
    CHECK(later->result->group == 0);
    CHECK(later->result->pc == 10);
    CHECK(later->result->count == 10);
}

TEST_CASE("lanes that an instruction leaves out have no result of it: by its guard, and by each kind of subset") {
    // Lane 13 is the sixth of the second row of its group.
    for (const char* leavesOut : {"(p1) mul", "(!p2) mul", "mul.w2", "mul.w1", "mul.d4", "mul.d1", "mul.w2.block"}) {
        CAPTURE(std::string(leavesOut));
        const std::string text = std::string(
                                     ".compute\n.group 64\n.buffer b0 data\n"
                                     "mad.i32 r0.x, block.x, block_size.x, thread.x\n"
                                     "shl.i32 r0.x, r0.x, 2\n"
                                     "ld.f32 r1.x, b0[r0.x]\n"
                                     "slt.i32 p1, thread.x, 13\n"
                                     "sge.i32 p2, thread.x, 13\n") +
                                 leavesOut + " r1.x, r1.x, 3.0\nadd r1.x, r1.x, 1.0\nst.f32 b0[r0.x], r1.x\nret\n";
        const auto difference =
            compareWith(*launchOf(text), std::make_shared<WrongExecutor>(Mistake{isa::Op::Add, 1u << 13, 1, 1u << 20}));
        REQUIRE(difference.has_value());
        REQUIRE(difference->result.has_value());
        CHECK(difference->result->lane == 13);
        CHECK(difference->result->pc == 6);
        CHECK(difference->result->count == 6);
        CHECK(difference->result->first == __builtin_bit_cast(uint32_t, 14.0f));
    }
}

/// Stores of one element go astray: what a store to the fifth element of shared memory left is changed.
class WrongStores final : public isa::Executor {
public:
    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program>) override { return nullptr; }
    std::shared_ptr<const isa::Kernel> prepareKernel(std::shared_ptr<const isa::Program> program,
                                                     std::array<uint32_t, 3> block) override {
        struct Wrong final : isa::Kernel {
            std::shared_ptr<const isa::Program> program;
            std::shared_ptr<const isa::Kernel> right;
            void run(isa::ComputeRun& run) const override {
                struct Astray final : interp::Observer {
                    const isa::Program* program = nullptr;
                    bool stored = false;
                    bool before(const interp::Step& step) override {
                        if (stored) step.shared[4 * sizeof(float) + 2] ^= std::byte{16};
                        const isa::Instruction i = *isa::decode(program->code[step.pc]);
                        stored = i.op == isa::Op::St && i.slot == isa::kSharedSlot && step.group == 0;
                        return true;
                    }
                } astray;
                astray.program = program.get();
                interp::runObserved(*right, run, astray);
            }
        };
        const auto wrong = std::make_shared<Wrong>();
        wrong->program = program;
        wrong->right = interp::makeInterpreter()->prepareKernel(program, block);
        return wrong;
    }
    std::string name() const override { return "wrong stores"; }
};

TEST_CASE("a store that leaves something else in memory is found as such") {
    const auto difference = compareWith(*launchOf(kExchange), std::make_shared<WrongStores>());
    REQUIRE(difference.has_value());
    REQUIRE(difference->result.has_value());
    CHECK(difference->block == 0);
    CHECK(difference->result->stored);
    CHECK(difference->result->pc == 6);
    CHECK(difference->result->group == 0);
    CHECK(difference->result->lane == 4);
}

TEST_CASE("a captured group survives being written and read") {
    Capture capture;
    capture.group =
        groupOf(".fragment\n.input v1 a vec4\n.uniform c0 u vec4\nmul r0, v1, c0\nmov o0, r0\nret\n", 0xF0F);
    capture.group.helperMask = 0x3, capture.group.budget = 12345;
    capture.group.constants = {{1, 2, 3, 4}};
    for (size_t lane = 0; lane < capture.group.laneNames.size(); ++lane) {
        capture.group.laneNames[lane] = "lane " + std::to_string(lane);
        capture.group.inputs[1].lane[2][lane] = static_cast<float>(lane) + 0.5f;
        capture.group.specials[0].lane[1][lane] = static_cast<float>(lane) - 0.5f;
    }
    capture.title = "pixel 1,2", capture.lane = 9;
    std::string error;
    const std::optional<Capture> read = deserializeCapture(serialize(capture), error);
    REQUIRE_MESSAGE(read.has_value(), error);
    CHECK(read->title == capture.title);
    CHECK(read->lane == capture.lane);
    CHECK(read->group.program->code == capture.group.program->code);
    CHECK(read->group.activeMask == capture.group.activeMask);
    CHECK(read->group.helperMask == capture.group.helperMask);
    CHECK(read->group.budget == capture.group.budget);
    CHECK(read->group.constants == capture.group.constants);
    CHECK(read->group.laneNames == capture.group.laneNames);
    CHECK(std::memcmp(read->group.inputs.data(), capture.group.inputs.data(), sizeof capture.group.inputs) == 0);
    CHECK(std::memcmp(read->group.specials.data(), capture.group.specials.data(), sizeof capture.group.specials) == 0);
}

TEST_CASE("of what is said of a group, a launch and its outcome nothing may be missing, nor have another size") {
    using Json = nlohmann::json;
    const auto checkEach = [](const std::vector<std::byte>& bytes, const auto& isTaken) {
        const auto* first = reinterpret_cast<const uint8_t*>(bytes.data());
        const Json whole = Json::from_cbor(first, first + bytes.size());
        const auto take = [&](const Json& json) {
            const std::vector<uint8_t> written = Json::to_cbor(json);
            return isTaken(std::as_bytes(std::span(written)));
        };
        REQUIRE(take(whole));
        for (const auto& [name, value] : whole.items()) {
            CAPTURE(name);
            Json other = whole;
            other.erase(name);
            CHECK_FALSE(take(other));
            other[name] = nullptr;
            CHECK_FALSE(take(other));
            const bool isBytes = value.is_binary() && !value.get_binary().empty();
            const bool isList = value.is_array() && !value.empty();
            for (const bool isLonger : {false, true}) {
                other = whole;
                Json& changed = other[name];
                if (isBytes && isLonger) changed.get_binary().push_back(0);
                if (isBytes && !isLonger) changed.get_binary().pop_back();
                if (isList && isLonger) changed.push_back(value.back());
                if (isList && !isLonger) changed.erase(changed.size() - 1);
                if (isBytes || isList) CHECK_FALSE(take(other));
            }
        }
    };
    std::string error;
    Capture capture;
    capture.group = groupOf(".vertex\n.input v0 a vec4\n.uniform c0 u vec4\nmul o0, v0, c0\nret\n");
    capture.group.constants.resize(capture.group.program->constantCount);
    REQUIRE(!capture.group.constants.empty());
    checkEach(serialize(capture), [&](auto bytes) { return deserializeCapture(bytes, error).has_value(); });
    const auto launch =
        launchOf(".compute\n.group 64\n.buffer b0 data\n.uniform c0 u_one int\nst.i32 b0[0], c0.x\nret\n");
    REQUIRE(!launch->constants.empty());
    checkEach(serialize(*launch), [&](auto bytes) { return deserializeLaunch(bytes, error).has_value(); });
    const auto outcome = blocksRunnerOf(interp::makeInterpreter())(*launch, 0, kBlocks);
    REQUIRE(outcome.has_value());
    checkEach(serialize(*outcome), [&](auto bytes) { return deserializeOutcome(bytes).has_value(); });
}

TEST_CASE("a budget is of one instruction or more") {
    Capture capture;
    capture.group = groupOf(".vertex\nret\n");
    const auto launch = launchOf(kExchange);
    std::string error;
    for (const uint64_t budget : {0, 1, 2}) {
        capture.group.budget = launch->budget = budget;
        CHECK(deserializeCapture(serialize(capture), error).has_value() == (budget != 0));
        CHECK(deserializeLaunch(serialize(*launch), error).has_value() == (budget != 0));
    }
}

TEST_CASE("a launch and its outcome survive being written and read; damage is noticed") {
    const auto launch = launchOf(kExchange);
    std::string error;
    std::vector<std::byte> bytes = serialize(*launch);
    const std::optional<Launch> read = deserializeLaunch(bytes, error);
    REQUIRE_MESSAGE(read.has_value(), error);
    const auto run = blocksRunnerOf(interp::makeInterpreter());
    const auto a = run(*launch, 0, kBlocks), b = run(*read, 0, kBlocks);
    REQUIRE(a.has_value());
    REQUIRE(b.has_value());
    CHECK(a->buffers == b->buffers);
    CHECK(element(a->buffers[0], 3) == (3.0f + 3) + (35 + 35));
    const auto outcome = deserializeOutcome(serialize(*a));
    REQUIRE(outcome.has_value());
    CHECK(outcome->buffers == a->buffers);
    for (size_t size = 0; size < bytes.size(); size += 97)
        CHECK_FALSE(deserializeLaunch(std::span(bytes).first(size), error).has_value());
    CHECK_FALSE(deserializeOutcome(bytes).has_value());
}

}  // namespace
}  // namespace tessera::debug
