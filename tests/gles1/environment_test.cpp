// Texture environments (section 3.7.12): every mode and base format, and random combine states over four units, against
// the tables.
#include <map>

#include "tests/gles1/fixture.h"

using namespace tessera::gles1_test;

namespace {

/// A texture of one texel, and what a lookup gives.
struct Texel {
    GLenum format;
    Vec4 value;
};

/// Multiples of 1/255, in the channels that the format has.
Texel randomTexel(Random& random) {
    const GLenum formats[] = {GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, GL_RGB, GL_RGBA, GL_RGBA};
    Texel texel{random.pick(formats), {}};
    std::array<GLubyte, 4> b;
    for (GLubyte& channel : b) channel = static_cast<GLubyte>(random.between(0, 255.99));
    const auto unit = [&](size_t i) { return b[i] / 255.0; };
    switch (texel.format) {
        case GL_ALPHA:
            texel.value = {0, 0, 0, unit(0)};
            break;
        case GL_LUMINANCE:
            texel.value = {unit(0), unit(0), unit(0), 1};
            break;
        case GL_LUMINANCE_ALPHA:
            texel.value = {unit(0), unit(0), unit(0), unit(1)};
            break;
        case GL_RGB:
            texel.value = {unit(0), unit(1), unit(2), 1};
            break;
        default:
            texel.value = {unit(0), unit(1), unit(2), unit(3)};
    }
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(texel.format), 1, 1, 0, texel.format, GL_UNSIGNED_BYTE, b.data());
    return texel;
}

/// Tables 3.16 and 3.17.
Vec4 simple(GLenum mode, const Texel& texel, const Vec4& cp, const Vec4& cc) {
    const bool color = texel.format != GL_ALPHA;
    const bool alpha = texel.format == GL_ALPHA || texel.format == GL_LUMINANCE_ALPHA || texel.format == GL_RGBA;
    const Vec4& ct = texel.value;
    Vec4 out = cp;
    for (size_t i = 0; color && i < 3; ++i) {
        if (mode == GL_REPLACE) out[i] = ct[i];
        if (mode == GL_MODULATE) out[i] = cp[i] * ct[i];
        if (mode == GL_DECAL) out[i] = alpha ? cp[i] * (1 - ct[3]) + ct[i] * ct[3] : ct[i];
        if (mode == GL_BLEND) out[i] = cp[i] * (1 - ct[i]) + cc[i] * ct[i];
        if (mode == GL_ADD) out[i] = std::min(cp[i] + ct[i], 1.0);
    }
    if (alpha && mode == GL_REPLACE) out[3] = ct[3];
    if (alpha && (mode == GL_MODULATE || mode == GL_BLEND || mode == GL_ADD)) out[3] = cp[3] * ct[3];
    return out;
}

struct Half {
    GLenum function;
    GLenum source[3], operand[3];
    int scale;
};

/// Table 3.18's value of one channel, with Arg0 to Arg2 of the channel.
double combine(GLenum function, const double arg[3]) {
    switch (function) {
        case GL_REPLACE:
            return arg[0];
        case GL_MODULATE:
            return arg[0] * arg[1];
        case GL_ADD:
            return arg[0] + arg[1];
        case GL_ADD_SIGNED:
            return arg[0] + arg[1] - 0.5;
        case GL_INTERPOLATE:
            return arg[0] * arg[2] + arg[1] * (1 - arg[2]);
        default:
            return arg[0] - arg[1];
    }
}

void setHalf(const Half& half, bool isAlpha) {
    glTexEnvi(GL_TEXTURE_ENV, isAlpha ? GL_COMBINE_ALPHA : GL_COMBINE_RGB, static_cast<GLint>(half.function));
    for (unsigned i = 0; i < 3; ++i) {
        glTexEnvi(GL_TEXTURE_ENV, (isAlpha ? GL_SRC0_ALPHA : GL_SRC0_RGB) + i, static_cast<GLint>(half.source[i]));
        glTexEnvi(GL_TEXTURE_ENV, (isAlpha ? GL_OPERAND0_ALPHA : GL_OPERAND0_RGB) + i,
                  static_cast<GLint>(half.operand[i]));
    }
    glTexEnvf(GL_TEXTURE_ENV, isAlpha ? GL_ALPHA_SCALE : GL_RGB_SCALE, static_cast<GLfloat>(half.scale));
}

