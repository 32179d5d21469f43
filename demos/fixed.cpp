// A plaza at night on OpenGL ES 1.1, all of it fixed function: lit bodies, tiles under a pool of light (two textures
// combined), a grate (alpha test), fog, and a fountain of point sprites. The arrow keys turn the view.
#include <GLES/gl.h>
#include <GLES/glext.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>
#include <vector>

#include "demos/drawing/portable_math.h"
#include "demos/drawing/shapes.h"
#include "demos/host/harness.h"

namespace {

constexpr glm::vec4 kNight(0.05f, 0.08f, 0.18f, 1);

/// A square texture of luminance or RGBA bytes, with mipmaps made by GL.
template <class Texel>
GLuint makeTexture(GLenum format, int size, Texel texel) {
    std::vector<GLubyte> bytes;
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
            for (const int channel : texel(x, y)) bytes.push_back(static_cast<GLubyte>(channel));
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), size, size, 0, format, GL_UNSIGNED_BYTE, bytes.data());
    return name;
}

/// Stone tiles: a shade for each, dark joints.
std::array<int, 3> tile(int x, int y) {
    const int column = x / 32, row = y / 32, shade = 120 + (column * 37 + row * 53 + column * row * 29) % 90;
    const bool joint = x % 32 < 2 || y % 32 < 2;
    return joint ? std::array{40, 38, 45} : std::array{shade, shade - 8, shade - 24};
}

/// A disk of light that fades to its rim, of any radius.
int glow(int x, int y, int size) {
    const float dx = static_cast<float>(2 * x + 1 - size), dy = static_cast<float>(2 * y + 1 - size);
    const float rest = 1 - std::sqrt(dx * dx + dy * dy) / static_cast<float>(size);
    return rest <= 0 ? 0 : static_cast<int>(255 * rest * rest * (3 - 2 * rest));
}

/// Bars with holes between them.
std::array<int, 4> grate(int x, int y) {
    const bool bar = x % 16 < 5 || y < 6 || y >= 58;
    return {150, 160, 170, bar ? 255 : 0};
}

void material(const glm::vec4& color, float shininess) {
    const glm::vec4 ambient(0.3f * glm::vec3(color), 1), specular(shininess > 0 ? 0.8f : 0.0f);
    glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT, glm::value_ptr(ambient));
    glMaterialfv(GL_FRONT_AND_BACK, GL_DIFFUSE, glm::value_ptr(color));
    glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, glm::value_ptr(specular));
    glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, shininess);
}

class Fixed final : public demos::Demo {
public:
    Fixed()
        : tiles_(makeTexture(GL_RGB, 128, tile)),
          pool_(makeTexture(GL_LUMINANCE, 64, [](int x, int y) { return std::array{glow(x, y, 64)}; })),
          grate_(makeTexture(GL_RGBA, 64, grate)),
          spark_(makeTexture(GL_LUMINANCE, 32, [](int x, int y) { return std::array{glow(x, y, 32)}; })) {
        glBindTexture(GL_TEXTURE_2D, pool_);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glEnableClientState(GL_VERTEX_ARRAY);
    }

    void draw(const demos::Frame& frame) override {
        triangles_ = 0;
        glClearColor(kNight.r, kNight.g, kNight.b, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glEnable(GL_DEPTH_TEST);
        glEnable(GL_FOG);
        glFogx(GL_FOG_MODE, GL_EXP2);
        glFogf(GL_FOG_DENSITY, 0.05f);
        glFogfv(GL_FOG_COLOR, glm::value_ptr(kNight));
        const auto time = static_cast<float>(std::fmod(frame.time, 1000.0));
        glMatrixMode(GL_PROJECTION);
        const float aspect = static_cast<float>(frame.width) / static_cast<float>(std::max(frame.height, 1));
        glLoadMatrixf(glm::value_ptr(demos::perspective(0.9f, aspect, 0.5f, 60)));
        glMatrixMode(GL_MODELVIEW);
        glLoadIdentity();
        glTranslatef(0, -0.3f, -8.5f * frame.zoom);
        glRotatef(glm::degrees(frame.turn.y) + 18, 1, 0, 0);
        glRotatef(glm::degrees(frame.turn.x) + 6 * time, 0, 1, 0);

        setLights(time);
        drawFloor(time);
        drawBodies(time);
        drawGrates();
        drawFountain(time);
    }

    [[nodiscard]] uint64_t triangles() const override { return triangles_; }

private:
    /// A lamp that circles above, and a cool spot over the fountain.
    void setLights(float time) {
        const glm::vec4 lamp(4 * demos::cosine(time), 2.5f, 4 * demos::sine(time), 1);
        const glm::vec4 warm(1, 0.75f, 0.45f, 1), cool(0.35f, 0.5f, 1, 1), above(0, 6, 0, 1);
        const glm::vec3 down(0, -1, 0);
        lamp_ = lamp;
        glEnable(GL_LIGHT0);
        glLightfv(GL_LIGHT0, GL_POSITION, glm::value_ptr(lamp));
        glLightfv(GL_LIGHT0, GL_DIFFUSE, glm::value_ptr(warm));
        glLightfv(GL_LIGHT0, GL_SPECULAR, glm::value_ptr(warm));
        glLightf(GL_LIGHT0, GL_QUADRATIC_ATTENUATION, 0.02f);
        glEnable(GL_LIGHT1);
        glLightfv(GL_LIGHT1, GL_POSITION, glm::value_ptr(above));
        glLightfv(GL_LIGHT1, GL_SPOT_DIRECTION, glm::value_ptr(down));
        glLightfv(GL_LIGHT1, GL_DIFFUSE, glm::value_ptr(cool));
        glLightfv(GL_LIGHT1, GL_SPECULAR, glm::value_ptr(cool));
        glLightf(GL_LIGHT1, GL_SPOT_CUTOFF, 40);
        glLightf(GL_LIGHT1, GL_SPOT_EXPONENT, 6);
    }

    void drawMesh(const demos::MeshData& mesh) {
        const demos::MeshVertex& first = mesh.vertices.front();
        glVertexPointer(3, GL_FLOAT, sizeof first, &first.position);
        glNormalPointer(GL_FLOAT, sizeof first, &first.normal);
        glTexCoordPointer(2, GL_FLOAT, sizeof first, &first.texCoord);
        glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(mesh.indices.size()), GL_UNSIGNED_SHORT, mesh.indices.data());
        triangles_ += mesh.indices.size() / 3;
    }

