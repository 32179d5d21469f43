// OpenGL ES 3.0: a panel for each part, drawn into one framebuffer. From bottom left: integer target, array texture, 3D
// texture, array of shadow maps; instances with ranges of a uniform buffer, vertices that were streamed out, targets of
// four kinds, samples resolved and a blit that scales; the edges of a cube map, sampler objects with swizzles, restart
// with flat integers, shared exponents and small floats out of a pixel buffer.
#include <GLES3/gl3.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/goldens/scenes/scene.h"

using namespace scenes;

namespace {

constexpr int kPanel = 96, kColumns = 4, kRows = 3;
GLuint screen = 0;

const std::string kHead = R"(#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
precision highp isampler2D;
precision highp sampler3D;
precision highp sampler2DArray;
precision highp sampler2DShadow;
precision highp sampler2DArrayShadow;
)";

/// A quad over the viewport, from no arrays: vec2 at is 0..1.
constexpr const char* kQuad = R"(
out vec2 at;
void main() { at = vec2(gl_VertexID & 1, gl_VertexID >> 1); gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0); }
)";

/// Draws the quad by a fragment shader that has `at`.
void drawOver(const std::string& fragment) {
    useProgram(kHead + kQuad, kHead + "in vec2 at;\n" + fragment, {});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/// The quad, coloured by an expression of vec2 at; `uniforms` are declared before.
void show(const std::string& uniforms, const std::string& color) {
    drawOver(uniforms + " out vec4 o; void main() { o = vec4(" + color + "); }");
}

/// Back to the picture: the panel at (column, row), or a part of it in quarters.
void panel(int column, int row, int x = 0, int y = 0, int width = 4, int height = 4) {
    constexpr int kQuarter = kPanel / 4;
    glBindFramebuffer(GL_FRAMEBUFFER, screen);
    glViewport(column * kPanel + x * kQuarter, row * kPanel + y * kQuarter, width * kQuarter, height * kQuarter);
}

/// A new texture with storage, bound: unfiltered, as integers have to be, and clamped.
GLuint newStorage(GLenum internal, int size, int levels = 1) {
    const GLuint name = newTexture();
    glTexStorage2D(GL_TEXTURE_2D, levels, internal, size, size);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return name;
}

/// A new framebuffer, bound, that draws to these textures.
GLuint newFramebuffer(const std::vector<GLuint>& textures, int size) {
    GLuint name = 0;
    glGenFramebuffers(1, &name);
    glBindFramebuffer(GL_FRAMEBUFFER, name);
    std::vector<GLenum> targets;
    for (const GLuint texture : textures) {
        targets.push_back(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(targets.size()));
        glFramebufferTexture2D(GL_FRAMEBUFFER, targets.back(), GL_TEXTURE_2D, texture, 0);
    }
    glDrawBuffers(static_cast<GLsizei>(targets.size()), targets.data());
    glViewport(0, 0, size, size);
    return name;
}

/// Bits that cross each other in 32-bit integers, one of them cleared in part; shown by their digits.
void integerTarget() {
    const GLuint image = newStorage(GL_RGBA32UI, 48);
    newFramebuffer({image}, 48);
    drawOver(R"(out uvec4 o; void main() {
        uvec2 p = uvec2(gl_FragCoord.xy);
        o = uvec4(p.x * p.y * 1103515245u, p.x ^ p.y, (p.x & p.y) << 26u, 0xFFFFFFFFu / (p.x + 1u));
    })");
    glEnable(GL_SCISSOR_TEST);
    glScissor(28, 26, 14, 16);
    const GLuint value[] = {0xFFFFFFFFu, 7, 0x80000000u, 1};
    glClearBufferuiv(GL_COLOR, 0, value);
    glDisable(GL_SCISSOR_TEST);
    panel(0, 0);
    glBindTexture(GL_TEXTURE_2D, image);
    show("uniform usampler2D image;",
         "vec3(texelFetch(image, ivec2(at * 48.0), 0).xyz >> uvec3(24, 0, 24)) / vec3(255.0, 63.0, 255.0), 1.0");
}

