// What contexts of OpenGL ES 2.0 and 3.0 say of themselves (OpenGL ES 3.0.6, section 6.1.5).
#include <GLES3/gl3.h>

#include <set>
#include <sstream>
#include <string>

#include "tests/gles/api_test.h"

using namespace tessera::gles_test;

namespace {

std::string text(GLenum name) { return reinterpret_cast<const char*>(glGetString(name)); }

std::set<std::string> listed() {
    std::istringstream list(text(GL_EXTENSIONS));
    std::set<std::string> names;
    for (std::string name; list >> name;) names.insert(name);
    return names;
}

}  // namespace

TEST_CASE("a context of OpenGL ES 3.0 says so") {
    TestContext context(kEs3);
    CHECK(text(GL_VERSION).rfind("OpenGL ES 3.0 ", 0) == 0);
    CHECK(text(GL_SHADING_LANGUAGE_VERSION).rfind("OpenGL ES GLSL ES 3.00", 0) == 0);
    CHECK(getInt(GL_MAJOR_VERSION) == 3);
    CHECK(getInt(GL_MINOR_VERSION) == 0);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a context of OpenGL ES 2.0 is none of 3.0") {
    TestContext context;
    CHECK(text(GL_VERSION).rfind("OpenGL ES 2.0 ", 0) == 0);
    CHECK(text(GL_SHADING_LANGUAGE_VERSION).rfind("OpenGL ES GLSL ES 1.00", 0) == 0);
    for (GLenum name : {GL_MAJOR_VERSION, GL_MINOR_VERSION, GL_NUM_EXTENSIONS}) {
        CHECK(getInt(name) == -12345);
        CHECK(glGetError() == GL_INVALID_ENUM);
    }
    CHECK(glGetStringi(GL_EXTENSIONS, 0) == nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("extensions one by one are those of the text") {
    TestContext context(kEs3);
    std::set<std::string> names;
    const GLint count = getInt(GL_NUM_EXTENSIONS);
    for (GLint i = 0; i < count; ++i)
        names.insert(reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(i))));
    CHECK(names.size() == static_cast<size_t>(count));
    CHECK(names == listed());
    // What is core is no extension; what is none is one.
    CHECK(names.count("GL_EXT_texture_storage") == 0);
    CHECK(names.count("GL_OES_compressed_ETC2_RGB8_texture") == 0);
    CHECK(names.count("GL_EXT_texture_filter_anisotropic") == 1);
    CHECK(names.count("GL_KHR_debug") == 1);
    CHECK(glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(count)) == nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("contexts of OpenGL ES 2.0 and 3.0 share objects") {
    TestContext old;
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 12, nullptr, GL_STATIC_DRAW);
    TestContext context({.version = 3, .share = &old});
    CHECK(glIsBuffer(buffer) == GL_TRUE);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    GLint size = 0;
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    CHECK(size == 12);
}
