#include "inspect/frame/absent_draw.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace tessera::inspect {

namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// How a triangle covers a place on the screen, before anything is culled or clipped.
struct Coverage {
    bool isFront = false;
    double z = 0, w = 0;  ///< of clip space, there
};

/// With x, y, w as homogeneous coordinates a triangle has edges also where a corner is behind the eye.
std::optional<Coverage> coverageOf(const std::array<float, 4>* corners, const Vector& place, bool frontIsClockwise) {
    std::array<Vector, 3> at{};
    for (size_t i = 0; i < 3; ++i) at[i] = {corners[i][0], corners[i][1], corners[i][3]};
    const double area = dot(at[0], cross(at[1], at[2]));
    if (!(std::abs(area) > 0)) return std::nullopt;
    std::array<double, 3> shares{};
    for (size_t i = 0; i < 3; ++i) {
        shares[i] = dot(cross(at[(i + 1) % 3], at[(i + 2) % 3]), place) / area;
        if (!(shares[i] >= 0)) return std::nullopt;
    }
    Coverage coverage{.isFront = (area > 0) != frontIsClockwise};
    for (size_t i = 0; i < 3; ++i) {
        coverage.z += shares[i] * static_cast<double>(corners[i][2]);
        coverage.w += shares[i] * static_cast<double>(corners[i][3]);
    }
    return coverage;
}

/// What happens to triangles that would cover a pixel.
struct Lost {
    size_t count = 0, first = 0;
    void add(size_t primitive) {
        if (count++ == 0) first = primitive;
    }
    [[nodiscard]] std::string text(const std::string& why) const {
        const std::string others = count == 2   ? " and another one"
                                   : count == 1 ? ""
                                                : fmt::format(" and {} others", count - 1);
        return fmt::format("primitive {}{} would cover it: {}", first, others, why);
    }
};

}  // namespace

std::string whyAbsent(FrameModel& model, size_t action, std::array<int, 2> pixel) {
    const pipeline::Draw* const draw = model.actions()[action].draw();
    if (draw == nullptr || !draw->state->program) return {};
    const pipeline::RasterState& raster = draw->state->raster;
    if (raster.discard) return "the draw makes no pixels: rasterizer discard is on";
    const double x = pixel[0] + 0.5, y = draw->state->target.height - pixel[1] - 0.5;
    const Mesh mesh = model.meshOf(action);
    if (mesh.corners != 3 || !(raster.viewport[2] > 0) || !(raster.viewport[3] > 0)) return {};
    const double down = raster.clipUpperLeft ? -1 : 1;
    const Vector place = {(x - raster.viewport[0]) / raster.viewport[2] * 2 - 1,
                          down * ((y - raster.viewport[1]) / raster.viewport[3] * 2 - 1), 1};
    const bool isScissored = raster.scissorTest && (x < raster.scissor.x || y < raster.scissor.y ||
                                                    x >= raster.scissor.x + raster.scissor.width ||
                                                    y >= raster.scissor.y + raster.scissor.height);
    Lost culled, near, far, scissored;
    bool isBackCulled = false;
    for (size_t first = 0; first + 3 <= mesh.clip.size(); first += 3) {
        const auto coverage = coverageOf(&mesh.clip[first], place, raster.frontIsClockwise);
        if (!coverage || !(coverage->w > 0)) continue;
        using pipeline::CullFace;
        const bool isCulled =
            raster.cull == CullFace::Both || raster.cull == (coverage->isFront ? CullFace::Front : CullFace::Back);
        const double nearest = raster.clipDepthFromZero ? 0 : -coverage->w;
        if (isCulled) {
            if (culled.count == 0) isBackCulled = !coverage->isFront;
            culled.add(first / 3);
        } else if (!raster.depthClamp && coverage->z < nearest) {
            near.add(first / 3);
        } else if (!raster.depthClamp && coverage->z > coverage->w) {
            far.add(first / 3);
        } else if (isScissored) {
            scissored.add(first / 3);
        }
    }
    if (scissored.count != 0) return scissored.text("outside of the scissor rectangle");
    if (culled.count != 0)
        return culled.text(fmt::format("culled, as its {} is seen (cull face {}, front is {})",
                                       isBackCulled ? "back" : "front",
                                       raster.cull == pipeline::CullFace::Both   ? "both"
                                       : raster.cull == pipeline::CullFace::Back ? "back"
                                                                                 : "front",
                                       raster.frontIsClockwise ? "clockwise" : "counter-clockwise"));
    if (near.count != 0) return near.text("clipped, nearer there than the near plane");
    if (far.count != 0) return far.text("clipped, farther there than the far plane");
    return {};
}

}  // namespace tessera::inspect