/// Eight layers, each a board of its own, with mipmaps; the layer is chosen by the place.
void arrayTexture() {
    newTexture(GL_TEXTURE_2D_ARRAY);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 6, GL_RGBA8, 32, 32, 8);
    for (int layer = 0; layer < 8; ++layer) {
        std::vector<uint32_t> texels;
        for (int i = 0; i < 32 * 32; ++i) {
            const bool isOdd = ((i % 32 * (layer + 1) / 16) + (i / 32 * (layer + 1) / 16)) % 2 != 0;
            texels.push_back(isOdd ? 0xFF202020u + static_cast<uint32_t>(layer) * 0x00180410u
                                   : 0xFFF0F0F0u - static_cast<uint32_t>(layer) * 0x00041C08u);
        }
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, 32, 32, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    }
    glGenerateMipmap(GL_TEXTURE_2D_ARRAY);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_REPEAT);
    panel(1, 0);
    show("uniform sampler2DArray image;",
         "texture(image, vec3(at.x * (1.0 + 3.0 * at.y), at.y * 4.0, floor(at.y * 4.0) + 4.0 * floor(at.x * 2.0)))");
}

/// A ball of light in a volume, on three cuts.
void volumeTexture() {
    constexpr int kSize = 24;
    newTexture(GL_TEXTURE_3D);
    std::vector<uint8_t> texels;
    for (int z = 0; z < kSize; ++z)
        for (int y = 0; y < kSize; ++y)
            for (int x = 0; x < kSize; ++x) {
                const int a = 2 * x - kSize + 1, b = 2 * y - kSize + 1, c = 2 * z - kSize + 1;
                const int square = a * a + b * b + c * c;
                texels.push_back(static_cast<uint8_t>(square < 500 ? 255 - square / 2 : 0));
                texels.push_back(static_cast<uint8_t>(x * 255 / (kSize - 1)));
                texels.push_back(static_cast<uint8_t>((y / 4 + z / 4) % 2 * 200));
                texels.push_back(255);
            }
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, kSize, kSize, kSize, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
    panel(2, 0);
    show("uniform sampler3D image;", "texture(image, vec3(at, fract(at.x * 1.5 + at.y * 0.75)))");
}

/// Two layers of depth, compared at the nearest texel and filtered, and by offsets.
void shadowArray() {
    const GLuint depth = newTexture(GL_TEXTURE_2D_ARRAY);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_DEPTH_COMPONENT24, 16, 16, 2);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, 16, 16);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    for (int layer = 0; layer < 2; ++layer) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, depth, 0, layer);
        const GLenum none = GL_NONE;
        glDrawBuffers(1, &none);
        drawOver(layer == 0 ? "void main() { gl_FragDepth = at.x * 0.8 + 0.1; }"
                            : "void main() { vec2 d = at - 0.5; gl_FragDepth = min(dot(d, d) * 3.0, 1.0); }");
    }
    glDepthFunc(GL_LESS);
    glDisable(GL_DEPTH_TEST);
    panel(3, 0);
    show("uniform sampler2DArrayShadow map;",
         "texture(map, vec4(at, 0.0, at.y * 0.8 + 0.13)), texture(map, vec4(at, 1.0, 0.27)), 0.4, 1.0");
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_GREATER);
    panel(3, 0, 2, 0, 2, 2);
    show("uniform sampler2DArrayShadow map;",
         "vec3(texture(map, vec4(at, 1.0, 0.27)), textureGrad(map, vec4(at, 0.0, 0.52), vec2(0.01), vec2(0.01)), 1.0), "
         "1.0");
}

