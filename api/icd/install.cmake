# cmake --install: the libraries, libglvnd's description, pkg-config and CMake package files, and the tessera command.
# Everything finds its neighbours relative to itself, so a prefix can be moved; only libglvnd's description names the
# library by its full path, because libglvnd opens it from wherever the program runs.

# The others carry $ORIGIN to find the driver; the driver opens the JIT from beside itself.
install(TARGETS tessera_driver tessera_jit tessera_libegl tessera_libgles tessera_libvendor
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

# The command is made after this room.
cmake_language(EVAL CODE "
  cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL install
                 TARGETS tessera RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})")

# The prefix is known when installing, not when configuring: cmake --install --prefix.
# A relative one counts from the folder of the call.
install(CODE "
  cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX NORMALIZE OUTPUT_VARIABLE prefix)
  set(TESSERA_VENDOR_LIBRARY \${prefix}/${CMAKE_INSTALL_LIBDIR}/libEGL_tessera.so.0)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/50_tessera.json.in
                 \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/glvnd/egl_vendor.d/50_tessera.json @ONLY)
  message(STATUS \"Installing: \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/glvnd/egl_vendor.d/50_tessera.json\")
")

# pkg-config: the names that programs ask for. Headers are the system's (Debian: libegl-dev, libgles-dev).
file(RELATIVE_PATH TESSERA_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" TESSERA_PC_PREFIX "${TESSERA_PC_PREFIX}")
foreach(package egl glesv2)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${package}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# CMake: find_package(Tessera) gives Tessera::EGL and Tessera::GLESv2.
include(CMakePackageConfigHelpers)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TesseraConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/TesseraConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/TesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/TesseraConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/TesseraConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)
