// Memory kept back for code that cannot go on without: glslang is made without exceptions, and an allocation that fails
// in its middle leaves locks held and lists torn.
//
// While a thread is in such code, what the allocator refuses is taken from the reserve (api/icd/allocation.cpp). That
// is enough to get out of it; before it is entered the next time the reserve is filled again, or std::bad_alloc thrown.
#pragma once

#include <cstddef>

namespace tessera {

class UsesMemoryReserve {
public:
    UsesMemoryReserve();
    ~UsesMemoryReserve();
    UsesMemoryReserve(const UsesMemoryReserve&) = delete;
    UsesMemoryReserve& operator=(const UsesMemoryReserve&) = delete;
};

/// A block of malloc()'s; null when the thread is in no such code, or there is none as large.
[[nodiscard]] void* takeFromReserve(size_t bytes) noexcept;

}  // namespace tessera
