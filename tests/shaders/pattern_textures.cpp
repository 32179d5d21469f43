// OpenGL ES 2.0 section 3.7: face selection (table 3.21), level of detail (3.7.7), nearest filters.
#include "tests/shaders/pattern_textures.h"

#include <algorithm>
#include <cmath>

namespace tessera::shadertest {

namespace {

struct Position {
    int face = 0;
    double s = 0, t = 0;
};

/// Which face a direction meets.
int faceOf(double x, double y, double z) {
    const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    if (ax >= ay && ax >= az) return x < 0 ? 1 : 0;
    if (ay >= az) return y < 0 ? 3 : 2;
    return z < 0 ? 5 : 4;
}

/// Where on the plane of a face it meets.
Position onFace(int face, double x, double y, double z) {
    double sc = 0, tc = 0, ma = 1;
    switch (face) {
        case 0:
            sc = -z, tc = -y, ma = x;
            break;
        case 1:
            sc = z, tc = -y, ma = -x;
            break;
        case 2:
            sc = x, tc = z, ma = y;
            break;
        case 3:
            sc = x, tc = -z, ma = -y;
            break;
        case 4:
            sc = x, tc = -y, ma = z;
            break;
        default:
            sc = -x, tc = -y, ma = -z;
            break;
    }
    return {face, (sc / ma + 1) / 2, (tc / ma + 1) / 2};
}

class Lookup {
public:
    Lookup(const Texture& texture, const isa::TextureRequest& request) : texture_(texture), request_(request) {}

    void lane(int lane, isa::GroupRegister& result) const {
        if (request_.lodMode == isa::LodMode::Size) return size(lane, result);
        if (request_.lodMode == isa::LodMode::Texel) return fetch(lane, result);
        const double level =
            std::clamp(std::ceil(levelOfDetail(lane) + 0.5) - 1, 0.0, static_cast<double>(lastLevel()));
        const Position p = position(lane, faceAt(lane));
        const int l = static_cast<int>(level);
        const int width = std::max(texture_.width >> l, 1), height = std::max(texture_.height >> l, 1);
        const int x = texel(p.s, width, request_.offset[0]), y = texel(p.t, height, request_.offset[1]);
        write(lane, x, y, l, p.face, result);
    }

private:
    /// Layers of a texture that is looked up as an array.
    static constexpr int kLayers = 3;

    bool isArray() const {
        return request_.target == isa::TextureTarget::Array2D || request_.target == isa::TextureTarget::ShadowArray2D;
    }

    static int32_t integer(const float* row, int lane) { return __builtin_bit_cast(int32_t, row[lane]); }

    void size(int lane, isa::GroupRegister& result) const {
        const int level = integer(request_.coord[0], lane);
        const bool exists = level >= 0 && level <= lastLevel();
        const int values[] = {std::max(texture_.width >> (exists ? level : 0), 1),
                              std::max(texture_.height >> (exists ? level : 0), 1), isArray() ? kLayers : 0, 0};
        for (int c = 0; c < 4; ++c) result.lane[c][lane] = __builtin_bit_cast(float, exists ? values[c] : 0);
    }

    void fetch(int lane, isa::GroupRegister& result) const {
        const int level = integer(request_.lod, lane);
        const int x = integer(request_.coord[0], lane) + request_.offset[0];
        const int y = integer(request_.coord[1], lane) + request_.offset[1];
        const int layer = isArray() ? integer(request_.coord[2], lane) : 0;
        const bool exists = level >= 0 && level <= lastLevel() && x >= 0 && y >= 0 && layer >= 0 && layer < kLayers &&
                            x < std::max(texture_.width >> level, 1) && y < std::max(texture_.height >> level, 1);
        if (exists) return write(lane, x, y, level, layer, result);
        for (int c = 0; c < 4; ++c) result.lane[c][lane] = 0;
    }

