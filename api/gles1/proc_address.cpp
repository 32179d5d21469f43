#include <algorithm>
#include <iterator>
#include <string_view>

#include "api/gles1/gl1.h"
#include "api/gles1/gles1.h"

namespace tessera::gles1 {

namespace {

struct Row {
    std::string_view name;
    gles::Proc address;
};

const Row kRows[] = {
#define ENTRY_POINT(name) {#name, reinterpret_cast<gles::Proc>(&::name)},
#define ALIAS(name, same) {#name, reinterpret_cast<gles::Proc>(&::same)},
#include "api/gles1/entry_points.inc"
#undef ENTRY_POINT
#undef ALIAS
};

constexpr std::string_view kNames[] = {
#define ENTRY_POINT(name) #name,
#define ALIAS(name, same) #name,
#include "api/gles1/entry_points.inc"
#undef ENTRY_POINT
#undef ALIAS
};
static_assert(std::is_sorted(std::begin(kNames), std::end(kNames)));

}  // namespace

gles::Proc procAddress(const char* name) {
    if (!name) return nullptr;
    const Row* row = std::ranges::lower_bound(kRows, std::string_view(name), {}, &Row::name);
    return row != std::end(kRows) && row->name == name ? row->address : nullptr;
}

}  // namespace tessera::gles1
