// The environment: what is reported, and that the README shows the same table.
#include "base/process/env.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

using namespace tessera;

namespace {

constexpr SimdLevel kBest = kSimdLevels[kSimdLevelCount - 1];

/// The report of an environment, one problem on each line; "!" before those that no host takes.
std::string report(std::vector<const char*> entries, SimdLevel host = kBest) {
    entries.push_back(nullptr);
    std::string text;
    for (const EnvProblem& p : envProblems(entries.data(), host)) text += (p.invalid ? "!" : "") + p.text() + "\n";
    return text;
}

}  // namespace

TEST_CASE("values that are accepted are not reported") {
    CHECK(report({"TESSERA_THREADS=1", "TESSERA_TIER=tiered", "TESSERA_STATS=1", "TESSERA_PERF=off", "TESSERA_LOG=0",
                  "TESSERA_CACHE_DIR=", "TESSERA_TRACE=/tmp/x", "TESSERA_TEXTURE_FRAME=12", "TESSERA_PRESET=asan",
                  "TESSERA_COMMANDS_FRAME=3", "TESSERA_COMMANDS_FRAME=3-5", "TESSERA_RANDOM_SEED=5",
                  "TESSERA_PREFIX=/opt", "TESSERA_THREADS=", "HOME=/", "TESSERACT=1"}) == "");
}

TEST_CASE("wrong values are named, with what is accepted and what is used") {
    CHECK(report({"TESSERA_THREADS=many"}) ==
          "!TESSERA_THREADS: 'many' is no number from 1 to 64; the default is used: the processors it may use\n");
    CHECK(report({"TESSERA_THREADS=0"}) == "!TESSERA_THREADS: '0' is no number from 1 to 64; 1 is used\n");
    CHECK(report({"TESSERA_THREADS=65"}) == "!TESSERA_THREADS: '65' is no number from 1 to 64; 64 is used\n");
    CHECK(report({"TESSERA_THREADS=4 "}) ==
          "!TESSERA_THREADS: '4 ' is no number from 1 to 64; the default is used: the processors it may use\n");
    CHECK(
        report({"TESSERA_TIER=fast"}) ==
        "!TESSERA_TIER: 'fast' is none of interp, baseline, jit, tiered; the default is used: tiered (kernels: jit)\n");
    CHECK(report({"TESSERA_SIMD=avx2"}) ==
          "!TESSERA_SIMD: 'avx2' is none of v2, v3, v4, neon; the default is used: the best the host has\n");
    CHECK(report({"TESSERA_STATS=maybe"}) == "!TESSERA_STATS: 'maybe' is neither 0 nor 1; the default is used: 0\n");
    CHECK(report({"TESSERA_PERF=2"}) == "!TESSERA_PERF: '2' is neither 0 nor 1; the default is used: 0\n");
    CHECK(report({"TESSERA_LOG=debug"}) == "!TESSERA_LOG: 'debug' is no number from 0 to 4; the default is used: 1\n");
    CHECK(report({"TESSERA_TEXTURE_FRAME=0"}) ==
          "!TESSERA_TEXTURE_FRAME: '0' is no number from 1 to 1000000000; 1 is used\n");
    for (const char* range : {"0", "3-", "5-3", "3-5-7", "-3", "all"})
        CHECK(report({(std::string("TESSERA_COMMANDS_FRAME=") + range).c_str()}) ==
              "!TESSERA_COMMANDS_FRAME: '" + std::string(range) +
                  "' is no frame, nor a range of frames as 3-5; the default is used: all\n");
    CHECK(report({"TESSERA_LOG=\x1b[31m"}).find("'?[31m'") != std::string::npos);
}

TEST_CASE("a level the processor does not have is reported, and is no error") {
#if defined(__x86_64__)
    CHECK(report({"TESSERA_SIMD=v4"}, SimdLevel::v3) == "TESSERA_SIMD: this processor has no v4; x86-64-v3 is used\n");
    CHECK(report({"TESSERA_SIMD=v3"}, SimdLevel::v3) == "");
    CHECK(report({"TESSERA_SIMD=neon"}) == "TESSERA_SIMD: this processor has no neon; x86-64-v4 is used\n");
#else
    CHECK(report({"TESSERA_SIMD=v2"}) == "TESSERA_SIMD: this processor has no v2; aarch64-neon is used\n");
    CHECK(report({"TESSERA_SIMD=neon"}) == "");
#endif
}

TEST_CASE("names that are no variables are reported with the one that was meant") {
    CHECK(report({"TESSERA_THREAD=2"}) == "TESSERA_THREAD: there is no such variable; did you mean TESSERA_THREADS?\n");
    CHECK(report({"TESSERA_SMID=v3"}) == "TESSERA_SMID: there is no such variable; did you mean TESSERA_SIMD?\n");
    CHECK(report({"TESSERA_COLOUR=1", "TESSERA_COMMIT=main"}) == "");  // somebody else's
}

TEST_CASE("the README has a row for each variable, and no other") {
    std::ostringstream readme;
    readme << std::ifstream(std::string(TESSERA_SOURCE_DIR) + "/README.md").rdbuf();
    std::string table = "| environment | values | default | meaning |\n|---|---|---|---|\n";
    for (const EnvVariable& v : envVariables()) {
        table += "| `" + std::string(v.name) + "` | " + std::string(v.accepted) + " | " + std::string(v.byDefault) +
                 " | " + std::string(v.meaning) + " |\n";
        if (v.kind == EnvVariable::Kind::Number)
            CHECK(v.accepted == std::to_string(v.low) + " to " + std::to_string(v.high));
    }
    CHECK(readme.str().find("\n\n" + table + "\n") != std::string::npos);
}