    /// The texel as the type of the lookup takes it.
    void write(int lane, int x, int y, int l, int face, isa::GroupRegister& result) const {
        const int width = std::max(texture_.width >> l, 1), height = std::max(texture_.height >> l, 1);
        double value[4];
        if (texture_.pattern == "checker") {
            for (double& v : value) v = (x + y) % 2;
            value[3] = 1;
        } else if (texture_.pattern == "gradient") {
            value[0] = (x + 0.5) / width, value[1] = (y + 0.5) / height, value[2] = l, value[3] = 1;
        } else {
            value[0] = x, value[1] = y, value[2] = l, value[3] = face;
        }
        for (int c = 0; c < 4; ++c)
            result.lane[c][lane] = request_.type == isa::Type::F32
                                       ? static_cast<float>(value[c])
                                       : __builtin_bit_cast(float, static_cast<int32_t>(value[c]));
    }

    int lastLevel() const { return static_cast<int>(std::log2(std::max(texture_.width, texture_.height))); }

    double coordinate(int axis, int lane) const { return static_cast<double>(request_.coord[axis][lane]); }

    int faceAt(int lane) const {
        return texture_.cube ? faceOf(coordinate(0, lane), coordinate(1, lane), coordinate(2, lane)) : 0;
    }

    Position position(int lane, int face) const {
        if (texture_.cube) return onFace(face, coordinate(0, lane), coordinate(1, lane), coordinate(2, lane));
        // The layer nearest to the third coordinate, ties to even.
        const int layer =
            isArray() ? static_cast<int>(std::clamp(std::nearbyint(coordinate(2, lane)), 0.0, kLayers - 1.0)) : 0;
        return {layer, coordinate(0, lane), coordinate(1, lane)};
    }

    int texel(double coordinate, int size, int offset) const {
        if (!std::isfinite(coordinate)) return 0;
        double x = std::floor(coordinate * size) + offset;
        if (texture_.clamp || texture_.cube) return static_cast<int>(std::clamp(x, 0.0, static_cast<double>(size - 1)));
        x -= std::floor(x / size) * size;
        return static_cast<int>(x);
    }

    double length(double ds, double dt) const { return std::hypot(ds * texture_.width, dt * texture_.height); }

    /// log2 of the larger step between the pixels of a quad, in texels of level 0.
    double derived(int lane) const {
        if (!request_.hasQuads) return 0;
        const int face = faceAt(lane);
        const Position left = position(lane & ~1, face), right = position(lane | 1, face);
        const Position low = position(lane & ~4, face), high = position(lane | 4, face);
        const double rho = std::max(length(right.s - left.s, right.t - left.t), length(high.s - low.s, high.t - low.t));
        return rho > 0 ? std::log2(rho) : -1000;
    }

    double gradient(int lane) const {
        const auto step = [&](const float* const(&d)[3]) {
            return length(static_cast<double>(d[0][lane]), static_cast<double>(d[1][lane]));
        };
        const double rho = std::max(step(request_.ddx), step(request_.ddy));
        return rho > 0 ? std::log2(rho) : -1000;
    }

    double levelOfDetail(int lane) const {
        double level = 0;
        switch (request_.lodMode) {
            case isa::LodMode::Implicit:
                level = derived(lane);
                break;
            case isa::LodMode::Bias:
                level = derived(lane) + static_cast<double>(request_.lod[lane]);
                break;
            case isa::LodMode::Explicit:
                level = static_cast<double>(request_.lod[lane]);
                break;
            case isa::LodMode::Gradient:
                level = gradient(lane);
                break;
            case isa::LodMode::Texel:
            case isa::LodMode::Size:
                break;
        }
        return std::isfinite(level) ? level : 0;
    }

    const Texture& texture_;
    const isa::TextureRequest& request_;
};

}  // namespace

void PatternTextures::sample(int unit, const isa::TextureRequest& request, isa::GroupRegister& result) const {
    const auto found = units_.find(unit);
    for (int lane = 0; lane < isa::kGroupSize; ++lane) {
        if (!(request.mask >> lane & 1)) continue;
        if (found == units_.end() || found->second.cube != (request.target == isa::TextureTarget::Cube)) {
            for (int c = 0; c < 4; ++c) result.lane[c][lane] = c == 3 ? 1.0f : 0.0f;
            continue;
        }
        Lookup(found->second, request).lane(lane, result);
    }
}

}  // namespace tessera::shadertest
