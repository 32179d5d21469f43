// Test only: random kernels, the same for the same seed everywhere. They end, keep to the memory of their block where
// they write, and meet at barriers with all lanes; else they do what the instruction set allows.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

namespace tessera::compute {

class RandomKernel {
    using File = isa::File;
    using Instruction = isa::Instruction;
    using Op = isa::Op;
    using Type = isa::Type;

public:
    static constexpr uint16_t kTemps = 8;      ///< r0..r7 hold data
    static constexpr uint16_t kCounters = 8;   ///< r8..: loop counters by depth, the subroutine's behind them, in x
    static constexpr uint16_t kAddress = 12;   ///< r12.x: address of the next memory instruction
    static constexpr uint16_t kBase = 13;      ///< r13.x: where the block's memory begins
    static constexpr uint16_t kPlace = 14;     ///< r14.x: column or row of a thread
    static constexpr uint16_t kMirror = 15;    ///< r15.x: where the thread's mirror begins, y: the block's
    static constexpr uint16_t kMirrored = 16;  ///< r16..: what is read from it; r18.x: where
    static constexpr uint32_t kThreadMirror = 16 * kTemps, kBlockMirror = (256 + 32) * kThreadMirror;  ///< bytes
    static constexpr uint32_t kBlockBytes = 512, kInputBytes = 1024, kSharedBytes = 256;
    static constexpr uint16_t kConstants = 6;

    /// How loops with a number of iterations, active subsets and sources of other wavefronts are written: as they are,
    /// or the same with a counter and a brk, with a guard made from the number of the thread, and with buffer b2, to
    /// which all threads write their registers whenever they change.
    enum class Form : uint8_t { Direct, Spelled };

    explicit RandomKernel(uint32_t seed, Form form = Form::Direct) : random_(seed), form_(form) {}

    isa::Program program() {
        isa::Program p;
        p.stage = isa::Stage::Compute;
        static constexpr uint16_t kSizes[][3] = {{32, 1, 1}, {64, 1, 1},  {16, 8, 1}, {32, 3, 1}, {7, 5, 2},
                                                 {8, 8, 4},  {100, 1, 1}, {1, 1, 1},  {4, 32, 1}};
        std::copy_n(kSizes[pick(std::size(kSizes))], 3, p.blockSize.begin());
        threads_ = uint32_t{p.blockSize[0]} * p.blockSize[1] * p.blockSize[2];
        p.sharedBytes = kSharedBytes;
        p.buffers = {{"in", 0, true}, {"out", 1, false}};
        if (form_ == Form::Spelled) p.buffers.push_back({"mirror", 2, false});
        for (uint16_t c = 0; c < kConstants - 1; ++c)
            p.literals.push_back({c, {bits(), bits(), static_cast<uint32_t>(pick(40)), kBlockBytes}});
        p.uniforms.push_back({.name = "u", .type = isa::VarType::Vec4, .reg = kConstants - 1});
        begin();
        const int pieces = 2 + pick(4);
        for (int piece = 0; piece < pieces; ++piece) {
            block(0, 3 + pick(8));
            if (pick(2)) barrier();
        }
        results();
        code_.push_back(control(Op::Ret));
        if (calls_.empty()) {
            finish(p);
            return p;
        }
        const auto start = static_cast<uint16_t>(code_.size());
        inRoutine_ = true;
        block(2, 4);
        code_.push_back(control(Op::Ret));
        for (const size_t at : calls_) code_[at].target = start;
        finish(p);
        return p;
    }

private:
    int pick(size_t n) { return static_cast<int>(random_() % n); }
    uint32_t bits() {
        static constexpr uint32_t kBits[] = {0,          0x80000000, 1,          0x807fffff, 0x3f800000, 0xbf800000,
                                             0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffffffff, 0x40490fdb,
                                             4,          16,         31,         0x4f000000};
        return pick(3) ? kBits[pick(std::size(kBits))] : static_cast<uint32_t>(random_());
    }

