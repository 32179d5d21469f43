// For tests that run the `tessera` command as a user does: in a shell, with files in a folder of their own.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace tessera::tools {

struct Result {
    int status = -1;
    std::string output;  ///< standard output and error
    [[nodiscard]] bool says(const std::string& text) const { return output.find(text) != std::string::npos; }
};

inline Result run(const std::string& arguments) {
    Result result;
    FILE* pipe = popen((std::string(TESSERA_BINARY_DIR) + "/bin/tessera " + arguments + " 2>&1").c_str(), "r");
    REQUIRE(pipe);
    char buffer[4096];
    while (const size_t n = fread(buffer, 1, sizeof buffer, pipe)) result.output.append(buffer, n);
    result.status = WEXITSTATUS(pclose(pipe));
    return result;
}

/// A test's folder in the build directory, made on first use.
class TestFolder {
public:
    explicit TestFolder(const std::string& name) : path_(std::filesystem::path(TESSERA_BINARY_DIR) / name) {}
    /// The path of a file in it.
    [[nodiscard]] std::string operator()(const std::string& name) const {
        std::filesystem::create_directories(path_);
        return (path_ / name).string();
    }
    /// Makes the file; returns its path.
    [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
        std::ofstream((*this)(name), std::ios::binary) << text;
        return (*this)(name);
    }

private:
    std::filesystem::path path_;
};

inline std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

}  // namespace tessera::tools
