// Entry points of draws.
#include "api/gles/context/entry.h"
#include "api/gles/drawing/draw.h"
#include "api/gles/drawing/validation.h"

using namespace tessera::gles;

extern "C" {

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

// The range of indices is a hint, and not needed.
void GL_APIENTRY glDrawRangeElements(GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
                                     const void* indices) {
    glDrawRangeElementsBaseVertexOES(mode, start, end, count, type, indices, 0);
}

// Several draws (EXT_multi_draw_arrays)

void GL_APIENTRY glMultiDrawArraysEXT(GLenum mode, const GLint* first, const GLsizei* count, GLsizei primcount) {
    enterKeepingDrawState([&](Context& c) {
        if (!validate::multiDraw(c, mode, primcount) || !first || !count) return;
        const MayBeLeft left(c.group().mutex);
        for (GLsizei i = 0; i < primcount; ++i)
            if (count[i] > 0 && validate::drawArrays(c, mode, first[i], count[i], 1))
                drawArrays(c, mode, first[i], count[i], 1);
    });
}

void GL_APIENTRY glMultiDrawElementsEXT(GLenum mode, const GLsizei* count, GLenum type, const void* const* indices,
                                        GLsizei primcount) {
    enterKeepingDrawState([&](Context& c) {
        if (!validate::multiDraw(c, mode, primcount) || !count || !indices) return;
        const MayBeLeft left(c.group().mutex);
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

void GL_APIENTRY glDrawRangeElementsBaseVertexOES(GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
                                                  const void* indices, GLint basevertex) {
    enterKeepingDrawState([&](Context& c) {
        if (!c.isEs3()) return void(c.error(GL_INVALID_OPERATION));
        if (validate::drawRangeElements(c, mode, start, end, count, type))
            drawElements(c, mode, count, type, indices, 1, basevertex);
    });
}

void GL_APIENTRY glDrawRangeElementsBaseVertexEXT(GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
                                                  const void* indices, GLint basevertex) {
    glDrawRangeElementsBaseVertexOES(mode, start, end, count, type, indices, basevertex);
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

// Instances from one on (EXT_base_instance)

void GL_APIENTRY glDrawArraysInstancedBaseInstanceEXT(GLenum mode, GLint first, GLsizei count, GLsizei instancecount,
                                                      GLuint baseinstance) {
    enterKeepingDrawState([&](Context& c) {
        if (!c.isEs3()) return void(c.error(GL_INVALID_OPERATION));
        if (validate::drawArrays(c, mode, first, count, instancecount))
            drawArrays(c, mode, first, count, instancecount, baseinstance);
    });
}

void GL_APIENTRY glDrawElementsInstancedBaseVertexBaseInstanceEXT(GLenum mode, GLsizei count, GLenum type,
                                                                  const void* indices, GLsizei instancecount,
                                                                  GLint basevertex, GLuint baseinstance) {
    enterKeepingDrawState([&](Context& c) {
        if (!c.isEs3()) return void(c.error(GL_INVALID_OPERATION));
        if (validate::drawElements(c, mode, count, type, instancecount))
            drawElements(c, mode, count, type, indices, instancecount, basevertex, baseinstance);
    });
}

void GL_APIENTRY glDrawElementsInstancedBaseInstanceEXT(GLenum mode, GLsizei count, GLenum type, const void* indices,
                                                        GLsizei instancecount, GLuint baseinstance) {
    glDrawElementsInstancedBaseVertexBaseInstanceEXT(mode, count, type, indices, instancecount, 0, baseinstance);
}

void GL_APIENTRY glMultiDrawElementsBaseVertexEXT(GLenum mode, const GLsizei* count, GLenum type,
                                                  const void* const* indices, GLsizei drawcount,
                                                  const GLint* basevertex) {
    enterKeepingDrawState([&](Context& c) {
        if (!validate::multiDraw(c, mode, drawcount) || !count || !indices || !basevertex) return;
        const MayBeLeft left(c.group().mutex);
        for (GLsizei i = 0; i < drawcount; ++i)
            if (count[i] > 0 && validate::drawElements(c, mode, count[i], type, 1))
                drawElements(c, mode, count[i], type, indices[i], 1, basevertex[i]);
    });
}

// Instances (EXT_instanced_arrays, ANGLE_instanced_arrays)

void GL_APIENTRY glDrawArraysInstanced(GLenum mode, GLint start, GLsizei count, GLsizei primcount) {
    enterKeepingDrawState([&](Context& c) {
        if (validate::drawArrays(c, mode, start, count, primcount)) drawArrays(c, mode, start, count, primcount);
    });
}
void GL_APIENTRY glDrawArraysInstancedEXT(GLenum mode, GLint start, GLsizei count, GLsizei primcount) {
    glDrawArraysInstanced(mode, start, count, primcount);
}

void GL_APIENTRY glDrawElementsInstanced(GLenum mode, GLsizei count, GLenum type, const void* indices,
                                         GLsizei primcount) {
    enterKeepingDrawState([&](Context& c) {
        if (validate::drawElements(c, mode, count, type, primcount))
            drawElements(c, mode, count, type, indices, primcount);
    });
}
void GL_APIENTRY glDrawElementsInstancedEXT(GLenum mode, GLsizei count, GLenum type, const void* indices,
                                            GLsizei primcount) {
    glDrawElementsInstanced(mode, count, type, indices, primcount);
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

}  // extern "C"
