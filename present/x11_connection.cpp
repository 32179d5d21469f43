#include "present/x11_connection.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <set>
#include <utility>

namespace tessera::present {

namespace {

/// What to tell when a Display is closed. XESetCloseDisplay has no user pointer.
struct CloseWatch {
    std::mutex mutex;
    std::set<Display*> hooked;
    std::vector<std::pair<Display*, std::atomic<bool>*>> watchers;
};
CloseWatch& closeWatch() {
    static CloseWatch& watch = *new CloseWatch;
    return watch;
}

int onCloseDisplay(Display* display, XExtCodes*) {
    CloseWatch& watch = closeWatch();
    std::lock_guard lock(watch.mutex);
    watch.hooked.erase(display);
    for (auto& [watched, closed] : watch.watchers)
        if (watched == display) *closed = true;
    return 0;
}

/// The channels of a TrueColor visual; false for one whose channels are wider than 8 bits.
bool layoutOf(const xcb_visualtype_t& visual, int depth, PixelLayout* layout) {
    auto channel = [](uint32_t mask, uint8_t& shift, uint8_t& bits) {
        shift = static_cast<uint8_t>(std::countr_zero(mask));
        bits = static_cast<uint8_t>(std::popcount(mask));
        return bits >= 1 && bits <= 8 && mask >> shift == (1u << bits) - 1;
    };
    layout->bytes = depth == 24 || depth == 32 ? 4 : 2;
    uint32_t colors = visual.red_mask | visual.green_mask | visual.blue_mask;
    uint32_t all = layout->bytes == 4 ? 0xFFFFFFFF : 0xFFFF;
    layout->alphaMask = depth == 16 ? 0 : all & ~colors;
    return channel(visual.red_mask, layout->redShift, layout->redBits) &&
           channel(visual.green_mask, layout->greenShift, layout->greenBits) &&
           channel(visual.blue_mask, layout->blueShift, layout->blueBits);
}

}  // namespace

X11Connection::X11Connection(const X11Native& native) {
    if (native.xlib != nullptr) {
        if (const XlibFunctions* xlib = xlibFunctions())
            connection_ = xlib->getXcbConnection(static_cast<Display*>(native.xlib));
    } else if (native.xcb != nullptr) {
        connection_ = static_cast<xcb_connection_t*>(native.xcb);
    }
}

std::shared_ptr<X11Connection> X11Connection::open(const X11Native& native) {
    const XcbFunctions* xcb = xcbFunctions();
    if (xcb == nullptr) return nullptr;
    std::shared_ptr<X11Connection> out(new X11Connection(native));
    int screen = native.screen;
    if (native.xlib == nullptr && native.xcb == nullptr) {
        int preferred = 0;
        out->connection_ = xcb->xcb_connect(nullptr, &preferred);  // never null: a failed one has an error
        out->own_ = true;
        if (screen < 0) screen = preferred;
    }
    if (out->connection_ == nullptr || !out->alive()) return nullptr;
    if (native.xlib != nullptr) {
        auto* display = static_cast<Display*>(native.xlib);
        if (screen < 0) screen = xlibFunctions()->defaultScreen(display);
        out->watchClose(display);
    }
    return out->readSetup(std::max(screen, 0)) ? out : nullptr;
}

X11Connection::~X11Connection() {
    CloseWatch& watch = closeWatch();
    {
        std::lock_guard lock(watch.mutex);
        std::erase_if(watch.watchers, [&](const auto& entry) { return entry.second == &closed_; });
    }
    if (own_) xcb().xcb_disconnect(connection_);
}

void X11Connection::watchClose(Display* display) {
    CloseWatch& watch = closeWatch();
    std::lock_guard lock(watch.mutex);
    watch.watchers.emplace_back(display, &closed_);
    const XlibFunctions& xlib = *xlibFunctions();
    if (!watch.hooked.insert(display).second) return;
    if (XExtCodes* codes = xlib.addExtension(display)) xlib.setCloseDisplay(display, codes->extension, onCloseDisplay);
}

bool X11Connection::readSetup(int screen) {
    const xcb_setup_t* setup = xcb().xcb_get_setup(connection_);
    if (setup == nullptr || setup->image_byte_order != XCB_IMAGE_ORDER_LSB_FIRST) return false;
    auto screens = xcb().xcb_setup_roots_iterator(setup);
    for (; screen > 0 && screens.rem > 0; --screen) xcb().xcb_screen_next(&screens);
    if (screens.rem == 0) return false;

    const xcb_format_t* formats = xcb().xcb_setup_pixmap_formats(setup);
    for (int i = 0; i < xcb().xcb_setup_pixmap_formats_length(setup); ++i) {
        bool wide = formats[i].depth == 24 || formats[i].depth == 32;
        if ((wide && formats[i].bits_per_pixel == 32) || (formats[i].depth == 16 && formats[i].bits_per_pixel == 16))
            depths_.push_back(formats[i].depth);
    }
    for (auto depth = xcb().xcb_screen_allowed_depths_iterator(screens.data); depth.rem > 0;
         xcb().xcb_depth_next(&depth)) {
        if (std::find(depths_.begin(), depths_.end(), depth.data->depth) == depths_.end()) continue;
        const xcb_visualtype_t* types = xcb().xcb_depth_visuals(depth.data);
        for (int i = 0; i < xcb().xcb_depth_visuals_length(depth.data); ++i) {
            Visual visual{types[i].visual_id, types[i]._class, depth.data->depth, {}};
            if (types[i]._class != XCB_VISUAL_CLASS_TRUE_COLOR || !layoutOf(types[i], visual.depth, &visual.layout))
                continue;
            // The root's visual goes first: windows made without naming one have it.
            auto place = visual.id == screens.data->root_visual ? visuals_.begin() : visuals_.end();
            visuals_.insert(place, visual);
        }
    }
    if (const XcbShmFunctions* shm = xcbShmFunctions()) {
        const xcb_query_extension_reply_t* extension = xcb().xcb_get_extension_data(connection_, shm->extension);
        if (extension != nullptr && extension->present != 0) {
            Reply<xcb_shm_query_version_reply_t> version(
                shm->xcb_shm_query_version_reply(connection_, shm->xcb_shm_query_version(connection_), nullptr));
            if (version) shm_ = shm;
        }
    }
    return true;
}

const X11Connection::Visual* X11Connection::findVisual(uint32_t id) const {
    for (const Visual& visual : visuals_)
        if (visual.id == id) return &visual;
    return nullptr;
}

const PixelLayout* X11Connection::pixmapLayout(int depth) const {
    static constexpr PixelLayout kDepth16{11, 5, 0, 0, 5, 6, 5, 0, 0, 2};
    static constexpr PixelLayout kDepth24{};
    static constexpr PixelLayout kDepth32{16, 8, 0, 24, 8, 8, 8, 8, 0, 4};
    if (std::find(depths_.begin(), depths_.end(), depth) == depths_.end()) return nullptr;
    return depth == 16 ? &kDepth16 : depth == 24 ? &kDepth24 : &kDepth32;
}

/// Exactly the channels asked for; alpha means a visual of depth 32.
const X11Connection::Visual* X11Connection::visualFor(ColorBits bits) const {
    for (const Visual& visual : visuals_) {
        int alpha = visual.depth == 32 ? 8 : 0;
        if (visual.layout.redBits == bits.red && visual.layout.greenBits == bits.green &&
            visual.layout.blueBits == bits.blue && alpha == bits.alpha)
            return &visual;
    }
    return nullptr;
}

std::optional<NativeVisual> X11Connection::visual(ColorBits bits) const {
    const Visual* found = visualFor(bits);
    if (found == nullptr) return std::nullopt;
    return NativeVisual{found->id, found->kind};
}

bool X11Connection::hasPixmaps(ColorBits bits) const {
    int depth = bits.red + bits.green + bits.blue + bits.alpha;
    bool exact = (bits.red == 8 && bits.green == 8 && bits.blue == 8) ||
                 (bits.red == 5 && bits.green == 6 && bits.blue == 5 && bits.alpha == 0);
    return exact && pixmapLayout(depth) != nullptr;
}

void X11Connection::wait() {
    if (!alive()) return;
    Reply<xcb_get_input_focus_reply_t> reply(
        xcb().xcb_get_input_focus_reply(connection_, xcb().xcb_get_input_focus(connection_), nullptr));
}

std::shared_ptr<WindowSystem> connectX11(const X11Native& native) { return X11Connection::open(native); }

}  // namespace tessera::present
