// The seven primitive types against small references: decomposition by section 2.6.1, coverage in double precision
// away from edges, the half-open rule of lines, and how often each pixel is touched.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

constexpr int kSize = 48;

struct Point {
    double x, y;  ///< window coordinates
};

GLfloat toClip(double window) { return static_cast<GLfloat>(window / (kSize / 2.0) - 1.0); }

/// Draws with additive blending, one step of 255 for each fragment: the red channel counts.
std::vector<int> countFragments(GLenum mode, const std::vector<Point>& points) {
    std::vector<GLfloat> data;
    for (const Point& p : points) {
        data.push_back(toClip(p.x));
        data.push_back(toClip(p.y));
    }
    glClear(GL_COLOR_BUFFER_BIT);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, data.data());
    glDrawArrays(mode, 0, static_cast<GLsizei>(points.size()));
    std::vector<int> counts;
    for (const Rgba& pixel : readRect(0, 0, kSize, kSize)) counts.push_back(pixel[0]);
    return counts;
}

void setUp() {
    GLuint program = useProgram("attribute vec4 position; void main() { gl_Position = position; gl_PointSize = 1.0; }",
                                kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), 1.0f / 255, 0, 0, 0);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glDisable(GL_DITHER);
    glEnableVertexAttribArray(0);
}

double cross(const Point& a, const Point& b, const Point& p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/// 1 inside, 0 outside, -1 too near an edge to tell after snapping.
int inside(const Point& a, const Point& b, const Point& c, const Point& p) {
    double area = cross(a, b, c);
    bool in = true;
    const Point corners[3] = {a, b, c};
    for (int i = 0; i < 3; ++i) {
        const Point &from = corners[i], &to = corners[(i + 1) % 3];
        double length = std::hypot(to.x - from.x, to.y - from.y);
        double distance = cross(from, to, p) / std::max(length, 1e-9) * (area < 0 ? -1 : 1);
        if (std::abs(distance) < 1.0 / 64) return -1;
        in = in && distance > 0;
    }
    return in;
}

using Triangle = std::array<size_t, 3>;

std::vector<Triangle> trianglesOf(GLenum mode, size_t n) {
    std::vector<Triangle> out;
    for (size_t i = 0; mode == GL_TRIANGLES && i + 2 < n; i += 3) out.push_back({i, i + 1, i + 2});
    for (size_t i = 0; mode == GL_TRIANGLE_STRIP && i + 2 < n; ++i)
        out.push_back(i % 2 == 0 ? Triangle{i, i + 1, i + 2} : Triangle{i + 1, i, i + 2});
    for (size_t i = 1; mode == GL_TRIANGLE_FAN && i + 1 < n; ++i) out.push_back({0, i, i + 1});
    return out;
}

std::vector<std::array<size_t, 2>> linesOf(GLenum mode, size_t n) {
    std::vector<std::array<size_t, 2>> out;
    for (size_t i = 0; mode == GL_LINES && i + 1 < n; i += 2) out.push_back({i, i + 1});
    for (size_t i = 0; mode != GL_LINES && i + 1 < n; ++i) out.push_back({i, i + 1});
    if (mode == GL_LINE_LOOP && n > 1) out.push_back({n - 1, 0});
    return out;
}

std::vector<Point> randomPoints(size_t n, std::mt19937& random, double margin) {
    std::uniform_real_distribution<double> place(-margin, kSize + margin);
    std::vector<Point> points(n);
    for (Point& p : points) p = {place(random), place(random)};
    return points;
}

}  // namespace

TEST_CASE("triangles, strips and fans cover what their triangles cover, each once") {
    TestContext context({.width = kSize, .height = kSize});
    setUp();
    std::mt19937 random(21);
    for (GLenum mode : {GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN}) {
        for (size_t n : {3u, 4u, 5u, 6u, 9u, 17u}) {
            CAPTURE(mode);
            CAPTURE(n);
            std::vector<Point> points = randomPoints(n, random, n % 2 ? 20 : 0);  // odd ones are clipped too
            std::vector<int> counts = countFragments(mode, points);
            int wrong = 0, checked = 0;
            for (int y = 0; y < kSize; ++y)
                for (int x = 0; x < kSize; ++x) {
                    int expected = 0;
                    bool sure = true;
                    for (const Triangle& t : trianglesOf(mode, n)) {
                        int in = inside(points[t[0]], points[t[1]], points[t[2]], {x + 0.5, y + 0.5});
                        sure = sure && in >= 0;
                        expected += in;
                    }
                    if (!sure) continue;
                    ++checked;
                    wrong += counts[static_cast<size_t>(y * kSize + x)] != expected;
                }
            CHECK(wrong == 0);
            CHECK(checked > kSize * kSize / 2);
        }
    }
}

