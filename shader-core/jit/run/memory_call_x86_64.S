// What compiled kernels call for the elements that the short ways leave over: KernelFrame::memory with every register kept,
// so that a call which hardly ever happens costs the code around it nothing.
//
//   rdi frame, rsi rows, rdx descriptor, ecx mask
//
// One entry for each SIMD level: it saves the vector and mask registers that code of the level uses.
    .text

.macro SAVE_INTEGERS
    pushq %rbp
    movq %rsp, %rbp
    pushq %rax
    pushq %rcx
    pushq %rdx
    pushq %rsi
    pushq %rdi
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %r11
.endm

.macro RESTORE_INTEGERS
    leaq -72(%rbp), %rsp
    popq %r11
    popq %r10
    popq %r9
    popq %r8
    popq %rdi
    popq %rsi
    popq %rdx
    popq %rcx
    popq %rax
    popq %rbp
.endm

.macro ENTRY name
    .globl \name
    .hidden \name
    .type \name, @function
\name:
.endm

// KernelFrame::memory is the second field.
.macro CALL_MEMORY
    callq *8(%rdi)
.endm

ENTRY tessera_memory_v2
    SAVE_INTEGERS
    subq $256, %rsp
    andq $-64, %rsp
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movaps %xmm\n, 16 * \n(%rsp)
    .endr
    CALL_MEMORY
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movaps 16 * \n(%rsp), %xmm\n
    .endr
    RESTORE_INTEGERS
    ret
    .size tessera_memory_v2, .-tessera_memory_v2

ENTRY tessera_memory_v3
    SAVE_INTEGERS
    subq $512, %rsp
    andq $-64, %rsp
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vmovaps %ymm\n, 32 * \n(%rsp)
    .endr
    vzeroupper
    CALL_MEMORY
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vmovaps 32 * \n(%rsp), %ymm\n
    .endr
    RESTORE_INTEGERS
    ret
    .size tessera_memory_v3, .-tessera_memory_v3

ENTRY tessera_memory_v4
    SAVE_INTEGERS
    subq $2112, %rsp
    andq $-64, %rsp
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vmovaps %zmm\n, 64 * \n(%rsp)
    .endr
    .irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    vmovaps %zmm\n, 64 * \n(%rsp)
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    kmovq %k\n, 2048 + 8 * \n(%rsp)
    .endr
    vzeroupper
    CALL_MEMORY
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vmovaps 64 * \n(%rsp), %zmm\n
    .endr
    .irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    vmovaps 64 * \n(%rsp), %zmm\n
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    kmovq 2048 + 8 * \n(%rsp), %k\n
    .endr
    RESTORE_INTEGERS
    ret
    .size tessera_memory_v4, .-tessera_memory_v4

    .section .note.GNU-stack, "", @progbits
