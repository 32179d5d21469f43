#include "tests/gles/state/state_walk.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>

namespace tessera::gles_test {

namespace {

using Half = StateView::Half;

/// What the view looks like with the row at `value`, from before the clear or after it.
Picture pictureWith(const StateView& view, const StateRow& row, const StateValue& value) {
    if (row.shown == Shown::Clear) row.set(value);
    view.clear();
    row.set(value);
    view.draw(Half::Left);
    view.draw(Half::Right);
    Picture out = view.read();
    row.set(row.initial);
    return out;
}

/// Pixels of the right half from one, the others from the other.
Picture joined(const Picture& left, const Picture& right) {
    Picture out = left;
    constexpr int kWidth = kSceneWidth - 1;
    for (int y = 0; y < kSceneHeight; ++y) {
        const ptrdiff_t from = ptrdiff_t{4} * (y * kWidth + kSceneWidth / 2), to = ptrdiff_t{4} * (y + 1) * kWidth;
        std::copy(right.begin() + from, right.begin() + to, out.begin() + from);
    }
    return out;
}

/// The state set between two draws of one frame: each draws with what there is when it is called.
Picture pictureOfBoth(const StateView& view, const StateRow& row) {
    view.clear();
    view.draw(Half::Left);
    row.set(row.other);
    view.draw(Half::Right);
    row.set(row.initial);
    return view.read();
}

}  // namespace

std::string textOf(const StateValue& value) {
    std::string out;
    for (const double each : value) out += " " + std::to_string(each);
    return out;
}

std::vector<StateValue> valuesOf(const std::vector<StateRow>& rows) {
    std::vector<StateValue> out;
    for (const StateRow& row : rows) out.push_back(row.get());
    return out;
}

void resetState(const std::vector<StateRow>& rows) {
    for (const StateRow& row : rows) row.set(row.initial);
}

void setAllOther(const std::vector<StateRow>& rows) {
    for (const StateRow& row : rows) row.set(row.other);
}

void walkValues(const std::vector<StateRow>& rows) {
    for (const StateRow& row : rows) {
        CAPTURE(row.name);
        CHECK_MESSAGE(row.get() == row.initial, textOf(row.get()));
        row.set(row.other);
        CHECK_MESSAGE(row.get() == row.other, textOf(row.get()));
        row.set(row.initial);
        CHECK_MESSAGE(row.get() == row.initial, textOf(row.get()));
        CHECK(glGetError() == GL_NO_ERROR);
    }
}

void walkPairs(const std::vector<StateRow>& rows) {
    const std::vector<StateValue> first = valuesOf(rows);
    const auto isSet = [&](size_t by, size_t row) { return rows[by].also == rows[row].name; };
    for (size_t i = 0; i < rows.size(); ++i) {
        rows[i].set(rows[i].other);
        for (size_t j = 0; j < rows.size(); ++j)
            if (j != i && rows[j].get() != (isSet(i, j) ? rows[i].other : first[j]))
                FAIL_CHECK(rows[i].name << " changes " << rows[j].name);
        rows[i].set(rows[i].initial);
    }
    CHECK(valuesOf(rows) == first);

    setAllOther(rows);
    for (size_t i = 0; i < rows.size(); ++i) {
        rows[i].set(rows[i].initial);
        for (size_t j = 0; j < rows.size(); ++j)
            if (j != i && rows[j].get() != (isSet(i, j) ? rows[i].initial : rows[j].other))
                FAIL_CHECK("set back, " << rows[i].name << " changes " << rows[j].name);
        rows[i].set(rows[i].other);
    }
    resetState(rows);
    CHECK(valuesOf(rows) == first);
    CHECK(glGetError() == GL_NO_ERROR);
}

void walkRefused(const std::vector<StateRow>& rows) {
    for (const bool others : {false, true}) {
        if (others) setAllOther(rows);
        const std::vector<StateValue> before = valuesOf(rows);
        for (const StateRow& row : rows) {
            CAPTURE(row.name);
            for (const Refused& refused : row.refused) {
                refused.call();
                CHECK(glGetError() == refused.error);
                CHECK(valuesOf(rows) == before);
            }
        }
    }
    resetState(rows);
}

void walkShown(const std::vector<StateRow>& rows, const StateView& view) {
    for (const StateRow& row : rows) {
        if (row.shown == Shown::NotAsked) continue;
        CAPTURE(row.name);
        if (row.need) {
            const Picture without = pictureWith(view, row, row.initial);
            CHECK(pictureWith(view, row, row.other) == without);
            row.need();
            CHECK(row.get() == row.initial);
        }
        const Picture first = pictureWith(view, row, row.initial), second = pictureWith(view, row, row.other);
        CHECK((first != second) == (row.shown != Shown::Nowhere));
        CHECK(pictureWith(view, row, row.initial) == first);
        if (row.shown == Shown::Draw || row.shown == Shown::Nowhere)
            CHECK(pictureOfBoth(view, row) == joined(first, second));
        CHECK(glGetError() == GL_NO_ERROR);
        resetState(rows);
        view.use();
    }
}

}  // namespace tessera::gles_test
