#include "tools/inspector/program/inspect_program.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/thread/thread_pool.h"
#include "tools/files.h"
#include "tools/inspector/program/program_report.h"
#include "tools/inspector/program/program_run.h"
#include "tools/inspector/program/program_window.h"
#include "tools/inspector/report/report_parts.h"
#include "tools/options.h"

namespace tessera::tools {

namespace {

constexpr const char* kWindowView = "window";

/// How a file's elements are read, by their name as NumPy spells it; plain bytes have none.
std::optional<Element> elementOf(const std::string& descr) {
    const std::pair<const char*, Element> kNames[] = {{"<f4", Element::F32}, {"<i4", Element::I32},
                                                      {"<u4", Element::U32}, {"<i2", Element::I16},
                                                      {"<u2", Element::U16}, {"|i1", Element::I8}};
    for (const auto& [name, element] : kNames)
        if (descr == name) return element;
    return std::nullopt;
}

/// The program with its inputs. Null, with messages printed.
std::shared_ptr<const ProgramSubject> readSubject(const InspectedProgram& options, int& status) {
    const std::string& file = options.group.program;
    const auto subject = std::make_shared<ProgramSubject>();
    subject->file = file;
    subject->program = loadProgram(file, options.group.stage, status);
    if (!subject->program) return nullptr;
    if (!optionsSuit(*subject->program, file, options.group, options.kernel)) {
        status = kTrouble;
        return nullptr;
    }
    if (subject->program->stage != isa::Stage::Compute) {
        std::optional<std::vector<debug::Group>> groups = makeGroups(subject->program, options.group, status);
        if (!groups) return nullptr;
        subject->groups = std::move(*groups);
        return subject;
    }
    const std::optional<KernelInput> input =
        makeKernelInput(subject->program, file, options.group.uniforms, options.kernel, status);
    if (!input) return nullptr;
    subject->launch = launchOf(*input);
    for (const isa::Buffer& buffer : subject->program->buffers)
        if (const auto array = input->arrays.find(buffer.name); array != input->arrays.end())
            subject->stored[buffer.slot] = elementOf(array->second.descr);
    const std::array<uint32_t, 3>& grid = subject->launch->grid;
    std::array<uint32_t, 3> at{};
    std::ranges::copy(options.kernel.at, at.begin());
    for (size_t i = 0; i < at.size(); ++i)
        if (at[i] >= grid[i]) {
            fmt::print(stderr, "error: --at {}: the grid has {} blocks\n", fmt::join(at, ","), fmt::join(grid, " x "));
            status = kWrongInput;
            return nullptr;
        }
    subject->block = at[0] + uint64_t{grid[0]} * (at[1] + uint64_t{grid[1]} * at[2]);
    return subject;
}

/// As large as one likes to look at it.
inspect::Picture enlarged(const inspect::Picture& picture) {
    constexpr int kWidth = 256;
    const int times = std::max(1, kWidth / std::max(picture.width, 1));
    inspect::Picture large{picture.width * times, picture.height * times, {}};
    large.rgba.reserve(static_cast<size_t>(large.width) * static_cast<size_t>(large.height) * 4);
    for (int y = 0; y < large.height; ++y)
        for (int x = 0; x < large.width; ++x) {
            const size_t at =
                (static_cast<size_t>(y / times) * static_cast<size_t>(picture.width) + static_cast<size_t>(x / times)) *
                4;
            for (size_t c = 0; c < 4; ++c) large.rgba.push_back(picture.rgba[at + c]);
        }
    return large;
}

int report(const InspectedProgram& options, const ProgramSubject& subject) {
    const auto never = [] { return false; };
    const ProgramRun run = runOnce(subject, never);
    const BlockRun block = runBlock(subject, subject.block, never);
    std::optional<ProgramCosts> costs;
    if (options.costs && run.problem.empty() && (options.json || !options.page.empty())) {
        std::string why;
        costs = costsOf(subject, options.preset, why);
        if (!costs) {
            fmt::print(stderr, "{}: error: {}\n", subject.file, why);
            return kWrongInput;
        }
    }
    const ProgramReport report{.subject = subject, .run = run, .block = block, .costs = costs ? &*costs : nullptr};
    if (options.json)
        fmt::print("{}\n", programJson(report).dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
    if (!options.page.empty() && !writeFile(options.page, programPage(report))) return kTrouble;
    if (!options.view.empty()) {
        const HeatMap map = options.view == "blocks" ? blockHeat(subject, run) : laneHeat(block);
        if (!writeFile(options.out, pngOf(enlarged(pictureOf(map))))) return kTrouble;
    }
    if (run.problem.empty()) return kDone;
    fmt::print(stderr, "{}: error: {}\n", subject.file, run.problem);
    return kWrongInput;
}

int showWindow(const InspectedProgram& options, const std::shared_ptr<const ProgramSubject>& subject) {
    ProgramWindowOptions how{.preset = options.preset, .tab = {}, .isLight = options.isLight};
    if (!options.tab.empty())
        how.tab =
            static_cast<ProgramTab>(std::ranges::find(kProgramTabWords, options.tab) - std::begin(kProgramTabWords));
    std::string why;
    const bool isHidden = options.view == kWindowView;
    const auto width = static_cast<int>(options.size[0]);
    const auto height = static_cast<int>(options.size.size() > 1 ? options.size[1] : options.size[0]);
    const std::unique_ptr<Window> window = isHidden ? Window::openHidden(width, height, options.scale, why)
                                                    : Window::open("Tessera", width, height, options.scale, why);
    if (!window) {
        fmt::print(stderr, "tessera inspect: error: no window: {}; --json, --html and --png need none\n", why);
        return kTrouble;
    }
    ProgramInspector inspector(subject, std::move(how));
    if (isHidden) return writeFile(options.out, pngOf(inspector.pictureWhenDone(*window))) ? kDone : kTrouble;
    inspector.run(*window);
    return kDone;
}

/// What the program has none of is refused.
bool optionsAct(const CLI::App& verb, const InspectedProgram& options, bool isKernel) {
    const std::string& file = options.group.program;
    if (!areAbsent(verb,
                   {"--frame", "--frames", "--when", "--command", "--pixel", "--replace", "--sampler", "--level",
                    "--layout", "--timeout"},
                   file, "is for frames"))
        return false;
    const auto refuse = [&](const char* option, const std::string& given) {
        fmt::print(stderr, "{}: error: {} {} is not for {}\n", file, option, given,
                   isKernel ? "a compute program" : "a shader by itself");
        return false;
    };
    const std::string& tab = options.tab;
    const bool isOfKernels = tab == "memory" || tab == "barriers", isOfShaders = tab == "outputs";
    if (!tab.empty() && (std::ranges::find(kProgramTabWords, tab) == std::end(kProgramTabWords) ||
                         (isKernel ? isOfShaders : isOfKernels)))
        return refuse("--tab", tab);
    const std::string& view = options.view;
    if (!view.empty() && view != kWindowView &&
        (std::ranges::find(kProgramViews, view) == std::end(kProgramViews) || (view == "blocks" && !isKernel)))
        return refuse("--png", view);
    return true;
}

}  // namespace

bool isProgramFile(const std::vector<std::string>& what) {
    std::error_code ignored;
    if (what.size() != 1 || !std::filesystem::is_regular_file(what[0], ignored)) return false;
    for (const char* ending : {".tsa", ".tsb", ".vert", ".frag"})
        if (what[0].ends_with(ending)) return true;
    return magicOf(what[0]).starts_with("TSB");
}

int inspectProgram(const CLI::App& verb, const InspectedProgram& options) {
    setComputeFloatEnvironment();
    int status = kDone;
    const std::shared_ptr<const ProgramSubject> subject = readSubject(options, status);
    if (!subject) return status;
    if (!optionsAct(verb, options, subject->isKernel())) return kTrouble;
    const bool isWindow = options.view == kWindowView;
    const bool isReport = options.json || !options.page.empty() || (!options.view.empty() && !isWindow);
    if (isReport) {
        InspectedProgram without = options;
        if (isWindow) without.view.clear();
        status = report(without, *subject);
    }
    return status == kDone && (!isReport || isWindow) ? showWindow(options, subject) : status;
}

}  // namespace tessera::tools
