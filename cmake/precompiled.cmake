# Precompiled headers: what most sources include of C++'s library, and fmt, is parsed once for libraries and once for
# programs. That saves 0.8 s of processor time of the 2.5 s that a source takes, and there are five hundred of them;
# with command lines' and JSON's headers as well, small sources lose by it. ./run asks for it, cmake alone does not:
# every source has to include what it uses, which the sanitizers' builds show, the fuzz targets among them; and the full
# paths in a precompiled header keep a compiler cache from sharing between clones. Not <filesystem>: its <iomanip> adds
# std::quoted to the overloads of what others call quoted.
option(TESSERA_PRECOMPILED_HEADERS "Parse the headers of C++'s library once" OFF)

set(precompiled_headers <algorithm> <array> <atomic> <charconv> <cmath> <condition_variable> <functional> <map> <memory>
    <mutex> <optional> <random> <set> <span> <string> <string_view> <thread> <unordered_map> <vector> <fmt/format.h>)

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

# tessera_precompile_headers(): for every target, and of it every source, that is compiled as the tree is; called when
# all of them are there.
function(tessera_precompile_headers)
  # Sanitizers: see above. Debug information for packages would name the folder.
  if(NOT TESSERA_PRECOMPILED_HEADERS OR NOT CMAKE_BUILD_TYPE MATCHES "^(Release|Debug)$" OR TESSERA_SANITIZE)
    return()
  endif()
  find_package(fmt REQUIRED)
  targets_below(${CMAKE_SOURCE_DIR} targets)
  # Code for libraries and code for programs differ (-fPIC, -fPIE), so the headers do.
  add_library(tessera_headers_of_libraries OBJECT ${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp)
  add_executable(tessera_headers_of_programs ${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp)
  foreach(headers tessera_headers_of_libraries tessera_headers_of_programs)
    target_link_libraries(${headers} PRIVATE fmt::fmt)
    target_precompile_headers(${headers} PRIVATE ${precompiled_headers})
    target_compile_options(${headers} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")  # for ccache
  endforeach()
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(sources ${target} SOURCES)
    get_target_property(options ${target} COMPILE_OPTIONS)
    list(FILTER sources INCLUDE REGEX "\\.c(pp)?$")
    list(FILTER options INCLUDE REGEX "^-[fm]")
    get_property(common DIRECTORY ${CMAKE_SOURCE_DIR} PROPERTY COMPILE_OPTIONS)
    list(FILTER common INCLUDE REGEX "^-[fm]")
    if(sources MATCHES "\\.cpp" AND NOT sources MATCHES "\\.c(;|$)" AND options STREQUAL common)
      set(headers tessera_headers_of_libraries)
      if(type STREQUAL "EXECUTABLE")
        set(headers tessera_headers_of_programs)
      endif()
      target_precompile_headers(${target} REUSE_FROM ${headers})
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
