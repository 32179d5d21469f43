// The shader test format: one text file of named cases. README.md describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shader-core/isa/program.h"

namespace tessera::shadertest {

/// A number of the file. It is read as a value of the variable it belongs to, unless it fixes its own bits.
struct Number {
    double value = 0;
    std::optional<uint32_t> bits;  ///< hexadecimal, or an integer with suffix i or u
    bool any = false;              ///< '*' in an expectation
};

/// One statement with values: `lanes[l]` holds the components of lane l, or of all lanes when there is only one.
struct Values {
    int line = 0;
    std::string name;        ///< without a component selection
    std::string components;  ///< "xz"; empty: all
    std::vector<std::vector<Number>> lanes;
};

struct Tolerance {
    bool bits = false;    ///< same bits: signs of zeros count, NaN is the canonical one
    double ulp = 0;       ///< in units in the last place of the expected value
    double absolute = 0;  ///< passes also within this distance
};

struct Expectation {
    Values values;
    Tolerance tolerance;
};

struct Texture {
    int line = 0;
    std::string name, pattern;  ///< checker, gradient, index
    int width = 0, height = 0;
    bool cube = false, clamp = false;
};

struct Source {
    bool present = false, glsl = false;
    int line = 0;  ///< of its first line
    std::string text;
};

struct Case {
    std::string file, name;
    int line = 0;
    Source vertex, fragment;
    std::optional<isa::Stage> stage;  ///< which of two is run
    std::vector<Values> inputs, uniforms;
    std::vector<Texture> textures;
    std::vector<Expectation> expectations;
    std::optional<std::string> expectedError;  ///< part of the log of a program that must be refused
    int errorLine = 0;
    bool expectBudget = false;  ///< the run must be stopped
    uint64_t budget = 1000000;
    std::optional<uint32_t> active;
    uint32_t helper = 0;
};

struct ParseResult {
    std::vector<Case> cases;
    std::vector<std::string> errors;  ///< "file:line: what"
};

[[nodiscard]] ParseResult parseCases(std::string_view text, const std::string& file);

}  // namespace tessera::shadertest