/// Two draws of nine instances, each with a range of one buffer: places that the instance's number indexes.
void instancesOfBlock() {
    GLint alignment = 0;
    glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
    struct Block {
        std::array<std::array<float, 4>, 9> places;  // x, y, size, hue
        std::array<float, 4> color;
    };
    const auto step = (sizeof(Block) + static_cast<size_t>(alignment) - 1) / static_cast<size_t>(alignment) *
                      static_cast<size_t>(alignment);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, buffer);
    glBufferData(GL_UNIFORM_BUFFER, static_cast<GLsizeiptr>(2 * step), nullptr, GL_STATIC_DRAW);
    for (size_t part = 0; part < 2; ++part) {
        Block block{};
        for (size_t i = 0; i < 9; ++i) {
            const auto number = static_cast<float>(i);
            const Direction to = direction(number / 9.0 + (part == 0 ? 0 : 0.055));
            const float radius = part == 0 ? 0.72f : 0.38f;
            block.places[i] = {to.x * radius, to.y * radius, part == 0 ? 0.2f : 0.13f, number / 8};
        }
        block.color = part == 0 ? std::array{1.0f, 0.7f, 0.2f, 1.0f} : std::array{0.3f, 0.6f, 1.0f, 1.0f};
        glBufferSubData(GL_UNIFORM_BUFFER, static_cast<GLintptr>(part * step), sizeof block, &block);
    }
    panel(0, 1);
    const GLuint program = useProgram(kHead + R"(
        layout(std140) uniform Bodies { vec4 places[9]; vec4 color; };
        out vec4 v_color;
        void main() {
            vec4 place = places[gl_InstanceID];
            vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
            gl_Position = vec4(place.xy + place.z * vec2(corner.x - corner.y, corner.x + corner.y) * 0.7, 0.0, 1.0);
            v_color = color * (0.25 + 0.75 * place.w) + vec4(0.1 * corner, 0.0, 0.0);
        })",
                                      kHead + "in vec4 v_color; out vec4 o; void main() { o = v_color; }", {});
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Bodies"), 3);
    for (size_t part = 0; part < 2; ++part) {
        glBindBufferRange(GL_UNIFORM_BUFFER, 3, buffer, static_cast<GLintptr>(part * step), sizeof(Block));
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 9);
    }
}

/// Points thrown by a vertex shader, four steps of which each reads what the last streamed out; then they are drawn.
void streamOut() {
    constexpr GLsizei kPoints = 300;
    std::vector<float> states;
    for (int i = 0; i < kPoints; ++i) {
        const Direction to = direction(i / 300.0 * 0.5);
        const float speed = 0.7f + 0.7f * static_cast<float>(i * 37 % 101) / 100;
        states.insert(states.end(), {0, -0.8f, to.x * speed, to.y * speed});
    }
    GLuint buffers[2] = {};
    glGenBuffers(2, buffers);
    for (const GLuint buffer : buffers) {
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(states.size() * sizeof(float)), states.data(),
                     GL_STREAM_COPY);
    }
    const GLuint program = useProgram(
        kHead + R"(
        in vec4 state;
        out vec4 next;
        void main() {
            vec2 speed = state.zw + vec2(0.0, -0.12);
            next = vec4(state.xy + speed * 0.35, speed);
            gl_Position = vec4(state.xy, 0.0, 1.0);
            gl_PointSize = 3.0;
        })",
        kHead + "in vec4 next; out vec4 o; void main() { o = vec4(next.zw * 0.5 + 0.6, 0.3, 1.0); }", {"state"});
    const char* const captured = "next";
    glTransformFeedbackVaryings(program, 1, &captured, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glUseProgram(program);
    panel(1, 1);
    glEnableVertexAttribArray(0);
    for (int step = 0; step < 5; ++step) {
        glBindBuffer(GL_ARRAY_BUFFER, buffers[step % 2]);
        glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[1 - step % 2]);
        glBeginTransformFeedback(GL_POINTS);
        glDrawArrays(GL_POINTS, 0, kPoints);
        glEndTransformFeedback();
    }
    glDisableVertexAttribArray(0);
}

/// One draw into bytes, small integers, signed integers and ten bits; a quarter of the panel shows each.
void targetsOfKinds() {
    const std::vector<GLuint> images = {newStorage(GL_RGBA8, 48), newStorage(GL_RG8UI, 48), newStorage(GL_R32I, 48),
                                        newStorage(GL_RGB10_A2, 48)};
    newFramebuffer(images, 48);
    const GLuint ones[] = {255, 128, 0, 0};
    const GLint minus[] = {-1000, 0, 0, 0};
    const GLfloat grey[] = {0.5f, 0.5f, 0.5f, 1};
    glClearBufferfv(GL_COLOR, 0, grey);
    glClearBufferuiv(GL_COLOR, 1, ones);
    glClearBufferiv(GL_COLOR, 2, minus);
    glClearBufferfv(GL_COLOR, 3, grey);
    drawOver(R"(
        layout(location = 0) out vec4 color;
        layout(location = 1) out uvec2 numbers;
        layout(location = 2) out int height;
        layout(location = 3) out vec4 fine;
        void main() {
            vec2 p = at * 2.0 - 1.0;
            if (dot(p, p) > 0.9) discard;
            color = vec4(at, 1.0 - at.x, 1.0);
            numbers = uvec2(at * 8.0) * 31u;
            height = int(p.x * p.y * 2000.0);
            fine = vec4(fract(at * 3.0), 0.3, 1.0);
        })");
    for (int i = 0; i < 4; ++i) {
        panel(2, 1, i % 2 * 2, i / 2 * 2, 2, 2);
        glBindTexture(GL_TEXTURE_2D, images[static_cast<size_t>(i)]);
        if (i == 1)
            show("uniform usampler2D image;", "vec2(texture(image, at).rg) / 255.0, 0.2, 1.0");
        else if (i == 2)
            show("uniform highp isampler2D image;", "vec3(float(texture(image, at).r) / 2000.0 + 0.5), 1.0");
        else
            show("uniform sampler2D image;", "texture(image, at)");
    }
}

