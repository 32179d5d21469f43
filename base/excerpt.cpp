#include "base/excerpt.h"

#include <algorithm>

namespace tessera {

namespace {

/// Long enough for a line to make sense; longer ones are cut around the caret.
constexpr size_t kShown = 160;

}  // namespace

std::string excerpt(std::string_view text, int column) {
    if (text.empty()) return {};
    std::string line(text);
    for (char& c : line) {
        if (c == '\t') c = ' ';
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = c == '\r' ? ' ' : '?';
    }
    size_t caret = std::min(static_cast<size_t>(std::max(column, 1)) - 1, line.size());
    if (line.size() > kShown) {
        const size_t first = caret > kShown / 2 ? caret - kShown / 2 : 0;
        line = line.substr(first, kShown);
        caret -= first;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    std::string shown = "    " + line + "\n";
    if (column > 0) shown += "    " + std::string(caret, ' ') + "^\n";
    return shown;
}

}  // namespace tessera
