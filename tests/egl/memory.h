// What the process has allocated, by which tests see that what is done many times leaves nothing behind.
#pragma once

#include <malloc.h>

#include <chrono>
#include <thread>

namespace egltest {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kIsSanitized = true;  // their allocators keep what is freed; leaks are found at the end
#else
inline constexpr bool kIsSanitized = false;
#endif
#else
inline constexpr bool kIsSanitized = false;
#endif

/// Bytes allocated, once nothing works in the background any more: programs are compiled there.
inline size_t settledBytes() {
    size_t last = 0;
    for (int quiet = 0, tries = 0; quiet < 4 && tries < 400; ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(25));
        const struct mallinfo2 info = mallinfo2();
        const size_t now = info.uordblks + info.hblkhd;
        quiet = now == last ? quiet + 1 : 0;
        last = now;
    }
    return last;
}

}  // namespace egltest
