// What a fuzz target demands besides silence from the sanitizers.
#pragma once

#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace tessera::fuzz {

/// Ends the process, so that libFuzzer keeps the input. `detail`, text or a function that makes it, is printed.
template <class Detail = const char*>
void demand(bool good, const char* what, const Detail& detail = "") {
    if (good) return;
    std::string text;
    if constexpr (std::invocable<const Detail&>)
        text = detail();
    else
        text = detail;
    std::fprintf(stderr, "demand failed: %s\n%s\n", what, text.c_str());
    std::abort();
}

}  // namespace tessera::fuzz
