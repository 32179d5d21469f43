// EGL images from textures and renderbuffers, and their siblings (EGL 1.5 section 3.9, GL_OES_EGL_image).
#include <EGL/egltessera.h>
#include <doctest/doctest.h>

#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

EGLClientBuffer clientBuffer(GLuint name) { return reinterpret_cast<EGLClientBuffer>(static_cast<uintptr_t>(name)); }

GLuint makeTexture(int size, const unsigned char* pixels) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    return texture;
}

/// Reads pixels of a texture through a framebuffer object, which stays bound.
Color texelAt(GLuint texture, int x, int y) {
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    return pixelAt(x, y);
}

struct ImageFixture : DisplayFixture {
    EGLContext first = context(), second = context();
    EGLSurface surface = pbuffer();
    PFNGLEGLIMAGETARGETTEXTURE2DOESPROC toTexture =
        reinterpret_cast<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>(eglGetProcAddress("glEGLImageTargetTexture2DOES"));
    PFNGLEGLIMAGETARGETRENDERBUFFERSTORAGEOESPROC toRenderbuffer =
        reinterpret_cast<PFNGLEGLIMAGETARGETRENDERBUFFERSTORAGEOESPROC>(
            eglGetProcAddress("glEGLImageTargetRenderbufferStorageOES"));
    ImageFixture() { eglMakeCurrent(display, surface, surface, first); }
};

}  // namespace

TEST_CASE("a texture and its sibling in an unrelated context are one") {
    ImageFixture egl;
    std::vector<unsigned char> pixels(4 * 4 * 4, 90);
    GLuint source = makeTexture(4, pixels.data());
    EGLImage image = eglCreateImage(egl.display, egl.first, EGL_GL_TEXTURE_2D, clientBuffer(source), nullptr);
    REQUIRE(image != EGL_NO_IMAGE);
    CHECK(eglCreateImage(egl.display, egl.first, EGL_GL_TEXTURE_2D, clientBuffer(source), nullptr) == EGL_NO_IMAGE);
    CHECK(error() == EGL_BAD_ACCESS);

    eglMakeCurrent(egl.display, egl.surface, egl.surface, egl.second);
    GLuint sibling = 0;
    glGenTextures(1, &sibling);
    glBindTexture(GL_TEXTURE_2D, sibling);
    egl.toTexture(GL_TEXTURE_2D, image);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(eglDestroyImage(egl.display, image) == EGL_TRUE);  // siblings stay
    CHECK(texelAt(sibling, 2, 2) == Color{90, 90, 90, 90});
    const unsigned char changed[4] = {1, 2, 3, 4};
    glTexSubImage2D(GL_TEXTURE_2D, 0, 2, 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, changed);

    eglMakeCurrent(egl.display, egl.surface, egl.surface, egl.first);
    CHECK(texelAt(source, 2, 2) == Color{1, 2, 3, 4});
    // Respecifying makes it the source's own again.
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    eglMakeCurrent(egl.display, egl.surface, egl.surface, egl.second);
    CHECK(texelAt(sibling, 2, 2) == Color{1, 2, 3, 4});
}

TEST_CASE("an upload of the whole is seen by the sibling, also while draws have the texture") {
    ImageFixture egl;
    std::vector<unsigned char> pixels(4 * 4 * 4, 90);
    const GLuint source = makeTexture(4, pixels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    EGLImage image = eglCreateImage(egl.display, egl.first, EGL_GL_TEXTURE_2D, clientBuffer(source), nullptr);
    REQUIRE(image != EGL_NO_IMAGE);
    GLuint sibling = 0;
    glGenTextures(1, &sibling);
    glBindTexture(GL_TEXTURE_2D, sibling);
    egl.toTexture(GL_TEXTURE_2D, image);
    glBindTexture(GL_TEXTURE_2D, source);
    glUseProgram(program("attribute vec4 position; void main() { gl_Position = position; }",
                         "uniform sampler2D image; void main() { gl_FragColor = texture2D(image, vec2(0.5)); }"));
    const GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    pixels.assign(pixels.size(), 30);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    CHECK(pixelAt(3, 3) == Color{90, 90, 90, 90});
    CHECK(texelAt(sibling, 2, 2) == Color{30, 30, 30, 30});
    CHECK(texelAt(source, 2, 2) == Color{30, 30, 30, 30});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a renderbuffer as a texture, and a texture as a renderbuffer") {
    ImageFixture egl;
    GLuint renderbuffer = 0, framebuffer = 0, texture = 0;
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB565, 8, 8);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    EGLImage image = eglCreateImage(egl.display, egl.first, EGL_GL_RENDERBUFFER, clientBuffer(renderbuffer), nullptr);
    REQUIRE(image != EGL_NO_IMAGE);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    egl.toTexture(GL_TEXTURE_2D, image);
    clearTo(0, 1, 0);
    CHECK(texelAt(texture, 7, 7) == Color{0, 255, 0, 255});

    GLuint storage = 0;
    glGenRenderbuffers(1, &storage);
    glBindRenderbuffer(GL_RENDERBUFFER, storage);
    egl.toRenderbuffer(GL_RENDERBUFFER, image);
    GLint width = 0, format = 0;
    glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, &width);
    glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_INTERNAL_FORMAT, &format);
    CHECK(width == 8);
    CHECK(format == GL_RGB565);
}

