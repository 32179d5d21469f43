// Jobs: a program with what it runs on, executed, traced, and on the model.
//
// Pixels are executed as groups of 8x4, two blocks of 4x4 side by side, from the lower left corner of the picture on;
// values and results are in rows from the top. Groups are made when they are run, so a picture takes the memory of its
// values alone.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/process/env.h"
#include "base/thread/thread.h"
#include "base/thread/thread_pool.h"
#include "model/chip/unit/machine.h"
#include "model/report/lines.h"
#include "model/trim/trim.h"
#include "shader-core/asm/spelling.h"
#include "shader-core/compute/dispatch.h"
#include "shader-core/debug/trace/trace.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/tier/tier.h"
#include "tools/library/library.h"
#include "tools/run/line_costs.h"
#include "tools/run/places.h"

using namespace tessera;
using namespace tessera::tools;
using namespace tessera::tools::library;

namespace {

constexpr uint64_t kMaxLanes = uint64_t{1} << 26;
constexpr uint32_t kGroupWidth = 8, kGroupHeight = 4;
constexpr size_t kCompilerStack = size_t{4} << 20;

uint32_t across(const TesseraJob& job) { return (job.width + kGroupWidth - 1) / kGroupWidth; }

/// "shader.frag, pixel 3,4", y from the top.
std::string laneName(const TesseraJob& job, size_t index) {
    return job.isPicture() ? fmt::format("pixel {},{}", index % job.width, index / job.width)
                           : fmt::format("vertex {}", index);
}

TesseraJob* makeJob(const TesseraProgram* program, uint64_t width, uint64_t height, isa::Stage stage) {
    if (program == nullptr) return fail("there is no program");
    if (program->program->stage != stage)
        return fail(stage == isa::Stage::Fragment ? "pixels are for a fragment program, and this is none"
                                                  : "vertices are for a vertex program, and this is none",
                    program->name);
    if (width == 0 || height == 0 || width > kMaxLanes || height > kMaxLanes || width * height > kMaxLanes)
        return fail("a job has 1 to 2^26 lanes", program->name);
    auto job = std::make_unique<TesseraJob>();
    job->program = program->program;
    job->name = program->name;
    job->width = static_cast<uint32_t>(width), job->height = static_cast<uint32_t>(height);
    job->constants = groupAt(job->program, 1, 0, 0).constants;
    return job.release();
}

/// Runs all groups; the error is of the first lane that has one.
bool runGroups(TesseraJob& job, const isa::Routine& routine, int threads) {
    const isa::Program& program = *job.program;
    std::vector<std::vector<float>> outputs(isa::kMaxOutputs);
    for (const int o : program.outputMask) outputs[static_cast<size_t>(o)].resize(job.lanes() * 4);
    std::vector<uint8_t> discarded(job.lanes());
    std::atomic<uint64_t> endless{UINT64_MAX};  // the first group that does not end
    ThreadPool pool(threads);
    pool.parallelFor("tools", job.groups(), [&](size_t number, int) {
        if (number > endless.load(std::memory_order_relaxed)) return;
        const debug::Group group = job.groupNumber(number);
        const debug::Outcome outcome = debug::runGroup(group, routine);
        if (outcome.budgetExceeded) {
            uint64_t least = endless.load();
            while (number < least && !endless.compare_exchange_weak(least, number)) {
            }
            return;
        }
        for (uint32_t left = group.activeMask & ~group.helperMask; left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            const size_t index = *job.index(number, lane);
            discarded[index] = static_cast<uint8_t>(outcome.killMask >> lane & 1);
            if (discarded[index] != 0) continue;
            for (const int output : program.outputMask) {
                const auto o = static_cast<size_t>(output);
                for (size_t c = 0; c < 4; ++c) outputs[o][index * 4 + c] = outcome.outputs[o].lane[c][lane];
            }
        }
    });
    if (const uint64_t number = endless.load(); number != UINT64_MAX) {
        int lane = 0;
        while (!job.index(number, lane)) ++lane;
        (void)fail(fmt::format("{}: stopped after {} instructions: a loop does not end",
                               laneName(job, *job.index(number, lane)), debug::kInstructionBudget),
                   job.name);
        return false;
    }
    job.outputs = std::move(outputs);
    job.discarded = std::move(discarded);
    job.hasRun = true;
    return true;
}

/// What the whole job asks of a machine.
std::optional<model::Workload> workloadOf(const TesseraJob& job) {
    std::string problem;
    auto workload = job.isKernel() ? workloadOfBlocks(*job.launch, 0, debug::blockCount(*job.launch), problem)
                                   : workloadOfGroups(
                                         job.groups(), [&](size_t number) { return job.groupNumber(number); }, problem);
    if (!workload) (void)fail(problem, job.name);
    return workload;
}

TesseraText* traceText(std::vector<debug::Group> groups, std::string_view form, uint64_t limit) {
    const auto writer = form == "text"       ? debug::writeText
                        : form == "json"     ? debug::writeJson
                        : form == "vcd"      ? debug::writeVcd
                        : form == "perfetto" ? debug::writePerfetto
                                             : nullptr;
    if (writer == nullptr) return fail("a trace is text, json, vcd or perfetto");
    const bool isBlock = groups[0].launch != nullptr;
    std::vector<std::unique_ptr<debug::Replay>> replays;
    std::vector<const debug::Replay*> pointers;
    for (debug::Group& group : groups) {
        replays.push_back(std::make_unique<debug::Replay>(std::move(group)));
        pointers.push_back(replays.back().get());
    }
    std::vector<debug::Trace> traces;
    if (isBlock)
        traces = debug::traceBlock(pointers, limit);
    else
        traces.push_back(debug::trace(*pointers[0], limit));
    std::vector<debug::TraceGroup> all;
    for (size_t g = 0; g < traces.size(); ++g) all.push_back({static_cast<int>(g), pointers[g], &traces[g]});
    std::ostringstream out;
    writer(out, all);
    return text(std::move(out).str());
}

}  // namespace

