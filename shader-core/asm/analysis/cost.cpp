// Paths are found backwards: with the jump back of endloop left out, every edge goes forwards, and the cost from an
// instruction to the end of its routine follows from those behind it. Subroutines come first.
#include "shader-core/asm/analysis/cost.h"

#include <algorithm>
#include <bit>
#include <map>

namespace tessera::assembly {

using isa::Instruction;
using isa::Op;

namespace {

struct Path {
    int64_t shortest = 0, longest = 0;
    std::array<int64_t, kUnits> unitCycles{};  ///< of the longest
    bool exists = false;

    void join(const Path& other) {
        if (!other.exists) return;
        if (!exists) {
            *this = other;
            return;
        }
        shortest = std::min(shortest, other.shortest);
        if (other.longest <= longest) return;
        longest = other.longest;
        unitCycles = other.unitCycles;
    }
};

class Paths {
public:
    Paths(const std::vector<Instruction>& code, const Latencies& latencies)
        : code_(code), latencies_(latencies), from_(code.size() + 1) {
        // Routines end with the first unguarded ret outside every if and loop.
        size_t first = 0;
        for (size_t at = 0, depth = 0; at < code.size(); ++at) {
            depth += code[at].op == Op::If || code[at].op == Op::Loop;
            depth -= code[at].op == Op::Endif || code[at].op == Op::Endloop;
            if (code[at].op != Op::Ret || code[at].guard != 0 || depth != 0) continue;
            ends_[first] = at;
            first = at + 1;
        }
    }

    const Path& routine(size_t first) {
        Path& path = from_[first];
        const size_t last = ends_.at(first);
        if (!path.exists)
            for (size_t at = last + 1; at-- > first;) step(at);
        return path;
    }

private:
    void step(size_t at) {
        const Instruction& i = code_[at];
        Path path;
        const auto goesTo = [&](size_t next) { path.join(from_[next]); };
        const auto ends = [&] { path.join(Path{.exists = true}); };
        switch (i.op) {
            case Op::Ret:
                ends();
                if (i.guard != 0) goesTo(at + 1);
                break;
            case Op::If:
                goesTo(at + 1);
                if (i.guard != 0) goesTo(code_[i.target].op == Op::Else ? i.target + 1u : i.target);
                break;
            case Op::Else:
            case Op::Cont:
                goesTo(i.target);
                if (i.op == Op::Cont && i.guard != 0) goesTo(at + 1);
                break;
            case Op::Brk:
                goesTo(i.target + 1u);
                if (i.guard != 0) goesTo(at + 1);
                break;
            case Op::Kil:
                ends();
                goesTo(at + 1);
                break;
            case Op::Call: {
                const Path called = routine(i.target);
                goesTo(at + 1);
                path.shortest += i.guard != 0 ? 0 : called.shortest;
                path.longest += called.longest;
                for (int u = 0; u < kUnits; ++u) path.unitCycles[u] += called.unitCycles[u];
                break;
            }
            default:
                goesTo(at + 1);
                break;
        }
        const uint32_t latency = latencies_[static_cast<size_t>(i.op)];
        path.shortest += latency;
        path.longest += latency;
        path.unitCycles[static_cast<int>(isa::opInfo(i.op).unit)] += latency;
        path.exists = true;
        from_[at] = path;
    }

    const std::vector<Instruction>& code_;
    const Latencies& latencies_;
    std::vector<Path> from_;  ///< from an instruction to the end of its routine
    std::map<size_t, size_t> ends_;
};

}  // namespace

const Latencies& staticLatencies() {
    static const Latencies latencies = [] {
        Latencies list{};
        for (int op = 0; op < isa::kOpCount; ++op)
            list[static_cast<size_t>(op)] = isa::opInfo(static_cast<isa::Op>(op)).latency;
        return list;
    }();
    return latencies;
}

Cost cost(const isa::Program& program, const Latencies& latencies) {
    Cost result;
    std::vector<Instruction> code;
    for (const isa::Word& word : program.code) {
        code.push_back(*isa::decode(word));
        const isa::OpInfo& info = isa::opInfo(code.back().op);
        ++result.perUnit[static_cast<int>(info.unit)];
        result.lookups += isa::isTexture(info.shape);
        result.loops += code.back().op == Op::Loop;
    }
    result.instructions = static_cast<int>(code.size());
    result.temporaries = program.tempCount;
    result.constants = program.constantCount;
    result.inputs = program.inputMask.count();
    result.outputs = program.outputMask.count();
    const Path path = Paths(code, latencies).routine(0);
    result.shortest = path.shortest;
    result.longest = path.longest;
    result.unitCycles = path.unitCycles;
    for (int u = 0; u < kUnits; ++u) {
        const auto unit = static_cast<isa::Unit>(u);
        if (unit != isa::Unit::Control && path.unitCycles[u] > path.unitCycles[static_cast<int>(result.bound)])
            result.bound = unit;
    }
    return result;
}

std::string_view unitName(isa::Unit unit) {
    static constexpr std::string_view kNames[kUnits] = {"arithmetic", "transcendental", "lighting", "texture",
                                                        "control",    "memory",         "lane"};
    return kNames[static_cast<int>(unit)];
}

}  // namespace tessera::assembly
