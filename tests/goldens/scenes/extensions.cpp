// Extensions: a panel for each, drawn into one framebuffer. From bottom left: depth texture, half-float target, sRGB
// texture and target, anisotropy; instancing, draw buffers, fragment depth, derivatives; texture_lod, blend_minmax with
// 32-bit indices in a vertex array, one- and two-channel textures out of a larger image, cube map with mipmaps drawn
// to.
#include <vector>

#include "tests/goldens/scenes/scene.h"

using namespace scenes;

namespace {

constexpr int kPanel = 96, kColumns = 4, kRows = 3;
GLuint screen = 0;

/// A framebuffer with a new texture of that format and type as colour buffer, bound with its viewport.
struct Target {
    GLuint texture, framebuffer = 0;
};
Target newTarget(GLenum internal, GLenum type, int size, GLenum format) {
    Target target{newTexture()};
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internal), size, size, 0, format, type, nullptr);
    glGenFramebuffers(1, &target.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture, 0);
    glViewport(0, 0, size, size);
    return target;
}

/// Back to the picture: the panel at (column, row).
void panel(int column, int row) {
    glBindFramebuffer(GL_FRAMEBUFFER, screen);
    glViewport(column * kPanel, row * kPanel, kPanel, kPanel);
}

/// The bound texture through `color`: an expression of vec4 texel and vec2 at.
void show(const char* color) {
    useProgram(kQuadVertex,
               std::string("precision highp float; varying highp vec2 at; uniform sampler2D image;"
                           " void main() { vec4 texel = texture2D(image, at); gl_FragColor = ") +
                   color + "; }",
               {"position"});
    drawQuad();
}

void fill(float r, float g, float b, float a) {
    useProgram(kQuadVertex, "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }",
               {"position"});
    glUniform4f(uniform("color"), r, g, b, a);
    drawQuad();
}

/// OES_depth_texture: two tilted planes through each other, seen as depth.
void depthTexture() {
    const Target target = newTarget(GL_RGBA, GL_UNSIGNED_BYTE, 64, GL_RGBA);
    const GLuint depth = newTexture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 64, 64, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    useProgram(
        "attribute vec4 position; uniform vec3 tilt; void main() { gl_Position = vec4(position.xy * 0.9,"
        " dot(tilt, vec3(position.xy, 1.0)), 1.0); }",
        "void main() { gl_FragColor = vec4(1.0); }", {"position"});
    for (float sign : {1.0f, -1.0f}) {
        glUniform3f(uniform("tilt"), 0.6f * sign, 0.2f, 0.1f);
        drawQuad();
    }
    glDisable(GL_DEPTH_TEST);
    panel(0, 0);
    glBindTexture(GL_TEXTURE_2D, depth);
    show("vec4(texel.r, fract(texel.r * 8.0), at.x * (1.0 - texel.r), 1.0)");
    glBindTexture(GL_TEXTURE_2D, target.texture);
}

/// OES_texture_half_float, EXT_color_buffer_half_float: light beyond 1 added up, then brought into range.
void halfFloatTarget() {
    newTarget(GL_RGBA, GL_HALF_FLOAT_OES, 64, GL_RGBA);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    useProgram(kQuadVertex, R"(precision highp float; varying highp vec2 at; uniform vec2 light; uniform vec3 color;
        void main() { vec2 d = at - light; gl_FragColor = vec4(color * (0.05 / (dot(d, d) + 0.01)), 1.0); })",
               {"position"});
    for (int i = 0; i < 6; ++i) {
        const Direction to = direction(i / 6.0);
        glUniform2f(uniform("light"), 0.5f + 0.33f * to.x, 0.5f + 0.33f * to.y);
        glUniform3f(uniform("color"), i % 2 == 0 ? 1.0f : 0.1f, i % 3 == 0 ? 1.0f : 0.2f, i > 2 ? 1.5f : 0.3f);
        drawQuad();
    }
    glDisable(GL_BLEND);
    panel(1, 0);
    show("vec4(texel.rgb / (texel.rgb + 1.0), 1.0)");
}

