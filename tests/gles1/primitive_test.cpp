// Vertex arrays of every type (section 2.8) and points (section 3.3, OES_point_size_array, OES_point_sprite).
#include "tests/gles1/fixture.h"

using namespace tessera::gles1_test;

namespace {

/// Width of the row of white pixels through (x, y).
int rowWidth(int y, int size) {
    int count = 0;
    for (int x = 0; x < size; ++x) count += pixelAt(x, y)[0] > 127;
    return count;
}

template <class T>
void drawWith(GLenum type, T one) {
    const auto minusOne = static_cast<T>(-one);
    // Half the window: x from -1 to 0.
    const T corners[] = {minusOne, minusOne, 0, minusOne, minusOne, one, 0, one};
    glVertexPointer(2, type, 0, corners);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(rowWidth(8, 16) == 8);
}

}  // namespace

TEST_CASE("vertices of all types, and none without their array") {
    const Context1 context;
    glEnableClientState(GL_VERTEX_ARRAY);
    drawWith<GLbyte>(GL_BYTE, 1);
    drawWith<GLshort>(GL_SHORT, 1);
    drawWith<GLfixed>(GL_FIXED, 0x10000);
    drawWith<GLfloat>(GL_FLOAT, 1);
    glDisableClientState(GL_VERTEX_ARRAY);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(rowWidth(8, 16) == 0);
}

TEST_CASE("colours and normals of all types, from buffers as well") {
    const Context1 context;
    glEnableClientState(GL_COLOR_ARRAY);
    const GLubyte bytes4[16] = {51, 102, 153, 204, 51, 102, 153, 204, 51, 102, 153, 204, 51, 102, 153, 204};
    GLfloat floats16[16];
    GLfixed fixed16[16];
    for (size_t i = 0; i < 16; ++i) {
        floats16[i] = bytes4[i] / 255.0f;
        fixed16[i] = static_cast<GLfixed>(bytes4[i] / 255.0f * 65536 + 0.5f);
    }
    const auto check = [] {
        glClear(GL_COLOR_BUFFER_BIT);
        drawWindow();
        CHECK(near(pixelAt(8, 8), {51, 102, 153, 204}, 1));
    };
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, bytes4);
    check();
    glColorPointer(4, GL_FLOAT, 0, floats16);
    check();
    glColorPointer(4, GL_FIXED, 0, fixed16);
    check();
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof bytes4, bytes4, GL_STATIC_DRAW);
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, nullptr);
    GLint name = 0;
    glGetIntegerv(GL_COLOR_ARRAY_BUFFER_BINDING, &name);
    CHECK(name == static_cast<GLint>(buffer));
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    check();
    glDisableClientState(GL_COLOR_ARRAY);

    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_NORMALIZE);
    glEnableClientState(GL_NORMAL_ARRAY);
    const GLbyte normals[] = {0, 0, 127, 0, 0, 127, 0, 0, 127, 0, 0, 127};
    glNormalPointer(GL_BYTE, 0, normals);
    drawWindow();
    CHECK(near(pixelAt(8, 8), {214, 214, 214, 255}, 1));
    const GLshort shorts[] = {0, 0, -32768, 0, 0, -32768, 0, 0, -32768, 0, 0, -32768};
    glNormalPointer(GL_SHORT, 0, shorts);
    drawWindow();
    CHECK(near(pixelAt(8, 8), {10, 10, 10, 255}, 1));
}

TEST_CASE("sizes of points: current, of an array, attenuated, limited") {
    const Context1 context(64);
    const auto width = [](const Vec3& at = {0, 0, 0}) {
        glClear(GL_COLOR_BUFFER_BIT);
        drawPoint(at);
        return rowWidth(32, 64);
    };
    CHECK(width() == 1);
    glPointSize(12);
    CHECK(width() == 12);
    glPointParameterf(GL_POINT_SIZE_MAX, 10);
    CHECK(width() == 10);
    glPointParameterf(GL_POINT_SIZE_MAX, 64);
    glPointParameterf(GL_POINT_SIZE_MIN, 20);
    CHECK(width() == 20);
    glPointParameterx(GL_POINT_SIZE_MIN, 0);
    // Distance 0.5: 16 * sqrt(1 / (1 + 4 * 0.75)) = 8 with the quadratic part alone at 12 * d^2 = 3.
    const GLfloat attenuation[] = {1, 0, 12};
    glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, attenuation);
    glPointSize(16);
    CHECK(width({0, 0, -0.5}) == 8);
    CHECK(width({0, 0, 0}) == 16);
    const GLfloat none[] = {1, 0, 0};
    glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, none);
    const GLfixed sizes[] = {24 << 16};
    glEnableClientState(GL_POINT_SIZE_ARRAY_OES);
    glPointSizePointerOES(GL_FIXED, 0, sizes);
    CHECK(width() == 24);
    void* pointer = nullptr;
    glGetPointerv(GL_POINT_SIZE_ARRAY_POINTER_OES, &pointer);
    CHECK(pointer == sizes);
}

