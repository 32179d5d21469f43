// The driver that was installed with this tool, and how a program comes to load it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tessera::tools {

struct Driver {
    std::string libraries;   ///< folder of libtessera.so.0; empty: there is none
    std::string vendorFile;  ///< libglvnd's description of it
};

/// The one beside this tool.
[[nodiscard]] Driver installedDriver();
/// That of another build tree or prefix, by its folder of libraries; its own is empty when there is no driver in it.
[[nodiscard]] Driver driverIn(const std::string& libraries);

/// What to say where there is none.
inline constexpr const char* kNoDriver =
    "libtessera.so.0 is not installed beside this command: it belongs into lib beside bin; Debian's package is "
    "libtessera0";

/// Variables of the environment, with their values, that make a program load that driver: through libglvnd, or in its
/// place where the folder holds Tessera's own libEGL.so.1 and libGLESv2.so.2.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> driverVariables(const Driver& driver);
/// Sets them, for programs that this process starts or becomes.
void selectDriver(const Driver& driver);

}  // namespace tessera::tools
