// Pictures of video through GL: planes in client memory (EGL_TESSERA_image_client_memory), an external sampler, and the
// colours that BT.601 says, in double precision. The layouts are written here from the extension's text.
#include <EGL/egltessera.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

constexpr EGLint kPadding = 3;  ///< bytes between rows that are no part of the picture

/// A picture of width x height texels; one pair of differences for 2 x 1 texels (packed) or 2 x 2 (planes).
struct Video {
    int width, height, rowsOfPair;
    std::vector<int> y, cb, cr;

    Video(int width, int height, bool isPacked) : width(width), height(height), rowsOfPair(isPacked ? 1 : 2) {
        unsigned state = 12345u + static_cast<unsigned>(width * 100 + height);
        auto random = [&state] { return static_cast<int>((state = state * 1664525u + 1013904223u) >> 24); };
        for (int i = 0; i < width * height; ++i) y.push_back(random());
        for (int i = 0; i < pairs() * pairRows(); ++i) cb.push_back(random()), cr.push_back(random());
    }
    [[nodiscard]] int pairs() const { return (width + 1) / 2; }
    [[nodiscard]] int pairRows() const { return (height + rowsOfPair - 1) / rowsOfPair; }
    /// The colour that BT.601 for limited range gives texel (column, row): clamped, to the nearest code.
    [[nodiscard]] Color color(int column, int row) const {
        const auto pair = static_cast<size_t>(row / rowsOfPair * pairs() + column / 2);
        const double light = (y[static_cast<size_t>(row * width + column)] - 16) / 219.0;
        const double blue = (cb[pair] - 128) / 224.0, red = (cr[pair] - 128) / 224.0;
        const double r = light + 1.402 * red, b = light + 1.772 * blue;
        const double g = (light - 0.299 * r - 0.114 * b) / 0.587;
        auto code = [](double value) {
            return static_cast<int>(std::floor(std::clamp(value, 0.0, 1.0) * 255 + 0.5 + 1e-9));
        };
        return {code(r), code(g), code(b), 255};
    }
};

/// Bytes in client memory, and what says where they are.
struct Memory {
    std::vector<unsigned char> bytes;
    std::vector<EGLint> attributes;

    Memory(const Video& video, const std::string& name) {
        attributes = {EGL_WIDTH,
                      video.width,
                      EGL_HEIGHT,
                      video.height,
                      EGL_LINUX_DRM_FOURCC_EXT,
                      name[0] | name[1] << 8 | name[2] << 16 | name[3] << 24};
        if (name == "YUYV" || name == "UYVY")
            addPacked(video, name == "UYVY");
        else {
            addPlane(0, video.height, video.width, [&](int row, int i) { return video.y[index(row, i, video.width)]; });
            addDifferences(video, name);
        }
        attributes.push_back(EGL_NONE);
    }

private:
    static size_t index(int row, int i, int width) { return static_cast<size_t>(row * width + i); }
    template <class ByteAt>
    void addPlane(EGLint plane, int rows, int rowBytes, ByteAt byteAt) {
        const auto offset = static_cast<EGLint>(bytes.size());
        attributes.insert(attributes.end(), {EGL_DMA_BUF_PLANE0_OFFSET_EXT + 3 * plane, offset,
                                             EGL_DMA_BUF_PLANE0_PITCH_EXT + 3 * plane, rowBytes + kPadding});
        for (int row = 0; row < rows; ++row) {
            for (int i = 0; i < rowBytes; ++i) bytes.push_back(static_cast<unsigned char>(byteAt(row, i)));
            bytes.insert(bytes.end(), kPadding, 0xEE);
        }
    }
    void addPacked(const Video& video, bool isDifferenceFirst) {
        addPlane(0, video.height, video.pairs() * 4, [&](int row, int i) {
            const int place = isDifferenceFirst ? i ^ 1 : i, pair = i / 4;
            if (place % 2 == 1) return (place % 4 == 1 ? video.cb : video.cr)[index(row, pair, video.pairs())];
            const int column = pair * 2 + place % 4 / 2;
            return column < video.width ? video.y[index(row, column, video.width)] : 0xEE;
        });
    }
    void addDifferences(const Video& video, const std::string& name) {
        const int pairs = video.pairs(), rows = video.pairRows();
        if (name == "NV12" || name == "NV21") {
            addPlane(1, rows, pairs * 2, [&](int row, int i) {
                const bool isBlue = (i % 2 == 0) == (name == "NV12");
                return (isBlue ? video.cb : video.cr)[index(row, i / 2, pairs)];
            });
            return;
        }
        const bool isBlueFirst = name == "YU12";
        for (EGLint plane : {1, 2})
            addPlane(plane, rows, pairs, [&](int row, int i) {
                return ((plane == 1) == isBlueFirst ? video.cb : video.cr)[index(row, i, pairs)];
            });
    }
};

