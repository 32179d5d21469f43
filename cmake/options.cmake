# Compiler options of the whole tree.

# The architecture: by its name sources and options of its own are chosen (docs/platforms.md).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(TESSERA_PROCESSOR x86_64)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(TESSERA_PROCESSOR aarch64)
else()
  message(FATAL_ERROR "Tessera runs on x86-64 and aarch64, not on ${CMAKE_SYSTEM_PROCESSOR}: docs/platforms.md")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/archive)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_C_FLAGS_RELEASE "-O2")
# What packages are made of: the same code, with debug information that names no folder of the machine it was made on.
foreach(language C CXX ASM)
  set(CMAKE_${language}_FLAGS_RELWITHDEBINFO "-O2 -g -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=")
endforeach()
set(CMAKE_CXX_FLAGS_SANITIZE "-O1 -g1 -fno-omit-frame-pointer")
set(CMAKE_C_FLAGS_SANITIZE "-O1 -g1 -fno-omit-frame-pointer")

# One rounding where we say so and nowhere else: the pixels depend on it.
add_compile_options(-ffp-contract=off -fno-math-errno)
add_compile_options(-Wall -Wextra -Wno-missing-field-initializers -Wno-psabi)
if(TESSERA_PROCESSOR STREQUAL "x86_64")
  add_compile_options(-march=x86-64-v2)
else()
  add_compile_options(-march=armv8-a -fsigned-char)  # char is signed everywhere, as on x86-64
endif()

# The driver runs in other people's processes, on data of theirs: overruns of arrays on the stack and of the C library's
# copies end the process, and tables of addresses cannot be written once they are made. Not -fcf-protection: a library has
# it as a whole or not at all, and the static libraries of glslang and LLVM have it not.
add_compile_options($<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<CONFIG:Release,RelWithDebInfo>>:-fstack-protector-strong>)
add_compile_definitions($<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<CONFIG:Release,RelWithDebInfo>>:_FORTIFY_SOURCE=2>)
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)

set(TESSERA_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them: address, undefined, thread, several")
if(TESSERA_SANITIZE)
  add_compile_options(-fsanitize=${TESSERA_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TESSERA_SANITIZE})
  if(TESSERA_SANITIZE MATCHES "undefined")
    # vptr: glslang carries no run-time type information. function: compiled shaders have no type in front
    # of their code to check the call against.
    add_compile_options(-fno-sanitize=vptr,function)
  endif()
endif()

find_program(TESSERA_LLD ld.lld-19)
if(TESSERA_LLD)
  add_link_options(--ld-path=${TESSERA_LLD})
endif()

find_program(TESSERA_CCACHE ccache)
if(TESSERA_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${TESSERA_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TESSERA_CCACHE})
endif()
