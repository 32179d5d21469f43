// Tells native displays apart by what they point at, for eglGetDisplay. Nothing is dereferenced before the kernel has
// copied it for us: a pipe takes bytes from readable memory only and answers EFAULT otherwise.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "present/present.h"

namespace tessera::present {

namespace {

/// Copies from an address that may be anything; false when it cannot be read. At most a pipe's worth.
bool copyFrom(const void* address, void* out, size_t size) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return false;
    // The system call itself: a checked write() would object to addresses that are no object of the program.
    bool ok = syscall(SYS_write, ends[1], address, size) == static_cast<long>(size) &&
              read(ends[0], out, size) == static_cast<ssize_t>(size);
    close(ends[0]);
    close(ends[1]);
    return ok;
}

/// A wl_display begins with the address of its interface, whose name is "wl_display".
bool isWaylandDisplay(const void* display) {
    const void* interface = nullptr;
    const char* name = nullptr;
    char text[sizeof "wl_display"] = {};
    return copyFrom(display, static_cast<void*>(&interface), sizeof interface) &&
           copyFrom(interface, static_cast<void*>(&name), sizeof name) && copyFrom(name, text, sizeof text) &&
           std::memcmp(text, "wl_display", sizeof text) == 0;
}

/// The public part of Xlib's Display: an open socket speaking version 11 of the protocol.
bool isXlibDisplay(const void* display) {
    alignas(16) std::byte bytes[64] = {};
    struct Head {  // as in Xlib.h
        void* extensionData;
        void* private1;
        int fd, private2, protocolMajor, protocolMinor;
    } head;
    static_assert(sizeof head <= sizeof bytes);
    if (!copyFrom(display, bytes, sizeof bytes)) return false;
    std::memcpy(&head, bytes, sizeof head);
    return head.protocolMajor == 11 && head.protocolMinor == 0 && fcntl(head.fd, F_GETFD) >= 0;
}

}  // namespace

bool isReadable(const void* address, size_t size) {
    std::byte sink[256];
    return address != nullptr && copyFrom(address, sink, std::min(size, sizeof sink));
}

NativeKind classifyNativeDisplay(const void* display) {
    if (!isReadable(display, sizeof(void*))) return NativeKind::Unknown;
    if (isWaylandDisplay(display)) return NativeKind::Wayland;
    return isXlibDisplay(display) ? NativeKind::Xlib : NativeKind::Unknown;
}

}  // namespace tessera::present
