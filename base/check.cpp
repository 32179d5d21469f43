#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace tessera {

void checkFailed(const char* file, int line, const char* condition, std::string_view operands) {
    std::fprintf(stderr, "%s:%d: check failed: %s%s%.*s\n", file, line, condition, operands.empty() ? "" : ": ",
                 static_cast<int>(operands.size()), operands.data());
    std::abort();
}

}  // namespace tessera
