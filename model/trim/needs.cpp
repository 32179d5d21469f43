#include "model/trim/needs.h"

#include <algorithm>

namespace tessera::model {

using isa::Instruction;
using isa::Op;

namespace {

std::vector<Instruction> decoded(const isa::Program& program) {
    std::vector<Instruction> code;
    code.reserve(program.code.size());
    for (const isa::Word& word : program.code) code.push_back(*isa::decode(word));
    return code;
}

}  // namespace

std::vector<Nesting> nestingOf(const isa::Program& program) {
    const std::vector<Instruction> code = decoded(program);
    // Within its routine first.
    std::vector<Nesting> nesting(code.size());
    std::vector<size_t> routines{0};  // where each begins
    Nesting here;
    for (size_t i = 0; i < code.size(); ++i) {
        const Op op = code[i].op;
        here.branches -= op == Op::Endif;
        here.loops -= op == Op::Endloop;
        nesting[i] = here;
        here.branches += op == Op::If;
        here.loops += op == Op::Loop;
        if (op == Op::Ret && code[i].guard == 0 && here.depth() == 0 && i + 1 < code.size()) routines.push_back(i + 1);
    }
    routines.push_back(code.size());
    // Then with what is around the calls. Calls are not recursive: no chain is longer than there are routines.
    const auto deeper = [](const Nesting& a, const Nesting& b) { return a.depth() > b.depth(); };
    std::vector<Nesting> around(routines.size() - 1);
    for (size_t pass = 0; pass + 1 < routines.size(); ++pass)
        for (size_t r = 0; r + 1 < routines.size(); ++r)
            for (size_t i = routines[r]; i < routines[r + 1]; ++i) {
                if (code[i].op != Op::Call) continue;
                const Nesting call{around[r].branches + nesting[i].branches, around[r].loops + nesting[i].loops,
                                   around[r].calls + nesting[i].calls + 1};
                const size_t callee =
                    static_cast<size_t>(std::ranges::find(routines, code[i].target) - routines.begin());
                if (deeper(call, around[callee])) around[callee] = call;
            }
    for (size_t r = 0; r + 1 < routines.size(); ++r)
        for (size_t i = routines[r]; i < routines[r + 1]; ++i) {
            nesting[i].branches += around[r].branches;
            nesting[i].loops += around[r].loops;
            nesting[i].calls += around[r].calls;
        }
    return nesting;
}

Needs needsOf(const isa::Program& program) {
    Needs needs;
    needs.temporaries = program.tempCount;
    needs.constants = program.constantCount;
    needs.instructions = static_cast<uint32_t>(program.code.size());
    needs.sharedBytes = program.sharedBytes;
    const uint32_t threads = uint32_t{program.blockSize[0]} * program.blockSize[1] * program.blockSize[2];
    const uint32_t groups = std::max(1u, (threads + isa::kGroupSize - 1) / isa::kGroupSize);
    needs.sharedBytesOfGroup = (program.sharedBytes + groups - 1) / groups;
    for (uint32_t unit = 0; unit < isa::kMaxTextureUnits; ++unit)
        if (program.samplerMask.has(unit)) needs.textureUnits = unit + 1;
    for (const isa::Buffer& buffer : program.buffers) needs.buffers = std::max(needs.buffers, buffer.slot + 1u);
    needs.vertex = program.stage == isa::Stage::Vertex;
    needs.fragment = program.stage == isa::Stage::Fragment;
    needs.compute = program.stage == isa::Stage::Compute;
    for (const Instruction& instruction : decoded(program)) {
        const isa::Shape shape = isa::opInfo(instruction.op).shape;
        needs.forms[static_cast<size_t>(instruction.op)] |=
            static_cast<uint8_t>(1 << static_cast<int>(instruction.type));
        if (isa::isTexture(shape))
            needs.textureTargets |= static_cast<uint8_t>(1 << static_cast<int>(instruction.textureTarget));
        if (instruction.op == Op::Bar) needs.barriers = std::max(needs.barriers, instruction.barrier + 1u);
        needs.predicates = std::max<uint32_t>(needs.predicates, instruction.guard);
        if (isa::hasDestination(shape) && instruction.dst.file == isa::File::P)
            needs.predicates = std::max<uint32_t>(needs.predicates, instruction.dst.index);
        for (int s = 0; s < isa::sourceCount(shape); ++s)
            if (const isa::Source& source = instruction.src[static_cast<size_t>(s)]; source.file == isa::File::P)
                needs.predicates = std::max<uint32_t>(needs.predicates, source.index);
    }
    const std::vector<Nesting> nesting = nestingOf(program);
    for (size_t i = 0; i < nesting.size(); ++i) {
        // An if, a loop and a call are on the stack themselves once they are executed.
        const Op op = isa::decode(program.code[i])->op;
        Nesting inside = nesting[i];
        inside.branches += op == Op::If;
        inside.loops += op == Op::Loop;
        inside.calls += op == Op::Call;
        needs.stack = std::max(needs.stack, inside.depth());
        needs.branches = std::max(needs.branches, inside.branches);
        needs.loops = std::max(needs.loops, inside.loops);
        needs.calls = std::max(needs.calls, inside.calls);
    }
    return needs;
}

void Needs::add(const Needs& other) {
    for (size_t op = 0; op < forms.size(); ++op) forms[op] |= other.forms[op];
    for (uint32_t Needs::* number :
         {&Needs::temporaries, &Needs::constants, &Needs::predicates, &Needs::instructions, &Needs::sharedBytes,
          &Needs::sharedBytesOfGroup, &Needs::stack, &Needs::branches, &Needs::loops, &Needs::calls,
          &Needs::textureUnits, &Needs::buffers, &Needs::barriers})
        this->*number = std::max(this->*number, other.*number);
    textureTargets |= other.textureTargets;
    vertex |= other.vertex;
    fragment |= other.fragment;
    compute |= other.compute;
}

}  // namespace tessera::model
