// Where the driver is put together: the one place that knows which tier executes shaders.
#include "api/gles/driver.h"
#include "shader-core/interp/interpreter.h"

namespace {

[[maybe_unused]] const bool kInstalled = [] {
    tessera::gles::setExecutorFactory([] { return tessera::interp::makeInterpreter(); });
    return true;
}();

}  // namespace
