#include "base/process/own_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

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
    const std::string system = folderOf(reinterpret_cast<const void*>(&std::rand));
    CHECK(fs::path(system).is_absolute());
    CHECK(system.ends_with('/'));
    CHECK(system != folder);
    CHECK(folderOf(nullptr) == "");
}

TEST_CASE("installed libraries are found from beside them and from the programs' folder, in both layouts") {
    const std::string own = folderOf(reinterpret_cast<const void*>(&ofThisProgram));
    const fs::path lib = fs::path(own).parent_path().parent_path() / "lib";
    fs::create_directories(lib / TESSERA_MULTIARCH);
    const auto find = [](const char* file) { return folderWith(file, reinterpret_cast<const void*>(&ofThisProgram)); };
    const auto put = [](const fs::path& file) { std::ofstream(file) << "a library"; };
    constexpr const char* name = "own_folder_test.so";
    CHECK(find(name) == "");
    put(lib / TESSERA_MULTIARCH / name);
    CHECK(find(name) == (lib / TESSERA_MULTIARCH / "").string());
    put(lib / name);
    CHECK(find(name) == (lib / "").string());
    put(own + name);
    CHECK(find(name) == own);
    for (const fs::path& folder : {lib / TESSERA_MULTIARCH, lib, fs::path(own)}) fs::remove(folder / name);
    CHECK(folderWith(name, nullptr) == "");
}
