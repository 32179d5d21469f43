// The compute library is compiled for x86-64-v2, its static objects with it: on an older processor making the first of
// them would end the program without a word. This file is compiled for every x86-64 and runs before them, when the
// library is loaded.
#if defined(__x86_64__)
#include <unistd.h>

#include <string_view>

namespace {

[[gnu::constructor(101)]] void checkProcessor() {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v2")) return;
    constexpr std::string_view kWhy =
        "tessera: this processor is older than x86-64-v2 (SSSE3, SSE4.2, POPCNT), the least that Tessera runs on\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kWhy.data(), kWhy.size());
    _exit(1);
}

}  // namespace
#endif
