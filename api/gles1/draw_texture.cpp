// OES_draw_texture: rectangles of the window with the crop rectangles of the enabled textures.
#include <algorithm>

#include "api/gles/drawing/draw.h"
#include "api/gles/framebuffers/validation.h"
#include "api/gles1/fixed_context.h"
#include "api/gles1/parameters.h"
#include "pipeline/render_target.h"

using namespace tessera::gles1;
namespace gles = tessera::gles;
using gles::Context;

namespace {

/// State that the rectangle is drawn without: it comes back when this goes.
class RectangleState {
public:
    explicit RectangleState(Context& c) : c_(c), state_(c.state), vertexArray_(c.vertexArray) {
        const auto target = c.drawTarget();
        const GLint window[4] = {0, 0, target.width, target.height};
        std::copy_n(window, 4, c.state.viewport);
        c.state.cullFace = c.state.polygonOffsetFill = false;
        c.vertexArray = std::make_shared<gles::VertexArray>(0);
    }
    ~RectangleState() {
        c_.state = state_;
        c_.vertexArray = vertexArray_;
    }
    RectangleState(const RectangleState&) = delete;
    RectangleState& operator=(const RectangleState&) = delete;

private:
    Context& c_;
    const gles::State state_;
    const std::shared_ptr<gles::VertexArray> vertexArray_;
};

using Corners = std::array<std::array<GLfloat, 2>, 4>;

/// Texture coordinates of the corners, as the crop rectangle of the texture's level 0 says.
Corners cropCorners(const gles::Texture& texture) {
    const gles::AttachableImage& image = texture.level(0, 0).image;
    if (!image) return {};
    const double left = texture.cropRect[0], bottom = texture.cropRect[1];
    const double right = left + texture.cropRect[2], top = bottom + texture.cropRect[3];
    const auto s = [&](double x) { return static_cast<GLfloat>(x / image.width()); };
    const auto t = [&](double y) { return static_cast<GLfloat>(y / image.height()); };
    return {{{s(left), t(bottom)}, {s(right), t(bottom)}, {s(right), t(top)}, {s(left), t(top)}}};
}

void setArray(gles::VertexArray& arrays, GLuint index, GLint size, const void* pointer) {
    gles::AttribArray& array = arrays.attribs[index];
    array.enabled = true;
    array.size = size;
    array.pointer = pointer;
}

void drawTexture(double x, double y, double z, double width, double height, const char* call = __builtin_FUNCTION()) {
    enterFixed(
        [&](Context& c, FixedContext& fixed) {
            if (!(width > 0 && height > 0)) {
                c.error(GL_INVALID_VALUE);
                return;
            }
            if (!gles::validate::completeFramebuffer(c)) return;
            const RectangleState rectangle(c);
            // Window coordinates to the clip coordinates of a viewport that is the window.
            const auto clipX = [&](double at) { return static_cast<GLfloat>(2 * at / c.state.viewport[2] - 1); };
            const auto clipY = [&](double at) { return static_cast<GLfloat>(2 * at / c.state.viewport[3] - 1); };
            const auto depth = static_cast<GLfloat>(2 * std::clamp(z, 0.0, 1.0) - 1);
            const GLfloat left = clipX(x), right = clipX(x + width), bottom = clipY(y), top = clipY(y + height);
            const GLfloat corners[4][3] = {
                {left, bottom, depth}, {right, bottom, depth}, {right, top, depth}, {left, top, depth}};
            setArray(*c.vertexArray, kVertex, 3, corners);
            std::array<Corners, kMaxTextureUnits> coords;
            for (GLuint i = 0; i < kMaxTextureUnits; ++i) {
                coords[i] = cropCorners(**c.textureImageUnits[i].binding(GL_TEXTURE_2D));
                setArray(*c.vertexArray, kTextureCoord + i, 2, coords[i].data());
            }
            const FixedContext::DrawTextureScope scope(fixed);
            c.changeDrawState();
            gles::drawArrays(c, GL_TRIANGLE_FAN, 0, 4, 1);
            c.changeDrawState();
        },
        call);
}

}  // namespace

extern "C" {

GL_API void GL_APIENTRY glDrawTexsOES(GLshort x, GLshort y, GLshort z, GLshort width, GLshort height) {
    drawTexture(x, y, z, width, height);
}
GL_API void GL_APIENTRY glDrawTexiOES(GLint x, GLint y, GLint z, GLint width, GLint height) {
    drawTexture(x, y, z, width, height);
}
GL_API void GL_APIENTRY glDrawTexfOES(GLfloat x, GLfloat y, GLfloat z, GLfloat width, GLfloat height) {
    drawTexture(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z), static_cast<double>(width),
                static_cast<double>(height));
}
GL_API void GL_APIENTRY glDrawTexxOES(GLfixed x, GLfixed y, GLfixed z, GLfixed width, GLfixed height) {
    drawTexture(x / 65536.0, y / 65536.0, z / 65536.0, width / 65536.0, height / 65536.0);
}
GL_API void GL_APIENTRY glDrawTexsvOES(const GLshort* v) {
    if (v) drawTexture(v[0], v[1], v[2], v[3], v[4]);
}
GL_API void GL_APIENTRY glDrawTexivOES(const GLint* v) {
    if (v) drawTexture(v[0], v[1], v[2], v[3], v[4]);
}
GL_API void GL_APIENTRY glDrawTexfvOES(const GLfloat* v) {
    if (v) glDrawTexfOES(v[0], v[1], v[2], v[3], v[4]);
}
GL_API void GL_APIENTRY glDrawTexxvOES(const GLfixed* v) {
    if (v) glDrawTexxOES(v[0], v[1], v[2], v[3], v[4]);
}

}  // extern "C"
