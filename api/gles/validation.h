// Validation: what the specification says must hold before a command acts. Every function returns true when the call
// may go on; otherwise it has recorded the error and nothing else. Named after the entry points.
#pragma once

#include <optional>

#include "api/gles/context/context.h"

namespace tessera::gles::validate {

// Shared by several entry points
[[nodiscard]] bool count(Context& c, GLsizei n);  ///< not negative, else GL_INVALID_VALUE
[[nodiscard]] bool attribIndex(Context& c, GLuint index);
[[nodiscard]] bool isCompareFunc(GLenum func);
[[nodiscard]] bool isFace(GLenum face);
[[nodiscard]] bool isTextureTarget(GLenum target);
[[nodiscard]] bool completeFramebuffer(Context& c);
/// The read framebuffer is complete, and reads need no blit before.
[[nodiscard]] bool readableFramebuffer(Context& c);

// State
[[nodiscard]] bool enable(Context& c, GLenum cap);
[[nodiscard]] bool blendEquation(Context& c, GLenum rgb, GLenum alpha);
/// Of draws: two colours are blended into one buffer alone (EXT_blend_func_extended, 15.1.5.X).
[[nodiscard]] bool secondColorTargets(Context& c);
[[nodiscard]] bool blendFunc(Context& c, GLenum srcRgb, GLenum dstRgb, GLenum srcAlpha, GLenum dstAlpha);
[[nodiscard]] bool clipControl(Context& c, GLenum origin, GLenum depth);
[[nodiscard]] bool cullFace(Context& c, GLenum mode);
[[nodiscard]] bool frontFace(Context& c, GLenum mode);
[[nodiscard]] bool depthFunc(Context& c, GLenum func);
[[nodiscard]] bool stencilFunc(Context& c, GLenum face, GLenum func);
[[nodiscard]] bool stencilOp(Context& c, GLenum face, GLenum fail, GLenum depthFail, GLenum depthPass);
[[nodiscard]] bool stencilFace(Context& c, GLenum face);
[[nodiscard]] bool lineWidth(Context& c, GLfloat width);
[[nodiscard]] bool size(Context& c, GLsizei width, GLsizei height);  ///< not negative
[[nodiscard]] bool hint(Context& c, GLenum target, GLenum mode);
[[nodiscard]] bool pixelStore(Context& c, GLenum pname, GLint param);

// Buffers and vertex arrays
[[nodiscard]] bool bufferTarget(Context& c, GLenum target);
[[nodiscard]] bool bufferData(Context& c, GLenum target, GLsizeiptr size, GLenum usage);
[[nodiscard]] bool bufferSubData(Context& c, GLenum target, GLintptr offset, GLsizeiptr size);
[[nodiscard]] bool getBufferParameter(Context& c, GLenum target, GLenum pname);
[[nodiscard]] bool mapBuffer(Context& c, GLenum target, GLenum access);
[[nodiscard]] bool mapBufferRange(Context& c, GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access);
[[nodiscard]] bool flushMappedBufferRange(Context& c, GLenum target, GLintptr offset, GLsizeiptr length);
[[nodiscard]] bool unmapBuffer(Context& c, GLenum target);
[[nodiscard]] bool getBufferPointer(Context& c, GLenum target, GLenum pname);
[[nodiscard]] bool vertexAttribPointer(Context& c, GLuint index, GLint size, GLenum type, GLsizei stride);
[[nodiscard]] bool bindVertexArray(Context& c, GLuint name);
[[nodiscard]] bool getVertexAttrib(Context& c, GLuint index, GLenum pname);

// Textures
[[nodiscard]] bool activeTexture(Context& c, GLenum texture);
[[nodiscard]] bool bindTexture(Context& c, GLenum target, GLuint name);
[[nodiscard]] bool textureTarget(Context& c, GLenum target);  ///< one that can be bound
[[nodiscard]] bool cropRect(Context& c, GLenum target);       ///< OES_draw_texture: OpenGL ES 1.1 alone
[[nodiscard]] bool texParameter(Context& c, GLenum target, GLenum pname, GLenum value);
[[nodiscard]] bool maxLevel(Context& c, GLenum target, GLint value);
[[nodiscard]] bool maxAnisotropy(Context& c, GLenum target, GLfloat value);
[[nodiscard]] bool borderColor(Context& c, GLenum target);
[[nodiscard]] bool getTexParameter(Context& c, GLenum target, GLenum pname);
struct ImageSize {
    GLint level;
    GLsizei width, height;
};
[[nodiscard]] bool texImage2D(Context& c, GLenum target, GLint internalformat, const ImageSize& size, GLint border,
                              GLenum format, GLenum type);
struct SubImage {
    GLint level, x, y;
    GLsizei width, height;
};
[[nodiscard]] bool texSubImage2D(Context& c, GLenum target, const SubImage& sub, GLenum format, GLenum type);
[[nodiscard]] bool copyTexImage2D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size,
                                  GLint border);
