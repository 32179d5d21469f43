// Rectangles as user interfaces draw them: two triangles each, textured one to one or stretched, on pixels or between
// them, scissored and blended, by programs that multiply a lookup. Each scene is also drawn triangle by triangle, which
// leaves nothing to be recognised as a rectangle: the pixels must be the same.
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <array>
#include <vector>

#include "tests/determinism/chooser.h"
#include "tests/determinism/scene.h"

namespace determinism {

namespace {

constexpr int kWidth = 150, kHeight = 100;

constexpr const char* kVertex = R"(
attribute vec2 a_position;
attribute vec2 a_place;
attribute vec4 a_color;
varying highp vec2 v_place;
varying lowp vec4 v_color;
void main() {
    v_place = a_place;
    v_color = a_color;
    gl_Position = vec4(a_position / vec2(75.0, 50.0) - 1.0, 0.25, 1.0);
}
)";
constexpr const char* kHead = R"(
precision highp float;
uniform sampler2D u_image;
uniform vec4 u_color;
varying highp vec2 v_place;
varying lowp vec4 v_color;
)";
/// The last two show no picture alone.
constexpr const char* kBodies[] = {
    "void main() { gl_FragColor = texture2D(u_image, v_place); }",
    "void main() { gl_FragColor = texture2D(u_image, v_place) * u_color.x; }",
    "void main() { gl_FragColor = u_color * texture2D(u_image, v_place).a; }",
    "void main() { gl_FragColor = v_color * texture2D(u_image, v_place); }",
    "void main() { gl_FragColor = vec4(u_color.rgb, texture2D(u_image, v_place).a * u_color.a); }",
    "void main() { gl_FragColor = texture2D(u_image, v_place).bgra * 0.7; }",
    "void main() { gl_FragColor = texture2D(u_image, v_place) * v_color * u_color.y; }",
    "void main() { gl_FragColor = texture2D(u_image, v_place.yx + u_color.xy) + v_color * 0.25; }",
};

struct Vertex {
    float position[2], place[2], color[4];
};

class InterfaceScene {
public:
    explicit InterfaceScene(uint64_t seed) : choose_(seed) {}
    ~InterfaceScene() {
        glDeleteProgram(program_);
        glDeleteTextures(1, &texture_);
        glDeleteRenderbuffers(1, &renderbuffer_);
        glDeleteFramebuffers(1, &framebuffer_);
    }
    InterfaceScene(const InterfaceScene&) = delete;
    InterfaceScene& operator=(const InterfaceScene&) = delete;

    /// `isApart`: triangle by triangle.
    SceneResult draw(bool isApart, std::string* shaders) {
        SceneResult result;
        const std::string fragment = std::string(kHead) + choose_.of(kBodies);
        if (shaders != nullptr) *shaders = kVertex + ("---\n" + fragment);
        link(fragment);
        makeTarget();
        makeTexture();
        for (int draw = choose_.between(1, 4); draw > 0; --draw) {
            setState();
            const std::vector<std::array<Vertex, 4>> rectangles = makeRectangles();
            isApart ? drawApart(rectangles) : drawTogether(rectangles);
        }
        result.hash = 0xCBF29CE484222325u;
        for (const unsigned char byte : readBack()) result.hash = (result.hash ^ byte) * 0x100000001B3u;
        if (const GLenum error = glGetError(); error != GL_NO_ERROR) result.error = "GL error " + std::to_string(error);
        return result;
    }

private:
    void link(const std::string& fragment) {
        program_ = glCreateProgram();
        for (const GLenum type : {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER}) {
            const GLuint shader = glCreateShader(type);
            const char* source = type == GL_VERTEX_SHADER ? kVertex : fragment.c_str();
            glShaderSource(shader, 1, &source, nullptr);
            glCompileShader(shader);
            glAttachShader(program_, shader);
            glDeleteShader(shader);
        }
        constexpr const char* kAttributes[] = {"a_position", "a_place", "a_color"};
        for (GLuint i = 0; i < 3; ++i) glBindAttribLocation(program_, i, kAttributes[i]);
        glLinkProgram(program_);
        glUseProgram(program_);
    }

