// Errors that the specification asks for, and calls in contexts that do not have them.
#include <functional>
#include <limits>

#include "api/gles1/gles1.h"
#include "tests/gles1/fixture.h"

using namespace tessera::gles1_test;

TEST_CASE("wrong arguments give the specification's errors and change nothing") {
    const Context1 context;
    static const GLfloat f[16] = {};
    static GLfloat out[16];
    static void* pointer;
    const struct {
        const char* name;
        std::function<void()> call;
        GLenum want;
    } calls[] = {
        {"glAlphaFunc", [] { glAlphaFunc(GL_ADD, 0); }, GL_INVALID_ENUM},
        {"glClientActiveTexture", [] { glClientActiveTexture(GL_TEXTURE0 + 8); }, GL_INVALID_ENUM},
        {"glActiveTexture", [] { glActiveTexture(GL_TEXTURE0 + 8); }, GL_INVALID_ENUM},
        {"glBlendFunc, of OpenGL ES 2.0", [] { glBlendFunc(GL_ONE, GL_SRC_ALPHA_SATURATE); }, GL_INVALID_ENUM},
        {"glClipPlanef", [] { glClipPlanef(GL_CLIP_PLANE0 + 6, f); }, GL_INVALID_ENUM},
        {"glColorPointer size", [] { glColorPointer(3, GL_FLOAT, 0, f); }, GL_INVALID_VALUE},
        {"glColorPointer type", [] { glColorPointer(4, GL_BYTE, 0, f); }, GL_INVALID_ENUM},
        {"glColorPointer stride", [] { glColorPointer(4, GL_FLOAT, -1, f); }, GL_INVALID_VALUE},
        {"glVertexPointer size", [] { glVertexPointer(1, GL_FLOAT, 0, f); }, GL_INVALID_VALUE},
        {"glVertexPointer type", [] { glVertexPointer(2, GL_UNSIGNED_BYTE, 0, f); }, GL_INVALID_ENUM},
        {"glNormalPointer type", [] { glNormalPointer(GL_UNSIGNED_BYTE, 0, f); }, GL_INVALID_ENUM},
        {"glTexCoordPointer size", [] { glTexCoordPointer(1, GL_FLOAT, 0, f); }, GL_INVALID_VALUE},
        {"glPointSizePointerOES type", [] { glPointSizePointerOES(GL_SHORT, 0, f); }, GL_INVALID_ENUM},
        {"glEnableClientState", [] { glEnableClientState(GL_TEXTURE_2D); }, GL_INVALID_ENUM},
        {"glEnable of an array", [] { glEnable(GL_VERTEX_ARRAY); }, GL_INVALID_ENUM},
        {"glIsEnabled", [] { glIsEnabled(GL_FOG_MODE); }, GL_INVALID_ENUM},
        {"glFogf mode", [] { glFogf(GL_FOG_MODE, GL_REPEAT); }, GL_INVALID_ENUM},
        {"glFogf colour", [] { glFogf(GL_FOG_COLOR, 1); }, GL_INVALID_ENUM},
        {"glFogf density", [] { glFogf(GL_FOG_DENSITY, -1); }, GL_INVALID_VALUE},
        {"glFrustumf near", [] { glFrustumf(-1, 1, -1, 1, 0, 1); }, GL_INVALID_VALUE},
        {"glFrustumf sides", [] { glFrustumf(1, 1, -1, 1, 1, 2); }, GL_INVALID_VALUE},
        {"glOrthof", [] { glOrthof(-1, 1, 1, 1, 1, 2); }, GL_INVALID_VALUE},
        {"glHint", [] { glHint(GL_FOG, GL_NICEST); }, GL_INVALID_ENUM},
        {"glLightf light", [] { glLightf(GL_LIGHT0 + 8, GL_SPOT_CUTOFF, 1); }, GL_INVALID_ENUM},
        {"glLightf vector", [] { glLightf(GL_LIGHT0, GL_POSITION, 1); }, GL_INVALID_ENUM},
        {"glLightf cutoff", [] { glLightf(GL_LIGHT0, GL_SPOT_CUTOFF, 91); }, GL_INVALID_VALUE},
        {"glLightf exponent", [] { glLightf(GL_LIGHT0, GL_SPOT_EXPONENT, 129); }, GL_INVALID_VALUE},
        {"glLightf attenuation", [] { glLightf(GL_LIGHT0, GL_LINEAR_ATTENUATION, -1); }, GL_INVALID_VALUE},
        {"glLightModelf", [] { glLightModelf(GL_LIGHT_MODEL_AMBIENT, 1); }, GL_INVALID_ENUM},
        {"glLogicOp", [] { glLogicOp(GL_SET + 1); }, GL_INVALID_ENUM},
        {"glMaterialf face", [] { glMaterialf(GL_FRONT, GL_SHININESS, 1); }, GL_INVALID_ENUM},
        {"glMaterialf shininess", [] { glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 129); }, GL_INVALID_VALUE},
        {"glMaterialf vector", [] { glMaterialf(GL_FRONT_AND_BACK, GL_AMBIENT, 1); }, GL_INVALID_ENUM},
        {"glMatrixMode", [] { glMatrixMode(GL_TEXTURE_2D); }, GL_INVALID_ENUM},
        {"glMultiTexCoord4f", [] { glMultiTexCoord4f(GL_TEXTURE0 + 8, 0, 0, 0, 1); }, GL_INVALID_ENUM},
        {"glPointParameterf", [] { glPointParameterf(GL_POINT_SIZE_MIN, -1); }, GL_INVALID_VALUE},
        {"glPointParameterf vector", [] { glPointParameterf(GL_POINT_DISTANCE_ATTENUATION, 1); }, GL_INVALID_ENUM},
        {"glPointSize", [] { glPointSize(0); }, GL_INVALID_VALUE},
        {"glPopMatrix", [] { glPopMatrix(); }, GL_STACK_UNDERFLOW},
        {"glShadeModel", [] { glShadeModel(GL_LINEAR); }, GL_INVALID_ENUM},
        {"glTexImage2D of ETC1",
         [] { glTexImage2D(GL_TEXTURE_2D, 0, 0x8D64, 8, 8, 0, 0x8D64, GL_UNSIGNED_BYTE, nullptr); }, GL_INVALID_VALUE},
        {"glTexImage2D of a palette",
         [] {
             glTexImage2D(GL_TEXTURE_2D, 0, GL_PALETTE4_R5_G6_B5_OES, 16, 16, 0, GL_PALETTE4_R5_G6_B5_OES,
                          GL_UNSIGNED_SHORT_5_6_5, nullptr);
         },
         GL_INVALID_VALUE},
        {"glCopyTexImage2D of ETC1", [] { glCopyTexImage2D(GL_TEXTURE_2D, 0, 0x8D64, 0, 0, 8, 8, 0); },
         GL_INVALID_ENUM},
        {"glTexEnvf target", [] { glTexEnvf(GL_TEXTURE_2D, GL_TEXTURE_ENV_MODE, GL_ADD); }, GL_INVALID_ENUM},
        {"glTexEnvf mode", [] { glTexEnvf(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ALWAYS); }, GL_INVALID_ENUM},
        {"glTexEnvf alpha", [] { glTexEnvf(GL_TEXTURE_ENV, GL_COMBINE_ALPHA, GL_DOT3_RGB); }, GL_INVALID_ENUM},
        {"glTexEnvf operand", [] { glTexEnvf(GL_TEXTURE_ENV, GL_OPERAND0_ALPHA, GL_SRC_COLOR); }, GL_INVALID_ENUM},
        {"glTexEnvf scale", [] { glTexEnvf(GL_TEXTURE_ENV, GL_RGB_SCALE, 3); }, GL_INVALID_VALUE},
        {"glTexEnvf colour", [] { glTexEnvf(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, 1); }, GL_INVALID_ENUM},
        {"glTexGeniOES coordinate", [] { glTexGeniOES(GL_TEXTURE_2D, GL_TEXTURE_GEN_MODE_OES, GL_NORMAL_MAP_OES); },
         GL_INVALID_ENUM},
        {"glTexGeniOES name", [] { glTexGeniOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_ENV_MODE, GL_NORMAL_MAP_OES); },
         GL_INVALID_ENUM},
        {"glTexGenfOES mode", [] { glTexGenfOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, GL_REPEAT); },
         GL_INVALID_ENUM},
        {"glGetTexGenfvOES coordinate", [] { glGetTexGenfvOES(GL_TEXTURE_2D, GL_TEXTURE_GEN_MODE_OES, out); },
         GL_INVALID_ENUM},
        {"glGetTexGenfvOES name", [] { glGetTexGenfvOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_ENV_MODE, out); },
         GL_INVALID_ENUM},
        {"glTexParameterf crop", [] { glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, 1); }, GL_INVALID_ENUM},
        {"glGetLightfv", [] { glGetLightfv(GL_LIGHT0, GL_SHININESS, out); }, GL_INVALID_ENUM},
        {"glGetMaterialfv face", [] { glGetMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT, out); }, GL_INVALID_ENUM},
        {"glGetTexEnvfv", [] { glGetTexEnvfv(GL_TEXTURE_ENV, GL_AMBIENT, out); }, GL_INVALID_ENUM},
        {"glGetPointerv", [] { glGetPointerv(GL_VERTEX_ARRAY, &pointer); }, GL_INVALID_ENUM},
        {"glGetString", [] { glGetString(0x8B8C); }, GL_INVALID_ENUM},  // the shading language's version
        {"glTexImage2D of depth",
         [] { glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 1, 1, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, f); },
         GL_INVALID_VALUE},
        {"glDrawTexiOES to a framebuffer of nothing",
         [] {
             GLuint framebuffer = 0;
             glGenFramebuffers(1, &framebuffer);
             glBindFramebuffer(GL_FRAMEBUFFER_OES, framebuffer);
             glDrawTexiOES(0, 0, 0, 1, 1);
             glBindFramebuffer(GL_FRAMEBUFFER_OES, 0);
         },
         GL_INVALID_FRAMEBUFFER_OPERATION_OES},
        {"glDrawTexiOES size", [] { glDrawTexiOES(0, 0, 0, 0, 1); }, GL_INVALID_VALUE},
        {"glDrawArrays", [] { glDrawArrays(GL_TRIANGLE_FAN + 1, 0, 3); }, GL_INVALID_ENUM},
    };
    for (const auto& entry : calls) {
        CAPTURE(std::string(entry.name));
        entry.call();
        CHECK(glGetError() == entry.want);
        CHECK(glGetError() == GL_NO_ERROR);
    }
    GLint mode = 0;
    glGetTexGenivOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, &mode);
    CHECK(mode == GL_REFLECTION_MAP_OES);
}

