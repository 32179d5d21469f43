#include "base/process/read_file.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace tessera {

std::optional<std::string> readRest(std::FILE* file, std::string& why) {
    constexpr uint64_t kMost = uint64_t{4} << 30;
    constexpr size_t kStep = 1 << 16;
    const auto fail = [&](const char* text) {
        why = text;
        return std::nullopt;
    };
    try {
        std::string bytes;
        while (true) {
            const size_t before = bytes.size();
            bytes.resize(before + kStep);
            const size_t read = std::fread(bytes.data() + before, 1, kStep, file);
            bytes.resize(before + read);
            if (std::ferror(file) != 0) return fail(std::strerror(errno));
            if (bytes.size() > kMost) return fail("it is larger than 4 GiB");
            if (read < kStep) return bytes;
        }
    } catch (const std::bad_alloc&) {
        return fail("there is not enough memory for it");
    }
}

std::optional<std::string> readWholeFile(const std::string& path, std::string& why) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
    struct stat status{};
    if (!file || fstat(fileno(file.get()), &status) != 0) {
        why = std::strerror(errno);
        return std::nullopt;
    }
    const bool isDevice = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
    if (S_ISDIR(status.st_mode) || isDevice) {
        why = isDevice ? "it is a device" : "it is a folder";
        return std::nullopt;
    }
    return readRest(file.get(), why);
}

}  // namespace tessera
