#include "shader-core/glsl/ir/assignments.h"

#include <algorithm>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/forward_walk.h"

namespace tessera::glsl::ir {

void loseAssignments(Module& module, uint32_t list, Lost why) {
    forEachAssignment(module, list, [&](Assignment& a) { lose(a, why); });
}

uint32_t joinAssignments(Module& module, uint32_t first, uint32_t second) {
    if (first == kNone || second == kNone) return first == kNone ? second : first;
    uint32_t last = first;
    while (module.debug.assignments[last].next != kNone) last = module.debug.assignments[last].next;
    module.debug.assignments[last].next = second;
    return first;
}

uint32_t copyAssignments(Module& module, uint32_t list) {
    uint32_t first = kNone, last = kNone;
    for (; list != kNone; list = module.debug.assignments[list].next) {
        const auto made = static_cast<uint32_t>(module.debug.assignments.size());
        module.debug.assignments.push_back(Assignment(module.debug.assignments[list]));
        module.debug.assignments[made].next = kNone;
        if (last == kNone)
            first = made;
        else
            module.debug.assignments[last].next = made;
        last = made;
    }
    return first;
}

namespace {

// --- Results that are gone ---

/// Components of places that an erased instruction would have written.
struct Missing {
    std::vector<uint8_t> masks;
    void reset() { std::ranges::fill(masks, uint8_t{0}); }
    bool meet(const Missing& other) {
        bool changed = false;
        for (size_t i = 0; i < masks.size(); i++) {
            changed |= (other.masks[i] & ~masks[i]) != 0;
            masks[i] |= other.masks[i];
        }
        return changed;
    }
};

class Loser {
public:
    Loser(Module& module, const std::vector<LostResult>& results) : module_(module), places_(module) {
        first_.assign(module.code.size() + 1, static_cast<uint32_t>(results.size()));
        for (auto r = static_cast<uint32_t>(results.size()); r-- > 0;) first_[results[r].instruction] = r;
        results_ = results;
        for (const LostResult& one : results) count_ = std::max(count_, one.place + 1);
        count_ = std::max(count_, places_.count());
    }
    void run() {
        Missing none{std::vector<uint8_t>(count_)};
        ForwardWalk<Missing, Loser>(module_, *this).run(none);
    }

    void assign(uint32_t n, const Missing& missing) {
        forEachAssignment(module_, module_.code[n].assigns, [&](Assignment& a) {
            if (!Places::isPlace(a.kind)) return;
            const uint32_t place = places_.of(a.kind, a.index);
            if (place < missing.masks.size() && (missing.masks[place] >> a.component & 1) != 0)
                lose(a, Lost::NotComputed);
        });
    }
    void see(uint32_t, const Missing&) {}
    [[nodiscard]] static bool guarded(uint32_t) { return false; }
    void write(uint32_t n, Missing& missing) const {
        if (module_.code[n].op == Op::Call) return;
        const Dest& dst = module_.code[n].dst;
        if (dst.relative == kNone) missing.masks[places_.of(dst)] &= static_cast<uint8_t>(~dst.writeMask);
        for (uint32_t r = first_[n]; r < results_.size() && results_[r].instruction == n; r++)
            missing.masks[results_[r].place] |= results_[r].mask;
    }

private:
    Module& module_;
    Places places_;
    std::vector<LostResult> results_;
    std::vector<uint32_t> first_;
    uint32_t count_ = 0;
};

}  // namespace

void loseResults(Module& module, const std::vector<LostResult>& results) {
    if (module.debug.assignments.empty() || results.empty()) return;
    Loser(module, results).run();
}

}  // namespace tessera::glsl::ir
