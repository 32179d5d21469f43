// A recorded command stream in words.
#pragma once

#include <string>

#include "pipeline/recording/decode.h"

namespace tessera::tools {

/// One line a command: its number, what it is, and what of it is not as it mostly is; of draws the primitive, counts,
/// program, and the state that is another than the last draw's.
[[nodiscard]] std::string listing(const pipeline::CommandStream& stream);
/// The same as JSON: an object for each command, with all its fields; of draws only the state that is another.
[[nodiscard]] std::string listingJson(const pipeline::CommandStream& stream);

}  // namespace tessera::tools
