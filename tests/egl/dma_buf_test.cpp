// Images of memory that others own (EGL_EXT_image_dma_buf_import and its modifiers). A machine without a device has no
// dma_buf to import, so the memory is a sealed memory file, which is imported the same way; layouts are written here
// from the words of drm_fourcc.h.
#include <EGL/egltessera.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

constexpr EGLint code(const char* name) { return name[0] | name[1] << 8 | name[2] << 16 | name[3] << 24; }

/// A file in memory, closed at the end.
struct MemoryFile {
    int file = memfd_create("picture", MFD_ALLOW_SEALING | MFD_CLOEXEC);
    unsigned char* memory;
    size_t size;

    explicit MemoryFile(size_t bytes, bool isSealed = true) : size(bytes) {
        REQUIRE(ftruncate(file, static_cast<off_t>(bytes)) == 0);
        if (isSealed) REQUIRE(fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
        memory = static_cast<unsigned char*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    }
    ~MemoryFile() {
        munmap(memory, size);
        close(file);
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
};

struct DmaBufFixture : DisplayFixture {
    DmaBufFixture() {
        EGLSurface surface = pbuffer(16, 16);
        eglMakeCurrent(display, surface, surface, context());
        const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners_.data());
        std::memcpy(corners_.data(), corners, sizeof corners);
        glEnableVertexAttribArray(0);
    }
    EGLImage import(std::vector<EGLint> attributes, EGLContext with = EGL_NO_CONTEXT,
                    EGLClientBuffer buffer = nullptr) const {
        attributes.push_back(EGL_NONE);
        return EGL_EXTENSION(eglCreateImageKHR)(display, with, EGL_LINUX_DMA_BUF_EXT, buffer, attributes.data());
    }
    /// Binds a texture with the image to GL_TEXTURE_2D or GL_TEXTURE_EXTERNAL_OES, and a program that shows it.
    void bind(GLenum target, EGLImage image) const {
        const std::string sampler = target == GL_TEXTURE_2D ? "sampler2D" : "samplerExternalOES";
        glUseProgram(
            program("attribute vec2 position; varying vec2 at;"
                    "void main() { at = position * 0.5 + 0.5; gl_Position = vec4(position, 0, 1); }",
                    ("#extension GL_OES_EGL_image_external : require\n"
                     "precision mediump float; uniform " +
                     sampler +
                     " image; varying highp vec2 at;"
                     "void main() { gl_FragColor = texture2D(image, at); }")
                        .c_str()));
        GLuint texture = 0;
        glGenTextures(1, &texture);
        glBindTexture(target, texture);
        for (GLenum filter : {GL_TEXTURE_MAG_FILTER, GL_TEXTURE_MIN_FILTER})
            glTexParameteri(target, filter, GL_NEAREST);
        for (GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) glTexParameteri(target, wrap, GL_CLAMP_TO_EDGE);
        specify(target, image);
    }
    static void specify(GLenum target, EGLImage image) {
        reinterpret_cast<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>(eglGetProcAddress("glEGLImageTargetTexture2DOES"))(target,
                                                                                                                 image);
    }
    static std::vector<Color> drawn(int width, int height) {
        glViewport(0, 0, width, height);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        std::vector<Color> colors;
        for (int row = 0; row < height; ++row)
            for (int column = 0; column < width; ++column) colors.push_back(pixelAt(column, row));
        return colors;
    }

private:
    std::vector<float> corners_ = std::vector<float>(8);
};

std::vector<EGLint> attributes(const char* layout, int file, EGLint pitch, EGLint offset = 0) {
    return {EGL_WIDTH,
            2,
            EGL_HEIGHT,
            2,
            EGL_LINUX_DRM_FOURCC_EXT,
            code(layout),
            EGL_DMA_BUF_PLANE0_FD_EXT,
            file,
            EGL_DMA_BUF_PLANE0_OFFSET_EXT,
            offset,
            EGL_DMA_BUF_PLANE0_PITCH_EXT,
            pitch};
}
std::vector<EGLint> with(std::vector<EGLint> list, std::vector<EGLint> more) {
    list.insert(list.end(), more.begin(), more.end());
    return list;
}

}  // namespace

