#include "shader-core/glsl/front/link/types.h"

#include <glslang/Include/Types.h>

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "shader-core/glsl/front/preprocess/preprocess.h"
#include "shader-core/isa/type_names.h"

namespace tessera::glsl::front {

using isa::VarType;

Type Type::element() const {
    Type t = *this;
    if (isArray()) {
        t.arraySize = 0;
    } else if (columns > 1) {
        t.columns = 1;
    } else {
        t.rows = 1;
    }
    return t;
}

Type Type::withBase(Base other) const {
    Type t = *this;
    t.base = other;
    return t;
}

Type vectorType(Base base, int rows) {
    Type t;
    t.base = base;
    t.rows = static_cast<uint8_t>(rows);
    return t;
}

namespace {

uint32_t saturate(uint64_t n) { return static_cast<uint32_t>(std::min<uint64_t>(n, kTooLarge)); }

template <class PerElement>
uint32_t countLeaves(const Type& type, PerElement leaf) {
    uint64_t n = 0;
    if (type.base == Base::Struct) {
        for (const Field& field : type.structure->fields) n += countLeaves(field.type, leaf);
    } else {
        n = leaf(type);
    }
    return saturate(saturate(n) * uint64_t{std::max(type.arraySize, 1u)});
}

uint32_t leafRegisters(const Type& type) {
    return type.base == Base::Sampler || type.base == Base::Void ? 0 : type.columns;
}
uint32_t leafSamplers(const Type& type) { return type.base == Base::Sampler ? 1 : 0; }

void appendShapes(const Type& type, std::vector<RegisterShape>& out) {
    for (uint32_t i = 0; i < std::max(type.arraySize, 1u); i++) {
        if (type.base == Base::Struct) {
            for (const Field& field : type.structure->fields) appendShapes(field.type, out);
        } else {
            for (uint32_t c = 0; c < leafRegisters(type); c++) out.push_back({type.base, type.rows});
        }
    }
}

}  // namespace

uint32_t registerCount(const Type& type) { return countLeaves(type, leafRegisters); }
uint32_t samplerCount(const Type& type) { return countLeaves(type, leafSamplers); }

uint32_t fieldOffset(const StructType& structure, size_t index) {
    uint32_t n = 0;
    for (size_t i = 0; i < index; i++) n += registerCount(structure.fields[i].type);
    return n;
}

uint32_t fieldSamplerOffset(const StructType& structure, size_t index) {
    uint32_t n = 0;
    for (size_t i = 0; i < index; i++) n += samplerCount(structure.fields[i].type);
    return n;
}

std::vector<RegisterShape> registerShapes(const Type& type) {
    std::vector<RegisterShape> out;
    appendShapes(type, out);
    return out;
}

VarType varType(const Type& type) {
    static constexpr VarType kFloats[] = {VarType::Float, VarType::Vec2, VarType::Vec3, VarType::Vec4};
    static constexpr VarType kInts[] = {VarType::Int, VarType::IVec2, VarType::IVec3, VarType::IVec4};
    static constexpr VarType kBools[] = {VarType::Bool, VarType::BVec2, VarType::BVec3, VarType::BVec4};
    static constexpr VarType kUints[] = {VarType::UInt, VarType::UVec2, VarType::UVec3, VarType::UVec4};
    static constexpr VarType kMatrices[][3] = {{VarType::Mat2, VarType::Mat2x3, VarType::Mat2x4},
                                               {VarType::Mat3x2, VarType::Mat3, VarType::Mat3x4},
                                               {VarType::Mat4x2, VarType::Mat4x3, VarType::Mat4}};
    if (type.columns > 1) return kMatrices[type.columns - 2][type.rows - 2];
    switch (type.base) {
        case Base::Float:
            return kFloats[type.rows - 1];
        case Base::Int:
            return kInts[type.rows - 1];
        case Base::Uint:
            return kUints[type.rows - 1];
        case Base::Bool:
            return kBools[type.rows - 1];
        case Base::Sampler:
            return type.sampler;
        case Base::Void:
        case Base::Struct:
            break;
    }
    UNREACHABLE("interface type");
}

std::string spelling(const Type& type) {
    std::string name = "void";
    if (type.base == Base::Struct) {
        name = "struct " + type.structure->name;
    } else if (type.base != Base::Void) {
        name = isa::nameOf(varType(type));
    }
    if (type.isArray()) name += "[" + std::to_string(type.arraySize) + "]";
    return name;
}

bool sameType(const Type& a, const Type& b, bool precision, std::string* why) {
    if (a.base != b.base || a.rows != b.rows || a.columns != b.columns || a.arraySize != b.arraySize) return false;
    if (a.base == Base::Sampler) return a.sampler == b.sampler;
    if (a.base != Base::Struct || a.structure == b.structure) return true;
    const StructType& sa = *a.structure;
    const StructType& sb = *b.structure;
    if (sa.name != sb.name || sa.fields.size() != sb.fields.size()) return false;
    for (size_t i = 0; i < sa.fields.size(); i++) {
        const Field& fa = sa.fields[i];
        const Field& fb = sb.fields[i];
        if (fa.name == fb.name && sameType(fa.type, fb.type, precision, why) &&
            (!precision || fa.precision == fb.precision))
            continue;
        if (why && why->empty()) *why = fa.name;
        return false;
    }
    return true;
}

namespace {

VarType samplerType(const glslang::TSampler& sampler) {
    if (sampler.isExternal()) return VarType::SamplerExternal;
    /// Of one dimension: with floats, with a comparison (itself where there is none), with integers.
    struct Types {
        VarType floats, shadow, ints, uints;
    };
    const auto choose = [&](const Types& types) {
        if (sampler.type == glslang::EbtInt) return types.ints;
        if (sampler.type == glslang::EbtUint) return types.uints;
        return sampler.shadow ? types.shadow : types.floats;
    };
    if (sampler.dim == glslang::EsdCube)
        return choose({VarType::SamplerCube, VarType::SamplerCubeShadow, VarType::ISamplerCube, VarType::USamplerCube});
    if (sampler.dim == glslang::Esd3D)
        return choose({VarType::Sampler3D, VarType::Sampler3D, VarType::ISampler3D, VarType::USampler3D});
    if (sampler.isArrayed())
        return choose({VarType::Sampler2DArray, VarType::Sampler2DArrayShadow, VarType::ISampler2DArray,
                       VarType::USampler2DArray});
    return choose({VarType::Sampler2D, VarType::Sampler2DShadow, VarType::ISampler2D, VarType::USampler2D});
}

}  // namespace

Type convertType(const glslang::TType& source) {
    Type t;
    switch (source.getBasicType()) {
        case glslang::EbtFloat:
            t.base = Base::Float;
            break;
        case glslang::EbtInt:
            t.base = Base::Int;
            break;
        case glslang::EbtUint:
            t.base = Base::Uint;
            break;
        case glslang::EbtBool:
            t.base = Base::Bool;
            break;
        case glslang::EbtSampler:
            t.base = Base::Sampler;
            t.sampler = samplerType(source.getSampler());
            break;
        case glslang::EbtBlock:
        case glslang::EbtStruct: {
            t.base = Base::Struct;
            auto structure = std::make_shared<StructType>();
            structure->name = restoreNames(source.getTypeName().c_str());
            for (const glslang::TTypeLoc& member : *source.getStruct()) {
                structure->fields.push_back({restoreNames(member.type->getFieldName().c_str()),
                                             convertType(*member.type), convertPrecision(*member.type)});
            }
            t.structure = std::move(structure);
            break;
        }
        default:
            t.base = Base::Void;
            break;
    }
    if (source.isMatrix()) {
        t.columns = static_cast<uint8_t>(source.getMatrixCols());
        t.rows = static_cast<uint8_t>(source.getMatrixRows());
    } else if (t.base == Base::Float || t.base == Base::Bool || t.isInteger()) {
        t.rows = static_cast<uint8_t>(std::max(source.getVectorSize(), 1));
    }
    if (source.isArray()) t.arraySize = static_cast<uint32_t>(std::max(source.getOuterArraySize(), 1));
    return t;
}

isa::Precision convertPrecision(const glslang::TType& type) {
    switch (type.getQualifier().precision) {
        case glslang::EpqLow:
            return isa::Precision::Low;
        case glslang::EpqMedium:
            return isa::Precision::Medium;
        case glslang::EpqHigh:
            return isa::Precision::High;
        default:
            return isa::Precision::None;
    }
}

}  // namespace tessera::glsl::front
