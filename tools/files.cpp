#include "tools/files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "base/process/read_file.h"
#include "base/process/write_file.h"
#include "shader-core/asm/assembler.h"

namespace tessera::tools {

std::optional<std::string> readFile(const std::string& path) {
    std::string why;
    std::optional<std::string> bytes = path == "-" ? readRest(stdin, why) : readWholeFile(path, why);
    if (!bytes) fmt::print(stderr, "{}: error: cannot be read: {}\n", path, why);
    return bytes;
}

std::optional<std::string> readRecorded(const std::string& path) {
    namespace fs = std::filesystem;
    std::optional<std::string> bytes = readFile(path);
    std::error_code ignored;
    const fs::file_time_type time = fs::last_write_time(path, ignored);
    const std::string name = fs::path(path).filename().string() + ".";
    const fs::path folder = fs::path(path).parent_path();
    std::vector<std::string> unfinished;
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored)) {
        const std::string file = entry.path().filename().string();
        std::string_view rest = file;
        if (!rest.starts_with(name) || !rest.ends_with(".part")) continue;
        rest.remove_prefix(name.size());
        rest.remove_suffix(std::min(rest.size(), std::string_view(".part").size()));
        const bool isProcess = !rest.empty() && rest.find_first_not_of("0123456789") == std::string_view::npos;
        if (isProcess && (!bytes || entry.last_write_time(ignored) >= time))
            unfinished.push_back((folder / file).string());
    }
    std::ranges::sort(unfinished);
    for (const std::string& part : unfinished)
        fmt::print(stderr, "{}: note: a program that was to record into {} has left this, or is still at it; {}\n",
                   part, path, "what is whole in it can be read by this name");
    return bytes;
}

bool isDistinct(const std::string& output, std::span<const std::string> inputs) {
    for (const std::string& input : inputs) {
        std::error_code ignored;
        if (output == "-" || !std::filesystem::equivalent(output, input, ignored)) continue;
        fmt::print(stderr, "{}: error: it is an input; give another file with -o\n", output);
        return false;
    }
    return true;
}

bool writeFile(const std::string& path, const std::string& text) {
    if (path == "-") {
        std::cout << text << std::flush;
        return bool(std::cout);
    }
    std::string why;
    if (writeWholeFile(path, text, why)) return true;
    fmt::print(stderr, "{}: error: cannot be written: {}\n", path, why);
    return false;
}

bool writeFile(const std::string& path, std::span<const std::byte> bytes) {
    return writeFile(path, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

assembly::IncludedFile readIncluded(const std::string& path, const std::string& from) {
    const std::filesystem::path parent = std::filesystem::path(from).parent_path();
    assembly::IncludedFile file;
    std::error_code ignored;
    file.folder = std::filesystem::absolute(parent.empty() ? "." : parent, ignored).lexically_normal();
    const bool isPipe = std::filesystem::is_fifo(parent / path, ignored);  // which may never end
    file.why = "it is a pipe";
    if (!isPipe) file.text = readWholeFile(parent / path, file.why);
    return file;
}

std::optional<isa::Program> readProgram(const std::string& path, int& status) {
    const std::optional<std::string> contents = readFile(path);
    status = kTrouble;
    return contents ? programOf(*contents, path, status) : std::nullopt;
}

std::optional<isa::Program> programOf(const std::string& contents, const std::string& path, int& status) {
    if (!contents.starts_with("TSB")) {
        if (path.ends_with(".tsb")) {
            fmt::print(stderr, "{}: error: this is no .tsb program, which begins with TSB1\n", path);
            status = kWrongInput;
            return std::nullopt;
        }
        assembly::AssembleOptions options;
        options.include = readIncluded;
        assembly::AssembleResult result = assembly::assemble(contents, path, options);
        std::cerr << result.log();
        status = result.program ? kDone : kWrongInput;
        return std::move(result.program);
    }
    std::string error;
    std::optional<isa::Program> program = isa::deserialize(std::as_bytes(std::span(contents)), &error);
    if (program) error = isa::verify(*program);
    status = error.empty() ? kDone : kWrongInput;
    if (error.empty()) return program;
    fmt::print(stderr, "{}: error: {}\n", path, error);
    return std::nullopt;
}

void printLocated(std::string_view problem) {
    // The column, and with it the place, ends at the first colon behind a digit and before a blank.
    size_t end = problem.find(": ");
    while (end != std::string_view::npos && (end == 0 || !std::isdigit(static_cast<unsigned char>(problem[end - 1]))))
        end = problem.find(": ", end + 1);
    if (end == std::string_view::npos)
        fmt::print(stderr, "error: {}\n", problem);
    else
        fmt::print(stderr, "{}: error:{}\n", problem.substr(0, end), problem.substr(end + 1));
}

void printLinkLog(const std::string& file, std::string_view log) {
    constexpr std::string_view kError = "ERROR: ";
    while (!log.empty()) {
        const size_t end = std::min(log.find('\n'), log.size());
        const std::string_view line = log.substr(0, end);
        if (line.starts_with(kError))
            fmt::print(stderr, "{}: error: {}\n", file, line.substr(kError.size()));
        else if (!line.empty())
            fmt::print(stderr, "{}: {}\n", file, line);
        log.remove_prefix(std::min(end + 1, log.size()));
    }
}

std::string magicOf(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return {};
    std::string magic(4, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(magic.data(), static_cast<std::streamsize>(magic.size()));
    magic.resize(static_cast<size_t>(file.gcount()));
    return magic;
}

bool isCommandStream(const std::string& path) {
    return path.ends_with(".tsc") || path.find(".tsc.compute-") != std::string::npos || magicOf(path) == "TSC1";
}

std::string withEnding(const std::string& path, const char* ending) {
    return std::filesystem::path(path).replace_extension(ending).string();
}

}  // namespace tessera::tools
