#include "base/process/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/process/signals.h"

namespace tessera {

namespace {

namespace fs = std::filesystem;

/// What processes have open is there under links of its own kind: to follow one by its text leads to another file, or
/// to none.
bool isOfProcess(const fs::path& link) {
    std::error_code ignored;
    const fs::path folder = link.parent_path();
    return fs::weakly_canonical(folder.empty() ? "." : folder, ignored).string().starts_with("/proc/");
}

bool writeAll(int file, std::string_view bytes) {
    const WriteSignalsBlocked noSignal;
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written == 0) errno = ENOSPC;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
}

/// Closes it whatever came before; the error is the first one's.
bool closed(int file, bool good) {
    const int error = errno;
    const bool isClosed = ::close(file) == 0;
    if (!good) errno = error;
    return good && isClosed;
}

/// Beside the file, and of a name that is no longer than names may be.
std::string partialName(const fs::path& path) {
    constexpr size_t kMostBytes = 200;
    const std::string name = path.filename().string().substr(0, kMostBytes);
    return (path.parent_path() / (name + "." + std::to_string(getpid()) + ".part")).string();
}

bool replace(const std::string& path, std::string_view bytes) {
    struct stat there{};
    const bool isThere = stat(path.c_str(), &there) == 0;
    // What may not be written, or is a link to itself, may not be replaced either.
    if (isThere ? access(path.c_str(), W_OK) != 0 : errno != ENOENT) return false;
    const std::string partial = partialName(path);
    const int file = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) return false;
    bool good = !isThere || fchmod(file, there.st_mode & 07777) == 0;
    good = good && writeAll(file, bytes);
    // A disk may say only then that it is full, or that it has failed. What cannot be synchronised need not be.
    good = good && (fsync(file) == 0 || errno == EINVAL || errno == EROFS);
    good = closed(file, good) && std::rename(partial.c_str(), path.c_str()) == 0;
    if (good) return true;
    const int error = errno;
    (void)unlink(partial.c_str());
    errno = error;
    return false;
}

bool writeInto(const std::string& path, std::string_view bytes) {
    const int file = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    return file >= 0 && closed(file, writeAll(file, bytes));
}

}  // namespace

WrittenPlace writtenPlace(const std::string& path) {
    std::error_code ignored;
    fs::path target = path;
    constexpr int kMostLinks = 40;
    for (int i = 0; i < kMostLinks && fs::is_symlink(target, ignored); ++i) {
        if (isOfProcess(target)) return {.path = target.string(), .isReplaced = false};
        target = target.parent_path() / fs::read_symlink(target, ignored);
    }
    struct stat there{};
    const bool isReplaced = stat(target.c_str(), &there) != 0 || S_ISREG(there.st_mode);
    return {.path = target.string(), .isReplaced = isReplaced};
}

bool writeWholeFile(const std::string& path, std::string_view bytes, std::string& why) {
    const WrittenPlace place = writtenPlace(path);
    if (place.isReplaced ? replace(place.path, bytes) : writeInto(place.path, bytes)) return true;
    why = std::strerror(errno);
    return false;
}

}  // namespace tessera