TEST_CASE("layouts of colours, from the words of drm_fourcc.h") {
    DmaBufFixture egl;
    struct Row {
        const char* layout;
        std::vector<unsigned char> pixel;  ///< as it lies in memory
        Color color;
    };
    const Row rows[] = {
        {"AR24", {10, 20, 30, 40}, {30, 20, 10, 40}},   // [31:0] A:R:G:B, little endian
        {"XR24", {10, 20, 30, 40}, {30, 20, 10, 255}},  // [31:0] x:R:G:B
        {"AB24", {10, 20, 30, 40}, {10, 20, 30, 40}},   // [31:0] A:B:G:R
        {"XB24", {10, 20, 30, 40}, {10, 20, 30, 255}},  // [31:0] x:B:G:R
        {"BG24", {10, 20, 30}, {10, 20, 30, 255}},      // [23:0] B:G:R
        {"RG16", {0x1F, 0xF8}, {255, 0, 255, 255}},     // [15:0] R:G:B 5:6:5
        {"R8  ", {77}, {77, 0, 0, 255}},                // [7:0] R
        {"GR88", {77, 99}, {77, 99, 0, 255}},           // [15:0] G:R
    };
    for (const Row& row : rows) {
        CAPTURE(row.layout);
        // The second row begins with the pixel, at an offset and with a pitch of their own; all else is zero.
        constexpr EGLint kOffset = 8, kPitch = 24;
        MemoryFile file(64);
        std::copy(row.pixel.begin(), row.pixel.end(), file.memory + kOffset + kPitch);
        EGLImage image = egl.import(attributes(row.layout, file.file, kPitch, kOffset));
        REQUIRE(image != EGL_NO_IMAGE);
        for (GLenum target : {GL_TEXTURE_2D, GL_TEXTURE_EXTERNAL_OES}) {
            egl.bind(target, image);
            const std::vector<Color> colors = egl.drawn(2, 2);
            CHECK(colors[2] == row.color);
            CHECK(std::pair(colors[0][0], colors[1][1]) == std::pair(0, 0));
            CHECK(glGetError() == GL_NO_ERROR);
        }
        CHECK(eglDestroyImage(egl.display, image) == EGL_TRUE);
    }
}

