// Parameters as an entry point gave them: floats, 16.16 fixed point or integers. Enumerants are integers in fixed point
// calls too (OpenGL ES 1.1.12, section 2.3).
#pragma once

#include "api/gles/state/state_queries.h"
#include "api/gles1/fixed_state.h"

namespace tessera::gles1 {

[[nodiscard]] inline GLfloat fromFixed(GLfixed value) { return static_cast<GLfloat>(value / 65536.0); }
/// The nearest fixed-point value; what is not a number gives 0.
[[nodiscard]] inline GLfixed toFixed(double value) { return gles::roundToInt(value * 65536.0); }

class Parameters {
public:
    explicit Parameters(const GLfloat* values) : floats_(values) {}
    static Parameters fixed(const GLfixed* values) { return {nullptr, values, 1 / 65536.0}; }
    static Parameters integers(const GLint* values) { return {nullptr, values, 1}; }

    [[nodiscard]] bool isNull() const { return !floats_ && !integers_; }
    [[nodiscard]] GLfloat number(size_t i = 0) const {
        return floats_ ? floats_[i] : static_cast<GLfloat>(integers_[i] * scale_);
    }
    /// A value that is no enumerant gives 0, which nothing accepts.
    [[nodiscard]] GLenum enumerant() const {
        if (!floats_) return static_cast<GLenum>(*integers_);
        return *floats_ >= 0 && *floats_ < 65536 ? static_cast<GLenum>(*floats_) : 0;
    }
    [[nodiscard]] bool boolean() const { return floats_ ? *floats_ != 0 : *integers_ != 0; }
    [[nodiscard]] Vector4 vector() const { return {number(0), number(1), number(2), number(3)}; }
    /// Integers stand for -1..1.
    [[nodiscard]] Vector4 color() const {
        if (floats_ || scale_ != 1) return vector();
        Vector4 out;
        for (size_t i = 0; i < 4; ++i) out[i] = static_cast<GLfloat>((2.0 * integers_[i] + 1) / 4294967295.0);
        return out;
    }

private:
    Parameters(const GLfloat* floats, const GLint* integers, double scale)
        : floats_(floats), integers_(integers), scale_(scale) {}
    const GLfloat* floats_;
    const GLint* integers_ = nullptr;
    double scale_ = 1;
};

}  // namespace tessera::gles1
