// Errors of pixel transfers.
#include "api/gles/pixels/validation.h"

#include "api/gles/framebuffers/validation.h"
#include "api/gles/pixels/pixel_transfer.h"

namespace tessera::gles::validate {

bool pixelStore(Context& c, GLenum pname, GLint param) {
    if (!pixelStoreParameter(c.state, c.isEs3(), pname)) return c.error(GL_INVALID_ENUM);
    if (pname == GL_PACK_REVERSE_ROW_ORDER_ANGLE) return true;  // anything but 0 is true
    if (pname != GL_UNPACK_ALIGNMENT && pname != GL_PACK_ALIGNMENT) return param >= 0 || c.error(GL_INVALID_VALUE);
    return param == 1 || param == 2 || param == 4 || param == 8 || c.error(GL_INVALID_VALUE);
}

bool readPixels(Context& c, GLsizei width, GLsizei height, GLenum format, GLenum type) {
    if (!isReadFormat(c.isEs3(), format) || !isReadType(c.isEs3(), type)) return c.error(GL_INVALID_ENUM);
    if (!size(c, width, height) || !readableFramebuffer(c)) return false;
    const AttachableImage image = readImage(c, format);
    const PixelTransfer* transfer = readTransfer(c.isEs3(), format, type);
    return (image && transfer && isReadable(c.isEs3(), image.format(), *transfer)) || c.error(GL_INVALID_OPERATION);
}

}  // namespace tessera::gles::validate