GLuint externalTexture() {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_EXTERNAL_OES, texture);
    glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    return texture;
}

}  // namespace

TEST_CASE("video in every layout, of even and odd sizes, has the colours of BT.601") {
    DisplayFixture egl;
    EGLSurface surface = egl.pbuffer();
    eglMakeCurrent(egl.display, surface, surface, egl.context());
    auto createImage = EGL_EXTENSION(eglCreateImageKHR);
    auto toTexture =
        reinterpret_cast<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>(eglGetProcAddress("glEGLImageTargetTexture2DOES"));
    glUseProgram(
        egltest::program("attribute vec2 position; varying vec2 at;"
                         "void main() { at = position * 0.5 + 0.5; gl_Position = vec4(position, 0, 1); }",
                         "#extension GL_OES_EGL_image_external : require\n"
                         "precision mediump float; uniform samplerExternalOES image; varying highp vec2 at;"
                         "void main() { gl_FragColor = texture2D(image, at); }"));
    const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    externalTexture();
    for (const char* layout : {"YUYV", "UYVY", "NV12", "NV21", "YU12", "YV12"}) {
        for (const auto& [width, height] : {std::pair{16, 12}, {16, 7}, {9, 6}, {7, 5}, {2, 1}, {1, 2}, {1, 1}}) {
            CAPTURE(layout);
            CAPTURE(width);
            CAPTURE(height);
            const Video video(width, height, std::string(layout) == "YUYV" || std::string(layout) == "UYVY");
            const Memory memory(video, layout);
            EGLImage image = createImage(egl.display, nullptr, EGL_CLIENT_MEMORY_TESSERA,
                                         const_cast<unsigned char*>(memory.bytes.data()), memory.attributes.data());
            REQUIRE(image != EGL_NO_IMAGE);
            toTexture(GL_TEXTURE_EXTERNAL_OES, image);
            glViewport(0, 0, width, height);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
            int different = 0;
            for (int row = 0; row < height; ++row)
                for (int column = 0; column < width; ++column)
                    different += pixelAt(column, row) != video.color(column, row) ? 1 : 0;
            CHECK(different == 0);
            CHECK(glGetError() == GL_NO_ERROR);
            CHECK(eglDestroyImage(egl.display, image) == EGL_TRUE);
        }
    }
}

TEST_CASE("the image of a picture of video is not written to by GL") {
    DisplayFixture egl;
    EGLSurface surface = egl.pbuffer();
    eglMakeCurrent(egl.display, surface, surface, egl.context());
    const Memory memory(Video(4, 4, false), "YV12");
    EGLImage image =
        EGL_EXTENSION(eglCreateImageKHR)(egl.display, nullptr, EGL_CLIENT_MEMORY_TESSERA,
                                         const_cast<unsigned char*>(memory.bytes.data()), memory.attributes.data());
    REQUIRE(image != EGL_NO_IMAGE);
    const GLuint texture = externalTexture();
    reinterpret_cast<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>(eglGetProcAddress("glEGLImageTargetTexture2DOES"))(
        GL_TEXTURE_EXTERNAL_OES, image);
    CHECK(glGetError() == GL_NO_ERROR);
    const unsigned char texel[4] = {};
    glTexSubImage2D(GL_TEXTURE_EXTERNAL_OES, 0, 0, 0, 1, 1, GL_RGB, GL_UNSIGNED_BYTE, texel);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexImage2D(GL_TEXTURE_EXTERNAL_OES, 0, GL_RGB, 1, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, texel);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glGenerateMipmap(GL_TEXTURE_EXTERNAL_OES);
    CHECK(glGetError() == GL_INVALID_ENUM);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_EXTERNAL_OES, texture, 0);
    CHECK(glGetError() != GL_NO_ERROR);
    CHECK(eglDestroyImage(egl.display, image) == EGL_TRUE);
}
