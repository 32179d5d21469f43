// Which register components of a vertex or fragment program are of use where: the backward data flow of compilers'
// books (Aho, Lam, Sethi, Ullman, Compilers, 9.2.5), for lanes that share registers.
//
// What a lane reads later is found along the ways that a lane can take. While lanes wait for others, at an else, an
// endif, or the end of a loop, those that execute must leave them what they will read there: keepsOthers(). Lookups and
// derivatives read what the other lanes of a quad had last, wherever these are; components that they read are followed
// along the ways that control takes through the program instead, and every lane keeps its own.
//
// A subroutine is one piece of code for all who call it: at its end is live what is live behind any of its calls, and
// lanes that do not execute it wait where those of any caller do. What a relative operand reads may be any register of
// its file, and what it writes may be none.
#pragma once

#include <cstdint>
#include <vector>

#include "shader-core/analysis/facts.h"

namespace tessera::analysis {

/// Numbers of register components that a program names: r, o, a and p (which has one).
class ComponentNumbers {
public:
    explicit ComponentNumbers(const Facts& facts);
    static constexpr uint32_t kNone = UINT32_MAX;
    /// kNone: the program does not name it. Of a file that is addressed relatively all have numbers, one behind the
    /// other: of(file, 0, 0) + 4 * index + component.
    [[nodiscard]] uint32_t of(isa::File file, unsigned index, unsigned component) const {
        const size_t at = placeOf(file, index, component);
        return at < numbers_.size() ? numbers_[at] : kNone;
    }
    [[nodiscard]] uint32_t count() const { return count_; }
    /// All that a relative operand may mean by a component of `file`; nothing of files that are no registers here.
    template <class Use>
    void forEachOf(isa::File file, unsigned component, const Use& use) const {
        const unsigned registers = file == isa::File::R ? temporaries_ : file == isa::File::O ? isa::kMaxOutputs : 0;
        for (unsigned index = 0; index < registers; ++index) use(of(file, index, component));
    }

private:
    static size_t placeOf(isa::File file, unsigned index, unsigned component);
    void name(isa::File file, unsigned index, unsigned component);
    void nameAll(isa::File file, unsigned registers);
    std::vector<uint32_t> numbers_;
    uint32_t count_ = 0;
    unsigned temporaries_;
};

/// A set of register components.
class ComponentSet {
public:
    explicit ComponentSet(uint32_t components = 0) : words_((components + 63) / 64) {}
    [[nodiscard]] bool has(uint32_t component) const { return words_[component / 64] >> component % 64 & 1; }
    void put(uint32_t component) { words_[component / 64] |= uint64_t{1} << component % 64; }
    void remove(uint32_t component) { words_[component / 64] &= ~(uint64_t{1} << component % 64); }
    void putAll(const ComponentSet& others) {
        for (size_t word = 0; word < words_.size(); ++word) words_[word] |= others.words_[word];
    }
    void putAll(const ComponentSet& others, const ComponentSet& among) {
        for (size_t word = 0; word < words_.size(); ++word) words_[word] |= others.words_[word] & among.words_[word];
    }
    bool operator==(const ComponentSet&) const = default;

private:
    std::vector<uint64_t> words_;
};

class Liveness {
public:
    /// `facts` of a program whose outputs are of use at its end.
    Liveness(const Facts& facts, const ComponentNumbers& numbers, isa::RegisterMask outputMask);

    /// Whether somebody reads what the component has before instruction `at` is executed.
    [[nodiscard]] bool isLive(size_t at, uint32_t component) const { return before_[at].has(component); }
    /// Whether the values of lanes that do not execute are of use, in a component that instruction `at` writes for
    /// those that do.
    [[nodiscard]] bool keepsOthers(size_t at, uint32_t component) const {
        return readInQuads_.has(component) || waited_[blockOf_[at]].has(component);
    }
    /// A NaN that is computed into the component counts as any other: who reads its bits makes it the canonical one, or
    /// nobody does.
    [[nodiscard]] bool isNumeric(uint32_t component) const { return numeric_.has(component); }

private:
    using Set = ComponentSet;
    struct Edges {
        std::vector<size_t> ofLane, ofControl;  ///< to instructions that begin blocks, or the end of a routine
    };
    struct Call {
        size_t block;  ///< that ends with it
        size_t routine;
    };
    void findBlocks();
    void findEdges();
    [[nodiscard]] bool walk(size_t block);
    [[nodiscard]] bool walkBack(const Call& call);
    void findWaited();
    void findNumeric();

    const Facts& facts_;
    const ComponentNumbers& numbers_;
    Set outputs_, readInQuads_;
    std::vector<Set> before_;              ///< for each instruction, and for the end of each routine
    std::vector<size_t> blockOf_, start_;  ///< basic blocks end with control instructions
    std::vector<size_t> routineOf_;        ///< of each block
    std::vector<Edges> edges_;             ///< of each block
    std::vector<Call> calls_;
    std::vector<std::vector<size_t>> waitingAt_;  ///< for each block: where lanes of its routine may be instead
    std::vector<Set> waited_;                     ///< likewise: what is live where any lanes may be
    Set numeric_;
};

}  // namespace tessera::analysis
