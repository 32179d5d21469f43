// Switches between the stacks of groups: void tessera_fiber_switch(void** own, void* other).
// Keeps what a function has to keep (AAPCS64): x19 to x30, the lower halves of v8 to v15. The floating-point control is
// the same everywhere. The order in memory is that of SwitchFrame (fiber.cpp).
    .text
    .globl tessera_fiber_switch
    .hidden tessera_fiber_switch
    .type tessera_fiber_switch, @function
tessera_fiber_switch:
    sub sp, sp, #160
    stp x19, x20, [sp]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size tessera_fiber_switch, .-tessera_fiber_switch

// Where a new fiber starts: x20 is the function, x19 its argument. The function never returns.
    .globl tessera_fiber_start
    .hidden tessera_fiber_start
    .type tessera_fiber_start, @function
tessera_fiber_start:
    mov x0, x19
    blr x20
    brk #1
    .size tessera_fiber_start, .-tessera_fiber_start

    .section .note.GNU-stack, "", @progbits
