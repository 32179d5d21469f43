// The settable state of OpenGL ES 2.0 and 3.0 as a table: a row says how a state is set and read, what it is at first,
// another value that it may have, what is refused, whose it is, and whether the scene of state_scene.h shows it. A
// state that is added gets a row; state_table_test.cpp walks all of them.
#pragma once

#include <GLES2/gl2.h>

#include <functional>
#include <string>
#include <vector>

namespace tessera::gles_test {

/// As doubles, which hold every value of 32 bits.
using StateValue = std::vector<double>;

/// Whose state it is: what another object of the kind, or another context, has of its own.
enum class StateOwner {
    Context,
    VertexArray,
    Texture,
    Sampler,
};

/// What shows another value, where the row's `need` holds. Without it nothing does.
enum class Shown {
    Nowhere,
    Draw,      ///< what is drawn afterwards
    Clear,     ///< what is cleared
    Read,      ///< what is read back
    NotAsked,  ///< the scene cannot be drawn with it, or need not be the same
};

struct Refused {
    std::function<void()> call;
    GLenum error;
};

struct StateRow {
    std::string name;
    int since = 2;  ///< version of OpenGL ES whose contexts have it
    StateOwner owner = StateOwner::Context;
    std::function<StateValue()> get;
    StateValue initial, other;
    std::function<void(const StateValue&)> set;  ///< nothing but this state
    std::vector<Refused> refused;
    std::string also;  ///< the row of draw buffer 1, whose state the call sets with that of all draw buffers
    Shown shown = Shown::Nowhere;
    std::function<void()> need;  ///< other state in which it matters; null: it always does
    GLenum queried = 0;          ///< of glGetIntegerv; contexts before `since` do not know it. 0: read in another way
};

/// The rows that contexts of a version have. Values hold names of objects of the current context, made by
/// makeStateObjects().
[[nodiscard]] std::vector<StateRow> stateRows(int version);

/// Objects that values name, the same in each context: bound nowhere.
struct StateObjects {
    GLuint buffer = 0, texture = 0, cube = 0, volume = 0, layers = 0, external = 0, sampler = 0, framebuffer = 0,
           renderbuffer = 0, program = 0, vertexArray = 0, feedback = 0, pipeline = 0;
};
/// The drawable that values are of, and locations of the scene that rows change.
inline constexpr int kSceneWidth = 48, kSceneHeight = 32;
inline constexpr GLuint kWildAttribute = 2, kShiftAttribute = 3;

[[nodiscard]] const StateObjects& stateObjects();
/// In the current context.
void makeStateObjects(int version);

}  // namespace tessera::gles_test
