// Lighting (section 2.12), normals (2.10.3), fog (3.8) and flat shading (2.12.7), of points and rectangles whose colour
// is known everywhere.
#include "tests/gles1/fixture.h"

using namespace tessera::gles1_test;

namespace {

struct Lamp {
    Vec4 ambient, diffuse, specular, position;
    Vec3 direction;
    double exponent, cutoff, attenuation[3];
};

struct Surface {
    Vec4 ambient, diffuse, specular, emission;
    double shininess;
};

double raised(double base, double exponent) { return exponent == 0 ? 1 : std::pow(base, exponent); }

/// The formula of section 2.12.1, in its own terms.
Vec4 lit(const Surface& m, const Vec4& scene, const std::vector<Lamp>& lamps, const Vec3& vertex, const Vec3& normal) {
    Vec4 sum;
    for (size_t c = 0; c < 3; ++c) sum[c] = m.emission[c] + m.ambient[c] * scene[c];
    for (const Lamp& lamp : lamps) {
        Vec3 toLamp = {lamp.position[0], lamp.position[1], lamp.position[2]};
        double att = 1;
        if (lamp.position[3] != 0) {
            toLamp = (1 / lamp.position[3]) * toLamp - vertex;
            const double d = length(toLamp);
            att = 1 / (lamp.attenuation[0] + lamp.attenuation[1] * d + lamp.attenuation[2] * d * d);
        }
        const Vec3 l = normalized(toLamp);
        double spot = 1;
        if (lamp.cutoff != 180) {
            const double cosine = -dot(l, normalized(lamp.direction));
            spot = cosine >= std::cos(lamp.cutoff * std::acos(-1.0) / 180) ? raised(cosine, lamp.exponent) : 0;
        }
        const double lambert = std::max(0.0, dot(normal, l));
        const Vec3 h = normalized(l + Vec3{0, 0, 1});
        const double shine = lambert != 0 ? raised(std::max(0.0, dot(normal, h)), m.shininess) : 0;
        for (size_t c = 0; c < 3; ++c)
            sum[c] += att * spot *
                      (m.ambient[c] * lamp.ambient[c] + lambert * m.diffuse[c] * lamp.diffuse[c] +
                       shine * m.specular[c] * lamp.specular[c]);
    }
    sum[3] = m.diffuse[3];
    return sum;
}

void set(GLenum light, const Lamp& lamp) {
    glEnable(light);
    glLightfv(light, GL_AMBIENT, floats(lamp.ambient).data());
    glLightfv(light, GL_DIFFUSE, floats(lamp.diffuse).data());
    glLightfv(light, GL_SPECULAR, floats(lamp.specular).data());
    glLightfv(light, GL_POSITION, floats(lamp.position).data());
    const auto direction = floats({lamp.direction[0], lamp.direction[1], lamp.direction[2], 0});
    glLightfv(light, GL_SPOT_DIRECTION, direction.data());
    glLightf(light, GL_SPOT_EXPONENT, static_cast<GLfloat>(lamp.exponent));
    glLightf(light, GL_SPOT_CUTOFF, static_cast<GLfloat>(lamp.cutoff));
    for (unsigned i = 0; i < 3; ++i)
        glLightf(light, GL_CONSTANT_ATTENUATION + i, static_cast<GLfloat>(lamp.attenuation[i]));
}

void set(const Surface& m) {
    glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT, floats(m.ambient).data());
    glMaterialfv(GL_FRONT_AND_BACK, GL_DIFFUSE, floats(m.diffuse).data());
    glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, floats(m.specular).data());
    glMaterialfv(GL_FRONT_AND_BACK, GL_EMISSION, floats(m.emission).data());
    glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, static_cast<GLfloat>(m.shininess));
}

Vec3 direction(Random& random) {
    for (;;) {
        const Vec3 v = {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
        if (length(v) > 0.2) return normalized(v);
    }
}

Lamp randomLamp(Random& random) {
    Lamp lamp{random.color(), random.color(), random.color(), {}, direction(random), 0, 180, {1, 0, 0}};
    const Vec3 d = direction(random);
    lamp.position = {2 * d[0], 2 * d[1], 2 * d[2], random.chance(3) ? 0 : random.between(0.5, 2)};
    if (random.chance(2)) {
        lamp.cutoff = random.chance(4) ? 90 : random.between(20, 85);
        lamp.exponent = random.chance(3) ? 0 : random.between(0.5, 8);
        // Somewhere near the vertex, or nothing would be seen of it.
        lamp.direction = -1 * Vec3{lamp.position[0], lamp.position[1], lamp.position[2]} + 0.7 * direction(random);
    }
    if (random.chance(2))
        for (double& part : lamp.attenuation) part = random.between(0.1, 1);
    for (Vec4* color : {&lamp.ambient, &lamp.diffuse, &lamp.specular})
        for (double& channel : *color) channel *= 0.4;
    return lamp;
}

}  // namespace

