// Random states: every program that they ask for is made and draws, at the limits as well, and nothing is an error.
#include "tests/gles1/fixture.h"

using namespace tessera::gles1_test;

namespace {

void toggle(GLenum cap, bool on) { (on ? glEnable : glDisable)(cap); }

void setRandomState(Random& random, bool everything) {
    const auto on = [&] { return everything || random.chance(2); };
    for (const GLenum cap : {GL_LIGHTING, GL_COLOR_MATERIAL, GL_NORMALIZE, GL_RESCALE_NORMAL, GL_FOG, GL_ALPHA_TEST,
                             GL_POINT_SMOOTH, GL_COLOR_LOGIC_OP, GL_LINE_SMOOTH})
        toggle(cap, on());
    toggle(GL_POINT_SPRITE_OES, random.chance(2));
    for (GLenum i = 0; i < 8; ++i) {
        toggle(GL_LIGHT0 + i, on());
        glLightf(GL_LIGHT0 + i, GL_SPOT_CUTOFF, on() ? 60 : 180);
        glLightf(GL_LIGHT0 + i, GL_QUADRATIC_ATTENUATION, on() ? 0.5f : 0);
        const GLfloat position[] = {1, 2, 3, on() ? 1.0f : 0.0f};
        glLightfv(GL_LIGHT0 + i, GL_POSITION, position);
    }
    for (GLenum i = 0; i < 6; ++i) toggle(GL_CLIP_PLANE0 + i, on());
    glLightModelf(GL_LIGHT_MODEL_TWO_SIDE, on() ? 1 : 0);
    glShadeModel(random.chance(2) ? GL_FLAT : GL_SMOOTH);
    const GLenum fogs[] = {GL_LINEAR, GL_EXP, GL_EXP2};
    glFogx(GL_FOG_MODE, static_cast<GLfixed>(random.pick(fogs)));
    const GLenum functions[] = {GL_NEVER, GL_LESS, GL_EQUAL, GL_LEQUAL, GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};
    glAlphaFunc(random.pick(functions), 0.5f);
    glLogicOp(GL_CLEAR + static_cast<GLenum>(random.between(0, 15.99)));
    const GLfloat attenuation[] = {1, 0, on() ? 0.5f : 0.0f};
    glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, attenuation);
    for (GLenum i = 0; i < 8; ++i) {
        glActiveTexture(GL_TEXTURE0 + i);
        toggle(GL_TEXTURE_2D, on());
        toggle(GL_TEXTURE_CUBE_MAP_OES, random.chance(4));
        toggle(GL_TEXTURE_EXTERNAL_OES, false);
        toggle(GL_TEXTURE_GEN_STR_OES, random.chance(2));
        glTexGeniOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES,
                     random.chance(2) ? GL_NORMAL_MAP_OES : GL_REFLECTION_MAP_OES);
        const GLenum modes[] = {GL_MODULATE, GL_REPLACE, GL_DECAL, GL_BLEND, GL_ADD, GL_COMBINE, GL_COMBINE};
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, static_cast<GLint>(random.pick(modes)));
        const GLenum combines[] = {GL_REPLACE,     GL_MODULATE, GL_ADD,      GL_ADD_SIGNED,
                                   GL_INTERPOLATE, GL_SUBTRACT, GL_DOT3_RGB, GL_DOT3_RGBA};
        glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, static_cast<GLint>(random.pick(combines)));
        glTexEnvi(GL_TEXTURE_ENV, GL_SRC0_RGB,
                  static_cast<GLint>(GL_TEXTURE0 + static_cast<GLenum>(random.between(0, 7.99))));
        glTexEnvi(GL_POINT_SPRITE_OES, GL_COORD_REPLACE_OES, random.chance(2));
        glMultiTexCoord4f(GL_TEXTURE0 + i, 0.3f, 0.4f, 0.5f, on() ? 2.0f : 1.0f);
        glMatrixMode(GL_TEXTURE);
        glLoadIdentity();
        if (on()) glScalef(2, 2, 2);
        glMatrixMode(GL_MODELVIEW);
    }
}

}  // namespace

TEST_CASE("programs of random states draw") {
    const Context1 context;
    for (GLenum i = 0; i < 8; ++i) {
        glActiveTexture(GL_TEXTURE0 + i);
        GLuint names[2];
        glGenTextures(2, names);
        const GLubyte texel[] = {200, 100, 50, 150};
        const GLenum formats[] = {GL_RGBA, GL_RGB, GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA};
        const GLenum format = formats[i % 5];
        glBindTexture(GL_TEXTURE_2D, names[0]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), 1, 1, 0, format, GL_UNSIGNED_BYTE, texel);
        glBindTexture(GL_TEXTURE_CUBE_MAP_OES, names[1]);
        glTexParameteri(GL_TEXTURE_CUBE_MAP_OES, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        for (GLenum face = 0; face < 6; ++face)
            glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X_OES + face, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                         texel);
    }
    glPointSize(5);
    Random random(5);
    for (int round = 0; round < 40; ++round) {
        CAPTURE(round);
        setRandomState(random, round < 6);
        drawWindow();
        drawPoint({0, 0, 0});
        const GLfloat line[] = {-1, -1, 1, 1};
        glEnableClientState(GL_VERTEX_ARRAY);
        glVertexPointer(2, GL_FLOAT, 0, line);
        glDrawArrays(GL_LINES, 0, 2);
        glDisableClientState(GL_VERTEX_ARRAY);
        glDrawTexiOES(2, 2, 0, 5, 5);
        CHECK(glGetError() == GL_NO_ERROR);
    }
    glFinish();
}