uint64_t TesseraJob::groups() const {
    if (isKernel()) return debug::blockCount(*launch);
    if (!isPicture()) return (width + isa::kGroupSize - 1) / isa::kGroupSize;
    return uint64_t{across(*this)} * ((height + kGroupHeight - 1) / kGroupHeight);
}

std::optional<size_t> TesseraJob::index(uint64_t group, int lane) const {
    if (!isPicture()) {
        const uint64_t vertex = group * isa::kGroupSize + static_cast<uint64_t>(lane);
        return vertex < width ? std::optional<size_t>(vertex) : std::nullopt;
    }
    const uint64_t x = group % across(*this) * kGroupWidth + static_cast<uint64_t>(debug::laneX(lane));
    const uint64_t y = group / across(*this) * kGroupHeight + static_cast<uint64_t>(debug::laneY(lane));
    if (x >= width || y >= height) return std::nullopt;
    return (height - 1 - y) * width + x;
}

debug::Group TesseraJob::groupNumber(uint64_t number) const {
    uint32_t wanted = 0;
    for (int lane = 0; lane < isa::kGroupSize; ++lane)
        wanted |= static_cast<uint32_t>(index(number, lane).has_value()) << lane;
    const int x = static_cast<int>(isPicture() ? number % across(*this) * kGroupWidth : number * isa::kGroupSize);
    const int y = isPicture() ? static_cast<int>(number / across(*this) * kGroupHeight) : 0;
    debug::Group group = groupAt(program, wanted, x, y);
    group.constants = constants;
    group.textures = textures;
    for (int lane = 0; lane < isa::kGroupSize; ++lane) {
        // What lies beyond the edge, for derivatives, has the values of the nearest pixel.
        size_t at = 0;
        if (isPicture()) {
            const uint32_t px = std::min(static_cast<uint32_t>(x + debug::laneX(lane)), width - 1);
            const uint32_t py = std::min(static_cast<uint32_t>(y + debug::laneY(lane)), height - 1);
            at = size_t{height - 1 - py} * width + px;
        } else {
            at = std::min(static_cast<size_t>(number * isa::kGroupSize) + static_cast<size_t>(lane), size_t{width} - 1);
        }
        if ((wanted >> lane & 1) != 0) group.laneNames[static_cast<size_t>(lane)] = laneName(*this, at);
        for (const Input& input : inputs) {
            const bool isOne = input.words.size() == input.components;
            const std::span<const uint32_t> values =
                std::span(input.words).subspan(isOne ? 0 : at * input.components, input.components);
            input.place.store(values, [&](int reg, int component, uint32_t bits) {
                const auto r = static_cast<size_t>(reg);
                (input.place.file == isa::File::S ? group.specials[r] : group.inputs[r]).lane[component][lane] =
                    std::bit_cast<float>(bits);
            });
        }
    }
    debug::fillLiterals(group);
    return group;
}

