// Interface types, and what a program uses, found by one walk over its code.
#include "shader-core/isa/program.h"

#include <algorithm>
#include <iterator>

#include "base/enumeration.h"
#include "shader-core/isa/type_names.h"

namespace tessera::isa {

int columnCount(VarType type) {
    switch (type) {
        case VarType::Mat2:
            return 2;
        case VarType::Mat3:
            return 3;
        case VarType::Mat4:
            return 4;
        default:
            return 1;
    }
}

int componentCount(VarType type) {
    switch (type) {
        case VarType::Vec2:
        case VarType::IVec2:
        case VarType::BVec2:
        case VarType::Mat2:
            return 2;
        case VarType::Vec3:
        case VarType::IVec3:
        case VarType::BVec3:
        case VarType::Mat3:
            return 3;
        case VarType::Vec4:
        case VarType::IVec4:
        case VarType::BVec4:
        case VarType::Mat4:
            return 4;
        default:
            return 1;
    }
}

bool isSampler(VarType type) { return type >= VarType::Sampler2D && type <= VarType::Sampler2DShadow; }
bool isMatrix(VarType type) { return type == VarType::Mat2 || type == VarType::Mat3 || type == VarType::Mat4; }

std::string_view nameOf(VarType type) {
    static constexpr std::string_view kNames[] = {"float",
                                                  "vec2",
                                                  "vec3",
                                                  "vec4",
                                                  "int",
                                                  "ivec2",
                                                  "ivec3",
                                                  "ivec4",
                                                  "bool",
                                                  "bvec2",
                                                  "bvec3",
                                                  "bvec4",
                                                  "mat2",
                                                  "mat3",
                                                  "mat4",
                                                  "sampler2D",
                                                  "samplerCube",
                                                  "sampler3D",
                                                  "samplerExternalOES",
                                                  "sampler2DShadow"};
    static_assert(std::size(kNames) == enumeratorCount<VarType>());
    return kNames[static_cast<size_t>(type)];
}

int registerCount(const Variable& variable) {
    return std::max<int>(variable.arraySize, 1) * columnCount(variable.type);
}

namespace {

/// Bits first .. first + count - 1 of a mask of sixteen.
uint16_t span16(int first, int count) {
    uint32_t bits = 0;
    for (int i = std::max(first, 0); i < std::min(first + count, 16); ++i) bits |= 1u << i;
    return static_cast<uint16_t>(bits);
}

uint16_t variableMask(const std::vector<Variable>& variables, int base) {
    uint16_t mask = 0;
    for (const Variable& v : variables) mask |= span16(base + v.reg, registerCount(v));
    return mask;
}

/// Collects the registers of one program. A relative operand may reach every declared register of its file.
struct UsageWalk {
    const Program& program;
    int temps = 0, constants = 0;
    uint16_t inputs = 0, outputs = 0, samplers = 0;
    uint16_t specials = 0;
    bool relativeTemps = false;

    uint16_t reachableInputs(int index) const {
        if (program.stage == Stage::Vertex) return variableMask(program.attributes, 0);
        const bool isLastColor = program.stage == Stage::Fragment && index >= kInLastColor0;
        return isLastColor ? span16(kInLastColor0, kMaxInputs) : variableMask(program.varyings, 0);
    }
    uint16_t declaredOutputs() const {
        return program.stage == Stage::Vertex ? variableMask(program.varyings, kOutVarying0) : 0;
    }
    uint16_t declaredSamplers() const {
        uint16_t mask = 0;
        for (const Variable& v : program.uniforms)
            if (isSampler(v.type)) mask |= span16(v.reg, registerCount(v));
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
                inputs |= span16(index, 1) | (relative ? reachableInputs(index) : 0);
                break;
            case File::O:
                outputs |= span16(index, 1) | (relative ? declaredOutputs() : 0);
                break;
            case File::S:
                specials |= static_cast<uint16_t>(1 << index);
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
        if (isTexture(shape)) samplers |= span16(i.textureUnit, 1) | (i.textureRelative ? declaredSamplers() : 0);
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

    const int temps = walk.relativeTemps ? std::max<int>(walk.temps, program.tempCount) : walk.temps;
    program.tempCount = static_cast<uint16_t>(temps);
    program.constantCount = static_cast<uint16_t>(std::min(walk.constants, 0xFFFF));
    program.inputMask = walk.inputs;
    program.outputMask = walk.outputs;
    program.specialMask = walk.specials;
    program.samplerMask = walk.samplers;
    program.writesDepth = program.stage == Stage::Fragment && (walk.outputs >> kOutDepth & 1);
    program.writesPointSize = program.stage == Stage::Vertex && (walk.outputs >> kOutPointSize & 1);
}

}  // namespace tessera::isa
