# tessera_simd_sources(target file...): compiles hot files once for each SIMD level. Each copy sees
# TESSERA_SIMD (v2, v3, v4; neon), the inline namespace of base/simd.h; the caller picks one at run time
# by base/process/env.h simdLevel().

# As base/simd_levels.h has them; in the cache for the scripts of tests/. TESSERA_SIMD_OPTIONS_<level>: what the compiler
# is told.
if(TESSERA_PROCESSOR STREQUAL "x86_64")
  set(TESSERA_SIMD_LEVELS v2 v3 v4 CACHE INTERNAL "SIMD levels")
  set(TESSERA_SIMD_OPTIONS_v2 -march=x86-64-v2)
  set(TESSERA_SIMD_OPTIONS_v3 -march=x86-64-v3)
  set(TESSERA_SIMD_OPTIONS_v4 -march=x86-64-v4 -mprefer-vector-width=512)
else()
  set(TESSERA_SIMD_LEVELS neon CACHE INTERNAL "SIMD levels")
  set(TESSERA_SIMD_OPTIONS_neon -march=armv8-a)
endif()

function(tessera_simd_sources target)
  if(NOT ARGN)
    return()
  endif()
  foreach(level IN LISTS TESSERA_SIMD_LEVELS)
    set(object ${target}_${level})
    add_library(${object} OBJECT ${ARGN})
    set_target_properties(${object} PROPERTIES TESSERA_COMPILED_AS ${level})
    target_include_directories(${object} PRIVATE ${CMAKE_SOURCE_DIR})
    target_compile_definitions(${object} PRIVATE TESSERA_SIMD=${level})
    target_compile_options(${object} PRIVATE ${TESSERA_SIMD_OPTIONS_${level}})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
  endforeach()
endfunction()

# Takes the sources named *_simd.cpp out of `sources`, into `simd`.
function(tessera_split_simd_sources sources simd)
  set(levelled ${${sources}})
  list(FILTER levelled INCLUDE REGEX "_simd\\.cpp$")
  set(once ${${sources}})
  list(FILTER once EXCLUDE REGEX "_simd\\.cpp$")
  set(${sources} ${once} PARENT_SCOPE)
  set(${simd} ${levelled} PARENT_SCOPE)
endfunction()
