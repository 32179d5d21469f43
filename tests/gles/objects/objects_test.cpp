// Object names, lifetimes and deletion (sections 2.9, 2.10, 3.7.13, 4.4.2, appendix C), and sharing between contexts.
#include <thread>

#include "tests/gles/api_test.h"

using namespace tessera::gles_test;

namespace {

/// The four kinds of objects with glGen* and glBind*.
struct Kind {
    const char* name;
    void (*generate)(GLsizei, GLuint*);
    void (*erase)(GLsizei, const GLuint*);
    GLboolean (*exists)(GLuint);
    void (*bind)(GLuint);
    GLenum binding;
    bool shared;
};
const Kind kKinds[] = {
    {"buffer", glGenBuffers, glDeleteBuffers, glIsBuffer, [](GLuint n) { glBindBuffer(GL_ARRAY_BUFFER, n); },
     GL_ARRAY_BUFFER_BINDING, true},
    {"texture", glGenTextures, glDeleteTextures, glIsTexture, [](GLuint n) { glBindTexture(GL_TEXTURE_2D, n); },
     GL_TEXTURE_BINDING_2D, true},
    {"renderbuffer", glGenRenderbuffers, glDeleteRenderbuffers, glIsRenderbuffer,
     [](GLuint n) { glBindRenderbuffer(GL_RENDERBUFFER, n); }, GL_RENDERBUFFER_BINDING, true},
    {"framebuffer", glGenFramebuffers, glDeleteFramebuffers, glIsFramebuffer,
     [](GLuint n) { glBindFramebuffer(GL_FRAMEBUFFER, n); }, GL_FRAMEBUFFER_BINDING, false},
};

GLuint boundName(GLenum binding) {
    GLint value = -1;
    glGetIntegerv(binding, &value);
    return static_cast<GLuint>(value);
}

GLint programValue(GLuint program, GLenum name) {
    GLint value = -1;
    glGetProgramiv(program, name, &value);
    return value;
}

GLint shaderValue(GLuint shader, GLenum name) {
    GLint value = -1;
    glGetShaderiv(shader, name, &value);
    return value;
}

}  // namespace

