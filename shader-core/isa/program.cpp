// Interface types, and what a program uses, found by one walk over its code.
#include "shader-core/isa/program.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/enumeration.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/type_names.h"

namespace tessera::isa {

namespace {

/// How a type is spelled and what it is made of.
struct TypeRow {
    std::string_view name;
    uint8_t columns, components;
    Scalar scalar;
    std::optional<TextureTarget> target = {};  ///< of a sampler
};

constexpr TypeRow kTypes[] = {
    {"float", 1, 1, Scalar::Float},
    {"vec2", 1, 2, Scalar::Float},
    {"vec3", 1, 3, Scalar::Float},
    {"vec4", 1, 4, Scalar::Float},
    {"int", 1, 1, Scalar::Int},
    {"ivec2", 1, 2, Scalar::Int},
    {"ivec3", 1, 3, Scalar::Int},
    {"ivec4", 1, 4, Scalar::Int},
    {"bool", 1, 1, Scalar::Bool},
    {"bvec2", 1, 2, Scalar::Bool},
    {"bvec3", 1, 3, Scalar::Bool},
    {"bvec4", 1, 4, Scalar::Bool},
    {"mat2", 2, 2, Scalar::Float},
    {"mat3", 3, 3, Scalar::Float},
    {"mat4", 4, 4, Scalar::Float},
    {"sampler2D", 1, 1, Scalar::Float, TextureTarget::Tex2D},
    {"samplerCube", 1, 1, Scalar::Float, TextureTarget::Cube},
    {"sampler3D", 1, 1, Scalar::Float, TextureTarget::Tex3D},
    {"samplerExternalOES", 1, 1, Scalar::Float, TextureTarget::External},
    {"sampler2DShadow", 1, 1, Scalar::Float, TextureTarget::Shadow2D},
    {"uint", 1, 1, Scalar::UInt},
    {"uvec2", 1, 2, Scalar::UInt},
    {"uvec3", 1, 3, Scalar::UInt},
    {"uvec4", 1, 4, Scalar::UInt},
    {"mat2x3", 2, 3, Scalar::Float},
    {"mat2x4", 2, 4, Scalar::Float},
    {"mat3x2", 3, 2, Scalar::Float},
    {"mat3x4", 3, 4, Scalar::Float},
    {"mat4x2", 4, 2, Scalar::Float},
    {"mat4x3", 4, 3, Scalar::Float},
    {"samplerCubeShadow", 1, 1, Scalar::Float, TextureTarget::ShadowCube},
    {"sampler2DArray", 1, 1, Scalar::Float, TextureTarget::Array2D},
    {"sampler2DArrayShadow", 1, 1, Scalar::Float, TextureTarget::ShadowArray2D},
    {"isampler2D", 1, 1, Scalar::Int, TextureTarget::Tex2D},
    {"isamplerCube", 1, 1, Scalar::Int, TextureTarget::Cube},
    {"isampler3D", 1, 1, Scalar::Int, TextureTarget::Tex3D},
    {"isampler2DArray", 1, 1, Scalar::Int, TextureTarget::Array2D},
    {"usampler2D", 1, 1, Scalar::UInt, TextureTarget::Tex2D},
    {"usamplerCube", 1, 1, Scalar::UInt, TextureTarget::Cube},
    {"usampler3D", 1, 1, Scalar::UInt, TextureTarget::Tex3D},
    {"usampler2DArray", 1, 1, Scalar::UInt, TextureTarget::Array2D},
};
static_assert(std::size(kTypes) == enumeratorCount<VarType>());

const TypeRow& row(VarType type) { return kTypes[static_cast<size_t>(type)]; }

}  // namespace

int columnCount(VarType type) { return row(type).columns; }
int componentCount(VarType type) { return row(type).components; }
bool isSampler(VarType type) { return row(type).target.has_value(); }
bool isMatrix(VarType type) { return row(type).columns > 1; }
Scalar scalarOf(VarType type) { return row(type).scalar; }
TextureTarget targetOf(VarType sampler) { return row(sampler).target.value_or(TextureTarget::Tex2D); }
std::string_view nameOf(VarType type) { return row(type).name; }

int registerCount(const Variable& variable) {
    return std::max<int>(variable.arraySize, 1) * columnCount(variable.type);
}

namespace {

RegisterMask variableMask(const std::vector<Variable>& variables, int base) {
    RegisterMask mask;
    for (const Variable& v : variables) mask |= RegisterMask::range(base + v.reg, registerCount(v));
    return mask;
}

/// Collects the registers of one program. A relative operand may reach every declared register of its file.
struct UsageWalk {
    const Program& program;
    int temps = 0, constants = 0;
    RegisterMask inputs, outputs, samplers, specials;
    bool relativeTemps = false;

