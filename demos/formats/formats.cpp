// One picture in every texture format that the driver has, side by side: what each keeps of it. The chequer behind
// shows through where a format has alpha. The last cells show a slice through a 3D texture and a shadow lookup.
#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <cstdio>
#include <string>
#include <vector>

#include "demos/common/harness.h"
#include "demos/formats/picture.h"

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
constexpr const char* kTextShader = R"(
precision mediump float;
void main() { gl_FragColor = vec4(0.92, 0.94, 0.96, 1.0); }
)";

enum class Look { Image, AlphaOnly, Volume, Shadow };

/// A cell: its texture, and how it is looked at.
struct Cell {
    std::string label;
    GLuint texture = 0;
    Look look = Look::Image;
};

bool has(const char* extension) {
    const auto* all = reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS));
    const std::string list = std::string(" ") + (all ? all : "") + " ";
    return list.find(std::string(" ") + extension + " ") != std::string::npos;
}

class Formats final : public demos::Demo {
public:
    Formats() {
        image_ = demos::buildProgram(kVertexShader, kImageShader, {"a_position"});
        text_ = demos::buildProgram(kVertexShader, kTextShader, {"a_position"});
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        addPlain();
        addExtensions();
        addCompressed();
        addVolume();
        addShadow();
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
        constexpr int kColumns = 7;
        const int rows = (static_cast<int>(cells_.size()) + kColumns - 1) / kColumns;
        const float width = 2.0f / kColumns, height = 2.0f / static_cast<float>(rows);
        for (size_t i = 0; i < cells_.size(); ++i) {
            const float left = -1 + width * static_cast<float>(i % kColumns);
            const float top = 1 - height * static_cast<float>(i / kColumns);
            drawImage(cells_[i], left + 0.06f * width, top - 0.78f * height, 0.88f * width, 0.72f * height);
            drawLabel(cells_[i].label, left + 0.06f * width, top - 0.83f * height, frame);
        }
    }

    [[nodiscard]] uint64_t triangles() const override { return triangles_; }

private:
    GLuint begin(const char* label, Look look, GLenum target, GLint filter) {
        GLuint name = 0;
        glGenTextures(1, &name);
        glBindTexture(target, name);
        glTexParameteri(target, GL_TEXTURE_MIN_FILTER, filter);
        glTexParameteri(target, GL_TEXTURE_MAG_FILTER, filter);
        glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        cells_.push_back({label, name, look});
        return name;
    }
    /// A driver that lists an extension but refuses a format loses the cell.
    void end() {
        if (glGetError() == GL_NO_ERROR) return;
        std::fprintf(stderr, "formats: the driver refuses %s\n", cells_.back().label.c_str());
        glDeleteTextures(1, &cells_.back().texture);
        cells_.pop_back();
    }