TEST_CASE("a generated name becomes an object when it is bound") {
    TestContext context;
    for (const Kind& kind : kKinds) {
        CAPTURE(kind.name);
        GLuint names[3] = {};
        kind.generate(3, names);
        CHECK(names[0] != 0);
        CHECK(names[0] != names[1]);
        CHECK(names[1] != names[2]);
        CHECK(kind.exists(names[1]) == GL_FALSE);
        kind.bind(names[1]);
        CHECK(kind.exists(names[1]) == GL_TRUE);
        CHECK(boundName(kind.binding) == names[1]);
        kind.bind(0);
        CHECK(kind.exists(names[1]) == GL_TRUE);
        kind.erase(1, &names[1]);
        CHECK(kind.exists(names[1]) == GL_FALSE);
        // A name of the application's own choice works too, and is not generated later.
        kind.bind(names[2] + 1);
        CHECK(kind.exists(names[2] + 1) == GL_TRUE);
        GLuint next[4] = {};
        kind.generate(4, next);
        for (GLuint name : next) CHECK(name != names[2] + 1);
        kind.bind(0);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a deleted object loses its bindings; binding its name again makes a new one") {
    TestContext context;
    for (const Kind& kind : kKinds) {
        CAPTURE(kind.name);
        GLuint name = 0;
        kind.generate(1, &name);
        kind.bind(name);
        kind.erase(1, &name);
        CHECK(boundName(kind.binding) == 0);
        CHECK(kind.exists(name) == GL_FALSE);
        kind.bind(name);
        CHECK(kind.exists(name) == GL_TRUE);
        kind.erase(1, &name);
    }
    // What it held is gone.
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, 32, nullptr, GL_STREAM_DRAW);
    glDeleteBuffers(1, &buffer);
    CHECK(boundName(GL_ELEMENT_ARRAY_BUFFER_BINDING) == 0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    GLint size = -1;
    glGetBufferParameteriv(GL_ELEMENT_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    CHECK(size == 0);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glDeleteTextures(1, &texture);
    glBindTexture(GL_TEXTURE_CUBE_MAP, texture);  // the new object may have another target
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("deleting a texture frees it from every unit") {
    TestContext context;
    for (auto [target, binding] : {std::pair{GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D},
                                   std::pair{GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP}}) {
        GLuint textures[2] = {};
        glGenTextures(2, textures);
        for (GLenum unit : {GL_TEXTURE0, GL_TEXTURE9, GL_TEXTURE31}) {
            glActiveTexture(unit);
            glBindTexture(static_cast<GLenum>(target), textures[unit == GL_TEXTURE9]);
        }
        glDeleteTextures(1, &textures[0]);
        for (GLenum unit : {GL_TEXTURE0, GL_TEXTURE9, GL_TEXTURE31}) {
            glActiveTexture(unit);
            CHECK(boundName(static_cast<GLenum>(binding)) == (unit == GL_TEXTURE9 ? textures[1] : 0));
        }
    }
}

TEST_CASE("deleting a buffer frees it from the vertex attributes of the current context") {
    TestContext context;
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    glDeleteBuffers(1, &buffer);
    GLint bound = -1;
    glGetVertexAttribiv(3, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &bound);
    CHECK(bound == 0);
}

TEST_CASE("deleted attachments leave the bound framebuffer only") {
    TestContext context;
    GLuint framebuffers[2] = {}, renderbuffer = 0;
    glGenFramebuffers(2, framebuffers);
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB565, 4, 4);
    for (GLuint framebuffer : framebuffers) {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    }
    glDeleteRenderbuffers(1, &renderbuffer);
    auto attachedType = [] {
        GLint type = -1;
        glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                              GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
        return type;
    };
    CHECK(attachedType() == GL_NONE);
    CHECK(glIsRenderbuffer(renderbuffer) == GL_FALSE);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
    CHECK(attachedType() == GL_RENDERBUFFER);  // kept alive by the framebuffer that was not bound
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(pixelAt(1, 1) == Rgba{255, 0, 0, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("shaders live as long as they are attached") {
    TestContext context;
    GLuint program = glCreateProgram();
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    glAttachShader(program, shader);
    CHECK(programValue(program, GL_ATTACHED_SHADERS) == 1);
    glDeleteShader(shader);
    CHECK(glIsShader(shader) == GL_TRUE);
    CHECK(shaderValue(shader, GL_DELETE_STATUS) == GL_TRUE);
    glDeleteShader(shader);  // again: still only flagged
    CHECK(glGetError() == GL_NO_ERROR);
    GLuint names[2] = {};
    GLsizei count = 0;
    glGetAttachedShaders(program, 2, &count, names);
    CHECK(count == 1);
    CHECK(names[0] == shader);
    glDetachShader(program, shader);
    CHECK(glIsShader(shader) == GL_FALSE);
    CHECK(programValue(program, GL_ATTACHED_SHADERS) == 0);

    // Attached to two programs, it needs both to let go; deleting a program detaches.
    GLuint another = glCreateProgram();
    shader = glCreateShader(GL_FRAGMENT_SHADER);
    glAttachShader(program, shader);
    glAttachShader(another, shader);
    glDeleteShader(shader);
    glDetachShader(program, shader);
    CHECK(glIsShader(shader) == GL_TRUE);
    glDeleteProgram(another);
    CHECK(glIsShader(shader) == GL_FALSE);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("shader names are not reused while they are in use, and one name space serves shaders and programs") {
    TestContext context;
    std::set<GLuint> names;
    for (int i = 0; i < 20; ++i) {
        CHECK(names.insert(glCreateShader(GL_VERTEX_SHADER)).second);
        CHECK(names.insert(glCreateProgram()).second);
    }
}

TEST_CASE("a program in use is deleted when it is used no longer") {
    TestContext context;
    GLuint program = makeProgram(kPassVertex, kColorFragment);
    GLuint next = makeProgram(kPassVertex, kColorFragment);
    glUseProgram(program);
    glDeleteProgram(program);
    CHECK(glIsProgram(program) == GL_TRUE);
    CHECK(programValue(program, GL_DELETE_STATUS) == GL_TRUE);
    CHECK(boundName(GL_CURRENT_PROGRAM) == program);
    CHECK(glGetUniformLocation(program, "color") >= 0);  // still works
    glUseProgram(next);
    CHECK(glIsProgram(program) == GL_FALSE);
    glUseProgram(0);
    CHECK(glIsProgram(next) == GL_TRUE);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("contexts share what appendix C says") {
    TestContext first;
    for (const Kind& kind : kKinds) {
        CAPTURE(kind.name);
        first.makeCurrent();
        GLuint name = 0;
        kind.generate(1, &name);
        kind.bind(name);
        TestContext second({.share = &first}), stranger;
        CHECK(kind.exists(name) == GL_FALSE);  // the stranger's
        second.makeCurrent();
        CHECK(kind.exists(name) == (kind.shared ? GL_TRUE : GL_FALSE));
        CHECK(boundName(kind.binding) == 0);
        if (!kind.shared) continue;
        // Deleted here, it stays bound there until unbound; the name is free at once.
        kind.erase(1, &name);
        CHECK(kind.exists(name) == GL_FALSE);
        first.makeCurrent();
        CHECK(boundName(kind.binding) == name);
        kind.bind(0);
        CHECK(kind.exists(name) == GL_FALSE);
    }
    first.makeCurrent();
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("programs and their uniforms are shared") {
    TestContext first;
    GLuint program = useProgram(kPassVertex, kColorFragment);
    GLint color = glGetUniformLocation(program, "color");
    glUniform4f(color, 1, 2, 3, 4);
    TestContext second({.share = &first});
    CHECK(glIsProgram(program) == GL_TRUE);
    CHECK(boundName(GL_CURRENT_PROGRAM) == 0);
    GLfloat values[4] = {};
    glGetUniformfv(program, color, values);
    CHECK(values[2] == 3);
    glDeleteProgram(program);
    CHECK(glIsProgram(program) == GL_TRUE);  // the first context has it current
    first.makeCurrent();
    CHECK(boundName(GL_CURRENT_PROGRAM) == program);
    glUseProgram(0);
    CHECK(glIsProgram(program) == GL_FALSE);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a share group outlives the context that began it") {
    GLuint buffer = 0, program = 0;
    auto first = std::make_unique<TestContext>();
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 12, nullptr, GL_STATIC_DRAW);
    program = useProgram(kPassVertex, kColorFragment);
    glDeleteProgram(program);
    TestContext second({.share = first.get()});
    CHECK(glIsProgram(program) == GL_TRUE);
    first.reset();
    second.makeCurrent();
    CHECK(glIsProgram(program) == GL_FALSE);  // nobody uses it any more
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    GLint size = 0;
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    CHECK(size == 12);
}

TEST_CASE("changes made in one context are seen in another after a finish") {
    TestContext first;
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const Rgba red = {255, 0, 0, 255}, green = {0, 255, 0, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, red.data());
    TestContext second({.share = &first});
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, green.data());
    glFinish();
    first.makeCurrent();
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    CHECK(pixelAt(0, 0) == green);
}

TEST_CASE("two threads use a context each") {
    TestContext first;
    TestContext second({.share = &first});
    TestContext::makeNoneCurrent();
    auto work = [](const TestContext& context, GLfloat red) {
        context.makeCurrent();
        bool good = true;
        for (int i = 0; i < 50; ++i) {
            GLuint texture = 0;
            glGenTextures(1, &texture);
            glBindTexture(GL_TEXTURE_2D, texture);
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
            glClearColor(red, 0, 0, 1);
            glClear(GL_COLOR_BUFFER_BIT);
            good = good && pixelAt(3, 3)[0] == (red > 0 ? 255 : 0);
            glDeleteTextures(1, &texture);
        }
        good = good && glGetError() == GL_NO_ERROR;
        TestContext::makeNoneCurrent();
        return good;
    };
    bool firstGood = false, secondGood = false;
    std::thread other([&] { secondGood = work(second, 1); });
    firstGood = work(first, 0);
    other.join();
    CHECK(firstGood);
    CHECK(secondGood);
}
