// Reaching definitions over structured code; definitions that reach one read, or that a partial write leaves standing,
// join.
//
// A write that all executing lanes make ends the definitions before it on the way that these lanes take. Lanes that
// wait elsewhere keep theirs: where the ways meet again a read sees both, and they are one web. Registers that another
// lane reads by snooping are not split.
#include "shader-core/analysis/webs.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tessera::analysis {

using isa::File;
using isa::Instruction;
using isa::Op;

namespace {

/// Larger programs are not split: the state is copied at every branch.
constexpr size_t kMaxCode = 3000;

}  // namespace

class WebFinder {
public:
    WebFinder(const std::vector<Instruction>& code, unsigned temps)
        : code_(code), temps_(temps), state_(size_t{temps} * 4 + isa::kPredicates + 1) {
        // The first definitions are the zeros at the start.
        for (uint32_t component = 0; component < state_.size(); ++component) state_[component] = {component};
        parent_.resize(state_.size());
        std::iota(parent_.begin(), parent_.end(), 0u);
        walk(0, code_.size());
    }

    void finish(Webs& webs) {
        std::vector<uint32_t> number(parent_.size(), UINT32_MAX);
        const auto numberOf = [&](uint32_t definition) {
            uint32_t& n = number[find(definition)];
            if (n == UINT32_MAX) {
                n = webs.count_++;
                webs.startsAsZero_.push_back(false);
            }
            return n;
        };
        for (const auto& [key, definition] : mentions_) webs.webs_[key] = numberOf(definition);
        for (uint32_t component = 0; component < state_.size(); ++component)
            if (const uint32_t n = number[find(component)]; n != UINT32_MAX) webs.startsAsZero_[n] = true;
    }

private:
    using Definitions = std::vector<uint32_t>;  ///< sorted
    using State = std::vector<Definitions>;     ///< for each component

    uint32_t find(uint32_t definition) {
        while (parent_[definition] != definition) definition = parent_[definition] = parent_[parent_[definition]];
        return definition;
    }
    void unite(uint32_t a, uint32_t b) { parent_[std::max(find(a), find(b))] = std::min(find(a), find(b)); }

    static bool merge(State& into, const State& other) {
        bool grew = false;
        for (size_t c = 0; c < into.size(); ++c) {
            Definitions both;
            std::set_union(into[c].begin(), into[c].end(), other[c].begin(), other[c].end(), std::back_inserter(both));
            grew |= both.size() != into[c].size();
            into[c] = std::move(both);
        }
        return grew;
    }

    Definitions& reaching(unsigned reg, unsigned component) {
        return state_[std::min(reg, temps_) * 4u + component];  // predicates lie behind the temporaries
    }

    void read(size_t at, unsigned reg, unsigned component) {
        const Definitions& definitions = reaching(reg, component);
        for (const uint32_t d : definitions) unite(d, definitions.front());
        mentions_[Webs::key(at, reg, component, false)] = definitions.front();
    }

    void write(size_t at, unsigned reg, unsigned component, bool partial) {
        const uint64_t key = Webs::key(at, reg, component, true);
        auto known = mentions_.find(key);
        if (known == mentions_.end()) {
            known = mentions_.emplace(key, static_cast<uint32_t>(parent_.size())).first;
            parent_.push_back(known->second);
        }
        const uint32_t own = known->second;
        Definitions& definitions = reaching(reg, component);
        if (!partial) {
            definitions = {own};
            return;
        }
        for (const uint32_t d : definitions) unite(d, own);
        if (!std::binary_search(definitions.begin(), definitions.end(), own))
            definitions.insert(std::upper_bound(definitions.begin(), definitions.end(), own), own);
    }

    struct Loop {
        State left, again;  ///< what reaches its end, and its next iteration
    };

    /// Instructions of a block, from `at` to before `end`.
    void walk(size_t at, size_t end) {
        while (at < end) {
            const Instruction& i = code_[at];
            if (i.op == Op::If)
                at = branch(at);
            else if (i.op == Op::Loop)
                at = loop(at);
            else
                step(at++);
        }
    }

    void guard(size_t at) {
        if (code_[at].guard != 0) read(at, Webs::kPredicates, code_[at].guard);
    }

    void step(size_t at) {
        const Instruction& i = code_[at];
        guard(at);
        if (i.op == Op::Brk || i.op == Op::Cont) {
            merge(i.op == Op::Brk ? loops_.back().left : loops_.back().again, state_);
            return;
        }
        const isa::Shape shape = isa::opInfo(i.op).shape;
        for (int s = 0; s < isa::sourceCount(shape); ++s)
            source(at, i.src[static_cast<size_t>(s)], isa::componentsRead(i, s));
        if (!isa::hasDestination(shape)) return;
        const bool partial = i.guard != 0 || i.subsetWidth != 0 || i.subsetDepth != 0;
        if (i.dst.file == File::P) write(at, Webs::kPredicates, i.dst.index, partial);
        if (i.dst.file != File::R) return;
        for (unsigned c = 0; c < 4; ++c)
            if (i.dst.writeMask >> c & 1) write(at, i.dst.index, c, partial);
    }

    void source(size_t at, const isa::Source& source, uint8_t components) {
        if (source.file == File::P) read(at, Webs::kPredicates, source.index);
        if (source.file != File::R) return;
        for (int k = 0; k < 4; ++k)
            if (components >> k & 1) read(at, source.index, static_cast<unsigned>(isa::swizzleAt(source.swizzle, k)));
    }

    /// Returns the instruction behind the endif.
    size_t branch(size_t at) {
        guard(at);
        const State before = state_;
        size_t end = code_[at].target;
        walk(at + 1, end);
        State other = before;
        if (code_[end].op == Op::Else) {
            std::swap(other, state_);
            const size_t start = end + 1;
            end = code_[end].target;
            walk(start, end);
        }
        merge(state_, other);
        return end + 1;
    }

    size_t loop(size_t at) {
        const size_t end = code_[at].target;
        // What an earlier time around the loop that is outside has found is true of this one: who began anew would walk
        // twice as often for each loop outside.
        State& start = starts_.try_emplace(at, state_.size()).first->second;
        merge(start, state_);
        for (;;) {
            const State none(state_.size());
            loops_.push_back({none, none});
            state_ = start;
            walk(at + 1, end);
            merge(state_, loops_.back().again);
            const State left = loops_.back().left;
            loops_.pop_back();
            const bool grew = merge(start, state_);
            merge(state_, left);
            if (!grew) return end + 1;
        }
    }

    const std::vector<Instruction>& code_;
    const unsigned temps_;
    State state_;
    std::vector<uint32_t> parent_;
    std::unordered_map<uint64_t, uint32_t> mentions_;
    std::vector<Loop> loops_;
    std::map<size_t, State> starts_;  ///< what reaches the first instruction of each loop, as far as it is known
};

Webs::Webs(const std::vector<Instruction>& code, unsigned temps, bool whole) {
    for (const Instruction& i : code) {
        whole |= i.op == Op::Call;
        for (const isa::Source& s : i.src) whole |= s.snoop;
    }
    if (!whole && code.size() <= kMaxCode) {
        WebFinder(code, temps).finish(*this);
        return;
    }
    count_ = temps * 4 + isa::kPredicates + 1;
    startsAsZero_.assign(count_, true);
}

uint32_t Webs::of(size_t at, unsigned reg, unsigned component, bool write) const {
    const auto found = webs_.find(key(at, reg, component, write));
    if (found != webs_.end()) return found->second;
    return (reg == kPredicates ? count_ - isa::kPredicates - 1 : reg * 4) + component;
}

}  // namespace tessera::analysis
