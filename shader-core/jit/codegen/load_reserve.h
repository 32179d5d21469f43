// See load_reserve.cpp.
#pragma once

#include <atomic>

namespace tessera::jit {

/// Until a function of the library is called.
inline constinit std::atomic<bool> isLoading = true;

}  // namespace tessera::jit
