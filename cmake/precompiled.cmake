# Precompiled headers: what most sources include of C++'s library, and fmt, is parsed once for each way that the tree is
# compiled in: for libraries, programs, tests and each SIMD level; with JSON's, CLI11's and LLVM's headers where those are
# used, as other sources lose by them: with CLI11's even an empty one takes 1.6 s, for objects that its headers define.
# That saves 0.8 s of processor time of the 2.5 s that a source takes otherwise, and there are seven hundred. ./run asks
# for it, cmake alone does not: every source has to include what it uses, which the sanitizers' builds show, the fuzz
# targets among them; and the full paths in a precompiled header keep a compiler cache from sharing between clones.
option(TESSERA_PRECOMPILED_HEADERS "Parse the headers of C++'s library once" OFF)

set(precompiled_headers <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <condition_variable> <filesystem> <functional>
    <map> <memory> <mutex> <optional> <random> <set> <span> <sstream> <string> <string_view> <thread> <unordered_map>
    <variant> <vector> <fmt/format.h>)

# All targets of a folder and of those below it.
function(targets_below folder result)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    targets_below(${below} more)
    list(APPEND targets ${more})
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

# Code for libraries and code for programs differ (-fPIC, -fPIE), and so does what is told the compiler.
function(precompile_headers_for kind options)
  set(headers tessera_headers_of_${kind})
  add_library(${headers} OBJECT ${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp)
  if(kind MATCHES "programs|commands|tests")
    set_target_properties(${headers} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${headers} PRIVATE -fPIE)
  endif()
  target_link_libraries(${headers} PRIVATE fmt::fmt)
  target_compile_options(${headers} PRIVATE "SHELL:-Xclang -fno-pch-timestamp" ${options})  # no time: for ccache
  target_precompile_headers(${headers} PRIVATE ${precompiled_headers} ${ARGN})
endfunction()

# What a target is compiled as: TESSERA_COMPILED_AS, or after its type; empty where it has options of its own.
function(compiled_as target result)
  get_target_property(kind ${target} TESSERA_COMPILED_AS)
  if(NOT kind)
    get_target_property(type ${target} TYPE)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if(NOT type STREQUAL "EXECUTABLE" AND "nlohmann_json::nlohmann_json" IN_LIST libraries)
      set(kind json_libraries)
    elseif(NOT type STREQUAL "EXECUTABLE")
      set(kind libraries)
    elseif("CLI11::CLI11" IN_LIST libraries)
      set(kind commands)
    else()
      set(kind programs)
    endif()
    get_target_property(options ${target} COMPILE_OPTIONS)
    list(FILTER options INCLUDE REGEX "^-[fm]")
    get_property(common DIRECTORY ${CMAKE_SOURCE_DIR} PROPERTY COMPILE_OPTIONS)
    list(FILTER common INCLUDE REGEX "^-[fm]")
    if(NOT options STREQUAL common)
      set(kind)
    endif()
  endif()
  set(${result} ${kind} PARENT_SCOPE)
endfunction()

# tessera_precompile_headers(): for every target, and of it every source, that is compiled as the tree is; called when
# all of them are there.
function(tessera_precompile_headers)
  # Sanitizers: see above. Debug information for packages would name the folder.
  if(NOT TESSERA_PRECOMPILED_HEADERS OR NOT CMAKE_BUILD_TYPE MATCHES "^(Release|Debug)$" OR TESSERA_SANITIZE)
    return()
  endif()
  find_package(fmt REQUIRED)
  targets_below(${CMAKE_SOURCE_DIR} targets)
  precompile_headers_for(libraries "")
  precompile_headers_for(json_libraries "" <nlohmann/json.hpp>)
  precompile_headers_for(programs "")
  precompile_headers_for(commands "" ${CMAKE_SOURCE_DIR}/cmake/command_line.h <nlohmann/json.hpp>)
  precompile_headers_for(tests "${TESSERA_TEST_OPTIONS}" <doctest/doctest.h>)
  get_target_property(in_llvm_options tessera_jit_in_llvm COMPILE_OPTIONS)
  precompile_headers_for(in_llvm "${in_llvm_options}" <llvm/IR/InstIterator.h> <llvm/IR/IntrinsicInst.h>
                         <llvm/IR/Intrinsics.h> <llvm/IR/IRBuilder.h> <llvm/IR/MDBuilder.h> <llvm/IR/Module.h>)
  target_include_directories(tessera_headers_of_in_llvm SYSTEM PRIVATE
                             $<TARGET_PROPERTY:tessera_jit_in_llvm,INCLUDE_DIRECTORIES>)
  set(intrinsics)
  if(TESSERA_PROCESSOR STREQUAL "x86_64")
    set(intrinsics <immintrin.h>)
  endif()
  foreach(level IN LISTS TESSERA_SIMD_LEVELS)
    precompile_headers_for(${level} "${TESSERA_SIMD_OPTIONS_${level}}" ${intrinsics})
  endforeach()
  foreach(target IN LISTS targets)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.c(pp)?$")
    compiled_as(${target} kind)
    if(kind AND sources MATCHES "\\.cpp" AND NOT sources MATCHES "\\.c(;|$)")
      target_precompile_headers(${target} REUSE_FROM tessera_headers_of_${kind})
      get_target_property(folder ${target} SOURCE_DIR)
      foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
        get_source_file_property(own ${source} TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
        if(own MATCHES "(^|;)-[fm]")
          set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
        endif()
      endforeach()
      # clang forgets where the C++ library itself allows what is deprecated.
      target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp" -Wno-deprecated-declarations)
    endif()
  endforeach()
endfunction()
