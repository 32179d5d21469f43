// Test only: random structured programs, the same for the same seed everywhere.
#pragma once

#include <random>
#include <vector>

#include "shader-core/interp/testing/group.h"
#include "shader-core/isa/isa.h"

namespace tessera::interp {

enum class Instructions {
    Arithmetic,  ///< what reference_thread.h computes
    Everything,  ///< transcendentals, derivatives, textures, special immediates and every file too
};

/// Writes a random program: nested ifs and loops that end by a counter, guarded jumps, calls to later routines only.
class RandomProgram {
    using File = isa::File;
    using Instruction = isa::Instruction;
    using Op = isa::Op;
    using Type = isa::Type;

public:
    static constexpr int kTemps = 8;         ///< r0..r7 hold data
    static constexpr int kFirstCounter = 8;  ///< one loop counter for each routine and nesting level behind them
    static constexpr int kConstants = 4;
    static constexpr int kInputs[] = {0, 30, isa::kInLastColor0 + 3};  ///< low ones, and the last of each kind
    static constexpr int kOutputs[] = {0, 1, 2, 3, isa::kOutDepth};
    static constexpr int kUnits[] = {0, 1, 17, isa::kMaxTextureUnits - 1};
    static constexpr int kRoutines = 4;
    static constexpr int kLoopDepth = 3;
    static constexpr int kAllTemps = kFirstCounter + kRoutines * kLoopDepth;

    explicit RandomProgram(uint32_t seed, Instructions instructions = Instructions::Arithmetic)
        : random_(seed), everything_(instructions == Instructions::Everything) {}

    std::vector<Instruction> program() {
        const int routines = 1 + pick(kRoutines);
        std::vector<size_t> starts;
        for (routine_ = 0; routine_ < routines; ++routine_) {
            starts.push_back(code_.size());
            lastRoutine_ = routine_ == routines - 1;
            for (int p = 0; p < 3; ++p) predicate();
            block(0, 6 + pick(8));
            if (routine_ == 0) results();
            code_.push_back(control(Op::Ret));
        }
        for (const auto& [at, routine] : calls_) code_[at].target = static_cast<uint16_t>(starts[routine]);
        return std::move(code_);
    }

private:
    int pick(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }

    isa::Source otherFile() {
        const int kind = pick(4);
        isa::Source s = kind == 0   ? reg(File::P, 1 + pick(3))
                        : kind == 1 ? reg(File::A, 0)
                        : kind == 2 ? reg(File::S, pick(4))
                                    : reg(File::O, kOutputs[pick(5)]);
        if (s.file != File::P) s.swizzle = static_cast<uint8_t>(random_());
        s.relative = s.file == File::O && pick(4) == 0;
        return s;
    }

    isa::Source source() {
        if (everything_ && pick(16) == 0) return otherFile();
        const int kind = pick(8);
        isa::Source s = kind < 4    ? reg(File::R, pick(kTemps))
                        : kind < 6  ? reg(File::V, kInputs[pick(3)])
                        : kind == 6 ? reg(File::C, pick(kConstants))
                                    : reg(File::S, 3);
        s.swizzle = static_cast<uint8_t>(random_());
        s.negate = pick(5) == 0;
        s.absolute = pick(7) == 0;
        s.relative = s.file != File::S && pick(12) == 0;
        return s;
    }

    void guard(Instruction& i) {
        if (pick(3) != 0) return;
        i.guard = static_cast<uint8_t>(1 + pick(3));
        i.guardNegate = pick(2) == 0;
    }

