// Walks over rows of settable state, of whichever version of OpenGL ES; they report to doctest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/gles/state/state_rows.h"

namespace tessera::gles_test {

[[nodiscard]] std::string textOf(const StateValue& value);
/// Of every row, as it is now.
[[nodiscard]] std::vector<StateValue> valuesOf(const std::vector<StateRow>& rows);
/// Everything as it was at first.
void resetState(const std::vector<StateRow>& rows);
/// Everything at its other value.
void setAllOther(const std::vector<StateRow>& rows);

/// Initial values are there, others come back, and are set back.
void walkValues(const std::vector<StateRow>& rows);
/// What is set leaves all other rows alone, whether they are as at first or not.
void walkPairs(const std::vector<StateRow>& rows);
/// Section 2.5: of a call that generates an error, the effects are as if it had not been made.
void walkRefused(const std::vector<StateRow>& rows);

using Picture = std::vector<uint8_t>;

/// What shows state: some pixels, of which each half is drawn by itself.
class StateView {
public:
    enum class Half { Left, Right };
    virtual ~StateView() = default;
    /// After state has been set back: what the view itself needs.
    virtual void use() const = 0;
    virtual void clear() const = 0;
    virtual void draw(Half half) const = 0;
    /// The whole drawable, as glReadPixels leaves it in memory: rows of kSceneWidth - 1 pixels, so that they end at no
    /// multiple of eight bytes.
    [[nodiscard]] virtual Picture read() const = 0;
};

/// Draws, clears and reads follow what is set, at once and no longer than it is.
void walkShown(const std::vector<StateRow>& rows, const StateView& view);

}  // namespace tessera::gles_test
