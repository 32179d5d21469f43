#include "base/process/read_file.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

using namespace tessera;

TEST_CASE("Whole files are read, and what is none is refused with the reason") {
    const auto folder = std::filesystem::temp_directory_path() / ("read_file_test." + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    const std::string path = folder / "file", text = std::string(70000, 'x') + '\0' + "end";
    std::ofstream(path, std::ios::binary) << text;
    std::ofstream(folder / "empty") << "";
    std::string why;
    CHECK(readWholeFile(path, why) == text);
    CHECK(readWholeFile(folder / "empty", why) == "");
    CHECK(why.empty());

    CHECK(!readWholeFile(folder, why));
    CHECK(why == "it is a folder");
    CHECK(!readWholeFile("/dev/zero", why));
    CHECK(why == "it is a device");
    CHECK(!readWholeFile(folder / "absent", why));
    CHECK(why == "No such file or directory");
    std::filesystem::remove_all(folder);
}
