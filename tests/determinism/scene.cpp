#include "tests/determinism/scene.h"

#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <array>
#include <utility>
#include <vector>

#include "tests/determinism/shader_writer.h"

namespace determinism {

namespace {

constexpr int kSide = 72;  // not a whole number of 64-pixel tiles

/// Everything a scene makes, deleted with it.
class Scene {
public:
    explicit Scene(uint64_t seed) : choose_(seed) {}
    ~Scene() {
        glDeleteProgram(program_);
        glDeleteTextures(2, textures_);
        glDeleteRenderbuffers(2, renderbuffers_);
        glDeleteFramebuffers(2, framebuffers_);
    }
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    SceneResult draw(bool nearBudget, std::string* shaders) {
        SceneResult result;
        const ShaderPair pair = writeShaders(choose_, nearBudget);
        if (shaders != nullptr) *shaders = pair.vertex + "---\n" + pair.fragment;
        result.error = link(pair);
        if (!result.error.empty()) return result;
        makeTarget();
        makeTextures();
        setUniforms();
        const int draws = choose_.between(1, 3);
        for (int i = 0; i < draws; ++i) {
            setState();
            drawPrimitives();
        }
        result.hash = readBack();
        if (const GLenum error = glGetError(); error != GL_NO_ERROR) result.error = "GL error " + std::to_string(error);
        return result;
    }

private:
    std::string link(const ShaderPair& pair) {
        program_ = glCreateProgram();
        for (const auto& [type, text] :
             {std::pair{GL_VERTEX_SHADER, &pair.vertex}, std::pair{GL_FRAGMENT_SHADER, &pair.fragment}}) {
            const GLuint shader = glCreateShader(static_cast<GLenum>(type));
            const char* source = text->c_str();
            glShaderSource(shader, 1, &source, nullptr);
            glCompileShader(shader);
            GLint good = 0;
            glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
            char log[2048] = "";
            if (good == 0) glGetShaderInfoLog(shader, sizeof log, nullptr, log);
            glAttachShader(program_, shader);
            glDeleteShader(shader);
            if (good == 0) return log;
        }
        constexpr const char* kAttributes[] = {"a_position", "a_first", "a_second"};
        for (GLuint i = 0; i < 3; ++i) glBindAttribLocation(program_, i, kAttributes[i]);
        glLinkProgram(program_);
        GLint good = 0;
        glGetProgramiv(program_, GL_LINK_STATUS, &good);
        char log[2048] = "";
        if (good == 0) glGetProgramInfoLog(program_, sizeof log, nullptr, log);
        glUseProgram(program_);
        return log;
    }