    /// What the scalar reference does not compute: transcendentals, lighting, derivatives, textures, immediates.
    void special() {
        static constexpr Op kOps[] = {Op::Rcp, Op::Rsq, Op::Sqt, Op::Ex2, Op::Lg2, Op::Sin, Op::Cos, Op::Pow, Op::Lit,
                                      Op::Nrm, Op::Trc, Op::Rne, Op::Ddx, Op::Ddy, Op::Tex, Op::Txb, Op::Txl, Op::Txd,
                                      Op::Txf, Op::Txs, Op::Mov, Op::Add, Op::Mul, Op::Min, Op::Max, Op::Seq};
        static constexpr uint32_t kBits[] = {0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x3f800000, 0xbf800000,
                                             0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001,
                                             0xffffffff, 0x3f000000, 0x40490fdb, 0x4f000000};
        const Op op = kOps[pick(std::size(kOps))];
        const isa::OpInfo& info = isa::opInfo(op);
        Type type = Type::F32;
        if (isa::isTexture(info.shape) && (op == Op::Txs || pick(4) == 0)) type = pick(2) ? Type::I32 : Type::U32;
        Instruction i = make(op, type, File::R, pick(kTemps), {}, static_cast<uint8_t>(1 + pick(15)));
        for (int s = 0; s < isa::sourceCount(info.shape); ++s) i.src[s] = source();
        if (isa::isTexture(info.shape)) {
            i.textureUnit = static_cast<uint8_t>(kUnits[pick(4)]);
            i.textureTarget = static_cast<isa::TextureTarget>(pick(static_cast<int>(isa::kLastTextureTarget) + 1));
            if (pick(4) == 0)
                for (int8_t& offset : i.texelOffset) offset = static_cast<int8_t>(pick(16) + isa::kLeastTexelOffset);
            i.textureRelative = pick(4) == 0;
        } else if (info.shape != isa::Shape::DS1S2S3 && pick(3) == 0) {
            i.src[0] = reg(File::I, 0);
            i.immediate = pick(2) ? kBits[pick(std::size(kBits))] : static_cast<uint32_t>(random_());
        }
        i.saturate = type == Type::F32 && pick(8) == 0;
        guard(i);
        code_.push_back(i);
    }

    void arithmetic() {
        if (everything_ && pick(3) == 0) return special();
        static constexpr Op kOps[] = {Op::Mov, Op::Add, Op::Mul, Op::Mad, Op::Min, Op::Max, Op::Slt, Op::Sge, Op::Seq,
                                      Op::Sne, Op::Sel, Op::Flr, Op::Frc, Op::Dp3, Op::Dp4, Op::Div, Op::Mod, Op::F2i,
                                      Op::I2f, Op::And, Op::Or,  Op::Xor, Op::Not, Op::Shl, Op::Shr};
        const Op op = kOps[pick(std::size(kOps))];
        const isa::OpInfo& info = isa::opInfo(op);
        Type type = static_cast<Type>(pick(3));
        while (!(info.types >> static_cast<int>(type) & 1)) type = static_cast<Type>(pick(3));
        Instruction i = make(op, type, File::R, pick(kTemps), {}, static_cast<uint8_t>(1 + pick(15)));
        for (int s = 0; s < isa::sourceCount(info.shape); ++s) i.src[s] = source();
        i.dst.relative = pick(12) == 0;
        i.saturate = isa::resultType(op, type) == Type::F32 && pick(6) == 0;
        guard(i);
        code_.push_back(i);
    }

    /// A comparison into a predicate that differs between lanes, or does not.
    void predicate() {
        if (everything_ && pick(3) == 0) {
            Instruction i = make(pick(2) ? Op::Slt : Op::Sge, Type::F32, File::P, 1 + pick(3), {}, 1);
            i.src[0] = reg(File::C, pick(kConstants), static_cast<uint8_t>(random_()));
            i.src[1] = reg(File::C, pick(kConstants), static_cast<uint8_t>(random_()));
            code_.push_back(i);
            return;
        }
        Instruction i = make(pick(2) ? Op::Slt : Op::Sge, static_cast<Type>(pick(3)), File::P, 1 + pick(3), {}, 1);
        i.src[0] = source();
        i.src[1] = source();
        guard(i);
        code_.push_back(i);
    }

    void addressRegister() {
        Instruction i = make(Op::And, Type::I32, File::A, 0, {reg(File::S, 3), reg(File::I, 0)}, 1);
        i.immediate = static_cast<uint32_t>(pick(16));
        if (pick(2)) i.src[0] = reg(File::V, 0);
        guard(i);
        code_.push_back(i);
    }

    Instruction guarded(Op op) { return control(op, 0, pick(6) == 0 ? 0 : 1 + pick(3), false); }

