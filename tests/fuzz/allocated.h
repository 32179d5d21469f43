// Bytes that the process has allocated with operator new, now and at most: a fuzz target includes this in one source.
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace tessera::fuzz {

inline std::atomic<size_t> allocatedBytes, mostAllocatedBytes;

inline void* allocate(size_t size) noexcept {
    void* const memory = std::malloc(size);
    const size_t now = allocatedBytes += malloc_usable_size(memory);
    for (size_t most = mostAllocatedBytes; now > most;)
        if (mostAllocatedBytes.compare_exchange_weak(most, now)) break;
    return memory;
}

inline void release(void* memory) noexcept {
    allocatedBytes -= malloc_usable_size(memory);
    std::free(memory);
}

}  // namespace tessera::fuzz

// They replace the library's and the sanitizers', all that there are but the aligned ones; those of the thread
// sanitizer cannot be replaced, and nothing is counted there.
#if !__has_feature(thread_sanitizer)
void* operator new(size_t size) {
    void* const memory = tessera::fuzz::allocate(size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void* operator new[](size_t size) { return operator new(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return tessera::fuzz::allocate(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return tessera::fuzz::allocate(size); }
void operator delete(void* memory) noexcept { tessera::fuzz::release(memory); }
void operator delete[](void* memory) noexcept { tessera::fuzz::release(memory); }
void operator delete(void* memory, size_t) noexcept { tessera::fuzz::release(memory); }
void operator delete[](void* memory, size_t) noexcept { tessera::fuzz::release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { tessera::fuzz::release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { tessera::fuzz::release(memory); }
#endif
