// The types of GLSL ES and their layout: every leaf takes whole registers, one for each matrix column.
// Samplers take no registers; they are numbered apart, in declaration order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shader-core/isa/program.h"

namespace glslang {
class TType;
}

namespace tessera::glsl::front {

enum class Base : uint8_t { Void, Float, Int, Uint, Bool, Sampler, Struct };

struct StructType;

struct Type {
    Base base = Base::Void;
    uint8_t rows = 1;        ///< components of a register, 1 to 4
    uint8_t columns = 1;     ///< 2 to 4: a matrix
    uint32_t arraySize = 0;  ///< 0: not an array
    isa::VarType sampler = isa::VarType::Sampler2D;
    std::shared_ptr<const StructType> structure;

    [[nodiscard]] bool isInteger() const { return base == Base::Int || base == Base::Uint; }
    [[nodiscard]] bool isArray() const { return arraySize != 0; }
    [[nodiscard]] bool isMatrix() const { return columns > 1 && !isArray(); }
    [[nodiscard]] bool isStruct() const { return base == Base::Struct && !isArray(); }
    [[nodiscard]] bool isVector() const { return rows > 1 && columns == 1 && !isArray(); }
    [[nodiscard]] bool isScalar() const { return rows == 1 && columns == 1 && !isArray() && base != Base::Struct; }
    /// Array element, matrix column or vector component.
    [[nodiscard]] Type element() const;
    /// The same shape of another base type.
    [[nodiscard]] Type withBase(Base other) const;
};

[[nodiscard]] Type vectorType(Base base, int rows);

struct Field {
    std::string name;
    Type type;
    isa::Precision precision = isa::Precision::None;
};

struct StructType {
    std::string name;
    std::vector<Field> fields;
};

/// What one register of a value holds.
struct RegisterShape {
    Base base = Base::Float;
    uint8_t rows = 4;
};

/// Registers and samplers of a value; saturates at kTooLarge.
inline constexpr uint32_t kTooLarge = 0xF000;
[[nodiscard]] uint32_t registerCount(const Type& type);
[[nodiscard]] uint32_t samplerCount(const Type& type);
/// Registers (samplers) before field `index` of a structure.
[[nodiscard]] uint32_t fieldOffset(const StructType& structure, size_t index);
[[nodiscard]] uint32_t fieldSamplerOffset(const StructType& structure, size_t index);
/// Shape of each register in order. registerCount(type) must be below kTooLarge.
[[nodiscard]] std::vector<RegisterShape> registerShapes(const Type& type);

/// The interface type of a leaf (not a structure).
[[nodiscard]] isa::VarType varType(const Type& type);

/// Spelling for messages: "vec4[3]", "struct Light".
[[nodiscard]] std::string spelling(const Type& type);

/// Same type by name and structure; `why` gets the member that differs. With `precision`, member precisions count.
[[nodiscard]] bool sameType(const Type& a, const Type& b, bool precision, std::string* why);

/// From glslang's description.
[[nodiscard]] Type convertType(const glslang::TType& type);
[[nodiscard]] isa::Precision convertPrecision(const glslang::TType& type);

}  // namespace tessera::glsl::front
