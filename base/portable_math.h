// Functions of <cmath> that IEEE-754 leaves open, as functions of their arguments alone.
//
// The C library picks a variant of its own by the processor (with or without fused multiply-add), and the variants
// round differently now and then. Where a result reaches a pixel, a golden or a kernel, that would be the host's
// doing. Here is plain double arithmetic in one order; the build contracts none of it.
//
// Results are within 6 units in the last place (pow: relative 2^-43), for angles up to a million; beyond, the error
// grows with the angle. Special values are those of the C library. Rounded to single precision the results are nearly
// always the nearest float.
#pragma once

namespace tessera::portable {

[[nodiscard]] double sin(double radians);
[[nodiscard]] double cos(double radians);
[[nodiscard]] double tan(double radians);
[[nodiscard]] double asin(double x);
[[nodiscard]] double acos(double x);
[[nodiscard]] double atan(double x);
[[nodiscard]] double atan2(double y, double x);
[[nodiscard]] double exp(double x);
[[nodiscard]] double exp2(double x);
[[nodiscard]] double log(double x);
[[nodiscard]] double log2(double x);
[[nodiscard]] double pow(double x, double y);

}  // namespace tessera::portable
