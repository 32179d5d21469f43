// Entry points of extensions called wrongly, all entry points with null pointers and on a lost context.
#include "tests/gles/extension_calls.h"

#define GL_GLEXT_PROTOTYPES 1
#include <GLES2/gl2ext.h>
#include <GLES2/gl2tessera.h>

#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "api/gles/entry_points.h"
#include "tests/gles/api_test.h"
#include "tests/gles/no_context.h"

using namespace tessera::gles_test;

namespace {

bool isExceptedFromLoss(const std::string& name) { return name.rfind("glGetGraphicsResetStatus", 0) == 0; }

constexpr const char* kEndlessFragment =
    "precision highp float; uniform float one; void main() { float x = 0.0; while (one > 0.0) x += one;"
    " gl_FragColor = vec4(x); }";

}  // namespace

TEST_CASE("every entry point of an extension is called wrongly somewhere") {
    std::set<std::string> all;
    for (const tessera::gles::EntryPoint& entry : tessera::gles::kEntryPoints)
        if (!tessera::gles::isCore(entry)) all.emplace(entry.name);
    CHECK(all.size() > 60);
    std::set<std::string> called;
    for (const WrongCall& row : kWrongExtensionCalls) called.insert(row.name);
    CHECK(called == all);
}

TEST_CASE("the extensions that bring entry points are listed, in one version or the other") {
    std::set<std::string> names;
    for (const ContextSettings& settings : {ContextSettings{}, kEs3}) {
        TestContext context(settings);
        std::istringstream listed(reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)));
        names.insert(std::istream_iterator<std::string>(listed), {});
    }
    // Their functions are there, their names are not (api/gles/README.md).
    for (const char* name : {"NV_framebuffer_blit", "NV_framebuffer_multisample", "ANGLE_framebuffer_blit",
                             "ANGLE_framebuffer_multisample"})
        CHECK(names.insert(std::string("GL_") + name).second);
    for (const tessera::gles::EntryPoint& entry : tessera::gles::kEntryPoints) {
        if (tessera::gles::isCore(entry)) continue;
        std::istringstream since{std::string(entry.since)};
        for (std::string name; std::getline(since >> std::ws, name, ',');)
            CHECK_MESSAGE(names.count("GL_" + name) == 1, std::string(entry.name) << ": " << name);
    }
}

TEST_CASE("wrong calls of extensions give their error and change nothing") {
    for (const WrongCall& row : kWrongExtensionCalls) {
        INFO(std::string(row.name));
        TestContext context;
        const std::vector<std::string> before = stateSnapshot();
        REQUIRE(glGetError() == GL_NO_ERROR);
        row.call();
        CHECK(std::string(errorName(glGetError())) == std::string(errorName(row.error)));
        CHECK(glGetError() == GL_NO_ERROR);
        CHECK(stateSnapshot() == before);
    }
}

