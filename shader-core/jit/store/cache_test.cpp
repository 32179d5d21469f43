// The disk cache: what is stored comes back, damage is a miss, killed and competing processes do no harm.
#include "shader-core/jit/store/cache.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "base/process/env.h"
#include "shader-core/interp/testing/group.h"
#include "shader-core/jit/baseline/baseline.h"
#include "shader-core/jit/codegen/linked_jit.h"

using namespace tessera;
using namespace tessera::jit;
namespace fs = std::filesystem;

namespace {

/// A directory that goes with the test.
struct Directory {
    std::string path;
    Directory() {
        std::string pattern = (fs::temp_directory_path() / "tessera-cache-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()) != nullptr);
        path = pattern;
    }
    ~Directory() { fs::remove_all(path); }
    [[nodiscard]] size_t files() const {
        return static_cast<size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
    }
};

/// There is no compiler; counts how often somebody asks for one.
struct NoCompiler {
    int& loads;
    Compiler operator()() const {
        ++loads;
        return nullptr;
    }
};

std::vector<char> key(uint8_t number) {
    std::vector<char> k(300);
    k[0] = static_cast<char>(number), k[299] = 7;
    return k;
}

std::vector<char> image(uint32_t seed, size_t size) {
    std::vector<char> bytes(size);
    for (char& byte : bytes) byte = static_cast<char>((seed = seed * 1664525 + 1013904223) >> 24);
    return bytes;
}

std::vector<char> contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void replace(const std::string& path, const std::vector<char>& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::shared_ptr<isa::Program> sampleProgram(uint32_t constant) {
    using interp::make;
    isa::Instruction add = make(isa::Op::Add, isa::Type::F32, isa::File::O, 0,
                                {interp::reg(isa::File::V, 0), interp::reg(isa::File::I, 0)});
    add.immediate = constant;
    return interp::makeProgram({add, interp::control(isa::Op::Ret)});
}

void runSample(isa::Executor& executor, uint32_t constant) {
    const auto program = sampleProgram(constant);
    const auto routine = executor.prepare(program);
    REQUIRE(routine != nullptr);
    executor.refine(*routine, *program);
    interp::TestGroup group;
    for (float& x : group.inputs[0].lane[2]) x = 0.25f;
    routine->run(group.run);
    for (int lane = 0; lane < 32; ++lane)
        CHECK(group.outputs[0].lane[2][lane] == 0.25f + __builtin_bit_cast(float, constant));
}

}  // namespace

TEST_CASE("what is stored comes back, also to another cache of the directory") {
    const Directory directory;
    CodeCache cache(directory.path + "/made/below/");
    REQUIRE(cache.usable());
    for (const size_t size : {size_t{0}, size_t{1}, size_t{7}, size_t{8}, size_t{100000}}) {
        const auto bytes = image(3, size);
        CHECK(!cache.load(key(static_cast<uint8_t>(size))));
        cache.store(key(static_cast<uint8_t>(size)), bytes);
        const auto back = CodeCache(directory.path + "/made/below").load(key(static_cast<uint8_t>(size)));
        REQUIRE(back.has_value());
        CHECK(*back == bytes);
    }
    CHECK(!cache.load(key(99)));
}

TEST_CASE("every kind of damage is a miss and removes the file") {
    const Directory directory;
    CodeCache cache(directory.path);
    const auto bytes = image(5, 1000);
    cache.store(key(1), bytes);
    const std::string path = cache.pathOf(key(1));
    const std::vector<char> good = contents(path);
    REQUIRE(good.size() > bytes.size());
    const auto isMiss = [&](const std::vector<char>& damaged) {
        replace(path, damaged);
        const bool miss = !cache.load(key(1)).has_value();
        return miss && !fs::exists(path);
    };
    for (size_t at = 0; at < good.size(); at += at < 64 ? 1 : 37) {
        std::vector<char> damaged = good;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        CHECK(isMiss(damaged));
    }
    for (size_t length = 0; length < good.size(); length += 41)
        CHECK(isMiss({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)}));
    std::vector<char> longer = good;
    longer.push_back(0);
    CHECK(isMiss(longer));
    // A whole file under the wrong name.
    cache.store(key(2), bytes);
    fs::rename(cache.pathOf(key(2)), path);
    CHECK(!cache.load(key(1)));
    cache.store(key(1), bytes);
    CHECK(cache.load(key(1)) == bytes);
}

TEST_CASE("what is no file is a miss, without waiting for its other end") {
    const Directory directory;
    CodeCache cache(directory.path);
    const std::string path = cache.pathOf(key(1));
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    alarm(20);  // ends the test that waits
    CHECK(!cache.load(key(1)));
    alarm(0);
    cache.store(key(1), image(3, 1000));
    CHECK(cache.load(key(1)) == image(3, 1000));
}

TEST_CASE("a file that may not grow is not stored, and no signal tells of it") {
    const Directory directory;
    const pid_t child = fork();
    if (child == 0) {
        const rlimit limit{1000, 1000};
        setrlimit(RLIMIT_FSIZE, &limit);
        CodeCache cache(directory.path);
        cache.store(key(1), image(3, 100));
        cache.store(key(2), image(3, 5000));
        sigset_t blocked, pending;
        pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
        sigpending(&pending);
        const bool signalled = sigismember(&blocked, SIGXFSZ) == 1 || sigismember(&pending, SIGXFSZ) == 1;
        _exit(signalled ? 1 : 0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(directory.files() == 1);
    CHECK(CodeCache(directory.path).load(key(1)) == image(3, 100));
}

TEST_CASE("directories that cannot be used make a cache that is empty") {
    const Directory directory;
    const std::string shared = directory.path + "/shared";
    fs::create_directory(shared);
    chmod(shared.c_str(), 0777);
    std::ofstream(directory.path + "/file") << "x";
    for (const std::string& path : {std::string(), shared, directory.path + "/file", std::string("/proc/none/here")}) {
        CodeCache cache(path);
        CHECK(!cache.usable());
        cache.store(key(1), image(1, 10));
        CHECK(!cache.load(key(1)));
    }
}

TEST_CASE("the least recently used files go when the limit is exceeded; abandoned temporary files go too") {
    const Directory directory;
    CodeCache cache(directory.path, 10000);
    for (uint8_t k = 0; k < 12; ++k) {
        cache.store(key(k), image(k, 1000));
        const auto age = std::chrono::hours(100 - k);
        fs::last_write_time(cache.pathOf(key(k)), fs::file_time_type::clock::now() - age);
    }
    REQUIRE(cache.load(key(0)).has_value());  // used now: the youngest
    const std::string abandoned = cache.pathOf(key(50)) + ".tmp1.1", fresh = cache.pathOf(key(50)) + ".tmp1.2";
    std::ofstream(abandoned) << "x";
    std::ofstream(fresh) << "x";
    fs::last_write_time(abandoned, fs::file_time_type::clock::now() - std::chrono::hours(1));
    cache.evict();
    CHECK(cache.load(key(0)).has_value());
    CHECK(!cache.load(key(1)));
    CHECK(!cache.load(key(5)));
    CHECK(cache.load(key(11)).has_value());
    CHECK(!fs::exists(abandoned));
    CHECK(fs::exists(fresh));
}

TEST_CASE("what is stored is looked through now and then, so that the limit holds, though each process stores little") {
    const Directory directory;
    for (uint32_t k = 0; k < 2000; ++k) {
        const std::string name = "key " + std::to_string(k);
        CodeCache(directory.path, 100'000).store(name, image(1, 1000));
    }
    uint64_t total = 0;
    for (const auto& entry : fs::directory_iterator(directory.path)) total += entry.file_size();
    CHECK(total >= 75'000);
    CHECK(total < 1'000'000);  // some hundreds may come between two looks
}

TEST_CASE("a cache that is told nothing else holds 256 MB") {
    const Directory directory;
    const CodeCache cache(directory.path);
    const auto place = [&](uint8_t number, uint64_t size) {
        std::ofstream(cache.pathOf(key(number))).flush();
        fs::resize_file(cache.pathOf(key(number)), size);  // of holes, which take no space
    };
    place(1, uint64_t{156} << 20);
    place(2, uint64_t{100} << 20);
    cache.evict();
    CHECK(directory.files() == 2);
    place(2, (uint64_t{100} << 20) + 1);
    cache.evict();
    CHECK(directory.files() == 1);
}

TEST_CASE("two processes write and read the same keys") {
    const Directory directory;
    const auto work = [&](uint32_t seed) {
        CodeCache cache(directory.path, 200000);
        bool good = true;
        for (uint32_t k = 0; k < 1500; ++k) {
            const uint8_t number = static_cast<uint8_t>((k * 7 + seed) % 40);
            if (const auto back = cache.load(key(number)))
                good &= *back == image(number, 8000);
            else
                cache.store(key(number), image(number, 8000));
        }
        return good;
    };
    pid_t children[2];
    for (uint32_t c = 0; c < 2; ++c) {
        children[c] = fork();
        REQUIRE(children[c] >= 0);
        if (children[c] == 0) _exit(work(c) ? 0 : 1);
    }
    for (const pid_t child : children) {
        int status = -1;
        waitpid(child, &status, 0);
        CHECK(status == 0);
    }
}

TEST_CASE("a process killed while it writes leaves a cache that works") {
    const Directory directory;
    for (int round = 0; round < 25; ++round) {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            CodeCache cache(directory.path);
            for (uint32_t k = 0;; ++k) cache.store(key(static_cast<uint8_t>(k % 8)), image(k % 8, 3000000));
        }
        std::this_thread::sleep_for(std::chrono::microseconds(500 + 700 * round));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        CodeCache cache(directory.path);
        for (uint8_t k = 0; k < 8; ++k)
            if (const auto back = cache.load(key(k))) CHECK(*back == image(k, 3000000));
    }
    CodeCache cache(directory.path);
    cache.store(key(1), image(9, 10));
    CHECK(cache.load(key(1)) == image(9, 10));
}

TEST_CASE("the JIT fills the cache, uses it, and survives rubbish in it") {
    const Directory directory;
    Options options;
    options.cacheDirectory = directory.path;
    const uint32_t half = 0x3f000000, two = 0x40000000;
    // The program, and that it has no pair: of the least level's registers there are too few.
    runSample(*makeJit(options), half);
    REQUIRE(directory.files() == 2);
    std::string path;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory.path))
        if (path.empty() || entry.file_size() > fs::file_size(path)) path = entry.path();
    const auto written = fs::last_write_time(path);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    runSample(*makeJit(options), half);
    CHECK(directory.files() == 2);
    CHECK(fs::last_write_time(path) > written);  // a hit is a use
    runSample(*makeJit(options), two);
    CHECK(directory.files() == 4);

    // Rubbish with a right header: the image is refused, compiled anew and replaced.
    const std::vector<char> file = contents(path);
    uint64_t keyBytes = 0;
    std::memcpy(&keyBytes, file.data() + 8, sizeof keyBytes);
    const auto keyFrom = file.begin() + 32;
    const std::vector<char> name(keyFrom, keyFrom + static_cast<std::ptrdiff_t>(keyBytes));
    REQUIRE(CodeCache(directory.path).pathOf(name) == path);
    CodeCache(directory.path).store(name, image(1, 5000));
    runSample(*makeJit(options), half);
    CHECK(contents(path) == file);
    // One program on the least level and another on all levels.
    for (const SimdLevel level : simdLevels()) {
        options.level = level;
        runSample(*makeJit(options), half);
    }
    CHECK(directory.files() == 2 + 2 * simdLevels().size());
}

TEST_CASE("what is on the disk, a refusal too, needs no compiler") {
    const Directory directory;
    Options options;
    options.cacheDirectory = directory.path;
    const uint32_t half = 0x3f000000;
    int loads = 0;
    const NoCompiler noCompiler{loads};
    CHECK(makeJit(options, noCompiler)->prepare(sampleProgram(half)) == nullptr);
    CHECK(loads == 1);
    CHECK(directory.files() == 0);  // nobody has refused it
    runSample(*makeJit(options), half);
    runSample(*makeJit(options, noCompiler), half);
    CHECK(loads == 1);
}

TEST_CASE("code that takes no compiler is not kept, and refined as other code") {
    const Directory directory;
    Options options;
    options.cacheDirectory = directory.path;
    const auto program = sampleProgram(0x3f000000);
    int loads = 0;
    const NoCompiler noCompiler{loads};
    const auto jit = makeJit(options);
    const isa::KeptRoutine baseline = jit->prepareKept(*program);
    CHECK((baseline.routine != nullptr) == kHasBaseline);
    if (!kHasBaseline) return;
    CHECK(!baseline.isWhole);
    CHECK(directory.files() == 0);
    const isa::BlockFunction first = baseline.routine->blockCode().function;
    CHECK((first != nullptr));
    jit->refine(*baseline.routine, *program);
    CHECK((baseline.routine->blockCode().function != first));
    CHECK(directory.files() == 2);  // the program, and that it has no pair

    // It stands for code that the compiler refuses, too: there is none better.
    const std::string refused = directory.path + "/refused";
    fs::create_directory(refused);
    options.cacheDirectory = refused;
    const Compiler refuses = [](const isa::Program&, const Target&, CompileResult& result) { result.refusal = "no"; };
    CHECK(makeJit(options, [&] { return refuses; })->prepare(program) == nullptr);
    const isa::KeptRoutine instead = makeJit(options, noCompiler)->prepareKept(*program);
    CHECK(instead.routine != nullptr);
    CHECK(instead.isWhole);
    CHECK(loads == 0);

    // Without a compiler it stays as it is; alone it needs none.
    options.cacheDirectory.clear();
    const auto without = makeJit(options, noCompiler);
    const isa::KeptRoutine stays = without->prepareKept(*program);
    REQUIRE(stays.routine != nullptr);
    const isa::BlockFunction before = stays.routine->blockCode().function;
    without->refine(*stays.routine, *program);
    CHECK((stays.routine->blockCode().function == before));
    CHECK(loads == 1);
    options.baseline = Baseline::Only;
    const auto only = makeJit(options, noCompiler);
    const auto routine = only->prepare(program);
    REQUIRE(routine != nullptr);
    only->refine(*routine, *program);
    CHECK(only->prepareKernel(program, {32, 1, 1}) == nullptr);
    CHECK(loads == 1);
}

TEST_CASE("code made soon is kept for a process that ends before there is better, and stands for no better") {
    const Directory directory;
    Options options;
    options.baseline = Baseline::Never;
    options.cacheDirectory = directory.path;
    const auto program = sampleProgram(0x3f000000);
    int loads = 0;
    const NoCompiler noCompiler{loads};
    CHECK(makeJit(options, noCompiler)->prepareKept(*program).routine == nullptr);
    CHECK(!makeJit(options, noCompiler)->prepareKept(*program).isWhole);
    CHECK(makeJit(options)->prepareFirst(program) != nullptr);
    CHECK(directory.files() == 1);
    CHECK(makeJit(options, noCompiler)->prepareFirst(program) != nullptr);
    CHECK(makeJit(options, noCompiler)->prepare(program) == nullptr);  // asks for better
    CHECK(loads == 1);
    CHECK(makeJit(options, noCompiler)->prepareKept(*program).routine != nullptr);
    CHECK(loads == 1);

    // What is kept is refined, once: the program, and that it has no pair.
    const auto jit = makeJit(options);
    const isa::KeptRoutine kept = jit->prepareKept(*program);
    REQUIRE(kept.routine != nullptr);
    CHECK(!kept.isWhole);
    const isa::BlockFunction first = kept.routine->blockCode().function;
    jit->refine(*kept.routine, *program);
    CHECK((kept.routine->blockCode().function != first));
    CHECK(directory.files() == 3);
    const isa::KeptRoutine whole = makeJit(options, noCompiler)->prepareKept(*program);
    CHECK(whole.routine != nullptr);
    CHECK(whole.isWhole);
    CHECK(loads == 1);
}

TEST_CASE("code whose pair was never asked for is kept, and not whole") {
    const Directory directory;
    Options options;
    options.cacheDirectory = directory.path;
    const auto program = sampleProgram(0x3f000000);
    CHECK(makeJit(options)->prepare(program) != nullptr);
    const auto jit = makeJit(options);
    const isa::KeptRoutine kept = jit->prepareKept(*program);
    REQUIRE(kept.routine != nullptr);
    CHECK(!kept.isWhole);
    const isa::BlockFunction final = kept.routine->blockCode().function;
    jit->refine(*kept.routine, *program);
    CHECK((kept.routine->blockCode().function == final));
    CHECK(jit->prepareKept(*program).isWhole);
}

TEST_CASE("names for perf are written to a file of the process's own, never through a link") {
    const Directory directory;
    const std::string map = "/tmp/perf-" + std::to_string(getpid()) + ".map", target = directory.path + "/target";
    Options options;
    options.perf = true;
    const auto run = [&] { runSample(*makeJit(options), 0x3f000000); };
    fs::remove(map);
    fs::create_symlink(target, map);
    run();
    CHECK(!fs::exists(target));
    std::ofstream(target) << "old\n";
    run();
    fs::remove(map);
    fs::create_hard_link(target, map);
    run();
    CHECK(fs::file_size(target) == 4);
    fs::remove(map);
    run();
    CHECK(fs::file_size(map) > 0);
    fs::remove(map);
}

TEST_CASE("the cache is below the user's home, unless there is none") {
    const Directory directory;
    const char* const names[] = {"TESSERA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
    std::optional<std::string> before[3];
    for (int i = 0; i < 3; ++i) {
        if (const char* value = std::getenv(names[i]); value != nullptr) before[i] = value;
        unsetenv(names[i]);
    }
    const auto folder = [] { return optionsFromEnvironment(simdLevel()).cacheDirectory; };
    CHECK(folder().empty());
    setenv("HOME", directory.path.c_str(), 1);
    CHECK(folder() == directory.path + "/.cache/tessera");
    setenv("HOME", (directory.path + "/none").c_str(), 1);
    CHECK(folder().empty());
    setenv("XDG_CACHE_HOME", "/somewhere", 1);
    CHECK(folder() == "/somewhere/tessera");
    setenv("TESSERA_CACHE_DIR", "", 1);
    CHECK(folder().empty());
    for (int i = 0; i < 3; ++i) {
        unsetenv(names[i]);
        if (before[i].has_value()) setenv(names[i], before[i]->c_str(), 1);
    }
}
