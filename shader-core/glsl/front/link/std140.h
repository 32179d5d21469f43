// The layout std140 of uniform blocks (OpenGL ES 3.0 section 2.11.6.4), which `shared` and `packed` get as well.
//
// A register of constants has the sixteen bytes that the layout rounds arrays, structures and columns up to, and
// nothing in it lies across two of them. So a block in memory is registers as it is: byte n of it is byte n % 16 of
// register n / 16.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shader-core/glsl/front/link/types.h"

namespace tessera::glsl::front {

inline constexpr uint32_t kRegisterBytes = 16;

/// Bytes a value takes, and of what its offset is a multiple.
struct Extent {
    uint64_t size = 0;
    uint32_t alignment = 4;
};
[[nodiscard]] Extent extentOf(const Type& type, bool rowMajor);
/// Bytes from one element of an array to the next; a multiple of kRegisterBytes.
[[nodiscard]] uint64_t arrayStride(const Type& array, bool rowMajor);
/// Bytes before member `index`. `rowMajor`: of each member; of all of them where there is one.
[[nodiscard]] uint64_t memberOffset(const StructType& structure, const std::vector<bool>& rowMajor, size_t index);

/// A uniform block as declared.
struct InterfaceBlock {
    std::string name;
    std::string instance;        ///< empty: the members are named alone
    uint32_t arraySize = 0;      ///< instances; 0: not an array
    Type type;                   ///< of an instance: the members as a structure
    std::vector<bool> rowMajor;  ///< what is declared of each member, a matrix or not
    enum class Packing : uint8_t { Shared, Packed, Std140 } packing = Packing::Shared;
    bool staticUse = false;
    std::string place;   ///< of its name in the declaration, as in messages; empty: unknown
    uint32_t first = 0;  ///< uniform slot of the first instance before linking
    /// Registers of an instance.
    [[nodiscard]] uint32_t registers() const;
    [[nodiscard]] uint32_t instances() const { return arraySize == 0 ? 1 : arraySize; }
};

/// Its members as the API lists them, without registers: "Block.lights[1].colour".
[[nodiscard]] std::vector<isa::BlockMember> membersOf(const InterfaceBlock& block);

}  // namespace tessera::glsl::front
