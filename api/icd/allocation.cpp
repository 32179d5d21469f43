// The allocator as the code in this library sees it: the process's own, and behind it the reserve of
// base/process/memory_reserve.h. The linker turns the library's calls of malloc() into __wrap_malloc(), and so on
// (--wrap), and operator new is defined here, invisible outside; so blocks are freed as any others are.
#include <malloc.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/process/memory_reserve.h"

extern "C" {

void* __real_malloc(size_t bytes);                // NOLINT(bugprone-reserved-identifier)
void* __real_calloc(size_t count, size_t bytes);  // NOLINT(bugprone-reserved-identifier)
void* __real_realloc(void* old, size_t bytes);    // NOLINT(bugprone-reserved-identifier)

void* __wrap_malloc(size_t bytes) {  // NOLINT(bugprone-reserved-identifier)
    void* memory = __real_malloc(bytes);
    return memory != nullptr ? memory : tessera::takeFromReserve(bytes);
}

void* __wrap_calloc(size_t count, size_t bytes) {  // NOLINT(bugprone-reserved-identifier)
    if (void* memory = __real_calloc(count, bytes); memory != nullptr) return memory;
    size_t all = 0;
    void* memory = __builtin_mul_overflow(count, bytes, &all) ? nullptr : tessera::takeFromReserve(all);
    return memory != nullptr ? std::memset(memory, 0, all) : nullptr;
}

void* __wrap_realloc(void* old, size_t bytes) {  // NOLINT(bugprone-reserved-identifier)
    void* memory = __real_realloc(old, bytes);
    if (memory != nullptr || bytes == 0 || (memory = tessera::takeFromReserve(bytes)) == nullptr) return memory;
    if (old != nullptr) std::memcpy(memory, old, malloc_usable_size(old) < bytes ? malloc_usable_size(old) : bytes);
    std::free(old);
    return memory;
}

}  // extern "C"

void* operator new(size_t bytes) {
    for (;;) {
        if (void* memory = std::malloc(bytes == 0 ? 1 : bytes); memory != nullptr) return memory;
        const std::new_handler handler = std::get_new_handler();
        if (handler == nullptr) throw std::bad_alloc();
        handler();
    }
}
void* operator new[](size_t bytes) { return operator new(bytes); }
void* operator new(size_t bytes, std::align_val_t alignment) {
    if (static_cast<size_t>(alignment) <= alignof(std::max_align_t)) return operator new(bytes);
    void* memory = nullptr;
    if (posix_memalign(&memory, static_cast<size_t>(alignment), bytes) != 0) throw std::bad_alloc();
    return memory;
}
void* operator new[](size_t bytes, std::align_val_t alignment) { return operator new(bytes, alignment); }