TEST_CASE("facing follows the order of the vertices, strips alternate") {
    TestContext context({.width = kSize, .height = kSize});
    setUp();
    std::mt19937 random(5);
    glEnable(GL_CULL_FACE);
    for (GLenum mode : {GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN})
        for (GLenum front : {GL_CCW, GL_CW})
            for (GLenum culled : {GL_FRONT, GL_BACK, GL_FRONT_AND_BACK}) {
                std::vector<Point> points = randomPoints(9, random, 0);
                glFrontFace(front);
                glCullFace(culled);
                std::vector<int> counts = countFragments(mode, points);
                int wrong = 0;
                for (int y = 0; y < kSize; ++y)
                    for (int x = 0; x < kSize; ++x) {
                        int expected = 0;
                        bool sure = true;
                        for (const Triangle& t : trianglesOf(mode, 9)) {
                            const Point &a = points[t[0]], &b = points[t[1]], &c = points[t[2]];
                            bool isFront = (cross(a, b, c) > 0) == (front == GL_CCW);
                            int in = inside(a, b, c, {x + 0.5, y + 0.5});
                            sure = sure && in >= 0;
                            bool drawn = culled != GL_FRONT_AND_BACK && isFront == (culled == GL_BACK);
                            if (drawn) expected += in;
                        }
                        wrong += sure && counts[static_cast<size_t>(y * kSize + x)] != expected;
                    }
                CAPTURE(mode);
                CAPTURE(culled);
                CHECK(wrong == 0);
            }
}

TEST_CASE("points of size 1 fill the pixel they are in") {
    TestContext context({.width = kSize, .height = kSize});
    setUp();
    std::mt19937 random(8);
    std::vector<Point> points = randomPoints(100, random, 8);
    for (Point& p : points) p = {std::floor(p.x) + 0.4, std::floor(p.y) + 0.6};
    std::vector<int> expected(kSize * kSize);
    for (const Point& p : points)
        if (p.x > 0 && p.x < kSize && p.y > 0 && p.y < kSize)
            ++expected[static_cast<size_t>(std::floor(p.y) * kSize + std::floor(p.x))];
    CHECK(countFragments(GL_POINTS, points) == expected);
}

TEST_CASE("lines between pixel centres are half open and follow the ideal line") {
    TestContext context({.width = kSize, .height = kSize});
    setUp();
    std::mt19937 random(13);
    for (int round = 0; round < 60; ++round) {
        auto centre = [&] { return static_cast<double>(random() % kSize) + 0.5; };
        Point a{centre(), centre()}, b{centre(), centre()};
        if (round % 6 == 0) b.y = a.y;
        if (round % 6 == 1) b.x = a.x;
        double dx = b.x - a.x, dy = b.y - a.y;
        bool xMajor = std::abs(dx) >= std::abs(dy);
        auto length = static_cast<int>(std::max(std::abs(dx), std::abs(dy)));
        std::vector<int> counts = countFragments(GL_LINES, {a, b});
        int total = 0, wrong = 0;
        for (int y = 0; y < kSize; ++y)
            for (int x = 0; x < kSize; ++x) {
                int count = counts[static_cast<size_t>(y * kSize + x)];
                total += count;
                if (count == 0) continue;
                double t = xMajor ? (x + 0.5 - a.x) / dx : (y + 0.5 - a.y) / dy;
                double off = xMajor ? a.y + t * dy - (y + 0.5) : a.x + t * dx - (x + 0.5);
                wrong += count != 1 || t < 0 || t >= 1 || std::abs(off) > 0.51;
            }
        CAPTURE(a.x);
        CAPTURE(a.y);
        CAPTURE(b.x);
        CAPTURE(b.y);
        CHECK(total == length);
        CHECK(wrong == 0);
    }
}