TEST_CASE("lit points have the colours of the specification's formula") {
    const Context1 context;
    glPointSize(8);
    glEnable(GL_LIGHTING);
    Random random(1);
    int tested = 0;
    for (int round = 0; round < 120; ++round) {
        const Surface surface{random.color(),
                              random.color(),
                              random.color(),
                              {random.between(0, 0.2), 0, random.between(0, 0.1), 1},
                              random.chance(4) ? 0 : random.between(0.5, 40)};
        const Vec4 scene = {random.between(0, 0.3), random.between(0, 0.3), random.between(0, 0.3), 1};
        std::vector<Lamp> lamps(static_cast<size_t>(random.between(0, 8.99)));
        for (Lamp& lamp : lamps) lamp = randomLamp(random);
        for (unsigned i = 0; i < 8; ++i) {
            glDisable(GL_LIGHT0 + i);
            if (i < lamps.size()) set(GL_LIGHT0 + i, lamps[i]);
        }
        set(surface);
        glLightModelfv(GL_LIGHT_MODEL_AMBIENT, floats(scene).data());
        const Vec3 normal = direction(random);
        glNormal3f(static_cast<GLfloat>(normal[0]), static_cast<GLfloat>(normal[1]), static_cast<GLfloat>(normal[2]));
        const Vec3 vertex = {0, 0, random.between(-0.5, 0.5)};
        // What is a hair's breadth from the edge of a cone may be on either side of it.
        const bool onEdge = std::ranges::any_of(lamps, [&](const Lamp& lamp) {
            if (lamp.cutoff == 180) return false;
            Vec3 l = {lamp.position[0], lamp.position[1], lamp.position[2]};
            if (lamp.position[3] != 0) l = (1 / lamp.position[3]) * l - vertex;
            const double cosine = -dot(normalized(l), normalized(lamp.direction));
            return std::abs(cosine - std::cos(lamp.cutoff * std::acos(-1.0) / 180)) < 1e-4;
        });
        if (onEdge) continue;
        glClear(GL_COLOR_BUFFER_BIT);
        drawPoint(vertex);
        const Rgba want = bytes(lit(surface, scene, lamps, vertex, normal));
        CAPTURE(round);
        CHECK_MESSAGE(near(pixelAt(8, 8), want, 1), "round ", round);
        ++tested;
    }
    CHECK(tested > 100);
}

TEST_CASE("lights are placed by the model-view matrix of the time when they are set") {
    const Context1 context;
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glPointSize(8);
    glRotatef(90, 0, 1, 0);
    const GLfloat alongX[] = {1, 0, 0, 0};
    glLightfv(GL_LIGHT0, GL_POSITION, alongX);  // is -z now
    GLfloat eye[4];
    glGetLightfv(GL_LIGHT0, GL_POSITION, eye);
    CHECK(eye[0] == doctest::Approx(0));
    CHECK(eye[2] == doctest::Approx(-1));
    glLoadIdentity();
    glNormal3f(0, 0, -1);
    glClear(GL_COLOR_BUFFER_BIT);
    drawPoint({0, 0, 0});
    CHECK(near(pixelAt(8, 8), bytes({0.8 + 0.04, 0.84, 0.84, 1}), 1));
}

TEST_CASE("normals are transformed by the inverse transposed, rescaled or normalised") {
    const Context1 context;
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glPointSize(8);
    const GLfloat black[] = {0, 0, 0, 1};
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, black);
    const auto lambert = [&] {
        glClear(GL_COLOR_BUFFER_BIT);
        drawPoint({0, 0, 0});
        return pixelAt(8, 8)[0];
    };
    const auto want = [](double cosine) { return doctest::Approx(std::min(0.8 * cosine, 1.0) * 255).epsilon(0.01); };
    glNormal3f(0.6f, 0, 0.8f);
    glScalef(2, 2, 2);
    CHECK(lambert() == want(0.4));  // a scale of 2 halves normals
    glEnable(GL_RESCALE_NORMAL);
    CHECK(lambert() == want(0.8));
    glDisable(GL_RESCALE_NORMAL);
    glEnable(GL_NORMALIZE);
    CHECK(lambert() == want(0.8));
    glLoadIdentity();
    glScalef(1, 1, 4);
    // The transposed inverse takes (0.6, 0, 0.8) to (0.6, 0, 0.2).
    CHECK(lambert() == want(0.2 / std::sqrt(0.4)));
    glDisable(GL_NORMALIZE);
    CHECK(lambert() == want(0.2));
}

