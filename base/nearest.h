// "Did you mean": the name that a misspelt one most likely stands for.
#pragma once

#include <span>
#include <string_view>

namespace tessera {

/// The name of the list nearest to a misspelt one, or empty when none is near.
[[nodiscard]] std::string_view nearest(std::span<const std::string_view> names, std::string_view misspelt);

}  // namespace tessera
