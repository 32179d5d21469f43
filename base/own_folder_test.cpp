#include "base/own_folder.h"

#include <cstdlib>
#include <filesystem>

#include <doctest/doctest.h>

using namespace tessera;
namespace fs = std::filesystem;

namespace {

void ofThisProgram() {}

}  // namespace

TEST_CASE("the folder of code is absolute, whatever the working directory is by then") {
    const std::string folder = fs::read_symlink("/proc/self/exe").parent_path().string() + "/";
    const fs::path before = fs::current_path();
    const auto ownFolder = [] { return folderOf(reinterpret_cast<const void*>(&ofThisProgram)); };
    CHECK(ownFolder() == folder);
    fs::current_path("/");
    CHECK(ownFolder() == folder);
    fs::current_path(before);
    const std::string system = folderOf(reinterpret_cast<const void*>(&std::abort));
    CHECK(fs::path(system).is_absolute());
    CHECK(system.ends_with('/'));
    CHECK(system != folder);
    CHECK(folderOf(nullptr) == "");
}