TEST_CASE("colour material tracks the current colour, and keeps the last one") {
    const Context1 context;
    glColor4f(0.25f, 0.5f, 0.75f, 1);
    glEnable(GL_COLOR_MATERIAL);
    GLfloat value[4];
    glGetMaterialfv(GL_FRONT, GL_DIFFUSE, value);
    CHECK(value[1] == 0.5f);
    glColor4f(0.5f, 0.25f, 1, 1);
    const GLfloat ignored[] = {1, 1, 1, 1};
    glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE, ignored);
    glGetMaterialfv(GL_BACK, GL_AMBIENT, value);
    CHECK(value[1] == 0.25f);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glNormal3f(0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    drawWindow();
    CHECK(near(pixelAt(8, 8), bytes({0.6, 0.3, 1, 1}), 1));
    glDisable(GL_COLOR_MATERIAL);
    glColor4f(0, 0, 0, 0);
    glGetMaterialfv(GL_FRONT, GL_DIFFUSE, value);
    CHECK(value[0] == 0.5f);
}

// Section 2.12.3: once COLOR_MATERIAL is enabled, ambient and diffuse are the current colour, and glMaterial affects
// neither; specular, emission and shininess it sets as ever.
TEST_CASE("enabling colour material sets what it tracks, which nothing else sets then") {
    const auto parameter = [](GLenum pname) {
        std::array<GLfloat, 4> value{};
        glGetMaterialfv(GL_FRONT, pname, value.data());
        return value;
    };
    for (const GLenum pname : {GL_AMBIENT, GL_DIFFUSE, GL_AMBIENT_AND_DIFFUSE, GL_SPECULAR, GL_EMISSION}) {
        CAPTURE(pname);
        const Context1 context;
        const std::array<GLfloat, 4> color{0.25f, 0.5f, 0.75f, 1}, other{1, 0.5f, 0.25f, 0};
        glColor4f(color[0], color[1], color[2], color[3]);
        CHECK(parameter(GL_AMBIENT) != color);
        CHECK(parameter(GL_DIFFUSE) != color);
        glEnable(GL_COLOR_MATERIAL);
        CHECK(parameter(GL_AMBIENT) == color);
        CHECK(parameter(GL_DIFFUSE) == color);
        glMaterialfv(GL_FRONT_AND_BACK, pname, other.data());
        CHECK(parameter(GL_AMBIENT) == color);
        CHECK(parameter(GL_DIFFUSE) == color);
        if (pname == GL_SPECULAR || pname == GL_EMISSION) CHECK(parameter(pname) == other);
        glDisable(GL_COLOR_MATERIAL);
        glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT, other.data());
        CHECK(parameter(GL_AMBIENT) == other);
        CHECK(parameter(GL_DIFFUSE) == color);
        CHECK(glGetError() == GL_NO_ERROR);
    }
}

TEST_CASE("two-sided lighting lights back faces with the normal turned") {
    const Context1 context;
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glNormal3f(0, 0, -1);
    glFrontFace(GL_CW);  // drawWindow's rectangle is counter-clockwise
    const auto drawn = [] {
        glClear(GL_COLOR_BUFFER_BIT);
        drawWindow();
        return pixelAt(3, 3);
    };
    CHECK(near(drawn(), bytes({0.04, 0.04, 0.04, 1}), 1));
    glLightModelf(GL_LIGHT_MODEL_TWO_SIDE, 1);
    CHECK(near(drawn(), bytes({0.84, 0.84, 0.84, 1}), 1));
    glFrontFace(GL_CCW);
    CHECK(near(drawn(), bytes({0.04, 0.04, 0.04, 1}), 1));
}

