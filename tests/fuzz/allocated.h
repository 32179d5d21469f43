// Bytes that the process has allocated with operator new, now and at most: a fuzz target includes this in one source.
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace tessera::fuzz {

inline std::atomic<size_t> allocatedBytes, mostAllocatedBytes;

}  // namespace tessera::fuzz

// NOLINTBEGIN: they replace the library's
void* operator new(size_t size) {
    void* const memory = std::malloc(size);
    if (memory == nullptr) throw std::bad_alloc();
    const size_t now = tessera::fuzz::allocatedBytes += malloc_usable_size(memory);
    for (size_t most = tessera::fuzz::mostAllocatedBytes; now > most;)
        if (tessera::fuzz::mostAllocatedBytes.compare_exchange_weak(most, now)) break;
    return memory;
}
void operator delete(void* memory) noexcept {
    tessera::fuzz::allocatedBytes -= malloc_usable_size(memory);
    std::free(memory);
}
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }
// NOLINTEND
