// Which registers a run has to zero first. Registers start at zero by definition, but most programs write each
// component before they read it, and then nobody can tell.
//
// One pass over the code keeps, for every component, whether all lanes that can still execute have written it. In
// structured code the lanes that reach a point inside a block are some of those that reached the block's earlier
// instructions, so a write covers everything after it in its block; where a block ends its writes are forgotten, but
// for an if with an else only those that one side lacks. What another lane may see of a lane that has left (an output,
// the operand of a derivative or of a texture lookup, which quads share) counts as read or unwritten in any case.
#include <algorithm>

#include "shader-core/interp/decoded.h"
#include "shader-core/isa/program.h"

namespace tessera::interp {

namespace {

class ZeroAnalysis {
public:
    ZeroAnalysis(Program& program, const std::vector<isa::Instruction>& code) : program_(program), code_(code) {
        written_.resize(size_t{program.source->tempCount});
        zero_.resize(written_.size());
    }

    void run() {
        size_t at = 0;
        for (bool first = true; at < code_.size(); first = false) {
            // What a subroutine may count on depends on its callers: nothing.
            if (!first) std::fill(written_.begin(), written_.end(), uint8_t{0});
            inMain_ = first;
            at = routine(at);
        }
        for (size_t r = 0; r < zero_.size(); ++r) addOffsets(program_.zeroTemps, r, zero_[r]);
        for (const int o : program_.source->outputMask) {
            const auto output = static_cast<size_t>(o);
            addOffsets(program_.zeroOutputs, output,
                       static_cast<uint8_t>(readsOutputs_ ? 0xF : 0xF & ~outputs_[output]));
        }
    }

private:
    using Written = std::vector<uint8_t>;  ///< four component bits for each temporary

    static void addOffsets(std::vector<uint32_t>& offsets, size_t reg, uint8_t components) {
        for (uint32_t c = 0; c < 4; ++c)
            if (components >> c & 1)
                offsets.push_back(static_cast<uint32_t>(reg) * kRegisterBytes + c * kComponentBytes);
    }

    void read(size_t reg, uint8_t components) { zero_[reg] |= components & ~written_[reg]; }

    void readAll() {
        for (size_t r = 0; r < zero_.size(); ++r) read(r, 0xF);
    }

    void sources(const isa::Instruction& i) {
        const bool quads = isa::isTexture(isa::opInfo(i.op).shape) || i.op == isa::Op::Ddx || i.op == isa::Op::Ddy;
        for (int s = 0; s < isa::sourceCount(isa::opInfo(i.op).shape); ++s) {
            const isa::Source& source = i.src[s];
            readsOutputs_ |= source.file == isa::File::O;
            if (source.file != isa::File::R) continue;
            if (source.relative || source.snoop) {
                readAll();
                if (quads || source.snoop) std::fill(zero_.begin(), zero_.end(), uint8_t{0xF});
                continue;
            }
            const uint8_t wanted = isa::componentsRead(i, s);
            uint8_t components = 0;
            for (int c = 0; c < 4; ++c)
                if (wanted >> c & 1) components |= static_cast<uint8_t>(1 << isa::swizzleAt(source.swizzle, c));
            read(source.index, components);
            if (quads && (lanesLeft_ || !blocks_.empty() || !inMain_)) zero_[source.index] |= components;
        }
    }

    void destination(const isa::Instruction& i) {
        if (i.guard != 0 || i.subsetWidth != 0 || i.subsetDepth != 0 || i.dst.relative) return;
        if (i.dst.file == isa::File::R) written_[i.dst.index] |= i.dst.writeMask;
        if (i.dst.file == isa::File::O && inMain_ && blocks_.empty() && !lanesLeft_)
            outputs_[i.dst.index] |= i.dst.writeMask;
    }

    /// One routine, up to and with its last ret.
    size_t routine(size_t at) {
        for (;; ++at) {
            const isa::Instruction& i = code_[at];
            switch (i.op) {
                case isa::Op::If:
                    blocks_.push_back({written_, {}});
                    break;
                case isa::Op::Else:
                    blocks_.back().afterThen = std::move(written_);
                    written_ = blocks_.back().before;
                    break;
                case isa::Op::Endif:
                    endIf();
                    break;
                case isa::Op::Loop:
                    blocks_.push_back({written_, {}});
                    break;
                case isa::Op::Endloop:
                    written_ = std::move(blocks_.back().before);
                    blocks_.pop_back();
                    break;
                case isa::Op::Ret:
                    if (i.guard == 0 && blocks_.empty()) return at + 1;
                    lanesLeft_ = true;
                    break;
                default:
                    sources(i);
                    if (!isa::hasDestination(isa::opInfo(i.op).shape)) break;
                    destination(i);
                    break;
            }
        }
    }

    void endIf() {
        Block& block = blocks_.back();
        if (block.afterThen.empty()) {
            written_ = std::move(block.before);
        } else {
            for (size_t r = 0; r < written_.size(); ++r) written_[r] &= block.afterThen[r];
        }
        blocks_.pop_back();
    }

    struct Block {
        Written before, afterThen;
    };

    Program& program_;
    const std::vector<isa::Instruction>& code_;
    Written written_, zero_;
    std::array<uint8_t, isa::kMaxOutputs> outputs_{};
    std::vector<Block> blocks_;
    bool inMain_ = true, lanesLeft_ = false, readsOutputs_ = false;
};

}  // namespace

void findRegistersToZero(Program& program, const std::vector<isa::Instruction>& code) {
    ZeroAnalysis(program, code).run();
}

}  // namespace tessera::interp
