// glGet*: one table of values, three conversions (OpenGL ES 2.0.25, section 6.1.2).
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "api/gles/context/context.h"
#include "pipeline/probe/texture_probe.h"

namespace tessera::gles {

/// A state value before conversion. Doubles hold every GLint, GLuint and GLfloat exactly.
struct StateValue {
    enum class Kind {
        Boolean,
        Integer,     ///< enums, names, sizes, masks
        Wide,        ///< of 64 bits: to a GLint the nearest one
        Float,       ///< to an integer by rounding
        Normalized,  ///< colours and depths: to an integer linearly, 1.0 to the largest one
    };
    Kind kind = Kind::Integer;
    int count = 0;
    std::array<double, 16> value{};
    std::span<const GLenum> list{};  ///< of state that is a list: its `count` values, in place of `value`

    [[nodiscard]] double at(int i) const {
        return list.empty() ? value[static_cast<size_t>(i)] : list[static_cast<size_t>(i)];
    }
};

/// One value of the state: since when it is there (entry_points.h; what OpenGL ES 3.0 and an extension of 2.0 have: the
/// extension) and how it is read.
struct StateRow {
    GLenum name;
    std::string_view since;
    StateValue (*read)(Context& c);
};
/// All but capabilities (glEnable), pixel store parameters (glPixelStorei) and what OpenGL ES 1.1 has besides.
[[nodiscard]] std::span<const StateRow> stateRows();

/// False (and GL_INVALID_ENUM) when no state has that name.
[[nodiscard]] bool queryState(Context& c, GLenum pname, StateValue& out);

/// Of indexed state (glGetIntegeri_v). False, and GL_INVALID_ENUM or GL_INVALID_VALUE, when no such state has that name
/// or not that index.
[[nodiscard]] bool queryIndexedState(Context& c, GLenum name, GLuint index, StateValue& out);

[[nodiscard]] GLboolean toBoolean(const StateValue& state, int i);
[[nodiscard]] GLint toInt(const StateValue& state, int i);
[[nodiscard]] GLint64 toInt64(const StateValue& state, int i);
[[nodiscard]] GLfloat toFloat(const StateValue& state, int i);
/// The nearest GLint; what is not a number gives 0.
[[nodiscard]] GLint roundToInt(double value);

/// GL_TESSERA_texture_cache.
[[nodiscard]] uint32_t textureCacheCounter(GLenum pname, const pipeline::TextureCacheCounters& counters);

[[nodiscard]] bool* capability(Context& c, GLenum cap);  ///< of glEnable; null when there is none of that name
[[nodiscard]] const GLubyte* queryString(Context& c, GLenum name);

/// Copies a string as far as it fits with its terminator; `*length` without the terminator.
void copyString(std::string_view text, GLsizei bufSize, GLsizei* length, GLchar* out);
/// Of an info log or a name: GL counts the terminator, but an empty string is 0.
[[nodiscard]] GLint lengthWithTerminator(std::string_view text);

}  // namespace tessera::gles
