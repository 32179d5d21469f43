// Entry points of pixels: how they lie in memory, and reading them (EXT_robustness, KHR_robustness).
#include "api/gles/context/entry.h"
#include "api/gles/pixels/pixel_transfer.h"
#include "api/gles/pixels/validation.h"

using namespace tessera::gles;

namespace {

void readnPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, GLsizei bufSize,
                 void* data, const char* call = __builtin_FUNCTION()) {
    uint64_t serial = enterFor(
        uint64_t{0},
        [&](Context& c) {
            if (!validate::readPixels(c, width, height, format, type)) return uint64_t{0};
            if (bufSize < 0) {
                c.error(GL_INVALID_OPERATION);
                return uint64_t{0};
            }
            return readPixels(c, {x, y, width, height}, *readTransfer(c.isEs3(), format, type),
                              static_cast<size_t>(bufSize), data);
        },
        call);
    waitFor(serial);
}

}  // namespace

extern "C" {

void GL_APIENTRY glPixelStorei(GLenum pname, GLint param) {
    enter([&](Context& c) {
        if (!validate::pixelStore(c, pname, param)) return;
        const bool isBoolean = pname == GL_PACK_REVERSE_ROW_ORDER_ANGLE;
        *pixelStoreParameter(c.state, c.isEs3(), pname) = isBoolean ? param != 0 : param;
    });
}

void GL_APIENTRY glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                              void* pixels) {
    waitFor(enterFor(uint64_t{0}, [&](Context& c) {
        if (!validate::readPixels(c, width, height, format, type)) return uint64_t{0};
        return readPixels(c, {x, y, width, height}, *readTransfer(c.isEs3(), format, type), SIZE_MAX, pixels);
    }));
}

void GL_APIENTRY glReadnPixelsEXT(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                                  GLsizei bufSize, void* data) {
    readnPixels(x, y, width, height, format, type, bufSize, data);
}
void GL_APIENTRY glReadnPixelsKHR(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                                  GLsizei bufSize, void* data) {
    readnPixels(x, y, width, height, format, type, bufSize, data);
}

}  // extern "C"
