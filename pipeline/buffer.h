// Memory of the GPU for everything but pixels: what draws fetch, what transfers unpack and pack, what kernels and
// copies read and write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace tessera::pipeline {

/// A version of what a buffer holds (docs/adr/0047-one-kind-of-buffer.md). It has one size and one place for its life,
/// so what was inside it when a command was recorded is inside when the command runs. Commands that only read it refer
/// to it as constant, others may write it; a command sees what those before it in its stream have left. The front end
/// writes it while no submitted or recorded command refers to it, and else takes another version.
class Buffer {
public:
    static constexpr uint64_t kMaxBytes = uint64_t{1} << 32;  ///< addresses have 32 bits

    enum class Contents : uint8_t {
        Zero,  ///< pages of a large one are taken when they are first touched
        Any,   ///< whatever the memory held: for who overwrites all of it
    };
    explicit Buffer(size_t bytes, Contents contents = Contents::Zero) : own_(allocate(bytes, contents)) {
        void* begin = own_.get();
        size_t space = bytes + kAlignment;
        bytes_ = {static_cast<std::byte*>(std::align(kAlignment, bytes, begin, space)), bytes};
    }
    /// A copy.
    explicit Buffer(std::span<const std::byte> contents) : Buffer(contents.size(), Contents::Any) {
        if (!contents.empty()) std::memcpy(data(), contents.data(), contents.size());
    }
    /// The application's memory, which must outlive the buffer. Null where it is misaligned, as it must begin at a
    /// multiple of four, or beyond kMaxBytes.
    [[nodiscard]] static std::shared_ptr<Buffer> wrap(std::span<std::byte> bytes) {
        if (reinterpret_cast<uintptr_t>(bytes.data()) % 4 != 0 || bytes.size() > kMaxBytes) return nullptr;
        return std::shared_ptr<Buffer>(new Buffer(bytes, Wrapped()));
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    [[nodiscard]] size_t size() const { return bytes_.size(); }
    [[nodiscard]] std::byte* data() { return bytes_.data(); }
    [[nodiscard]] const std::byte* data() const { return bytes_.data(); }
    [[nodiscard]] std::span<std::byte> bytes() { return bytes_; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
    /// As elements of T; what is left over at the end does not count.
    template <class T>
    [[nodiscard]] std::span<T> as() {
        return {reinterpret_cast<T*>(data()), size() / sizeof(T)};
    }
    template <class T>
    [[nodiscard]] std::span<const T> as() const {
        return {reinterpret_cast<const T*>(data()), size() / sizeof(T)};
    }

    /// Whether a byte is in both, as in two that wrap parts of the same memory.
    [[nodiscard]] bool overlaps(const Buffer& other) const {
        const auto begin = reinterpret_cast<uintptr_t>(data()), others = reinterpret_cast<uintptr_t>(other.data());
        return begin < others + other.size() && others < begin + size();
    }

private:
    static constexpr size_t kAlignment = 64;  ///< a cache line, and the widest vector
    struct Release {
        void operator()(void* memory) const { std::free(memory); }
    };
    struct Wrapped {};
    Buffer(std::span<std::byte> bytes, Wrapped) : bytes_(bytes) {}
    static void* allocate(size_t bytes, Contents contents) {
        if (bytes > SIZE_MAX - kAlignment) throw std::bad_alloc();
        const size_t all = bytes + kAlignment;
        void* const memory = contents == Contents::Zero ? std::calloc(all, 1) : std::malloc(all);
        if (memory == nullptr) throw std::bad_alloc();
        return memory;
    }

    std::unique_ptr<void, Release> own_;
    std::span<std::byte> bytes_;
};

using BufferPtr = std::shared_ptr<Buffer>;
using ConstBufferPtr = std::shared_ptr<const Buffer>;  ///< of who only reads

}  // namespace tessera::pipeline
