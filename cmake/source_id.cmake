# cmake -DOUT=header -DNAMESPACE=n -DNAME=kName -DSOURCES=a,b,c [-DMORE=text] -P source_id.cmake: a header with the hash
# of files and of a text, for what must come of the same sources: code in a cache, libraries that are loaded when the
# program runs.
string(REPLACE "," ";" SOURCES "${SOURCES}")
set(all "${MORE}")
foreach(source IN LISTS SOURCES)
  file(SHA256 ${source} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 id "${all}")
file(CONFIGURE OUTPUT ${OUT} CONTENT "#pragma once\nnamespace ${NAMESPACE} {\ninline constexpr char ${NAME}[] = \"${id}\";\n}\n")
