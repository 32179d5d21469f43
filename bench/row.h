// A row of the benchmark: what is drawn, how much work that is, and which pixels must come out.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

struct Size {
    int width = 1024, height = 1024;
    [[nodiscard]] double megapixels() const { return width * 1e-6 * height; }
};

using Color = std::array<double, 3>;  ///< red, green, blue, 0 to 1

/// A pixel the finished frame must show; x to the right, y upwards.
struct ExpectedPixel {
    int x = 0, y = 0;
    Color color{};
    int tolerance = 2;  ///< in 1/255
};

/// Pixels all over a surface, of the colour that `colorAt(u, v)` gives for their centres, 0 to 1 over the surface.
/// Where it is negative nothing is expected.
template <class ColorAt>
std::vector<ExpectedPixel> pixelsOf(Size size, int tolerance, const ColorAt& colorAt) {
    std::vector<ExpectedPixel> pixels;
    for (const double x : {0.02, 0.18, 0.42, 0.61, 0.97})
        for (const double y : {0.03, 0.29, 0.58, 0.91}) {
            const int column = static_cast<int>(x * size.width), row = static_cast<int>(y * size.height);
            const Color color = colorAt((column + 0.5) / size.width, (row + 0.5) / size.height);
            if (color[0] >= 0) pixels.push_back({column, row, color, tolerance});
        }
    return pixels;
}

/// A workload that is drawn over and over. A fresh GL context is current from construction to destruction.
class Row {
public:
    virtual ~Row() = default;
    /// The GL calls of one frame, without waiting for them.
    virtual void frame() = 0;
    /// In the row's unit.
    [[nodiscard]] virtual double workPerFrame() const = 0;
    /// Called before the pixels are looked at, for rows whose frames differ: draws the frame that is expected.
    virtual void settle() {}
    [[nodiscard]] virtual std::vector<ExpectedPixel> expected() const = 0;
};

/// What a row that starts processes of its own needs to know.
struct ProcessContext {
    Size size;
    double seconds = 1;       ///< to spend on the row, roughly
    std::string* error = {};  ///< set when something went wrong
};

enum class Better { higher, lower };

struct RowInfo {
    std::string name;
    std::string unit;
    std::string meaning;
    Better better = Better::higher;
    int multisamples = 0;
    bool isCovered = false;      ///< most fragments are covered by later ones: a driver may draw without shading them
    int version = 2;             ///< of OpenGL ES; without it the row is skipped
    std::string extension = {};  ///< of GL; without it the row is skipped
    /// Exactly one of the two is set. `measure` gives samples in the row's unit.
    std::function<std::unique_ptr<Row>(Size)> make = {};
    std::function<std::vector<double>(const ProcessContext&)> measure = {};
};

[[nodiscard]] std::vector<RowInfo> fillRows();
[[nodiscard]] std::vector<RowInfo> programRows();
[[nodiscard]] std::vector<RowInfo> interfaceRows();
[[nodiscard]] std::vector<RowInfo> geometryRows();
[[nodiscard]] std::vector<RowInfo> callRows();
[[nodiscard]] std::vector<RowInfo> transferRows();
[[nodiscard]] std::vector<RowInfo> es3Rows();
[[nodiscard]] std::vector<RowInfo> startRows();
[[nodiscard]] std::vector<RowInfo> sceneRows();

/// Seconds of each of a demo's first hundred frames, each waited for; empty when there is no such demo. `problem` is
/// empty when its picture is right.
[[nodiscard]] std::vector<double> firstSceneFrames(const std::string& name, Size size, std::string* problem);

/// Runs one measurement of a row that needs a process of its own, inside that process (start_rows.cpp). Returns the
/// process's exit status.
[[nodiscard]] int runProbe(const std::string& probe, unsigned seed, Size size);

}  // namespace bench
