// Preloaded into a program: a C library for another processor. Whatever of libm is not exact by IEEE-754 returns a
// value that is off by a thousandth. What a program draws or computes from such a value is different, visibly.
#include <dlfcn.h>

namespace {

template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

template <class Real>
Real off(Real value) {
    return value * (1 + Real(1) / 1024);
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))
#define UNARY(name, Real)                                      \
    EXPORT Real name(Real x) {                                 \
        static auto* const function = real<Real(Real)>(#name); \
        return off(function(x));                               \
    }
#define BINARY(name, Real)                                           \
    EXPORT Real name(Real x, Real y) {                               \
        static auto* const function = real<Real(Real, Real)>(#name); \
        return off(function(x, y));                                  \
    }
#define SINE_AND_COSINE(name, Real)                                          \
    EXPORT void name(Real x, Real* sine, Real* cosine) {                     \
        static auto* const function = real<void(Real, Real*, Real*)>(#name); \
        function(x, sine, cosine);                                           \
        *sine = off(*sine), *cosine = off(*cosine);                          \
    }
#define EACH_PRECISION(kind, name) kind(name, double) kind(name##f, float) kind(name##l, long double)

EACH_PRECISION(UNARY, sin)
EACH_PRECISION(UNARY, cos)
EACH_PRECISION(UNARY, tan)
EACH_PRECISION(UNARY, asin)
EACH_PRECISION(UNARY, acos)
EACH_PRECISION(UNARY, atan)
EACH_PRECISION(UNARY, sinh)
EACH_PRECISION(UNARY, cosh)
EACH_PRECISION(UNARY, tanh)
EACH_PRECISION(UNARY, asinh)
EACH_PRECISION(UNARY, acosh)
EACH_PRECISION(UNARY, atanh)
EACH_PRECISION(UNARY, exp)
EACH_PRECISION(UNARY, exp2)
EACH_PRECISION(UNARY, exp10)
EACH_PRECISION(UNARY, expm1)
EACH_PRECISION(UNARY, log)
EACH_PRECISION(UNARY, log2)
EACH_PRECISION(UNARY, log10)
EACH_PRECISION(UNARY, log1p)
EACH_PRECISION(UNARY, cbrt)
EACH_PRECISION(UNARY, erf)
EACH_PRECISION(UNARY, erfc)
EACH_PRECISION(UNARY, tgamma)
EACH_PRECISION(UNARY, lgamma)
EACH_PRECISION(BINARY, pow)
EACH_PRECISION(BINARY, atan2)
EACH_PRECISION(BINARY, hypot)
EACH_PRECISION(SINE_AND_COSINE, sincos)
