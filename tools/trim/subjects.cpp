#include "tools/trim/subjects.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/nearest.h"
#include "demos/kernels/suite.h"
#include "tools/commands/recording.h"
#include "tools/files.h"
#include "tools/model/workloads.h"
#include "tools/run/group_input.h"

namespace tessera::tools {

namespace fs = std::filesystem;

namespace {

/// Where the repository keeps programs, and what a report calls them.
struct Shelf {
    const char* folder;
    const char* group;
};
constexpr Shelf kShelves[] = {{"demos/kernels/programs", "kernels"},
                              {"demos/isa", "demos in the instruction set"},
                              {"demos/shaders", "demos in GLSL"}};

bool isProgram(const fs::path& file) {
    const std::string ending = file.extension().string();
    return ending == ".tsa" || ending == ".tsb" || ending == ".vert" || ending == ".frag";
}

/// "cube" of cube.vert.tsa, "phong" of phong.frag: vertex and fragment programs of one name belong together.
std::string stemOf(const fs::path& file) {
    const std::string name = file.filename().string();
    return name.substr(0, name.find('.'));
}

class Reader {
public:
    Reader(const SubjectOptions& options, int& status) : options_(options), status_(status) {}

    bool run() {
        if (!options_.profile.empty() && !readProfile()) return false;
        if (options_.all && !readShelves()) return false;
        for (const std::string& program : options_.programs)
            if (!(isFile(program) ? readFileOf(program) : readNamed(program))) return false;
        return true;
    }

    std::vector<TrimSubject> subjects;

private:
    bool fail(const std::string& message, int status = kTrouble) {
        fmt::print(stderr, "{}\n", message);
        status_ = status;
        return false;
    }

    static bool isFile(const std::string& program) {
        std::error_code ignored;
        return fs::path(program).has_extension() || program.find('/') != std::string::npos || program == "-" ||
               fs::is_regular_file(program, ignored);
    }

    bool addProgram(TrimSubject& subject, const std::string& file) {
        std::shared_ptr<const isa::Program> program = loadProgram(file, "", status_);
        if (!program) return false;
        subject.add({file, std::move(program)});
        return true;
    }

    bool readFileOf(const std::string& file) {
        TrimSubject subject{.name = file.ends_with(".tsc") ? stemOf(file) : fs::path(file).filename().string(),
                            .group = "programs"};
        if (isCommandStream(file)) {
            subject.group = "recorded frames";
            subject.work = file;
            if (!addRecording(subject, file)) return false;
        } else if (!addProgram(subject, file)) {
            return false;
        }
        subjects.push_back(std::move(subject));
        return true;
    }

    /// The programs of a recorded command stream, as they were linked.
    bool addRecording(TrimSubject& subject, const std::string& file) {
        const std::optional<Recording> recording = readRecording(file, status_);
        if (!recording) return false;
        size_t number = 0;  // of programs that the application has no name for, as kernels
        for (const auto& program : recording->stream.programs) {
            ++number;
            for (const isa::Stage stage : {isa::Stage::Vertex, isa::Stage::Fragment, isa::Stage::Compute})
                if (const auto& code = program->stages[stage].program)
                    subject.add(
                        {fmt::format("{}, program {}", file, program->name != 0 ? program->name : number), code});
        }
        if (subject.members.empty())
            return fail(fmt::format("{}: error: no program in the recording", file), kWrongInput);
        return true;
    }

    /// Files of the repository by the name they share.
    static std::map<std::string, std::vector<fs::path>> filesOf(const fs::path& folder) {
        std::map<std::string, std::vector<fs::path>> files;
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(folder, ignored))
            if (isProgram(entry.path())) files[stemOf(entry.path())].push_back(entry.path());
        for (auto& [stem, paths] : files) std::ranges::sort(paths);
        return files;
    }

    bool readNamed(const std::string& name) {
        std::vector<std::string> known;
        for (const auto& [folder, group] : kShelves) {
            const auto files = filesOf(fs::path(options_.root) / folder);
            if (const auto found = files.find(name); found != files.end())
                return readTogether(name, group, found->second);
            for (const auto& [stem, paths] : files) known.push_back(stem);
        }
        if (!known.empty())
            for (const kernels::Row& row : kernels::suite()) {
                if (row.name == name) return readKernel(row);
                known.emplace_back(row.name);
            }
        const std::vector<std::string_view> names(known.begin(), known.end());
        const std::string_view near = nearest(names, name);
        if (known.empty())
            return fail(
                fmt::format("{}: error: no such file; names are looked up in the repository: give its folder "
                            "with --root",
                            name));
        return fail(fmt::format("{}: error: neither a file nor a kernel or demo of {}{}", name, options_.root,
                                near.empty() ? "" : fmt::format("; did you mean {}?", near)));
    }

