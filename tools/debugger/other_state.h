// A draw left a pixel other than a picture has it: which blending or mask of it would have given the picture's color?
#pragma once

#include <array>
#include <string>

#include <nlohmann/json.hpp>

namespace tessera::tools {

/// "with GL_ONE, GL_ONE_MINUS_SRC_ALPHA, where it has blending off", of an event of a pixel's history with one sample
/// of eight bits a channel; red, green and blue are compared, to a step of rounding. Empty: no state that is known here
/// gives it. The simplest comes first: a mask, blending off, usual pairs of factors, all others.
[[nodiscard]] std::string stateThatGives(const nlohmann::json& event, const nlohmann::json& state,
                                         const std::array<uint8_t, 4>& wanted);

}  // namespace tessera::tools