Half randomHalf(Random& random, bool isAlpha) {
    const GLenum functions[] = {GL_REPLACE,     GL_MODULATE, GL_ADD,      GL_ADD_SIGNED,
                                GL_INTERPOLATE, GL_SUBTRACT, GL_DOT3_RGB, GL_DOT3_RGBA};
    const GLenum sources[] = {GL_TEXTURE, GL_CONSTANT, GL_PRIMARY_COLOR, GL_PREVIOUS, GL_TEXTURE0, GL_TEXTURE2};
    const GLenum operands[] = {GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR};
    const int scales[] = {1, 1, 2, 4};
    Half half{};
    do half.function = random.pick(functions);
    while (isAlpha && (half.function == GL_DOT3_RGB || half.function == GL_DOT3_RGBA));
    for (size_t i = 0; i < 3; ++i) {
        half.source[i] = random.pick(sources);
        half.operand[i] = operands[static_cast<size_t>(random.between(0, isAlpha ? 1.99 : 3.99))];
    }
    half.scale = random.pick(scales);
    return half;
}

constexpr int kUnits = 4;
constexpr GLenum kModes[] = {GL_MODULATE, GL_REPLACE, GL_DECAL, GL_BLEND, GL_ADD};

}  // namespace

TEST_CASE("environments of four units, all modes, against the tables") {
    const Context1 context;
    for (GLenum i = 0; i < kUnits; ++i) {
        glActiveTexture(GL_TEXTURE0 + i);
        GLuint texture = 0;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glEnable(GL_TEXTURE_2D);
    }
    Random random(4);
    for (int round = 0; round < 150; ++round) {
        CAPTURE(round);
        const Vec4 primary = random.color();
        std::vector<Texel> texels;
        for (GLenum i = 0; i < kUnits; ++i) {
            glActiveTexture(GL_TEXTURE0 + i);
            texels.push_back(randomTexel(random));
        }
        Vec4 current = primary;
        for (GLenum i = 0; i < kUnits; ++i) {
            glActiveTexture(GL_TEXTURE0 + i);
            const Vec4 constant = random.color();
            glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, floats(constant).data());
            if (random.chance(2)) {
                GLenum mode = random.pick(kModes);
                const bool isDefined = texels[i].format == GL_RGB || texels[i].format == GL_RGBA;
                if (mode == GL_DECAL && !isDefined) mode = GL_REPLACE;
                glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, static_cast<GLint>(mode));
                current = simple(mode, texels[i], current, constant);
                continue;
            }
            glTexEnvx(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
            const Half rgb = randomHalf(random, false), alpha = randomHalf(random, true);
            setHalf(rgb, false);
            setHalf(alpha, true);
            const auto argument = [&](const Half& half, size_t n, size_t channel) {
                const std::map<GLenum, Vec4> sources = {{GL_TEXTURE, texels[i].value},  {GL_CONSTANT, constant},
                                                        {GL_PRIMARY_COLOR, primary},    {GL_PREVIOUS, current},
                                                        {GL_TEXTURE0, texels[0].value}, {GL_TEXTURE2, texels[2].value}};
                const Vec4& source = sources.at(half.source[n]);
                switch (half.operand[n]) {
                    case GL_SRC_COLOR:
                        return source[channel];
                    case GL_ONE_MINUS_SRC_COLOR:
                        return 1 - source[channel];
                    case GL_SRC_ALPHA:
                        return source[3];
                    default:
                        return 1 - source[3];
                }
            };
            Vec4 next;
            double products = 0;
            for (size_t c = 0; c < 4; ++c) {
                const Half& half = c < 3 ? rgb : alpha;
                const double arg[3] = {argument(half, 0, c), argument(half, 1, c), argument(half, 2, c)};
                if (c < 3) products += (arg[0] - 0.5) * (arg[1] - 0.5);
                next[c] = half.scale * combine(half.function, arg);
            }
            if (rgb.function == GL_DOT3_RGB || rgb.function == GL_DOT3_RGBA)
                next[0] = next[1] = next[2] = rgb.scale * 4 * products;
            if (rgb.function == GL_DOT3_RGBA) next[3] = alpha.scale * 4 * products;
            for (double& channel : next) channel = std::clamp(channel, 0.0, 1.0);
            current = next;
        }
        glColor4f(static_cast<GLfloat>(primary[0]), static_cast<GLfloat>(primary[1]), static_cast<GLfloat>(primary[2]),
                  static_cast<GLfloat>(primary[3]));
        drawWindow();
        CHECK(near(pixelAt(7, 9), bytes(current), 1));
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("units whose texture is incomplete, or read one that is not there, do nothing") {
    const Context1 context;
    glColor4f(0.25f, 0.5f, 0.75f, 1);
    glEnable(GL_TEXTURE_2D);  // no image
    drawWindow();
    CHECK(near(pixelAt(8, 8), bytes({0.25, 0.5, 0.75, 1}), 1));
    const GLubyte texel[] = {255, 0, 0, 255};
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    glTexEnvi(GL_TEXTURE_ENV, GL_SRC0_RGB, GL_TEXTURE5);
    drawWindow();
    CHECK(near(pixelAt(8, 8), bytes({0.25, 0.5, 0.75, 1}), 1));
    glTexEnvi(GL_TEXTURE_ENV, GL_SRC0_RGB, GL_TEXTURE);
    drawWindow();
    CHECK(near(pixelAt(8, 8), bytes({0.25, 0, 0, 1}), 1));
}

TEST_CASE("mipmaps are made when level 0 changes and GL_GENERATE_MIPMAP is set") {
    const Context1 context;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
    GLint value = 0;
    glGetTexParameteriv(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, &value);
    CHECK(value == GL_TRUE);
    std::vector<GLubyte> texels(64 * 64 * 4, 64);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    glEnable(GL_TEXTURE_2D);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    const GLshort coords[] = {0, 0, 1, 0, 0, 1, 1, 1};
    glTexCoordPointer(2, GL_SHORT, 0, coords);
    drawWindow();
    CHECK(pixelAt(8, 8)[0] == 64);
    texels.assign(texels.size(), 200);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    drawWindow();
    CHECK(pixelAt(8, 8)[0] == 200);
    // A change of another level makes none.
    texels.assign(texels.size(), 90);
    for (GLint level = 6; level > 0; --level)
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, 64 >> level, 64 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels.data());
    drawWindow();
    CHECK(pixelAt(8, 8)[0] == 90);
}