TEST_CASE("what is no number is 0 where it is asked for as integers") {
    const Context1 context;
    const GLfloat nan = std::numeric_limits<GLfloat>::quiet_NaN(), color[4] = {nan, nan, nan, nan};
    glColor4f(nan, nan, nan, nan);
    glNormal3f(nan, nan, nan);
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, color);
    glFogfv(GL_FOG_COLOR, color);
    glAlphaFunc(GL_ALWAYS, nan);
    for (const GLenum name :
         {GL_CURRENT_COLOR, GL_CURRENT_NORMAL, GL_LIGHT_MODEL_AMBIENT, GL_FOG_COLOR, GL_ALPHA_TEST_REF}) {
        GLint value[4] = {0, 0, 0, 0};
        glGetIntegerv(name, value);
        for (const GLint one : value) CHECK(one == 0);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("contexts of OpenGL ES 2.0 have none of it") {
    const TestContext context;
    glLoadIdentity();
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glEnable(GL_LIGHTING);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
    CHECK(glGetError() == GL_INVALID_ENUM);
    GLfloat matrix[16];
    glGetFloatv(GL_MODELVIEW_MATRIX, matrix);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glDrawTexiOES(0, 0, 0, 1, 1);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("null pointers are let pass") {
    const Context1 context;
    glLoadMatrixf(nullptr);
    glLightfv(GL_LIGHT0, GL_AMBIENT, nullptr);
    glMaterialxv(GL_FRONT_AND_BACK, GL_AMBIENT, nullptr);
    glFogfv(GL_FOG_COLOR, nullptr);
    glTexEnviv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, nullptr);
    glClipPlanef(GL_CLIP_PLANE0, nullptr);
    glPointParameterfv(GL_POINT_SIZE_MIN, nullptr);
    glGetLightfv(GL_LIGHT0, GL_AMBIENT, nullptr);
    glGetMaterialfv(GL_FRONT, GL_AMBIENT, nullptr);
    glGetTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, nullptr);
    glGetTexEnviv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, nullptr);
    glGetTexEnviv(GL_POINT_SPRITE_OES, GL_COORD_REPLACE_OES, nullptr);
    glGetTexGenfvOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, nullptr);
    glGetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, nullptr);
    glGetClipPlanef(GL_CLIP_PLANE0, nullptr);
    glGetClipPlanex(GL_CLIP_PLANE0, nullptr);
    glGetPointerv(GL_VERTEX_ARRAY_POINTER, nullptr);
    glGetFixedv(GL_MODELVIEW_MATRIX, nullptr);
    glTexParameterxv(GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, nullptr);
    glDrawTexfvOES(nullptr);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(3, GL_FLOAT, 0, nullptr);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("names of extensions reach the functions that came into the core") {
    using tessera::gles1::procAddress;
    CHECK((procAddress("glBindFramebufferOES") == reinterpret_cast<tessera::gles::Proc>(&glBindFramebuffer)));
    CHECK((procAddress("glRotatexOES") == reinterpret_cast<tessera::gles::Proc>(&glRotatex)));
    CHECK((procAddress("glBlendFuncSeparateOES") == reinterpret_cast<tessera::gles::Proc>(&glBlendFuncSeparate)));
    CHECK((procAddress("glRotatef") == reinterpret_cast<tessera::gles::Proc>(&glRotatef)));
    CHECK((procAddress("glCreateShader") == nullptr));  // api/gles's
    CHECK((procAddress("glRotated") == nullptr));
}
