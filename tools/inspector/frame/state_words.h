// What the fields of a draw's state mean, in the words of OpenGL ES: the calls that set them, and what they do.
#pragma once

#include <string_view>

namespace tessera::tools {

/// Of a field of inspect::StateField's groups, by its name; empty: nothing is known of it.
[[nodiscard]] std::string_view meaningOf(std::string_view field);

}  // namespace tessera::tools
