// Matrices and clip planes (sections 2.10, 2.11) against double precision.
#include "tests/gles1/fixture.h"

using namespace tessera::gles1_test;

namespace {

using Matrix = std::array<double, 16>;

Matrix times(const Matrix& a, const Matrix& b) {
    Matrix out{};
    for (size_t c = 0; c < 4; ++c)
        for (size_t r = 0; r < 4; ++r)
            for (size_t i = 0; i < 4; ++i) out[4 * c + r] += a[4 * i + r] * b[4 * c + i];
    return out;
}

void checkMatrix(GLenum name, const Matrix& want) {
    GLfloat got[16];
    glGetFloatv(name, got);
    double largest = 1;
    for (const double value : want) largest = std::max(largest, std::abs(value));
    for (size_t i = 0; i < 16; ++i) CHECK(std::abs(static_cast<double>(got[i]) - want[i]) <= 2e-6 * largest);
}

/// Section 2.10.2's rotation: the axis's projection, and the rest.
Matrix rotation(double degrees, Vec3 axis) {
    axis = normalized(axis);
    const double a = degrees * std::acos(-1.0) / 180, c = std::cos(a), s = std::sin(a);
    const double cross[3][3] = {{0, -axis[2], axis[1]}, {axis[2], 0, -axis[0]}, {-axis[1], axis[0], 0}};
    Matrix out{};
    for (size_t r = 0; r < 3; ++r)
        for (size_t k = 0; k < 3; ++k)
            out[4 * k + r] = axis[r] * axis[k] + c * ((r == k) - axis[r] * axis[k]) + s * cross[r][k];
    out[15] = 1;
    return out;
}

}  // namespace

TEST_CASE("matrix commands multiply from the right") {
    const Context1 context;
    Random random(3);
    Matrix want = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (int step = 0; step < 12; ++step) {
        const float x = static_cast<float>(random.between(-2, 2)), y = static_cast<float>(random.between(-2, 2)),
                    z = static_cast<float>(random.between(0.2, 2));
        switch (step % 4) {
            case 0:
                glTranslatef(x, y, z);
                want = times(want, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1});
                break;
            case 1:
                glRotatef(100 * x, x, y, z);
                want = times(want, rotation(static_cast<double>(100 * x), {x, y, z}));
                break;
            case 2:
                glScalef(x, y, z);
                want = times(want, {x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1});
                break;
            default: {
                GLfloat m[16];
                Matrix exact;
                for (size_t i = 0; i < 16; ++i) exact[i] = m[i] = static_cast<float>(random.between(-1, 1));
                glMultMatrixf(m);
                want = times(want, exact);
            }
        }
        checkMatrix(GL_MODELVIEW_MATRIX, want);
    }
}

TEST_CASE("projections") {
    const Context1 context;
    glMatrixMode(GL_PROJECTION);
    glFrustumf(-1, 3, -2, 1, 2, 10);
    checkMatrix(GL_PROJECTION_MATRIX, {1, 0, 0, 0, 0, 4.0 / 3, 0, 0, 0.5, -1.0 / 3, -1.5, -1, 0, 0, -5, 0});
    glLoadIdentity();
    glOrthox(-(1 << 16), 3 << 16, -(2 << 16), 1 << 16, 2 << 16, 10 << 16);
    checkMatrix(GL_PROJECTION_MATRIX, {0.5, 0, 0, 0, 0, 2.0 / 3, 0, 0, 0, 0, -0.25, 0, -0.5, 1.0 / 3, -1.5, 1});
}

TEST_CASE("stacks push, pop, overflow and underflow") {
    const Context1 context;
    const struct {
        GLenum mode, depth, limit, matrix;
        GLint least;
    } stacks[] = {{GL_MODELVIEW, GL_MODELVIEW_STACK_DEPTH, GL_MAX_MODELVIEW_STACK_DEPTH, GL_MODELVIEW_MATRIX, 16},
                  {GL_PROJECTION, GL_PROJECTION_STACK_DEPTH, GL_MAX_PROJECTION_STACK_DEPTH, GL_PROJECTION_MATRIX, 2},
                  {GL_TEXTURE, GL_TEXTURE_STACK_DEPTH, GL_MAX_TEXTURE_STACK_DEPTH, GL_TEXTURE_MATRIX, 2}};
    for (const auto& stack : stacks) {
        GLint limit = 0, depth = 0;
        glGetIntegerv(stack.limit, &limit);
        CHECK(limit >= stack.least);
        glMatrixMode(stack.mode);
        for (GLint i = 1; i < limit; ++i) {
            glPushMatrix();
            glTranslatef(1, 0, 0);
        }
        CHECK(glGetError() == GL_NO_ERROR);
        glPushMatrix();
        CHECK(glGetError() == GL_STACK_OVERFLOW);
        glGetIntegerv(stack.depth, &depth);
        CHECK(depth == limit);
        for (GLint i = limit; i > 1; --i) {
            GLfloat matrix[16];
            glGetFloatv(stack.matrix, matrix);
            CHECK(matrix[12] == static_cast<float>(i - 1));
            glPopMatrix();
        }
        CHECK(glGetError() == GL_NO_ERROR);
        glPopMatrix();
        CHECK(glGetError() == GL_STACK_UNDERFLOW);
    }
}

