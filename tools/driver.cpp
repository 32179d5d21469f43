#include "tools/driver.h"

#include <cstdlib>
#include <filesystem>

#include "base/process/own_folder.h"

namespace tessera::tools {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDriver = "libtessera.so.0";
// In a prefix and in a build tree; and in Debian's package, out of libglvnd's sight.
constexpr const char* kVendorFile = "../share/glvnd/egl_vendor.d/50_tessera.json";
constexpr const char* kAsideVendorFile = "../share/tessera/egl_vendor.d/50_tessera.json";

const void* here() { return reinterpret_cast<const void*>(&installedDriver); }

/// The loader looks into the system's folders by itself; named, they would come before those that a program names.
bool isSystemFolder(const std::string& folder) {
    return folder.starts_with("/usr/lib/") || folder.starts_with("/lib/");
}

}  // namespace

Driver installedDriver() {
    const fs::path own = folderOf(here()), aside = (own / kAsideVendorFile).lexically_normal();
    std::error_code error;
    return {folderWith(kDriver, here()),
            fs::exists(aside, error) ? aside.string() : (own / kVendorFile).lexically_normal().string()};
}

Driver driverIn(const std::string& libraries) {
    std::error_code ignored;
    if (!fs::exists(fs::path(libraries) / kDriver, ignored)) return {};
    return {libraries, (fs::path(libraries) / kVendorFile).lexically_normal().string()};
}

void selectDriver(const Driver& driver) {
    if (!isSystemFolder(driver.libraries)) {
        const char* old = std::getenv("LD_LIBRARY_PATH");
        const std::string all = old == nullptr || *old == '\0' ? driver.libraries : driver.libraries + ":" + old;
        setenv("LD_LIBRARY_PATH", all.c_str(), 1);
    }
    setenv("__EGL_VENDOR_LIBRARY_FILENAMES", driver.vendorFile.c_str(), 1);
    // SDL programs would ask GLX, another driver's, for OpenGL ES first.
    setenv("SDL_VIDEO_X11_FORCE_EGL", "1", 1);
}

}  // namespace tessera::tools
