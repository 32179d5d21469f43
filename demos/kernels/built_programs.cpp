// By itself, so that what is installed and brings its own folder does not name the build's.
#include "demos/kernels/runner.h"

namespace tessera::kernels {

std::string builtPrograms() { return TESSERA_KERNEL_DIR; }

}  // namespace tessera::kernels