TEST_CASE("video has the colours that it has in client memory") {
    DmaBufFixture egl;
    MemoryFile file(256);
    for (size_t i = 0; i < file.size; ++i) file.memory[i] = static_cast<unsigned char>(i * 37 + 11);
    const std::vector<EGLint> planes = {EGL_WIDTH,
                                        6,
                                        EGL_HEIGHT,
                                        4,
                                        EGL_LINUX_DRM_FOURCC_EXT,
                                        code("NV12"),
                                        EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                                        3,
                                        EGL_DMA_BUF_PLANE0_PITCH_EXT,
                                        9,
                                        EGL_DMA_BUF_PLANE1_OFFSET_EXT,
                                        100,
                                        EGL_DMA_BUF_PLANE1_PITCH_EXT,
                                        11,
                                        EGL_YUV_COLOR_SPACE_HINT_EXT,
                                        EGL_ITU_REC709_EXT};
    const auto clientList = with(planes, {EGL_NONE});
    EGLImage client = EGL_EXTENSION(eglCreateImageKHR)(egl.display, EGL_NO_CONTEXT, EGL_CLIENT_MEMORY_TESSERA,
                                                       file.memory, clientList.data());
    EGLImage imported =
        egl.import(with(planes, {EGL_DMA_BUF_PLANE0_FD_EXT, file.file, EGL_DMA_BUF_PLANE1_FD_EXT, file.file,
                                 EGL_YUV_CHROMA_HORIZONTAL_SITING_HINT_EXT, EGL_YUV_CHROMA_SITING_0_EXT}));
    REQUIRE(client != EGL_NO_IMAGE);
    REQUIRE(imported != EGL_NO_IMAGE);
    egl.bind(GL_TEXTURE_EXTERNAL_OES, client);
    const std::vector<Color> expected = egl.drawn(6, 4);
    egl.bind(GL_TEXTURE_EXTERNAL_OES, imported);
    CHECK(egl.drawn(6, 4) == expected);
    egl.bind(GL_TEXTURE_2D, imported);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("a texture has what the memory held when it was last given the image") {
    DmaBufFixture egl;
    MemoryFile file(16);
    std::memset(file.memory, 50, 16);
    EGLImage image = egl.import(attributes("AB24", file.file, 8));
    egl.bind(GL_TEXTURE_EXTERNAL_OES, image);
    CHECK(egl.drawn(2, 2)[3] == Color{50, 50, 50, 50});
    std::memset(file.memory, 200, 16);
    CHECK(egl.drawn(2, 2)[3] == Color{50, 50, 50, 50});
    egl.specify(GL_TEXTURE_EXTERNAL_OES, image);
    CHECK(egl.drawn(2, 2)[3] == Color{200, 200, 200, 200});
    // Nothing is written back, so that what GL draws to is refused.
    GLuint renderbuffer = 0;
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    reinterpret_cast<PFNGLEGLIMAGETARGETRENDERBUFFERSTORAGEOESPROC>(
        eglGetProcAddress("glEGLImageTargetRenderbufferStorageOES"))(GL_RENDERBUFFER, image);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("the memory is held by the image, and let go with it") {
    // Of memory alone: a thread that compiles opens and closes files of the cache meanwhile.
    const auto files = [] {
        int count = 0;
        for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
            std::error_code gone;
            count += std::filesystem::read_symlink(entry, gone).string().starts_with("/memfd:") ? 1 : 0;
        }
        return count;
    };
    DmaBufFixture egl;
    const auto before = files();
    EGLImage image = EGL_NO_IMAGE;
    {
        MemoryFile file(16);
        std::memset(file.memory, 90, 16);
        image = egl.import(attributes("AB24", file.file, 8));
    }
    egl.bind(GL_TEXTURE_EXTERNAL_OES, image);
    CHECK(egl.drawn(2, 2)[0] == Color{90, 90, 90, 90});
    CHECK(files() == before + 1);
    CHECK(eglDestroyImage(egl.display, image) == EGL_TRUE);
    CHECK(files() == before);
}

TEST_CASE("formats and modifiers") {
    DmaBufFixture egl;
    auto* queryFormats = EGL_EXTENSION(eglQueryDmaBufFormatsEXT);
    auto* queryModifiers = EGL_EXTENSION(eglQueryDmaBufModifiersEXT);
    EGLint count = 0, found = 0;
    REQUIRE(queryFormats(egl.display, 0, nullptr, &count) == EGL_TRUE);
    CHECK(count == 14);
    std::vector<EGLint> formats(static_cast<size_t>(count));
    REQUIRE(queryFormats(egl.display, count, formats.data(), &found) == EGL_TRUE);
    CHECK(found == count);
    CHECK(queryFormats(egl.display, 2, formats.data(), &found) == EGL_TRUE);
    CHECK(found == 2);
    CHECK(queryFormats(egl.display, 2, nullptr, &found) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
    for (EGLint format : formats) {
        EGLuint64KHR modifier = 7;
        EGLBoolean externalOnly = EGL_FALSE;
        CHECK(queryModifiers(egl.display, format, 1, &modifier, &externalOnly, &found) == EGL_TRUE);
        CHECK(found == 1);
        CHECK(modifier == 0);
        CHECK(externalOnly == EGL_TRUE);
        CHECK(queryModifiers(egl.display, format, 0, nullptr, nullptr, &found) == EGL_TRUE);
        CHECK(found == 1);
    }
    CHECK(queryModifiers(egl.display, code("ABCD"), 0, nullptr, nullptr, &found) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
    CHECK(queryModifiers(egl.display, formats[0], -1, nullptr, nullptr, &found) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
}

TEST_CASE("errors of imports") {
    DmaBufFixture egl;
    MemoryFile file(16), open(16, false);
    int ends[2] = {-1, -1};
    REQUIRE(pipe(ends) == 0);
    const std::vector<EGLint> good = attributes("AB24", file.file, 8);
    const auto check = [&](const char* what, EGLImage image, EGLint want) {
        CAPTURE(std::string(what));
        CHECK((image != EGL_NO_IMAGE) == (want == EGL_SUCCESS));
        CHECK(error() == want);
    };
    const auto low = EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT, high = EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT;
    check("nothing wrong", egl.import(good), EGL_SUCCESS);
    check("linear by modifier", egl.import(with(good, {low, 0, high, 0})), EGL_SUCCESS);
    check("an unknown modifier", egl.import(with(good, {low, -1, high, 0x00FFFFFF})), EGL_SUCCESS);
    check("a context", egl.import(good, eglGetCurrentContext()), EGL_BAD_PARAMETER);
    check("a buffer", egl.import(good, EGL_NO_CONTEXT, file.memory), EGL_BAD_PARAMETER);
    for (size_t i = 0; i < good.size(); i += 2) {
        std::vector<EGLint> list = good;
        list.erase(list.begin() + static_cast<ptrdiff_t>(i), list.begin() + static_cast<ptrdiff_t>(i) + 2);
        check("an attribute missing", egl.import(list), EGL_BAD_PARAMETER);
    }
    check("an attribute of others", egl.import(with(good, {EGL_GL_TEXTURE_LEVEL, 0})), EGL_BAD_PARAMETER);
    check("half a modifier", egl.import(with(good, {low, 0})), EGL_BAD_PARAMETER);
    check("tiles", egl.import(with(good, {low, 1, high, 0x01000000})), EGL_BAD_MATCH);
    check("no layout", egl.import(attributes("ABCD", file.file, 8)), EGL_BAD_MATCH);
    check("too wide", egl.import(with(good, {EGL_WIDTH, 1 << 20})), EGL_BAD_MATCH);
    check("a second plane", egl.import(with(good, {EGL_DMA_BUF_PLANE1_FD_EXT, file.file})), EGL_BAD_ATTRIBUTE);
    check("a fourth plane", egl.import(with(good, {EGL_DMA_BUF_PLANE3_PITCH_EXT, 8})), EGL_BAD_ATTRIBUTE);
    check("a plane missing", egl.import(attributes("NV12", file.file, 2)), EGL_BAD_PARAMETER);
    check("no range", egl.import(with(good, {EGL_SAMPLE_RANGE_HINT_EXT, 1})), EGL_BAD_ATTRIBUTE);
    check("no matrix", egl.import(with(good, {EGL_YUV_COLOR_SPACE_HINT_EXT, 1})), EGL_BAD_ATTRIBUTE);
    check("no siting", egl.import(with(good, {EGL_YUV_CHROMA_VERTICAL_SITING_HINT_EXT, 1})), EGL_BAD_ATTRIBUTE);
    check("rows that overlap", egl.import(attributes("AB24", file.file, 7)), EGL_BAD_ACCESS);
    check("rows backwards", egl.import(attributes("AB24", file.file, -8)), EGL_BAD_ACCESS);
    check("before the start", egl.import(attributes("AB24", file.file, 8, -4)), EGL_BAD_ACCESS);
    check("past the end", egl.import(attributes("AB24", file.file, 8, 4)), EGL_BAD_ACCESS);
    check("far past the end", egl.import(attributes("AB24", file.file, 0x7FFFFFFF, 0x7FFFFFFF)), EGL_BAD_ACCESS);
    // A file that may become shorter while it is read would end the process.
    check("memory that may shrink", egl.import(attributes("AB24", open.file, 8)), EGL_BAD_PARAMETER);
    check("a pipe", egl.import(attributes("AB24", ends[0], 8)), EGL_BAD_PARAMETER);
    check("no file", egl.import(attributes("AB24", -1, 8)), EGL_BAD_PARAMETER);
    close(ends[0]), close(ends[1]);
}
