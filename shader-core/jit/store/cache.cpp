#include "shader-core/jit/store/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/env.h"
#include "base/thread/signals.h"

namespace tessera::jit {

namespace {

namespace fs = std::filesystem;

constexpr char kMagic[4] = {'T', 'S', 'J', 'C'};
constexpr uint32_t kVersion = 1;
constexpr uint64_t kMaxObjectBytes = uint64_t{64} << 20;
constexpr const char* kSuffix = ".code";
constexpr const char* kTemporary = ".tmp";
constexpr uint32_t kStoresBetweenEvictions = 64;
constexpr auto kAbandoned = std::chrono::minutes(10);  ///< age at which a temporary file has lost its writer

struct Header {
    char magic[4];
    uint32_t version;
    CacheKey key;
    uint64_t length;
    uint64_t checksum;
};
static_assert(sizeof(Header) == 56);

/// FNV-1a over 64-bit words and the rest byte by byte.
uint64_t checksum(std::span<const char> bytes) {
    constexpr uint64_t kPrime = 0x100000001b3;
    uint64_t hash = 0xcbf29ce484222325;
    size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        hash = (hash ^ word) * kPrime;
        hash ^= hash >> 32;
    }
    for (; at < bytes.size(); ++at) hash = (hash ^ static_cast<uint8_t>(bytes[at])) * kPrime;
    return hash;
}

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

/// The object of an open file; nothing unless every part of the file is right.
std::optional<std::vector<char>> readObject(const File& file, const CacheKey& key) {
    Header header{};
    struct stat info{};
    if (fstat(file.descriptor(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
    if (!file.readAll(&header, sizeof header)) return std::nullopt;
    if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.version != kVersion || header.key != key)
        return std::nullopt;
    if (header.length > kMaxObjectBytes || static_cast<uint64_t>(info.st_size) != sizeof header + header.length)
        return std::nullopt;
    std::vector<char> object(header.length);
    if (!file.readAll(object.data(), object.size()) || checksum(object) != header.checksum) return std::nullopt;
    return object;
}

}  // namespace

CodeCache::CodeCache(std::string directory, uint64_t limit) : directory_(std::move(directory)), limit_(limit) {
    while (directory_.size() > 1 && directory_.back() == '/') directory_.pop_back();
    if (directory_.empty() || makeDirectory(directory_)) return;
    // Silent where nobody asked for it: home may be anywhere.
    if (directory_ == envString("TESSERA_CACHE_DIR", "") && logLevel() >= 1)
        std::fprintf(stderr, "tessera: TESSERA_CACHE_DIR: %s is no folder of the user's own that can be written\n",
                     directory_.c_str());
    directory_.clear();
}

std::string CodeCache::pathOf(const CacheKey& key) const {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string path = directory_ + "/";
    for (const uint8_t byte : key) {
        path += kDigits[byte >> 4];
        path += kDigits[byte & 15];
    }
    return path + kSuffix;
}

std::optional<std::vector<char>> CodeCache::load(const CacheKey& key) const {
    if (!usable()) return std::nullopt;
    const std::string path = pathOf(key);
    const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file.isOpen()) return std::nullopt;
    std::optional<std::vector<char>> object = readObject(file, key);
    if (object)
        futimens(file.descriptor(), nullptr);
    else
        unlink(path.c_str());
    return object;
}

void CodeCache::store(const CacheKey& key, std::span<const char> object) {
    if (!usable() || object.size() > kMaxObjectBytes) return;
    const uint32_t number = stores_++;
    if (number % kStoresBetweenEvictions == 0) evict();
    const std::string path = pathOf(key);
    const std::string temporary = path + kTemporary + std::to_string(getpid()) + "." + std::to_string(number);
    Header header{};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    header.version = kVersion;
    header.key = key;
    header.length = object.size();
    header.checksum = checksum(object);
    bool good = false;
    {
        const File file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!file.isOpen()) return;
        const FileSizeSignalBlocked noSignal;
        good = file.writeAll(&header, sizeof header) && file.writeAll(object.data(), object.size());
    }
    if (!good || rename(temporary.c_str(), path.c_str()) != 0) unlink(temporary.c_str());
}

void CodeCache::evict() const {
    struct Entry {
        fs::path path;
        fs::file_time_type used;
        uint64_t size;
    };
    std::vector<Entry> entries;
    uint64_t total = 0;
    const auto now = fs::file_time_type::clock::now();
    std::error_code error;
    for (fs::directory_iterator at(directory_, error), end; !error && at != end; at.increment(error)) {
        // Other processes delete and rename under our feet: an entry that is gone is skipped.
        std::error_code gone;
        const fs::path& path = at->path();
        const auto used = fs::last_write_time(path, gone);
        if (gone) continue;
        const uint64_t size = fs::file_size(path, gone);
        if (gone) continue;
        const std::string name = path.filename().string();
        if (name.ends_with(kSuffix)) {
            entries.push_back({path, used, size});
            total += size;
        } else if (name.find(std::string(kSuffix) + kTemporary) != std::string::npos && now - used > kAbandoned) {
            fs::remove(path, gone);
        }
    }
    if (total <= limit_) return;
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    for (const Entry& entry : entries) {
        if (total <= limit_ / 4 * 3) break;
        std::error_code gone;
        fs::remove(entry.path, gone);
        total -= entry.size;
    }
}

}  // namespace tessera::jit
