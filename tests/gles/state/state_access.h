// How rows of the table of state read, set and choose, and the parts of the table.
#pragma once

#define GL_GLEXT_PROTOTYPES 1
#include <GLES3/gl3.h>
// After it: the calls of extensions.
#include <GLES2/gl2ext.h>

#include <utility>
#include <vector>

#include "tests/gles/state/state_rows.h"

namespace tessera::gles_test {

using Get = std::function<StateValue()>;
using Set = std::function<void(const StateValue&)>;
using Need = std::function<void()>;

inline GLenum word(double value) { return static_cast<GLenum>(value); }
inline GLint whole(double value) { return static_cast<GLint>(value); }
inline GLfloat real(double value) { return static_cast<GLfloat>(value); }
inline GLboolean truth(double value) { return value != 0 ? GL_TRUE : GL_FALSE; }

inline Get integers(GLenum name, size_t count = 1) {
    return [=] {
        GLint values[4] = {};
        glGetIntegerv(name, values);
        return StateValue(values, values + count);
    };
}
inline Get floats(GLenum name, size_t count = 1) {
    return [=] {
        GLfloat values[4] = {};
        glGetFloatv(name, values);
        return StateValue(values, values + count);
    };
}
inline Get mask(GLenum name) {
    return [=] {
        GLint value = 0;
        glGetIntegerv(name, &value);
        return StateValue{static_cast<double>(static_cast<uint32_t>(value))};
    };
}
/// What else a call sets stays as it is.
inline double now(GLenum name) { return mask(name)()[0]; }
inline GLenum nowWord(GLenum name) { return word(now(name)); }

/// In a unit of textures, whichever is active.
template <class Act>
auto inUnit(GLenum unit, Act&& act) {
    struct Active {
        GLenum before = nowWord(GL_ACTIVE_TEXTURE);
        ~Active() { glActiveTexture(before); }
    } active;
    glActiveTexture(unit);
    return act();
}

/// In the context's own framebuffer, whichever is bound.
template <class Act>
auto inDrawable(GLenum target, GLenum binding, Act&& act) {
    struct Bound {
        GLenum target;
        GLuint before;
        ~Bound() { glBindFramebuffer(target, before); }
    } bound{target, nowWord(binding)};
    glBindFramebuffer(target, 0);
    return act();
}

inline StateRow toggle(const char* name, GLenum cap, bool initially, int since, Shown shown, Need need = nullptr) {
    return {.name = name,
            .since = since,
            .get = [=] { return StateValue{glIsEnabled(cap) != GL_FALSE ? 1.0 : 0.0}; },
            .initial = {initially ? 1.0 : 0.0},
            .other = {initially ? 0.0 : 1.0},
            .set = [=](const StateValue& v) { v[0] != 0 ? glEnable(cap) : glDisable(cap); },
            .refused = {{[] { glEnable(GL_POINTS); }, GL_INVALID_ENUM}},
            .shown = shown,
            .need = std::move(need),
            .queried = cap};
}

inline StateRow enumeration(const char* name, GLenum queried, GLenum initial, GLenum other, Set set,
                            std::vector<Refused> refused, Shown shown, Need need = nullptr, int since = 2) {
    return {.name = name,
            .since = since,
            .get = integers(queried),
            .initial = {static_cast<double>(initial)},
            .other = {static_cast<double>(other)},
            .set = std::move(set),
            .refused = std::move(refused),
            .shown = shown,
            .need = std::move(need),
            .queried = queried};
}

// Rows of objects, and of what is bound (object_rows.cpp).
void addVertices(std::vector<StateRow>& rows);
void addBindings(std::vector<StateRow>& rows);
void addRanges(std::vector<StateRow>& rows);
void addLookups(std::vector<StateRow>& rows);

}  // namespace tessera::gles_test
