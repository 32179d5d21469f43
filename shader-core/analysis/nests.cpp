#include "shader-core/analysis/nests.h"

#include "shader-core/analysis/routines.h"

namespace tessera::analysis {

using isa::Instruction;
using isa::Op;

namespace {

/// Lanes go from nest `from` beyond the ends of it and of those around it, up to nest `to`.
void leave(Nests& nests, uint32_t from, uint32_t to) {
    for (; from != to; from = nests.all[from].around) nests.all[from].lanesLeave = true;
}

}  // namespace

Nests findNests(const Facts& facts) {
    Nests nests;
    uint32_t open = Nests::kNone;
    const std::vector<Routine> routines = findRoutines(facts.code);
    for (size_t at = 0; at < facts.code.size(); ++at) {
        const Instruction& i = facts.code[at];
        if (i.op == Op::If || i.op == Op::Loop) {
            nests.all.push_back({.begin = at,
                                 .around = open,
                                 .isLoop = i.op == Op::Loop,
                                 .isPlain = i.op == Op::If && isPlain(facts, at)});
            open = static_cast<uint32_t>(nests.all.size() - 1);
        }
        nests.innermost.push_back(open);
        if (i.op == Op::Else) nests.all[open].hasElse = true;
        if (i.op == Op::Endif || i.op == Op::Endloop) {
            nests.all[open].end = at;
            open = nests.all[open].around;
        }
        if (isPlain(facts, at)) continue;
        if (i.op == Op::Brk || i.op == Op::Cont) leave(nests, open, nests.loopOf(at));
        if (i.op == Op::Ret && at != routines[routineOf(routines, at)].last) leave(nests, open, Nests::kNone);
    }
    return nests;
}

}  // namespace tessera::analysis
