// The functions that glslang folds constants with. It calls the C library, whose results depend on the processor; the
// linker is told (--wrap, see CMakeLists.txt) that its calls come here.
#include "base/portable_math.h"

namespace portable = tessera::portable;

extern "C" {
double __wrap_sin(double x) { return portable::sin(x); }
double __wrap_cos(double x) { return portable::cos(x); }
double __wrap_tan(double x) { return portable::tan(x); }
double __wrap_asin(double x) { return portable::asin(x); }
double __wrap_acos(double x) { return portable::acos(x); }
double __wrap_atan(double x) { return portable::atan(x); }
double __wrap_atan2(double y, double x) { return portable::atan2(y, x); }
double __wrap_exp(double x) { return portable::exp(x); }
double __wrap_exp2(double x) { return portable::exp2(x); }
double __wrap_log(double x) { return portable::log(x); }
double __wrap_log2(double x) { return portable::log2(x); }
double __wrap_pow(double x, double y) { return portable::pow(x, y); }
}