/// EXT_sRGB: an encoded board shrunk by linear filtering; under it a blend in an encoded target, its codes shown.
void srgb() {
    const bool unsizedFormat = hasExtension("GL_EXT_sRGB");  // else OpenGL ES 3.0's sized one
    const GLenum internal = unsizedFormat ? GL_SRGB_ALPHA_EXT : GL_SRGB8_ALPHA8_EXT;
    const GLenum format = unsizedFormat ? GL_SRGB_ALPHA_EXT : GL_RGBA;
    const Target target = newTarget(internal, GL_UNSIGNED_BYTE, 48, format);
    glClear(GL_COLOR_BUFFER_BIT);
    useProgram(kQuadVertex, "varying highp vec2 at; void main() { gl_FragColor = vec4(at.xxy, 1.0); }", {"position"});
    drawQuad();
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glViewport(8, 8, 32, 12);
    fill(1, 1, 0, 0.5f);
    glDisable(GL_BLEND);
    std::vector<unsigned> codes(48 * 48);
    glReadPixels(0, 0, 48, 48, GL_RGBA, GL_UNSIGNED_BYTE, codes.data());
    newTexture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 48, 48, 0, GL_RGBA, GL_UNSIGNED_BYTE, codes.data());
    panel(2, 0);
    show("texel");
    glViewport(2 * kPanel, kPanel / 2, kPanel / 2, kPanel / 2);
    glBindTexture(GL_TEXTURE_2D, target.texture);
    show("texel");
    glViewport(2 * kPanel + kPanel / 2, kPanel / 2, kPanel / 2, kPanel / 2);
    newTexture();
    boardImage(GL_TEXTURE_2D, 64, 13, 0xFF20C0FFu, 0xFF802010u, internal, format);
    show("texel");
}

/// EXT_texture_filter_anisotropic: a board to the horizon, the right half anisotropic.
void anisotropy() {
    newTexture();
    boardImage(GL_TEXTURE_2D, 128, 16, 0xFFFFFFFFu, 0xFF103060u);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
    useProgram(R"(attribute vec4 position; varying highp vec2 at;
        void main() { float w = 1.02 + position.y; gl_Position = vec4(position.x * w, position.y * w, 0.0, w);
                      at = vec2(position.x * w * 1.5, position.y * 6.0); })",
               "varying highp vec2 at; uniform sampler2D image; void main() { gl_FragColor = texture2D(image, at); }",
               {"position"});
    glEnable(GL_SCISSOR_TEST);
    for (int half = 0; half < 2; ++half) {
        panel(3, 0);
        glScissor(3 * kPanel + half * kPanel / 2, 0, kPanel / 2, kPanel);
        glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, half == 0 ? 1.0f : 16.0f);
        drawQuad();
    }
    glDisable(GL_SCISSOR_TEST);
}

/// EXT_instanced_arrays: 100 triangles, each turned and coloured by its instance.
void instancing() {
    std::vector<GLfloat> places;
    for (int i = 0; i < 100; ++i) {
        const Direction to = direction(i * 0.037);
        const int row = i / 10, column = i % 10;
        places.insert(places.end(),
                      {-0.9f + 0.2f * static_cast<float>(column), -0.9f + 0.2f * static_cast<float>(row), to.x, to.y});
    }
    const GLfloat corners[] = {-0.08f, -0.06f, 0.1f, 0, -0.05f, 0.09f};
    panel(0, 1);
    useProgram(R"(attribute vec2 corner; attribute vec4 place; varying mediump vec3 shade;
        void main() { gl_Position = vec4(place.xy + mat2(place.zw, -place.w, place.z) * corner, 0.0, 1.0);
                      shade = place.xyz * 0.5 + 0.5; })",
               "varying mediump vec3 shade; void main() { gl_FragColor = vec4(shade, 1.0); }", {"corner", "place"});
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 0, places.data());
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    const std::string suffix = hasExtension("GL_EXT_instanced_arrays") ? "EXT" : "";  // else OpenGL ES 3.0
    auto divisor = procedure<PFNGLVERTEXATTRIBDIVISOREXTPROC>(("glVertexAttribDivisor" + suffix).c_str());
    divisor(1, 1);
    procedure<PFNGLDRAWARRAYSINSTANCEDEXTPROC>(("glDrawArraysInstanced" + suffix).c_str())(GL_TRIANGLES, 0, 3, 100);
    divisor(1, 0);
}

/// EXT_draw_buffers: position and pattern into two textures at once.
void drawBuffers() {
    const Target target = newTarget(GL_RGBA, GL_UNSIGNED_BYTE, 64, GL_RGBA);
    const GLuint second = newTexture();
    boardImage(GL_TEXTURE_2D, 64, 1, 0, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1_EXT, GL_TEXTURE_2D, second, 0);
    const GLenum buffers[] = {GL_COLOR_ATTACHMENT0_EXT, GL_COLOR_ATTACHMENT1_EXT};
    procedure<PFNGLDRAWBUFFERSEXTPROC>("glDrawBuffersEXT")(2, buffers);
    useProgram(kQuadVertex, R"(#extension GL_EXT_draw_buffers : require
        precision highp float; varying highp vec2 at;
        void main() { float ring = fract(length(at - 0.5) * 8.0);
                      gl_FragData[0] = vec4(at, 0.5, 1.0); gl_FragData[1] = vec4(ring, 1.0 - ring, at.x, 1.0); })",
               {"position"});
    drawQuad();
    glBindTexture(GL_TEXTURE_2D, target.texture);
    panel(1, 1);
    glViewport(kPanel, kPanel, kPanel / 2, kPanel);
    show("texel");
    glViewport(kPanel + kPanel / 2, kPanel, kPanel / 2, kPanel);
    glBindTexture(GL_TEXTURE_2D, second);
    show("texel");
}

