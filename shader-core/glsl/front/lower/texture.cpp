// Texture lookups (GLSL ES 1.00 section 8.7, 3.00 section 8.8, EXT_shader_texture_lod, EXT_shadow_samplers,
// OES_EGL_image_external, OES_texture_3D).
#include <algorithm>

#include "shader-core/glsl/front/lower/ast_to_ir.h"

namespace tessera::glsl::front {

using namespace glslang;

namespace {

/// Texels of a constant; glslang has seen to their range.
std::array<int8_t, 3> texelOffset(TIntermNode* node) {
    std::array<int8_t, 3> offset{};
    auto* constant = node->getAsConstantUnion();
    const TConstUnionArray& values = constant->getConstArray();
    for (size_t i = 0; i < offset.size() && i < static_cast<size_t>(values.size()); i++)
        offset[i] = static_cast<int8_t>(
            std::clamp(values[static_cast<int>(i)].getIConst(), isa::kLeastTexelOffset, isa::kGreatestTexelOffset));
    return offset;
}

}  // namespace

/// Operands stand in one order: the position, a level or derivatives, an offset, a bias.
Value AstToIr::texture(TIntermOperator* node, std::span<TIntermNode* const> children) {
    TCrackedTextureOp cracked{};
    const Type samplerType = convertType(children[0]->getAsTyped()->getType());
    node->crackTexture(children[0]->getAsTyped()->getType().getSampler(), cracked);
    const SamplerRef sampler = reference(children[0]).sampler;
    const Type type = convertType(node->getType());
    ir::Builder::Lookup lookup;
    lookup.unit = sampler.first;
    lookup.target = isa::targetOf(samplerType.sampler);
    lookup.type = operationType(type.base);
    if (sampler.dynamic) lookup.index = &sampler.index;

    const size_t derived = cracked.grad ? 2 : cracked.lod || cracked.fetch ? 1 : 0;
    const size_t offsetAt = cracked.offset ? 2 + derived : children.size();
    std::vector<Value> arguments;
    for (size_t i = 1; i < children.size(); i++) {
        if (i == offsetAt) {
            if (!children[i]->getAsConstantUnion()) fail("'texture' : the offset must be a constant expression");
            lookup.texelOffset = texelOffset(children[i]);
            continue;
        }
        bool effects = std::any_of(children.begin() + static_cast<ptrdiff_t>(i) + 1, children.end(),
                                   [&](TIntermNode* later) { return analysis_.hasEffects(later); });
        arguments.push_back(preserveIf(effects, expression(children[i])));
    }
    if (cracked.query) {
        const Operand size = b_.texture(Op::Txs, lookup, arguments[0].scalar());
        return single(type, ir::swizzled(size, ir::swizzleOfSize(type.rows)));
    }
    Operand coordinate = arguments[0].scalar();
    if (cracked.proj) {
        int n = isa::coordinateCount(lookup.target);
        coordinate = emit(n, Op::Div, coordinate, ir::component(coordinate, arguments[0].type.rows - 1));
    }
    Op op = Op::Tex;
    Operand second, third;
    if (cracked.grad) {
        op = Op::Txd;
        second = arguments[1].scalar();
        third = arguments[2].scalar();
    } else if (arguments.size() > 1) {
        op = cracked.fetch ? Op::Txf : cracked.lod ? Op::Txl : Op::Txb;
        second = arguments[1].scalar();
    }
    const Operand result = b_.texture(op, lookup, coordinate, second, third);
    // A comparison is a float: wherever that becomes a vector, the same in each component.
    return single(type, type.rows == 1 ? ir::component(result, 0) : result);
}

}  // namespace tessera::glsl::front
