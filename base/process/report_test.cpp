#include "base/process/report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

#include <unistd.h>

#include "base/process/signals.h"
#include "base/testing/process.h"

using namespace tessera;

namespace {

bool isPending(int signal) {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, signal) == 1;
}

/// What `work` writes to standard error.
template <class Work>
std::string written(Work work) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return "no pipe";
    const int before = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    work();
    dup2(before, STDERR_FILENO);
    close(before);
    std::string text(8192, '\0');
    text.resize(static_cast<size_t>(std::max<ssize_t>(read(ends[0], text.data(), text.size()), 0)));
    close(ends[0]);
    return text;
}

/// Standard error becomes a pipe that nobody reads.
void closeReader() {
    std::array<int, 2> ends{};
    (void)!pipe(ends.data());
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
}

}  // namespace

TEST_CASE("a line of any length, and those alone that are asked for") {
    CHECK(written([] { report(Severity::Error, "%s is %d", "it", 5); }) == "tessera: it is 5\n");
    const std::string path(3000, 'x');
    CHECK(written([&] { report(Severity::Error, "%s", path.c_str()); }) == "tessera: " + path + "\n");
    CHECK(written([] { report(Severity::Debug, "unless TESSERA_LOG is 4"); }).empty());
}

TEST_CASE("no signal where nobody reads") {
    CHECK(testing::inChild([] {
        closeReader();
        report(Severity::Error, "unread");
        return !isPending(SIGPIPE);
    }));
    // One that the application waits for stays.
    CHECK(testing::inChild([] {
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
        raise(SIGPIPE);
        closeReader();
        report(Severity::Error, "unread");
        return isPending(SIGPIPE);
    }));
}
