// The X libraries, loaded at run time: libxcb with its MIT-SHM extension, and Xlib's bridge to it where the application
// brought an Xlib Display. Members carry the names of the functions they hold.
#pragma once

// Xlib first: its macros must not meet our names.
#include <X11/Xlib-xcb.h>
#include <X11/Xlib.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>
#undef None
#undef Bool
#undef Status
#undef Success

namespace tessera::present {

#define TESSERA_XCB_FUNCTIONS(function)                                                                                \
    function(xcb_connect) function(xcb_disconnect) function(xcb_connection_has_error) function(xcb_get_setup)          \
        function(xcb_setup_roots_iterator) function(xcb_screen_next) function(xcb_screen_allowed_depths_iterator)      \
            function(xcb_depth_next) function(xcb_depth_visuals) function(xcb_depth_visuals_length)                    \
                function(xcb_setup_pixmap_formats) function(xcb_setup_pixmap_formats_length)                           \
                    function(xcb_get_extension_data) function(xcb_generate_id) function(xcb_get_geometry)              \
                        function(xcb_get_geometry_reply) function(xcb_get_window_attributes)                           \
                            function(xcb_get_window_attributes_reply) function(xcb_get_input_focus)                    \
                                function(xcb_get_input_focus_reply) function(xcb_put_image_checked)                    \
                                    function(xcb_get_image) function(xcb_get_image_reply) function(xcb_get_image_data) \
                                        function(xcb_get_image_data_length) function(xcb_create_gc_checked)            \
                                            function(xcb_free_gc_checked) function(xcb_request_check)                  \
                                                function(xcb_discard_reply) function(xcb_flush)                        \
                                                    function(xcb_get_maximum_request_length)

#define TESSERA_XCB_SHM_FUNCTIONS(function)                                                                \
    function(xcb_shm_query_version) function(xcb_shm_query_version_reply) function(xcb_shm_attach_checked) \
        function(xcb_shm_detach_checked) function(xcb_shm_put_image_checked) function(xcb_shm_get_image)   \
            function(xcb_shm_get_image_reply)

#define TESSERA_MEMBER(name) decltype(&::name) name = nullptr;

struct XcbFunctions {
    TESSERA_XCB_FUNCTIONS(TESSERA_MEMBER)
};

struct XcbShmFunctions {
    TESSERA_XCB_SHM_FUNCTIONS(TESSERA_MEMBER)
    xcb_extension_t* extension = nullptr;
};

struct XlibFunctions {
    decltype(&::XGetXCBConnection) getXcbConnection = nullptr;
    decltype(&::XDefaultScreen) defaultScreen = nullptr;
    decltype(&::XAddExtension) addExtension = nullptr;
    /// XESetCloseDisplay, whose declaration is in a private header of Xlib.
    using CloseHook = int (*)(Display*, XExtCodes*);
    CloseHook (*setCloseDisplay)(Display*, int extension, CloseHook hook) = nullptr;
};

#undef TESSERA_MEMBER

/// Each is loaded once; null when the library or one of its functions is missing.
[[nodiscard]] const XcbFunctions* xcbFunctions();
[[nodiscard]] const XcbShmFunctions* xcbShmFunctions();
[[nodiscard]] const XlibFunctions* xlibFunctions();

}  // namespace tessera::present