TEST_CASE("line strips and loops are their segments") {
    TestContext context({.width = kSize, .height = kSize});
    setUp();
    std::mt19937 random(17);
    for (GLenum mode : {GL_LINES, GL_LINE_STRIP, GL_LINE_LOOP})
        for (size_t n : {1u, 2u, 3u, 4u, 9u}) {
            std::vector<Point> points = randomPoints(n, random, n == 9 ? 15 : 0);
            std::vector<int> sum(kSize * kSize);
            for (auto [from, to] : linesOf(mode, n)) {
                std::vector<int> one = countFragments(GL_LINES, {points[from], points[to]});
                for (size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
            }
            CAPTURE(mode);
            CAPTURE(n);
            CHECK(countFragments(mode, points) == sum);
        }
}

TEST_CASE("incomplete primitives draw nothing") {
    TestContext context({.width = kSize, .height = kSize});
    setUp();
    const std::vector<int> nothing(kSize * kSize);
    std::mt19937 random(2);
    std::vector<Point> points = randomPoints(2, random, 0);
    for (GLenum mode : {GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN}) {
        CHECK(countFragments(mode, points) == nothing);
        CHECK(countFragments(mode, {points[0]}) == nothing);
    }
    for (GLenum mode : {GL_LINES, GL_LINE_STRIP, GL_LINE_LOOP}) CHECK(countFragments(mode, {points[0]}) == nothing);
    // The fourth and fifth vertex make no second triangle.
    std::vector<Point> five = randomPoints(5, random, 0);
    std::vector<int> first = countFragments(GL_TRIANGLES, {five[0], five[1], five[2]});
    CHECK(countFragments(GL_TRIANGLES, five) == first);
    std::vector<int> line = countFragments(GL_LINES, {five[0], five[1]});
    CHECK(countFragments(GL_LINES, {five[0], five[1], five[2]}) == line);
}

TEST_CASE("a mesh of shared edges touches every pixel exactly once") {
    TestContext context({.width = kSize, .height = kSize});
    setUp();
    std::mt19937 random(31);
    std::uniform_real_distribution<double> shake(-1.4, 1.4);
    for (int round = 0; round < 10; ++round) {
        constexpr int kCells = 8;
        std::vector<Point> grid;
        for (int y = 0; y <= kCells; ++y)
            for (int x = 0; x <= kCells; ++x) {
                bool edge = x == 0 || y == 0 || x == kCells || y == kCells;
                double dx = edge ? 0 : shake(random), dy = edge ? 0 : shake(random);
                grid.push_back({x * 6.0 + (round % 2 ? std::round(dx) + 0.5 * !edge : dx),
                                y * 6.0 + (round % 2 ? std::round(dy) + 0.5 * !edge : dy)});
            }
        std::vector<Point> mesh;
        for (int y = 0; y < kCells; ++y)
            for (int x = 0; x < kCells; ++x) {
                auto at = [&](int i, int j) { return grid[static_cast<size_t>(j * (kCells + 1) + i)]; };
                for (const Point& p : {at(x, y), at(x + 1, y), at(x, y + 1)}) mesh.push_back(p);
                for (const Point& p : {at(x, y + 1), at(x + 1, y), at(x + 1, y + 1)}) mesh.push_back(p);
            }
        CHECK(countFragments(GL_TRIANGLES, mesh) == std::vector<int>(kSize * kSize, 1));
    }
}

TEST_CASE("clipping at the near plane and the sides leaves what is inside") {
    TestContext context({.width = kSize, .height = kSize});
    GLuint program = useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), 0, 1, 0, 1);
    glEnableVertexAttribArray(0);
    // A triangle through the eye: the corner behind it must not turn up mirrored. At window height y the plane
    // w = 1 + z reaches z = -w where the ground is 0.
    const GLfloat ground[4][4] = {{-40, -1, -1, 0}, {40, -1, -1, 0}, {40, -1, 30, 31}, {-40, -1, 30, 31}};
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, ground);
    glDrawArrays(GL_TRIANGLE_FAN, 0, 4);
    std::vector<Rgba> pixels = readRect(0, 0, kSize, kSize);
    int wrong = 0;
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x) {
            double ndc = (y + 0.5) / (kSize / 2.0) - 1;
            // y/w = -1/w, and w from 0.5 (z = w - 1 >= -w) to 31: the ground is seen below -1/31.
            if (std::abs(ndc + 1.0 / 31) < 0.04) continue;
            bool expected = ndc < -1.0 / 31;
            wrong += (pixels[static_cast<size_t>(y * kSize + x)][1] == 255) != expected;
        }
    CHECK(wrong == 0);
    CHECK(glGetError() == GL_NO_ERROR);
}