/// EXT_frag_depth: balls drawn as squares that cut each other.
void fragmentDepth() {
    panel(2, 1);
    useProgram(R"(attribute vec4 position; uniform vec3 centre; varying highp vec2 at;
        void main() { at = position.xy; gl_Position = vec4(position.xy * 0.5 + centre.xy, 0.0, 1.0); })",
               R"(#extension GL_EXT_frag_depth : require
        precision highp float; varying highp vec2 at; uniform vec3 centre;
        void main() { float r = dot(at, at); if (r > 1.0) discard; float z = sqrt(1.0 - r);
                      gl_FragDepthEXT = 0.5 - 0.4 * (z * 0.5 + centre.z);
                      gl_FragColor = vec4(vec3(0.2) + 0.8 * z * fract(centre * 3.7 + 0.5), 1.0); })",
               {"position"});
    glEnable(GL_DEPTH_TEST);
    for (int i = 0; i < 5; ++i) {
        const Direction to = direction(i * 0.2 + 0.05);
        glUniform3f(uniform("centre"), 0.45f * to.x, 0.45f * to.y, 0.1f * static_cast<float>(i));
        drawQuad();
    }
    glDisable(GL_DEPTH_TEST);
}

/// OES_standard_derivatives: lines of even width over a warped plane, shaded by its slope.
void derivatives() {
    panel(3, 1);
    useProgram(kQuadVertex, R"(#extension GL_OES_standard_derivatives : require
        precision highp float; varying highp vec2 at;
        void main() { vec2 p = at * 4.0 - 2.0; vec2 q = p * (1.0 + 0.3 * dot(p, p)) * 2.0;
                      vec2 width = fwidth(q), line = abs(fract(q) - 0.5) / width;
                      float height = p.x * p.x * p.y * 0.3;
                      vec3 normal = normalize(vec3(-dFdx(height) * 40.0, -dFdy(height) * 40.0, 1.0));
                      float edge = clamp(min(line.x, line.y), 0.0, 1.0);
                      gl_FragColor = vec4(mix(vec3(1.0), normal * 0.5 + 0.5, edge), 1.0); })",
               {"position"});
    drawQuad();
}

/// EXT_shader_texture_lod: levels of their own colour, chosen outright, by gradients, and with a bias.
void textureLod() {
    newTexture();
    const unsigned colors[] = {0xFF0000FFu, 0xFF00FF00u, 0xFFFF0000u, 0xFF00FFFFu, 0xFFFF00FFu, 0xFFFFFFFFu};
    for (int level = 0; level < 6; ++level) {
        const int size = 32 >> level;
        const std::vector<unsigned> pixels(static_cast<size_t>(size) * static_cast<size_t>(size), colors[level]);
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    panel(0, 2);
    // What the extension adds is core in OpenGL ES 3.0's language, under other names.
    const bool isExtension = hasExtension("GL_EXT_shader_texture_lod");
    const std::string vertex =
        std::string("#version 300 es\n#define attribute in\n#define varying out\n") + kQuadVertex;
    const char* const extension = R"(#extension GL_EXT_shader_texture_lod : require
        #define color gl_FragColor
        precision highp float; varying highp vec2 at; uniform sampler2D image;
    )";
    const char* const core = R"(#version 300 es
        #define texture2D texture
        #define texture2DLodEXT textureLod
        #define texture2DGradEXT textureGrad
        precision highp float; in highp vec2 at; uniform sampler2D image; out vec4 color;
    )";
    const char* const body = R"(void main() {
        vec2 p = at * vec2(1.0, 3.0); float wanted = at.x * 5.5;
        if (p.y < 1.0) color = texture2DLodEXT(image, at, wanted);
        else if (p.y < 2.0) color = texture2DGradEXT(image, at, vec2(at.x * at.x * 0.9, 0.0), vec2(0.0, 0.02));
        else color = texture2D(image, at, floor(at.x * 6.0));
    })";
    useProgram(isExtension ? kQuadVertex : vertex, std::string(isExtension ? extension : core) + body, {"position"});
    drawQuad();
}

