// Memory for the constructors of LLVM's static objects. They run while the library is opened, where nobody can be told
// that there is no memory: an exception would leave the dynamic linker's locks held. What they ask for is always the
// same, 2,000 blocks of together 200 KB; what the process's allocator refuses them comes from here.
//
// The linker turns this library's calls of malloc() into __wrap_malloc(), and so on (--wrap). A block of the reserve is
// never used again. Once the library is open what is refused leaves LLVM.
#include "shader-core/jit/codegen/load_reserve.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

#include "shader-core/jit/codegen/llvm_entry.h"

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t bytes);
void* __real_realloc(void* old, size_t bytes);
void __real_free(void* block);
void* __real__Znwm(size_t bytes);  // operator new
void* __real__Znam(size_t bytes);
void* __real__ZnwmSt11align_val_t(size_t bytes, std::align_val_t alignment);
// std::string::_M_create, which is where strings get their memory: in the C++ library, and so is its operator new.
void* __real__ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(void*, size_t& capacity, size_t old);
void __real__ZdlPv(void* block);  // operator delete
void __real__ZdaPv(void* block);
void __real__ZdlPvm(void* block, size_t bytes);
void __real__ZdaPvm(void* block, size_t bytes);
void __real__ZdlPvmSt11align_val_t(void* block, size_t bytes, std::align_val_t alignment);
}

namespace {

constexpr const char* kNoMemory = "memory ran out";
constexpr size_t kAlignment = alignof(std::max_align_t);

/// Untouched, it costs address space.
alignas(kAlignment) std::byte reserve[1 << 20];
size_t taken = 0;  ///< by the one thread that opens the library

/// The size is kept in front of a block. Null when there is no room, and once the library is open.
void* take(size_t bytes) {
    if (!tessera::jit::isLoading || bytes > sizeof reserve || taken + 2 * kAlignment + bytes > sizeof reserve)
        return nullptr;
    std::byte* block = reserve + taken + kAlignment;
    taken += kAlignment + (bytes + kAlignment - 1) / kAlignment * kAlignment;
    std::memcpy(block - kAlignment, &bytes, sizeof bytes);
    return block;
}

bool isTaken(const void* block) { return block >= reserve && block < reserve + sizeof reserve; }

template <class New>
void* newOrTaken(size_t bytes, const New& next) {
    try {
        return next();
    } catch (const std::bad_alloc&) {
        if (void* block = take(bytes); block != nullptr) return block;
    }
    tessera::jit::leaveLlvm(kNoMemory);
}

}  // namespace

extern "C" {

void* __wrap_malloc(size_t bytes) {
    void* block = __real_malloc(bytes);
    return block != nullptr ? block : take(bytes);
}

void* __wrap_calloc(size_t count, size_t bytes) {
    void* block = __real_calloc(count, bytes);
    size_t all = 0;
    return block != nullptr || __builtin_mul_overflow(count, bytes, &all) ? block : take(all);  // zero, as all of it is
}

void* __wrap_realloc(void* old, size_t bytes) {
    if (!isTaken(old)) {
        void* block = __real_realloc(old, bytes);
        // Without knowing the size of the process's block there is nothing to be copied.
        return block != nullptr || old != nullptr ? block : take(bytes);
    }
    void* block = __wrap_malloc(bytes);
    size_t before = 0;
    std::memcpy(&before, static_cast<std::byte*>(old) - kAlignment, sizeof before);
    return block != nullptr ? std::memcpy(block, old, before < bytes ? before : bytes) : nullptr;
}

void __wrap_free(void* block) {
    if (!isTaken(block)) __real_free(block);
}

void* __wrap__Znwm(size_t bytes) {
    return newOrTaken(bytes, [&] { return __real__Znwm(bytes); });
}
void* __wrap__Znam(size_t bytes) {
    return newOrTaken(bytes, [&] { return __real__Znam(bytes); });
}
void* __wrap__ZnwmSt11align_val_t(size_t bytes, std::align_val_t alignment) {
    const auto next = [&] { return __real__ZnwmSt11align_val_t(bytes, alignment); };
    return newOrTaken(static_cast<size_t>(alignment) <= kAlignment ? bytes : SIZE_MAX, next);
}
void* __wrap__ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(void* string, size_t& capacity,
                                                                                 size_t old) {
    try {
        return __real__ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(string, capacity, old);
    } catch (const std::bad_alloc&) {
        if (void* block = take(capacity + 1); block != nullptr) return block;
    }
    tessera::jit::leaveLlvm(kNoMemory);
}
void __wrap__ZdlPv(void* block) {
    if (!isTaken(block)) __real__ZdlPv(block);
}
void __wrap__ZdaPv(void* block) {
    if (!isTaken(block)) __real__ZdaPv(block);
}
void __wrap__ZdlPvm(void* block, size_t bytes) {
    if (!isTaken(block)) __real__ZdlPvm(block, bytes);
}
void __wrap__ZdaPvm(void* block, size_t bytes) {
    if (!isTaken(block)) __real__ZdaPvm(block, bytes);
}
void __wrap__ZdlPvmSt11align_val_t(void* block, size_t bytes, std::align_val_t alignment) {
    if (!isTaken(block)) __real__ZdlPvmSt11align_val_t(block, bytes, alignment);
}
// NOLINTEND(bugprone-reserved-identifier)

}  // extern "C"
