// The line of a text that a diagnostic speaks of, with a caret below the column.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// Two lines, each with four blanks before it. Tabs are shown as blanks, other control characters as '?', and of a long
/// line what is around the caret. `column` is from 1; 0: no caret, one line. Empty for an empty line.
[[nodiscard]] std::string excerpt(std::string_view line, int column);

}  // namespace tessera
