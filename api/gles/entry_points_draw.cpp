// Entry points of vertex data, drawing, pixels and synchronisation.
#include "api/gles/drawing/draw.h"

#include <algorithm>

#include "api/gles/entry.h"
#include "api/gles/state/state_queries.h"
#include "api/gles/transfer.h"
#include "api/gles/validation.h"

using namespace tessera::gles;

namespace {

void setCurrentAttrib(GLuint index, const std::array<GLfloat, 4>& value, const char* call = __builtin_FUNCTION()) {
    enter(
        [&](Context& c) {
            if (validate::attribIndex(c, index)) c.currentAttrib[index] = value;
        },
        call);
}

/// The n given components; the others 0, 0, 0, 1.
void setCurrentAttribv(GLuint index, int n, const GLfloat* v, const char* call = __builtin_FUNCTION()) {
    if (!v) return;
    std::array<GLfloat, 4> value{0, 0, 0, 1};
    std::copy_n(v, n, value.begin());
    setCurrentAttrib(index, value, call);
}

void setArrayEnabled(GLuint index, bool enabled, const char* call = __builtin_FUNCTION()) {
    enter(
        [&](Context& c) {
            if (validate::attribIndex(c, index)) c.vertexArray->attribs[index].enabled = enabled;
        },
        call);
}

template <class T>
void getVertexAttrib(GLuint index, GLenum pname, T* params, const char* call = __builtin_FUNCTION()) {
    enter(
        [&](Context& c) {
            if (!validate::getVertexAttrib(c, index, pname) || !params) return;
            const AttribArray& array = c.vertexArray->attribs[index];
            switch (pname) {
                case GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING:
                    *params = static_cast<T>(array.buffer ? array.buffer->name : 0);
                    break;
                case GL_VERTEX_ATTRIB_ARRAY_ENABLED:
                    *params = static_cast<T>(array.enabled);
                    break;
                case GL_VERTEX_ATTRIB_ARRAY_SIZE:
                    *params = static_cast<T>(array.size);
                    break;
                case GL_VERTEX_ATTRIB_ARRAY_STRIDE:
                    *params = static_cast<T>(array.stride);
                    break;
                case GL_VERTEX_ATTRIB_ARRAY_TYPE:
                    *params = static_cast<T>(array.type);
                    break;
                case GL_VERTEX_ATTRIB_ARRAY_NORMALIZED:
                    *params = static_cast<T>(array.normalized);
                    break;
                case GL_VERTEX_ATTRIB_ARRAY_DIVISOR_EXT:
                    *params = static_cast<T>(array.divisor);
                    break;
                case GL_CURRENT_VERTEX_ATTRIB:
                    for (size_t i = 0; i < 4; ++i) {
                        GLfloat value = c.currentAttrib[index][i];
                        if constexpr (std::is_same_v<T, GLint>) params[i] = roundToInt(static_cast<double>(value));
                        if constexpr (std::is_same_v<T, GLfloat>) params[i] = value;
                    }
            }
        },
        call);
}

/// OpenGL ES 1.1, section 3.7.8: a change of a level 0 may make the other levels anew.
void imageChanged(Context& c, GLenum target, GLint level) {
    if (level == 0 && c.textureForImage(target).generateMipmap && validate::canGenerateMipmap(c, bindTargetOf(target)))
        generateMipmap(c, bindTargetOf(target));
}

/// Waits outside the lock of the share group, so that other contexts go on meanwhile.
void waitFor(uint64_t serial) {
    FloatEnvironment environment;
    if (serial != 0) Driver::instance().gpu().wait(serial);
}

}  // namespace

