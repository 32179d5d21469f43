// OVR_multiview and OVR_multiview2: draws and clears go to several layers, and shaders know which one.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

constexpr GLsizei kSize = 8;

GLuint makeLayers(GLenum format, GLsizei layers) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, format, kSize, kSize, layers);
    return texture;
}

struct Views {
    GLuint framebuffer = 0, color = 0, depth = 0, single = 0;

    explicit Views(GLint first = 1, GLsizei count = 2) {
        color = makeLayers(GL_RGBA8, 4);
        depth = makeLayers(GL_DEPTH_COMPONENT24, 4);
        glGenFramebuffers(1, &framebuffer);
        glGenFramebuffers(1, &single);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glFramebufferTextureMultiviewOVR(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, color, 0, first, count);
        glFramebufferTextureMultiviewOVR(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, depth, 0, first, count);
        glViewport(0, 0, kSize, kSize);
    }
    [[nodiscard]] Rgba pixel(GLint layer, int x, int y) const {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, single);
        glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, color, 0, layer);
        const Rgba read = pixelAt(x, y);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
        return read;
    }
};

const std::string kHead = "#version 300 es\n#extension GL_OVR_multiview2 : require\n";
const std::string kVertex = kHead +
                            "layout(num_views = 2) in;\nin vec4 position; flat out uint seen;\n"
                            "void main() { seen = gl_ViewID_OVR; gl_Position = position;"
                            " if (gl_ViewID_OVR == 1u) gl_Position.x = position.x * 0.5 + 0.5 * position.w; }";
const std::string kFragment = kHead +
                              "precision highp float; flat in uint seen; out vec4 color;\n"
                              "void main() { color = vec4(float(seen), float(gl_ViewID_OVR), 1.0, 1.0); }";

}  // namespace

TEST_CASE("a draw and a clear go to every view, each with its number") {
    TestContext context(kEs3);
    CHECK(getInt(GL_MAX_VIEWS_OVR) == 4);
    const Views views;
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const GLuint program = useProgram(kVertex, kFragment);
    glEnable(GL_DEPTH_TEST);
    for (int i = 0; i < 2; ++i) drawQuad();  // the second is hidden
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(views.pixel(0, 1, 1) == Rgba{0, 0, 0, 0});
    CHECK(views.pixel(1, 1, 1) == Rgba{0, 0, 255, 255});
    CHECK(views.pixel(1, 6, 1) == Rgba{0, 0, 255, 255});
    CHECK(views.pixel(2, 1, 1) == Rgba{0, 255, 0, 255});
    CHECK(views.pixel(2, 6, 1) == Rgba{255, 255, 255, 255});
    CHECK(views.pixel(3, 1, 1) == Rgba{0, 0, 0, 0});
    // The number is nobody's uniform.
    GLint uniforms = -1;
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &uniforms);
    CHECK(uniforms == 0);
    CHECK(glGetUniformLocation(program, "gl_ViewID_OVR") == -1);
    const GLfloat grey[] = {0.2f, 0.2f, 0.2f, 1};
    glClearBufferfv(GL_COLOR, 0, grey);
    for (const GLint layer : {1, 2}) CHECK(views.pixel(layer, 3, 3) == Rgba{51, 51, 51, 255});
    // A binary remembers for how many views it is.
    glUseProgram(reloaded(program));
    glDisable(GL_DEPTH_TEST);
    drawQuad();
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(views.pixel(2, 6, 1) == Rgba{255, 255, 255, 255});
}

