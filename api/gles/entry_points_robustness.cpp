// Entry points of EXT_robustness and KHR_robustness. A context is lost when one of its shaders exceeded the budget and
// it was made with reset notification; see Context::isLost().
#include "api/gles/entry.h"
#include "api/gles/transfer.h"
#include "api/gles/validation.h"

using namespace tessera::gles;

namespace {

GLenum resetStatus() {
    return enterFor(
        GLenum{GL_NO_ERROR}, [](Context& c) { return c.takeResetStatus(); }, __builtin_FUNCTION(), WhenLost::Enter);
}

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
            return readPixels(c, {x, y, width, height}, *readTransfer(format, type), static_cast<size_t>(bufSize),
                              data);
        },
        call);
    FloatEnvironment environment;
    if (serial != 0) Driver::instance().gpu().wait(serial);
}

}  // namespace

extern "C" {

GLenum GL_APIENTRY glGetGraphicsResetStatusEXT() { return resetStatus(); }
GLenum GL_APIENTRY glGetGraphicsResetStatusKHR() { return resetStatus(); }

void GL_APIENTRY glReadnPixelsEXT(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                                  GLsizei bufSize, void* data) {
    readnPixels(x, y, width, height, format, type, bufSize, data);
}
void GL_APIENTRY glReadnPixelsKHR(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                                  GLsizei bufSize, void* data) {
    readnPixels(x, y, width, height, format, type, bufSize, data);
}

}  // extern "C"