TEST_CASE("levels and cube faces") {
    ImageFixture egl;
    GLuint texture = makeTexture(4, nullptr);
    const EGLAttrib level1[] = {EGL_GL_TEXTURE_LEVEL, 1, EGL_NONE};
    auto create = [&](EGLenum target, GLuint name, const EGLAttrib* attributes) {
        return eglCreateImage(egl.display, egl.first, target, clientBuffer(name), attributes);
    };
    CHECK(create(EGL_GL_TEXTURE_2D, texture, level1) == EGL_NO_IMAGE);
    CHECK(error() == EGL_BAD_MATCH);
    glGenerateMipmap(GL_TEXTURE_2D);
    CHECK(create(EGL_GL_TEXTURE_2D, texture, level1) != EGL_NO_IMAGE);
    const EGLAttrib level7[] = {EGL_GL_TEXTURE_LEVEL, 7, EGL_NONE};
    CHECK(create(EGL_GL_TEXTURE_2D, texture, level7) == EGL_NO_IMAGE);
    CHECK(error() == EGL_BAD_MATCH);

    // Levels past the last that is used (GL_APPLE_texture_max_level) are neither missing nor there.
    GLuint two = makeTexture(4, nullptr);
    glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(create(EGL_GL_TEXTURE_2D, two, level1) == EGL_NO_IMAGE);
    CHECK(error() == EGL_BAD_PARAMETER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL_APPLE, 1);
    CHECK(create(EGL_GL_TEXTURE_2D, two, level1) != EGL_NO_IMAGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL_APPLE, 0);
    CHECK(create(EGL_GL_TEXTURE_2D, two, level1) == EGL_NO_IMAGE);
    CHECK(error() == EGL_BAD_MATCH);

    GLuint cube = 0;
    glGenTextures(1, &cube);
    glBindTexture(GL_TEXTURE_CUBE_MAP, cube);
    for (GLenum face = GL_TEXTURE_CUBE_MAP_POSITIVE_X; face < GL_TEXTURE_CUBE_MAP_NEGATIVE_Z; ++face)
        glTexImage2D(face, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(create(EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X, cube, nullptr) == EGL_NO_IMAGE);  // one face short
    CHECK(error() == EGL_BAD_PARAMETER);
    glTexImage2D(GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    for (EGLenum face = EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X; face <= EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_Z; ++face)
        CHECK(create(face, cube, nullptr) != EGL_NO_IMAGE);
}

TEST_CASE("what is no image source, and what is no image") {
    ImageFixture egl;
    GLuint texture = makeTexture(4, nullptr);
    auto refused = [&](EGLContext context, EGLenum target, EGLClientBuffer buffer, EGLint want) {
        CHECK(eglCreateImage(egl.display, context, target, buffer, nullptr) == EGL_NO_IMAGE);
        CHECK(error() == want);
    };
    refused(egl.first, EGL_GL_TEXTURE_2D, clientBuffer(0), EGL_BAD_PARAMETER);
    refused(egl.first, EGL_GL_TEXTURE_2D, clientBuffer(texture + 100), EGL_BAD_PARAMETER);
    refused(egl.first, EGL_GL_RENDERBUFFER, clientBuffer(texture), EGL_BAD_PARAMETER);
    refused(egl.first, EGL_GL_TEXTURE_2D, &egl, EGL_BAD_PARAMETER);
    refused(egl.first, EGL_WIDTH, clientBuffer(texture), EGL_BAD_PARAMETER);
    refused(EGL_NO_CONTEXT, EGL_GL_TEXTURE_2D, clientBuffer(texture), EGL_BAD_CONTEXT);
    refused(&egl, EGL_GL_TEXTURE_2D, clientBuffer(texture), EGL_BAD_CONTEXT);
    const EGLAttrib bad[] = {EGL_WIDTH, 1, EGL_NONE};
    CHECK(eglCreateImage(egl.display, egl.first, EGL_GL_TEXTURE_2D, clientBuffer(texture), bad) == EGL_NO_IMAGE);
    CHECK(error() == EGL_BAD_PARAMETER);
    CHECK(eglDestroyImage(egl.display, &egl) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);

    egl.toTexture(GL_TEXTURE_2D, &egl);
    CHECK(glGetError() == GL_INVALID_VALUE);
    egl.toTexture(GL_TEXTURE_CUBE_MAP, nullptr);
    CHECK(glGetError() == GL_INVALID_ENUM);
    egl.toRenderbuffer(GL_TEXTURE_2D, nullptr);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

// EGL_TESSERA_image_client_memory (docs/extensions)

namespace {

EGLint fourcc(const char* name) { return name[0] | name[1] << 8 | name[2] << 16 | name[3] << 24; }

/// A 4 x 2 picture in NV12: Y 0..7 times 30, one pair of differences for each half.
struct Nv12 {
    std::vector<unsigned char> bytes{0,   30,  60,  90,  99,  // rows are five bytes apart
                                     120, 150, 180, 210, 99, 128, 128, 90, 240};
    std::vector<EGLint> attributes{EGL_WIDTH,
                                   4,
                                   EGL_HEIGHT,
                                   2,
                                   EGL_LINUX_DRM_FOURCC_EXT,
                                   fourcc("NV12"),
                                   EGL_DMA_BUF_PLANE0_PITCH_EXT,
                                   5,
                                   EGL_DMA_BUF_PLANE1_OFFSET_EXT,
                                   10,
                                   EGL_DMA_BUF_PLANE1_PITCH_EXT,
                                   4};
    [[nodiscard]] EGLImage create(EGLDisplay display, std::vector<EGLint> more = {}, EGLContext context = nullptr) {
        std::vector<EGLint> all = attributes;
        all.insert(all.end(), more.begin(), more.end());
        all.push_back(EGL_NONE);
        return EGL_EXTENSION(eglCreateImageKHR)(display, context, EGL_CLIENT_MEMORY_TESSERA, bytes.data(), all.data());
    }
};

}  // namespace

TEST_CASE("EGL_TESSERA_image_client_memory: planes of video through an external sampler") {
    ImageFixture egl;
    CHECK(contains(eglQueryString(egl.display, EGL_EXTENSIONS), "EGL_TESSERA_image_client_memory"));
    Nv12 picture;
    // Grey by Y alone in the left half; BT.709, full range: red = Y + 1.5748 (Cr - 128), blue = Y + 1.8556 (Cb - 128).
    EGLImage image = picture.create(egl.display, {EGL_YUV_COLOR_SPACE_HINT_EXT, EGL_ITU_REC709_EXT,
                                                  EGL_SAMPLE_RANGE_HINT_EXT, EGL_YUV_FULL_RANGE_EXT});
    REQUIRE(image != EGL_NO_IMAGE);
    picture.bytes.assign(picture.bytes.size(), 1);  // it has been read
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    egl.toTexture(GL_TEXTURE_2D, image);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    GLuint renderbuffer = 0;
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    egl.toRenderbuffer(GL_RENDERBUFFER, image);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_EXTERNAL_OES, texture);
    egl.toTexture(GL_TEXTURE_EXTERNAL_OES, image);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(eglDestroyImage(egl.display, image) == EGL_TRUE);
    glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MIN_FILTER, GL_NEAREST);

    GLuint program = egltest::program(
        "attribute vec2 position; varying vec2 at;"
        "void main() { at = position * 0.5 + 0.5; gl_Position = vec4(position, 0, 1); }",
        "#extension GL_OES_EGL_image_external : require\n"
        "precision mediump float; uniform samplerExternalOES image; varying vec2 at;"
        "void main() { gl_FragColor = texture2D(image, at); }");
    glUseProgram(program);
    const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glViewport(0, 0, 4, 2);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(pixelAt(0, 0) == Color{0, 0, 0, 255});
    CHECK(pixelAt(1, 0) == Color{30, 30, 30, 255});
    CHECK(pixelAt(0, 1) == Color{120, 120, 120, 255});
    CHECK(pixelAt(1, 1) == Color{150, 150, 150, 255});
    // Cb = 90, Cr = 240: 60 + 176.38, 60 + 7.12 - 52.43, 60 - 70.51.
    CHECK(pixelAt(2, 0) == Color{236, 15, 0, 255});
    CHECK(pixelAt(3, 1) == Color{255, 165, 139, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("EGL_TESSERA_image_client_memory: errors") {
    ImageFixture egl;
    auto expect = [&](EGLint code, Nv12 picture, std::vector<EGLint> more = {}, EGLContext context = nullptr) {
        CHECK(picture.create(egl.display, std::move(more), context) == EGL_NO_IMAGE);
        CHECK(error() == code);
    };
    expect(EGL_BAD_PARAMETER, {}, {}, egl.first);
    expect(EGL_BAD_PARAMETER, {}, {EGL_GL_TEXTURE_LEVEL, 0});
    expect(EGL_BAD_PARAMETER, {}, {EGL_WIDTH, 0});
    expect(EGL_BAD_PARAMETER, {}, {EGL_HEIGHT, -1});
    expect(EGL_BAD_PARAMETER, {}, {EGL_LINUX_DRM_FOURCC_EXT, 0});
    expect(EGL_BAD_MATCH, {}, {EGL_LINUX_DRM_FOURCC_EXT, fourcc("AR24")});
    expect(EGL_BAD_MATCH, {}, {EGL_WIDTH, 16385});
    expect(EGL_BAD_MATCH, {}, {EGL_HEIGHT, INT32_MAX});
    expect(EGL_BAD_ATTRIBUTE, {}, {EGL_YUV_COLOR_SPACE_HINT_EXT, EGL_ITU_REC2020_EXT});
    expect(EGL_BAD_ATTRIBUTE, {}, {EGL_SAMPLE_RANGE_HINT_EXT, 1});
    expect(EGL_BAD_ACCESS, {}, {EGL_DMA_BUF_PLANE0_PITCH_EXT, 3});
    expect(EGL_BAD_ACCESS, {}, {EGL_DMA_BUF_PLANE1_PITCH_EXT, 3});
    expect(EGL_BAD_ACCESS, {}, {EGL_DMA_BUF_PLANE1_OFFSET_EXT, -1});
    expect(EGL_BAD_ACCESS, {}, {EGL_LINUX_DRM_FOURCC_EXT, fourcc("YV12")});  // no third pitch
    CHECK(eglCreateImage(egl.display, EGL_NO_CONTEXT, EGL_CLIENT_MEMORY_TESSERA, nullptr, nullptr) == EGL_NO_IMAGE);
    CHECK(error() == EGL_BAD_PARAMETER);
    Nv12 picture;
    EGLAttrib wide[] = {EGL_WIDTH, EGLAttrib{1} << 32, EGL_NONE};
    CHECK(eglCreateImage(egl.display, EGL_NO_CONTEXT, EGL_CLIENT_MEMORY_TESSERA, picture.bytes.data(), wide) ==
          EGL_NO_IMAGE);
    CHECK(error() == EGL_BAD_PARAMETER);
    CHECK(eglCreateImage(egl.display, EGL_NO_CONTEXT, EGL_CLIENT_MEMORY_TESSERA, picture.bytes.data(), nullptr) ==
          EGL_NO_IMAGE);
    CHECK(error() == EGL_BAD_PARAMETER);
    EGLImage fine = picture.create(egl.display, {EGL_IMAGE_PRESERVED, EGL_TRUE});
    CHECK(fine != EGL_NO_IMAGE);
    CHECK(eglDestroyImage(egl.display, fine) == EGL_TRUE);
}
