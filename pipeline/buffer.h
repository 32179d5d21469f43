// Memory that dispatches read and write.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace tessera::pipeline {

/// Bytes of its own, zero at the start, or the application's, which must begin at a multiple of four and outlive the
/// buffer. Between submission and completion of a command that refers to it, it belongs to the command's stream.
class Buffer {
public:
    static constexpr uint64_t kMaxBytes = uint64_t{1} << 32;  ///< addresses have 32 bits

    explicit Buffer(size_t bytes)
        : own_(static_cast<std::byte*>(::operator new[](std::max<size_t>(bytes, 1), kAlignment))),
          bytes_(own_.get(), bytes) {
        std::memset(own_.get(), 0, bytes);
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
    static constexpr std::align_val_t kAlignment{64};  ///< a cache line, and the widest vector
    struct Release {
        void operator()(std::byte* p) const { ::operator delete[](p, kAlignment); }
    };
    explicit Buffer(std::span<std::byte> bytes) : bytes_(bytes) {}
    std::unique_ptr<std::byte[], Release> own_;
    std::span<std::byte> bytes_;
};

using BufferPtr = std::shared_ptr<Buffer>;

}  // namespace tessera::pipeline