    static Instruction control(Op op) {
        Instruction i;
        i.op = op;
        return i;
    }
    static isa::Source reg(File file, uint16_t index, int component = -1) {
        isa::Source s;
        s.file = file;
        s.index = index;
        if (component >= 0) s.swizzle = isa::broadcast(component);
        return s;
    }
    Instruction make(Op op, Type type, uint16_t dst, uint8_t mask, std::initializer_list<isa::Source> sources) {
        Instruction i;
        i.op = op;
        i.type = type;
        i.dst = {File::R, dst, mask, false};
        std::copy(sources.begin(), sources.end(), i.src.begin());
        return i;
    }

    isa::Source source(bool immediateAllowed, Instruction& i) {
        const int kind = pick(12);
        isa::Source s = kind < 6     ? reg(File::R, static_cast<uint16_t>(pick(kTemps)))
                        : kind < 8   ? reg(File::C, static_cast<uint16_t>(pick(kConstants)))
                        : kind < 10  ? reg(File::S, static_cast<uint16_t>(pick(3) ? 5 + pick(5) : 3))
                        : kind == 10 ? reg(File::P, static_cast<uint16_t>(1 + pick(2)))
                                     : reg(File::I, 0);
        if (s.file == File::I && !immediateAllowed) s = reg(File::R, static_cast<uint16_t>(pick(kTemps)));
        if (s.file == File::I) i.immediate = bits();
        if (s.file != File::I && s.file != File::P) s.swizzle = static_cast<uint8_t>(random_());
        s.negate = pick(6) == 0;
        s.absolute = pick(9) == 0;
        if (s.file == File::R && pick(10) == 0) {
            s.snoop = true;
            if (i.snoopRow == 0) i.snoopRow = static_cast<uint8_t>(pick(4));
        }
        if (relative_ && s.file == File::C && pick(4) == 0) s.relative = true;
        return s;
    }

    void guard(Instruction& i) {
        if (pick(4) != 0) return;
        i.guard = static_cast<uint8_t>(1 + pick(2));
        i.guardNegate = pick(2) == 0;
    }
    void subset(Instruction& i) {
        const isa::Shape shape = isa::opInfo(i.op).shape;
        const bool across = shape >= isa::Shape::DS1 && shape <= isa::Shape::DS1S2S3 && pick(6) == 0;
        if (!across && pick(12) != 0) return;
        i.subsetWidth = static_cast<uint8_t>(pick(4)), i.subsetDepth = static_cast<uint8_t>(pick(across ? 3 : 4));
        if (across && !i.subsetWidth && !i.subsetDepth) i.subsetDepth = 3;
        i.subsetOfBlock = (i.subsetWidth || i.subsetDepth) && (across || pick(2));
        if (across) snoopOfBlock(i);
        const bool snoopsBlock = std::any_of(i.src.begin(), i.src.end(), [](auto& s) { return s.snoopOfBlock; });
        if (form_ == Form::Spelled && !snoopsBlock && i.guard == 0 && (i.subsetWidth || i.subsetDepth)) spellSubset(i);
    }

    /// What snoops, or the first source that can, does so in the block, also where it has no such wavefront.
    void snoopOfBlock(Instruction& i) {
        auto snooping = std::count_if(i.src.begin(), i.src.end(), [](const isa::Source& s) { return s.snoop; });
        for (int s = 0; s < isa::sourceCount(isa::opInfo(i.op).shape) && snooping == 0; ++s) {
            isa::Source& source = i.src[static_cast<size_t>(s)];
            if (source.file == File::R && !source.relative) source.snoop = true, ++snooping;
        }
        if (snooping > 2) return;
        for (isa::Source& s : i.src) {
            if (!s.snoop) continue;
            s.snoopOfBlock = true;
            s.wavefront = static_cast<uint8_t>(pick((threads_ + 15) / 16 + 1));
            i.snoopRow = 0;
        }
    }