    /// Tiles in the dark, and the lamp's light where it falls: tiles * interpolate(night, lamp, pool).
    void drawFloor(float time) {
        glEnableClientState(GL_TEXTURE_COORD_ARRAY);
        glBindTexture(GL_TEXTURE_2D, tiles_);
        glEnable(GL_TEXTURE_2D);
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
        glActiveTexture(GL_TEXTURE1);
        glBindTexture(GL_TEXTURE_2D, pool_);
        glEnable(GL_TEXTURE_2D);
        // The pool follows the lamp: coordinates of the floor to those of the texture, by its matrix.
        glMatrixMode(GL_TEXTURE);
        glLoadIdentity();
        glTranslatef(0.5f, 0.5f, 0);
        glScalef(0.075f, 0.075f, 1);
        glTranslatef(-lamp_.x, -lamp_.z, 0);
        glMatrixMode(GL_MODELVIEW);
        const float flicker = 0.92f + 0.08f * demos::sine(11 * time);
        const glm::vec4 brightness(glm::vec3(1.0f, 0.85f, 0.6f) * flicker, 1);
        glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, glm::value_ptr(brightness));
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
        glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_INTERPOLATE);
        glTexEnvi(GL_TEXTURE_ENV, GL_SRC0_RGB, GL_CONSTANT);
        glTexEnvi(GL_TEXTURE_ENV, GL_SRC1_RGB, GL_PRIMARY_COLOR);
        glTexEnvi(GL_TEXTURE_ENV, GL_SRC2_RGB, GL_TEXTURE);
        glTexEnvi(GL_TEXTURE_ENV, GL_OPERAND2_RGB, GL_SRC_COLOR);
        glActiveTexture(GL_TEXTURE2);
        glBindTexture(GL_TEXTURE_2D, tiles_);
        glEnable(GL_TEXTURE_2D);
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
        glTexEnvi(GL_TEXTURE_ENV, GL_SRC0_RGB, GL_TEXTURE0);  // crossbar: the tiles again
        glColor4f(0.3f, 0.34f, 0.5f, 1);
        // Positions in the plane are the pool's coordinates.
        const float half = 30, repeats = 14;
        const GLfloat corners[] = {-half, half, half, half, -half, -half, half, -half};
        const GLfloat coords[] = {0, 0, repeats, 0, 0, repeats, repeats, repeats};
        glPushMatrix();
        glTranslatef(0, -1.2f, 0);
        glRotatef(90, 1, 0, 0);
        glVertexPointer(2, GL_FLOAT, 0, corners);
        glTexCoordPointer(2, GL_FLOAT, 0, coords);
        glClientActiveTexture(GL_TEXTURE1);
        glEnableClientState(GL_TEXTURE_COORD_ARRAY);
        glTexCoordPointer(2, GL_FLOAT, 0, corners);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        triangles_ += 2;
        glDisableClientState(GL_TEXTURE_COORD_ARRAY);
        glClientActiveTexture(GL_TEXTURE0);
        glPopMatrix();
        glDisable(GL_TEXTURE_2D);
        glActiveTexture(GL_TEXTURE1);
        glDisable(GL_TEXTURE_2D);
        glActiveTexture(GL_TEXTURE0);
        glDisable(GL_TEXTURE_2D);
    }

    void drawBodies(float time) {
        glEnable(GL_LIGHTING);
        glEnable(GL_NORMALIZE);
        glEnableClientState(GL_NORMAL_ARRAY);
        for (int i = 0; i < 6; ++i) {
            const auto place = static_cast<float>(i);
            glPushMatrix();
            glRotatef(60 * place, 0, 1, 0);
            glTranslatef(3.4f, 0, 0);
            material({0.35f + 0.12f * place, 0.9f - 0.13f * place, 0.45f + 0.1f * static_cast<float>(i % 3), 1}, 40);
            if (i % 2 == 0) {
                glRotatef(50 * time + 40 * place, 1, 1, 0);
                glScalef(0.75f, 0.75f, 0.75f);
                drawMesh(ring_);
            } else {
                glTranslatef(0, 0.25f * demos::sine(2 * time + place), 0);
                glScalef(0.8f, 0.8f, 0.8f);
                glShadeModel(i == 3 ? GL_FLAT : GL_SMOOTH);
                drawMesh(i == 3 ? gem_ : ball_);
                glShadeModel(GL_SMOOTH);
            }
            glPopMatrix();
        }
        // The basin of the fountain.
        glPushMatrix();
        glTranslatef(0, -1, 0);
        glRotatef(90, 1, 0, 0);
        glScalef(1.2f, 1.2f, 1.2f);
        material({0.55f, 0.55f, 0.6f, 1}, 8);
        drawMesh(ring_);
        glPopMatrix();
        glDisableClientState(GL_NORMAL_ARRAY);
        glDisable(GL_LIGHTING);
    }

    /// A fence around the plaza, seen through where the texture's alpha is small.
    void drawGrates() {
        glEnable(GL_TEXTURE_2D);
        glBindTexture(GL_TEXTURE_2D, grate_);
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
        glEnable(GL_ALPHA_TEST);
        glAlphaFunc(GL_GREATER, 0.5f);
        glColor4ub(120, 130, 160, 255);
        const GLbyte corners[] = {-4, -1, 4, -1, -4, 1, 4, 1};
        const GLbyte coords[] = {0, 1, 6, 1, 0, 0, 6, 0};
        glVertexPointer(2, GL_BYTE, 0, corners);
        glTexCoordPointer(2, GL_BYTE, 0, coords);
        for (int side = 0; side < 6; ++side) {
            glPushMatrix();
            glRotatef(60 * static_cast<float>(side) + 30, 0, 1, 0);
            glTranslatef(0, -0.2f, -7);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
            triangles_ += 2;
            glPopMatrix();
        }
        glDisable(GL_ALPHA_TEST);
    }

    void drawFountain(float time) {
        constexpr int kSparks = 320;
        std::vector<glm::vec3> places;
        std::vector<std::array<GLubyte, 4>> colors;
        for (int i = 0; i < kSparks; ++i) {
            const auto number = static_cast<float>(i);
            float age = time * 0.6f + number * 0.75487767f;
            age -= std::floor(age);
            const float angle = number * 2.39996323f, out = 1.9f * age * (0.7f + 0.3f * demos::sine(number));
            places.emplace_back(out * demos::cosine(angle), -0.9f + 5 * age - 4.6f * age * age,
                                out * demos::sine(angle));
            const auto fade = static_cast<int>(150 * (1 - age));
            colors.push_back({static_cast<GLubyte>(fade * 2 / 3), static_cast<GLubyte>(fade * 4 / 5),
                              static_cast<GLubyte>(fade), 255});
        }
        glBindTexture(GL_TEXTURE_2D, spark_);
        glEnable(GL_POINT_SPRITE_OES);
        glTexEnvi(GL_POINT_SPRITE_OES, GL_COORD_REPLACE_OES, GL_TRUE);
        glPointSize(30);
        const GLfloat attenuation[] = {0, 0, 0.16f};
        glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, attenuation);
        glDisable(GL_FOG);
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE);
        glDepthMask(GL_FALSE);
        glEnableClientState(GL_COLOR_ARRAY);
        glColorPointer(4, GL_UNSIGNED_BYTE, 0, colors.data());
        glVertexPointer(3, GL_FLOAT, 0, places.data());
        glDrawArrays(GL_POINTS, 0, kSparks);
        glDisableClientState(GL_COLOR_ARRAY);
        glDisableClientState(GL_TEXTURE_COORD_ARRAY);
        glDepthMask(GL_TRUE);
        glDisable(GL_BLEND);
        glDisable(GL_POINT_SPRITE_OES);
        glDisable(GL_TEXTURE_2D);
    }

    const demos::MeshData ball_ = demos::sphereMesh(40), gem_ = demos::sphereMesh(8),
                          ring_ = demos::torusMesh(0.35f, 40);
    GLuint tiles_, pool_, grate_, spark_;
    glm::vec4 lamp_{0};
    uint64_t triangles_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    demos::DemoInfo info{"fixed", [](bool) { return std::make_unique<Fixed>(); }};
    info.controls.wireframe = false;
    info.version = 1;
    return demos::runDemo(argc, argv, info);
}