[[nodiscard]] bool copyTexSubImage2D(Context& c, GLenum target, const SubImage& sub);
[[nodiscard]] bool texStorage2D(Context& c, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                                GLsizei height);
/// A paletted format's level is zero or less: 1 - level is how many levels there are.
[[nodiscard]] bool compressedTexImage2D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size,
                                        GLint border, GLsizei bytes);
[[nodiscard]] bool compressedTexSubImage2D(Context& c, GLenum target, const SubImage& sub, GLenum format,
                                           GLsizei bytes);
[[nodiscard]] bool canGenerateMipmap(Context& c, GLenum target);  ///< no error when not
[[nodiscard]] bool generateMipmap(Context& c, GLenum target);

// Framebuffers
[[nodiscard]] bool isAttachmentPoint(GLenum attachment);
[[nodiscard]] bool framebufferTarget(Context& c, GLenum target);
[[nodiscard]] bool renderbufferTarget(Context& c, GLenum target);
[[nodiscard]] bool renderbufferStorage(Context& c, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                       GLsizei height);
[[nodiscard]] bool getRenderbufferParameter(Context& c, GLenum target, GLenum pname);
[[nodiscard]] bool framebufferRenderbuffer(Context& c, GLenum target, GLenum attachment, GLenum renderbufferTarget,
                                           GLuint renderbuffer);
[[nodiscard]] bool framebufferTexture2D(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                                        GLint level);
[[nodiscard]] bool framebufferTexture2DMultisample(Context& c, GLenum target, GLenum attachment, GLenum textarget,
                                                   GLuint texture, GLint level, GLsizei samples);
[[nodiscard]] bool getFramebufferAttachment(Context& c, GLenum target, GLenum attachment, GLenum pname);
[[nodiscard]] bool drawBuffers(Context& c, GLsizei n, const GLenum* buffers);
/// NV_draw_buffers: of framebuffer objects only, any attachment for any colour.
[[nodiscard]] bool drawBuffersInAnyOrder(Context& c, GLsizei n, const GLenum* buffers);
[[nodiscard]] bool readBuffer(Context& c, GLenum mode);
[[nodiscard]] bool discardFramebuffer(Context& c, GLenum target, GLsizei n, const GLenum* attachments);
struct BlitCall {
    texture::Corners from, to;
    GLbitfield mask;
    GLenum filter;
};
[[nodiscard]] bool blitFramebuffer(Context& c, const BlitCall& call);
/// ANGLE_framebuffer_blit: neither scaled, mirrored nor converted.
[[nodiscard]] bool blitFramebufferUnchanged(Context& c, const BlitCall& call);
[[nodiscard]] bool clear(Context& c, GLbitfield mask);
[[nodiscard]] bool readPixels(Context& c, GLsizei width, GLsizei height, GLenum format, GLenum type);

