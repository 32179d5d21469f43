// One picture in every texture format of docs/formats.md, side by side: what each keeps of it. The chequer behind shows
// through where a format has alpha. The cells of formats that the driver lacks are empty. The last show a cube map, a
// slice through a 3D texture and a shadow lookup.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <EGL/egltessera.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <cstdio>
#include <string>
#include <vector>

#include "demos/formats/picture.h"
#include "demos/host/harness.h"

#define STB_EASY_FONT_IMPLEMENTATION
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#include <stb/stb_easy_font.h>
#pragma clang diagnostic pop

// GL_MESA_ycbcr_texture, which the OpenGL ES headers lack.
#ifndef GL_YCBCR_MESA
#define GL_YCBCR_MESA 0x8757
#define GL_UNSIGNED_SHORT_8_8_REV_MESA 0x85BB
#endif
// GL_APPLE_rgb_422, likewise.
#ifndef GL_RGB_422_APPLE
#define GL_RGB_422_APPLE 0x8A1F
#endif

namespace {

using formats::kSize;

constexpr const char* kVertexShader = R"(
attribute vec2 a_position;
uniform vec4 u_box;
varying vec2 v_place;
void main() {
    v_place = a_position;
    gl_Position = vec4(u_box.xy + a_position * u_box.zw, 0.0, 1.0);
}
)";
constexpr const char* kImageShader = R"(
precision highp float;
uniform sampler2D u_image;
uniform float u_alphaOnly;
varying vec2 v_place;
void main() {
    vec2 cell = floor(v_place * 8.0);
    float chequer = mod(cell.x + cell.y, 2.0) * 0.2 + 0.4;
    vec4 color = texture2D(u_image, v_place);
    if (u_alphaOnly > 0.5) color.rgb = vec3(1.0);
    gl_FragColor = vec4(mix(vec3(chequer), color.rgb, color.a), 1.0);
}
)";
constexpr const char* kVolumeShader = R"(
#extension GL_OES_texture_3D : require
precision highp float;
uniform highp sampler3D u_image;
varying vec2 v_place;
void main() { gl_FragColor = texture3D(u_image, vec3(v_place, v_place.x * 0.6 + v_place.y * 0.4)); }
)";
constexpr const char* kShadowShader = R"(
#extension GL_EXT_shadow_samplers : require
precision highp float;
uniform highp sampler2DShadow u_image;
varying vec2 v_place;
void main() { gl_FragColor = vec4(vec3(shadow2DEXT(u_image, vec3(v_place, 0.35))), 1.0); }
)";
constexpr const char* kCubeShader = R"(
precision highp float;
uniform samplerCube u_image;
varying vec2 v_place;
void main() {
    vec2 at = v_place * 2.0 - 1.0;
    gl_FragColor = textureCube(u_image, vec3(at.x + 0.4, at.y * 0.9 + 0.3, 0.5 - at.x * 0.6 + at.y * 0.3));
}
)";
constexpr const char* kExternalShader = R"(
#extension GL_OES_EGL_image_external : require
precision highp float;
uniform samplerExternalOES u_image;
varying vec2 v_place;
void main() { gl_FragColor = vec4(texture2D(u_image, v_place).rgb, 1.0); }
)";
constexpr const char* kTextShader = R"(
precision mediump float;
void main() { gl_FragColor = vec4(0.92, 0.94, 0.96, 1.0); }
)";

enum class Look { Image, AlphaOnly, Volume, Shadow, Cube, External };

GLenum targetOf(Look look) {
    return look == Look::Volume     ? GL_TEXTURE_3D_OES
           : look == Look::Cube     ? GL_TEXTURE_CUBE_MAP
           : look == Look::External ? GL_TEXTURE_EXTERNAL_OES
                                    : GL_TEXTURE_2D;
}

/// A cell: its texture, and how it is looked at. Without the format it has no texture.
struct Cell {
    std::string label;
    GLuint texture = 0;
    Look look = Look::Image;
};

