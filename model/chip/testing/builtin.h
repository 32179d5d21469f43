// Test only: a built-in preset, which has to load.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "model/chip/preset.h"

namespace tessera::model {

inline Preset builtin(std::string_view name) {
    std::string error;
    const auto preset = loadPreset(name, &error);
    REQUIRE_MESSAGE(preset, error);
    return *preset;
}

}  // namespace tessera::model