TEST_CASE("matrices as fixed point, as bits, as mantissas and exponents") {
    const Context1 context;
    glTranslatef(1.5f, -0.25f, 1000);
    GLfixed fixed[16];
    glGetFixedv(GL_MODELVIEW_MATRIX, fixed);
    CHECK(fixed[12] == 0x18000);
    CHECK(fixed[13] == -0x4000);
    GLint bits[16];
    glGetIntegerv(GL_MODELVIEW_MATRIX_FLOAT_AS_INT_BITS_OES, bits);
    CHECK(bits[12] == 0x3FC00000);
    GLfixed mantissa[16];
    GLint exponent[16];
    CHECK(glQueryMatrixxOES(mantissa, exponent) == 0);
    CHECK(std::ldexp(mantissa[14] / 65536.0, exponent[14]) == 1000);
    CHECK(std::ldexp(mantissa[13] / 65536.0, exponent[13]) == -0.25);
}

TEST_CASE("each texture unit has a matrix of its own, which moves its coordinates") {
    const Context1 context;
    glMatrixMode(GL_TEXTURE);
    glActiveTexture(GL_TEXTURE1);
    glTranslatef(0.5f, 0, 0);
    GLfloat matrix[16];
    glGetFloatv(GL_TEXTURE_MATRIX, matrix);
    CHECK(matrix[12] == 0.5f);
    glActiveTexture(GL_TEXTURE0);
    glGetFloatv(GL_TEXTURE_MATRIX, matrix);
    CHECK(matrix[12] == 0);

    GLuint texture = 0;
    glActiveTexture(GL_TEXTURE1);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const GLubyte texels[] = {255, 0, 0, 255, 0, 255, 0, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glEnable(GL_TEXTURE_2D);
    glMultiTexCoord4f(GL_TEXTURE1, 0.25f, 0.5f, 0, 1);
    drawWindow();
    CHECK(pixelAt(8, 8) == Rgba{0, 255, 0, 255});
    glMultiTexCoord4f(GL_TEXTURE1, 0.25f, 0.5f, 0, 0.5f);  // (0.25 + 0.25) / 0.5 = 1, which repeats
    drawWindow();
    CHECK(pixelAt(8, 8) == Rgba{255, 0, 0, 255});
}

TEST_CASE("clip planes cut in eye coordinates") {
    const Context1 context(32);
    GLint planes = 0;
    glGetIntegerv(GL_MAX_CLIP_PLANES, &planes);
    CHECK(planes >= 1);
    glRotatef(90, 0, 0, 1);
    const GLfloat right[] = {0, -1, 0, 0.25f};  // object y <= 1/4 is eye x >= -1/4
    glClipPlanef(GL_CLIP_PLANE0, right);
    glLoadIdentity();
    GLfloat eye[4];
    glGetClipPlanef(GL_CLIP_PLANE0, eye);
    CHECK(eye[0] == doctest::Approx(1));
    CHECK(std::abs(eye[1]) < 1e-6f);
    CHECK(eye[3] == doctest::Approx(0.25));
    glEnable(GL_CLIP_PLANE0);
    const GLfixed low[] = {0, -(1 << 16), 0, 0};
    glClipPlanex(GL_CLIP_PLANE0 + static_cast<GLenum>(planes) - 1, low);
    glEnable(GL_CLIP_PLANE0 + static_cast<GLenum>(planes) - 1);
    glColor4f(1, 1, 1, 1);
    drawWindow();
    CHECK(pixelAt(11, 5)[0] == 0);    // x = -0.28
    CHECK(pixelAt(12, 5)[0] == 255);  // x = -0.22
    CHECK(pixelAt(20, 15)[0] == 255);
    CHECK(pixelAt(20, 16)[0] == 0);
    glPointSize(6);
    glClear(GL_COLOR_BUFFER_BIT);
    drawPoint({-0.3, -0.5, 0});  // its centre is outside
    CHECK(pixelAt(13, 8)[0] == 0);
    drawPoint({-0.2, -0.5, 0});
    CHECK(pixelAt(10, 8)[0] == 255);
}