std::optional<std::vector<debug::Group>> TesseraJob::together(uint64_t number) const {
    if (number >= groups()) {
        (void)fail(fmt::format("there is no {} {}; there are {}", isKernel() ? "block" : "group", number, groups()),
                   name);
        return std::nullopt;
    }
    std::vector<debug::Group> list;
    if (!isKernel()) {
        list.push_back(groupNumber(number));
        return list;
    }
    const auto before = std::make_shared<debug::Launch>(*launch);
    const auto kernel = interp::makeInterpreter()->prepareKernel(program, launch->block);
    const isa::ComputeFault fault = debug::runBlocks(*before, *kernel, 0, number);
    if (fault.kind != isa::FaultKind::None) {
        (void)fail(compute::faultMessage(*program, fault, launch->grid), name);
        return std::nullopt;
    }
    return debug::groupsOf(before, number);
}

// --- Making them ---

TESSERA_EXPORT TesseraJob* tesseraPixels(const TesseraProgram* program, uint32_t width, uint32_t height) {
    return call<TesseraJob*>([&] { return makeJob(program, width, height, isa::Stage::Fragment); });
}

TESSERA_EXPORT TesseraJob* tesseraVertices(const TesseraProgram* program, uint32_t count) {
    return call<TesseraJob*>([&] { return makeJob(program, count, 1, isa::Stage::Vertex); });
}

TESSERA_EXPORT TesseraJob* tesseraBlocks(const TesseraProgram* program, const uint32_t* grid, const uint32_t* block) {
    return call<TesseraJob*>([&]() -> TesseraJob* {
        if (program == nullptr || grid == nullptr) return fail("there is no program or no grid");
        if (program->program->stage != isa::Stage::Compute)
            return fail("blocks are for a compute program, and this is none", program->name);
        compute::LaunchSize size;
        std::copy_n(grid, 3, size.grid.begin());
        if (block != nullptr) std::copy_n(block, 3, size.block.begin());
        if (const std::string why = compute::resolveSize(*program->program, size); !why.empty())
            return fail(why, program->name);
        if (std::ranges::find(size.grid, 0u) != size.grid.end()) return fail("the grid has no blocks", program->name);
        auto job = std::make_unique<TesseraJob>();
        job->program = program->program;
        job->name = program->name;
        job->launch = std::make_shared<debug::Launch>();
        debug::Launch& launch = *job->launch;
        launch.program = program->program;
        launch.grid = size.grid, launch.block = size.block, launch.budget = size.budget;
        launch.constants.resize(launch.program->constantCount);
        for (const isa::Literal& literal : launch.program->literals)
            launch.constants[literal.reg] = std::bit_cast<std::array<float, 4>>(literal.bits);
        return job.release();
    });
}

TESSERA_EXPORT void tesseraFreeJob(TesseraJob* job) { delete job; }

TESSERA_EXPORT int tesseraJobInput(TesseraJob* job, const char* name, const void* words, size_t components,
                                   size_t lanes) {
    return call<int>([&]() -> int {
        if (job == nullptr || name == nullptr || words == nullptr) return fail("there is no job, name or value");
        if (job->isKernel()) return fail("a compute program has buffers, no inputs", job->name);
        std::string problem;
        const std::optional<Place> place = inputPlace(*job->program, name, problem);
        if (!place) return fail(problem, job->name);
        if (!place->takes(components))
            return fail(fmt::format("input '{}': {}", name, place->countProblem(components)), job->name);
        if (lanes != 1 && lanes != job->lanes())
            return fail(fmt::format("input '{}': values for {} lanes; give one, or {}", name, lanes, job->lanes()),
                        job->name);
        TesseraJob::Input input{*place, components, std::vector<uint32_t>(components * lanes)};
        std::memcpy(input.words.data(), words, input.words.size() * sizeof(uint32_t));
        job->inputs.push_back(std::move(input));
        return 1;
    });
}

