// The bitcode files of CMakeLists.txt as bytes.
.section .rodata
.macro embed level
.balign 16
.globl tessera_lane_functions_\level
.hidden tessera_lane_functions_\level
tessera_lane_functions_\level:
.incbin "lane_functions_\level\().bc"
.globl tessera_lane_functions_\level\()_end
.hidden tessera_lane_functions_\level\()_end
tessera_lane_functions_\level\()_end:
.endm
embed v2
embed v3
embed v4
.section .note.GNU-stack, "", %progbits
