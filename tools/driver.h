// The driver that was installed with this tool, and how a program comes to load it.
#pragma once

#include <string>

namespace tessera::tools {

struct Driver {
    std::string libraries;   ///< folder of libtessera.so.0; empty: there is none
    std::string vendorFile;  ///< libglvnd's description of it
};

/// The one beside this tool.
[[nodiscard]] Driver installedDriver();
/// That of another build tree or prefix, by its folder of libraries; its own is empty when there is no driver in it.
[[nodiscard]] Driver driverIn(const std::string& libraries);

/// Makes programs that this process starts, or becomes, load that driver: through libglvnd, or in its place where the
/// folder holds Tessera's own libEGL.so.1 and libGLESv2.so.2.
void selectDriver(const Driver& driver);

}  // namespace tessera::tools
