// What a fuzz target demands besides silence from the sanitizers.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace tessera::fuzz {

/// Ends the process, so that libFuzzer keeps the input; `detail` is printed.
inline void demand(bool good, const char* what, const std::string& detail = {}) {
    if (good) return;
    std::fprintf(stderr, "demand failed: %s\n%s\n", what, detail.c_str());
    std::abort();
}

}  // namespace tessera::fuzz