    /// p3, which nothing else writes, becomes true in the first columns of the first rows.
    void spellSubset(Instruction& i) {
        const uint32_t size = i.subsetOfBlock ? 16 : 8, rows = i.subsetOfBlock ? (threads_ + 15) / 16 : 4;
        const uint32_t columnsKept[] = {size, size / 2, size / 4, 1};
        const uint32_t rowsKept[] = {rows, (rows + 1) / 2, (rows + 3) / 4, 1};
        const isa::Source number = reg(File::S, i.subsetOfBlock ? 5 : 3, i.subsetOfBlock ? 3 : 0);
        const auto below = [&](Op op, uint32_t by, uint32_t limit, uint8_t guard) {
            Instruction place = make(op, Type::U32, kPlace, 1, {number, reg(File::I, 0)});
            place.immediate = by;
            Instruction test = make(Op::Slt, Type::U32, 0, 1, {reg(File::R, kPlace, 0), reg(File::I, 0)});
            test.dst = {File::P, 3, 1, false};
            test.immediate = limit;
            test.guard = guard;
            code_.push_back(place);
            code_.push_back(test);
        };
        below(Op::And, size - 1, columnsKept[i.subsetWidth], 0);
        below(Op::Div, size, rowsKept[i.subsetDepth], 3);
        i.subsetWidth = i.subsetDepth = 0, i.subsetOfBlock = false;
        i.guard = 3;
    }

    void begin() {
        relative_ = pick(4) == 0;
        // The block's own memory; then data that differs and data that does not.
        Instruction base = make(Op::Mul, Type::U32, kBase, 1, {reg(File::S, 6, 3), reg(File::I, 0)});
        base.immediate = kBlockBytes;
        code_.push_back(base);
        for (uint16_t r = 0; r < kTemps; ++r) {
            if (pick(4) == 0) continue;
            Instruction i = make(Op::Mov, Type::U32, r, 0xF, {});
            i.src[0] = source(true, i);
            code_.push_back(i);
        }
    }

    void arithmetic() {
        static constexpr Op kOps[] = {
            Op::Mov,  Op::Add,  Op::Mul, Op::Mad, Op::Min,  Op::Max,  Op::Slt,  Op::Sge, Op::Seq,  Op::Sel,  Op::Flr,
            Op::Dp3,  Op::Dp4,  Op::Rcp, Op::Rsq, Op::Sqt,  Op::Ex2,  Op::Sin,  Op::Pow, Op::Nrm,  Op::Div,  Op::Mod,
            Op::F2i,  Op::I2f,  Op::And, Op::Or,  Op::Xor,  Op::Not,  Op::Shl,  Op::Shr, Op::Mulh, Op::Popc, Op::Clz,
            Op::Brev, Op::Madx, Op::F2h, Op::H2f, Op::Vall, Op::Vany, Op::Vbal, Op::Shi, Op::Shu,  Op::Shd,  Op::Shx,
            Op::Sum,  Op::Dot,  Op::Add, Op::Mad, Op::Mul,  Op::Add,  Op::Shl};
        const Op op = kOps[pick(std::size(kOps))];
        const isa::OpInfo& info = isa::opInfo(op);
        Type type = static_cast<Type>(pick(3));
        while (!(info.types >> static_cast<int>(type) & 1)) type = static_cast<Type>(pick(3));
        Instruction i = make(op, type, static_cast<uint16_t>(pick(kTemps)), static_cast<uint8_t>(1 + pick(15)), {});
        bool immediate = info.shape == isa::Shape::DS1 || info.shape == isa::Shape::DS1S2;
        for (int s = 0; s < isa::sourceCount(info.shape); ++s) {
            i.src[static_cast<size_t>(s)] = source(immediate, i);
            immediate &= i.src[static_cast<size_t>(s)].file != File::I;
        }
        if (isa::resultType(op, type) == Type::F32) i.saturate = pick(8) == 0;
        if (pick(6) == 0) i.dst = {File::P, static_cast<uint16_t>(1 + pick(2)), 1, false};
        if (relative_ && pick(10) == 0) i.dst = {File::A, 0, 0xF, false};
        guard(i);
        subset(i);
        code_.push_back(i);
    }

