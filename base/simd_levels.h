// The SIMD levels of the architecture this is compiled for, and how code that is compiled once for all of them picks a
// copy of what is compiled once for each (cmake/simd.cmake).
#pragma once

#include <cstddef>

/// TESSERA_EACH_SIMD_LEVEL: use(level, ...) for each level, the least, which every host has, first.
/// TESSERA_SIMD_COPIES: declares the copies of functions, each in its level's namespace; that of the least level is
/// inline, as base/simd.h has it for sources compiled once.
#if defined(__x86_64__)  // x86-64-v2, -v3 and -v4
#define TESSERA_LEAST_SIMD_LEVEL v2
#define TESSERA_EACH_SIMD_LEVEL(use, ...) use(v2, __VA_ARGS__) use(v3, __VA_ARGS__) use(v4, __VA_ARGS__)
#define TESSERA_SIMD_COPIES(...) \
    inline namespace v2 {        \
    __VA_ARGS__                  \
    }                            \
    namespace v3 {               \
    __VA_ARGS__                  \
    }                            \
    namespace v4 {               \
    __VA_ARGS__                  \
    }
#elif defined(__aarch64__)  // what every aarch64 has
#define TESSERA_LEAST_SIMD_LEVEL neon
#define TESSERA_EACH_SIMD_LEVEL(use, ...) use(neon, __VA_ARGS__)
#define TESSERA_SIMD_COPIES(...) \
    inline namespace neon {      \
    __VA_ARGS__                  \
    }
#else
#error "an architecture without SIMD levels: docs/platforms.md says what a port takes"
#endif

/// The copy of `function` at a level: TESSERA_SIMD_COPY(level, kernels)().
#define TESSERA_SIMD_COPY(level, function) \
    (::tessera::copyAt({TESSERA_EACH_SIMD_LEVEL(TESSERA_SIMD_ADDRESS, function)}, level))
#define TESSERA_SIMD_ADDRESS(level, function) &level::function,

namespace tessera {

#define TESSERA_SIMD_ENUMERATOR(level, ...) level,
enum class SimdLevel { TESSERA_EACH_SIMD_LEVEL(TESSERA_SIMD_ENUMERATOR) };
#undef TESSERA_SIMD_ENUMERATOR

#define TESSERA_SIMD_VALUE(level, ...) SimdLevel::level,
inline constexpr SimdLevel kSimdLevels[] = {TESSERA_EACH_SIMD_LEVEL(TESSERA_SIMD_VALUE)};
#undef TESSERA_SIMD_VALUE
inline constexpr size_t kSimdLevelCount = sizeof kSimdLevels / sizeof kSimdLevels[0];
inline constexpr SimdLevel kLeastSimdLevel = kSimdLevels[0];

template <class Function>
constexpr Function copyAt(const Function (&copies)[kSimdLevelCount], SimdLevel level) {
    return copies[static_cast<size_t>(level)];
}

}  // namespace tessera
