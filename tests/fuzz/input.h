// Numbers from a fuzz target's input.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::fuzz {

/// Reads big-endian numbers; zeros after the end.
class Input {
public:
    Input(const uint8_t* data, size_t size) : data_(data), size_(size) {}
    uint8_t byte() { return at_ < size_ ? data_[at_++] : 0; }
    uint16_t half() { return static_cast<uint16_t>(byte() << 8 | byte()); }
    uint32_t word() { return static_cast<uint32_t>(half()) << 16 | half(); }
    [[nodiscard]] bool empty() const { return at_ >= size_; }

private:
    const uint8_t* data_;
    size_t size_, at_ = 0;
};

}  // namespace tessera::fuzz
