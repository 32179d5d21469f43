#include "shader-core/jit/run/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TESSERA_ASAN 1
#include <sanitizer/common_interface_defs.h>
#endif
#endif

extern "C" {
void tessera_fiber_switch(void** own, void* other);
void tessera_fiber_start();
}

namespace tessera::jit {

namespace {

/// What tessera_fiber_switch takes from a stack (fiber_*.S): the registers that a function has to keep, two of which
/// tell tessera_fiber_start what to call, and where to go on. tessera_fiber_start is entered with the stack at a
/// multiple of sixteen, as its call needs it.
#if defined(__x86_64__)
struct SwitchFrame {
    uint64_t r15 = 0, r14 = 0;
    void* argument;           // r13
    void (*function)(void*);  // r12
    uint64_t rbx = 0, rbp = 0;
    void (*next)() = tessera_fiber_start;
};
#elif defined(__aarch64__)
struct SwitchFrame {
    void* argument;           // x19
    void (*function)(void*);  // x20
    uint64_t x21ToX29[9] = {};
    void (*next)() = tessera_fiber_start;  // x30
    uint64_t d8ToD15[8] = {};
};
static_assert(sizeof(SwitchFrame) == 160);
#endif

}  // namespace

FiberStacks::FiberStacks(size_t count, size_t bytes) : count_(count), bytes_(bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    bytes_ = (bytes + page - 1) / page * page;
    stride_ = bytes_ + page;
    void* memory = mmap(nullptr, count_ * stride_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<std::byte*>(memory);
    for (size_t n = 0; n < count_; ++n) (void)mprotect(memory_ + n * stride_, page, PROT_NONE);
}

FiberStacks::~FiberStacks() {
    if (memory_ != nullptr) munmap(memory_, count_ * stride_);
}

std::byte* FiberStacks::bottom(size_t number) const { return memory_ + number * stride_ + (stride_ - bytes_); }

void startFiber(Fiber& fiber, const FiberStacks& stacks, size_t number, void (*function)(void*), void* argument) {
    fiber.bottom = stacks.bottom(number);
    fiber.bytes = stacks.bytes();
    fiber.fakeStack = nullptr;
    std::byte* top = stacks.bottom(number) + stacks.bytes() - 64;
    fiber.stackPointer = new (top - sizeof(SwitchFrame)) SwitchFrame{.argument = argument, .function = function};
}

#ifdef TESSERA_ASAN

void switchFiber(Fiber& from, Fiber& to, bool last) {
    __sanitizer_start_switch_fiber(last ? nullptr : &from.fakeStack, to.bottom, to.bytes);
    tessera_fiber_switch(&from.stackPointer, to.stackPointer);
    __sanitizer_finish_switch_fiber(from.fakeStack, nullptr, nullptr);
}

void enteredFiber(Fiber* from) {
    const void* bottom = nullptr;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &from->bytes);
    from->bottom = static_cast<const std::byte*>(bottom);
}

#else

void switchFiber(Fiber& from, Fiber& to, bool) { tessera_fiber_switch(&from.stackPointer, to.stackPointer); }

void enteredFiber(Fiber*) {}

#endif

}  // namespace tessera::jit
