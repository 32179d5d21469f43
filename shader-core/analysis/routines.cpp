#include "shader-core/analysis/routines.h"

#include <algorithm>
#include <optional>

namespace tessera::analysis {

using isa::Instruction;
using isa::Op;

std::vector<Instruction> decodedCode(const isa::Program& program) {
    std::vector<Instruction> code;
    code.reserve(program.code.size());
    for (const isa::Word& word : program.code) code.push_back(*isa::decode(word));
    return code;
}

bool hasLoops(const isa::Program& program) {
    return std::ranges::any_of(program.code, [](const isa::Word& word) {
        const std::optional<Instruction> i = isa::decode(word);
        return i && i->op == Op::Loop;
    });
}

std::vector<Routine> findRoutines(const std::vector<Instruction>& code) {
    std::vector<Routine> routines;
    int depth = 0;
    size_t first = 0;
    for (size_t at = 0; at < code.size(); ++at) {
        const Instruction& i = code[at];
        depth += i.op == Op::If || i.op == Op::Loop;
        depth -= i.op == Op::Endif || i.op == Op::Endloop;
        if (i.op != Op::Ret || i.guard != 0 || depth != 0) continue;
        routines.push_back({first, at});
        first = at + 1;
    }
    return routines;
}

size_t routineOf(const std::vector<Routine>& routines, size_t at) {
    return static_cast<size_t>(std::ranges::lower_bound(routines, at, {}, &Routine::last) - routines.begin());
}

namespace {

class Inlined {
public:
    explicit Inlined(const std::vector<Instruction>& code)
        : code_(code), routines_(findRoutines(code)), sizes_(routines_.size()) {}

    /// Calls are not recursive, and nest no deeper than isa::kMaxNesting.
    uint64_t size(size_t routine) {
        if (sizes_[routine]) return *sizes_[routine];
        uint64_t total = 0;
        for (size_t at = routines_[routine].first; at < routines_[routine].end(); ++at) {
            total += 1;
            if (code_[at].op == Op::Call) total += size(routineOf(routines_, code_[at].target));
            total = std::min<uint64_t>(total, kMany);
        }
        sizes_[routine] = total;
        return total;
    }

private:
    static constexpr uint64_t kMany = (uint64_t{1} << 40) + 1;
    const std::vector<Instruction>& code_;
    const std::vector<Routine> routines_;
    std::vector<std::optional<uint64_t>> sizes_;
};

}  // namespace

uint64_t expandedSize(const std::vector<Instruction>& code) { return Inlined(code).size(0); }

}  // namespace tessera::analysis