    void makeTarget() {
        static constexpr GLenum kColors[] = {GL_RGBA8_OES, GL_RGBA8_OES, GL_RGB8_OES, GL_RGB565};
        glGenFramebuffers(1, &framebuffer_);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glGenRenderbuffers(1, &renderbuffer_);
        glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer_);
        glRenderbufferStorage(GL_RENDERBUFFER, choose_.of(kColors), kWidth, kHeight);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer_);
        glViewport(0, 0, kWidth, kHeight);
        glDisable(GL_SCISSOR_TEST);
        glClearColor(choose_.real(0, 1), choose_.real(0, 1), choose_.real(0, 1), choose_.real(0, 1));
        glClear(GL_COLOR_BUFFER_BIT);
    }

    void makeTexture() {
        const bool isPower = choose_.oneIn(2);
        width_ = isPower ? 1 << choose_.below(8) : choose_.between(1, 130);
        height_ = isPower ? 1 << choose_.below(8) : choose_.between(1, 130);
        static constexpr GLenum kFormats[] = {GL_RGBA, GL_RGBA, GL_RGB, GL_ALPHA};
        static constexpr GLint kWraps[] = {GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT};
        const GLenum format = choose_.of(kFormats);
        std::vector<unsigned char> texels(static_cast<size_t>(width_ * height_) * 4);
        for (unsigned char& texel : texels) texel = static_cast<unsigned char>(choose_.next());
        glGenTextures(1, &texture_);
        glBindTexture(GL_TEXTURE_2D, texture_);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width_, height_, 0, format, GL_UNSIGNED_BYTE,
                     texels.data());
        const GLint filter = choose_.oneIn(3) ? GL_NEAREST : GL_LINEAR;
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
        if (choose_.oneIn(2)) {
            static constexpr GLint kMinFilters[] = {GL_NEAREST,
                                                    GL_LINEAR,
                                                    GL_NEAREST_MIPMAP_NEAREST,
                                                    GL_LINEAR_MIPMAP_NEAREST,
                                                    GL_NEAREST_MIPMAP_LINEAR,
                                                    GL_LINEAR_MIPMAP_LINEAR};
            glGenerateMipmap(GL_TEXTURE_2D);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, choose_.of(kMinFilters));
        }
        for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
            glTexParameteri(GL_TEXTURE_2D, axis, isPower ? choose_.of(kWraps) : GL_CLAMP_TO_EDGE);
    }

    void setState() {
        static constexpr GLenum kFactors[][2] = {{GL_ONE, GL_ONE_MINUS_SRC_ALPHA},
                                                 {GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA},
                                                 {GL_ONE, GL_ONE},
                                                 {GL_SRC_ALPHA, GL_ONE},
                                                 {GL_DST_COLOR, GL_ZERO}};
        const auto& [source, destination] = kFactors[choose_.below(5)];
        glBlendFunc(source, destination);
        choose_.oneIn(3) ? glDisable(GL_BLEND) : glEnable(GL_BLEND);
        choose_.oneIn(2) ? glDisable(GL_SCISSOR_TEST) : glEnable(GL_SCISSOR_TEST);
        glScissor(choose_.below(80), choose_.below(50), choose_.between(1, 90), choose_.between(1, 90));
        choose_.oneIn(4) ? glEnable(GL_CULL_FACE) : glDisable(GL_CULL_FACE);
        glUniform4f(glGetUniformLocation(program_, "u_color"), choose_.real(0, 1), choose_.real(0, 1.5f),
                    choose_.real(-0.25f, 1), choose_.oneIn(2) ? 1 : choose_.real(0, 1));
    }

    /// Corners in the order of two triangles 0, 1, 2 and 2, 1, 3.
    std::vector<std::array<Vertex, 4>> makeRectangles() {
        std::vector<std::array<Vertex, 4>> result(static_cast<size_t>(choose_.between(1, 12)));
        for (auto& corners : result) {
            const bool isOnPixels = choose_.oneIn(2);
            const auto any = [&](float low, float high) {
                return isOnPixels ? static_cast<float>(choose_.between(static_cast<int>(low), static_cast<int>(high)))
                                  : choose_.real(low, high);
            };
            const float left = any(-20, 140), bottom = any(-20, 90), wide = any(1, 100), high = any(1, 80);
            const float texels = choose_.oneIn(2) ? 1 : choose_.real(0.2f, 3);
            float first[2] = {any(-60, 60), any(-60, 60)}, size[2] = {wide * texels, high * texels};
            if (choose_.oneIn(4)) first[1] += size[1], size[1] = -size[1];
            const float color[4] = {choose_.real(0, 1), choose_.real(0, 1), choose_.real(0, 1), choose_.real(0, 1)};
            const bool isSloped = choose_.oneIn(8), isTurned = choose_.oneIn(2);
            for (int corner = 0; corner < 4; ++corner) {
                const bool isRight = (corner & 1) != 0, isTop = (corner & 2) != 0;
                Vertex& vertex = corners[static_cast<size_t>(isTurned ? corner ^ 1 : corner)];
                vertex = {{left + (isRight ? wide : 0), bottom + (isTop ? high : 0)},
                          {(first[0] + (isRight ? size[0] : 0)) / static_cast<float>(width_),
                           (first[1] + (isTop ? size[1] : 0)) / static_cast<float>(height_)},
                          {color[0], color[1], color[2], isSloped && isTop ? 0 : color[3]}};
            }
        }
        return result;
    }

    static void setVertices(const Vertex* vertices) {
        for (GLuint i = 0; i < 3; ++i) glEnableVertexAttribArray(i);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(Vertex), vertices->position);
        glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, sizeof(Vertex), vertices->place);
        glVertexAttribPointer(2, 4, GL_FLOAT, GL_FALSE, sizeof(Vertex), vertices->color);
    }
    static constexpr GLushort kOrder[] = {0, 1, 2, 2, 1, 3};

    void drawTogether(const std::vector<std::array<Vertex, 4>>& rectangles) {
        setVertices(rectangles.front().data());
        std::vector<GLushort> indices;
        for (size_t i = 0; i < rectangles.size(); ++i)
            for (const GLushort corner : kOrder) indices.push_back(static_cast<GLushort>(4 * i + corner));
        glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(indices.size()), GL_UNSIGNED_SHORT, indices.data());
    }
    static void drawApart(const std::vector<std::array<Vertex, 4>>& rectangles) {
        for (const auto& corners : rectangles) {
            setVertices(corners.data());
            for (int triangle = 0; triangle < 2; ++triangle)
                glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, kOrder + 3 * triangle);
        }
    }

    static std::vector<unsigned char> readBack() {
        std::vector<unsigned char> pixels(kWidth * kHeight * 4);
        glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        return pixels;
    }
    Chooser choose_;
    GLuint program_ = 0, texture_ = 0, framebuffer_ = 0, renderbuffer_ = 0;
    int width_ = 1, height_ = 1;
};

}  // namespace

SceneResult drawInterface(uint64_t seed, std::string* shaders) {
    SceneResult together = InterfaceScene(seed).draw(false, shaders);
    const SceneResult apart = InterfaceScene(seed).draw(true, nullptr);
    if (together.error.empty() && together.hash != apart.hash) together.error = "other pixels triangle by triangle";
    return together;
}

}  // namespace determinism
