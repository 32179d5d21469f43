// OES_EGL_image and OES_EGL_image_external, with images that a test makes instead of EGL.
#include "api/gles/gles.h"
#include "api/gles/textures/sharing.h"
#include "tests/gles/fixture.h"

using namespace tessera;
using namespace tessera::gles;
using namespace tessera::gles_test;

namespace {

/// One image that any non-null handle means.
std::shared_ptr<SharedImage> installImage() {
    auto shared = std::make_shared<SharedImage>();
    shared->image = std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, 2, 1);
    shared->image->setTexel32(0, 0, 0xFF0000FFu);
    shared->image->setTexel32(1, 0, 0xFF00FF00u);
    setImageLookup([shared](void* handle) { return handle ? shared : nullptr; });
    return shared;
}

int handle;

struct LookupGuard {
    ~LookupGuard() { setImageLookup(nullptr); }
};

}  // namespace

TEST_CASE("OES_EGL_image_external: sampled, filtered, clamped") {
    TestContext context(kLarge);
    LookupGuard guard;
    auto shared = installImage();
    GLuint program = makeProgram(kPassVertex, R"(
#extension GL_OES_EGL_image_external : require
precision mediump float;
uniform samplerExternalOES image;
uniform vec2 at;
void main() { gl_FragColor = texture2D(image, at); }
)");
    glUseProgram(program);
    GLint size = 0;
    GLenum type = 0;
    char name[16];
    for (GLuint i = 0; i < 2; ++i) {
        glGetActiveUniform(program, i, sizeof name, nullptr, &size, &type, name);
        if (std::string(name) == "image") CHECK(type == GL_SAMPLER_EXTERNAL_OES);
    }
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glEnableVertexAttribArray(0);
    auto read = [&](GLfloat s) {
        glUniform2f(glGetUniformLocation(program, "at"), s, 0.5f);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        return packedPixelAt(1, 1);
    };
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_EXTERNAL_OES, texture);
    CHECK(getInt(GL_TEXTURE_BINDING_EXTERNAL_OES) == static_cast<GLint>(texture));
    CHECK(getInt(GL_TEXTURE_BINDING_2D) == 0);
    CHECK(read(0.5f) == 0xFF000000u);  // no image yet
    glEGLImageTargetTexture2DOES(GL_TEXTURE_EXTERNAL_OES, &handle);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(read(0.25f) == 0xFF0000FFu);
    CHECK(read(2.0f) == 0xFF00FF00u);
    CHECK(read(0.5f) == 0xFF008080u);  // linear at first
    glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    CHECK(read(0.75f) == 0xFF00FF00u);
    CHECK(glGetError() == GL_NO_ERROR);
    glDeleteTextures(1, &texture);
    CHECK(getInt(GL_TEXTURE_BINDING_EXTERNAL_OES) == 0);
    CHECK(read(0.25f) == 0xFF000000u);
}

TEST_CASE("OES_EGL_image_external: parameters and errors") {
    TestContext context(kLarge);
    LookupGuard guard;
    auto shared = installImage();
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_EXTERNAL_OES, texture);
    auto parameter = [](GLenum pname) {
        GLint value = -1;
        glGetTexParameteriv(GL_TEXTURE_EXTERNAL_OES, pname, &value);
        return value;
    };
    CHECK(parameter(GL_TEXTURE_MIN_FILTER) == GL_LINEAR);
    CHECK(parameter(GL_TEXTURE_MAG_FILTER) == GL_LINEAR);
    CHECK(parameter(GL_TEXTURE_WRAP_S) == GL_CLAMP_TO_EDGE);
    CHECK(parameter(GL_TEXTURE_WRAP_T) == GL_CLAMP_TO_EDGE);
    CHECK(parameter(GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES) == 1);
    auto set = [](GLenum pname, GLint value) {
        glTexParameteri(GL_TEXTURE_EXTERNAL_OES, pname, value);
        return glGetError();
    };
    CHECK(set(GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR) == GL_INVALID_ENUM);
    CHECK(set(GL_TEXTURE_WRAP_S, GL_REPEAT) == GL_INVALID_ENUM);
    CHECK(set(GL_TEXTURE_WRAP_T, GL_MIRRORED_REPEAT) == GL_INVALID_ENUM);
    CHECK(set(GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE) == GL_NO_ERROR);
    glTexImage2D(GL_TEXTURE_EXTERNAL_OES, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexSubImage2D(GL_TEXTURE_EXTERNAL_OES, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &handle);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glCopyTexImage2D(GL_TEXTURE_EXTERNAL_OES, 0, GL_RGBA, 0, 0, 1, 1, 0);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexStorage2DEXT(GL_TEXTURE_EXTERNAL_OES, 1, GL_RGBA8_OES, 1, 1);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glGenerateMipmap(GL_TEXTURE_EXTERNAL_OES);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glBindTexture(GL_TEXTURE_2D, texture);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glEGLImageTargetTexture2DOES(GL_TEXTURE_CUBE_MAP, &handle);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glEGLImageTargetTexture2DOES(GL_TEXTURE_EXTERNAL_OES, nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);
    // An immutable texture cannot become a sibling.
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8_OES, 1, 1);
    glEGLImageTargetTexture2DOES(GL_TEXTURE_2D, &handle);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("OES_EGL_image_external_essl3: lookups, texels and the size of an external image in GLSL ES 3.00") {
    TestContext context(kEs3);
    LookupGuard guard;
    auto shared = installImage();
    CHECK(std::string(reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS))).find("external_essl3") !=
          std::string::npos);
    const GLuint program =
        useProgram("#version 300 es\nin vec4 position; void main() { gl_Position = position; }", R"(#version 300 es
#extension GL_OES_EGL_image_external_essl3 : require
precision mediump float;
uniform samplerExternalOES image;
uniform int what;
out vec4 color;
void main() {
    if (what == 0) color = texture(image, vec2(0.25, 0.5));
    else if (what == 1) color = texelFetch(image, ivec2(1, 0), 0);
    else if (what == 2) color = vec4(vec2(textureSize(image, 0)) / 4.0, 0.0, 1.0);
    else color = textureProj(image, vec3(1.5, 1.0, 2.0));
}
)");
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_EXTERNAL_OES, texture);
    glEGLImageTargetTexture2DOES(GL_TEXTURE_EXTERNAL_OES, &handle);
    const auto draw = [&](GLint what) {
        glUniform1i(glGetUniformLocation(program, "what"), what);
        drawQuad();
        return packedPixelAt(1, 1);
    };
    CHECK(draw(0) == 0xFF0000FFu);
    CHECK(draw(1) == 0xFF00FF00u);
    CHECK(draw(2) == 0xFF004080u);
    CHECK(draw(3) == 0xFF00FF00u);
    CHECK(glGetError() == GL_NO_ERROR);
}
