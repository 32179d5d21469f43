// KHR_debug, labels and markers; robustness.
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "api/gles/driver.h"
#include "api/gles/gles.h"
#include "tests/gles/fixture.h"

using namespace tessera::gles;
using namespace tessera::gles_test;

namespace {

struct Seen {
    GLenum source, type;
    GLuint id;
    GLenum severity;
    std::string text;
};

void GL_APIENTRY collect(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar* message,
                         const void* user) {
    auto* seen = static_cast<std::vector<Seen>*>(const_cast<void*>(user));
    CHECK(static_cast<size_t>(length) == std::strlen(message));
    seen->push_back({source, type, id, severity, message});
    (void)glGetError();  // a call from a callback must not hang
}

void insert(const char* text, GLuint id = 1, GLenum severity = GL_DEBUG_SEVERITY_HIGH_KHR,
            GLenum type = GL_DEBUG_TYPE_OTHER_KHR) {
    glDebugMessageInsertKHR(GL_DEBUG_SOURCE_APPLICATION_KHR, type, id, severity, -1, text);
}

std::string nextMessage() {
    char text[4096] = "";
    return glGetDebugMessageLogKHR(1, sizeof text, nullptr, nullptr, nullptr, nullptr, nullptr, text) == 1 ? text : "-";
}

}  // namespace