TEST_CASE("entry points of extensions return quietly without a current context") {
    TestContext::makeNoneCurrent();
    for (const WrongCall& row : kWrongExtensionCalls) row.call();
    CHECK(glIsQueryEXT(1) == GL_FALSE);
    CHECK(glMapBufferOES(GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES) == nullptr);
    CHECK(glGetGraphicsResetStatusKHR() == GL_NO_ERROR);
    CHECK(glGetDebugMessageLogKHR(1, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) == 0);
    TestContext context;
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("calls of a thread without a context do not reach the context of another") {
    TestContext context;
    const std::vector<std::string> before = stateSnapshot();
    std::thread([] {
        for (const NoContextCall& entry : kNoContextCalls) entry.call();
        for (const WrongCall& row : kWrongExtensionCalls) row.call();
    }).join();
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(stateSnapshot() == before);
}

TEST_CASE("the extensions that programs look for are listed, each once") {
    TestContext context;
    std::istringstream list(reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)));
    std::multiset<std::string> names;
    for (std::string name; list >> name;) names.insert(name);
    for (const std::string& name : names) CHECK_MESSAGE(names.count(name) == 1, name << " is listed twice");
    for (const char* name : {"OES_element_index_uint",
                             "OES_rgb8_rgba8",
                             "OES_depth24",
                             "OES_packed_depth_stencil",
                             "OES_depth_texture",
                             "OES_texture_npot",
                             "OES_standard_derivatives",
                             "OES_vertex_array_object",
                             "OES_mapbuffer",
                             "OES_texture_float",
                             "OES_texture_float_linear",
                             "OES_texture_half_float",
                             "OES_texture_half_float_linear",
                             "OES_EGL_image",
                             "OES_EGL_image_external",
                             "OES_required_internalformat",
                             "OES_get_program_binary",
                             "OES_fbo_render_mipmap",
                             "OES_vertex_half_float",
                             "OES_surfaceless_context",
                             "EXT_blend_func_extended",
                             "EXT_blend_minmax",
                             "EXT_shader_framebuffer_fetch",
                             "EXT_shader_framebuffer_fetch_non_coherent",
                             "EXT_texture_format_BGRA8888",
                             "EXT_read_format_bgra",
                             "EXT_texture_filter_anisotropic",
                             "EXT_frag_depth",
                             "EXT_shader_texture_lod",
                             "EXT_discard_framebuffer",
                             "EXT_multisampled_render_to_texture",
                             "EXT_unpack_subimage",
                             "EXT_texture_rg",
                             "EXT_texture_storage",
                             "EXT_sRGB",
                             "EXT_color_buffer_half_float",
                             "EXT_draw_buffers",
                             "EXT_instanced_arrays",
                             "EXT_draw_instanced",
                             "ANGLE_instanced_arrays",
                             "EXT_map_buffer_range",
                             "EXT_occlusion_query_boolean",
                             "EXT_disjoint_timer_query",
                             "EXT_polygon_offset_clamp",
                             "EXT_robustness",
                             "EXT_debug_marker",
                             "KHR_debug",
                             "EXT_texture_border_clamp",
                             "APPLE_sync",
                             "NV_draw_buffers",
                             "NV_pixel_buffer_object",
                             "NV_fbo_color_attachments",
                             "NV_pack_subimage",
                             "NV_read_buffer"})
        CHECK_MESSAGE(names.count(std::string("GL_") + name) == 1, name << " is not listed");
}

TEST_CASE("on a lost context every entry point gives CONTEXT_LOST and nothing else") {
    TestContext context({.width = 4, .height = 4, .resetNotification = true});
    glUniform1f(glGetUniformLocation(useProgram(kPassVertex, kEndlessFragment), "one"), 1);
    drawQuad();
    glFinish();
    CHECK(glGetGraphicsResetStatusKHR() == GL_GUILTY_CONTEXT_RESET_KHR);
    while (glGetError() != GL_NO_ERROR) {
    }
    for (const NoContextCall& entry : kNoContextCalls) {
        INFO(std::string(entry.name));
        const bool isQuiet = std::string(entry.name) == "glGetError";
        entry.call();
        CHECK(std::string(errorName(glGetError())) ==
              std::string(errorName(isQuiet ? GL_NO_ERROR : GL_CONTEXT_LOST_KHR)));
    }
    for (const WrongCall& row : kWrongExtensionCalls) {
        INFO(std::string(row.name));
        row.call();
        const GLenum expected = isExceptedFromLoss(row.name) ? GL_NO_ERROR : GL_CONTEXT_LOST_KHR;
        CHECK(std::string(errorName(glGetError())) == std::string(errorName(expected)));
    }
}