    /// An address that stays in the block's memory, in the input or anywhere near it, or in shared memory.
    void memory() {
        static constexpr Op kOps[] = {Op::Ld,    Op::Ld,    Op::Ld,    Op::Ld,   Op::St,    Op::St,    Op::Atadd,
                                      Op::Atmin, Op::Atmax, Op::Atand, Op::Ator, Op::Atxor, Op::Atxch, Op::Atcas};
        const Op op = kOps[pick(std::size(kOps))];
        const isa::OpInfo& info = isa::opInfo(op);
        const int where = pick(3);
        Instruction i = make(op, Type::U32, static_cast<uint16_t>(pick(kTemps)), 1, {});
        i.type = static_cast<Type>(op == Op::Ld || op == Op::St ? pick(3) : 1 + pick(2));
        i.slot = where == 0 && op == Op::Ld ? 0 : where == 2 ? isa::kSharedSlot : 1;
        const uint32_t size = i.slot == 1 ? kBlockBytes : i.slot == 0 ? kInputBytes : kSharedBytes;
        if (i.type != Type::F32 && (op == Op::Ld || op == Op::St))
            i.elementSize = static_cast<isa::ElementSize>(pick(3));
        const int count = 1 + pick(4);
        if (op == Op::Ld) i.dst.writeMask = static_cast<uint8_t>(1 + pick(15));
        const uint32_t stride =
            isa::byteCount(i.elementSize) * static_cast<uint32_t>(op == Op::St ? count : isa::elementCount(i));
        address(size, stride, op != Op::Ld && op != Op::St);
        i.src[0] = reg(File::R, kAddress, 0);
        if (op == Op::St) {
            i.src[1] = reg(File::R, static_cast<uint16_t>(pick(kTemps)));
            int c[4];
            for (int n = 0; n < 4; ++n) c[n] = n < count ? pick(4) : c[count - 1];
            i.src[1].swizzle = isa::makeSwizzle(c[0], c[1], c[2], c[3]);
            i.dst = {File::R, 0, static_cast<uint8_t>((1 << count) - 1), false};
        } else if (op != Op::Ld) {
            for (int s = 1; s < isa::sourceCount(info.shape); ++s)
                i.src[static_cast<size_t>(s)] = reg(File::R, static_cast<uint16_t>(pick(kTemps)), pick(4));
        }
        guard(i);
        subset(i);
        code_.push_back(i);
    }

    void address(uint32_t size, uint32_t stride, bool aligned) {
        const int kind = pick(5);
        const uint32_t room = size / 2;
        Instruction i = make(Op::Mov, Type::U32, kAddress, 1, {});
        if (kind == 0) {  // a row
            i = make(Op::Mul, Type::U32, kAddress, 1, {reg(File::S, 3, 0), reg(File::I, 0)});
            i.immediate = stride;
        } else if (kind == 1) {  // one place
            i.src[0] = reg(File::I, 0);
            i.immediate = static_cast<uint32_t>(pick(room)) & (aligned ? ~3u : ~0u);
        } else if (kind == 2) {  // a row in each half
            Instruction low = make(Op::And, Type::U32, kAddress, 1, {reg(File::S, 3, 0), reg(File::I, 0)});
            low.immediate = 15;
            code_.push_back(low);
            i = make(Op::Mul, Type::U32, kAddress, 1, {reg(File::R, kAddress, 0), reg(File::I, 0)});
            i.immediate = stride;
        } else {
            i = make(Op::And, Type::U32, kAddress, 1,
                     {reg(File::R, static_cast<uint16_t>(pick(kTemps)), pick(4)), reg(File::I, 0)});
            i.immediate = (room - 1) & (aligned ? ~3u : ~0u);
            // Only memory that no other block sees may be left: what lies outside reads zero and is dropped.
            if (size != kBlockBytes && pick(2)) i.immediate = pick(2) ? 2 * size - 1 : ~0u;
        }
        code_.push_back(i);
        // Never beyond the block's part, whatever the stride was.
        Instruction limit = make(Op::Min, Type::U32, kAddress, 1, {reg(File::R, kAddress, 0), reg(File::I, 0)});
        limit.immediate = size - 16;
        if (size == kBlockBytes) {
            code_.push_back(limit);
            code_.push_back(make(Op::Add, Type::U32, kAddress, 1, {reg(File::R, kAddress, 0), reg(File::R, kBase, 0)}));
        }
    }

