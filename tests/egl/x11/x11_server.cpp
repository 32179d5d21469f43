#include "tests/egl/x11/x11_server.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>

namespace egltest {

namespace {

class Server {
public:
    Server() {
        int ends[2];
        if (pipe(ends) != 0) return;
        bool withoutShm = std::getenv("EGL_TEST_WITHOUT_SHM") != nullptr;
        child_ = fork();
        if (child_ == 0) {
            // It finds a free display number itself and writes it to the pipe.
            std::string channel = std::to_string(ends[1]);
            int quiet = open("/dev/null", O_WRONLY);
            dup2(quiet, STDERR_FILENO);
            execlp("Xvfb", "Xvfb", "-displayfd", channel.c_str(), "-screen", "0", "320x240x24", "-nolisten", "tcp",
                   "-noreset", withoutShm ? "-extension" : nullptr, "MIT-SHM", static_cast<char*>(nullptr));
            _exit(127);
        }
        close(ends[1]);
        char character;
        while (read(ends[0], &character, 1) == 1 && character != '\n') name_ += character;
        close(ends[0]);
        if (!name_.empty()) name_ = ":" + name_;
        if (!name_.empty()) setenv("DISPLAY", name_.c_str(), 1);
    }
    ~Server() {
        if (child_ <= 0) return;
        kill(child_, SIGTERM);
        waitpid(child_, nullptr, 0);
    }
    [[nodiscard]] const char* name() const { return name_.c_str(); }

private:
    pid_t child_ = -1;
    std::string name_;
};

}  // namespace

const char* virtualDisplay() {
    static Server server;
    return server.name();
}

Display* openVirtualDisplay() {
    const char* name = virtualDisplay();
    Display* display = *name != '\0' ? XOpenDisplay(name) : nullptr;
    if (display == nullptr) std::cout << "skipped: there is no Xvfb\n";
    return display;
}

}  // namespace egltest