    void add(const char* label, GLenum internal, GLenum format, GLenum type, const formats::Bytes& pixels,
             Look look = Look::Image, GLint filter = GL_LINEAR) {
        begin(label, look, GL_TEXTURE_2D, filter);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internal), kSize, kSize, 0, format, type, pixels.data());
        end();
    }
    void addBlocks(const char* label, GLenum internal, const formats::Bytes& blocks) {
        begin(label, Look::Image, GL_TEXTURE_2D, GL_LINEAR);
        glCompressedTexImage2D(GL_TEXTURE_2D, 0, internal, kSize, kSize, 0, static_cast<GLsizei>(blocks.size()),
                               blocks.data());
        end();
    }

    void addPlain() {
        add("RGBA 8888", GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE, formats::rgba8());
        add("RGB 888", GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, formats::rgb8());
        add("RGB 565", GL_RGB, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, formats::rgb565());
        add("RGBA 4444", GL_RGBA, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, formats::rgba4444());
        add("RGBA 5551", GL_RGBA, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, formats::rgba5551());
        add("LUMINANCE", GL_LUMINANCE, GL_LUMINANCE, GL_UNSIGNED_BYTE, formats::red8());
        add("LUM. ALPHA", GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, formats::luminanceAlpha8());
        add("ALPHA", GL_ALPHA, GL_ALPHA, GL_UNSIGNED_BYTE, formats::alpha8(), Look::AlphaOnly);
    }

    void addExtensions() {
        if (has("GL_EXT_texture_format_BGRA8888"))
            add("BGRA 8888", GL_BGRA_EXT, GL_BGRA_EXT, GL_UNSIGNED_BYTE, formats::bgra8());
        if (has("GL_EXT_texture_rg")) {
            add("RG 88", GL_RG_EXT, GL_RG_EXT, GL_UNSIGNED_BYTE, formats::rg8());
            add("RED 8", GL_RED_EXT, GL_RED_EXT, GL_UNSIGNED_BYTE, formats::red8());
        }
        if (has("GL_EXT_sRGB")) add("SRGB", GL_SRGB_EXT, GL_SRGB_EXT, GL_UNSIGNED_BYTE, formats::rgb8());
        if (has("GL_OES_texture_half_float"))
            add("HALF FLOAT", GL_RGB, GL_RGB, GL_HALF_FLOAT_OES, formats::rgbHalves(), Look::Image, GL_NEAREST);
        if (has("GL_OES_texture_float"))
            add("FLOAT", GL_RGB, GL_RGB, GL_FLOAT, formats::rgbFloats(), Look::Image, GL_NEAREST);
        if (has("GL_OES_depth_texture"))
            add("DEPTH", GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, formats::depth16(), Look::Image,
                GL_NEAREST);
        if (has("GL_MESA_ycbcr_texture"))
            add("YCBCR", GL_YCBCR_MESA, GL_YCBCR_MESA, GL_UNSIGNED_SHORT_8_8_REV_MESA, formats::yuyv());
    }

    void addCompressed() {
        if (has("GL_EXT_texture_compression_dxt1") || has("GL_EXT_texture_compression_s3tc"))
            addBlocks("DXT1", GL_COMPRESSED_RGB_S3TC_DXT1_EXT, formats::dxt1());
        if (has("GL_EXT_texture_compression_s3tc"))
            addBlocks("DXT5", GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, formats::dxt5());
        if (has("GL_EXT_texture_compression_rgtc")) addBlocks("RGTC1", GL_COMPRESSED_RED_RGTC1_EXT, formats::rgtc1());
        if (has("GL_OES_compressed_ETC1_RGB8_texture")) addBlocks("ETC1", GL_ETC1_RGB8_OES, formats::etc1());
        if (has("GL_OES_compressed_ETC2_RGBA8_texture")) addBlocks("ETC2 RGBA", 0x9278, formats::etc2Rgba());
        if (has("GL_KHR_texture_compression_astc_ldr"))
            addBlocks("ASTC 8X8", GL_COMPRESSED_RGBA_ASTC_8x8_KHR, formats::astc8x8());
        if (has("GL_OES_compressed_paletted_texture"))
            addBlocks("PALETTE 8", GL_PALETTE8_RGB8_OES, formats::palette8());
    }

    void addVolume() {
        const auto image3D = reinterpret_cast<PFNGLTEXIMAGE3DOESPROC>(eglGetProcAddress("glTexImage3DOES"));
        if (!has("GL_OES_texture_3D") || !image3D) return;
        volume_ = demos::buildProgram(kVertexShader, kVolumeShader, {"a_position"});
        begin("3D", Look::Volume, GL_TEXTURE_3D_OES, GL_LINEAR);
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

    void addShadow() {
        if (!has("GL_EXT_shadow_samplers") || !has("GL_OES_depth_texture")) return;
        shadow_ = demos::buildProgram(kVertexShader, kShadowShader, {"a_position"});
        add("SHADOW", GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, formats::depth16(), Look::Shadow);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE_EXT, GL_COMPARE_REF_TO_TEXTURE_EXT);
    }

    void drawImage(const Cell& cell, float left, float bottom, float width, float height) {
        const GLuint program = cell.look == Look::Volume ? volume_ : cell.look == Look::Shadow ? shadow_ : image_;
        glUseProgram(program);
        glBindTexture(cell.look == Look::Volume ? GL_TEXTURE_3D_OES : GL_TEXTURE_2D, cell.texture);
        glUniform4f(glGetUniformLocation(program, "u_box"), left, bottom, width, height);
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
        const float scale = static_cast<float>(frame.width) / 600;
        glUseProgram(text_);
        glUniform4f(glGetUniformLocation(text_, "u_box"), left, top, 2 * scale / static_cast<float>(frame.width),
                    -2 * scale / static_cast<float>(frame.height));
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners.data());
        glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(corners.size() / 2));
        triangles_ += static_cast<uint64_t>(quads) * 2;
    }

    std::vector<Cell> cells_;
    GLuint image_ = 0, text_ = 0, volume_ = 0, shadow_ = 0;
    uint64_t triangles_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    return demos::runDemo(argc, argv,
                          {.name = "formats",
                           .description = "a picture in every texture format",
                           .make = [] { return std::make_unique<Formats>(); },
                           .controls = {.pause = false, .turn = false, .wireframe = false}});
}
