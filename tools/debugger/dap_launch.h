// What a launch request of the Debug Adapter Protocol asks for.
#pragma once

#include <string>

#include "tools/debugger/dap_message.h"
#include "tools/debugger/dbg.h"

namespace tessera::tools::dap {

/// Fills in the target. What is wrong with the first argument that is, or empty; arguments with other names than those
/// of the debugger are the editor's own.
[[nodiscard]] std::string readLaunch(const Json& arguments, DebugTarget& target);

}  // namespace tessera::tools::dap
