#include "present/x11_functions.h"

#include <utility>

#include "base/process/shared_library.h"

namespace tessera::present {

const XcbFunctions* xcbFunctions() {
    static const auto loaded = [] {
        SharedLibrary library("libxcb.so.1");
        XcbFunctions table;
#define TESSERA_LOAD(name) library.get(table.name, #name);
        TESSERA_XCB_FUNCTIONS(TESSERA_LOAD)
#undef TESSERA_LOAD
        return std::pair(table, library.complete());
    }();
    return loaded.second ? &loaded.first : nullptr;
}

const XcbShmFunctions* xcbShmFunctions() {
    static const auto loaded = [] {
        SharedLibrary library("libxcb-shm.so.0");
        XcbShmFunctions table;
#define TESSERA_LOAD(name) library.get(table.name, #name);
        TESSERA_XCB_SHM_FUNCTIONS(TESSERA_LOAD)
#undef TESSERA_LOAD
        library.get(table.extension, "xcb_shm_id");
        return std::pair(table, library.complete());
    }();
    return loaded.second ? &loaded.first : nullptr;
}

const XlibFunctions* xlibFunctions() {
    static const auto loaded = [] {
        SharedLibrary xlib("libX11.so.6"), bridge("libX11-xcb.so.1");
        XlibFunctions table;
        bridge.get(table.getXcbConnection, "XGetXCBConnection");
        xlib.get(table.defaultScreen, "XDefaultScreen");
        xlib.get(table.addExtension, "XAddExtension");
        xlib.get(table.setCloseDisplay, "XESetCloseDisplay");
        return std::pair(table, xlib.complete() && bridge.complete());
    }();
    return loaded.second ? &loaded.first : nullptr;
}

}  // namespace tessera::present
