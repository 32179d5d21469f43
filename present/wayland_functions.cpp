#include "present/wayland_functions.h"

const wl_interface* tesseraWaylandRegistry = nullptr;
const wl_interface* tesseraWaylandCallback = nullptr;
const wl_interface* tesseraWaylandShm = nullptr;
const wl_interface* tesseraWaylandShmPool = nullptr;
const wl_interface* tesseraWaylandBuffer = nullptr;

namespace tessera::present {

WaylandFunctions wayland;

bool loadWayland() {
    static const bool loaded = [] {
        SharedLibrary library("libwayland-client.so.0");
        wayland.load(library);
        library.get(tesseraWaylandRegistry, "wl_registry_interface");
        library.get(tesseraWaylandCallback, "wl_callback_interface");
        library.get(tesseraWaylandShm, "wl_shm_interface");
        library.get(tesseraWaylandShmPool, "wl_shm_pool_interface");
        library.get(tesseraWaylandBuffer, "wl_buffer_interface");
        return library.complete();
    }();
    return loaded;
}

}  // namespace tessera::present
