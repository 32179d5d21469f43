#include "base/env.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace tessera {

namespace {

SimdLevel hostSimdLevel() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("x86-64-v4")) return SimdLevel::v4;
    if (__builtin_cpu_supports("x86-64-v3")) return SimdLevel::v3;
#endif
    return SimdLevel::v2;
}

int envInt(const char* name, int fallback, int low, int high) {
    const char* text = std::getenv(name);
    if (text == nullptr || *text == '\0') return fallback;
    char* end = nullptr;
    long value = std::strtol(text, &end, 10);
    if (*end != '\0') return fallback;
    return static_cast<int>(std::clamp<long>(value, low, high));
}

}  // namespace

SimdLevel simdLevel() {
    static const SimdLevel level = [] {
        std::string wanted = envString("TESSERA_SIMD", "");
        SimdLevel asked = wanted == "v2" ? SimdLevel::v2 : wanted == "v3" ? SimdLevel::v3 : SimdLevel::v4;
        return std::min(asked, hostSimdLevel());
    }();
    return level;
}

const char* simdLevelName(SimdLevel level) {
    constexpr const char* names[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
    return names[static_cast<int>(level)];
}

int threadCount() {
    static const int count =
        envInt("TESSERA_THREADS", static_cast<int>(std::clamp(sysconf(_SC_NPROCESSORS_ONLN), 1L, 64L)), 1, 64);
    return count;
}

int logLevel() {
    static const int level = envInt("TESSERA_LOG", 1, 0, 4);
    return level;
}

bool envFlag(const char* name) {
    std::string text = envString(name, "");
    return !text.empty() && text != "0" && text != "false";
}

std::string envString(const char* name, const char* fallback) {
    const char* text = std::getenv(name);
    return text == nullptr ? fallback : text;
}

}  // namespace tessera