extern "C" {

// Vertex data

void GL_APIENTRY glVertexAttrib1f(GLuint index, GLfloat x) { setCurrentAttrib(index, {x, 0, 0, 1}); }
void GL_APIENTRY glVertexAttrib2f(GLuint index, GLfloat x, GLfloat y) { setCurrentAttrib(index, {x, y, 0, 1}); }
void GL_APIENTRY glVertexAttrib3f(GLuint index, GLfloat x, GLfloat y, GLfloat z) {
    setCurrentAttrib(index, {x, y, z, 1});
}
void GL_APIENTRY glVertexAttrib4f(GLuint index, GLfloat x, GLfloat y, GLfloat z, GLfloat w) {
    setCurrentAttrib(index, {x, y, z, w});
}
void GL_APIENTRY glVertexAttrib1fv(GLuint index, const GLfloat* v) { setCurrentAttribv(index, 1, v); }
void GL_APIENTRY glVertexAttrib2fv(GLuint index, const GLfloat* v) { setCurrentAttribv(index, 2, v); }
void GL_APIENTRY glVertexAttrib3fv(GLuint index, const GLfloat* v) { setCurrentAttribv(index, 3, v); }
void GL_APIENTRY glVertexAttrib4fv(GLuint index, const GLfloat* v) { setCurrentAttribv(index, 4, v); }

void GL_APIENTRY glEnableVertexAttribArray(GLuint index) { setArrayEnabled(index, true); }
void GL_APIENTRY glDisableVertexAttribArray(GLuint index) { setArrayEnabled(index, false); }

void GL_APIENTRY glVertexAttribPointer(GLuint index, GLint size, GLenum type, GLboolean normalized, GLsizei stride,
                                       const void* pointer) {
    enter([&](Context& c) {
        if (!validate::vertexAttribPointer(c, index, size, type, stride)) return;
        AttribArray& array = c.vertexArray->attribs[index];
        array.size = size;
        array.type = type;
        array.normalized = normalized != GL_FALSE;
        array.stride = stride;
        array.pointer = pointer;
        array.buffer = c.arrayBuffer;
    });
}

void GL_APIENTRY glGetVertexAttribfv(GLuint index, GLenum pname, GLfloat* params) {
    getVertexAttrib(index, pname, params);
}
void GL_APIENTRY glGetVertexAttribiv(GLuint index, GLenum pname, GLint* params) {
    getVertexAttrib(index, pname, params);
}

void GL_APIENTRY glGetVertexAttribPointerv(GLuint index, GLenum pname, void** pointer) {
    enter([&](Context& c) {
        if (!validate::attribIndex(c, index)) return;
        if (pname != GL_VERTEX_ATTRIB_ARRAY_POINTER) {
            c.error(GL_INVALID_ENUM);
            return;
        }
        if (pointer) *pointer = const_cast<void*>(c.vertexArray->attribs[index].pointer);
    });
}

// Drawing

void GL_APIENTRY glClear(GLbitfield mask) {
    enter([&](Context& c) {
        if (validate::clear(c, mask) && !c.discardsRendering) clear(c, mask);
    });
}

void GL_APIENTRY glDrawArrays(GLenum mode, GLint first, GLsizei count) {
    enterKeepingDrawState([&](Context& c) {
        if (validate::drawArrays(c, mode, first, count, 1)) drawArrays(c, mode, first, count, 1);
    });
}

void GL_APIENTRY glDrawElements(GLenum mode, GLsizei count, GLenum type, const void* indices) {
    enterKeepingDrawState([&](Context& c) {
        if (validate::drawElements(c, mode, count, type, 1)) drawElements(c, mode, count, type, indices, 1);
    });
}

// Several draws (EXT_multi_draw_arrays)

void GL_APIENTRY glMultiDrawArraysEXT(GLenum mode, const GLint* first, const GLsizei* count, GLsizei primcount) {
    enterKeepingDrawState([&](Context& c) {
        if (!validate::multiDraw(c, mode, primcount) || !first || !count) return;
        for (GLsizei i = 0; i < primcount; ++i)
            if (count[i] > 0 && validate::drawArrays(c, mode, first[i], count[i], 1))
                drawArrays(c, mode, first[i], count[i], 1);
    });
}

void GL_APIENTRY glMultiDrawElementsEXT(GLenum mode, const GLsizei* count, GLenum type, const void* const* indices,
                                        GLsizei primcount) {
    enterKeepingDrawState([&](Context& c) {
        if (!validate::multiDraw(c, mode, primcount) || !count || !indices) return;
        for (GLsizei i = 0; i < primcount; ++i)
            if (count[i] > 0 && validate::drawElements(c, mode, count[i], type, 1))
                drawElements(c, mode, count[i], type, indices[i], 1);
    });
}

// Base vertices (OES_draw_elements_base_vertex, EXT_draw_elements_base_vertex)

void GL_APIENTRY glDrawElementsBaseVertexOES(GLenum mode, GLsizei count, GLenum type, const void* indices,
                                             GLint basevertex) {
    enterKeepingDrawState([&](Context& c) {
        if (validate::drawElements(c, mode, count, type, 1)) drawElements(c, mode, count, type, indices, 1, basevertex);
    });
}

void GL_APIENTRY glDrawElementsBaseVertexEXT(GLenum mode, GLsizei count, GLenum type, const void* indices,
                                             GLint basevertex) {
    glDrawElementsBaseVertexOES(mode, count, type, indices, basevertex);
}

void GL_APIENTRY glDrawElementsInstancedBaseVertexOES(GLenum mode, GLsizei count, GLenum type, const void* indices,
                                                      GLsizei instancecount, GLint basevertex) {
    enterKeepingDrawState([&](Context& c) {
        if (validate::drawElements(c, mode, count, type, instancecount))
            drawElements(c, mode, count, type, indices, instancecount, basevertex);
    });
}

void GL_APIENTRY glDrawElementsInstancedBaseVertexEXT(GLenum mode, GLsizei count, GLenum type, const void* indices,
                                                      GLsizei instancecount, GLint basevertex) {
    glDrawElementsInstancedBaseVertexOES(mode, count, type, indices, instancecount, basevertex);
}

void GL_APIENTRY glMultiDrawElementsBaseVertexEXT(GLenum mode, const GLsizei* count, GLenum type,
                                                  const void* const* indices, GLsizei drawcount,
                                                  const GLint* basevertex) {
    enterKeepingDrawState([&](Context& c) {
        if (!validate::multiDraw(c, mode, drawcount) || !count || !indices || !basevertex) return;
        for (GLsizei i = 0; i < drawcount; ++i)
            if (count[i] > 0 && validate::drawElements(c, mode, count[i], type, 1))
                drawElements(c, mode, count[i], type, indices[i], 1, basevertex[i]);
    });
}

// Instances (EXT_instanced_arrays, ANGLE_instanced_arrays)

void GL_APIENTRY glDrawArraysInstancedEXT(GLenum mode, GLint start, GLsizei count, GLsizei primcount) {
    enterKeepingDrawState([&](Context& c) {
        if (validate::drawArrays(c, mode, start, count, primcount)) drawArrays(c, mode, start, count, primcount);
    });
}

void GL_APIENTRY glDrawElementsInstancedEXT(GLenum mode, GLsizei count, GLenum type, const void* indices,
                                            GLsizei primcount) {
    enterKeepingDrawState([&](Context& c) {
        if (validate::drawElements(c, mode, count, type, primcount))
            drawElements(c, mode, count, type, indices, primcount);
    });
}

void GL_APIENTRY glDrawArraysInstancedANGLE(GLenum mode, GLint first, GLsizei count, GLsizei primcount) {
    enterKeepingDrawState([&](Context& c) {
        if (validate::drawArrays(c, mode, first, count, primcount) && validate::hasVertexRateArray(c))
            drawArrays(c, mode, first, count, primcount);
    });
}

void GL_APIENTRY glDrawElementsInstancedANGLE(GLenum mode, GLsizei count, GLenum type, const void* indices,
                                              GLsizei primcount) {
    enterKeepingDrawState([&](Context& c) {
        if (validate::drawElements(c, mode, count, type, primcount) && validate::hasVertexRateArray(c))
            drawElements(c, mode, count, type, indices, primcount);
    });
}

void GL_APIENTRY glVertexAttribDivisorEXT(GLuint index, GLuint divisor) {
    enter([&](Context& c) {
        if (validate::attribIndex(c, index)) c.vertexArray->attribs[index].divisor = divisor;
    });
}

void GL_APIENTRY glVertexAttribDivisorANGLE(GLuint index, GLuint divisor) { glVertexAttribDivisorEXT(index, divisor); }

// Pixels

void GL_APIENTRY glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                              void* pixels) {
    waitFor(enterFor(uint64_t{0}, [&](Context& c) {
        if (!validate::readPixels(c, width, height, format, type)) return uint64_t{0};
        return readPixels(c, {x, y, width, height}, *readTransfer(format, type), SIZE_MAX, pixels);
    }));
}

