#include <algorithm>
#include <iterator>
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

}  // namespace

Proc procAddress(const char* name) {
    if (!name) return nullptr;
    auto row = std::lower_bound(std::begin(kRows), std::end(kRows), std::string_view(name),
                                [](const Row& r, std::string_view wanted) { return r.name < wanted; });
    return row != std::end(kRows) && row->name == name ? row->address : nullptr;
}

}  // namespace tessera::gles
