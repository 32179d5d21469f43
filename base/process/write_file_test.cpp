#include "base/process/write_file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "base/testing/folder.h"
#include "base/testing/process.h"

using namespace tessera;

namespace {

struct Folder : testing::Folder {
    Folder() : testing::Folder("write_file_test") {}
};

}  // namespace

TEST_CASE("a file is written whole, keeps its mode, and nothing stays beside it") {
    const Folder folder;
    std::string why;
    CHECK(writeWholeFile(folder.file("f"), "first", why));
    CHECK(folder.read("f") == "first");
    REQUIRE(chmod(folder.file("f").c_str(), 0600) == 0);
    CHECK(writeWholeFile(folder.file("f"), std::string(100000, 'x'), why));
    CHECK(folder.read("f") == std::string(100000, 'x'));
    struct stat there{};
    REQUIRE(stat(folder.file("f").c_str(), &there) == 0);
    CHECK((there.st_mode & 07777) == 0600);
    CHECK(folder.names().size() == 1);
    const std::string longest = folder.file(std::string(255, 'n'));
    CHECK(writeWholeFile(longest, "", why));
    CHECK(folder.read(std::string(255, 'n')).empty());
}

TEST_CASE("a file that finds no room stays as it was, and the process lives") {
    const Folder folder;
    std::string why;
    REQUIRE(writeWholeFile(folder.file("f"), "first", why));
    CHECK(testing::inChild([&] {
        const rlimit limit{.rlim_cur = 100, .rlim_max = 100};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
        return !writeWholeFile(folder.file("f"), std::string(101, 'x'), why) && why == "File too large" &&
               !writeWholeFile(folder.file("new"), std::string(101, 'x'), why) &&
               writeWholeFile(folder.file("room"), std::string(100, 'x'), why);
    }));
    CHECK(folder.read("f") == "first");
    CHECK(folder.read("room").size() == 100);
    CHECK(folder.names().size() == 2);
}

TEST_CASE("where a path leads that is to be written") {
    const Folder folder;
    std::string why;
    std::filesystem::create_symlink("b", folder.file("a"));
    CHECK(writtenPlace(folder.file("a")).path == folder.file("b"));
    CHECK(writtenPlace(folder.file("a")).isReplaced);
    CHECK(writeWholeFile(folder.file("a"), "through", why));
    CHECK(std::filesystem::is_symlink(folder.file("a")));
    CHECK(folder.read("b") == "through");
    std::filesystem::create_symlink("round", folder.file("round"));
    CHECK(!writeWholeFile(folder.file("round"), "", why));
    CHECK(why == "Too many levels of symbolic links");
    CHECK(!writtenPlace("/dev/null").isReplaced);
    CHECK(!writtenPlace("/dev/stdout").isReplaced);
    CHECK(!writtenPlace("/dev/fd/2").isReplaced);
    CHECK(writeWholeFile("/dev/null", "nothing", why));
    CHECK(!writeWholeFile("/dev/full", "nothing", why));
    CHECK(why == "No space left on device");
    CHECK(std::filesystem::is_character_file("/dev/full"));
    CHECK(!writeWholeFile(folder.file(""), "", why));
    CHECK(why == "Is a directory");
    CHECK(!writeWholeFile(folder.file("none/f"), "", why));
    CHECK(why == "No such file or directory");
}
