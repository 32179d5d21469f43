// Procedural textures with a plain double-precision sampler: nearest texel of the nearest level.
#pragma once

#include <map>

#include "shader-core/isa/executor.h"
#include "tests/shaders/shader_case.h"

namespace tessera::shadertest {

class PatternTextures : public isa::TextureUnits {
public:
    void set(int unit, const Texture& texture) { units_[unit] = texture; }
    void sample(int unit, const isa::TextureRequest& request, isa::GroupRegister& result) const override;

private:
    std::map<int, Texture> units_;
};

}  // namespace tessera::shadertest
