// Destination forwarding: a temp that only exists to be copied is never made.
//
//   mul t1.x, a, b              mul o2.y, a.xxxx, b.xxxx
//   ...                  ->     ...
//   mov o2.y, t1.xxxx
//
// All writes of t1 must lie in the block of the copy, the copy must be its only reader, and between the first write
// and the copy nothing may touch the components the copy writes. One walk; the last read and write of every place
// are kept as positions, so each copy is decided in constant time per component.
#include <algorithm>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/builder.h"
#include "shader-core/glsl/ir/passes.h"

namespace tessera::glsl::ir {

namespace {

class Forwarding {
public:
    explicit Forwarding(Module& module)
        : module_(module),
          places_(module),
          temps_(module.temps.size()),
          lastRead_(4 * places_.count()),
          lastWrite_(4 * places_.count()),
          previousWrite_(module.code.size(), kNone),
          dead_(module.code.size()) {}

    bool run() {
        count();
        for (uint32_t n = 0; n < module_.code.size(); n++) {
            if (endsBlock(module_.code[n].op)) block_++;
            if (!forward(n)) note(n);
        }
        if (changed_) eraseMarked(module_, dead_);
        return changed_;
    }

private:
    struct TempFacts {
        uint32_t reads = 0, writes = 0;
        // Writes in the current block.
        uint32_t block = kNone, blockWrites = 0, firstWrite = 0, lastWrite = kNone;
        uint8_t mask = 0;
    };

    void count() {
        for (const Instruction& i : module_.code) {
            forEachSource(i, [&](const Operand& o, uint8_t) {
                if (o.kind == Kind::Temp) temps_[o.index].reads++;
            });
            forEachIndex(i, [&](uint32_t temp, uint8_t) { temps_[temp].reads++; });
            if (writesResult(i.op) && i.dst.kind == Kind::Temp) temps_[i.dst.index].writes++;
        }
    }

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
        if (i.dst.kind == Kind::Temp) noteWrite(temps_[i.dst.index], i, n);
    }

    void noteWrite(TempFacts& t, const Instruction& i, uint32_t n) {
        if (t.block != block_) {
            t.block = block_;
            t.blockWrites = 0;
            t.firstWrite = n;
            t.lastWrite = kNone;
            t.mask = 0;
        }
        previousWrite_[n] = t.lastWrite;
        t.lastWrite = n;
        t.blockWrites++;
        t.mask |= i.dst.writeMask;
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
        if (mask == 0) return;  // writes only components that are never read
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

    bool forward(uint32_t n) {
        const Instruction copy = module_.code[n];
        const Operand& from = copy.src[0];
        if (copy.op != Op::Mov || from.kind != Kind::Temp || from.relative != kNone || copy.dst.relative != kNone)
            return false;
        if (from.negate || from.absolute || module_.temps[from.index].array != kNone) return false;
        if (copy.dst.kind == Kind::Temp && copy.dst.index == from.index) return false;
        TempFacts& t = temps_[from.index];
        if (t.reads != 1 || t.block != block_ || t.blockWrites != t.writes) return false;
        if (throughSwizzle(from.swizzle, copy.dst.writeMask) & ~t.mask) return false;
        uint32_t first = t.firstWrite;
        bool indexable = copy.dst.kind == Kind::Output || module_.temps[copy.dst.index].array != kNone;
        if (indexable && lastIndirect_ > first + 1) return false;
        for (uint32_t c = 0; c < 4; c++) {
            if (!(copy.dst.writeMask >> c & 1)) continue;
            uint32_t slot = 4 * places_.of(copy.dst) + c;
            if (lastRead_[slot] > first + 1 || lastWrite_[slot] > first) return false;
        }
        for (uint32_t w = t.lastWrite; w != kNone; w = previousWrite_[w])
            if (!canWrite(module_.code[w], copy)) return false;
        for (uint32_t w = t.lastWrite; w != kNone; w = previousWrite_[w]) redirect(module_.code[w], copy);
        for (uint32_t c = 0; c < 4; c++)
            if (copy.dst.writeMask >> c & 1) lastWrite_[4 * places_.of(copy.dst) + c] = n + 1;
        // The target gained writers that are not in its list: leave it for the next round.
        if (copy.dst.kind == Kind::Temp) temps_[copy.dst.index].writes = kNone;
        dead_[n] = true;
        changed_ = true;
        return true;
    }

    Module& module_;
    Places places_;
    std::vector<TempFacts> temps_;
    std::vector<uint32_t> lastRead_, lastWrite_;  ///< per component: instruction + 1, 0 never
    std::vector<uint32_t> previousWrite_;         ///< the write of the same temp before this one, in the block
    std::vector<bool> dead_;
    uint32_t lastIndirect_ = 0, block_ = 0;
    bool changed_ = false;
};

}  // namespace

bool forwardDestinations(Module& module) { return Forwarding(module).run(); }

}  // namespace tessera::glsl::ir
