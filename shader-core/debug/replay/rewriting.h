// What the searches of bisect.h and bisect_kernel.h share: a program written anew, with instructions around its own.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

namespace tessera::debug {

[[nodiscard]] inline isa::Source source(isa::File file, int index, isa::Swizzle swizzle = isa::kSwizzleXYZW) {
    isa::Source s;
    s.file = file;
    s.index = static_cast<uint16_t>(index);
    s.swizzle = swizzle;
    return s;
}

[[nodiscard]] inline isa::Instruction instruction(isa::Op op, isa::Type type, isa::File file, int index, uint8_t mask,
                                                  std::initializer_list<isa::Source> sources) {
    isa::Instruction i;
    i.op = op;
    i.type = type;
    i.dst.file = file;
    i.dst.index = static_cast<uint16_t>(index);
    i.dst.writeMask = mask;
    std::copy(sources.begin(), sources.end(), i.src.begin());
    return i;
}

/// Calls `add` for each instruction of `from`, which appends what takes its place to `code`, and leads branches to
/// where their targets went. False when that is longer than a program can be.
template <class Add>
[[nodiscard]] bool rewriteCode(const isa::Program& from, std::vector<isa::Instruction>& code, Add add) {
    std::vector<size_t> moved;
    for (const isa::Word& word : from.code) {
        moved.push_back(code.size());
        add(*isa::decode(word));
    }
    if (code.size() > isa::kMaxInstructions) return false;
    for (isa::Instruction& i : code)
        if (isa::opInfo(i.op).shape == isa::Shape::Branch) i.target = static_cast<uint16_t>(moved[i.target]);
    return true;
}

}  // namespace tessera::debug
