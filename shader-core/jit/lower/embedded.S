// The bitcode files of CMakeLists.txt as bytes; TESSERA_LEVELS: the SIMD levels, v2,v3,v4.
.section .rodata
.irp level, TESSERA_LEVELS
.balign 16
.globl tessera_lane_functions_\level
.hidden tessera_lane_functions_\level
tessera_lane_functions_\level:
.incbin "lane_functions_\level\().bc"
.globl tessera_lane_functions_\level\()_end
.hidden tessera_lane_functions_\level\()_end
tessera_lane_functions_\level\()_end:
.endr
.section .note.GNU-stack, "", %progbits