TEST_CASE("fog of the three modes") {
    const Context1 context;
    glEnable(GL_FOG);
    glPointSize(8);
    glMatrixMode(GL_PROJECTION);
    glOrthof(-1, 1, -1, 1, -10, 10);
    glMatrixMode(GL_MODELVIEW);
    const GLfloat color[] = {0.25f, 0.5f, 1, 0};
    glFogfv(GL_FOG_COLOR, color);
    glColor4f(1, 0.5f, 0, 1);
    Random random(2);
    for (int round = 0; round < 60; ++round) {
        const GLenum modes[] = {GL_LINEAR, GL_EXP, GL_EXP2};
        const GLenum mode = modes[round % 3];
        const double density = random.between(0, 1), start = random.between(-2, 3), end = start + random.between(-3, 4);
        glFogx(GL_FOG_MODE, static_cast<GLfixed>(mode));
        glFogf(GL_FOG_DENSITY, static_cast<GLfloat>(density));
        glFogf(GL_FOG_START, static_cast<GLfloat>(start));
        glFogf(GL_FOG_END, static_cast<GLfloat>(end));
        const double z = random.between(-6, 6), c = std::abs(z);
        double f = (end - c) / (end - start);
        if (mode == GL_EXP) f = std::exp(-density * c);
        if (mode == GL_EXP2) f = std::exp(-density * c * density * c);
        f = std::clamp(f, 0.0, 1.0);
        glClear(GL_COLOR_BUFFER_BIT);
        drawPoint({0, 0, z});
        CAPTURE(round);
        CHECK(near(pixelAt(8, 8), bytes({f + (1 - f) * 0.25, 0.5, 1 - f, 1}), 1));
    }
}

TEST_CASE("flat shading takes the last vertex of every primitive") {
    const Context1 context(32);
    glShadeModel(GL_FLAT);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    const GLubyte colors[][4] = {{255, 0, 0, 255},   {0, 255, 0, 255},   {0, 0, 255, 255},
                                 {255, 255, 0, 255}, {0, 255, 255, 255}, {255, 0, 255, 255}};
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, colors);
    const auto colorOf = [&](size_t i) { return Rgba{colors[i][0], colors[i][1], colors[i][2], colors[i][3]}; };
    SUBCASE("strip, also where it is clipped") {
        for (const GLfloat reach : {1.0f, 3.0f}) {
            // Two unit squares' worth of columns; with the larger reach, far beyond the sides of the window.
            const GLfloat vertices[] = {-1, -reach, -1, reach, 0, -reach, 0, reach, 1, -reach, 1, reach};
            glVertexPointer(2, GL_FLOAT, 0, vertices);
            glClear(GL_COLOR_BUFFER_BIT);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 6);
            CHECK(pixelAt(1, 3) == colorOf(2));
            CHECK(pixelAt(14, 29) == colorOf(3));
            CHECK(pixelAt(17, 3) == colorOf(4));
            CHECK(pixelAt(30, 29) == colorOf(5));
        }
    }
    SUBCASE("near and far planes clip") {
        const GLfloat vertices[] = {-1, -1, -4, 1, -1, 0, -1, 1, 0};
        glVertexPointer(3, GL_FLOAT, 0, vertices);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        CHECK(pixelAt(13, 14) == colorOf(2));
        CHECK(pixelAt(25, 2) == colorOf(2));
    }
    SUBCASE("fan") {
        const GLfloat vertices[] = {0, 0, 1, -1, 1, 1, -1, 1, -1, -1};
        glVertexPointer(2, GL_FLOAT, 0, vertices);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLE_FAN, 0, 5);
        CHECK(pixelAt(30, 16) == colorOf(2));
        CHECK(pixelAt(16, 30) == colorOf(3));
        CHECK(pixelAt(1, 16) == colorOf(4));
    }
    SUBCASE("lines") {
        const GLfloat vertices[] = {-0.97f, -0.97f, 0.97f, -0.97f, 0.97f, 0.97f};
        glVertexPointer(2, GL_FLOAT, 0, vertices);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_LINE_LOOP, 0, 3);
        CHECK(pixelAt(10, 0) == colorOf(1));
        CHECK(pixelAt(31, 12) == colorOf(2));
        CHECK(pixelAt(16, 16) == colorOf(0));  // from the last vertex to the first
    }
    SUBCASE("smooth again") {
        glShadeModel(GL_SMOOTH);
        const GLfloat vertices[] = {-1, -1, 1, -1, -1, 1};
        glVertexPointer(2, GL_FLOAT, 0, vertices);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        CHECK(near(pixelAt(10, 10), {88, 84, 84, 255}, 4));
    }
}
