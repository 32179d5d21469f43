#include "base/process/recording_file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/testing/folder.h"
#include "base/testing/process.h"

using namespace tessera;

namespace {

struct Folder : testing::Folder {
    Folder() : testing::Folder("recording_file_test") {}
};

using Names = std::vector<std::string>;

/// What a process leaves that does `work` and is killed then; its number.
template <class Work>
pid_t killed(Work work) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        setenv("TESSERA_LOG", "0", 1);
        work();
        raise(SIGKILL);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WTERMSIG(status) == SIGKILL);
    return child;
}

void write(const std::string& path, const std::string& text) {
    RecordingFile file("TESSERA_TEST", path);
    file.write(text);
    file.finish();
}

}  // namespace

TEST_CASE("a recording has its name from the first whole thing on, and what is whole is there when it is killed") {
    const Folder folder;
    write(folder.file("f"), "old");
    CHECK(folder.names() == Names{"f"});
    const pid_t none = killed([&] {
        RecordingFile file("TESSERA_TEST", folder.file("f"));
        file.write("a part");
    });
    const std::string partial = "f." + std::to_string(none) + ".part";
    CHECK(folder.names() == Names{"f", partial});
    CHECK(folder.read("f") == "old");
    CHECK(folder.read(partial) == "a part");
    (void)killed([&] {
        RecordingFile file("TESSERA_TEST", folder.file("f"));
        file.write("whole;");
        file.markWhole();
        file.write("a part");
    });
    CHECK(folder.names() == Names{"f", partial});
    CHECK(folder.read("f") == "whole;a part");
}

TEST_CASE("where a name is taken by a process that records, the next one has a name of its own") {
    const Folder folder;
    pid_t second = 0;
    const pid_t first = killed([&] {
        RecordingFile file("TESSERA_TEST", folder.file("f"));
        file.write("first;");
        file.markWhole();
        second = fork();
        if (second == 0) {
            // The child has no part in the first recording, and makes one of its own.
            file.write("child");
            file.finish();
            if (file.isOpen()) _exit(1);
            write(folder.file("f"), "second");
            _exit(0);
        }
        int status = 0;
        if (waitpid(second, &status, 0) != second || status != 0) _exit(1);
        std::filesystem::rename(folder.file("f." + std::to_string(second)), folder.file("second"));
        file.write("last");
        file.markWhole();
    });
    CHECK(folder.names() == Names{"f", "second"});
    CHECK(folder.read("f") == "first;last");
    CHECK(folder.read("second") == "second");
    // Its process is gone, and the name free.
    CHECK(first > 0);
    write(folder.file("f"), "third");
    CHECK(folder.read("f") == "third");
}

TEST_CASE("where no more can be written, what is whole stays and the rest goes") {
    const Folder folder;
    const auto isKept = [&] {
        const rlimit few{10, 10};
        setrlimit(RLIMIT_FSIZE, &few);
        setenv("TESSERA_LOG", "0", 1);
        RecordingFile file("TESSERA_TEST", folder.file("f"));
        file.write("whole;");
        file.markWhole();
        file.write("too long");
        const bool isClosed = !file.isOpen();
        file.write("nothing");
        file.finish();
        RecordingFile none("TESSERA_TEST", folder.file("g"));
        none.write("much too long");
        return isClosed && !none.isOpen();
    };
    CHECK(tessera::testing::inChild(isKept, _exit));
    CHECK(folder.names() == Names{"f"});
    CHECK(folder.read("f") == "whole;");
}

TEST_CASE("links are followed; what is no file is refused, or written into") {
    const Folder folder;
    std::filesystem::create_symlink("target", folder.file("link"));
    write(folder.file("link"), "text");
    CHECK(std::filesystem::is_symlink(folder.file("link")));
    CHECK(folder.read("target") == "text");
    const std::string pipe = folder.file("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    const auto isRefused = [&] {
        setenv("TESSERA_LOG", "0", 1);
        return !RecordingFile("TESSERA_TEST", pipe).isOpen();
    };
    CHECK(tessera::testing::inChild(isRefused, _exit));
    RecordingFile device("TESSERA_TEST", "/dev/null", RecordingFile::Devices::Written);
    CHECK(device.isOpen());
    device.write("text");
    device.finish();
    CHECK(std::filesystem::is_character_file("/dev/null"));
    CHECK(std::filesystem::is_fifo(pipe));
}
