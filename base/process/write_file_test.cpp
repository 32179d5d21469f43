#include "base/process/write_file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "base/process/read_file.h"
#include "base/testing/process.h"

using namespace tessera;

namespace {

class Folder {
public:
    Folder() { std::filesystem::create_directory(path_); }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    [[nodiscard]] std::string operator()(const std::string& name) const { return path_ / name; }
    [[nodiscard]] size_t count() const {
        return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
    }

private:
    const std::filesystem::path path_ =
        std::filesystem::temp_directory_path() / ("write_file_test." + std::to_string(getpid()));
};

std::string contents(const std::string& path) {
    std::string why;
    return readWholeFile(path, why).value_or("(" + why + ")");
}

}  // namespace

TEST_CASE("a file is written whole, keeps its mode, and nothing stays beside it") {
    const Folder folder;
    std::string why;
    CHECK(writeWholeFile(folder("f"), "first", why));
    CHECK(contents(folder("f")) == "first");
    REQUIRE(chmod(folder("f").c_str(), 0600) == 0);
    CHECK(writeWholeFile(folder("f"), std::string(100000, 'x'), why));
    CHECK(contents(folder("f")) == std::string(100000, 'x'));
    struct stat there{};
    REQUIRE(stat(folder("f").c_str(), &there) == 0);
    CHECK((there.st_mode & 07777) == 0600);
    CHECK(folder.count() == 1);
    const std::string longest = folder(std::string(255, 'n'));
    CHECK(writeWholeFile(longest, "", why));
    CHECK(contents(longest).empty());
}

TEST_CASE("a file that finds no room stays as it was, and the process lives") {
    const Folder folder;
    std::string why;
    REQUIRE(writeWholeFile(folder("f"), "first", why));
    CHECK(testing::inChild([&] {
        const rlimit limit{.rlim_cur = 100, .rlim_max = 100};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
        return !writeWholeFile(folder("f"), std::string(101, 'x'), why) && why == "File too large" &&
               !writeWholeFile(folder("new"), std::string(101, 'x'), why) &&
               writeWholeFile(folder("room"), std::string(100, 'x'), why);
    }));
    CHECK(contents(folder("f")) == "first");
    CHECK(contents(folder("room")).size() == 100);
    CHECK(folder.count() == 2);
}

TEST_CASE("where a path leads that is to be written") {
    const Folder folder;
    std::string why;
    std::filesystem::create_symlink("b", folder("a"));
    CHECK(writtenPlace(folder("a")).path == folder("b"));
    CHECK(writtenPlace(folder("a")).isReplaced);
    CHECK(writeWholeFile(folder("a"), "through", why));
    CHECK(std::filesystem::is_symlink(folder("a")));
    CHECK(contents(folder("b")) == "through");
    std::filesystem::create_symlink("round", folder("round"));
    CHECK(!writeWholeFile(folder("round"), "", why));
    CHECK(why == "Too many levels of symbolic links");
    CHECK(!writtenPlace("/dev/null").isReplaced);
    CHECK(!writtenPlace("/dev/stdout").isReplaced);
    CHECK(!writtenPlace("/dev/fd/2").isReplaced);
    CHECK(writeWholeFile("/dev/null", "nothing", why));
    CHECK(!writeWholeFile("/dev/full", "nothing", why));
    CHECK(why == "No space left on device");
    CHECK(std::filesystem::is_character_file("/dev/full"));
    CHECK(!writeWholeFile(folder(""), "", why));
    CHECK(why == "Is a directory");
    CHECK(!writeWholeFile(folder("none/f"), "", why));
    CHECK(why == "No such file or directory");
}