    void block(int depth, int statements) {
        for (int s = 0; s < statements; ++s) statement(depth);
    }

    void statement(int depth) {
        const int kind = pick(16);
        if (kind < 7) return arithmetic();
        if (kind < 9) return predicate();
        if (kind < 10) return addressRegister();
        if (kind < 12 && depth < 5) return conditional(depth);
        if (kind < 13 && loops_.size() < kLoopDepth && depth < 5) return loop(depth);
        if (kind < 14 && !loops_.empty()) return jump();
        if (kind < 15 && !lastRoutine_ && calls_.size() < 5) return call();
        if (depth == 0 && pick(4) != 0) return arithmetic();
        Instruction i = guarded(pick(3) == 0 ? Op::Kil : Op::Ret);
        if (i.guard == 0 && (depth == 0 || i.op == Op::Kil))
            i.guard = 1;  // an unguarded ret here would end the routine
        code_.push_back(i);
    }

    void conditional(int depth) {
        const size_t at = code_.size();
        code_.push_back(guarded(Op::If));
        block(depth + 1, 1 + pick(3));
        if (pick(2)) {
            const size_t elseAt = code_.size();
            code_[at].target = static_cast<uint16_t>(elseAt);
            code_.push_back(control(Op::Else));
            block(depth + 1, 1 + pick(3));
            code_[elseAt].target = static_cast<uint16_t>(code_.size());
        } else {
            code_[at].target = static_cast<uint16_t>(code_.size());
        }
        code_.push_back(control(Op::Endif));
    }

    /// counter = lane & 1; loop { counter += 1; p3 = counter >= n; brk p3; ... }
    void loop(int depth) {
        const int counter = kFirstCounter + routine_ * kLoopDepth + static_cast<int>(loops_.size());
        Instruction start = make(Op::And, Type::I32, File::R, counter, {reg(File::S, 3), reg(File::I, 0)}, 1);
        start.immediate = 1;
        code_.push_back(start);
        const size_t at = code_.size();
        code_.push_back(control(Op::Loop));
        Instruction step = make(Op::Add, Type::I32, File::R, counter, {reg(File::R, counter), reg(File::I, 0)}, 1);
        step.immediate = 1;
        code_.push_back(step);
        Instruction test = make(Op::Sge, Type::I32, File::P, 3, {reg(File::R, counter), reg(File::I, 0)}, 1);
        test.immediate = static_cast<uint32_t>(2 + pick(3));
        code_.push_back(test);
        loops_.push_back({code_.size()});
        code_.push_back(control(Op::Brk, 0, 3));
        block(depth + 1, 1 + pick(4));
        const size_t end = code_.size();
        code_.push_back(control(Op::Endloop, static_cast<int>(at)));
        code_[at].target = static_cast<uint16_t>(end);
        for (const size_t j : loops_.back()) code_[j].target = static_cast<uint16_t>(end);
        loops_.pop_back();
    }

    void jump() {
        loops_.back().push_back(code_.size());
        code_.push_back(guarded(pick(2) ? Op::Brk : Op::Cont));
    }

    void call() {
        calls_.push_back({code_.size(), static_cast<size_t>(routine_) + 1});
        code_.push_back(guarded(Op::Call));
    }

    /// o0..o3 = r0..r3, the depth from r4..r7.
    void results() {
        for (int k = 0; k < 4; ++k) code_.push_back(make(Op::Mov, Type::U32, File::O, k, {reg(File::R, k)}));
        for (int k = 4; k < kTemps; ++k) {
            Instruction mix =
                make(Op::Xor, Type::U32, File::O, isa::kOutDepth, {reg(File::O, isa::kOutDepth), reg(File::R, k)});
            mix.src[1].swizzle = static_cast<uint8_t>(random_());
            code_.push_back(mix);
        }
    }

    std::mt19937 random_;
    std::vector<Instruction> code_;
    std::vector<std::vector<size_t>> loops_;        ///< jumps out of each open loop
    std::vector<std::pair<size_t, size_t>> calls_;  ///< instruction, routine it calls
    bool everything_ = false;
    int routine_ = 0;
    bool lastRoutine_ = false;
};

}  // namespace tessera::interp