/// Four samples, resolved; the result drawn small and blitted larger, turned over, filtered or not.
void blits() {
    constexpr int kSize = 48;
    GLuint framebuffer = 0, color = 0;
    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(1, &color);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, kSize, kSize);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    glViewport(0, 0, kSize, kSize);
    glClearColor(0.1f, 0.15f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    useProgram(kHead + R"(
        out vec3 v_color;
        void main() {
            float turn = float(gl_InstanceID) * 0.9 + float(gl_VertexID) * 2.0943951;
            gl_Position = vec4(vec2(cos(turn), sin(turn)) * (0.95 - 0.2 * float(gl_InstanceID)), 0.0, 1.0);
            v_color = vec3(gl_InstanceID & 1, float(gl_InstanceID) / 3.0, gl_VertexID == 0);
        })",
               kHead + "in vec3 v_color; out vec4 o; void main() { o = vec4(v_color, 1.0); }", {});
    glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 4);
    glClearColor(0, 0, 0, 1);
    const GLuint resolved = newFramebuffer({newStorage(GL_RGBA8, kSize)}, kSize);
    const auto blit = [](GLuint from, GLuint to, std::array<int, 4> source, std::array<int, 4> rectangle,
                         GLenum filter) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
        glBlitFramebuffer(source[0], source[1], source[2], source[3], rectangle[0], rectangle[1], rectangle[2],
                          rectangle[3], GL_COLOR_BUFFER_BIT, filter);
    };
    constexpr std::array kAll = {0, 0, kSize, kSize};
    blit(framebuffer, resolved, kAll, kAll, GL_NEAREST);
    constexpr int kLeft = 3 * kPanel, kLow = kPanel;
    blit(resolved, screen, kAll, {kLeft, kLow, kLeft + kSize, kLow + kSize}, GL_NEAREST);
    blit(resolved, screen, {0, 0, 16, 16}, {kLeft + 96, kLow, kLeft + 48, kLow + 48}, GL_NEAREST);
    blit(resolved, screen, {16, 16, 32, 32}, {kLeft, kLow + 96, kLeft + 48, kLow + 48}, GL_LINEAR);
    blit(resolved, screen, {4, 8, 44, 40}, {kLeft + 48, kLow + 48, kLeft + 96, kLow + 96}, GL_LINEAR);
}

/// A cube map of four texels a side around its corner: filtered across edges.
void cubeEdges() {
    newTexture(GL_TEXTURE_CUBE_MAP);
    for (GLenum face = 0; face < 6; ++face)
        boardImage(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 4, 4, 0xFF2020E0u + face * 0x00281800u,
                   0xFFE0E0FFu - face * 0x00280820u, GL_RGBA8);
    panel(0, 2);
    show("uniform samplerCube image;",
         "texture(image, vec3(1.0) + (at.x - 0.5) * vec3(1.6, 0.0, -1.6) + (at.y - 0.5) * vec3(-0.9, 1.8, -0.9))");
}

