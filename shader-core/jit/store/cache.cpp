#define XXH_INLINE_ALL
#include "shader-core/jit/store/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/process/env.h"
#include "base/process/report.h"
#include "base/process/signals.h"

namespace tessera::jit {

namespace {

namespace fs = std::filesystem;

constexpr char kMagic[4] = {'T', 'S', 'J', 'C'};
constexpr uint32_t kVersion = 2;
constexpr uint64_t kMaxBytes = uint64_t{64} << 20;  ///< of a key, or an image
constexpr const char* kSuffix = ".code";
constexpr const char* kTemporary = ".tmp";
constexpr uint64_t kStoresPerEviction = 64;
constexpr time_t kAbandonedSeconds = 600;  ///< age at which a temporary file has lost its writer

struct Header {
    char magic[4];
    uint32_t version;
    uint64_t keyBytes, imageBytes;
    uint64_t checksum;  ///< of key and image
};
static_assert(sizeof(Header) == 32);

uint64_t checksum(std::span<const char> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

class File {
public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    [[nodiscard]] bool isOpen() const { return descriptor_ >= 0; }
    [[nodiscard]] int descriptor() const { return descriptor_; }

    bool readAll(void* to, size_t size) const {
        for (size_t done = 0; done < size;) {
            const ssize_t n = read(descriptor_, static_cast<char*>(to) + done, size - done);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) return false;
            done += static_cast<size_t>(n);
        }
        return true;
    }
    bool writeAll(const void* from, size_t size) const {
        for (size_t done = 0; done < size;) {
            const ssize_t n = write(descriptor_, static_cast<const char*>(from) + done, size - done);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) return false;
            done += static_cast<size_t>(n);
        }
        return true;
    }

private:
    int descriptor_;
};

XXH128_hash_t hashOf(std::span<const char> key) { return XXH3_128bits(key.data(), key.size()); }

/// Ours alone to write.
bool isPrivate(const std::string& directory) {
    struct stat info{};
    return stat(directory.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool makeDirectory(const std::string& directory) {
    std::error_code error;
    fs::create_directories(fs::path(directory).parent_path(), error);
    if (mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) return false;
    return isPrivate(directory);
}

/// The image of an open file; nothing unless every part of the file is right.
std::optional<std::vector<char>> readImage(const File& file, std::span<const char> key) {
    Header header{};
    struct stat info{};
    if (fstat(file.descriptor(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
    if (!file.readAll(&header, sizeof header)) return std::nullopt;
    if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.version != kVersion ||
        header.keyBytes != key.size() || header.imageBytes > kMaxBytes ||
        static_cast<uint64_t>(info.st_size) != sizeof header + header.keyBytes + header.imageBytes)
        return std::nullopt;
    std::vector<char> rest(header.keyBytes + header.imageBytes);
    if (!file.readAll(rest.data(), rest.size()) || checksum(rest) != header.checksum ||
        !std::equal(key.begin(), key.end(), rest.begin()))
        return std::nullopt;
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(key.size()));
    return rest;
}

}  // namespace

CodeCache::CodeCache(std::string directory, uint64_t limit) : directory_(std::move(directory)), limit_(limit) {
    while (directory_.size() > 1 && directory_.back() == '/') directory_.pop_back();
    if (directory_.empty() || makeDirectory(directory_)) return;
    // Silent where nobody asked for it: home may be anywhere.
    if (directory_ == envString("TESSERA_CACHE_DIR", ""))
        report(Severity::Error, "TESSERA_CACHE_DIR: %s is no folder of the user's own that can be written",
               directory_.c_str());
    directory_.clear();
}

std::string CodeCache::pathOf(std::span<const char> key) const {
    const XXH128_hash_t hash = hashOf(key);
    char name[2 * sizeof hash + 1];
    std::snprintf(name, sizeof name, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                  static_cast<unsigned long long>(hash.low64));
    return directory_ + "/" + name + kSuffix;
}

std::optional<std::vector<char>> CodeCache::load(std::span<const char> key) const {
    if (!usable()) return std::nullopt;
    const std::string path = pathOf(key);
    const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file.isOpen()) return std::nullopt;
    std::optional<std::vector<char>> image = readImage(file, key);
    if (image)
        futimens(file.descriptor(), nullptr);
    else
        unlink(path.c_str());
    return image;
}

void CodeCache::store(std::span<const char> key, std::span<const char> image) {
    if (!usable() || key.size() > kMaxBytes || image.size() > kMaxBytes) return;
    const uint32_t number = stores_++;
    // A look at tens of thousands of files takes tenths of a second, and most processes store a few: chance, which is
    // the same for all of them, says who looks.
    if (hashOf(key).low64 % kStoresPerEviction == 0) evict();
    const std::string path = pathOf(key);
    const std::string temporary = path + kTemporary + std::to_string(getpid()) + "." + std::to_string(number);
    std::vector<char> bytes(sizeof(Header));
    bytes.insert(bytes.end(), key.begin(), key.end());
    bytes.insert(bytes.end(), image.begin(), image.end());
    Header header{};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    header.version = kVersion;
    header.keyBytes = key.size();
    header.imageBytes = image.size();
    header.checksum = checksum(std::span(bytes).subspan(sizeof header));
    std::memcpy(bytes.data(), &header, sizeof header);
    bool good = false;
    {
        const File file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!file.isOpen()) return;
        const WriteSignalsBlocked noSignal;
        good = file.writeAll(bytes.data(), bytes.size());
    }
    if (!good || rename(temporary.c_str(), path.c_str()) != 0) unlink(temporary.c_str());
}

void CodeCache::evict() const {
    struct Entry {
        fs::path path;
        timespec used;
        uint64_t size;
    };
    std::vector<Entry> entries;
    uint64_t total = 0;
    const time_t now = time(nullptr);
    std::error_code error;
    for (fs::directory_iterator at(directory_, error), end; !error && at != end; at.increment(error)) {
        // Other processes delete and rename under our feet: an entry that is gone is skipped.
        std::error_code gone;
        const fs::path& path = at->path();
        struct stat info{};
        if (lstat(path.c_str(), &info) != 0) continue;
        const std::string name = path.filename().string();
        if (name.ends_with(kSuffix)) {
            entries.push_back({path, info.st_mtim, static_cast<uint64_t>(info.st_size)});
            total += entries.back().size;
        } else if (name.find(std::string(kSuffix) + kTemporary) != std::string::npos &&
                   now - info.st_mtim.tv_sec > kAbandonedSeconds) {
            fs::remove(path, gone);
        }
    }
    if (total <= limit_) return;
    const auto age = [](const Entry& entry) { return std::pair(entry.used.tv_sec, entry.used.tv_nsec); };
    std::ranges::sort(entries, {}, age);
    for (const Entry& entry : entries) {
        if (total <= limit_ / 4 * 3) break;
        std::error_code gone;
        fs::remove(entry.path, gone);
        total -= entry.size;
    }
}

}  // namespace tessera::jit