TESSERA_EXPORT int tesseraJobUniform(TesseraJob* job, const char* name, const void* words, size_t count) {
    return call<int>([&]() -> int {
        if (job == nullptr || name == nullptr || words == nullptr) return fail("there is no job, name or value");
        std::string problem;
        const std::optional<Place> place = uniformPlace(*job->program, name, problem);
        if (!place) return fail(problem, job->name);
        if (!place->takes(count))
            return fail(fmt::format("uniform '{}': {}", name, place->countProblem(count)), job->name);
        std::vector<uint32_t> values(count);
        std::memcpy(values.data(), words, count * sizeof(uint32_t));
        auto& constants = job->isKernel() ? job->launch->constants : job->constants;
        place->store(values, [&](int reg, int component, uint32_t bits) {
            if (static_cast<size_t>(reg) < constants.size())
                constants[static_cast<size_t>(reg)][static_cast<size_t>(component)] = std::bit_cast<float>(bits);
        });
        return 1;
    });
}

TESSERA_EXPORT int tesseraJobTexture(TesseraJob* job, const char* name, const uint8_t* rgba, uint32_t width,
                                     uint32_t height, int isLinear, int repeats) {
    return call<int>([&]() -> int {
        if (job == nullptr || name == nullptr || rgba == nullptr) return fail("there is no job, name or picture");
        if (job->isKernel()) return fail("a compute program has no samplers", job->name);
        std::string problem;
        const std::optional<int> unit = samplerUnit(*job->program, name, problem);
        if (!unit) return fail(problem, job->name);
        for (const isa::Variable& v : job->program->uniforms)
            if (isa::isSampler(v.type) && v.name == name && v.type != isa::VarType::Sampler2D &&
                v.type != isa::VarType::SamplerExternal)
                return fail(fmt::format("sampler '{}' is of kind {}; pictures are for 2d", name,
                                        assembly::variableTypeNames()[static_cast<size_t>(v.type)]),
                            job->name);
        const auto most = static_cast<uint32_t>(texture::kMaxTextureSize);
        if (width == 0 || height == 0 || width > most || height > most)
            return fail(fmt::format("texture '{}': it has 1 to {} pixels each way", name, most), job->name);
        imagediff::Image picture{static_cast<int>(width), static_cast<int>(height), {}};
        picture.rgba.assign(rgba, rgba + size_t{width} * height * 4);
        // Units that a job was made with are shared with its groups: they are not changed.
        auto units = job->textures != nullptr ? job->textures->copy() : std::make_shared<GroupTextures>();
        units->bind(*unit, picture, {isLinear != 0, repeats != 0});
        units->finish();
        job->textures = std::move(units);
        return 1;
    });
}

TESSERA_EXPORT int tesseraJobBuffer(TesseraJob* job, const char* name, const void* bytes, size_t size) {
    return call<int>([&]() -> int {
        if (job == nullptr || name == nullptr || (bytes == nullptr && size != 0))
            return fail("there is no job, name or memory");
        constexpr uint64_t kMaxBytes = uint64_t{1} << 32;
        for (const isa::Buffer& buffer : job->program->buffers) {
            if (buffer.name != name || !job->isKernel()) continue;
            if (size > kMaxBytes) return fail("a buffer has at most 4 GiB", job->name);
            const auto* const first = static_cast<const std::byte*>(bytes);
            job->launch->buffers[buffer.slot].assign(first, first + size);
            return 1;
        }
        std::string names;
        for (const isa::Buffer& buffer : job->program->buffers) names += " " + buffer.name;
        return fail(fmt::format("there is no buffer '{}'; there are:{}", name, names.empty() ? " none" : names),
                    job->name);
    });
}

// --- Running them ---

TESSERA_EXPORT int tesseraRunJob(TesseraJob* job, const char* tier, int threads) {
    return call<int>([&]() -> int {
        if (job == nullptr) return fail("there is no job");
        if (job->isKernel()) return fail("kernels are run by a device (tessera_compute.h)", job->name);
        const auto named =
            tier != nullptr ? tier::tierByName(tier) : std::optional(tier::tierFromEnvironment(tier::Tier::Interp));
        if (!named || threads < 0 || threads > 64)
            return fail("a job has the tier interp, baseline, jit or tiered, and 1 to 64 threads");
        std::shared_ptr<const isa::Routine> routine;
        runWithStack(kCompilerStack, [&] {
            routine = tier::makeExecutor(*named)->prepare(job->program);
            if (routine == nullptr) routine = interp::makeInterpreter()->prepare(job->program);
        });
        return static_cast<int>(runGroups(*job, *routine, threads != 0 ? threads : threadCount()));
    });
}

