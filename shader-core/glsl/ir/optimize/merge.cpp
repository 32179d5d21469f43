// Vectorising: operations on single components of the same registers become one with a wider write mask.
//
//   mul t3.x, v0.x, c1.x
//   mul t3.y, v0.z, c1.y      ->   mul t3.xy, v0.xz, c1.xy
//
// One walk. The last operation of a block with the same shape (operation, destination, source registers) is found by
// hashing; the later one moves up to it, or it moves down to the later one, if nothing in between touches what
// moves, which the last read and write position of every place tell.
#include <algorithm>
#include <unordered_map>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/assignments.h"
#include "shader-core/glsl/ir/builder.h"
#include "shader-core/glsl/ir/optimize/passes.h"

namespace tessera::glsl::ir {

namespace {

class Merging {
public:
    explicit Merging(Module& module)
        : module_(module),
          places_(module),
          lastRead_(4 * places_.count()),
          lastWrite_(4 * places_.count()),
          dead_(module.code.size()) {}

    bool run() {
        for (uint32_t n = 0; n < module_.code.size(); n++) visit(n);
        if (changed_) eraseMarked(module_, dead_);
        return changed_;
    }

private:
    static bool sameShape(const Instruction& a, const Instruction& b) {
        if (a.op != b.op || a.type != b.type || a.saturate != b.saturate) return false;
        if (a.dst.kind != b.dst.kind || a.dst.index != b.dst.index) return false;
        for (int s = 0; s < sourceCountOf(a.op); s++) {
            const Operand &x = a.src[s], &y = b.src[s];
            if (x.kind != y.kind || x.index != y.index || x.negate != y.negate || x.absolute != y.absolute)
                return false;
            if (x.relative != y.relative || x.relativeComponent != y.relativeComponent) return false;
            if (x.arrayFirst != y.arrayFirst || x.arrayCount != y.arrayCount) return false;
        }
        return true;
    }

    static uint64_t hashOf(const Instruction& i) {
        uint64_t h = 0xCBF29CE484222325ull;
        auto mix = [&](uint64_t word) { h = (h ^ word) * 0x100000001B3ull; };
        mix(static_cast<uint64_t>(i.op) << 16 | static_cast<uint64_t>(i.type) << 8 | (i.saturate ? 1 : 0));
        mix(static_cast<uint64_t>(i.dst.kind) << 32 | i.dst.index);
        for (int s = 0; s < sourceCountOf(i.op); s++)
            mix(static_cast<uint64_t>(i.src[s].kind) << 40 | static_cast<uint64_t>(i.src[s].negate) << 41 |
                i.src[s].index);
        return h;
    }

    static bool isCandidate(const Instruction& i) {
        if (!writesResult(i.op) || formOf(i.op) != Form::ComponentWise || i.dst.relative != kNone) return false;
        for (int s = 0; s < sourceCountOf(i.op); s++)
            if (i.src[s].relative != kNone && Places::isPlace(i.src[s].kind)) return false;
        return true;
    }

    /// Calls f(slot) for each component that the instruction reads from a place.
    template <class Function>
    void forEachRead(const Instruction& i, Function&& f) const {
        forEachSource(i, [&](const Operand& o, uint8_t slots) {
            if (!Places::isPlace(o.kind) || o.relative != kNone) return;
            uint8_t mask = throughSwizzle(o.swizzle, slots);
            for (uint32_t c = 0; c < 4; c++)
                if (mask >> c & 1) f(4 * places_.of(o) + c);
        });
        forEachIndex(i, [&](uint32_t temp, uint8_t c) { f(4 * temp + c); });
    }
    template <class Function>
    void forEachWrite(const Instruction& i, Function&& f) const {
        for (uint32_t c = 0; c < 4; c++)
            if (i.dst.writeMask >> c & 1) f(4 * places_.of(i.dst) + c);
    }

    /// May `later` execute in the place of instruction n before it?
    [[nodiscard]] bool canMoveUp(const Instruction& later, uint32_t n) const {
        bool ok = true;
        forEachRead(later, [&](uint32_t slot) { ok = ok && lastWrite_[slot] <= n; });
        forEachWrite(later, [&](uint32_t slot) { ok = ok && lastWrite_[slot] <= n && lastRead_[slot] <= n + 1; });
        return ok;
    }

    /// May instruction n execute in the place of `later` behind it?
    [[nodiscard]] bool canMoveDown(uint32_t n, const Instruction& later) const {
        const Instruction& earlier = module_.code[n];
        bool ok = true;
        forEachRead(earlier, [&](uint32_t slot) { ok = ok && lastWrite_[slot] <= n + 1; });
        forEachWrite(earlier, [&](uint32_t slot) { ok = ok && lastWrite_[slot] == n + 1 && lastRead_[slot] <= n + 1; });
        forEachRead(later, [&](uint32_t read) {
            forEachWrite(earlier, [&](uint32_t written) { ok = ok && read != written; });
        });
        return ok;
    }

