// The two networks of seed 002 as jobs (suite.h).
#pragma once

#include "demos/kernels/suite.h"

namespace tessera::kernels {

[[nodiscard]] Job makeCnnInt(Scale scale);
[[nodiscard]] Job makeCnnFloat(Scale scale);
[[nodiscard]] Job makeNinInt(Scale scale);
[[nodiscard]] Job makeNinInt8(Scale scale);
[[nodiscard]] Job makeNinFloat(Scale scale);

}  // namespace tessera::kernels
