// CHECK and UNREACHABLE: for our own mistakes, never for the application's. Both end the process with the
// place, the condition and both operands.
#pragma once

#include <sstream>
#include <string>
#include <string_view>

namespace tessera {

/// A view, as who calls this may be compiled for a SIMD level: a string would be made by a function that others share.
[[noreturn]] void checkFailed(const char* file, int line, const char* condition, std::string_view operands);

namespace detail {
template <class A, class B>
std::string describe(const A& a, const B& b) {
    std::ostringstream out;
    out << a << " against " << b;
    return out.str();
}
}  // namespace detail

}  // namespace tessera

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) ::tessera::checkFailed(__FILE__, __LINE__, #condition, {}); \
    } while (0)

#define TESSERA_CHECK_OP(a, op, b)                                               \
    do {                                                                         \
        const auto checkA = (a);                                                 \
        const auto checkB = (b);                                                 \
        if (!(checkA op checkB))                                                 \
            ::tessera::checkFailed(__FILE__, __LINE__, #a " " #op " " #b,        \
                                   ::tessera::detail::describe(checkA, checkB)); \
    } while (0)

#define CHECK_EQ(a, b) TESSERA_CHECK_OP(a, ==, b)
#define CHECK_LT(a, b) TESSERA_CHECK_OP(a, <, b)
#define CHECK_LE(a, b) TESSERA_CHECK_OP(a, <=, b)

#define UNREACHABLE(why) ::tessera::checkFailed(__FILE__, __LINE__, "unreachable", why)
