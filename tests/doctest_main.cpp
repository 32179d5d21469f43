#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <string_view>

namespace {

constexpr int kSkipped = 77;  ///< cmake/rooms.cmake tells ctest

/// Whether TESSERA_SIMD names a level that this processor does not have: the driver would take its best level, which
/// has a run of its own.
bool isForAnotherProcessor() {
    [[maybe_unused]] const char* const level = std::getenv("TESSERA_SIMD");
#if defined(__x86_64__)
    const std::string_view name = level != nullptr ? level : "";
    return (name == "v3" && !__builtin_cpu_supports("x86-64-v3")) ||
           (name == "v4" && !__builtin_cpu_supports("x86-64-v4"));
#else
    return false;
#endif
}

}  // namespace

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
/// The child of a fork starts threads: the driver promises that it may.
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }
#endif
#endif

int main(int argc, char** argv) {
    if (isForAnotherProcessor()) return kSkipped;
    doctest::Context context(argc, argv);
    // Of ./run mutants, which asks no more than whether a test fails.
    if (const char* const failures = std::getenv("DOCTEST_ABORT_AFTER")) context.setOption("abort-after", failures);
    return context.run();
}