// Shaders and programs. The finders record GL_INVALID_VALUE for unknown names, GL_INVALID_OPERATION for the other kind.
[[nodiscard]] std::shared_ptr<Shader> shader(Context& c, GLuint name);
[[nodiscard]] std::shared_ptr<Program> program(Context& c, GLuint name);
[[nodiscard]] std::shared_ptr<Program> linkedProgram(Context& c, GLuint name);
[[nodiscard]] bool attachShader(Context& c, Program& program, const Shader& shader);
[[nodiscard]] bool bindAttribLocation(Context& c, GLuint index, const GLchar* name);
[[nodiscard]] bool precisionFormat(Context& c, GLenum shaderType, GLenum precisionType);
[[nodiscard]] bool shaderBinary(Context& c, GLsizei n, const GLuint* shaders, GLenum format, GLsizei length);

/// One glUniform* or glProgramUniform* call: `components` values of `columns` columns for each of `count` elements.
struct UniformCall {
    std::optional<GLuint> program;  ///< by name; none: the active one
    GLint location;
    GLsizei count;
    int components, columns;  ///< columns: 1 for vectors, 2..4 for matrices
    bool integers;
    const GLint* ints;  ///< to check texture image units; null for floats
};
struct UniformTarget {
    std::shared_ptr<Program> program;
    Executable::Element element;  ///< null uniform when nothing is to be done: an error, or location -1
};
[[nodiscard]] UniformTarget uniform(Context& c, const UniformCall& call);

// Program pipelines
/// Null and GL_INVALID_OPERATION for a name that is not from glGenProgramPipelinesEXT; made when it is new.
[[nodiscard]] std::shared_ptr<ProgramPipeline> pipeline(Context& c, GLuint name);
[[nodiscard]] bool useProgramStages(Context& c, GLbitfield stages, GLuint program);
[[nodiscard]] bool programParameter(Context& c, GLenum pname, GLint value);

// Queries, debug output
[[nodiscard]] bool beginQuery(Context& c, GLenum target, GLuint id);
[[nodiscard]] bool endQuery(Context& c, GLenum target);
[[nodiscard]] bool queryCounter(Context& c, GLuint id, GLenum target);
[[nodiscard]] bool getQuery(Context& c, GLenum target, GLenum pname);
[[nodiscard]] bool getQueryObject(Context& c, GLuint id, GLenum pname);
[[nodiscard]] bool beginConditionalRender(Context& c, GLuint id, GLenum mode);
[[nodiscard]] bool fenceSync(Context& c, GLenum condition, GLbitfield flags);
[[nodiscard]] bool clientWaitSync(Context& c, GLbitfield flags);
[[nodiscard]] bool waitSync(Context& c, GLbitfield flags, GLuint64 timeout);
[[nodiscard]] bool getSync(Context& c, GLenum pname, GLsizei bufSize);
[[nodiscard]] bool debugMessageControl(Context& c, GLenum source, GLenum type, GLenum severity, GLsizei n);
[[nodiscard]] bool debugMessageInsert(Context& c, GLenum source, GLenum type, GLenum severity, size_t length);
[[nodiscard]] bool pushDebugGroup(Context& c, GLenum source, size_t length);
[[nodiscard]] bool labelIdentifier(Context& c, GLenum identifier);

// Drawing
/// `instances` is 1 for the calls that have none.
[[nodiscard]] bool drawArrays(Context& c, GLenum mode, GLint first, GLsizei count, GLsizei instances);
[[nodiscard]] bool drawElements(Context& c, GLenum mode, GLsizei count, GLenum type, GLsizei instances);
/// What must hold of all of several draws before any: EXT_multi_draw_arrays.
[[nodiscard]] bool multiDraw(Context& c, GLenum mode, GLsizei primcount);
/// ANGLE_instanced_arrays alone wants an array that is not instanced.
[[nodiscard]] bool hasVertexRateArray(Context& c);

}  // namespace tessera::gles::validate
