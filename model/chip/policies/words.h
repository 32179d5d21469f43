// The policies' enumerations, and their words in presets, from policies.def.
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera::model {

/// Which of the groups that can issue does.
enum class Policy : uint8_t {
#define SCHEDULER(Name, word, meaning) Name,
#include "model/chip/policies/policies.def"
};
/// Which line of a set goes.
enum class Replacement : uint8_t {
#define REPLACEMENT(Name, word, meaning) Name,
#include "model/chip/policies/policies.def"
};
/// Which lines come that nobody asked for.
enum class Prefetcher : uint8_t {
#define PREFETCHER(Name, word, meaning) Name,
#include "model/chip/policies/policies.def"
};

// "oldest|greedy|turns", as CHOICE of parameters.def has it: in the order of the enumerations.
#define SCHEDULER(Name, word, meaning) "|" word
inline constexpr std::string_view kSchedulerWords = std::string_view(
#include "model/chip/policies/policies.def"
                                                        )
                                                        .substr(1);
#define REPLACEMENT(Name, word, meaning) "|" word
inline constexpr std::string_view kReplacementWords = std::string_view(
#include "model/chip/policies/policies.def"
                                                          )
                                                          .substr(1);
#define PREFETCHER(Name, word, meaning) "|" word
inline constexpr std::string_view kPrefetcherWords = std::string_view(
#include "model/chip/policies/policies.def"
                                                         )
                                                         .substr(1);

}  // namespace tessera::model
