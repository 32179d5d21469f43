// Scene rows: frames of the demos. The demos' own sources are compiled into the benchmark; runDemo(), which their
// main() calls, is ours here and only keeps what it is given. They are plain (--plain), as the paper has its programs.
//
// Each demo is measured twice: frames for each second once everything is warm, and the worst of the first hundred
// frames of a fresh process with an empty disk cache (start_rows.cpp gives each sample its process).
#include <GLES2/gl2.h>

#include <algorithm>
#include <cstdlib>

#include "bench/gl.h"
#include "bench/row.h"
#include "demos/host/harness.h"

int cubeMain(int argc, char** argv);
int gearsMain(int argc, char** argv);
int texturedMain(int argc, char** argv);

namespace demos {

static DemoInfo current;

int runDemo(int, char**, const DemoInfo& info) {
    current = info;
    return 0;
}

GLuint buildProgram(const char* vertexSource, const char* fragmentSource,
                    std::initializer_list<const char*> attributes) {
    return bench::makeProgram(vertexSource, fragmentSource, attributes);
}

std::string assetPath(const std::string& name) { return std::string(TESSERA_DEMO_DIR "/") + name; }

}  // namespace demos

namespace bench {

namespace {

struct Scene {
    const char* name;
    int (*main)(int, char**);
    /// Places from the middle of the surface, right and up in units of its height, and what is there at time 0: inside
    /// faces, where colours do not change.
    std::vector<std::array<double, 5>> pixels;
};

class SceneRow final : public Row {
public:
    SceneRow(const Scene& scene, Size size) : scene_(scene), size_(size) {
        scene.main(0, nullptr);
        demo_ = demos::current.make(true);
    }
    void frame() override { draw(time_ += 1.0 / 60); }
    void settle() override { draw(time_ = 0); }
    [[nodiscard]] double workPerFrame() const override { return 1; }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        std::vector<ExpectedPixel> result;
        for (auto [x, y, red, green, blue] : scene_.pixels)
            result.push_back({static_cast<int>(size_.width * 0.5 + x * size_.height),
                              static_cast<int>((0.5 + y) * size_.height),
                              {red / 255, green / 255, blue / 255},
                              6});
        return result;
    }

private:
    void draw(double time) {
        demos::Frame frame;
        frame.time = time, frame.width = size_.width, frame.height = size_.height;
        demo_->draw(frame);
    }

    const Scene& scene_;
    Size size_;
    std::unique_ptr<demos::Demo> demo_;
    double time_ = 0;
};

const Scene kScenes[] = {
    {"cube", cubeMain, {{0, 0.207, 219, 185, 58}, {0, -0.08594, 54, 116, 54}, {-0.4023, 0.4023, 26, 31, 41}}},
    {"gears",
     gearsMain,
     {{-0.2559, -0.1445, 163, 20, 0},
      {0.1445, -0.1348, 0, 163, 41},
      {-0.08984, 0.2363, 41, 41, 204},
      {-0.4023, 0.4023, 0, 0, 0}}},
    {"textured",
     texturedMain,
     {{-0.207, -0.03711, 172, 170, 165}, {0.08594, -0.3105, 172, 170, 165}, {-0.4023, 0.4023, 41, 46, 56}}},
};

}  // namespace

std::vector<double> firstSceneFrames(const std::string& name, Size size, std::string* problem) {
    for (const Scene& scene : kScenes) {
        if (scene.name != name) continue;
        SceneRow row(scene, size);
        std::vector<double> times;
        for (int i = 0; i < 100; ++i) {
            double start = now();
            row.frame();
            readPixel(0, 0);
            times.push_back(now() - start);
        }
        row.settle();
        *problem = checkPixels(row.expected());
        return times;
    }
    *problem = "no such scene";
    return {};
}

std::vector<RowInfo> sceneRows() {
    std::vector<RowInfo> rows;
    for (const Scene& scene : kScenes)
        rows.push_back({.name = scene.name,
                        .unit = "frame/s",
                        .meaning = std::string("the demo ") + scene.name,
                        .make = [&scene](Size size) { return std::make_unique<SceneRow>(scene, size); }});
    return rows;
}

}  // namespace bench
