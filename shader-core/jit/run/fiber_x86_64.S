// Switches between the stacks of groups: void tessera_fiber_switch(void** own, void* other).
// Keeps what a function has to keep (System V ABI): rbx, rbp, r12 to r15. The floating-point state is the same everywhere.
// The order in memory is that of SwitchFrame (fiber.cpp).
#ifdef __CET__
#include <cet.h>
#endif
    .text
    .globl tessera_fiber_switch
    .hidden tessera_fiber_switch
    .type tessera_fiber_switch, @function
tessera_fiber_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size tessera_fiber_switch, .-tessera_fiber_switch

// Where a new fiber starts: r12 is the function, r13 its argument. The function never returns.
    .globl tessera_fiber_start
    .hidden tessera_fiber_start
    .type tessera_fiber_start, @function
tessera_fiber_start:
    movq %r13, %rdi
    callq *%r12
    ud2
    .size tessera_fiber_start, .-tessera_fiber_start

    .section .note.GNU-stack, "", @progbits
