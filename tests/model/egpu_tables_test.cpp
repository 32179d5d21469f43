// Tables III and IV of seed 000, line by line, beside its programs in this instruction set on the preset `egpu`: cycles
// by type of instruction, counted from what the model issues. docs/model.md has the rows and says why they differ.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "api/compute/device.h"
#include "demos/kernels/runner.h"
#include "model/chip/record.h"
#include "model/chip/unit/machine.h"
#include "model/trim/trim.h"

namespace tessera::model {
namespace {

using isa::Op;

constexpr const char* kNop = "NOP";
constexpr const char* kBarrier = "Barrier";
constexpr const char* kOverlap = "Side by side";

/// How the paper's tables call an instruction.
std::string typeOf(const isa::Instruction& i) {
    switch (i.op) {
        case Op::Ld:
            return "LOD Indexed";
        case Op::St:
            return "STO Indexed";
        case Op::And:
        case Op::Or:
        case Op::Xor:
        case Op::Not:
        case Op::Shl:
        case Op::Shr:
            return "Logic";
        case Op::Mov:
            return i.src[0].file == isa::File::I ? "LOD Immediate" : "";
        case Op::Add:
            return i.type == isa::Type::F32 ? "FP32 Add/Sub" : "INT";
        case Op::Mul:
            return i.type == isa::Type::F32 ? "FP32 Multiply" : "INT";
        case Op::Dot:
            return "FP32 Dot";
        case Op::Rsq:
            return "FP32 SFU";
        case Op::Bar:
            return kBarrier;
        default:
            return "";
    }
}

/// Cycles of one block by type; they add up to the cycles from the first instruction of the first step to the first one
/// behind the last.
struct Profile {
    std::map<std::string, int64_t> cycles;
    int64_t total = 0;
};

/// `barriers`: of a step. Instructions before the first barrier of the program, and behind the last, bring data in and
/// out, which on the paper's machine is done from outside.
Profile profile(const kernels::Row& row, int barriers) {
    kernels::Job job = row.make(kernels::Scale::Small);
    REQUIRE(job.steps.size() == 1);
    job.steps[0].grid = {1, 1, 1};
    Recorder recorder;
    kernels::Runner runner(std::make_shared<compute::Device>(recorder.executor(), 1));
    REQUIRE(runner.run(job).failure == "");
    const Workload workload = recorder.take();
    std::string why;
    const std::optional<Preset> found = loadPreset("egpu", &why);
    REQUIRE(found);
    const Preset& preset = *found;
    REQUIRE(cannotRun(workload, preset) == "");
    REQUIRE(!refusal(*workload.programs.at(0).program, preset));  // it has the instructions
    const Result result = simulate(workload, preset, {.keepIssues = true});
    const std::vector<isa::Instruction> code = decodeAll(*workload.programs.at(0).program);

    std::vector<uint32_t> stops;
    for (uint32_t pc = 0; pc < code.size(); ++pc)
        if (code[pc].op == Op::Bar) stops.push_back(pc);
    REQUIRE(stops.size() > 1);
    REQUIRE((stops.size() - 1) % static_cast<size_t>(barriers) == 0);
    const uint32_t first = stops.front() + 1, last = stops.back();

    Profile p;
    Cycle begin = kNever, end = kNever;
    std::vector<std::pair<Cycle, Cycle>> taken;  // port or shared memory, from and to
    for (const Issue& issue : result.issues) {
        if (issue.pc > last) end = std::min(end, issue.cycle);
        if (issue.pc < first || issue.pc > last) continue;
        begin = std::min(begin, issue.cycle);
        const isa::Instruction& i = code[issue.pc];
        const std::string type = typeOf(i);
        CAPTURE(issue.pc);
        REQUIRE(type != "");
        const PcResult& pc = result.programs[0][issue.pc];
        REQUIRE(pc.cycles % pc.issues == 0);
        uint64_t cycles = pc.cycles / pc.issues;
        if (i.op == Op::Ld || i.op == Op::St) {
            REQUIRE(i.slot == isa::kSharedSlot);
            const uint64_t words = uint64_t{issue.lanes} * static_cast<uint64_t>(isa::elementCount(i));
            const uint64_t ports = i.op == Op::Ld ? preset.shared.read_ports : preset.shared.write_ports;
            cycles = std::max(cycles, (words + ports - 1) / ports);
        }
        p.cycles[type] += static_cast<int64_t>(cycles);
        taken.emplace_back(issue.begin, issue.begin + cycles);
    }
    REQUIRE(end != kNever);
    p.total = static_cast<int64_t>(end - begin);

    std::ranges::sort(taken);
    Cycle until = begin;
    int64_t idle = 0, sum = 0;
    for (const auto& [from, to] : taken) {
        sum += static_cast<int64_t>(to - from);
        if (from > until) idle += static_cast<int64_t>(from - until);
        until = std::max(until, std::min(to, end));
    }
    idle += static_cast<int64_t>(end - until);
    p.cycles[kNop] = idle;
    p.cycles[kOverlap] = p.total - idle - sum;
    return p;
}

struct Line {
    const char* type;
    int paper;
};

struct Table {
    const char* name;
    const char* kernel;
    int steps, barriers;  ///< of the kernel; of a step
    std::vector<Line> lines;
    int total;
};

const Table kTables[] = {
    {"III",
     "fft_passes",
     8,
     1,
     {{"LOD Immediate", 64},
      {"Logic", 48},
      {"INT", 32},
      {"LOD Indexed", 384},
      {"FP32 Add/Sub", 96},
      {"FP32 Multiply", 64},
      {"STO Indexed", 512},
      {kNop, 0},
      {kBarrier, 0},
      {kOverlap, 0}},
     1200},
    {"IV",
     "qr_snooping",
     16,
     2,
     {{kNop, 44},
      {"INT", 16},
      {"LOD Indexed", 132},
      {"FP32 Add/Sub", 16},
      {"FP32 Multiply", 32},
      {"FP32 Dot", 17},
      {"FP32 SFU", 1},
      {"STO Indexed", 33},
      {kBarrier, 0},
      {kOverlap, 0}},
     291},
};

std::string rowText(const char* type, int paper, int64_t ours, int steps) {
    const double step = static_cast<double>(ours) / steps;
    return fmt::format("| {} | {} | {:.6g} | {:+.6g} | {} |", type, paper, step, step - paper, ours);
}

TEST_CASE("tables III and IV of seed 000 beside the preset egpu are those of docs/model.md") {
    std::ifstream file(TESSERA_SOURCE_DIR "/docs/model.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const char* wanted = std::getenv("TESSERA_MODEL_TABLE");
    for (const Table& table : kTables) {
        const auto rows = kernels::suite();
        const auto row = std::ranges::find(rows, table.kernel, &kernels::Row::name);
        REQUIRE(row != rows.end());
        Profile ours = profile(*row, table.barriers);
        int paper = 0;
        int64_t sum = 0;
        const auto check = [&](const std::string& text) {
            if (wanted != nullptr && std::string_view(table.name).starts_with(wanted)) fmt::print("{}\n", text);
            CHECK_MESSAGE(page.find("\n" + text) != std::string::npos, "docs/model.md has to have the row ", text);
        };
        for (const Line& line : table.lines) {
            paper += line.paper;
            sum += ours.cycles[line.type];
            check(rowText(line.type, line.paper, ours.cycles[line.type], table.steps));
        }
        check(rowText("all", table.total, ours.total, table.steps));
        CHECK(paper == table.total);  // the paper's rows add up
        CHECK(sum == ours.total);     // and so do ours: no instruction is left out
    }
}

}  // namespace
}  // namespace tessera::model
