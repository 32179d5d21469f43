// Destination forwarding: a temp that only exists to be copied is never made.
//
//   mul t1.x, a, b              mul o2.y, a.xxxx, b.xxxx
//   ...                  ->     ...
//   mov o2.y, t1.xxxx
//
// The writes that the copy sees must lie in its block, nothing else may read what they wrote, before the copy or
// after it, and between the first of them and the copy nothing may touch the components the copy writes. One walk;
// the last read and write of every place are kept as positions, so each copy is decided in constant time per
// component. Whether something reads the value after the copy is a matter of liveness.
#include <algorithm>
#include <vector>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/assignments.h"
#include "shader-core/glsl/ir/builder.h"
#include "shader-core/glsl/ir/optimize/passes.h"

namespace tessera::glsl::ir {

namespace {

class Forwarding {
public:
    explicit Forwarding(Module& module)
        : module_(module),
          places_(module),
          liveness_(computeLiveness(module)),
          lastRead_(4 * places_.count()),
          lastWrite_(4 * places_.count()),
          dead_(module.code.size()) {}

    bool run() {
        for (uint32_t n = 0; n < module_.code.size(); n++) {
            if (endsBasicBlock(module_.code[n].op)) basicBlockStart_ = n + 1;
            if (!forward(n)) note(n);
        }
        std::ranges::sort(lost_, {}, &LostResult::instruction);
        loseResults(module_, lost_);
        if (changed_) eraseMarked(module_, dead_);
        return changed_;
    }

private:
    void note(uint32_t n) {
        const Instruction& i = module_.code[n];
        auto read = [&](Kind kind, uint32_t index, uint8_t mask) {
            for (uint32_t c = 0; c < 4; c++)
                if (mask >> c & 1) lastRead_[4 * places_.of(kind, index) + c] = n + 1;
        };
        forEachSource(i, [&](const Operand& o, uint8_t slots) {
            if (!Places::isPlace(o.kind)) return;
            if (o.relative != kNone)
                lastIndirect_ = n + 1;
            else
                read(o.kind, o.index, throughSwizzle(o.swizzle, slots));
        });
        forEachIndex(i, [&](uint32_t temp, uint8_t c) { read(Kind::Temp, temp, static_cast<uint8_t>(1 << c)); });
        if (!writesResult(i.op)) return;
        if (i.dst.relative != kNone) {
            lastIndirect_ = n + 1;
            return;
        }
        for (uint32_t c = 0; c < 4; c++)
            if (i.dst.writeMask >> c & 1) lastWrite_[4 * places_.of(i.dst) + c] = n + 1;
    }

    /// Could `writer` write what the copy makes of its result?
    static bool canWrite(const Instruction& writer, const Instruction& copy) {
        if (copy.saturate && isa::resultType(writer.op, writer.type) != Type::F32) return false;
        if (formOf(writer.op) != Form::Fixed) return true;
        for (int c = 0; c < 4; c++) {
            int from = isa::swizzleAt(copy.src[0].swizzle, c);
            if (copy.dst.writeMask >> c & 1 && writer.dst.writeMask >> from & 1 && from != c) return false;
        }
        return true;
    }

    static void redirect(Instruction& writer, const Instruction& copy) {
        uint8_t mask = 0;
        int at[4] = {};
        for (int c = 0; c < 4; c++) {
            if (!(copy.dst.writeMask >> c & 1)) continue;
            int from = isa::swizzleAt(copy.src[0].swizzle, c);
            if (!(writer.dst.writeMask >> from & 1)) continue;
            mask |= static_cast<uint8_t>(1 << c);
            at[c] = from;
        }
        if (formOf(writer.op) == Form::ComponentWise)
            for (int s = 0; s < sourceCountOf(writer.op); s++) {
                Operand& o = writer.src[s];
                Swizzle moved = composeSwizzle(o.swizzle, isa::makeSwizzle(at[0], at[1], at[2], at[3]));
                o.swizzle = tidySwizzle(moved, mask);
            }
        writer.dst = copy.dst;
        writer.dst.writeMask = mask;
        writer.saturate = writer.saturate || copy.saturate;
    }