TEST_CASE("KHR_debug: errors and messages reach the callback within the call") {
    TestContext context(kLarge);
    CHECK(glIsEnabled(GL_DEBUG_OUTPUT_KHR) == GL_FALSE);
    std::vector<Seen> seen;
    glDebugMessageCallbackKHR(collect, &seen);
    insert("not enabled");
    CHECK(seen.empty());
    glEnable(GL_DEBUG_OUTPUT_KHR);
    insert("hello", 42, GL_DEBUG_SEVERITY_MEDIUM_KHR);
    REQUIRE(seen.size() == 1);
    CHECK(seen[0].source == GL_DEBUG_SOURCE_APPLICATION_KHR);
    CHECK(seen[0].type == GL_DEBUG_TYPE_OTHER_KHR);
    CHECK(seen[0].id == 42);
    CHECK(seen[0].severity == GL_DEBUG_SEVERITY_MEDIUM_KHR);
    CHECK(seen[0].text == "hello");

    seen.clear();
    void* pointer = nullptr;
    glGetPointervKHR(GL_DEBUG_CALLBACK_FUNCTION_KHR, &pointer);
    CHECK(pointer == reinterpret_cast<void*>(&collect));
    glGetPointervKHR(GL_DEBUG_CALLBACK_USER_PARAM_KHR, &pointer);
    CHECK(pointer == &seen);

    // The callback takes the error of the call away, as any glGetError does.
    glTexParameterf(GL_RENDERBUFFER, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    REQUIRE(!seen.empty());
    CHECK(seen[0].source == GL_DEBUG_SOURCE_API_KHR);
    CHECK(seen[0].type == GL_DEBUG_TYPE_ERROR_KHR);
    CHECK(seen[0].severity == GL_DEBUG_SEVERITY_HIGH_KHR);
    CHECK(seen[0].id == GL_INVALID_ENUM);
    CHECK(seen[0].text == "GL_INVALID_ENUM in glTexParameterf");
}

TEST_CASE("KHR_debug: the log keeps messages in order until they are fetched") {
    TestContext context(kLarge);
    glEnable(GL_DEBUG_OUTPUT_KHR);
    insert("first");
    insert("second", 2);
    glClear(0xFFFFFFFFu);
    CHECK(getInt(GL_DEBUG_LOGGED_MESSAGES_KHR) == 3);
    CHECK(getInt(GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH_KHR) == 6);
    char text[16];
    GLuint ids[3] = {};
    GLsizei lengths[3] = {};
    // Only whole messages: "first" and "second" take 13 bytes.
    CHECK(glGetDebugMessageLogKHR(3, sizeof text, nullptr, nullptr, ids, nullptr, lengths, text) == 2);
    CHECK(std::string(text) == "first");
    CHECK(std::string(text + 6) == "second");
    CHECK(lengths[1] == 7);
    CHECK(ids[1] == 2);
    CHECK(nextMessage() == "GL_INVALID_VALUE in glClear");
    CHECK(nextMessage() == "-");
    CHECK(glGetError() == GL_INVALID_VALUE);
    for (int i = 0; i < 1000; ++i) insert("many");
    CHECK(getInt(GL_DEBUG_LOGGED_MESSAGES_KHR) == getInt(GL_MAX_DEBUG_LOGGED_MESSAGES_KHR));
    GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
    CHECK(glGetDebugMessageLogKHR(~0u, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) == 256);
    const char* source = "nonsense";
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    CHECK(nextMessage().find("ERROR") == 0);
    CHECK(glGetDebugMessageLogKHR(1, -1, nullptr, nullptr, nullptr, nullptr, nullptr, text) == 0);
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("KHR_debug: volume control and groups") {
    TestContext context(kLarge);
    glEnable(GL_DEBUG_OUTPUT_KHR);
    insert("low", 1, GL_DEBUG_SEVERITY_LOW_KHR);  // off at first
    CHECK(nextMessage() == "-");
    insert("1");
    glPushDebugGroupKHR(GL_DEBUG_SOURCE_APPLICATION_KHR, 7, -1, "2");
    CHECK(getInt(GL_DEBUG_GROUP_STACK_DEPTH_KHR) == 2);
    glDebugMessageControlKHR(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, nullptr, GL_FALSE);
    insert("3");
    glPopDebugGroupKHR();
    insert("5");
    for (const char* expected : {"1", "2", "2", "5", "-"}) CHECK(nextMessage() == expected);

    const GLuint ids[] = {10, 11};
    glDebugMessageControlKHR(GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_TYPE_OTHER_KHR, GL_DONT_CARE, 2, ids, GL_FALSE);
    insert("ten", 10);
    insert("twelve", 12);
    insert("ten of another type", 10, GL_DEBUG_SEVERITY_HIGH_KHR, GL_DEBUG_TYPE_PERFORMANCE_KHR);
    for (const char* expected : {"twelve", "ten of another type", "-"}) CHECK(nextMessage() == expected);
    CHECK(glGetError() == GL_NO_ERROR);
    glDisable(GL_DEBUG_OUTPUT_KHR);

    glPopDebugGroupKHR();
    CHECK(glGetError() == GL_STACK_UNDERFLOW_KHR);
    for (int i = 1; i < getInt(GL_MAX_DEBUG_GROUP_STACK_DEPTH_KHR); ++i)
        glPushDebugGroupKHR(GL_DEBUG_SOURCE_THIRD_PARTY_KHR, 1, 1, "deep");
    CHECK(glGetError() == GL_NO_ERROR);
    glPushDebugGroupKHR(GL_DEBUG_SOURCE_THIRD_PARTY_KHR, 1, 1, "deep");
    CHECK(glGetError() == GL_STACK_OVERFLOW_KHR);
}

TEST_CASE("KHR_debug: errors") {
    TestContext context(kLarge);
    auto control = [](GLenum source, GLenum type, GLenum severity, GLsizei count) {
        const GLuint ids[] = {1};
        glDebugMessageControlKHR(source, type, severity, count, ids, GL_TRUE);
        return glGetError();
    };
    CHECK(control(GL_TEXTURE, GL_DONT_CARE, GL_DONT_CARE, 0) == GL_INVALID_ENUM);
    CHECK(control(GL_DONT_CARE, GL_TEXTURE, GL_DONT_CARE, 0) == GL_INVALID_ENUM);
    CHECK(control(GL_DONT_CARE, GL_DONT_CARE, GL_TEXTURE, 0) == GL_INVALID_ENUM);
    CHECK(control(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, -1) == GL_INVALID_VALUE);
    CHECK(control(GL_DONT_CARE, GL_DEBUG_TYPE_OTHER_KHR, GL_DONT_CARE, 1) == GL_INVALID_OPERATION);
    CHECK(control(GL_DEBUG_SOURCE_API_KHR, GL_DEBUG_TYPE_OTHER_KHR, GL_DEBUG_SEVERITY_HIGH_KHR, 1) ==
          GL_INVALID_OPERATION);
    auto insertFrom = [](GLenum source, GLenum type, GLenum severity, const char* text) {
        glDebugMessageInsertKHR(source, type, 0, severity, -1, text);
        return glGetError();
    };
    CHECK(insertFrom(GL_DEBUG_SOURCE_API_KHR, GL_DEBUG_TYPE_OTHER_KHR, GL_DEBUG_SEVERITY_HIGH_KHR, "") ==
          GL_INVALID_ENUM);
    CHECK(insertFrom(GL_DEBUG_SOURCE_APPLICATION_KHR, GL_TEXTURE, GL_DEBUG_SEVERITY_HIGH_KHR, "") == GL_INVALID_ENUM);
    CHECK(insertFrom(GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_TYPE_OTHER_KHR, GL_TEXTURE, "") == GL_INVALID_ENUM);
    std::string tooLong(4096, 'x');
    CHECK(insertFrom(GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_TYPE_OTHER_KHR, GL_DEBUG_SEVERITY_HIGH_KHR,
                     tooLong.c_str()) == GL_INVALID_VALUE);
    glPushDebugGroupKHR(GL_DEBUG_SOURCE_API_KHR, 0, -1, "");
    CHECK(glGetError() == GL_INVALID_ENUM);
    glPushDebugGroupKHR(GL_DEBUG_SOURCE_APPLICATION_KHR, 0, -1, tooLong.c_str());
    CHECK(glGetError() == GL_INVALID_VALUE);
    void* pointer = nullptr;
    glGetPointervKHR(GL_TEXTURE, &pointer);
    CHECK(glGetError() == GL_INVALID_ENUM);
    const int nobodys = 0;
    glObjectPtrLabelKHR(&nobodys, -1, "x");
    CHECK(glGetError() == GL_INVALID_VALUE);
    glGetObjectPtrLabelKHR(&nobodys, 0, nullptr, nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("labels by KHR_debug and EXT_debug_label are the same labels") {
    TestContext context(kLarge);
    GLuint buffer, texture, renderbuffer, framebuffer, array, query;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenVertexArraysOES(1, &array);
    glBindVertexArrayOES(array);
    glGenQueriesEXT(1, &query);
    glBeginQueryEXT(GL_ANY_SAMPLES_PASSED_EXT, query);
    glEndQueryEXT(GL_ANY_SAMPLES_PASSED_EXT);
    const GLuint shader = glCreateShader(GL_VERTEX_SHADER), program = glCreateProgram();
    const struct {
        GLenum khr, ext;
        GLuint name;
    } kObjects[] = {{GL_BUFFER_KHR, GL_BUFFER_OBJECT_EXT, buffer},
                    {GL_TEXTURE, GL_TEXTURE, texture},
                    {GL_RENDERBUFFER, GL_RENDERBUFFER, renderbuffer},
                    {GL_FRAMEBUFFER, GL_FRAMEBUFFER, framebuffer},
                    {GL_VERTEX_ARRAY_KHR, GL_VERTEX_ARRAY_OBJECT_EXT, array},
                    {GL_QUERY_KHR, GL_QUERY_OBJECT_EXT, query},
                    {GL_SHADER_KHR, GL_SHADER_OBJECT_EXT, shader},
                    {GL_PROGRAM_KHR, GL_PROGRAM_OBJECT_EXT, program}};
    for (const auto& one : kObjects) {
        CAPTURE(one.khr);
        char label[8] = "zzz";
        GLsizei length = 9;
        glGetObjectLabelKHR(one.khr, one.name, sizeof label, &length, label);
        CHECK(length == 0);
        CHECK(std::string(label).empty());
        glObjectLabelKHR(one.khr, one.name, 5, "abcdefgh");
        glGetObjectLabelEXT(one.ext, one.name, sizeof label, &length, label);
        CHECK(std::string(label) == "abcde");
        CHECK(length == 5);
        glLabelObjectEXT(one.ext, one.name, 0, "something longer");
        glGetObjectLabelKHR(one.khr, one.name, sizeof label, &length, label);
        CHECK(std::string(label) == "somethi");
        CHECK(length == 7);
        glGetObjectLabelKHR(one.khr, one.name, 0, &length, nullptr);
        CHECK(length == 16);
        CHECK(glGetError() == GL_NO_ERROR);
        glObjectLabelKHR(one.khr, 999, -1, "x");
        CHECK(glGetError() == GL_INVALID_VALUE);
        glLabelObjectEXT(one.ext, 999, 0, "x");
        CHECK(glGetError() == GL_INVALID_OPERATION);
    }
    char label[8];
    glObjectLabelKHR(GL_SAMPLER_KHR, 1, -1, "x");
    CHECK(glGetError() == GL_INVALID_ENUM);
    glGetObjectLabelKHR(GL_TEXTURE, texture, -1, nullptr, label);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glObjectLabelKHR(GL_TEXTURE, texture, -1, std::string(256, 'x').c_str());
    CHECK(glGetError() == GL_INVALID_VALUE);
    glLabelObjectEXT(GL_BUFFER_KHR, buffer, 0, "x");
    CHECK(glGetError() == GL_INVALID_ENUM);
    glLabelObjectEXT(GL_TEXTURE, texture, -1, "x");
    CHECK(glGetError() == GL_INVALID_VALUE);
    glObjectLabelKHR(GL_TEXTURE, texture, 0, nullptr);
    GLsizei length = 7;
    glGetObjectLabelKHR(GL_TEXTURE, texture, 0, &length, nullptr);
    CHECK(length == 0);
}

TEST_CASE("EXT_debug_marker: any marker is fine, and appears in the debug output") {
    TestContext context(kLarge);
    glInsertEventMarkerEXT(0, nullptr);
    glInsertEventMarkerEXT(-7, "negative");
    glPopGroupMarkerEXT();
    CHECK(glGetError() == GL_NO_ERROR);
    glEnable(GL_DEBUG_OUTPUT_KHR);
    glInsertEventMarkerEXT(3, "frame 1");
    glPushGroupMarkerEXT(0, "shadows");
    glPopGroupMarkerEXT();
    glPopGroupMarkerEXT();  // nothing to pop
    for (const char* expected : {"fra", "shadows", "", "-"}) CHECK(nextMessage() == expected);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("robustness: reads with a size") {
    TestContext context(kLarge);
    uint8_t pixels[3 * 4 * 2] = {};
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glReadnPixelsEXT(0, 0, 3, 2, GL_RGBA, GL_UNSIGNED_BYTE, sizeof pixels - 1, pixels);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(pixels[0] == 0);
    glReadnPixelsKHR(0, 0, 3, 2, GL_RGBA, GL_UNSIGNED_BYTE, sizeof pixels, pixels);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(pixels[23] == 255);
    glReadnPixelsKHR(0, 0, 3, 2, GL_RGBA, GL_UNSIGNED_BYTE, -1, pixels);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    GLuint program = makeProgram(kPassVertex, kColorFragment);
    glUseProgram(program);
    GLint color = glGetUniformLocation(program, "color");
    glUniform4f(color, 1, 2, 3, 4);
    GLfloat floats[4] = {};
    GLint ints[4] = {};
    glGetnUniformfvEXT(program, color, 15, floats);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(floats[0] == 0);
    glGetnUniformfvKHR(program, color, 16, floats);
    CHECK(floats[3] == 4);
    glGetnUniformivEXT(program, color, 16, ints);
    CHECK(ints[2] == 3);
    glGetnUniformivKHR(program, color, -1, ints);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(glGetGraphicsResetStatusEXT() == GL_NO_ERROR);
    CHECK(getInt(GL_RESET_NOTIFICATION_STRATEGY_EXT) == GL_NO_RESET_NOTIFICATION_EXT);
    CHECK(getInt(GL_CONTEXT_ROBUST_ACCESS_EXT) == GL_FALSE);
}

namespace {

constexpr const char* kEndlessFragment = R"(
precision highp float;
uniform float one;
void main() {
    float x = 0.0;
    for (float i = 0.0; i < 1000000.0; i += 0.0) x += one;
    gl_FragColor = vec4(x);
}
)";

void drawWith(GLuint program) {
    glUseProgram(program);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace

TEST_CASE("robustness: a shader that never ends loses its context and those that share with it, no others") {
    TestContext other(kLarge);
    auto make = [](std::shared_ptr<Context> share, bool notify) {
        return createContext({.share = std::move(share), .robustAccess = true, .resetNotification = notify});
    };
    auto guilty = make(nullptr, true), sharing = make(guilty, true);
    makeCurrent(guilty, other.drawable(), other.drawable());
    CHECK(getInt(GL_RESET_NOTIFICATION_STRATEGY_KHR) == GL_LOSE_CONTEXT_ON_RESET_KHR);
    CHECK(getInt(GL_CONTEXT_ROBUST_ACCESS_KHR) == GL_TRUE);
    drawWith(makeProgram(kPassVertex, kEndlessFragment));
    glFinish();
    CHECK(isContextLost(*guilty));
    // Commands do nothing but set the error, and results stay as they are.
    GLint value = 5;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &value);
    CHECK(value == 5);
    CHECK(glGetError() == GL_CONTEXT_LOST_KHR);
    CHECK(glCreateProgram() == 0);
    CHECK(glGetError() == GL_CONTEXT_LOST_KHR);
    GLuint available = GL_FALSE;
    glGetQueryObjectuivEXT(1, GL_QUERY_RESULT_AVAILABLE_EXT, &available);
    CHECK(available == GL_TRUE);
    CHECK(glGetError() == GL_CONTEXT_LOST_KHR);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(glGetGraphicsResetStatusKHR() == GL_GUILTY_CONTEXT_RESET_KHR);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(glGetGraphicsResetStatusKHR() == GL_NO_ERROR);  // told once

    makeCurrent(sharing, other.drawable(), other.drawable());
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(glGetError() == GL_CONTEXT_LOST_KHR);
    CHECK(glGetGraphicsResetStatusEXT() == GL_INNOCENT_CONTEXT_RESET_EXT);

    other.makeCurrent();
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(packedPixelAt(3, 3) == 0xFF00FF00u);
    CHECK(glGetError() == GL_NO_ERROR);
    // Without notification nothing is lost, and nothing is told.
    drawWith(makeProgram(kPassVertex, kEndlessFragment));
    glFinish();
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(packedPixelAt(3, 3) == 0xFF00FF00u);
    CHECK(glGetGraphicsResetStatusEXT() == GL_NO_ERROR);
    CHECK(glGetError() == GL_NO_ERROR);
}

namespace {

/// A callback that waits for what another context of the share group draws.
struct WaitsForOther {
    explicit WaitsForOther(const TestContext& context) : other({.share = &context}) { context.makeCurrent(); }
    static void GL_APIENTRY call(GLenum, GLenum, GLuint, GLenum, GLsizei, const GLchar*, const void* user) {
        auto& self = *static_cast<WaitsForOther*>(const_cast<void*>(user));
        ++self.calls;
        std::thread([&] {
            self.other.makeCurrent();
            glClear(GL_COLOR_BUFFER_BIT);
            const GLsync sync = glFenceSyncAPPLE(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 0);
            self.status = glClientWaitSyncAPPLE(sync, GL_SYNC_FLUSH_COMMANDS_BIT_APPLE, 10'000'000'000);
            TestContext::makeNoneCurrent();
        }).join();
    }
    TestContext other;
    int calls = 0;
    GLenum status = GL_NONE;
};

}  // namespace

TEST_CASE("KHR_debug: a callback within a call that waits may wait for other contexts of the share group") {
    TestContext context;
    WaitsForOther waits(context);
    glEnable(GL_DEBUG_OUTPUT_KHR);
    glDebugMessageCallbackKHR(&WaitsForOther::call, &waits);
    drawWith(makeProgram(kPassVertex, kEndlessFragment));
    glFinish();
    CHECK(waits.calls == 0);
    (void)packedPixelAt(0, 0);  // the next call tells of the draw that was left out
    CHECK(waits.calls == 1);
    CHECK((waits.status == GL_CONDITION_SATISFIED_APPLE || waits.status == GL_ALREADY_SIGNALED_APPLE));
}