namespace {

/// Objects that null pointers are given to: each call is valid but for the pointer.
struct Objects {
    GLuint program, shader;
    GLint color;
    GLuint other;  ///< a program
};

struct NullCall {
    const char* name;
    void (*call)(const Objects&);
};
const NullCall kNullCalls[] = {
    {"glGenBuffers", [](const Objects&) { glGenBuffers(2, nullptr); }},
    {"glGenFramebuffers", [](const Objects&) { glGenFramebuffers(2, nullptr); }},
    {"glGenRenderbuffers", [](const Objects&) { glGenRenderbuffers(2, nullptr); }},
    {"glGenTextures", [](const Objects&) { glGenTextures(2, nullptr); }},
    {"glGenQueriesEXT", [](const Objects&) { glGenQueriesEXT(2, nullptr); }},
    {"glGenVertexArraysOES", [](const Objects&) { glGenVertexArraysOES(2, nullptr); }},
    {"glDeleteBuffers", [](const Objects&) { glDeleteBuffers(2, nullptr); }},
    {"glDeleteFramebuffers", [](const Objects&) { glDeleteFramebuffers(2, nullptr); }},
    {"glDeleteRenderbuffers", [](const Objects&) { glDeleteRenderbuffers(2, nullptr); }},
    {"glDeleteTextures", [](const Objects&) { glDeleteTextures(2, nullptr); }},
    {"glDeleteVertexArraysOES", [](const Objects&) { glDeleteVertexArraysOES(2, nullptr); }},
    {"glBufferSubData", [](const Objects&) { glBufferSubData(GL_ARRAY_BUFFER, 0, 4, nullptr); }},
    {"glGetBufferParameteriv",
     [](const Objects&) { glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, nullptr); }},
    {"glGetBufferPointervOES",
     [](const Objects&) { glGetBufferPointervOES(GL_ARRAY_BUFFER, GL_BUFFER_MAP_POINTER_OES, nullptr); }},
    {"glGetBooleanv", [](const Objects&) { glGetBooleanv(GL_VIEWPORT, nullptr); }},
    {"glGetFloatv", [](const Objects&) { glGetFloatv(GL_VIEWPORT, nullptr); }},
    {"glGetIntegerv", [](const Objects&) { glGetIntegerv(GL_VIEWPORT, nullptr); }},
    {"glGetInteger64vEXT", [](const Objects&) { glGetInteger64vEXT(GL_VIEWPORT, nullptr); }},
    {"glGetTexParameteriv", [](const Objects&) { glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, nullptr); }},
    {"glGetTexParameterfv",
     [](const Objects&) { glGetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, nullptr); }},
    {"glTexParameteriv", [](const Objects&) { glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, nullptr); }},
    {"glTexParameterfv",
     [](const Objects&) { glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, nullptr); }},
    {"glTexImage2D",
     [](const Objects&) { glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {"glTexSubImage2D",
     [](const Objects&) { glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {"glGetRenderbufferParameteriv",
     [](const Objects&) { glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, nullptr); }},
    {"glGetActiveAttrib",
     [](const Objects& o) { glGetActiveAttrib(o.program, 0, 9, nullptr, nullptr, nullptr, nullptr); }},
    {"glGetActiveUniform",
     [](const Objects& o) { glGetActiveUniform(o.program, 0, 9, nullptr, nullptr, nullptr, nullptr); }},
    {"glGetAttachedShaders", [](const Objects& o) { glGetAttachedShaders(o.program, 2, nullptr, nullptr); }},
    {"glGetProgramInfoLog", [](const Objects& o) { glGetProgramInfoLog(o.program, 9, nullptr, nullptr); }},
    {"glGetShaderInfoLog", [](const Objects& o) { glGetShaderInfoLog(o.shader, 9, nullptr, nullptr); }},
    {"glGetShaderSource", [](const Objects& o) { glGetShaderSource(o.shader, 9, nullptr, nullptr); }},
    {"glGetProgramiv", [](const Objects& o) { glGetProgramiv(o.program, GL_LINK_STATUS, nullptr); }},
    {"glGetShaderiv", [](const Objects& o) { glGetShaderiv(o.shader, GL_COMPILE_STATUS, nullptr); }},
    {"glGetShaderPrecisionFormat",
     [](const Objects&) { glGetShaderPrecisionFormat(GL_VERTEX_SHADER, GL_HIGH_FLOAT, nullptr, nullptr); }},
    {"glGetUniformfv", [](const Objects& o) { glGetUniformfv(o.program, o.color, nullptr); }},
    {"glGetUniformiv", [](const Objects& o) { glGetUniformiv(o.program, o.color, nullptr); }},
    {"glGetnUniformfvEXT", [](const Objects& o) { glGetnUniformfvEXT(o.program, o.color, 16, nullptr); }},
    {"glGetVertexAttribfv", [](const Objects&) { glGetVertexAttribfv(0, GL_CURRENT_VERTEX_ATTRIB, nullptr); }},
    {"glGetVertexAttribiv", [](const Objects&) { glGetVertexAttribiv(0, GL_VERTEX_ATTRIB_ARRAY_SIZE, nullptr); }},
    {"glGetVertexAttribPointerv",
     [](const Objects&) { glGetVertexAttribPointerv(0, GL_VERTEX_ATTRIB_ARRAY_POINTER, nullptr); }},
    {"glUniform4fv", [](const Objects& o) { glUniform4fv(o.color, 1, nullptr); }},
    {"glVertexAttrib4fv", [](const Objects&) { glVertexAttrib4fv(0, nullptr); }},
    {"glVertexAttrib1fv", [](const Objects&) { glVertexAttrib1fv(0, nullptr); }},
    {"glReadPixels", [](const Objects&) { glReadPixels(0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {"glReadnPixelsEXT", [](const Objects&) { glReadnPixelsEXT(0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, 64, nullptr); }},
    {"glDrawElements", [](const Objects&) { glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, nullptr); }},
    {"glGetProgramBinaryOES", [](const Objects& o) { glGetProgramBinaryOES(o.program, 0, nullptr, nullptr, nullptr); }},
};

/// These need something there: an error, whichever, or nothing done.
const NullCall kNullTexts[] = {
    {"glShaderSource", [](const Objects& o) { glShaderSource(o.shader, 1, nullptr, nullptr); }},
    {"glShaderSource",
     [](const Objects& o) {
         const GLchar* texts[2] = {nullptr, nullptr};
         glShaderSource(o.shader, 2, texts, nullptr);
     }},
    {"glShaderBinary", [](const Objects&) { glShaderBinary(1, nullptr, GL_SHADER_BINARY_TESSERA, nullptr, 0); }},
    {"glShaderBinary", [](const Objects& o) { glShaderBinary(1, &o.shader, GL_SHADER_BINARY_TESSERA, nullptr, 100); }},
    {"glProgramBinaryOES",
     [](const Objects& o) { glProgramBinaryOES(o.other, GL_PROGRAM_BINARY_TESSERA, nullptr, 100); }},
    {"glGetProgramBinaryOES",
     [](const Objects& o) { glGetProgramBinaryOES(o.program, 1 << 20, nullptr, nullptr, nullptr); }},
    {"glBindAttribLocation", [](const Objects& o) { glBindAttribLocation(o.program, 0, nullptr); }},
    {"glGetAttribLocation", [](const Objects& o) { CHECK(glGetAttribLocation(o.program, nullptr) == -1); }},
    {"glGetUniformLocation", [](const Objects& o) { CHECK(glGetUniformLocation(o.program, nullptr) == -1); }},
};

}  // namespace

TEST_CASE("null pointers do nothing, in otherwise valid calls") {
    TestContext context;
    Objects objects{};
    objects.program = useProgram(kPassVertex, kColorFragment);
    objects.shader = makeShader(GL_VERTEX_SHADER, kPassVertex);
    objects.other = makeProgram(kPassVertex, kColorFragment);
    objects.color = glGetUniformLocation(objects.program, "color");
    glUniform4f(objects.color, 0, 1, 0, 1);
    glBindBuffer(GL_ARRAY_BUFFER, 1);
    glBufferData(GL_ARRAY_BUFFER, 16, nullptr, GL_STATIC_DRAW);
    glBindRenderbuffer(GL_RENDERBUFFER, 1);
    const std::vector<std::string> before = stateSnapshot();
    for (const NullCall& row : kNullCalls) {
        INFO(std::string(row.name));
        row.call(objects);
        const bool isBinary = std::string(row.name) == "glGetProgramBinaryOES";  // no room for the binary
        CHECK(std::string(errorName(glGetError())) ==
              std::string(errorName(isBinary ? GL_INVALID_OPERATION : GL_NO_ERROR)));
    }
    for (const NullCall& row : kNullTexts) {
        INFO(std::string(row.name));
        row.call(objects);
        const GLenum error = glGetError();
        CHECK((error == GL_NO_ERROR || error == GL_INVALID_VALUE || error == GL_INVALID_OPERATION));
    }
    CHECK(stateSnapshot() == before);
    GLfloat color[4] = {};
    glGetUniformfv(objects.program, objects.color, color);
    CHECK(color[1] == 1);
    drawQuad();
    CHECK(pixelAt(3, 3) == Rgba{0, 255, 0, 255});
}