/// What the driver has beyond OpenGL ES 2.0. ETC2 and its family are in 3.0 without an extension of 2.0.
bool has(const std::string& extension) {
    const auto* version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    const bool isVersion3 = std::string(version).starts_with("OpenGL ES 3");
    if (isVersion3 && (extension.find("_ETC2_") != std::string::npos || extension.find("_EAC_") != std::string::npos))
        return true;
    const auto* all = reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS));
    return (std::string(" ") + all + " ").find(" " + extension + " ") != std::string::npos;
}

constexpr const char* kHalf = "GL_OES_texture_half_float";
constexpr const char* kFloat = "GL_OES_texture_float";
constexpr const char* kRg = "GL_EXT_texture_rg";

class Formats final : public demos::Demo {
public:
    Formats() {
        image_ = demos::buildProgram(kVertexShader, kImageShader, {"a_position"});
        text_ = demos::buildProgram(kVertexShader, kTextShader, {"a_position"});
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        addVideo();
        addBytes();
        addFloats();
        addDepth();
        addBlocks();
        addAstc();
        addPaletted();
        addShapes();
    }
    ~Formats() override {
        for (const Cell& cell : cells_) glDeleteTextures(1, &cell.texture);
    }

    void draw(const demos::Frame& frame) override {
        glClearColor(0.11f, 0.12f, 0.15f, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glDisable(GL_DEPTH_TEST);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        glEnableVertexAttribArray(0);
        triangles_ = 0;
        look_ = {200 * frame.turn.x / static_cast<float>(frame.width),
                 -200 * frame.turn.y / static_cast<float>(frame.height), 1 / frame.zoom};
        const int rows = (static_cast<int>(cells_.size()) + kColumns - 1) / kColumns;
        const float width = 2.0f / kColumns, height = 2.0f / static_cast<float>(rows);
        for (size_t i = 0; i < cells_.size(); ++i) {
            const float left = -1 + width * static_cast<float>(i % kColumns);
            const float top = 1 - height * static_cast<float>(i / kColumns);
            if (cells_[i].texture != 0)
                drawImage(cells_[i], left + 0.06f * width, top - 0.82f * height, 0.88f * width, 0.77f * height);
            drawLabel(cells_[i].label, left + 0.06f * width, top - 0.86f * height, frame);
        }
    }

    [[nodiscard]] uint64_t triangles() const override { return triangles_; }

private:
    static constexpr int kColumns = 13;

    /// A new cell; what follows until end() makes its texture.
    void begin(const std::string& label, Look look, GLint filter) {
        const GLenum target = targetOf(look);
        GLuint name = 0;
        glGenTextures(1, &name);
        glBindTexture(target, name);
        glTexParameteri(target, GL_TEXTURE_MIN_FILTER, filter);
        glTexParameteri(target, GL_TEXTURE_MAG_FILTER, filter);
        glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        cells_.push_back({label, name, look});
    }
    /// A driver that lists an extension but refuses a format leaves the cell empty.
    void end() {
        if (glGetError() == GL_NO_ERROR) return;
        std::fprintf(stderr, "formats: the driver refuses %s\n", cells_.back().label.c_str());
        glDeleteTextures(1, &cells_.back().texture);
        cells_.back().texture = 0;
    }
    void addEmpty(const std::string& label) { cells_.push_back({label}); }

    void add(const char* label, const char* extension, GLenum internal, GLenum format, GLenum type,
             const formats::Bytes& pixels, Look look = Look::Image, GLint filter = GL_LINEAR) {
        if (*extension != 0 && !has(extension)) return addEmpty(label);
        begin(label, look, filter);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internal), kSize, kSize, 0, format, type, pixels.data());
        end();
    }
    void addCompressed(const std::string& label, const char* extension, GLenum internal, const formats::Bytes& blocks) {
        if (!has(extension)) return addEmpty(label);
        begin(label, Look::Image, GL_LINEAR);
        glCompressedTexImage2D(GL_TEXTURE_2D, 0, internal, kSize, kSize, 0, static_cast<GLsizei>(blocks.size()),
                               blocks.data());
        end();
    }

    /// A picture of video in client memory. `pitches`: bytes from a row of each plane to the next.
    void addPlanes(const char* label, const char (&fourcc)[5], const formats::Bytes& bytes,
                   std::initializer_list<EGLint> pitches) {
        const EGLDisplay display = eglGetCurrentDisplay();
        const std::string extensions = eglQueryString(display, EGL_EXTENSIONS);
        if (extensions.find("EGL_TESSERA_image_client_memory") == std::string::npos) return addEmpty(label);
        std::vector<EGLAttrib> attributes = {
            EGL_WIDTH,  kSize, EGL_LINUX_DRM_FOURCC_EXT, fourcc[0] | fourcc[1] << 8 | fourcc[2] << 16 | fourcc[3] << 24,
            EGL_HEIGHT, kSize};
        EGLAttrib plane = 0, offset = 0;
        for (const EGLint pitch : pitches) {
            attributes.insert(attributes.end(), {EGL_DMA_BUF_PLANE0_OFFSET_EXT + 3 * plane, offset,
                                                 EGL_DMA_BUF_PLANE0_PITCH_EXT + 3 * plane, pitch});
            offset += pitch * (plane == 0 ? kSize : kSize / 2);
            ++plane;
        }
        attributes.push_back(EGL_NONE);
        begin(label, Look::External, GL_LINEAR);
        const auto memory = reinterpret_cast<EGLClientBuffer>(const_cast<uint8_t*>(bytes.data()));
        const EGLImage image =
            eglCreateImage(display, EGL_NO_CONTEXT, EGL_CLIENT_MEMORY_TESSERA, memory, attributes.data());
        reinterpret_cast<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>(eglGetProcAddress("glEGLImageTargetTexture2DOES"))(
            GL_TEXTURE_EXTERNAL_OES, image);
        eglDestroyImage(display, image);
        end();
    }

    /// The paper's three first.
    void addVideo() {
        add("ARGB1555", "GL_TESSERA_texture_packed_bgra", GL_BGRA_EXT, GL_BGRA_EXT, GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT,
            formats::argb1555());
        addPlanes("YUY2", "YUYV", formats::yuyv(), {2 * kSize});
        addPlanes("YV12", "YV12", formats::planes(false, false), {kSize, kSize / 2, kSize / 2});
        addPlanes("UYVY", "UYVY", formats::uyvy(), {2 * kSize});
        addPlanes("NV12", "NV12", formats::planes(true, true), {kSize, kSize});
        addPlanes("NV21", "NV21", formats::planes(false, true), {kSize, kSize});
        addPlanes("YU12", "YU12", formats::planes(true, false), {kSize, kSize / 2, kSize / 2});
        add("YCBCR MESA", "GL_MESA_ycbcr_texture", GL_YCBCR_MESA, GL_YCBCR_MESA, GL_UNSIGNED_SHORT_8_8_REV_MESA,
            formats::yuyv());
        add("422 RAW", "GL_APPLE_rgb_422", GL_RGB_422_APPLE, GL_RGB_422_APPLE, GL_UNSIGNED_SHORT_8_8_REV_MESA,
            formats::yuyv());
    }

    void addBytes() {
        using formats::bytesOf;
        constexpr GLenum kByte = GL_UNSIGNED_BYTE;
        add("RGBA8", "", GL_RGBA, GL_RGBA, kByte, bytesOf("rgba"));
        add("RGB8", "", GL_RGB, GL_RGB, kByte, bytesOf("rgb"));
        add("RGB565", "", GL_RGB, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, formats::rgb565());
        add("RGBA4", "", GL_RGBA, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, formats::rgba4444());
        add("RGB5 A1", "", GL_RGBA, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, formats::rgba5551());
        add("L8", "", GL_LUMINANCE, GL_LUMINANCE, kByte, bytesOf("g"));
        add("L8 A8", "", GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, kByte, bytesOf("ga"));
        add("A8", "", GL_ALPHA, GL_ALPHA, kByte, bytesOf("a"), Look::AlphaOnly);
        add("BGRA8", "GL_EXT_texture_format_BGRA8888", GL_BGRA_EXT, GL_BGRA_EXT, kByte, bytesOf("bgra"));
        add("ARGB4", "GL_TESSERA_texture_packed_bgra", GL_BGRA_EXT, GL_BGRA_EXT, GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT,
            formats::argb4444());
        add("R8", kRg, GL_RED_EXT, GL_RED_EXT, kByte, bytesOf("r"));
        add("RG8", kRg, GL_RG_EXT, GL_RG_EXT, kByte, bytesOf("rg"));
        add("SRGB8", "GL_EXT_sRGB", GL_SRGB_EXT, GL_SRGB_EXT, kByte, bytesOf("rgb"));
        add("SRGB8 A8", "GL_EXT_sRGB", GL_SRGB_ALPHA_EXT, GL_SRGB_ALPHA_EXT, kByte, bytesOf("rgba"));
    }

    void addFloats() {
        for (const bool isHalf : {true, false}) {
            const auto add = [&](const char* name, GLenum format, const char* channels, Look look = Look::Image) {
                Formats::add((std::string(name) + (isHalf ? " 16F" : " 32F")).c_str(), isHalf ? kHalf : kFloat, format,
                             format, isHalf ? GL_HALF_FLOAT_OES : GL_FLOAT,
                             isHalf ? formats::halvesOf(channels) : formats::floatsOf(channels), look, GL_NEAREST);
            };
            add("RGBA", GL_RGBA, "rgba");
            add("RGB", GL_RGB, "rgb");
            add("L", GL_LUMINANCE, "g");
            add("L A", GL_LUMINANCE_ALPHA, "ga");
            add("A", GL_ALPHA, "a", Look::AlphaOnly);
            if (has(kRg)) {
                add("R", GL_RED_EXT, "r");
                add("RG", GL_RG_EXT, "rg");
            } else {
                addEmpty(isHalf ? "R 16F" : "R 32F");
                addEmpty(isHalf ? "RG 16F" : "RG 32F");
            }
        }
    }

    void addDepth() {
        constexpr const char* kDepth = "GL_OES_depth_texture";
        constexpr GLenum kComponent = GL_DEPTH_COMPONENT, kBoth = GL_DEPTH_STENCIL_OES;
        add("DEPTH16", kDepth, kComponent, kComponent, GL_UNSIGNED_SHORT, formats::depth16(), Look::Image, GL_NEAREST);
        add("DEPTH24", kDepth, kComponent, kComponent, GL_UNSIGNED_INT, formats::depth32(), Look::Image, GL_NEAREST);
        add("D24 S8", "GL_OES_packed_depth_stencil", kBoth, kBoth, GL_UNSIGNED_INT_24_8_OES, formats::depth32(),
            Look::Image, GL_NEAREST);
    }

    void addBlocks() {
        constexpr const char* kS3tc = "GL_EXT_texture_compression_s3tc";
        constexpr const char* kSrgb = "GL_EXT_texture_compression_s3tc_srgb";
        constexpr const char* kRgtc = "GL_EXT_texture_compression_rgtc";
        addCompressed("DXT1", kS3tc, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, formats::dxt1());
        addCompressed("DXT1 A", kS3tc, GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, formats::dxt1Alpha());
        addCompressed("DXT3", kS3tc, 0x83F2, formats::dxt3());
        addCompressed("DXT5", kS3tc, 0x83F3, formats::dxt5());
        addCompressed("SRGB DXT1", kSrgb, 0x8C4C, formats::dxt1());
        addCompressed("SRGB DXT1 A", kSrgb, 0x8C4D, formats::dxt1Alpha());
        addCompressed("SRGB DXT3", kSrgb, 0x8C4E, formats::dxt3());
        addCompressed("SRGB DXT5", kSrgb, 0x8C4F, formats::dxt5());
        addCompressed("RGTC1", kRgtc, 0x8DBB, formats::rgtc("r", false));
        addCompressed("SIGNED RGTC1", kRgtc, 0x8DBC, formats::rgtc("r", true));
        addCompressed("RGTC2", kRgtc, 0x8DBD, formats::rgtc("rg", false));
        addCompressed("SIGNED RGTC2", kRgtc, 0x8DBE, formats::rgtc("rg", true));
        addCompressed("ETC1", "GL_OES_compressed_ETC1_RGB8_texture", GL_ETC1_RGB8_OES, formats::etc1());
        addCompressed("R11 EAC", "GL_OES_compressed_EAC_R11_unsigned_texture", 0x9270, formats::eac("r", false));
        addCompressed("SIGNED R11", "GL_OES_compressed_EAC_R11_signed_texture", 0x9271, formats::eac("r", true));
        addCompressed("RG11 EAC", "GL_OES_compressed_EAC_RG11_unsigned_texture", 0x9272, formats::eac("rg", false));
        addCompressed("SIGNED RG11", "GL_OES_compressed_EAC_RG11_signed_texture", 0x9273, formats::eac("rg", true));
        addCompressed("ETC2", "GL_OES_compressed_ETC2_RGB8_texture", 0x9274, formats::etc1());
        addCompressed("SRGB ETC2", "GL_OES_compressed_ETC2_sRGB8_texture", 0x9275, formats::etc1());
        addCompressed("ETC2 A1", "GL_OES_compressed_ETC2_punchthroughA_RGBA8_texture", 0x9276,
                      formats::etc2Punchthrough());
        addCompressed("SRGB ETC2 A1", "GL_OES_compressed_ETC2_punchthroughA_sRGB8_alpha_texture", 0x9277,
                      formats::etc2Punchthrough());
        addCompressed("ETC2 A8", "GL_OES_compressed_ETC2_RGBA8_texture", 0x9278, formats::etc2Rgba());
        addCompressed("SRGB ETC2 A8", "GL_OES_compressed_ETC2_sRGB8_alpha8_texture", 0x9279, formats::etc2Rgba());
    }

    void addAstc() {
        constexpr int kBlocks[14][2] = {{4, 4}, {5, 4},  {5, 5},  {6, 5},  {6, 6},   {8, 5},   {8, 6},
                                        {8, 8}, {10, 5}, {10, 6}, {10, 8}, {10, 10}, {12, 10}, {12, 12}};
        for (const GLenum first : {GL_COMPRESSED_RGBA_ASTC_4x4_KHR, GL_COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR})
            for (GLenum i = 0; i < 14; ++i) {
                const auto [width, height] = kBlocks[i];
                const bool isSrgb = first == GL_COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR;
                addCompressed((isSrgb ? "SRGB ASTC" : "ASTC ") + std::to_string(width) + "X" + std::to_string(height),
                              "GL_KHR_texture_compression_astc_ldr", first + i, formats::astc(width, height));
            }
    }

    void addPaletted() {
        constexpr const char* kEntries[] = {"RGB8", "RGBA8", "565", "RGBA4", "5551"};
        for (const int bits : {4, 8})
            for (GLenum entry = 0; entry < 5; ++entry)
                addCompressed("PALETTE" + std::to_string(bits) + " " + kEntries[entry],
                              "GL_OES_compressed_paletted_texture",
                              (bits == 4 ? GL_PALETTE4_RGB8_OES : GL_PALETTE8_RGB8_OES) + entry,
                              formats::paletted(bits, static_cast<formats::Entry>(entry)));
    }

    /// Textures of other shapes, and a comparison.
    void addShapes() {
        cube_ = demos::buildProgram(kVertexShader, kCubeShader, {"a_position"});
        begin("CUBE MAP", Look::Cube, GL_LINEAR);
        for (GLenum face = 0; face < 6; ++face)
            glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, kSize, kSize, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                         formats::bytesOf(face % 3 == 0   ? "rgba"
                                          : face % 3 == 1 ? "gbra"
                                                          : "brga")
                             .data());
        end();
        addVolume();
        if (!has("GL_EXT_shadow_samplers") || !has("GL_OES_depth_texture")) return addEmpty("SHADOW");
        shadow_ = demos::buildProgram(kVertexShader, kShadowShader, {"a_position"});
        add("SHADOW", "", GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, formats::depth16(), Look::Shadow);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE_EXT, GL_COMPARE_REF_TO_TEXTURE_EXT);
    }

    void addVolume() {
        const auto image3D = reinterpret_cast<PFNGLTEXIMAGE3DOESPROC>(eglGetProcAddress("glTexImage3DOES"));
        if (!has("GL_OES_texture_3D") || !image3D) return addEmpty("3D");
        volume_ = demos::buildProgram(kVertexShader, kVolumeShader, {"a_position"});
        begin("3D", Look::Volume, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_3D_OES, GL_TEXTURE_WRAP_R_OES, GL_CLAMP_TO_EDGE);
        constexpr int kSide = 8;
        formats::Bytes texels;
        for (int z = 0; z < kSide; ++z)
            for (int y = 0; y < kSide; ++y)
                for (int x = 0; x < kSide; ++x)
                    for (const int value : {x * 36, y * 36, z * 36, 255}) texels.push_back(static_cast<uint8_t>(value));
        image3D(GL_TEXTURE_3D_OES, 0, GL_RGBA, kSide, kSide, kSide, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
        end();
    }

    [[nodiscard]] GLuint programOf(Look look) {
        switch (look) {
            case Look::Volume:
                return volume_;
            case Look::Shadow:
                return shadow_;
            case Look::Cube:
                return cube_;
            case Look::External:
                if (external_ == 0) external_ = demos::buildProgram(kVertexShader, kExternalShader, {"a_position"});
                return external_;
            default:
                return image_;
        }
    }

    /// A box of the sheet, where the mouse has moved the sheet to.
    void setBox(GLuint program, float left, float bottom, float width, float height) const {
        glUniform4f(glGetUniformLocation(program, "u_box"), left * look_.size + look_.right,
                    bottom * look_.size + look_.up, width * look_.size, height * look_.size);
    }

    void drawImage(const Cell& cell, float left, float bottom, float width, float height) {
        const GLuint program = programOf(cell.look);
        glUseProgram(program);
        glBindTexture(targetOf(cell.look), cell.texture);
        setBox(program, left, bottom, width, height);
        glUniform1f(glGetUniformLocation(program, "u_alphaOnly"), cell.look == Look::AlphaOnly ? 1 : 0);
        constexpr GLfloat kQuad[] = {0, 0, 1, 0, 0, 1, 1, 1};
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        triangles_ += 2;
    }

    /// The font is quads of 16-byte vertices, y downwards, a unit a pixel.
    void drawLabel(std::string label, float left, float top, const demos::Frame& frame) {
        std::vector<float> vertices(static_cast<size_t>(label.size()) * 270);
        const int quads = stb_easy_font_print(0, 0, label.data(), nullptr, vertices.data(),
                                              static_cast<int>(vertices.size() * sizeof(float)));
        std::vector<GLfloat> corners;
        for (int quad = 0; quad < quads; ++quad)
            for (const int corner : {0, 1, 2, 0, 2, 3})
                for (const int axis : {0, 1})
                    corners.push_back(vertices[static_cast<size_t>((quad * 4 + corner) * 4 + axis)]);
        const float scale = static_cast<float>(frame.width) / 1300;
        glUseProgram(text_);
        setBox(text_, left, top, 2 * scale / static_cast<float>(frame.width),
               -2 * scale / static_cast<float>(frame.height));
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners.data());
        glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(corners.size() / 2));
        triangles_ += static_cast<uint64_t>(quads) * 2;
    }

    /// What the mouse has done to the sheet: moved it, in clip space, and made it larger.
    struct {
        float right = 0, up = 0, size = 1;
    } look_;
    std::vector<Cell> cells_;
    GLuint image_ = 0, text_ = 0, volume_ = 0, shadow_ = 0, cube_ = 0, external_ = 0;
    uint64_t triangles_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    return demos::runDemo(argc, argv,
                          {.name = "formats",
                           .make = [](bool) { return std::make_unique<Formats>(); },
                           .controls = {.pause = false, .wireframe = false}});
}
