// Machine code on disk: one file for each program, named by a hash of its key, which is everything that decides the
// code.
//
// A file is a header (magic, version, lengths, checksum), the key and an image. The key is compared whole, as hashes
// can be made to agree. It is written under a temporary name and renamed, so a reader sees all of it or nothing,
// whoever else writes or dies. What does not check out is a miss and is deleted. The directory must belong to the user
// and be writable by nobody else: its contents are executed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::jit {

class CodeCache {
public:
    static constexpr uint64_t kDefaultLimit = uint64_t{256} << 20;

    /// An empty directory, or one that cannot be used, makes a cache that is always empty. Created when missing.
    explicit CodeCache(std::string directory, uint64_t limit = kDefaultLimit);

    /// A hit counts as use for the eviction order. Thread safe, as is store().
    [[nodiscard]] std::optional<std::vector<char>> load(std::span<const char> key) const;
    /// Failures are silent: a cache may always forget.
    void store(std::span<const char> key, std::span<const char> image);

    /// Deletes the least recently used files until three quarters of the limit are left, if it is exceeded, and
    /// temporary files that a dead process left. Called by one store() of 64, by chance.
    void evict() const;

    [[nodiscard]] std::string pathOf(std::span<const char> key) const;
    [[nodiscard]] bool usable() const { return !directory_.empty(); }

private:
    std::string directory_;
    uint64_t limit_;
    std::atomic<uint32_t> stores_ = 0;
};

}  // namespace tessera::jit
