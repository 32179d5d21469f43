// Memory that dispatches read and write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace tessera::pipeline {

/// Bytes of its own, zero at the start, or the application's, which must begin at a multiple of four and outlive the
/// buffer. Between submission and completion of a command that refers to it, it belongs to the command's stream.
class Buffer {
public:
    static constexpr uint64_t kMaxBytes = uint64_t{1} << 32;  ///< addresses have 32 bits

    /// Pages of a large one are taken when they are first touched.
    explicit Buffer(size_t bytes) : own_(std::calloc(bytes / kAlignment + 2, kAlignment)) {
        if (own_ == nullptr) throw std::bad_alloc();
        void* begin = own_.get();
        size_t space = bytes + kAlignment;
        bytes_ = {static_cast<std::byte*>(std::align(kAlignment, bytes, begin, space)), bytes};
    }
    /// Null where the memory is misaligned or beyond kMaxBytes.
    [[nodiscard]] static std::shared_ptr<Buffer> wrap(std::span<std::byte> bytes) {
        if (reinterpret_cast<uintptr_t>(bytes.data()) % 4 != 0 || bytes.size() > kMaxBytes) return nullptr;
        return std::shared_ptr<Buffer>(new Buffer(bytes));
    }

    [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
    /// As elements of T; what is left over at the end does not count.
    template <class T>
    [[nodiscard]] std::span<T> as() const {
        return {reinterpret_cast<T*>(bytes_.data()), bytes_.size() / sizeof(T)};
    }

private:
    static constexpr size_t kAlignment = 64;  ///< a cache line, and the widest vector
    struct Release {
        void operator()(void* memory) const { std::free(memory); }
    };
    explicit Buffer(std::span<std::byte> bytes) : bytes_(bytes) {}
    std::unique_ptr<void, Release> own_;
    std::span<std::byte> bytes_;
};

using BufferPtr = std::shared_ptr<Buffer>;

/// Storage of a buffer object or a copy of client arrays; immutable once a recorded command refers to it
/// (the front end clones before writing).
using Bytes = std::vector<std::byte>;
using BytesPtr = std::shared_ptr<const Bytes>;

}  // namespace tessera::pipeline
