#include "tests/gles/fixture.h"

#include <GLES3/gl3.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "api/gles/driver.h"
#include "api/gles1/gles1.h"
#include "shader-core/tier/jit_library.h"
#include "shader-core/tier/tier.h"

namespace tessera::gles_test {

struct TestContext::Impl {
    std::shared_ptr<gles::Context> context;
    std::shared_ptr<gles::Drawable> drawable;
};

namespace {

std::shared_ptr<gles::Drawable> makeDrawable(const ContextSettings& settings) {
    auto drawable = std::make_shared<gles::Drawable>();
    drawable->width = settings.width;
    drawable->height = settings.height;
    // As EGL makes them: a surface of no size still has an image.
    int width = std::max(settings.width, 1), height = std::max(settings.height, 1);
    drawable->color = std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, width, height);
    if (settings.depthStencil)
        drawable->depthStencil = std::make_shared<texture::Image>(texture::PixelFormat::Depth24Stencil8, width, height);
    if (!settings.depthStencil) drawable->depthBits = drawable->stencilBits = 0;
    return drawable;
}

tier::Tier tierUnderTest() { return tier::tierFromEnvironment(tier::Tier::Interp); }

}  // namespace

std::string tierName() { return std::string(tier::kTierNames[static_cast<size_t>(tierUnderTest())]); }

TestContext::TestContext(const ContextSettings& settings)
    : impl_(std::make_unique<Impl>()), width_(settings.width), height_(settings.height) {
    [[maybe_unused]] static const bool kInstalled = [] {
        const tier::Tier tier = tierUnderTest();
        std::string why;
        // Without the JIT the other tiers interpret, and would be tested by nothing.
        if (tier != tier::Tier::Interp && tier::openJit(&why) == nullptr) FAIL(why);
        gles::setExecutorFactory([tier] { return tier::makeExecutor(tier); });
        return true;
    }();
    gles::ContextOptions options;
    options.version = std::max(settings.version, 2);
    if (settings.version == 1) options.makeFixedFunction = gles1::makeFixedFunction;
    options.resetNotification = settings.resetNotification;
    if (settings.share) options.share = settings.share->impl_->context;
    impl_->context = gles::createContext(options);
    if (settings.surface) impl_->drawable = makeDrawable(settings);
    makeCurrent();
}

TestContext::~TestContext() { makeNoneCurrent(); }

void TestContext::makeCurrent() const { gles::makeCurrent(impl_->context, impl_->drawable, impl_->drawable); }

void TestContext::makeNoneCurrent() { gles::makeCurrent(nullptr, nullptr, nullptr); }

const std::shared_ptr<gles::Context>& TestContext::context() const { return impl_->context; }
const std::shared_ptr<gles::Drawable>& TestContext::drawable() const { return impl_->drawable; }

Rgba pixelAt(int x, int y) {
    Rgba pixel{};
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
    return pixel;
}

uint32_t packedPixelAt(int x, int y) {
    uint32_t pixel = 0xDEADBEEF;
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &pixel);
    return pixel;
}

GLint getInt(GLenum pname) {
    GLint value = -12345;
    glGetIntegerv(pname, &value);
    return value;
}

std::vector<Rgba> readRect(int x, int y, int width, int height) {
    std::vector<Rgba> pixels(static_cast<size_t>(width) * static_cast<size_t>(height));
    glReadPixels(x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    return pixels;
}

void finishAllContexts() {
    pipeline::Gpu& gpu = gles::Driver::instance().gpu();
    gpu.beforeFork();
    gpu.afterForkInParent();
}

uint64_t drawnFragments() { return gles::Driver::instance().gpu().counters().fragments; }

bool near(const Rgba& a, const Rgba& b, int tolerance) {
    for (size_t i = 0; i < 4; ++i)
        if (std::abs(a[i] - b[i]) > tolerance) return false;
    return true;
}

const char* const kPassVertex = "attribute vec4 position; void main() { gl_Position = position; }";
const char* const kColorFragment = "precision highp float; uniform vec4 color; void main() { gl_FragColor = color; }";

GLuint makeShader(GLenum type, const std::string& source) {
    GLuint shader = glCreateShader(type);
    const char* text = source.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled == GL_TRUE) return shader;
    std::string log(4096, '\0');
    glGetShaderInfoLog(shader, 4096, nullptr, log.data());
    MESSAGE("does not compile: " << std::string(log.c_str()) << "\n" << source);
    glDeleteShader(shader);
    return 0;
}

bool compiles(GLenum type, const std::string& source) {
    const GLuint shader = glCreateShader(type);
    const char* text = source.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    glDeleteShader(shader);
    return compiled == GL_TRUE;
}

GLuint reloaded(GLuint program) {
    GLint size = 0;
    glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &size);
    std::vector<std::byte> binary(static_cast<size_t>(size));
    GLenum format = GL_NONE;
    glGetProgramBinary(program, size, nullptr, &format, binary.data());
    const GLuint loaded = glCreateProgram();
    glProgramBinary(loaded, format, binary.data(), size);
    return loaded;
}

GLuint makeProgram(const std::string& vertex, const std::string& fragment) {
    GLuint vertexShader = makeShader(GL_VERTEX_SHADER, vertex);
    GLuint fragmentShader = makeShader(GL_FRAGMENT_SHADER, fragment);
    if (vertexShader == 0 || fragmentShader == 0) return 0;
    GLuint program = glCreateProgram();
    glAttachShader(program, vertexShader);
    glAttachShader(program, fragmentShader);
    glBindAttribLocation(program, 0, "position");
    glLinkProgram(program);
    glDeleteShader(vertexShader);
    glDeleteShader(fragmentShader);
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked == GL_TRUE) return program;
    std::string log(4096, '\0');
    glGetProgramInfoLog(program, 4096, nullptr, log.data());
    MESSAGE("does not link: " << std::string(log.c_str()));
    glDeleteProgram(program);
    return 0;
}

GLuint useProgram(const std::string& vertex, const std::string& fragment) {
    GLuint program = makeProgram(vertex, fragment);
    REQUIRE(program != 0);
    glUseProgram(program);
    return program;
}

void drawQuad(float z) {
    const GLfloat corners[4][3] = {{-1, -1, z}, {1, -1, z}, {-1, 1, z}, {1, 1, z}};
    GLint arrayBuffer = 0;
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &arrayBuffer);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableVertexAttribArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, static_cast<GLuint>(arrayBuffer));
}

ColorTarget::ColorTarget(GLenum internalformat, int width, int height, GLenum depthFormat) {
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, internalformat, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    if (depthFormat != GL_NONE) {
        glGenRenderbuffers(1, &depthRenderbuffer);
        glBindRenderbuffer(GL_RENDERBUFFER, depthRenderbuffer);
        glRenderbufferStorage(GL_RENDERBUFFER, depthFormat, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depthRenderbuffer);
    }
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
}

ColorTarget::~ColorTarget() {
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &renderbuffer);
    glDeleteRenderbuffers(1, &depthRenderbuffer);
}

}  // namespace tessera::gles_test
