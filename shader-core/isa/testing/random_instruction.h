// Random instructions for tests: every op, every field, always canonical.
#pragma once

#include <algorithm>
#include <random>

#include "shader-core/isa/isa.h"

namespace tessera::isa {

class RandomInstruction {
public:
    explicit RandomInstruction(uint32_t seed) : random_(seed) {}

    Instruction next() { return next(static_cast<Op>(below(kOpCount))); }

    Instruction next(Op op) {
        const OpInfo& info = opInfo(op);
        Instruction i;
        i.op = op;
        do i.type = static_cast<Type>(below(3));
        while (!(info.types >> static_cast<int>(i.type) & 1));
        if (hasDestination(info.shape) && resultType(op, i.type) == Type::F32 && !isMemory(info.shape))
            i.saturate = chance();
        if (canBeGuarded(op)) i.guard = static_cast<uint8_t>(below(4));
        if (i.guard) i.guardNegate = chance();
        if (info.unit != Unit::Control && !isTexture(info.shape)) {
            i.subsetWidth = static_cast<uint8_t>(below(4));
            i.subsetDepth = static_cast<uint8_t>(below(4));
            i.subsetOfBlock = (i.subsetWidth || i.subsetDepth) && chance();
        }
        if (hasDestination(info.shape)) i.dst = destination();
        const bool mayBeImmediate = info.shape == Shape::DS1 || info.shape == Shape::DS1S2;
        int immediates = 0;
        for (int s = 0; s < sourceCount(info.shape); ++s) {
            i.src[s] = source((mayBeImmediate && immediates == 0) || (hasOffset(info.shape) && s == 0));
            if (isTexture(info.shape)) i.src[s].snoop = false;
            immediates += i.src[s].file == File::I;
        }
        if (isMemory(info.shape)) memory(i);
        for (const Source& s : i.src)
            if (s.snoop && i.snoopRow == 0) i.snoopRow = static_cast<uint8_t>(below(kGroupRows));
        snoopOfBlock(i);
        if (info.shape == Shape::Barrier) {
            i.barrier = static_cast<uint8_t>(below(kBarriers));
            i.barrierGroups = static_cast<uint8_t>(below(kMaxThreadBlockGroups + 1));
        }
        if (immediates || hasOffset(info.shape)) i.immediate = chance() ? random_() : below(1000);
        if (isTexture(info.shape)) {
            i.textureUnit = static_cast<uint8_t>(below(kMaxTextureUnits));
            i.textureTarget = static_cast<TextureTarget>(below(static_cast<uint32_t>(kLastTextureTarget) + 1));
            for (int8_t& offset : i.texelOffset)
                offset = static_cast<int8_t>(static_cast<int>(below(16)) + kLeastTexelOffset);
            i.textureRelative = chance();
        }
        if (info.shape == Shape::Branch) i.target = static_cast<uint16_t>(below(65536));
        if (op == Op::Loop) i.iterations = static_cast<uint16_t>(below(65536));
        return i;
    }

    uint32_t below(uint32_t n) { return random_() % n; }
    bool chance() { return random_() & 1; }
    uint32_t bits() { return static_cast<uint32_t>(random_()); }

private:
    /// Some of what snoops does so in the block, where it can.
    void snoopOfBlock(Instruction& i) {
        const Shape shape = opInfo(i.op).shape;
        const auto snooping = std::count_if(i.src.begin(), i.src.end(), [](const Source& s) { return s.snoop; });
        if (shape < Shape::DS1 || shape > Shape::DS1S2S3 || !i.subsetOfBlock || snooping > 2 || !chance()) return;
        i.snoopRow = 0;
        for (Source& s : i.src)
            if (s.snoop) s.snoopOfBlock = true, s.wavefront = static_cast<uint8_t>(below(kMaxWavefronts));
    }
    void memory(Instruction& i) {
        const Shape shape = opInfo(i.op).shape;
        i.slot = static_cast<uint8_t>(below(kSharedSlot + 1));
        if ((shape == Shape::DM || shape == Shape::MS) && i.type != Type::F32)
            i.elementSize = static_cast<ElementSize>(below(3));
        i.src[0].negate = i.src[0].absolute = false;
        if (shape != Shape::MS) return;
        Source& value = i.src[1];
        const int count = value.file == File::P ? 1 : 1 + static_cast<int>(below(4));
        i.dst.writeMask = static_cast<uint8_t>((1 << count) - 1);
        if (value.file == File::P) return;
        int c[4];
        for (int n = 0; n < 4; ++n) c[n] = swizzleAt(value.swizzle, std::min(n, count - 1));
        value.swizzle = makeSwizzle(c[0], c[1], c[2], c[3]);
    }
    uint16_t index(File file) {
        const int first = file == File::P ? 1 : 0;
        return static_cast<uint16_t>(first + below(registerCount(file) - first));
    }
    Destination destination() {
        constexpr File files[] = {File::R, File::O, File::A, File::P};
        Destination d;
        d.file = files[below(4)];
        d.index = index(d.file);
        d.writeMask = d.file == File::P ? 1 : static_cast<uint8_t>(1 + below(15));
        if (canBeRelative(d.file)) d.relative = chance();
        return d;
    }
    Source source(bool immediateAllowed) {
        Source s;
        s.file = static_cast<File>(below(immediateAllowed ? 8 : 7));
        s.index = index(s.file);
        if (s.file != File::I && s.file != File::P) s.swizzle = static_cast<Swizzle>(below(256));
        s.negate = chance();
        s.absolute = chance();
        if (canBeRelative(s.file)) s.relative = chance();
        if (s.file == File::R && !s.relative) s.snoop = chance();
        return s;
    }

    std::mt19937 random_;
};

}  // namespace tessera::isa
