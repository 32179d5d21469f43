// A folder of a test's own, removed with all that is in it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

#include "base/process/read_file.h"

namespace tessera::testing {

class Folder {
public:
    /// `test`: a name that no other test has.
    explicit Folder(const std::string& test)
        : path_(std::filesystem::temp_directory_path() / (test + "." + std::to_string(getpid()))) {
        std::filesystem::create_directory(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(path_)) names.push_back(entry.path().filename());
        std::ranges::sort(names);
        return names;
    }
    /// What is in the file; in brackets why it cannot be read.
    [[nodiscard]] std::string read(const std::string& name) const {
        std::string why;
        return readWholeFile(file(name), why).value_or("(" + why + ")");
    }

private:
    const std::filesystem::path path_;
};

}  // namespace tessera::testing
