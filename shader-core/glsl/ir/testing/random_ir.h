// For the tests of this room: an evaluator of modules, and a generator of random ones.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "shader-core/glsl/ir/ir.h"

namespace tessera::glsl::ir::testing {

using Register = std::array<uint32_t, 4>;

inline constexpr uint32_t kInputs = 4, kUniforms = 12, kOutputs = 6;
inline constexpr uint32_t kUniformArray = 8, kUniformArrayCount = 4;  ///< the last uniforms may be indexed

/// What one thread reads.
struct Inputs {
    std::array<Register, kInputs> inputs{};
    std::array<Register, kUniforms> uniforms{};
    std::array<Register, isa::kSpecials> specials{};
};

/// What one thread leaves behind. NaNs are canonical.
struct Result {
    std::array<Register, isa::kMaxOutputs> outputs{};
    bool killed = false;
    bool endless = false;  ///< gave up
    [[nodiscard]] bool operator==(const Result&) const = default;
};

/// A component of a variable got a value (NaNs are canonical).
struct Assigned {
    uint32_t slot = 0, bits = 0;
};

/// Runs a module instruction by instruction, one thread, in plain float arithmetic. `trace` gets the assignments that
/// the debugger is to know of, in order, but for those whose value is lost.
[[nodiscard]] Result evaluateModule(const Module& module, const Inputs& inputs, std::vector<Assigned>* trace = nullptr);

/// Any function of the coordinate will do as a texture, as long as both sides use this one.
[[nodiscard]] std::array<float, 4> sampleTexture(int unit, isa::TextureTarget target, std::array<float, 4> coordinate,
                                                 float lod, std::array<int8_t, 3> offset);

/// splitmix64.
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint32_t next() {
        state_ += 0x9E3779B97F4A7C15ull;
        uint64_t z = state_;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ z >> 27) * 0x94D049BB133111EBull;
        return static_cast<uint32_t>(z >> 32);
    }
    int below(int n) { return static_cast<int>(next() % static_cast<uint32_t>(n)); }
    bool chance(int percent) { return below(100) < percent; }
    /// Small numbers mostly; zeros, infinities, denormals, NaN at times.
    uint32_t floatBits();

private:
    uint64_t state_;
};

[[nodiscard]] Inputs randomInputs(Random& random);
/// A valid module of roughly `size` instructions that ends and reads nothing it has not written. Its functions are
/// called by it and by those behind them.
[[nodiscard]] Module randomModule(Random& random, isa::Stage stage, int size, int functions = 0);

}  // namespace tessera::glsl::ir::testing