    /// The instructions whose results the copy reads, each once; empty when the copy must stay.
    std::vector<uint32_t> writersOf(uint32_t n) const {
        const Instruction& copy = module_.code[n];
        const Operand& from = copy.src[0];
        uint8_t copied = throughSwizzle(from.swizzle, copy.dst.writeMask);
        if (liveness_.liveCopied[n] & copied) return {};
        std::vector<uint32_t> writers;
        for (uint32_t c = 0; c < 4; c++) {
            if (!(copied >> c & 1)) continue;
            uint32_t slot = 4 * places_.of(from) + c, written = lastWrite_[slot];
            if (written <= basicBlockStart_ || lastRead_[slot] > written) return {};
            const Instruction& writer = module_.code[written - 1];
            if (writer.dst.writeMask & ~copied || !canWrite(writer, copy)) return {};
            for (uint32_t k = 0; k < 4; k++)  // nothing it wrote was replaced: that may have been read before
                if (writer.dst.writeMask >> k & 1 && lastWrite_[4 * places_.of(from) + k] != written) return {};
            if (std::ranges::find(writers, written - 1) == writers.end()) writers.push_back(written - 1);
        }
        return writers;
    }

    /// Up to the copy, variables that the temp held are where the copy goes; behind it they are no longer in the temp.
    void followAssignments(uint32_t n, const std::vector<uint32_t>& writers) {
        if (module_.debug.assignments.empty()) return;
        const Instruction& copy = module_.code[n];
        const Operand& from = copy.src[0];
        for (uint32_t w : writers) lost_.push_back({w, places_.of(from), module_.code[w].dst.writeMask});
        // What a shared register has is not known for long: any call may write it.
        const bool keeps = !copy.saturate && copy.dst.kind != Kind::Shared;
        for (uint32_t k = std::ranges::min(writers) + 1; k <= n && keeps; k++)
            forEachAssignment(module_, module_.code[k].assigns, [&](Assignment& a) {
                if (a.kind != Kind::Temp || a.index != from.index) return;
                const bool written = std::ranges::any_of(writers, [&](uint32_t w) {
                    return w < k && (module_.code[w].dst.writeMask >> a.component & 1) != 0;
                });
                for (int c = 0; c < 4 && written; c++) {
                    if (!(copy.dst.writeMask >> c & 1) || isa::swizzleAt(from.swizzle, c) != a.component) continue;
                    a.kind = copy.dst.kind;
                    a.index = copy.dst.index;
                    a.component = static_cast<uint8_t>(c);
                    return;
                }
            });
    }

    bool forward(uint32_t n) {
        const Instruction copy = module_.code[n];
        const Operand& from = copy.src[0];
        if (copy.op != Op::Mov || from.kind != Kind::Temp || from.relative != kNone || copy.dst.relative != kNone)
            return false;
        if (from.negate || from.absolute || module_.temps[from.index].array != kNone) return false;
        if (copy.dst.kind == Kind::Temp && copy.dst.index == from.index) return false;
        std::vector<uint32_t> writers = writersOf(n);
        if (writers.empty()) return false;
        uint32_t first = std::ranges::min(writers);
        bool indexable = copy.dst.kind != Kind::Temp || module_.temps[copy.dst.index].array != kNone;
        if (indexable && lastIndirect_ > first + 1) return false;
        for (uint32_t c = 0; c < 4; c++) {
            if (!(copy.dst.writeMask >> c & 1)) continue;
            uint32_t slot = 4 * places_.of(copy.dst) + c;
            if (lastRead_[slot] > first + 1 || lastWrite_[slot] > first) return false;
        }
        for (uint32_t c = 0; c < 4; c++)
            if (copy.dst.writeMask >> c & 1)
                lastWrite_[4 * places_.of(copy.dst) + c] =
                    lastWrite_[4 * places_.of(from) + static_cast<uint32_t>(isa::swizzleAt(from.swizzle, int(c)))];
        followAssignments(n, writers);
        for (uint32_t w : writers) redirect(module_.code[w], copy);
        dead_[n] = true;
        changed_ = true;
        return true;
    }

    Module& module_;
    Places places_;
    Liveness liveness_;
    std::vector<uint32_t> lastRead_, lastWrite_;  ///< per component: instruction + 1, 0 never
    std::vector<bool> dead_;
    std::vector<LostResult> lost_;
    uint32_t lastIndirect_ = 0, basicBlockStart_ = 0;
    bool changed_ = false;
};

}  // namespace

bool forwardDestinations(Module& module) { return Forwarding(module).run(); }

}  // namespace tessera::glsl::ir
