// Memory of the application that other threads are going to touch. The calling thread touches it first: if it is not
// there, that is a fault of the thread whose call named it, where the application may handle it (context/call_lock.h).
// A worker's would be the end of the process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::gles {

/// Rows of bytes, apart by a stride.
struct ClientSpan {
    size_t rowBytes, rows, stride;
};

/// Calls touch(address) for a byte of each page that the rows are in.
template <class Byte, class Touch>
void forEachPage(Byte* first, ClientSpan span, Touch&& touch) {
    constexpr uintptr_t kPage = 4096;  // the smallest there is
    if (span.rowBytes == 0) return;
    uintptr_t last = UINTPTR_MAX;  // that was touched
    for (size_t row = 0; row < span.rows; ++row) {
        Byte* const begin = first + row * span.stride;
        const auto address = reinterpret_cast<uintptr_t>(begin);
        for (uintptr_t page = address / kPage; page <= (address + span.rowBytes - 1) / kPage; ++page) {
            if (page == last) continue;
            last = page;
            touch(page * kPage < address ? begin : begin + (page * kPage - address));
        }
    }
}

inline void touchForReading(const std::byte* first, ClientSpan span) {
    forEachPage(first, span, [](const std::byte* byte) { (void)*static_cast<const volatile std::byte*>(byte); });
}

/// Changes nothing, also when other threads write there.
inline void touchForWriting(std::byte* first, ClientSpan span) {
    forEachPage(first, span, [](std::byte* byte) {
        auto* const same = reinterpret_cast<volatile unsigned char*>(byte);
        (void)__atomic_fetch_or(same, static_cast<unsigned char>(0), __ATOMIC_RELAXED);
    });
}

}  // namespace tessera::gles
