// Linear scan (Poletto and Sarkar, "Linear Scan Register Allocation", 1999) over single components.
//
// A temp's interval runs from its first to its last access in program order, and over the whole of every loop at
// whose entry it is live; it begins with the program if it is live there, so that it is zero as registers are then.
// Positions count reads and writes apart (2n reads of instruction n, 2n + 1 its write), so a result may take the place
// of a source that ends there. Swizzles are free, so a temp may take any free components of a register, in any order;
// only temps written by lit, nrm and texture lookups, whose results have fixed components, and elements of arrays keep
// component c in place c. An array takes consecutive registers.
#include "shader-core/glsl/ir/emit/allocate.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/builder.h"

namespace tessera::glsl::ir {

namespace {

/// A temp, or an array of them.
struct Interval {
    uint32_t start = kNone, end = 0;
    uint32_t firstTemp = 0, count = 1;
    uint8_t components = 1;
    bool fixed = false;     ///< component c must be place c
    uint32_t hint = kNone;  ///< a temp whose place saves a copy
    uint8_t hintSwizzle[4] = {0, 1, 2, 3};
};

class Allocator {
public:
    explicit Allocator(const Module& module) : module_(module) {}

    Allocation run() {
        makeIntervals();
        findAccesses();
        extendToEntries();
        std::vector<uint32_t> order;
        for (uint32_t n = 0; n < intervals_.size(); n++)
            if (intervals_[n].start != kNone) order.push_back(n);
        std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            return std::pair(intervals_[a].start, a) < std::pair(intervals_[b].start, b);
        });
        result_.temps.resize(module_.temps.size());
        for (uint32_t n : order) {
            place(intervals_[n]);
            if (busyUntil_.size() > 4 * isa::kMaxTemps) break;  // hopeless; the search is linear in registers
        }
        result_.registers = static_cast<uint32_t>(busyUntil_.size());
        if (result_.registers > isa::kMaxTemps)
            result_.error = fmt::format("too many temporaries ({}, limit {})", result_.registers, isa::kMaxTemps);
        return std::move(result_);
    }

private:
    void makeIntervals() {
        intervalOf_.resize(module_.temps.size());
        for (uint32_t t = 0; t < module_.temps.size();) {
            const Temp& temp = module_.temps[t];
            Interval interval;
            interval.firstTemp = t;
            if (temp.array != kNone) {
                interval.count = module_.arrays[temp.array].count;
                interval.fixed = true;
            }
            for (uint32_t i = 0; i < interval.count; i++) {
                interval.components = std::max(interval.components, module_.temps[t + i].components);
                intervalOf_[t + i] = static_cast<uint32_t>(intervals_.size());
            }
            t += interval.count;
            intervals_.push_back(interval);
        }
    }

    void touch(uint32_t temp, uint32_t position) {
        Interval& interval = intervals_[intervalOf_[temp]];
        interval.start = std::min(interval.start, position);
        interval.end = std::max(interval.end, position);
    }

    void findAccesses() {
        for (uint32_t n = 0; n < module_.code.size(); n++) {
            const Instruction& i = module_.code[n];
            forEachSource(i, [&](const Operand& o, uint8_t) {
                if (o.kind == Kind::Temp) touch(o.index, 2 * n);
            });
            forEachIndex(i, [&](uint32_t temp, uint8_t) { touch(temp, 2 * n); });
            if (!writesResult(i.op) || i.dst.kind != Kind::Temp) continue;
            touch(i.dst.index, 2 * n + 1);
            Interval& interval = intervals_[intervalOf_[i.dst.index]];
            if (formOf(i.op) == Form::Fixed) interval.fixed = true;
            noteCopy(i);
        }
    }

    /// A plain copy between two temps costs nothing when both have the same place: each hints at the other.
    void noteCopy(const Instruction& i) {
        const Operand& from = i.src[0];
        if (i.op != Op::Mov || i.saturate || from.kind != Kind::Temp || from.negate || from.absolute) return;
        if (from.relative != kNone || i.dst.relative != kNone) return;
        Interval& to = intervals_[intervalOf_[i.dst.index]];
        Interval& source = intervals_[intervalOf_[from.index]];
        if (to.count != 1 || source.count != 1) return;
        // The two can be one register only when their components correspond one to one.
        uint8_t used = throughSwizzle(from.swizzle, i.dst.writeMask);
        if (std::popcount(used) != std::popcount(i.dst.writeMask)) return;
        if (i.dst.writeMask == maskOfSize(to.components)) {
            to.hint = from.index;
            for (int c = 0; c < 4; c++) to.hintSwizzle[c] = static_cast<uint8_t>(isa::swizzleAt(from.swizzle, c));
        }
        if (used == maskOfSize(source.components)) {
            source.hint = i.dst.index;
            for (int c = 0; c < 4; c++)
                if (i.dst.writeMask >> c & 1)
                    source.hintSwizzle[isa::swizzleAt(from.swizzle, c)] = static_cast<uint8_t>(c);
        }
    }

