// libwayland-client, loaded at run time. The inline functions of the protocol headers call it by name, so the names
// are made to mean the loaded functions before those headers are read.
#pragma once

#include <wayland-client-core.h>
#include <wayland-util.h>

#include "base/process/shared_library.h"

namespace tessera::present {

#define TESSERA_WAYLAND_FUNCTIONS(function)                                                                           \
    function(wl_display_connect) function(wl_display_disconnect) function(wl_display_create_queue)                    \
        function(wl_display_roundtrip_queue) function(wl_display_dispatch_queue_pending)                              \
            function(wl_display_prepare_read_queue) function(wl_display_cancel_read) function(wl_display_read_events) \
                function(wl_display_flush) function(wl_display_get_fd) function(wl_display_get_error)                 \
                    function(wl_event_queue_destroy) function(wl_proxy_create_wrapper)                                \
                        function(wl_proxy_wrapper_destroy) function(wl_proxy_set_queue)                               \
                            function(wl_proxy_marshal_flags) function(wl_proxy_add_listener)                          \
                                function(wl_proxy_get_version) function(wl_proxy_get_user_data)                       \
                                    function(wl_proxy_set_user_data) function(wl_proxy_destroy)

struct WaylandFunctions {
#define TESSERA_MEMBER(name) decltype(&::name) name = nullptr;
    TESSERA_WAYLAND_FUNCTIONS(TESSERA_MEMBER)
#undef TESSERA_MEMBER
    void load(SharedLibrary& library) {
#define TESSERA_LOAD(name) library.get(name, #name);
        TESSERA_WAYLAND_FUNCTIONS(TESSERA_LOAD)
#undef TESSERA_LOAD
    }
};

/// Loaded by loadWayland().
extern WaylandFunctions wayland;

/// Once for the process; false when the library or one of its symbols is missing.
[[nodiscard]] bool loadWayland();

}  // namespace tessera::present

#define wl_proxy_marshal_flags tessera::present::wayland.wl_proxy_marshal_flags
#define wl_proxy_add_listener tessera::present::wayland.wl_proxy_add_listener
#define wl_proxy_get_version tessera::present::wayland.wl_proxy_get_version
#define wl_proxy_get_user_data tessera::present::wayland.wl_proxy_get_user_data
#define wl_proxy_set_user_data tessera::present::wayland.wl_proxy_set_user_data
#define wl_proxy_destroy tessera::present::wayland.wl_proxy_destroy

// The header declares each interface as an object; with these names it declares a pointer to one.
#define wl_registry_interface (*tesseraWaylandRegistry)
#define wl_callback_interface (*tesseraWaylandCallback)
#define wl_shm_interface (*tesseraWaylandShm)
#define wl_shm_pool_interface (*tesseraWaylandShmPool)
#define wl_buffer_interface (*tesseraWaylandBuffer)

#include <wayland-client-protocol.h>
