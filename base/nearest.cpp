#include "base/nearest.h"

#include <algorithm>
#include <vector>

namespace tessera {

namespace {

int editDistance(std::string_view a, std::string_view b) {
    std::vector<int> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
    for (size_t i = 1; i <= a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i);
        for (size_t j = 1; j <= b.size(); ++j) {
            const int above = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = above;
        }
    }
    return row[b.size()];
}

}  // namespace

std::string_view nearest(std::span<const std::string_view> names, std::string_view misspelt) {
    if (misspelt.size() > 32) return {};
    std::string_view best;
    // Twice the edit distance; among equals the first letter decides, it is rarely mistyped.
    int bestDistance = misspelt.size() <= 2 ? 4 : 6;
    for (std::string_view name : names) {
        if (name.empty() || misspelt.empty()) continue;
        const int distance = 2 * editDistance(name, misspelt) + (name[0] != misspelt[0]);
        if (distance < bestDistance) {
            best = name;
            bestDistance = distance;
        }
    }
    return best;
}

}  // namespace tessera
