#include "shader-core/jit/store/code_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>

#include <llvm/Config/llvm-config.h>
#include <llvm/Support/SHA256.h>

#include "build_id.h"
#include "shader-core/jit/codegen/compiler.h"
#include "shader-core/jit/host.h"

namespace tessera::jit {

namespace {

/// Everything that decides the code of a program.
CacheKey keyOf(const isa::Program& program, const Target& target) {
    llvm::SHA256 hash;
    const auto add = [&](const void* bytes, size_t size) {
        hash.update(llvm::ArrayRef(static_cast<const uint8_t*>(bytes), size));
    };
    const auto number = [&](uint64_t x) { add(&x, sizeof x); };
    hash.update(llvm::StringRef(kBuildId));
    hash.update(llvm::StringRef(kHostTriple));
    hash.update(llvm::StringRef(LLVM_VERSION_STRING));
    number(static_cast<uint64_t>(target.level));
    number(static_cast<uint64_t>(target.atMost));
    number(target.pair ? 1 : 0);
    number(static_cast<uint64_t>(program.stage));
    for (size_t d = 0; d < 3; ++d) number(target.block != nullptr ? (*target.block)[d] : 0);
    for (const uint64_t field : {program.tempCount, program.constantCount, program.inputMask, program.outputMask})
        number(field);
    number(program.code.size());
    for (const isa::Word& word : program.code) number(word.lo), number(word.hi);
    number(program.literals.size());
    for (const isa::Literal& literal : program.literals) {
        number(literal.reg);
        for (const uint32_t bits : literal.bits) number(bits);
    }
    return hash.final();
}

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
void tellPerf(const Loader::Code& code, const isa::Program& program, bool pair) {
    static std::mutex mutex;
    static std::atomic<int> number = 0;
    const std::scoped_lock lock(mutex);
    const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
    if (FILE* file = openPrivate(path); file != nullptr) {
        const char* stage = program.stage == isa::Stage::Vertex     ? "vertex"
                            : program.stage == isa::Stage::Fragment ? "fragment"
                                                                    : "compute";
        std::fprintf(file, "%llx %zx tessera_%s%s_%d\n",
                     static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(code.function)), code.bytes, stage,
                     pair ? "_pair" : "", number++);
        std::fclose(file);
    }
}

/// For the log.
class Stopwatch {
public:
    void log(const char* what, const isa::Program& program) const {
        if (logLevel() < 4) return;
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start_;
        std::fprintf(stderr, "tessera: jit: %s %zu instructions in %.2f ms\n", what, program.code.size(), time.count());
    }

private:
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

CacheKey CodeStore::keyFor(const isa::Program& program, const Target& target) const {
    return cache_.usable() ? keyOf(program, target) : CacheKey{};
}

Loader::CodePointer CodeStore::load(std::unique_ptr<llvm::MemoryBuffer> object, const isa::Program& program,
                                    const Target& target) {
    Loader::CodePointer code = loader_->load(std::move(object));
    if (options_.perf && code != nullptr) tellPerf(*code, program, target.pair);
    return code;
}

/// Null: not there.
Loader::CodePointer CodeStore::cached(const CacheKey& key, const isa::Program& program, const Target& target) {
    const Stopwatch watch;
    const std::optional<std::vector<char>> object = cache_.load(key);
    if (!object) return nullptr;
    Loader::CodePointer code =
        load(llvm::MemoryBuffer::getMemBufferCopy({object->data(), object->size()}), program, target);
    if (code != nullptr) watch.log("loaded", program);
    return code;
}

Loader::CodePointer CodeStore::get(const isa::Program& program, const Target& target) {
    if (loader_ == nullptr) return nullptr;
    const CacheKey key = keyFor(program, target);
    if (Loader::CodePointer code = cached(key, program, target); code != nullptr) return code;
    const Stopwatch watch;
    CompileResult result;
    if (!enterLlvm([&] { result = compile(program, target); }) || result.object == nullptr) return nullptr;
    cache_.store(key, {result.object->getBufferStart(), result.object->getBufferSize()});
    Loader::CodePointer code = load(std::move(result.object), program, target);
    watch.log("compiled", program);
    return code;
}

CodeStore::First CodeStore::firstCodeOf(const isa::Program& program) {
    const Target final{.level = options_.level, .atMost = options_.atMost};
    if (loader_ == nullptr || final.atMost != Effort::Full) return {get(program, final)};
    const CacheKey key = keyFor(program, final);
    if (Loader::CodePointer code = cached(key, program, final); code != nullptr) return {std::move(code)};
    const Stopwatch watch;
    CompileResult result;
    const Target quick{.level = options_.level, .atMost = Effort::Quick};
    if (!enterLlvm([&] { result = compile(program, quick); }) || result.object == nullptr) return {};
    // What is soon replaced is not worth a file.
    const bool isFinal = result.allowed != Effort::Full;
    if (isFinal) cache_.store(key, {result.object->getBufferStart(), result.object->getBufferSize()});
    First first{load(std::move(result.object), program, quick), isFinal};
    watch.log("quickly compiled", program);
    return first;
}

}  // namespace tessera::jit
