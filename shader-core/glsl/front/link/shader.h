// A compiled shader: its IR module and what the link rules ask about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shader-core/glsl/front/link/std140.h"
#include "shader-core/glsl/front/link/types.h"
#include "shader-core/glsl/glsl.h"
#include "shader-core/glsl/ir/ir.h"

namespace tessera::glsl {

namespace front {

/// An attribute, varying, uniform or named output of a fragment shader as declared.
struct InterfaceVariable {
    std::string name;
    Type type;
    isa::Precision precision = isa::Precision::None;
    isa::Interpolation interpolation = isa::Interpolation::Smooth;  ///< varyings
    bool invariant = false;
    bool staticUse = false;  ///< named in a function or initialiser, reachable or not
    std::string place;       ///< of its name in the declaration, as in messages: "0:12:5"; empty: unknown
    int location = -1;       ///< layout(location = n); -1: none
    bool isSecond = false;   ///< of outputs: layout(index = 1)
    bool isInout = false;    ///< of outputs: it begins as what the framebuffer holds
    uint32_t first = 0;      ///< attribute, varying or uniform slot, or o register of an output, before linking
    uint32_t lastColorSlot = ir::kNone;  ///< of outputs that are inout: first slot of the inputs they begin as
    uint32_t firstSampler = 0;           ///< number of its first sampler before linking
};

/// `invariant` on the built-in variables that have a partner in the other stage.
struct BuiltInInvariance {
    bool position = false, pointSize = false;    ///< vertex
    bool fragCoord = false, pointCoord = false;  ///< fragment
};

}  // namespace front

class Shader {
public:
    isa::Stage stage = isa::Stage::Vertex;
    int version = 100;
    /// Registers before linking: inputs and varying outputs by slot, uniforms by slot, samplers by number.
    /// Outputs are written by Mov only, so that link() may move them to other components.
    ir::Module module;
    std::vector<front::InterfaceVariable> attributes, varyings, uniforms;
    std::vector<front::InterfaceVariable> outputs;  ///< of a fragment shader of GLSL ES 3.00
    std::vector<front::InterfaceBlock> blocks;
    front::BuiltInInvariance invariance;
    bool invariantAll = false;  ///< #pragma STDGL invariant(all)
    uint32_t blendSupport = 0;  ///< LinkResult::blendSupport
    int views = 1;              ///< LinkResult::views
    bool hasMain = false;
    uint32_t lastColorSlot = ir::kNone;           ///< input slot of gl_LastFragData[0]; kNone: not read
    bool writesFragColor = false;                 ///< its value goes to every colour target
    std::vector<std::string> undefinedFunctions;  ///< called, declared, without a body
};

}  // namespace tessera::glsl