void GL_APIENTRY glTexImage2D(GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                              GLint border, GLenum format, GLenum type, const void* pixels) {
    enter([&](Context& c) {
        validate::ImageSize size{level, width, height};
        if (!validate::texImage2D(c, target, internalformat, size, border, format, type)) return;
        const PixelTransfer& transfer = *textureTransfer(format, type);
        if (!unpackPixels(c, transfer, width, height, &pixels)) return;
        if (const auto* encoded = encodedFormat(static_cast<GLenum>(internalformat)))
            return encodeTexImage2D(c, target, *encoded, size, transfer, pixels);
        c.resolveSamples();
        texImage2D(c, target, size, *textureFormat(static_cast<GLenum>(internalformat), transfer), transfer, pixels);
        imageChanged(c, target, level);
    });
}

void GL_APIENTRY glTexSubImage2D(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width,
                                 GLsizei height, GLenum format, GLenum type, const void* pixels) {
    enter([&](Context& c) {
        validate::SubImage sub{level, xoffset, yoffset, width, height};
        if (!validate::texSubImage2D(c, target, sub, format, type)) return;
        const PixelTransfer& transfer = *textureTransfer(format, type);
        if (!unpackPixels(c, transfer, width, height, &pixels)) return;
        const TextureLevel& old = c.textureForImage(target).level(faceOf(target), level);
        if (const auto* encoded = old.isCompressed ? encodedFormat(old.format) : nullptr)
            return encodeTexSubImage2D(c, target, sub, *encoded, transfer, pixels);
        texSubImage2D(c, target, sub, transfer, pixels);
        imageChanged(c, target, level);
    });
}

