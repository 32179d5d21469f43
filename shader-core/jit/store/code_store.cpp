#include "shader-core/jit/store/code_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>

#include "base/process/report.h"
#include "base/process/signals.h"
#include "build_id.h"

namespace tessera::jit {

namespace {

constexpr std::string_view kProcessor =
#if defined(__x86_64__)
    "x86_64";
#elif defined(__aarch64__)
    "aarch64";
#endif

/// Null unless the file is ours alone: everybody can make files and links of that name first.
FILE* openPrivate(const std::string& path) {
    const int descriptor =
        open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    struct stat info{};
    const bool isOurs = descriptor >= 0 && fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) &&
                        info.st_uid == geteuid() && info.st_nlink == 1;
    FILE* file = isOurs ? fdopen(descriptor, "a") : nullptr;
    if (file == nullptr && descriptor >= 0) close(descriptor);
    return file;
}

/// One line of /tmp/perf-PID.map, which `perf report` reads for code without a file.
void tellPerf(const MachineCode& code, const isa::Program& program, bool pair) {
    static std::mutex mutex;
    static std::atomic<int> number = 0;
    const std::scoped_lock lock(mutex);
    const WriteSignalsBlocked noSignal;
    const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
    if (FILE* file = openPrivate(path); file != nullptr) {
        const char* stage = program.stage == isa::Stage::Vertex     ? "vertex"
                            : program.stage == isa::Stage::Fragment ? "fragment"
                                                                    : "compute";
        std::fprintf(file, "%llx %zx tessera_%s%s_%d\n",
                     static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(code.function())),
                     code.functionBytes(), stage, pair ? "_pair" : "", number++);
        std::fclose(file);
    }
}

/// For the log.
class Stopwatch {
public:
    void log(const char* what, const isa::Program& program) const {
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start_;
        report(Severity::Debug, "jit: %s %zu instructions in %.2f ms", what, program.code.size(), time.count());
    }

private:
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::vector<char> CodeStore::keyOf(const isa::Program& program, const Target& target) const {
    std::vector<char> key;
    if (!cache_.usable()) return key;
    const auto text = [&](std::string_view x) { key.insert(key.end(), x.begin(), x.end()); };
    const auto number = [&](uint64_t x) { text({reinterpret_cast<const char*>(&x), sizeof x}); };
    text(kBuildId);
    text(kProcessor);
    number(static_cast<uint64_t>(target.level));
    number(static_cast<uint64_t>(target.atMost));
    number(target.pair ? 1 : 0);
    number(static_cast<uint64_t>(program.stage));
    for (size_t d = 0; d < 3; ++d) number(target.block != nullptr ? (*target.block)[d] : 0);
    for (const uint64_t field : {uint64_t{program.tempCount}, uint64_t{program.constantCount}, program.inputMask.bits(),
                                 program.outputMask.bits()})
        number(field);
    number(program.code.size());
    for (const isa::Word& word : program.code) number(word.lo), number(word.hi);
    number(program.literals.size());
    for (const isa::Literal& literal : program.literals) {
        number(literal.reg);
        for (const uint32_t bits : literal.bits) number(bits);
    }
    return key;
}

CodePointer CodeStore::load(std::span<const char> image, const isa::Program& program, const Target& target) {
    CodePointer code = MachineCode::load(image, target.level);
    if (options_.perf && code != nullptr) tellPerf(*code, program, target.pair);
    return code;
}

std::optional<CodePointer> CodeStore::cached(std::span<const char> key, const isa::Program& program,
                                             const Target& target) {
    const Stopwatch watch;
    const std::optional<std::vector<char>> image = cache_.load(key);
    if (!image) return std::nullopt;
    if (image->empty()) return CodePointer();
    CodePointer code = load(*image, program, target);
    if (code == nullptr) return std::nullopt;
    watch.log("loaded", program);
    return code;
}

CompileResult CodeStore::compile(const isa::Program& program, const Target& target) {
    CompileResult result;
    if (const Compiler compile = compiler(); compile != nullptr) compile(program, target, result);
    return result;
}

/// Refusals too: finding out that a program is too large takes long.
void CodeStore::keep(std::span<const char> key, const CompileResult& result) {
    if (!result.image.empty() || !result.refusal.empty()) cache_.store(key, result.image);
}

CodePointer CodeStore::get(const isa::Program& program, const Target& target) {
    const std::vector<char> key = keyOf(program, target);
    if (std::optional<CodePointer> code = cached(key, program, target)) return std::move(*code);
    const Stopwatch watch;
    const CompileResult result = compile(program, target);
    keep(key, result);
    if (result.image.empty()) return nullptr;
    CodePointer code = load(result.image, program, target);
    watch.log("compiled", program);
    return code;
}

std::optional<CodeStore::First> CodeStore::cachedFirst(const isa::Program& program) {
    if (std::optional<CodePointer> code = cached(program, finalTarget())) return First{std::move(*code)};
    if (!makesQuickCode()) return std::nullopt;
    if (std::optional<CodePointer> code = cached(program, quickTarget())) return First{std::move(*code), false};
    return std::nullopt;
}

CodeStore::First CodeStore::firstCodeOf(const isa::Program& program) {
    if (!makesQuickCode()) return {get(program, finalTarget())};
    if (std::optional<First> first = cachedFirst(program)) return std::move(*first);
    const Stopwatch watch;
    const CompileResult result = compile(program, quickTarget());
    const bool isFinal = result.allowed != Effort::Full;
    // First code too: a process may end before there is other.
    keep(keyOf(program, isFinal ? finalTarget() : quickTarget()), result);
    if (result.image.empty()) return {};
    First first{load(result.image, program, quickTarget()), isFinal};
    watch.log("quickly compiled", program);
    return first;
}

CodePointer CodeStore::baselineCodeOf(const isa::Program& program) {
    const Stopwatch watch;
    const std::vector<char> image = baselineImage(program, options_.level);
    if (image.empty()) return nullptr;
    CodePointer code = load(image, program, quickTarget());
    watch.log("wrote", program);
    return code;
}

CodeStore::Kept CodeStore::keptCodeOf(const isa::Program& program) {
    Kept kept;
    std::optional<First> first = cachedFirst(program);
    if (!first) return kept;
    kept.first = std::move(*first);
    if (!kept.first.isFinal) return kept;
    // What is refused has no pair.
    std::optional<CodePointer> pair = kept.first.code == nullptr ? CodePointer() : cached(program, pairTarget());
    kept.isWhole = pair.has_value();
    if (pair) kept.pair = std::move(*pair);
    return kept;
}

std::optional<CodePointer> CodeStore::keptCodeOf(const isa::Program& program, const ThreadBlockSize& block) {
    return cached(program, {.level = options_.level, .block = &block, .atMost = options_.atMost});
}

}  // namespace tessera::jit
