# cmake -DOUT=header -DSOURCE=folder -DVERSION=1.2.3 -P commit.cmake: a header that says of which commit this build is, as
# far as it is a clone's.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit ERROR_QUIET
                OUTPUT_STRIP_TRAILING_WHITESPACE)
string(STRIP "${VERSION} ${commit}" build)
file(CONFIGURE OUTPUT ${OUT} CONTENT
     "#pragma once\nnamespace tessera::tools {\ninline constexpr char kBuild[] = \"${build}\";\n}\n")
