// Texture lookups (GLSL ES 1.00 section 8.7, EXT_shader_texture_lod, EXT_shadow_samplers, OES_EGL_image_external,
// OES_texture_3D).
#include <fmt/format.h>

#include <algorithm>

#include "shader-core/glsl/front/lower/ast_to_ir.h"

namespace tessera::glsl::front {

using namespace glslang;

namespace {

isa::TextureTarget textureTarget(isa::VarType sampler) {
    switch (sampler) {
        case isa::VarType::SamplerCube:
            return isa::TextureTarget::Cube;
        case isa::VarType::Sampler3D:
            return isa::TextureTarget::Tex3D;
        case isa::VarType::Sampler2DShadow:
            return isa::TextureTarget::Shadow2D;
        case isa::VarType::SamplerExternal:
            return isa::TextureTarget::External;
        default:
            return isa::TextureTarget::Tex2D;
    }
}

}  // namespace

/// Lookups of GLSL ES 3.00 that the instruction set has no words for.
void AstToIr::checkLookup(const TCrackedTextureOp& lookup, const Type& sampler) {
    const auto refuse = [&](const char* name, const char* what) {
        fail(
            fmt::format("'{}' : {} cannot be compiled yet; lookups by texture(), textureProj(), textureLod() and "
                        "textureGrad() in sampler2D, samplerCube, sampler3D and sampler2DShadow can",
                        name, what));
    };
    if (lookup.query) refuse("textureSize", "the size of a texture");
    if (lookup.fetch) refuse("texelFetch", "a single texel");
    if (lookup.offset) refuse("texture", "a lookup with an offset");
    if (sampler.sampler > isa::VarType::Sampler2DShadow) {
        const std::string type = spelling(sampler);
        refuse(type.c_str(), "lookups in textures of this kind");
    }
}

Value AstToIr::texture(TIntermOperator* node, std::span<TIntermNode* const> children) {
    TCrackedTextureOp cracked{};
    Type samplerType = convertType(children[0]->getAsTyped()->getType());
    node->crackTexture(children[0]->getAsTyped()->getType().getSampler(), cracked);
    checkLookup(cracked, samplerType);
    SamplerRef sampler = reference(children[0]).sampler;

    std::vector<Value> arguments;
    for (size_t i = 1; i < children.size(); i++) {
        bool effects = std::any_of(children.begin() + static_cast<ptrdiff_t>(i) + 1, children.end(),
                                   [&](TIntermNode* later) { return analysis_.hasEffects(later); });
        arguments.push_back(preserveIf(effects, expression(children[i])));
    }
    isa::TextureTarget target = textureTarget(samplerType.sampler);
    Operand coordinate = arguments[0].scalar();
    if (cracked.proj) {
        int n = isa::coordinateCount(target);
        coordinate = emit(n, Op::Div, coordinate, ir::component(coordinate, arguments[0].type.rows - 1));
    }
    Op op = Op::Tex;
    Operand second, third;
    if (cracked.grad) {
        op = Op::Txd;
        second = arguments[1].scalar();
        third = arguments[2].scalar();
    } else if (cracked.lod || arguments.size() > 1) {
        op = cracked.lod ? Op::Txl : Op::Txb;
        second = arguments[1].scalar();
    }
    Operand result =
        b_.texture(op, sampler.first, target, coordinate, second, third, sampler.dynamic ? &sampler.index : nullptr);
    // A comparison is a float: wherever that becomes a vector, the same in each component.
    const Type type = convertType(node->getType());
    return single(type, type.rows == 1 ? ir::component(result, 0) : result);
}

}  // namespace tessera::glsl::front