/// EXT_blend_minmax, OES_vertex_array_object, OES_element_index_uint.
void minMax() {
    panel(1, 2);
    fill(0.4f, 0.4f, 0.4f, 1);
    GLuint array = 0, buffers[2] = {};
    auto bindArray = procedure<PFNGLBINDVERTEXARRAYOESPROC>("glBindVertexArrayOES");
    procedure<PFNGLGENVERTEXARRAYSOESPROC>("glGenVertexArraysOES")(1, &array);
    glGenBuffers(2, buffers);
    std::vector<GLfloat> vertices(3 * 70000);  // the triangles' corners are the last: more than 16 bits
    for (int i = 0; i < 12; ++i) {
        const Direction to = direction(i / 12.0 + (i % 3) * 0.27);
        GLfloat* corner = &vertices[3 * (69988 + static_cast<size_t>(i))];
        corner[0] = to.x, corner[1] = to.y, corner[2] = static_cast<float>(i) / 12;
    }
    std::vector<GLuint> indices;
    for (GLuint i = 0; i < 12; ++i) indices.push_back(69988 + i);
    bindArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * 4), vertices.data(), GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * 4), indices.data(), GL_STATIC_DRAW);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    useProgram(
        "attribute vec4 position; varying mediump float hue; void main() { hue = position.z;"
        " gl_Position = vec4(position.xy, 0.0, 1.0); }",
        "varying mediump float hue; void main() { gl_FragColor = vec4(hue, 1.0 - hue, hue * 0.5 + 0.2, 1.0); }",
        {"position"});
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX_EXT);
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_INT, nullptr);
    glBlendEquation(GL_MIN_EXT);
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_INT, reinterpret_cast<const void*>(6 * sizeof(GLuint)));
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
    bindArray(0);
}

/// EXT_texture_rg and EXT_unpack_subimage: the middle of an image, as one and as two channels.
void redGreen() {
    std::vector<unsigned char> image(64 * 64);
    for (int i = 0; i < 64 * 64; ++i)
        image[static_cast<size_t>(i)] = static_cast<unsigned char>((i % 64) * 4 ^ (i / 64) * 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH_EXT, 64);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS_EXT, 16);
    glPixelStorei(GL_UNPACK_SKIP_ROWS_EXT, 8);
    newTexture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RED_EXT, 32, 32, 0, GL_RED_EXT, GL_UNSIGNED_BYTE, image.data());
    panel(2, 2);
    glViewport(2 * kPanel, 2 * kPanel, kPanel / 2, kPanel);
    show("vec4(texel.r, texel.g, texel.b + 0.3, texel.a)");
    glPixelStorei(GL_UNPACK_ROW_LENGTH_EXT, 32);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS_EXT, 8);
    newTexture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG_EXT, 16, 16, 0, GL_RG_EXT, GL_UNSIGNED_BYTE, image.data());
    glViewport(2 * kPanel + kPanel / 2, 2 * kPanel, kPanel / 2, kPanel);
    show("texel");
    for (GLenum parameter : {GL_UNPACK_ROW_LENGTH_EXT, GL_UNPACK_SKIP_PIXELS_EXT, GL_UNPACK_SKIP_ROWS_EXT})
        glPixelStorei(parameter, 0);
}

/// OES_fbo_render_mipmap: the second level of a cube map's faces drawn to, then seen in all directions.
void cubeLevels() {
    newTexture(GL_TEXTURE_CUBE_MAP);
    GLint cube = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_CUBE_MAP, &cube);
    for (GLenum face = 0; face < 6; ++face)
        boardImage(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 32, 4, 0xFF202020u + face * 0x00201008u,
                   0xFFE0C0FFu - face * 0x00281800u);
    glGenerateMipmap(GL_TEXTURE_CUBE_MAP);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (GLenum face = 0; face < 6; ++face) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_CUBE_MAP_POSITIVE_X + face,
                               static_cast<GLuint>(cube), 1);
        glViewport(0, 0, 8, 8);
        fill(face % 2 == 0 ? 1.0f : 0.0f, static_cast<float>(face) / 5, 0.2f, 1);
    }
    panel(3, 2);
    useProgram(kQuadVertex, R"(precision highp float; varying highp vec2 at; uniform samplerCube image;
        void main() { vec2 p = at * 2.0 - 1.0; vec3 d = vec3(p * 1.6, 1.0 - dot(p, p) * 1.3);
                      gl_FragColor = textureCube(image, d); })",
               {"position"});
    drawQuad();
}

void drawScene() {
    screen = newTarget(GL_RGBA, GL_UNSIGNED_BYTE, kPanel * kColumns, GL_RGBA).framebuffer;
    GLuint depth = 0;
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24_OES, kPanel * kColumns, kPanel * kColumns);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    for (auto part : {depthTexture, halfFloatTarget, srgb, anisotropy, instancing, drawBuffers, fragmentDepth,
                      derivatives, textureLod, minMax, redGreen, cubeLevels})
        part();
    glBindFramebuffer(GL_FRAMEBUFFER, screen);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, kPanel * kColumns, kPanel * kRows, drawScene); }