TESSERA_EXPORT int tesseraJobOutput(const TesseraJob* job, uint32_t output, float* values) {
    return call<int>([&]() -> int {
        if (job == nullptr || values == nullptr) return fail("there is no job, or no place for its output");
        if (!job->hasRun) return fail("the job has not run", job->name);
        if (output >= job->outputs.size() || job->outputs[output].empty())
            return fail(fmt::format("the program writes no o{}", output), job->name);
        std::ranges::copy(job->outputs[output], values);
        return 1;
    });
}

TESSERA_EXPORT int tesseraJobDiscarded(const TesseraJob* job, uint8_t* discarded) {
    return call<int>([&]() -> int {
        if (job == nullptr || discarded == nullptr) return fail("there is no job, or no place for its output");
        if (!job->hasRun) return fail("the job has not run", job->name);
        std::ranges::copy(job->discarded, discarded);
        return 1;
    });
}

TESSERA_EXPORT uint64_t tesseraJobGroups(const TesseraJob* job) { return job != nullptr ? job->groups() : 0; }

TESSERA_EXPORT int tesseraJobLane(const TesseraJob* job, uint64_t x, uint64_t y, uint64_t* group, uint32_t* lane) {
    return call<int>([&]() -> int {
        if (job == nullptr || group == nullptr || lane == nullptr) return fail("there is no job, or no place");
        if (job->isKernel()) {
            const auto& block = job->launch->block;
            const uint64_t threads = uint64_t{block[0]} * block[1] * block[2];
            if (y >= job->groups() || x >= threads)
                return fail(fmt::format("there is no thread {} of block {}", x, y), job->name);
            *group = y, *lane = static_cast<uint32_t>(x % isa::kGroupSize);
            return 1;
        }
        if (x >= job->width || y >= job->height)
            return fail(fmt::format("there is no {} {},{}; there are {} x {}", job->isPicture() ? "pixel" : "vertex", x,
                                    y, job->width, job->height),
                        job->name);
        const uint64_t up = job->height - 1 - y;
        *group = job->isPicture() ? up / kGroupHeight * across(*job) + x / kGroupWidth : x / isa::kGroupSize;
        for (uint32_t i = 0; i < isa::kGroupSize; ++i)
            if (job->index(*group, static_cast<int>(i)) == y * job->width + x) *lane = i;
        return 1;
    });
}

TESSERA_EXPORT TesseraText* tesseraJobTrace(const TesseraJob* job, uint64_t group, const char* form, uint64_t limit) {
    return call<TesseraText*>([&]() -> TesseraText* {
        if (job == nullptr) return fail("there is no job");
        auto groups = job->together(group);
        return groups ? traceText(std::move(*groups), form != nullptr ? form : "text", limit) : nullptr;
    });
}

TESSERA_EXPORT TesseraText* tesseraJobCost(const TesseraJob* job, const char* preset, const char* form) {
    return call<TesseraText*>([&]() -> TesseraText* {
        if (job == nullptr) return fail("there is no job");
        std::string problem;
        const auto machine = model::loadPreset(preset != nullptr ? preset : "tessera", &problem);
        if (!machine) return fail(problem);
        if (const auto refused = model::refusal(*job->program, *machine))
            return fail(model::refusalText(*refused, job->name));
        const auto workload = workloadOf(*job);
        if (!workload) return nullptr;
        if (const std::string why = model::cannotRun(*workload, *machine); !why.empty()) return fail(why, job->name);
        auto costs = model::costsOf(*workload, model::simulate(*workload, *machine), *machine);
        if (costs.empty()) return fail("nothing ran", job->name);
        costs.front().name = job->name;
        if (form != nullptr && std::string_view(form) == "text") return text(model::costText(costs.front()));
        return text(model::costJson(costs.front()).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    });
}

TESSERA_EXPORT TesseraWorkload* tesseraWorkOfJob(const TesseraJob* job, const char* name) {
    return call<TesseraWorkload*>([&]() -> TesseraWorkload* {
        if (job == nullptr) return fail("there is no job");
        auto workload = workloadOf(*job);
        if (!workload) return nullptr;
        workload->name = name != nullptr ? name : job->name;
        for (model::LaunchWork& one : workload->launches) one.name = workload->name;
        for (model::ProgramUse& use : workload->programs) use.name = job->name;
        return new TesseraWorkload{std::move(*workload)};
    });
}