TEST_CASE("views: what may be attached, read and drawn with") {
    TestContext context(kEs3);
    const Views views;
    GLint value = -1;
    const auto parameter = [&](GLenum name) {
        glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, name, &value);
        return value;
    };
    CHECK(parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR) == 2);
    CHECK(parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_BASE_VIEW_INDEX_OVR) == 1);
    CHECK(parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER) == 1);
    const auto attach = [&](GLuint texture, GLint first, GLsizei count, GLint level = 0) {
        glFramebufferTextureMultiviewOVR(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, level, first, count);
        return glGetError();
    };
    CHECK(attach(views.color, -1, 2) == GL_INVALID_VALUE);
    CHECK(attach(views.color, 0, 0) == GL_INVALID_VALUE);
    CHECK(attach(views.color, 0, 5) == GL_INVALID_VALUE);
    CHECK(attach(views.color, 2047, 2) == GL_INVALID_VALUE);
    CHECK(attach(views.color, 0, 2, -1) == GL_INVALID_VALUE);
    CHECK(attach(77, 0, 2) == GL_INVALID_OPERATION);
    GLuint flat = 0;
    glGenTextures(1, &flat);
    glBindTexture(GL_TEXTURE_2D, flat);
    CHECK(attach(flat, 0, 2) == GL_INVALID_OPERATION);
    CHECK(attach(views.color, 3, 2) == GL_NO_ERROR);  // there are four layers
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    CHECK(attach(views.color, 0, 3) == GL_NO_ERROR);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR);
    CHECK(attach(views.color, 0, 2) == GL_NO_ERROR);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    // Several views are not read.
    uint32_t pixel = 0;
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &pixel);
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 4, 4, 0);
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
    glBlitFramebuffer(0, 0, 4, 4, 4, 4, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
    // Programs are for as many views as the framebuffer has.
    const auto drawError = [] {
        drawQuad();
        return glGetError();
    };
    const GLuint two = useProgram(kVertex, kFragment);
    CHECK(drawError() == GL_NO_ERROR);
    useProgram(kPassVertex, kColorFragment);
    CHECK(drawError() == GL_INVALID_OPERATION);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    CHECK(drawError() == GL_NO_ERROR);
    glUseProgram(two);
    CHECK(drawError() == GL_INVALID_OPERATION);
    const std::string rest = "void main() { gl_Position = vec4(0.0); }";
    CHECK(compiles(GL_VERTEX_SHADER, kHead + "layout(num_views = 4) in; layout(num_views = 4) in;" + rest));
    CHECK_FALSE(compiles(GL_VERTEX_SHADER, kHead + "layout(num_views = 0) in;" + rest));
    CHECK_FALSE(compiles(GL_VERTEX_SHADER, kHead + "layout(num_views = 5) in;" + rest));
    CHECK_FALSE(compiles(GL_VERTEX_SHADER, kHead + "layout(num_views = 2) in; layout(num_views = 3) in;" + rest));
    CHECK_FALSE(compiles(GL_VERTEX_SHADER, "#version 300 es\nlayout(num_views = 2) in;" + rest));
    CHECK_FALSE(compiles(GL_VERTEX_SHADER, kHead + "void main() { gl_ViewID_OVR = 1u; gl_Position = vec4(0.0); }"));
}

TEST_CASE("views: a blit goes to the first, whatever was drawn before, and none is captured") {
    TestContext context(kEs3);
    const Views views;
    const GLfloat grey[] = {0.2f, 0.2f, 0.2f, 1};
    glClearBufferfv(GL_COLOR, 0, grey);
    GLuint source = 0;
    glGenRenderbuffers(1, &source);
    glBindRenderbuffer(GL_RENDERBUFFER, source);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, kSize, kSize);
    GLuint from = 0;
    glGenFramebuffers(1, &from);
    glBindFramebuffer(GL_FRAMEBUFFER, from);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, source);
    const GLfloat red[] = {1, 0, 0, 1};
    glClearBufferfv(GL_COLOR, 0, red);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, views.framebuffer);
    glBlitFramebuffer(0, 0, kSize, kSize, 0, 0, kSize, kSize, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(views.pixel(1, 3, 3) == Rgba{255, 0, 0, 255});
    CHECK(views.pixel(2, 3, 3) == Rgba{51, 51, 51, 255});

    const GLuint program = glCreateProgram();
    for (const auto& [type, text] : {std::pair(GL_VERTEX_SHADER, kVertex), std::pair(GL_FRAGMENT_SHADER, kFragment)})
        glAttachShader(program, makeShader(static_cast<GLenum>(type), text));
    const char* const position = "gl_Position";
    glTransformFeedbackVaryings(program, 1, &position, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glUseProgram(program);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 1024, nullptr, GL_STATIC_READ);
    glBeginTransformFeedback(GL_POINTS);
    CHECK(glGetError() == GL_NO_ERROR);
    glDrawArrays(GL_POINTS, 0, 1);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glPauseTransformFeedback();
    glDrawArrays(GL_POINTS, 0, 1);
    CHECK(glGetError() == GL_NO_ERROR);
    glEndTransformFeedback();
}

