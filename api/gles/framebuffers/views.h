// Multiview (OVR_multiview): draws and clears go to each view of the framebuffer, one after the other.
#pragma once

#include "api/gles/context/context.h"

namespace tessera::gles {

/// Calls body(view) for each view of the framebuffer that is drawn to, which has that view as its target meanwhile. One
/// that has no views is called once.
template <class Body>
void forEachView(Context& c, const Body& body) {
    const int views = c.framebuffer() ? c.framebuffer()->views() : 1;
    if (views == 1) return body(0);
    const std::shared_ptr<Framebuffer> framebuffer = c.framebuffer();
    /// Of the first view in the end; a call that is left in the middle (call_lock.h) is at its view still, so that who
    /// means the first one says so.
    struct Target {
        Context& context;
        Framebuffer& framebuffer;
        void set(int view) const {
            framebuffer.setView(view);
            context.changeDrawState();
        }
        ~Target() { set(0); }
    };
    const Target target{c, *framebuffer};
    for (int view = 0; view < views; ++view) {
        target.set(view);
        body(view);
    }
}

}  // namespace tessera::gles