    void block(int depth, int statements) {
        for (int n = 0; n < statements; ++n) {
            const int kind = pick(20);
            if (kind < 11)
                arithmetic();
            else if (kind < 16)
                memory();
            else if (kind < 18 && depth < 3)
                branch(depth);
            else if (kind == 18 && depth < 3)
                loop(depth);
            else if (kind == 19 && !inRoutine_ && pick(2)) {
                calls_.push_back(code_.size());
                Instruction call = control(Op::Call);
                guard(call);
                code_.push_back(call);
            }
        }
    }

    void branch(int depth) {
        const size_t at = code_.size();
        Instruction i = control(Op::If);
        guard(i);
        code_.push_back(i);
        block(depth + 1, 1 + pick(4));
        size_t last = at;
        if (pick(2)) {
            code_[at].target = static_cast<uint16_t>(code_.size());
            last = code_.size();
            code_.push_back(control(Op::Else));
            block(depth + 1, 1 + pick(3));
        }
        code_[last].target = static_cast<uint16_t>(code_.size());
        code_.push_back(control(Op::Endif));
    }

    void loop(int depth) {
        const auto counter = static_cast<uint16_t>(kCounters + (inRoutine_ ? 3 : depth));
        const auto iterations = static_cast<uint16_t>(1 + pick(4));
        const bool counts = pick(2) && form_ == Form::Direct;
        Instruction zero = make(Op::Mov, Type::U32, counter, 1, {reg(File::I, 0)});
        if (!counts) code_.push_back(zero);
        const size_t at = code_.size();
        code_.push_back(control(Op::Loop));
        if (counts) code_[at].iterations = iterations;
        std::vector<size_t> jumps;
        const auto jump = [&](Op op, uint8_t predicate) {
            jumps.push_back(code_.size());
            Instruction i = control(op);
            i.guard = predicate;
            code_.push_back(i);
        };
        if (!counts) {
            Instruction test = make(Op::Sge, Type::U32, 0, 1, {reg(File::R, counter, 0), reg(File::I, 0)});
            test.dst = {File::P, 3, 1, false};
            test.immediate = iterations;
            code_.push_back(test);
            jump(Op::Brk, 3);
            Instruction next = make(Op::Add, Type::U32, counter, 1, {reg(File::R, counter, 0), reg(File::I, 0)});
            next.immediate = 1;
            code_.push_back(next);
        }
        block(depth + 1, 1 + pick(5));
        if (pick(2)) jump(pick(2) ? Op::Brk : Op::Cont, static_cast<uint8_t>(1 + pick(2)));
        if (pick(2)) block(depth + 1, 1 + pick(3));
        for (const size_t j : jumps) code_[j].target = static_cast<uint16_t>(code_.size());
        code_[at].target = static_cast<uint16_t>(code_.size());
        Instruction end = control(Op::Endloop);
        end.target = static_cast<uint16_t>(at);
        code_.push_back(end);
    }

