# tessera_simd_sources(target file...): compiles hot files once for each SIMD level. Each copy sees
# TESSERA_SIMD (v2, v3, v4), the inline namespace of base/simd.h; the caller picks one at run time
# by base/env.h simdLevel(). The files' names stay in the target's property TESSERA_SIMD_SOURCES (tests/fuzz).

set(TESSERA_SIMD_LEVELS "v2;v3;v4" CACHE STRING "SIMD levels to build")

function(tessera_simd_sources target)
  set_property(TARGET ${target} APPEND PROPERTY TESSERA_SIMD_SOURCES ${ARGN})
  foreach(level IN LISTS TESSERA_SIMD_LEVELS)
    set(object ${target}_${level})
    add_library(${object} OBJECT ${ARGN})
    target_include_directories(${object} PRIVATE ${CMAKE_SOURCE_DIR})
    target_compile_definitions(${object} PRIVATE TESSERA_SIMD=${level})
    target_compile_options(${object} PRIVATE -march=x86-64-${level})
    if(level STREQUAL "v4")
      target_compile_options(${object} PRIVATE -mprefer-vector-width=512)
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
  endforeach()
endfunction()
