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

std::vector<std::pair<std::string, std::string>> driverVariables(const Driver& driver) {
    std::vector<std::pair<std::string, std::string>> all;
    if (!isSystemFolder(driver.libraries)) {
        const char* old = std::getenv("LD_LIBRARY_PATH");
        all.emplace_back("LD_LIBRARY_PATH",
                         old == nullptr || *old == '\0' ? driver.libraries : driver.libraries + ":" + old);
    }
    all.emplace_back("__EGL_VENDOR_LIBRARY_FILENAMES", driver.vendorFile);
    // SDL programs would ask GLX, another driver's, for OpenGL ES first.
    all.emplace_back("SDL_VIDEO_X11_FORCE_EGL", "1");
    // GStreamer, WebKit's videos with it, would ask EGL for desktop OpenGL and give up, or ask GLX.
    all.emplace_back("GST_GL_API", "gles2");
    all.emplace_back("GST_GL_PLATFORM", "egl");
    return all;
}

void selectDriver(const Driver& driver) {
    for (const auto& [name, value] : driverVariables(driver)) setenv(name.c_str(), value.c_str(), 1);
}

}  // namespace tessera::tools
