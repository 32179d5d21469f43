// Sync objects (APPLE_sync).
#include <thread>

#include "api/gles/gles.h"
#include "tests/gles/fixture.h"
#include "tests/gles/held_up.h"

using namespace tessera::gles_test;

namespace {

GLint status(GLsync sync, GLenum pname) {
    GLint value = -1;
    GLsizei length = -1;
    glGetSyncivAPPLE(sync, pname, 1, &length, &value);
    CHECK(length == 1);
    return value;
}

}  // namespace

TEST_CASE("APPLE_sync: a fence is signaled when the commands before it are done") {
    TestContext context(kLarge);
    glClear(GL_COLOR_BUFFER_BIT);
    const GLsync sync = glFenceSyncAPPLE(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 0);
    REQUIRE(sync != nullptr);
    CHECK(glIsSyncAPPLE(sync));
    glWaitSyncAPPLE(sync, 0, GL_TIMEOUT_IGNORED_APPLE);
    const GLenum first = glClientWaitSyncAPPLE(sync, GL_SYNC_FLUSH_COMMANDS_BIT_APPLE, 10'000'000'000);
    CHECK((first == GL_ALREADY_SIGNALED_APPLE || first == GL_CONDITION_SATISFIED_APPLE));
    CHECK(glClientWaitSyncAPPLE(sync, 0, 0) == GL_ALREADY_SIGNALED_APPLE);
    CHECK(status(sync, GL_OBJECT_TYPE_APPLE) == GL_SYNC_FENCE_APPLE);
    CHECK(status(sync, GL_SYNC_CONDITION_APPLE) == GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE);
    CHECK(status(sync, GL_SYNC_STATUS_APPLE) == GL_SIGNALED_APPLE);
    CHECK(status(sync, GL_SYNC_FLAGS_APPLE) == 0);
    GLsizei length = -1;
    glGetSyncivAPPLE(sync, GL_SYNC_FLAGS_APPLE, 0, &length, nullptr);
    CHECK(length == 0);
    GLint64 timeout = -1;
    glGetInteger64vAPPLE(GL_MAX_SERVER_WAIT_TIMEOUT_APPLE, &timeout);
    CHECK(timeout == 0);
    CHECK(glGetError() == GL_NO_ERROR);
    glDeleteSyncAPPLE(sync);
    CHECK_FALSE(glIsSyncAPPLE(sync));
    glDeleteSyncAPPLE(sync);
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("a fence is not signaled while what was submitted before it is not done") {
    TestContext context(kLarge);
    HeldUp heldUp(context);
    glClear(GL_COLOR_BUFFER_BIT);
    const GLsync sync = glFenceSyncAPPLE(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 0);
    CHECK(status(sync, GL_SYNC_STATUS_APPLE) == GL_UNSIGNALED_APPLE);
    for (const GLuint64 timeout : {0, 1'000'000})
        CHECK(glClientWaitSyncAPPLE(sync, GL_SYNC_FLUSH_COMMANDS_BIT_APPLE, timeout) == GL_TIMEOUT_EXPIRED_APPLE);
    heldUp.release();
    CHECK(glClientWaitSyncAPPLE(sync, 0, 10'000'000'000) != GL_TIMEOUT_EXPIRED_APPLE);
    CHECK(status(sync, GL_SYNC_STATUS_APPLE) == GL_SIGNALED_APPLE);
}

TEST_CASE("APPLE_sync: another context of the share group waits for what one has drawn") {
    TestContext context(kLarge);
    TestContext other({.width = kLarge.width, .height = kLarge.height, .share = &context});
    context.makeCurrent();
    GLuint texture = 0, framebuffer = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    const GLsync sync = glFenceSyncAPPLE(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 0);
    uint32_t seen = 0;
    std::thread([&] {
        other.makeCurrent();
        CHECK(glIsSyncAPPLE(sync));
        glWaitSyncAPPLE(sync, 0, GL_TIMEOUT_IGNORED_APPLE);
        GLuint view = 0;
        glGenFramebuffers(1, &view);
        glBindFramebuffer(GL_FRAMEBUFFER, view);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        seen = packedPixelAt(1, 1);
        TestContext::makeNoneCurrent();
    }).join();
    CHECK(seen == 0xFF00FF00u);
}

TEST_CASE("APPLE_sync: errors, and labels") {
    TestContext context(kLarge);
    CHECK(glFenceSyncAPPLE(GL_SYNC_FENCE_APPLE, 0) == nullptr);
    CHECK(glGetError() == GL_INVALID_ENUM);
    CHECK(glFenceSyncAPPLE(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 1) == nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);
    const GLsync sync = glFenceSyncAPPLE(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 0);
    CHECK(glClientWaitSyncAPPLE(sync, 2, 0) == GL_WAIT_FAILED_APPLE);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glWaitSyncAPPLE(sync, 0, 1);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glWaitSyncAPPLE(sync, 1, GL_TIMEOUT_IGNORED_APPLE);
    CHECK(glGetError() == GL_INVALID_VALUE);
    GLint value = 77;
    glGetSyncivAPPLE(sync, GL_RGBA, 1, nullptr, &value);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glGetSyncivAPPLE(sync, GL_SYNC_STATUS_APPLE, -1, nullptr, &value);
    CHECK(glGetError() == GL_INVALID_VALUE);
    CHECK(value == 77);

    GLsizei length = 0;
    GLchar label[16] = {};
    glObjectPtrLabelKHR(sync, -1, "fence");
    glGetObjectPtrLabelKHR(sync, sizeof label, &length, label);
    CHECK(std::string(label) == "fence");
    CHECK(length == 5);
    glObjectPtrLabelKHR(sync, 256, std::string(256, 'x').c_str());
    CHECK(glGetError() == GL_INVALID_VALUE);
    glGetObjectPtrLabelKHR(label, sizeof label, &length, label);
    CHECK(glGetError() == GL_INVALID_VALUE);
    const auto name = static_cast<GLuint>(reinterpret_cast<uintptr_t>(sync));
    glLabelObjectEXT(GL_SYNC_OBJECT_APPLE, name, 0, "done");
    glGetObjectLabelEXT(GL_SYNC_OBJECT_APPLE, name, sizeof label, &length, label);
    CHECK(std::string(label) == "done");
    CHECK(glGetError() == GL_NO_ERROR);
}
