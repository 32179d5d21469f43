#include "shader-core/glsl/front/link/packing.h"

#include <algorithm>
#include <numeric>

namespace tessera::glsl::front {

namespace {

class Grid {
public:
    explicit Grid(uint32_t rows) : used_(rows, 0) {}

    /// Lowest (highest, with `fromEnd`) row from which `item.rows` rows are free in the item's columns.
    [[nodiscard]] bool find(const PackItem& item, uint8_t column, bool fromEnd, uint32_t& row) const {
        uint8_t mask = maskOf(item, column);
        auto total = static_cast<uint32_t>(used_.size());
        uint32_t run = 0;
        for (uint32_t i = 0; i < total; i++) {
            uint32_t r = fromEnd ? total - 1 - i : i;
            run = (used_[r] & mask) ? 0 : run + 1;
            if (run < item.rows) continue;
            row = fromEnd ? r : r + 1 - item.rows;
            return true;
        }
        return false;
    }

    void take(const PackItem& item, const PackPlace& place) {
        for (uint32_t r = 0; r < item.rows; r++) used_[place.row + r] |= maskOf(item, place.column);
    }

    [[nodiscard]] uint32_t freeRows(uint8_t column) const {
        return static_cast<uint32_t>(
            std::count_if(used_.begin(), used_.end(), [&](uint8_t u) { return !(u >> column & 1); }));
    }

private:
    static uint8_t maskOf(const PackItem& item, uint8_t column) {
        return static_cast<uint8_t>(((1u << item.width) - 1) << column);
    }
    std::vector<uint8_t> used_;  ///< a bit for each component of a row
};

bool findPlace(const Grid& grid, const PackItem& item, PackPlace& place) {
    if (item.width >= 3) return grid.find(item, 0, false, place.row);
    if (item.width == 2) {
        if (grid.find(item, 0, false, place.row)) return true;
        place.column = 2;  // from the bottom, so that the space above stays in one piece
        return grid.find(item, 2, true, place.row);
    }
    // One component: the fullest column that still has room.
    bool found = false;
    uint32_t best = 0;
    for (uint8_t column = 0; column < 4; column++) {
        uint32_t row = 0;
        uint32_t room = grid.freeRows(column);
        if ((found && room >= best) || !grid.find(item, column, false, row)) continue;
        found = true;
        best = room;
        place = {row, column};
    }
    return found;
}

}  // namespace

std::vector<PackPlace> pack(std::span<const PackItem> items, uint32_t capacity) {
    uint64_t components = 0;
    for (const PackItem& item : items) components += uint64_t{item.width} * item.rows;
    if (components > uint64_t{capacity} * 4) return {};
    std::vector<size_t> order(items.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        if (items[a].width != items[b].width) return items[a].width > items[b].width;
        return items[a].rows != items[b].rows ? items[a].rows > items[b].rows : a < b;
    });
    Grid grid(capacity);
    std::vector<PackPlace> places(items.size());
    for (size_t i : order) {
        if (!findPlace(grid, items[i], places[i])) return {};
        grid.take(items[i], places[i]);
    }
    return places;
}

}  // namespace tessera::glsl::front
