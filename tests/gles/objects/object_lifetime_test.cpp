// Names, lifetimes and sharing of objects (OpenGL ES 2.0.25, appendix C), and framebuffer completeness.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "api/gles/context/share_group.h"
#include "api/gles/gles.h"
#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

GLint attachmentParameter(GLenum attachment, GLenum pname) {
    GLint value = -1;
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, attachment, pname, &value);
    return value;
}

GLuint texture2D(GLenum format, GLenum type, int width, int height) {
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width, height, 0, format, type, nullptr);
    return name;
}

GLuint renderbufferOf(GLenum format, int width, int height) {
    GLuint name = 0;
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
    return name;
}

/// Resident, of the process.
size_t memoryInUse() {
    size_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

TEST_CASE("names exist from the first bind to the deletion, and may be made up") {
    TestContext context(kLarge);
    std::array<GLuint, 3> names{};
    glGenBuffers(3, names.data());
    CHECK((names[0] != names[1] && names[1] != names[2] && names[0] != 0));
    CHECK(glIsBuffer(names[0]) == GL_FALSE);
    glBindBuffer(GL_ARRAY_BUFFER, names[0]);
    CHECK(glIsBuffer(names[0]) == GL_TRUE);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0xFFFFFFFFu);
    CHECK(glIsBuffer(0xFFFFFFFFu) == GL_TRUE);
    GLuint more = 0;
    glGenBuffers(1, &more);
    CHECK((more != 0 && more != 0xFFFFFFFFu && more != names[2]));
    glDeleteBuffers(1, names.data());
    CHECK(getInt(GL_ARRAY_BUFFER_BINDING) == 0);
    CHECK(glIsBuffer(names[0]) == GL_FALSE);
    const GLuint nothing[] = {0, 12345};
    glDeleteTextures(2, nothing);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("buffers keep size and usage, and refuse writes beyond their end") {
    TestContext context(kLarge);
    glBindBuffer(GL_ARRAY_BUFFER, 9);
    glBufferData(GL_ARRAY_BUFFER, 10, "0123456789", GL_DYNAMIC_DRAW);
    GLint value = 0;
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &value);
    CHECK(value == 10);
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_USAGE, &value);
    CHECK(value == GL_DYNAMIC_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 10, 0, "");
    glBufferSubData(GL_ARRAY_BUFFER, 4, 6, "abcdef");
    CHECK(glGetError() == GL_NO_ERROR);
    glBufferSubData(GL_ARRAY_BUFFER, 4, 7, "abcdefg");
    CHECK(glGetError() == GL_INVALID_VALUE);
    glBufferSubData(GL_ARRAY_BUFFER, INTPTR_MAX, INTPTR_MAX, "");
    CHECK(glGetError() == GL_INVALID_VALUE);
    glBufferData(GL_ARRAY_BUFFER, INTPTR_MAX, nullptr, GL_STATIC_DRAW);
    CHECK(glGetError() == GL_OUT_OF_MEMORY);
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &value);
    CHECK(value == 10);
}