    void extendToEntries() {
        const Liveness liveness = computeLiveness(module_);
        for (const uint32_t temp : liveness.entry) touch(temp, 0);
        for (const Liveness::LoopEntry& loop : liveness.loops)
            for (uint32_t place : loop.places)
                if (place < module_.temps.size()) {
                    touch(place, 2 * loop.loop);
                    touch(place, 2 * loop.endloop + 1);
                }
    }

    [[nodiscard]] bool isFree(uint32_t reg, int component, uint32_t start) const {
        return reg >= busyUntil_.size() || busyUntil_[reg][component] < start;
    }
    [[nodiscard]] int freeComponents(uint32_t reg, uint32_t start) const {
        int mask = 0;
        for (int c = 0; c < 4; c++) mask |= isFree(reg, c, start) << c;
        return mask;
    }

    void take(const Interval& interval, uint32_t reg, const std::array<uint8_t, 4>& components) {
        if (busyUntil_.size() < reg + interval.count) busyUntil_.resize(reg + interval.count, {});
        for (uint32_t i = 0; i < interval.count; i++) {
            Placement& placement = result_.temps[interval.firstTemp + i];
            placement.reg = static_cast<uint16_t>(reg + i);
            placement.component = components;
            // + 1: a register that was never used is free at position 0.
            for (int c = 0; c < interval.components; c++) busyUntil_[reg + i][components[c]] = interval.end + 1;
        }
    }

    bool placeAsHinted(const Interval& interval) {
        if (interval.hint == kNone) return false;
        const Interval& other = intervals_[intervalOf_[interval.hint]];
        if (other.start == kNone || other.start >= interval.start) return false;  // not placed yet
        const Placement& wanted = result_.temps[interval.hint];
        std::array<uint8_t, 4> components{0, 1, 2, 3};
        for (int c = 0; c < interval.components; c++) {
            components[c] = wanted.component[interval.hintSwizzle[c]];
            if (interval.fixed && components[c] != c) return false;
            if (!isFree(wanted.reg, components[c], interval.start + 1)) return false;
        }
        take(interval, wanted.reg, components);
        return true;
    }

    void place(const Interval& interval) {
        if (placeAsHinted(interval)) return;
        uint32_t start = interval.start + 1;
        int wanted = maskOfSize(interval.components);
        uint32_t best = kNone;
        int bestSpare = 5;
        for (uint32_t reg = 0; reg < busyUntil_.size() && bestSpare > 0; reg++) {
            int spare = 5;
            if (interval.count > 1) {
                bool fits = true;
                for (uint32_t i = 0; i < interval.count && fits; i++)
                    fits = (freeComponents(reg + i, start) & wanted) == wanted;
                if (fits) spare = 0;
            } else {
                int free = freeComponents(reg, start);
                bool fits = interval.fixed ? (free & wanted) == wanted
                                           : std::popcount(static_cast<uint32_t>(free)) >= interval.components;
                if (fits) spare = std::popcount(static_cast<uint32_t>(free)) - interval.components;
            }
            if (spare < bestSpare) {
                best = reg;
                bestSpare = spare;
            }
        }
        if (best == kNone) best = static_cast<uint32_t>(busyUntil_.size());
        std::array<uint8_t, 4> components{0, 1, 2, 3};
        if (!interval.fixed) {
            int free = freeComponents(best, start), n = 0;
            for (int c = 0; c < 4 && n < interval.components; c++)
                if (free >> c & 1) components[n++] = static_cast<uint8_t>(c);
        }
        take(interval, best, components);
    }

    const Module& module_;
    std::vector<Interval> intervals_;
    std::vector<uint32_t> intervalOf_;
    std::vector<std::array<uint32_t, 4>> busyUntil_;  ///< last position + 1, shifted so that 0 means never
    Allocation result_;
};

}  // namespace

Allocation allocateRegisters(const Module& module) { return Allocator(module).run(); }

}  // namespace tessera::glsl::ir
