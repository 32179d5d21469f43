#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace tessera {

void checkFailed(const char* file, int line, const char* condition, const std::string& operands) {
    std::fprintf(stderr, "%s:%d: check failed: %s%s%s\n", file, line, condition, operands.empty() ? "" : ": ",
                 operands.c_str());
    std::abort();
}

}  // namespace tessera
