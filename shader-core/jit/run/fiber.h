// Stacks of their own for the groups of a block, so that a group can wait at a barrier in the middle of its code.
#pragma once

#include <cstddef>

namespace tessera::jit {

/// Memory for `count` stacks of `bytes`, each with a page in front that may not be touched.
class FiberStacks {
public:
    FiberStacks(size_t count, size_t bytes);  ///< std::bad_alloc where there is none
    ~FiberStacks();
    FiberStacks(const FiberStacks&) = delete;
    FiberStacks& operator=(const FiberStacks&) = delete;
    [[nodiscard]] std::byte* bottom(size_t number) const;  ///< lowest usable byte
    [[nodiscard]] size_t bytes() const { return bytes_; }

private:
    std::byte* memory_;
    size_t count_, bytes_, stride_;
};

/// A place to switch to: the host, or a group on its stack.
struct Fiber {
    void* stackPointer = nullptr;
    const std::byte* bottom = nullptr;  ///< of its stack, for sanitizers
    size_t bytes = 0;
    void* fakeStack = nullptr;
};

/// Makes a fiber that calls function(argument) when it is switched to. The function must not return.
void startFiber(Fiber& fiber, const FiberStacks& stacks, size_t number, void (*function)(void*), void* argument);
/// Goes on in `to`; returns when somebody switches back to `from`. The last switch of a fiber says so.
void switchFiber(Fiber& from, Fiber& to, bool last = false);
/// To be called first on a new fiber's stack; fills in where it came from.
void enteredFiber(Fiber* from);

}  // namespace tessera::jit