// Section 3.3: a point has the current size, whatever was drawn before it. No other call stands between the draws, as
// each makes them look at the state anew.
TEST_CASE("points behind triangles, and triangles behind points, in the same state") {
    const Context1 context;
    const GLfloat vertices[] = {0.5f, 0, -1, -1, -0.5f, -1, -1, 1, -0.5f, 1};  // a point, and the window's left quarter
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, vertices);
    glPointSize(6);
    const auto points = [] { glDrawArrays(GL_POINTS, 0, 1); };
    const auto triangles = [] { glDrawArrays(GL_TRIANGLE_STRIP, 1, 4); };
    glClear(GL_COLOR_BUFFER_BIT);
    triangles();
    points();
    CHECK(rowWidth(8, 16) == 4 + 6);
    glClear(GL_COLOR_BUFFER_BIT);
    points();
    triangles();
    points();
    CHECK(rowWidth(8, 16) == 4 + 6);
}

TEST_CASE("point sprites replace coordinates where they are told to, from the top down") {
    const Context1 context(32);
    glEnable(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    const GLubyte texels[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glPointSize(20);
    glEnable(GL_POINT_SPRITE_OES);
    glMultiTexCoord4f(GL_TEXTURE0, 0.75f, 0.75f, 0, 1);
    drawPoint({0, 0, 0});
    CHECK(pixelAt(10, 22) == Rgba{255, 255, 255, 255});
    glTexEnvi(GL_POINT_SPRITE_OES, GL_COORD_REPLACE_OES, GL_TRUE);
    drawPoint({0, 0, 0});
    CHECK(pixelAt(10, 22) == Rgba{255, 0, 0, 255});
    CHECK(pixelAt(22, 22) == Rgba{0, 255, 0, 255});
    CHECK(pixelAt(10, 10) == Rgba{0, 0, 255, 255});
    drawWindow();  // no point
    CHECK(pixelAt(10, 22) == Rgba{255, 255, 255, 255});
}

TEST_CASE("smooth points are disks") {
    const Context1 context(64);
    glEnable(GL_POINT_SMOOTH);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glPointSize(40);
    drawPoint({0, 0, 0});
    double covered = 0;
    for (const Rgba& pixel : tessera::gles_test::readRect(0, 0, 64, 64)) covered += pixel[0] / 255.0;
    CHECK(covered == doctest::Approx(400 * std::acos(-1.0)).epsilon(0.01));
    CHECK(pixelAt(13, 13)[0] == 0);
    CHECK(pixelAt(32, 14)[0] == 255);
}

TEST_CASE("outside of its disk a smooth point has no fragments") {
    const Context1 context(64);
    glEnable(GL_POINT_SMOOTH);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glPointSize(40);
    drawPoint({0, 0, 0});  // nearer than what follows
    glColor4f(0, 1, 0, 1);
    drawWindow(0.5f);
    CHECK(pixelAt(13, 13) == Rgba{0, 255, 0, 255});
    CHECK(pixelAt(32, 14) == Rgba{255, 255, 255, 255});
}

TEST_CASE("points that are not smooth have whole sizes") {
    const Context1 context;
    glPointSize(2.4f);
    for (const double at : {0.0, 0.02, 0.05, 0.09, 0.11}) {
        glClear(GL_COLOR_BUFFER_BIT);
        drawPoint({at, at / 2, 0});
        int drawn = 0;
        for (const Rgba& pixel : tessera::gles_test::readRect(0, 0, 16, 16)) drawn += pixel[0] == 255;
        CHECK(drawn == 4);
    }
}
