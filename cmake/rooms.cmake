# tessera_room(name SOURCES ... DEPENDS ...): a static library; includes are written from the top of the tree. Sources
# whose name ends in _simd.cpp are compiled once for each SIMD level (simd.cmake).
function(tessera_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  tessera_split_simd_sources(ROOM_SOURCES simd)
  add_library(${name} STATIC ${ROOM_SOURCES})
  tessera_simd_sources(${name} ${simd})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ROOM_DEPENDS} PRIVATE ${ROOM_PRIVATE_DEPENDS})
endfunction()

# tessera_finds_neighbours(target path): what is installed finds the libraries that were handed on with it relative to
# itself ($ORIGIN), wherever a prefix is moved.
function(tessera_finds_neighbours target path)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${path}" BUILD_WITH_INSTALL_RPATH ON)
endfunction()

# doctest itself takes longer to compile than most tests: once for all of them.
add_library(tessera_doctest OBJECT ${CMAKE_SOURCE_DIR}/tests/doctest_main.cpp)

# Most tests are compiled without optimisation, in less than half the time that it takes with it: what they test is in
# rooms. In other builds than Release they are compiled as all is.
set(TESSERA_TEST_OPTIONS $<$<CONFIG:Release>:-O0> $<$<CONFIG:Release>:-U_FORTIFY_SOURCE>)

# tessera_test(name [OPTIMIZED] SOURCES ... DEPENDS ...): a doctest program, run by ctest; *_simd.cpp as in a room.
# OPTIMIZED: it computes so much itself that otherwise it runs longer than is saved.
function(tessera_test name)
  cmake_parse_arguments(TEST "OPTIMIZED" "" "SOURCES;DEPENDS;ENVIRONMENT" ${ARGN})
  tessera_split_simd_sources(TEST_SOURCES simd)
  add_executable(${name} ${TEST_SOURCES})
  tessera_simd_sources(${name} ${simd})
  target_link_libraries(${name} PRIVATE tessera_doctest ${TEST_DEPENDS})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  if(NOT TEST_OPTIMIZED)
    target_compile_options(${name} PRIVATE ${TESSERA_TEST_OPTIONS})
    set_target_properties(${name} PROPERTIES TESSERA_COMPILED_AS tests)
  endif()
  target_compile_definitions(${name} PRIVATE TESSERA_SOURCE_DIR="${CMAKE_SOURCE_DIR}" TESSERA_BINARY_DIR="${CMAKE_BINARY_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)  # tests/doctest_main.cpp
  if(TEST_ENVIRONMENT)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${TEST_ENVIRONMENT}")
  endif()
endfunction()

# The test of GL `name` again, with its programs run by every tier at every SIMD level that the host has; other levels are
# skipped (tests/doctest_main.cpp). Without it they are interpreted at the host's best level.
function(tessera_test_every_tier name)
  foreach(tier interp baseline jit tiered)
    foreach(level IN LISTS TESSERA_SIMD_LEVELS)
      add_test(NAME ${name}_${tier}_${level} COMMAND ${name})
      set_tests_properties(${name}_${tier}_${level} PROPERTIES SKIP_RETURN_CODE 77
                           ENVIRONMENT "TESSERA_TIER=${tier};TESSERA_SIMD=${level};TESSERA_CACHE_DIR=")
    endforeach()
  endforeach()
endfunction()
