// Value numbers: one number for every value the shader computes, equal numbers for equal values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shader-core/glsl/ir/ir.h"

namespace tessera::glsl::ir {

using ValueNumber = uint32_t;

/// What is known about a value.
struct Value {
    enum class Tag : uint8_t {
        Opaque,
        Literal,     ///< a: bits
        Register,    ///< a: Kind, b: index, c: component of a register that never changes
        Modified,    ///< a: value, b: bit 0 negate, bit 1 absolute (float)
        Indexed,     ///< key: as Expression, an element of a register array that never changes
        Expression,  ///< key
    };
    Tag tag = Tag::Opaque;
    uint32_t a = 0, b = 0, c = 0;
    uint32_t keyBegin = 0, keyCount = 0;
    uint32_t holder = kNone;  ///< a place * 4 + component that held it first, for the caller
};

/// Hash-consing of keys (small lists of numbers) to value numbers.
class ValueTable {
public:
    ValueTable();
    ValueNumber fresh();
    ValueNumber literal(uint32_t bits);
    ValueNumber constantRegister(Kind kind, uint32_t index, uint32_t component);
    /// `value` with the modifiers (bit 0 negate, bit 1 absolute); `value` itself for none.
    ValueNumber modified(ValueNumber value, uint32_t modifiers);
    ValueNumber expression(std::span<const uint32_t> key, Value::Tag tag = Value::Tag::Expression);

    Value& operator[](ValueNumber v) { return values_[v]; }
    [[nodiscard]] const Value& operator[](ValueNumber v) const { return values_[v]; }
    [[nodiscard]] std::span<const uint32_t> key(const Value& v) const {
        return std::span(keys_).subspan(v.keyBegin, v.keyCount);
    }

private:
    ValueNumber find(std::span<const uint32_t> key, bool* isNew);
    void grow();

    std::vector<Value> values_;
    std::vector<uint32_t> keys_;
    std::vector<ValueNumber> slots_;  ///< open addressing, kNone empty
    size_t used_ = 0;
};

}  // namespace tessera::glsl::ir