    /// The programs that a kernel of the suite launches.
    bool readKernel(const kernels::Row& row) {
        TrimSubject subject{.name = std::string(row.name), .group = kShelves[0].group, .work = std::string(row.name)};
        std::set<std::string> launched;
        for (const kernels::Step& step : row.make(kernels::Scale::Small).steps)
            if (launched.insert(step.kernel).second && !addProgram(subject, fileOf(step.kernel))) return false;
        subjects.push_back(std::move(subject));
        return true;
    }

    [[nodiscard]] std::string fileOf(const std::string& kernel) const {
        return (fs::path(options_.root) / kShelves[0].folder / (kernel + ".tsa")).string();
    }

    bool readTogether(const std::string& name, const std::string& group, const std::vector<fs::path>& files) {
        TrimSubject subject{.name = name, .group = group};
        for (const fs::path& file : files)
            if (!addProgram(subject, file.string())) return false;
        if (group == kShelves[0].group && kindOfWorkload(name) == WorkloadKind::Kernel) subject.work = name;
        const auto measured = executed_.find(name);
        if (group == kShelves[0].group && measured != executed_.end() && !count(subject, measured->second))
            return false;
        subjects.push_back(std::move(subject));
        return true;
    }

    /// All of the repository. With a profile its applications instead of single kernels.
    bool readShelves() {
        const size_t before = subjects.size();
        for (const auto& [folder, group] : kShelves) {
            if (group == kShelves[0].group && !applications_.empty()) {
                for (const Application& application : applications_)
                    if (!readApplication(application)) return false;
                continue;
            }
            for (const auto& [stem, files] : filesOf(fs::path(options_.root) / folder))
                if (!readTogether(stem, group, files)) return false;
        }
        if (subjects.size() > before) return true;
        return fail(fmt::format("{}: error: no kernels or demos below it; give the repository's folder with --root",
                                options_.root));
    }

    struct Application {
        std::string name, seed;
        std::map<std::string, std::vector<uint64_t>> programs;
    };

    bool readApplication(const Application& application) {
        TrimSubject subject{.name = application.name, .group = fmt::format("kernels of seed {}", application.seed)};
        for (const auto& [program, executed] : application.programs)
            if (!addProgram(subject, fileOf(program))) return false;
        if (!count(subject, application.programs)) return false;
        subjects.push_back(std::move(subject));
        return true;
    }

    /// What the profile says of the subject's programs.
    bool count(TrimSubject& subject, const std::map<std::string, std::vector<uint64_t>>& programs) {
        model::InstructionCounts counts;
        for (const TrimSubject::Member& member : subject.members) {
            const std::string stem = stemOf(member.file);
            const auto found = programs.find(stem);
            if (found == programs.end()) return true;
            if (found->second.size() != member.program->code.size())
                return fail(
                    fmt::format("{}: error: {} has {} instructions there and {} in {}; make the profile anew",
                                options_.profile, stem, found->second.size(), member.program->code.size(), member.file),
                    kWrongInput);
            counts.add(model::countsOf(*member.program, found->second));
        }
        subject.executed = counts;
        return true;
    }

    bool readProfile() {
        const std::optional<std::string> text = readFile(options_.profile);
        if (!text) return status_ = kTrouble, false;
        const auto json = nlohmann::json::parse(*text, nullptr, false);
        try {
            for (const auto& entry : json.at("applications")) {
                Application application{entry.at("name"), entry.at("seed"), {}};
                for (const auto& [program, executed] : entry.at("programs").items())
                    application.programs[program] = executed.get<std::vector<uint64_t>>();
                for (const auto& [program, executed] : application.programs) {
                    if (program.find_first_of("/\\") != std::string::npos) throw std::out_of_range("a program's name");
                    if (application.programs.size() == 1) executed_.try_emplace(program, application.programs);
                }
                applications_.push_back(std::move(application));
            }
        } catch (const std::exception&) {
            return fail(fmt::format("{}: error: no profile; `kernels --profile FILE` writes one", options_.profile),
                        kWrongInput);
        }
        return true;
    }

    const SubjectOptions& options_;
    int& status_;
    std::vector<Application> applications_;
    std::map<std::string, std::map<std::string, std::vector<uint64_t>>> executed_;  ///< of kernels that run alone
};

}  // namespace

void TrimSubject::add(Member member) {
    needs.add(model::needsOf(*member.program));
    code.add(model::countsOf(*member.program));
    members.push_back(std::move(member));
}

std::optional<std::vector<TrimSubject>> readSubjects(const SubjectOptions& options, int& status) {
    Reader reader(options, status);
    if (!reader.run()) return std::nullopt;
    return std::move(reader.subjects);
}

}  // namespace tessera::tools