TEST_CASE("generated coordinates of a picture") {
    const Context1 context;
    glEnable(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    const GLubyte texels[] = {10, 0, 0, 255, 20, 0, 0, 255, 30, 0, 0, 255, 40, 0, 0, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glEnable(GL_TEXTURE_GEN_STR_OES);
    glTexGeniOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, GL_NORMAL_MAP_OES);
    glPointSize(8);
    glNormal3f(0.75f, 0.25f, 0);
    drawPoint({0, 0, -0.5});
    CHECK(pixelAt(8, 8)[0] == 20);
    glMultiTexCoord4f(GL_TEXTURE0, 0, 0, 0, 0.5f);  // of these q counts: (1.5, 0.5)
    glNormal3f(0.125f, 0.25f, 0);
    drawPoint({0, 0, -0.5});
    CHECK(pixelAt(8, 8)[0] == 30);
}

TEST_CASE("cube maps with reflected and normal vectors") {
    const Context1 context;
    glEnable(GL_TEXTURE_CUBE_MAP_OES);
    glTexParameteri(GL_TEXTURE_CUBE_MAP_OES, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_CUBE_MAP_OES, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    for (GLenum face = 0; face < 6; ++face) {
        const GLubyte texel[] = {static_cast<GLubyte>(40 * face), 0, 0, 255};
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X_OES + face, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    }
    glEnable(GL_TEXTURE_GEN_STR_OES);
    glTexGeniOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, GL_NORMAL_MAP_OES);
    glPointSize(8);
    glNormal3f(0, 1, 0);
    drawPoint({0, 0, -0.5});
    CHECK(pixelAt(8, 8)[0] == 2 * 40);
    // From the eye along -z onto a surface that looks half up: the reflected vector goes straight up.
    glTexGenfOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, GL_REFLECTION_MAP_OES);
    glNormal3f(0, 0.70710678f, 0.70710678f);
    drawPoint({0, 0, -0.5});
    CHECK(pixelAt(8, 8)[0] == 2 * 40);
    glNormal3f(0, 0, 1);
    drawPoint({0, 0, -0.5});
    CHECK(pixelAt(8, 8)[0] == 4 * 40);
    glDisable(GL_TEXTURE_GEN_STR_OES);
    glMultiTexCoord4f(GL_TEXTURE0, -1, 0.1f, 0.2f, 1);
    drawPoint({0, 0, -0.5});
    CHECK(pixelAt(8, 8)[0] == 1 * 40);
}