/// One texture by sampler objects of three kinds, and with channels in another order.
void samplers() {
    newTexture();
    boardImage(GL_TEXTURE_2D, 32, 8, 0xFF2040F0u, 0xFFF0E080u, GL_RGBA8);
    glGenerateMipmap(GL_TEXTURE_2D);
    GLuint names[3] = {};
    glGenSamplers(3, names);
    for (const GLuint name : names) glSamplerParameteri(name, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    glSamplerParameteri(names[0], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glSamplerParameteri(names[1], GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
    glSamplerParameteri(names[1], GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glSamplerParameterf(names[2], GL_TEXTURE_MIN_LOD, 2);
    for (int i = 0; i < 4; ++i) {
        panel(1, 2, i % 2 * 2, i / 2 * 2, 2, 2);
        glBindSampler(0, i < 3 ? names[i] : 0);
        if (i == 3) {
            constexpr GLenum kChannels[] = {GL_TEXTURE_SWIZZLE_R, GL_TEXTURE_SWIZZLE_G, GL_TEXTURE_SWIZZLE_B};
            constexpr GLint kSources[] = {GL_BLUE, GL_ZERO, GL_RED};
            for (size_t c = 0; c < 3; ++c) glTexParameteri(GL_TEXTURE_2D, kChannels[c], kSources[c]);
        }
        show("uniform sampler2D image;", "texture(image, at * 1.4 - 0.2)");
    }
    glBindSampler(0, 0);
}

/// Strips that the highest index ends; the colour is an integer of the last corner.
void restart() {
    panel(2, 2);
    std::vector<uint8_t> indices;
    for (uint8_t strip = 0; strip < 6; ++strip) {
        for (uint8_t i = 0; i < 14; ++i) indices.push_back(static_cast<uint8_t>(strip * 14 + i));
        indices.push_back(255);
    }
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size()), indices.data(), GL_STATIC_DRAW);
    useProgram(kHead + R"(
        flat out ivec3 v_color;
        void main() {
            int strip = gl_VertexID / 14, i = gl_VertexID % 14;
            float x = float(i / 2) / 3.0 - 1.0, y = (float(strip) + 0.8 * float(i & 1)) / 3.0 - 0.95;
            gl_Position = vec4(x * (0.6 + 0.06 * float(strip)), y, 0.0, 1.0);
            v_color = ivec3(i * 18, strip * 40 + 20, (i * strip * 29) & 255);
        })",
               kHead + "flat in ivec3 v_color; out vec4 o; void main() { o = vec4(vec3(v_color) / 255.0, 1.0); }", {});
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDrawElements(GL_TRIANGLE_STRIP, static_cast<GLsizei>(indices.size()), GL_UNSIGNED_BYTE, nullptr);
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
}

/// Light above 1 in formats of 32 bits, unpacked from a buffer.
void smallFloats() {
    std::vector<uint32_t> texels;
    for (uint32_t y = 0; y < 16; ++y)
        for (uint32_t x = 0; x < 16; ++x)
            texels.push_back((10 + y / 2) << 27 | x * 30 << 18 | y * 30 << 9 | (15 - x) * 30);
    for (uint32_t y = 0; y < 16; ++y)
        for (uint32_t x = 0; x < 16; ++x)
            texels.push_back((x * 4 + 360) << 22 | (y * 10 + 800) << 11 | ((x ^ y) * 10 + 820));
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, static_cast<GLsizeiptr>(texels.size() * 4), texels.data(), GL_STATIC_DRAW);
    for (int i = 0; i < 2; ++i) {
        newTexture();
        glTexImage2D(GL_TEXTURE_2D, 0, i == 0 ? GL_RGB9_E5 : GL_R11F_G11F_B10F, 16, 16, 0, GL_RGB,
                     i == 0 ? GL_UNSIGNED_INT_5_9_9_9_REV : GL_UNSIGNED_INT_10F_11F_11F_REV,
                     reinterpret_cast<const void*>(static_cast<uintptr_t>(i) * 16 * 16 * 4));
        panel(3, 2, 2 * i, 0, 2, 4);
        show("uniform sampler2D image;", "texture(image, at).rgb / (1.0 + texture(image, at).rgb), 1.0");
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

void drawScene() {
    newTexture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kPanel * kColumns, kPanel * kRows, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    GLint image = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &image);
    screen = newFramebuffer({static_cast<GLuint>(image)}, kPanel);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    for (auto part : {integerTarget, arrayTexture, volumeTexture, shadowArray, instancesOfBlock, streamOut,
                      targetsOfKinds, blits, cubeEdges, samplers, restart, smallFloats})
        part();
    glBindFramebuffer(GL_FRAMEBUFFER, screen);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, kPanel * kColumns, kPanel * kRows, drawScene, 3); }
