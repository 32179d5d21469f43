#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "api/gles/driver.h"
#include "api/gles/gles.h"

namespace tessera::gles {

namespace {

struct Row {
    std::string_view name;
    Proc address;
};

const Row kRows[] = {
#define ENTRY_POINT(name) {#name, reinterpret_cast<Proc>(&::name)},
#include "api/gles/entry_points.inc"
#undef ENTRY_POINT
};

constexpr std::string_view kNames[] = {
#define ENTRY_POINT(name) #name,
#include "api/gles/entry_points.inc"
#undef ENTRY_POINT
};
static_assert(std::is_sorted(std::begin(kNames), std::end(kNames)));

/// Null when no entry point has exactly that name.
Proc find(std::string_view name) {
    auto row = std::lower_bound(std::begin(kRows), std::end(kRows), name,
                                [](const Row& r, std::string_view wanted) { return r.name < wanted; });
    return row != std::end(kRows) && row->name == name ? row->address : nullptr;
}

/// Where two extensions have a function of one name, later versions of OpenGL ES took the first's.
constexpr std::string_view kSuffixes[] = {"KHR", "OES", "EXT", "NV", "APPLE"};

}  // namespace

// libglvnd has the names of later versions, which programs ask for before those of extensions: its dispatchers must
// lead somewhere.
Proc procAddress(const char* name) {
    if (!name) return nullptr;
    if (Proc exact = find(name)) return exact;
    for (std::string_view suffix : kSuffixes)
        if (Proc extension = find(std::string(name).append(suffix))) return extension;
    return nullptr;
}

}  // namespace tessera::gles
