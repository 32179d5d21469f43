// One pass with a stack of open ifs and loops.
#include "shader-core/asm/structure.h"

#include <algorithm>

#include <fmt/format.h>

namespace tessera::assembly {

using isa::Op;

namespace {

struct Open {
    size_t at = 0;  ///< the if, its else once there is one, or the loop
    bool isLoop = false, hasElse = false;
    std::vector<size_t> exits;  ///< brk and cont that wait for the endloop
};

}  // namespace

Structure matchStructure(std::span<const Op> ops) {
    Structure out;
    out.targets.assign(ops.size(), -1);
    std::vector<Open> open;
    const auto unmatched = [&](size_t at, std::string_view opener) {
        out.problems.push_back(
            {at, fmt::format("{} without {}; open the {} before it", isa::opInfo(ops[at]).mnemonic, opener, opener)});
    };
    const auto close = [&](size_t at) { out.targets[open.back().at] = static_cast<int>(at); };
    for (size_t at = 0; at < ops.size(); ++at) {
        switch (ops[at]) {
            case Op::If:
            case Op::Loop:
                open.push_back({at, ops[at] == Op::Loop, false, {}});
                break;
            case Op::Else:
                if (open.empty() || open.back().isLoop || open.back().hasElse) {
                    unmatched(at, "if");
                    break;
                }
                close(at);
                open.back().at = at;
                open.back().hasElse = true;
                break;
            case Op::Endif:
                if (open.empty() || open.back().isLoop) {
                    unmatched(at, "if");
                    break;
                }
                close(at);
                open.pop_back();
                break;
            case Op::Endloop:
                if (open.empty() || !open.back().isLoop) {
                    unmatched(at, "loop");
                    break;
                }
                close(at);
                for (size_t exit : open.back().exits) out.targets[exit] = static_cast<int>(at);
                out.targets[at] = static_cast<int>(open.back().at);
                open.pop_back();
                break;
            case Op::Brk:
            case Op::Cont: {
                const auto loop = std::find_if(open.rbegin(), open.rend(), [](const Open& o) { return o.isLoop; });
                if (loop == open.rend())
                    unmatched(at, "loop");
                else
                    loop->exits.push_back(at);
                break;
            }
            default:
                break;
        }
    }
    for (const Open& o : open)
        out.problems.push_back({o.at, fmt::format("{} is not closed; end it with {}", isa::opInfo(ops[o.at]).mnemonic,
                                                  o.isLoop ? "endloop" : "endif")});
    return out;
}

}  // namespace tessera::assembly
