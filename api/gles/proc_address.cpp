#include <type_traits>

#include "api/gles/driver.h"
#include "api/gles/entry_points.h"
#include "api/gles/gles.h"

namespace tessera::gles {

namespace {

// What Khronos' headers declare is what the table says.
#define ENTRY_POINT(result, name, arguments, since) \
    static_assert(std::is_same_v<decltype(&::name), result(GL_APIENTRYP) arguments>, #name);
#include "api/gles/entry_points.inc"
#undef ENTRY_POINT

/// In the order of kEntryPoints.
const Proc kAddresses[] = {
#define ENTRY_POINT(result, name, arguments, since) reinterpret_cast<Proc>(&::name),
#include "api/gles/entry_points.inc"
#undef ENTRY_POINT
};

}  // namespace

// libglvnd has the names of later versions, which programs ask for before those of extensions: its dispatchers must
// lead somewhere.
Proc procAddress(const char* name) {
    const EntryPoint* row = name ? findEntryPoint(name) : nullptr;
    return row ? kAddresses[row - kEntryPoints] : nullptr;
}

}  // namespace tessera::gles