void GL_APIENTRY glCopyTexImage2D(GLenum target, GLint level, GLenum internalformat, GLint x, GLint y, GLsizei width,
                                  GLsizei height, GLint border) {
    enter([&](Context& c) {
        validate::ImageSize size{level, width, height};
        if (!validate::copyTexImage2D(c, target, internalformat, size, border)) return;
        copyTexImage2D(c, target, internalformat, size, x, y);
        imageChanged(c, target, level);
    });
}

void GL_APIENTRY glCopyTexSubImage2D(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint x, GLint y,
                                     GLsizei width, GLsizei height) {
    enter([&](Context& c) {
        validate::SubImage sub{level, xoffset, yoffset, width, height};
        if (!validate::copyTexSubImage2D(c, target, sub)) return;
        copyTexSubImage2D(c, target, sub, x, y);
        imageChanged(c, target, level);
    });
}

void GL_APIENTRY glCompressedTexImage2D(GLenum target, GLint level, GLenum internalformat, GLsizei width,
                                        GLsizei height, GLint border, GLsizei imageSize, const void* data) {
    enter([&](Context& c) {
        validate::ImageSize size{level, width, height};
        if (validate::compressedTexImage2D(c, target, internalformat, size, border, imageSize) &&
            unpackFrom(c, static_cast<size_t>(imageSize), 1, &data))
            compressedTexImage2D(c, target, internalformat, size, data);
    });
}

void GL_APIENTRY glCompressedTexSubImage2D(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width,
                                           GLsizei height, GLenum format, GLsizei imageSize, const void* data) {
    enter([&](Context& c) {
        validate::SubImage sub{level, xoffset, yoffset, width, height};
        if (validate::compressedTexSubImage2D(c, target, sub, format, imageSize) &&
            unpackFrom(c, static_cast<size_t>(imageSize), 1, &data))
            compressedTexSubImage2D(c, target, sub, *tessera::texture::blockFormat(format), data);
    });
}

void GL_APIENTRY glGenerateMipmap(GLenum target) {
    enter([&](Context& c) {
        if (validate::generateMipmap(c, target)) generateMipmap(c, target);
    });
}

// Synchronisation

void GL_APIENTRY glFlush() {
    enter([&](Context& c) {
        c.resolveSamples();
        c.recorder.flush();
    });
    if (Context* c = current()) c->showFrontBuffer();
}

void GL_APIENTRY glFinish() {
    waitFor(enterFor(uint64_t{0}, [&](Context& c) {
        c.resolveSamples();
        return c.recorder.flush();
    }));
    if (Context* c = current()) c->showFrontBuffer();
}

}  // extern "C"