TEST_CASE("views with samples: each layer is what is drawn to with samples alone") {
    TestContext context(kEs3);
    const Views views;
    constexpr GLfloat kTriangle[] = {-1, -1, 1, -1, -1, 0.7f};
    const auto draw = [&] {
        glClearColor(0, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glEnable(GL_DEPTH_TEST);
        glEnableVertexAttribArray(0);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kTriangle);
        for (int i = 0; i < 2; ++i) glDrawArrays(GL_TRIANGLES, 0, 3);  // the second is hidden
    };
    const auto attach = [](GLenum point, GLuint texture, GLsizei samples) {
        glFramebufferTextureMultisampleMultiviewOVR(GL_FRAMEBUFFER, point, texture, 0, samples, 1, 2);
        return glGetError();
    };
    CHECK(attach(GL_COLOR_ATTACHMENT0, views.color, 5) == GL_INVALID_VALUE);
    CHECK(attach(GL_COLOR_ATTACHMENT0, views.color, -1) == GL_INVALID_VALUE);
    CHECK(attach(GL_COLOR_ATTACHMENT0, views.color, 2) == GL_NO_ERROR);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE_EXT);
    CHECK(attach(GL_DEPTH_ATTACHMENT, views.depth, 2) == GL_NO_ERROR);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    GLint samples = 0;
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_SAMPLES_EXT, &samples);
    CHECK(samples == 4);
    useProgram(kVertex, kFragment);
    draw();
    std::array<std::vector<Rgba>, 2> drawn;
    for (GLint view = 0; view < 2; ++view)
        for (int i = 0; i < kSize * kSize; ++i)
            drawn[static_cast<size_t>(view)].push_back(views.pixel(view + 1, i % kSize, i / kSize));
    // The same alone, of a texture with samples.
    GLuint flat = 0, depth = 0;
    glGenTextures(1, &flat);
    glBindTexture(GL_TEXTURE_2D, flat);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, kSize, kSize);
    glGenTextures(1, &depth);
    glBindTexture(GL_TEXTURE_2D, depth);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH_COMPONENT24, kSize, kSize);
    glBindFramebuffer(GL_FRAMEBUFFER, views.single);
    glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, flat, 0, 4);
    glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0, 4);
    for (int view = 0; view < 2; ++view) {
        const std::string number = std::to_string(view);
        useProgram("#version 300 es\nin vec4 position; void main() { gl_Position = position;" +
                       std::string(view == 1 ? "gl_Position.x = position.x * 0.5 + 0.5 * position.w;" : "") + " }",
                   "#version 300 es\nprecision highp float; out vec4 color; void main() { color = vec4(" + number +
                       ".0, " + number + ".0, 1.0, 1.0); }");
        draw();
        const std::vector<Rgba> alone = readRect(0, 0, kSize, kSize);
        CHECK(drawn[static_cast<size_t>(view)] == alone);
        CHECK(std::ranges::any_of(alone, [](const Rgba& pixel) { return pixel[2] != 0 && pixel[2] != 255; }));
    }
    CHECK(glGetError() == GL_NO_ERROR);
}