    void barrier() {
        Instruction i = control(Op::Bar);
        i.barrier = static_cast<uint8_t>(pick(16));
        code_.push_back(i);
        if (pick(3) == 0) code_.push_back(control(Op::Gbar));
    }

    /// Registers to memory, so that they are compared.
    void results() {
        for (uint16_t r = 0; r < kTemps; ++r) {
            Instruction sum = make(Op::Sum, Type::U32, r, 0xF, {reg(File::R, r)});
            Instruction i = make(Op::St, Type::U32, 0, 0xF, {reg(File::R, kBase, 0), reg(File::R, r)});
            i.immediate = r * 16u;
            i.slot = 1;
            Instruction own = make(Op::Atxor, Type::U32, 7, 1, {reg(File::R, kBase, 0), reg(File::R, r, 3)});
            own.immediate = 128 + r * 4u;
            own.slot = 1;
            code_.push_back(own);
            code_.push_back(sum);
            code_.push_back(i);
        }
    }

    /// The registers of all threads in memory, and sources of other wavefronts from there.
    void spellWavefronts() {
        const auto integers = [&](Op op, uint16_t dst, uint8_t mask, isa::Source a, uint32_t immediate) {
            Instruction i = make(op, Type::U32, dst, mask, {a, reg(File::I, 0)});
            i.immediate = immediate;
            return i;
        };
        std::vector<Instruction> code = {
            integers(Op::Mul, kMirror, 2, reg(File::S, 6, 3), kBlockMirror),
            integers(Op::Mul, kMirror, 1, reg(File::S, 5, 3), kThreadMirror),
            make(Op::Add, Type::U32, kMirror, 1, {reg(File::R, kMirror, 0), reg(File::R, kMirror, 1)})};
        std::vector<uint16_t> places;
        for (Instruction i : code_) {
            places.push_back(static_cast<uint16_t>(code.size()));
            uint16_t to = kMirrored;
            for (isa::Source& s : i.src) {
                if (!s.snoopOfBlock) continue;
                code.push_back(integers(Op::And, kMirrored + 2, 1, reg(File::S, 3, 0), 15));
                code.push_back(integers(Op::Mul, kMirrored + 2, 1, reg(File::R, kMirrored + 2, 0), kThreadMirror));
                code.push_back(make(Op::Add, Type::U32, kMirrored + 2, 1,
                                    {reg(File::R, kMirrored + 2, 0), reg(File::R, kMirror, 1)}));
                Instruction load = make(Op::Ld, Type::U32, to, 0xF, {reg(File::R, kMirrored + 2, 0)});
                load.slot = 2;
                load.immediate = s.wavefront * 16u * kThreadMirror + s.index * 16u;
                code.push_back(load);
                s.snoop = s.snoopOfBlock = false;
                s.wavefront = 0;
                s.index = to++;
            }
            code.push_back(i);
            if (!isa::hasDestination(isa::opInfo(i.op).shape) || i.dst.file != File::R || i.dst.index >= kTemps)
                continue;
            Instruction store = make(Op::St, Type::U32, 0, 0xF, {reg(File::R, kMirror, 0), reg(File::R, i.dst.index)});
            store.slot = 2;
            store.immediate = i.dst.index * 16u;
            code.push_back(store);
        }
        for (Instruction& i : code)
            if (isa::opInfo(i.op).shape == isa::Shape::Branch) i.target = places[i.target];
        code_ = std::move(code);
    }

    void finish(isa::Program& p) {
        if (form_ == Form::Spelled) spellWavefronts();
        for (const Instruction& i : code_) p.code.push_back(isa::encode(i));
        isa::deriveUsage(p);
    }

    std::mt19937 random_;
    const Form form_;
    uint32_t threads_ = 0;  ///< of a block
    std::vector<Instruction> code_;
    std::vector<size_t> calls_;
    bool inRoutine_ = false, relative_ = false;
};

}  // namespace tessera::compute