    void makeTarget() {
        static constexpr GLenum kColors[] = {GL_RGBA8_OES, GL_RGBA8_OES, GL_RGBA8_OES, GL_RGB565, GL_RGBA4, GL_RGB5_A1};
        static constexpr GLenum kDepths[] = {GL_DEPTH24_STENCIL8_OES, GL_DEPTH_COMPONENT16};
        const GLenum color = choose_.of(kColors), depth = choose_.of(kDepths);
        const bool multisampled = choose_.oneIn(4);
        glGenFramebuffers(2, framebuffers_);
        glGenRenderbuffers(2, renderbuffers_);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[0]);
        static const auto multisampledStorage = reinterpret_cast<PFNGLRENDERBUFFERSTORAGEMULTISAMPLEEXTPROC>(
            eglGetProcAddress("glRenderbufferStorageMultisampleEXT"));
        const auto storage = [&](GLuint name, GLenum format) {
            glBindRenderbuffer(GL_RENDERBUFFER, name);
            if (multisampled)
                multisampledStorage(GL_RENDERBUFFER, 4, format, kSide, kSide);
            else
                glRenderbufferStorage(GL_RENDERBUFFER, format, kSide, kSide);
        };
        storage(renderbuffers_[0], color);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffers_[0]);
        storage(renderbuffers_[1], depth);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, renderbuffers_[1]);
        if (depth == GL_DEPTH24_STENCIL8_OES)
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, renderbuffers_[1]);
        glViewport(0, 0, kSide, kSide);
        glDisable(GL_SCISSOR_TEST);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glDepthMask(GL_TRUE);
        glStencilMask(~0u);
        glClearColor(choose_.real(0, 1), choose_.real(0, 1), choose_.real(0, 1), choose_.real(0, 1));
        glClearDepthf(choose_.real(0.5f, 1));
        glClearStencil(choose_.below(4));
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    }

    void makeTextures() {
        static constexpr GLint kWraps[] = {GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT};
        static constexpr GLint kSmaller[] = {GL_NEAREST,
                                             GL_LINEAR,
                                             GL_NEAREST_MIPMAP_NEAREST,
                                             GL_LINEAR_MIPMAP_NEAREST,
                                             GL_NEAREST_MIPMAP_LINEAR,
                                             GL_LINEAR_MIPMAP_LINEAR};
        static constexpr GLint kLarger[] = {GL_NEAREST, GL_LINEAR};
        static constexpr std::pair<GLenum, GLenum> kFormats[] = {
            {GL_RGBA, GL_UNSIGNED_BYTE},  {GL_RGB, GL_UNSIGNED_BYTE},        {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE},
            {GL_ALPHA, GL_UNSIGNED_BYTE}, {GL_RGB, GL_UNSIGNED_SHORT_5_6_5}, {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4}};
        glGenTextures(2, textures_);
        const auto [format, type] = choose_.of(kFormats);
        const int width = choose_.between(1, 40), height = choose_.between(1, 40), face = choose_.between(1, 16);
        const auto texels = [&](int count) {
            std::vector<uint8_t> bytes(static_cast<size_t>(count) * 4 + 64);
            for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(choose_.next() >> 20);
            return bytes;
        };
        const auto parameters = [&](GLenum target) {
            glTexParameteri(target, GL_TEXTURE_WRAP_S, choose_.of(kWraps));
            glTexParameteri(target, GL_TEXTURE_WRAP_T, choose_.of(kWraps));
            glTexParameteri(target, GL_TEXTURE_MIN_FILTER, choose_.of(kSmaller));
            glTexParameteri(target, GL_TEXTURE_MAG_FILTER, choose_.of(kLarger));
            glGenerateMipmap(target);
        };
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, textures_[0]);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width, height, 0, format, type,
                     texels(width * height).data());
        parameters(GL_TEXTURE_2D);
        glActiveTexture(GL_TEXTURE1);
        glBindTexture(GL_TEXTURE_CUBE_MAP, textures_[1]);
        for (GLenum i = 0; i < 6; ++i)
            glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, GL_RGBA, face, face, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                         texels(face * face).data());
        parameters(GL_TEXTURE_CUBE_MAP);
    }

    void setUniforms() {
        const auto at = [&](const char* name) { return glGetUniformLocation(program_, name); };
        std::array<float, 16> values{};
        const auto fill = [&] {
            for (float& value : values) value = choose_.real(-2, 2);
            return values.data();
        };
        glUniform4fv(at("u_vector"), 4, fill());
        glUniformMatrix4fv(at("u_matrix"), 1, GL_FALSE, fill());
        glUniform1i(at("u_count"), choose_.below(7));
        glUniform1i(at("u_image"), 0);
        glUniform1i(at("u_cube"), 1);
    }

    void toggle(GLenum capability, int oneIn) { choose_.oneIn(oneIn) ? glEnable(capability) : glDisable(capability); }

    void setState() {
        setTests();
        setBlending();
        toggle(GL_CULL_FACE, 4);
        glCullFace(choose_.oneIn(2) ? GL_BACK : GL_FRONT);
        glFrontFace(choose_.oneIn(2) ? GL_CW : GL_CCW);
        toggle(GL_SCISSOR_TEST, 4);
        glScissor(choose_.below(20), choose_.below(20), choose_.between(10, 60), choose_.between(10, 60));
        choose_.oneIn(4) ? glViewport(choose_.between(-10, 30), choose_.between(-10, 30), choose_.between(20, 90),
                                      choose_.between(20, 90))
                         : glViewport(0, 0, kSide, kSide);
        toggle(GL_POLYGON_OFFSET_FILL, 4);
        glPolygonOffset(choose_.real(-2, 2), choose_.real(-8, 8));
        toggle(GL_SAMPLE_ALPHA_TO_COVERAGE, 6);
        toggle(GL_SAMPLE_COVERAGE, 6);
        glSampleCoverage(choose_.real(0, 1), choose_.oneIn(2) ? GL_TRUE : GL_FALSE);
        glLineWidth(choose_.real(0.5f, 6));
    }

    void setTests() {
        static constexpr GLenum kTests[] = {GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                                            GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};
        static constexpr GLenum kActions[] = {GL_KEEP, GL_ZERO,   GL_REPLACE,   GL_INCR,
                                              GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP};
        toggle(GL_DEPTH_TEST, 2);
        glDepthFunc(choose_.oneIn(3) ? choose_.of(kTests) : GL_LEQUAL);
        glDepthMask(choose_.oneIn(4) ? GL_FALSE : GL_TRUE);
        glDepthRangef(choose_.real(0, 0.3f), choose_.real(0.6f, 1));
        toggle(GL_STENCIL_TEST, 4);
        for (const GLenum face : {GL_FRONT, GL_BACK}) {
            glStencilFuncSeparate(face, choose_.of(kTests), choose_.below(4), static_cast<GLuint>(choose_.below(256)));
            glStencilOpSeparate(face, choose_.of(kActions), choose_.of(kActions), choose_.of(kActions));
            glStencilMaskSeparate(face, static_cast<GLuint>(choose_.below(256)));
        }
    }

    void setBlending() {
        static constexpr GLenum kFactors[] = {GL_ZERO,           GL_ONE,
                                              GL_SRC_COLOR,      GL_ONE_MINUS_SRC_COLOR,
                                              GL_DST_COLOR,      GL_ONE_MINUS_DST_COLOR,
                                              GL_SRC_ALPHA,      GL_ONE_MINUS_SRC_ALPHA,
                                              GL_DST_ALPHA,      GL_ONE_MINUS_DST_ALPHA,
                                              GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_COLOR,
                                              GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA,
                                              GL_SRC1_COLOR_EXT, GL_ONE_MINUS_SRC1_ALPHA_EXT};
        static constexpr GLenum kEquations[] = {GL_FUNC_ADD, GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT,
                                                GL_MIN_EXT,  GL_MAX_EXT};
        toggle(GL_BLEND, 2);
        if (choose_.oneIn(2)) {
            glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
            glBlendEquation(GL_FUNC_ADD);
        } else {
            glBlendFuncSeparate(choose_.of(kFactors), choose_.of(kFactors), choose_.of(kFactors), choose_.of(kFactors));
            glBlendEquationSeparate(choose_.of(kEquations), choose_.of(kEquations));
        }
        glBlendColor(choose_.real(0, 1), choose_.real(0, 1), choose_.real(0, 1), choose_.real(0, 1));
        const auto mask = [&] { return static_cast<GLboolean>(choose_.oneIn(8) ? GL_FALSE : GL_TRUE); };
        const GLboolean red = mask(), green = mask(), blue = mask(), alpha = mask();
        glColorMask(red, green, blue, alpha);
        choose_.oneIn(3) ? glDisable(GL_DITHER) : glEnable(GL_DITHER);
    }

    void drawPrimitives() {
        static constexpr GLenum kPrimitives[] = {GL_TRIANGLES,      GL_TRIANGLES,    GL_TRIANGLES,
                                                 GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN, GL_LINES,
                                                 GL_LINE_STRIP,     GL_LINE_LOOP,    GL_POINTS};
        const int count = choose_.between(3, 36);
        std::vector<float> vertices;
        for (int i = 0; i < count; ++i) {
            const float w = choose_.oneIn(3) ? choose_.real(0.2f, 3) : 1;
            for (const float high : {1.3f, 1.3f, 1.05f}) vertices.push_back(choose_.real(-high, high) * w);
            vertices.push_back(choose_.oneIn(20) ? -w : w);
            for (int k = 0; k < 4; ++k) vertices.push_back(choose_.real(-1, 2));
            for (int k = 0; k < 2; ++k) vertices.push_back(choose_.real(-1, 3));
        }
        constexpr GLsizei kStride = 10 * sizeof(float);
        constexpr std::pair<GLint, size_t> kArrays[] = {{4, 0}, {4, 4}, {2, 8}};
        for (GLuint i = 0; i < 3; ++i) {
            glVertexAttribPointer(i, kArrays[i].first, GL_FLOAT, GL_FALSE, kStride,
                                  vertices.data() + kArrays[i].second);
            glEnableVertexAttribArray(i);
        }
        const GLenum primitive = choose_.of(kPrimitives);
        if (choose_.oneIn(3)) {
            std::vector<uint16_t> indices(static_cast<size_t>(choose_.between(3, 60)));
            for (uint16_t& index : indices) index = static_cast<uint16_t>(choose_.below(count));
            glDrawElements(primitive, static_cast<GLsizei>(indices.size()), GL_UNSIGNED_SHORT, indices.data());
        } else {
            glDrawArrays(primitive, 0, count);
        }
    }

    uint64_t readBack() {
        std::vector<uint8_t> pixels(size_t{kSide} * kSide * 4);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        uint64_t hash = 0xCBF29CE484222325u;
        for (const uint8_t byte : pixels) hash = (hash ^ byte) * 0x100000001B3u;
        return hash;
    }

    Chooser choose_;
    GLuint program_ = 0, textures_[2] = {}, renderbuffers_[2] = {}, framebuffers_[2] = {};
};

}  // namespace

SceneResult drawScene(uint64_t seed, bool nearBudget, std::string* shaders) {
    return Scene(seed).draw(nearBudget, shaders);
}

}  // namespace determinism
