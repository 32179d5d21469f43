// The entry points as a table (entry_points.inc), and which of them a name leads to.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace tessera::gles {

struct EntryPoint {
    std::string_view result, name, arguments;  ///< as C writes them, the arguments in parentheses
    std::string_view since;                    ///< kCore, kCore3, or names of extensions without GL_, separated by ", "
};

/// EntryPoint::since of what the library exports: the functions of OpenGL ES 2.0, and those that 3.0 adds.
inline constexpr std::string_view kCore = "OpenGL ES 2.0", kCore3 = "OpenGL ES 3.0";
[[nodiscard]] constexpr bool isCore(const EntryPoint& entry) { return entry.since == kCore || entry.since == kCore3; }

inline constexpr EntryPoint kEntryPoints[] = {
#define ENTRY_POINT(result, name, arguments, since) {#result, #name, #arguments, since},
#include "api/gles/entry_points.inc"
#undef ENTRY_POINT
};
static_assert(std::ranges::is_sorted(kEntryPoints, {}, &EntryPoint::name));

/// Versions of OpenGL ES after 3.0 took functions of extensions up under their names without the suffix: where two
/// extensions have a function of one name, the first's. (What 3.0 took up has a row of its own.)
inline constexpr std::string_view kSuffixes[] = {"KHR", "OES", "EXT", "NV", "APPLE"};

/// The row of that name, with or without its suffix; null when there is none.
[[nodiscard]] inline const EntryPoint* findEntryPoint(std::string_view name) {
    const auto exact = [](std::string_view wanted) {
        const auto* row = std::ranges::lower_bound(kEntryPoints, wanted, {}, &EntryPoint::name);
        return row != std::end(kEntryPoints) && row->name == wanted ? row : nullptr;
    };
    if (const EntryPoint* row = exact(name)) return row;
    for (std::string_view suffix : kSuffixes)
        if (const EntryPoint* row = exact(std::string(name).append(suffix))) return row;
    return nullptr;
}

}  // namespace tessera::gles
