// GL_TESSERA_texture_cache: the model's counters as an OpenGL ES program sees them.
#include <vector>

#include "api/gles/driver.h"
#include "api/gles/gles.h"
#include "model/texture_cache_probe.h"
#include "tests/gles/fixture.h"

using namespace tessera;
using namespace tessera::gles;
using namespace tessera::gles_test;

namespace {

GLuint makeTexture(int size) {
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    const std::vector<uint32_t> pixels(static_cast<size_t>(size) * size, 0xFF8040FF);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return name;
}

GLint ofTexture(GLenum pname) {
    GLint value = -1;
    glGetTexParameteriv(GL_TEXTURE_2D, pname, &value);
    return value;
}

}  // namespace

TEST_CASE("draws, textures and frames are counted apart") {
    static std::string reports;
    static model::TextureCacheProbe probe({[](const std::string& text) { reports += text; }, nullptr, 1});
    setTextureProbe(&probe);
    TestContext context(kLarge);
    const GLuint program = makeProgram(R"(
attribute vec4 position;
varying vec2 place;
void main() { gl_Position = position; place = position.xy * 0.5 + 0.5; }
)",
                                       R"(
precision highp float;
uniform sampler2D image;
varying vec2 place;
void main() { gl_FragColor = texture2D(image, place); }
)");
    glUseProgram(program);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glEnableVertexAttribArray(0);
    const auto draw = [] {
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glFinish();
    };

    // Every quad on the diagonal is looked up by both triangles, helper lanes included.
    constexpr int kLookups = kLarge.width * kLarge.width + kLarge.width / 2 * 4;
    // One texel for each pixel of 32 x 32: each of the sixteen engines has four blocks of 4x4 pixels and fetches a line
    // for each; where both triangles meet the second finds it there.
    const GLuint one = makeTexture(kLarge.width);
    draw();
    const GLint hits = getInt(GL_TEXTURE_CACHE_HITS_TESSERA), misses = getInt(GL_TEXTURE_CACHE_MISSES_TESSERA);
    CHECK(hits + misses == kLookups);
    CHECK(misses == 64);
    CHECK(getInt(GL_TEXTURE_CACHE_BYTES_TESSERA) == misses * 64);
    CHECK(getInt(GL_TEXTURE_CACHE_CONFLICTS_TESSERA) == 0);
    CHECK(ofTexture(GL_TEXTURE_CACHE_MISSES_TESSERA) == misses);

    const GLuint two = makeTexture(4);  // one line, which every engine fetches
    draw();
    CHECK(getInt(GL_TEXTURE_CACHE_MISSES_TESSERA) == misses + 16);
    CHECK(ofTexture(GL_TEXTURE_CACHE_MISSES_TESSERA) == 16);
    CHECK(ofTexture(GL_TEXTURE_CACHE_HITS_TESSERA) == kLookups - 16);
    draw();  // starts with empty caches
    CHECK(ofTexture(GL_TEXTURE_CACHE_MISSES_TESSERA) == 32);
    glBindTexture(GL_TEXTURE_2D, one);
    CHECK(ofTexture(GL_TEXTURE_CACHE_MISSES_TESSERA) == misses);
    CHECK(glGetError() == GL_NO_ERROR);

    endFrame(*context.context(), *context.drawable());
    endFrame(*context.context(), *context.drawable());
    glFinish();
    CHECK(reports.find("tessera: frame 1: texture cache: lookups " + std::to_string(3 * kLookups) + " ") == 0);
    CHECK(reports.find("tessera: frame 2: texture cache: lookups 0 ") != std::string::npos);
    CHECK(reports.find("texture " + std::to_string(two) + ": lookups " + std::to_string(2 * kLookups) + " hits " +
                       std::to_string(2 * kLookups - 32)) != std::string::npos);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_CACHE_BYTES_TESSERA + 1, nullptr);
    CHECK(glGetError() == GL_INVALID_ENUM);
}
