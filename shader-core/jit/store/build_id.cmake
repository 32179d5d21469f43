# cmake -DOUT=header -DSOURCES=a,b,c -P build_id.cmake: a header with the hash of the files that decide what code a program
# becomes, so that a cache made by other sources is not read.
string(REPLACE "," ";" SOURCES "${SOURCES}")
set(all "")
foreach(source IN LISTS SOURCES)
  file(SHA256 ${source} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 id "${all}")
file(CONFIGURE OUTPUT ${OUT} CONTENT "#pragma once\nnamespace tessera::jit {\ninline constexpr char kBuildId[] = \"${id}\";\n}\n")