TEST_CASE("a texture has the target of its first bind") {
    TestContext context(kLarge);
    glBindTexture(GL_TEXTURE_CUBE_MAP, 5);
    glBindTexture(GL_TEXTURE_2D, 5);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(getInt(GL_TEXTURE_BINDING_2D) == 0);
    CHECK(getInt(GL_TEXTURE_BINDING_CUBE_MAP) == 5);
    glActiveTexture(GL_TEXTURE31);
    CHECK(getInt(GL_TEXTURE_BINDING_CUBE_MAP) == 0);
    glBindTexture(GL_TEXTURE_CUBE_MAP, 5);
    const GLuint name = 5;
    glDeleteTextures(1, &name);
    CHECK(getInt(GL_TEXTURE_BINDING_CUBE_MAP) == 0);
    glActiveTexture(GL_TEXTURE0);
    CHECK(getInt(GL_TEXTURE_BINDING_CUBE_MAP) == 0);
    GLint filter = 0;
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, &filter);
    CHECK(filter == GL_NEAREST_MIPMAP_LINEAR);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, static_cast<GLfloat>(GL_LINEAR));
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, &filter);
    CHECK(filter == GL_LINEAR);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("framebuffer completeness") {
    TestContext context(kLarge);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glBindFramebuffer(GL_FRAMEBUFFER, 1);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);

    GLuint color = texture2D(GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 8, 4);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(getInt(GL_RED_BITS) == 4);
    CHECK(getInt(GL_DEPTH_BITS) == 0);

    GLuint depth = renderbufferOf(GL_DEPTH_COMPONENT16, 8, 8);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, 8, 4);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(getInt(GL_DEPTH_BITS) == 16);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8_OES, 8, 4);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(getInt(GL_STENCIL_BITS) == 8);

    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, 8, 4, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a deleted attachment leaves the bound framebuffer and stays in the others") {
    TestContext context(kLarge);
    GLuint bound = texture2D(GL_RGBA, GL_UNSIGNED_BYTE, 4, 4), other = texture2D(GL_RGBA, GL_UNSIGNED_BYTE, 4, 4);
    glBindFramebuffer(GL_FRAMEBUFFER, 1);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, other, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 2);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, bound, 0);
    glDeleteTextures(1, &bound);
    glDeleteTextures(1, &other);
    CHECK(attachmentParameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) == GL_NONE);
    glBindFramebuffer(GL_FRAMEBUFFER, 1);
    CHECK(attachmentParameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) == GL_TEXTURE);
    CHECK(attachmentParameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME) ==
          static_cast<GLint>(other));
    CHECK(glIsTexture(other) == GL_FALSE);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, other, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("shader and program names linger while in use") {
    TestContext context(kLarge);
    GLuint program = makeProgram(kPassVertex, kColorFragment);
    GLuint shaders[2] = {};
    GLsizei count = 0;
    glGetAttachedShaders(program, 2, &count, shaders);
    REQUIRE(count == 2);
    GLint flag = 0;
    glGetShaderiv(shaders[0], GL_DELETE_STATUS, &flag);
    CHECK(flag == GL_TRUE);  // the fixture deleted it while attached
    glUseProgram(program);
    glDeleteProgram(program);
    CHECK(glIsProgram(program) == GL_TRUE);
    CHECK(glIsShader(shaders[0]) == GL_TRUE);
    CHECK(getInt(GL_CURRENT_PROGRAM) == static_cast<GLint>(program));
    glDetachShader(program, shaders[1]);
    CHECK(glIsShader(shaders[1]) == GL_FALSE);
    glUseProgram(0);
    CHECK(glIsProgram(program) == GL_FALSE);
    CHECK(glIsShader(shaders[0]) == GL_FALSE);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("contexts of a share group see each other's objects, but not framebuffers or bindings") {
    TestContext first(kLarge);
    GLuint texture = texture2D(GL_RGBA, GL_UNSIGNED_BYTE, 4, 4);
    glBindFramebuffer(GL_FRAMEBUFFER, 3);
    {
        TestContext second({.width = kLarge.width, .height = kLarge.height, .share = &first});
        CHECK(glIsTexture(texture) == GL_TRUE);
        CHECK(glIsFramebuffer(3) == GL_FALSE);
        CHECK(getInt(GL_TEXTURE_BINDING_2D) == 0);
        glDeleteTextures(1, &texture);
        CHECK(glIsTexture(texture) == GL_FALSE);
    }
    first.makeCurrent();
    CHECK(glIsTexture(texture) == GL_FALSE);
    CHECK(getInt(GL_TEXTURE_BINDING_2D) == static_cast<GLint>(texture));  // still bound here, without its name
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    CHECK(glGetError() == GL_NO_ERROR);
    TestContext stranger(kLarge);
    CHECK(glIsFramebuffer(3) == GL_FALSE);
    CHECK(getInt(GL_FRAMEBUFFER_BINDING) == 0);
}

TEST_CASE("a program that a destroyed context used is freed") {
    TestContext first(kLarge);
    GLuint program = makeProgram(kPassVertex, kColorFragment);
    {
        TestContext second({.width = kLarge.width, .height = kLarge.height, .share = &first});
        glUseProgram(program);
        glDeleteProgram(program);
        CHECK(glIsProgram(program) == GL_TRUE);
    }
    first.makeCurrent();
    CHECK(glIsProgram(program) == GL_FALSE);
}

TEST_CASE("what recorded commands keep of replaced buffers and images is bounded") {
    TestContext context(kLarge);
    constexpr GLsizei kSide = 2048, kBytes = kSide * kSide * 4, kTimes = 100;
    const std::vector<char> bytes(kBytes);
    const GLuint program = makeProgram(kPassVertex, kColorFragment);
    glUseProgram(program);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, kBytes, bytes.data(), GL_DYNAMIC_DRAW);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    texture2D(GL_RGBA, GL_UNSIGNED_BYTE, kSide, kSide);
    const std::function<void()> replacements[] = {
        [&] { glBufferSubData(GL_ARRAY_BUFFER, 0, 4, bytes.data()); },
        [&] { glBufferData(GL_ARRAY_BUFFER, kBytes, bytes.data(), GL_DYNAMIC_DRAW); },
        [&] {
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kSide, kSide, 0, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
            glGenerateMipmap(GL_TEXTURE_2D);
        }};
    const size_t before = memoryInUse();
    for (const auto& replace : replacements) {
        size_t most = 0;
        for (GLsizei i = 0; i < kTimes; ++i) {
            replace();
            glDrawArrays(GL_POINTS, 0, 1);
            most = std::max(most, memoryInUse());
        }
        constexpr size_t kMegabyte = size_t{1} << 20;
        CHECK(most < before + 800 * kMegabyte);
        glFinish();
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("who waits for all calls to be over does not wait for those that begin later") {
    using tessera::gles::ShareGroup;
    std::atomic<bool> isOver{false};
    std::vector<std::thread> calls;
    for (int i = 0; i < 3; ++i)
        calls.emplace_back([&] {
            while (!isOver) {
                const std::shared_lock call(ShareGroup::callsWithoutLock());
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
        });
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 5; ++i) {
        const std::unique_lock alone(ShareGroup::callsWithoutLock());
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    }
    isOver = true;
    for (std::thread& call : calls) call.join();
}