    RegisterMask reachableInputs(int index) const {
        if (program.stage == Stage::Vertex) return variableMask(program.attributes, 0);
        const bool isLastColor = program.stage == Stage::Fragment && index >= kInLastColor0;
        return isLastColor ? RegisterMask::range(kInLastColor0, kColors) : variableMask(program.varyings, 0);
    }
    RegisterMask reachableOutputs(int index) const {
        if (program.stage == Stage::Vertex) return variableMask(program.varyings, kOutVarying0);
        const bool isColor = program.stage == Stage::Fragment && index >= kOutColor0 && index < kOutColor0 + kColors;
        return isColor ? RegisterMask::range(kOutColor0, kColors) : RegisterMask();
    }
    RegisterMask declaredSamplers() const {
        RegisterMask mask;
        for (const Variable& v : program.uniforms)
            if (isSampler(v.type)) mask |= RegisterMask::range(v.reg, registerCount(v));
        return mask;
    }

    void operand(File file, int index, bool relative) {
        switch (file) {
            case File::R:
                temps = std::max(temps, index + 1);
                relativeTemps |= relative;
                break;
            case File::C:
                constants = std::max(constants, index + 1);
                break;
            case File::V:
                inputs |= RegisterMask::range(index, 1);
                if (relative) inputs |= reachableInputs(index);
                break;
            case File::O:
                outputs |= RegisterMask::range(index, 1);
                if (relative) outputs |= reachableOutputs(index);
                break;
            case File::S:
                specials |= RegisterMask::range(index, 1);
                break;
            case File::A:
            case File::P:
            case File::I:
                break;
        }
    }

    void instruction(const Instruction& i) {
        const Shape shape = opInfo(i.op).shape;
        if (hasDestination(shape)) operand(i.dst.file, i.dst.index, i.dst.relative);
        for (int s = 0; s < sourceCount(shape); ++s) operand(i.src[s].file, i.src[s].index, i.src[s].relative);
        if (!isTexture(shape)) return;
        samplers |= RegisterMask::range(i.textureUnit, 1);
        if (i.textureRelative) samplers |= declaredSamplers();
    }
};

}  // namespace

void deriveUsage(Program& program) {
    UsageWalk walk{program};
    program.usesKill = program.usesDerivatives = program.usesBarriers = false;
    for (const Word& word : program.code) {
        const std::optional<Instruction> i = decode(word);
        if (!i) continue;
        walk.instruction(*i);
        program.usesKill |= i->op == Op::Kil;
        program.usesBarriers |= i->op == Op::Bar;
        program.usesDerivatives |= program.stage == Stage::Fragment &&
                                   (i->op == Op::Ddx || i->op == Op::Ddy || i->op == Op::Tex || i->op == Op::Txb);
    }
    for (const Literal& literal : program.literals) walk.constants = std::max(walk.constants, literal.reg + 1);
    for (const Variable& v : program.uniforms)
        if (!isSampler(v.type)) walk.constants = std::max(walk.constants, v.reg + registerCount(v));
    for (const UniformBlock& block : program.blocks)
        if (block.registers > 0) walk.constants = std::max(walk.constants, block.reg + block.registers);

    const int temps = walk.relativeTemps ? std::max<int>(walk.temps, program.tempCount) : walk.temps;
    program.tempCount = static_cast<uint16_t>(temps);
    program.constantCount = static_cast<uint16_t>(std::min(walk.constants, 0xFFFF));
    program.inputMask = walk.inputs;
    program.outputMask = walk.outputs;
    program.specialMask = walk.specials;
    program.samplerMask = walk.samplers;
    program.writesDepth = program.stage == Stage::Fragment && walk.outputs.has(kOutDepth);
    program.writesPointSize = program.stage == Stage::Vertex && walk.outputs.has(kOutPointSize);
}

}  // namespace tessera::isa