    /// Calls f for the assignments between two instructions that name what `writer` writes.
    template <class Function>
    void forEachBetween(uint32_t before, uint32_t n, const Instruction& writer, Function&& f) {
        if (module_.debug.assignments.empty()) return;
        for (uint32_t k = before + 1; k <= n; k++)
            forEachAssignment(module_, module_.code[k].assigns, [&](Assignment& a) {
                const bool named = a.kind == writer.dst.kind && a.index == writer.dst.index;
                if (named && (writer.dst.writeMask >> a.component & 1) != 0) f(a);
            });
    }
    /// Instruction n writes at `before` already: what its destination held is gone then.
    void movesUp(uint32_t before, uint32_t n) {
        forEachBetween(before, n, module_.code[n], [](Assignment& a) { lose(a, Lost::Overwritten); });
    }
    /// Instruction `before` writes at n: variables that it assigned have their values behind that.
    void movesDown(uint32_t before, uint32_t n) {
        std::vector<const Assignment*> moved;
        forEachBetween(before, n, module_.code[before], [&](Assignment& a) { moved.push_back(&a); });
        std::vector<Assignment> later;
        for (const Assignment* a : moved) {
            const Assignment* last = a;  // unless something else was assigned since
            for (uint32_t k = before + 1; k <= n; k++)
                forEachAssignment(module_, module_.code[k].assigns, [&](const Assignment& one) {
                    if (one.slot == a->slot && one.follows == a->follows) last = &one;
                });
            if (last == a) later.push_back(*a);
        }
        forEachBetween(before, n, module_.code[before], [](Assignment& a) { lose(a, Lost::NotComputed); });
        for (Assignment& a : later) {
            if (n + 1 == module_.code.size()) break;
            a.next = module_.code[n + 1].assigns;
            module_.code[n + 1].assigns = static_cast<uint32_t>(module_.debug.assignments.size());
            module_.debug.assignments.push_back(a);
        }
    }

    static void merge(Instruction& into, const Instruction& from) {
        for (int s = 0; s < sourceCountOf(into.op); s++) {
            Operand& o = into.src[s];
            std::array<uint32_t, 4> bits{};
            int at[4] = {};
            for (int c = 0; c < 4; c++) {
                const Instruction& owner = from.dst.writeMask >> c & 1 ? from : into;
                at[c] = isa::swizzleAt(owner.src[s].swizzle, c);
                bits[c] = owner.src[s].literal[at[c]];
            }
            if (o.kind == Kind::Literal) {
                o.literal = bits;
                for (int c = 0; c < 4; c++) at[c] = c;
            }
            uint8_t mask = into.dst.writeMask | from.dst.writeMask;
            o.swizzle = tidySwizzle(isa::makeSwizzle(at[0], at[1], at[2], at[3]), mask);
        }
        into.dst.writeMask |= from.dst.writeMask;
    }

    void note(uint32_t n) {
        const Instruction& i = module_.code[n];
        forEachRead(i, [&](uint32_t slot) { lastRead_[slot] = std::max(lastRead_[slot], n + 1); });
        forEachSource(i, [&](const Operand& o, uint8_t) {
            if (o.relative != kNone && Places::isPlace(o.kind)) candidates_.clear();
        });
        if (!writesResult(i.op)) return;
        if (i.dst.relative != kNone)
            candidates_.clear();  // may touch any element
        else
            forEachWrite(i, [&](uint32_t slot) { lastWrite_[slot] = std::max(lastWrite_[slot], n + 1); });
    }

    void visit(uint32_t n) {
        Instruction& i = module_.code[n];
        if (endsBasicBlock(i.op)) candidates_.clear();
        if (!isCandidate(i)) return note(n);
        uint32_t& candidate = candidates_.try_emplace(hashOf(i), kNone).first->second;
        if (candidate != kNone && sameShape(module_.code[candidate], i)) {
            uint32_t before = candidate;
            bool disjoint = (module_.code[before].dst.writeMask & i.dst.writeMask) == 0;
            if (disjoint && canMoveUp(i, before)) {
                movesUp(before, n);
                merge(module_.code[before], i);
                dead_[n] = changed_ = true;
                return note(before);
            }
            if (disjoint && canMoveDown(before, i)) {
                movesDown(before, n);
                merge(i, module_.code[before]);
                dead_[before] = changed_ = true;
            }
        }
        candidate = n;
        note(n);
    }

    Module& module_;
    Places places_;
    std::vector<uint32_t> lastRead_, lastWrite_;  ///< per component: instruction + 1, 0 never
    std::vector<bool> dead_;
    std::unordered_map<uint64_t, uint32_t> candidates_;  ///< shape to the last such instruction of the block
    bool changed_ = false;
};

}  // namespace

bool mergeComponents(Module& module) { return Merging(module).run(); }

}  // namespace tessera::glsl::ir
