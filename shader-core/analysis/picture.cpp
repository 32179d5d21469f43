#include "shader-core/analysis/picture.h"

#include <array>
#include <bit>
#include <map>
#include <optional>

#include "shader-core/isa/isa.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::analysis {
namespace {

/// Runs the program over what its values are made of.
class PictureReader {
    using Value = Picture::Channel;

public:
    explicit PictureReader(const isa::Program& program) : program_(program) {}

    [[nodiscard]] std::optional<Picture> read() {
        constexpr size_t kMostInstructions = 16;
        if (program_.code.size() > kMostInstructions) return std::nullopt;
        for (const isa::Word& word : program_.code) {
            const auto instruction = isa::decode(word);
            ++picture_.instructions;
            if (!instruction || instruction->guard != 0 || instruction->saturate) return std::nullopt;
            if (instruction->op == isa::Op::Ret) return finish();
            if (!execute(*instruction)) return std::nullopt;
        }
        return std::nullopt;
    }

private:
    bool execute(const isa::Instruction& instruction) {
        const isa::Destination& to = instruction.dst;
        const bool isRegister = to.file == isa::File::R || (to.file == isa::File::O && to.index == isa::kOutColor0);
        if (!isRegister || to.relative || instruction.type != isa::Type::F32) return false;
        std::array<std::optional<Value>, 4> values;
        for (int c = 0; c < 4; ++c) {
            if ((to.writeMask >> c & 1) == 0) continue;
            switch (instruction.op) {
                case isa::Op::Tex:
                    values[c] = Value{.texel = static_cast<int8_t>(c)};
                    break;
                case isa::Op::Mov:
                    values[c] = valueOf(instruction, 0, c);
                    break;
                case isa::Op::Mul:
                    values[c] = product(valueOf(instruction, 0, c), valueOf(instruction, 1, c));
                    break;
                default:
                    break;
            }
            if (!values[c]) return false;
        }
        if (instruction.op == isa::Op::Tex && !lookUp(instruction)) return false;
        for (int c = 0; c < 4; ++c)
            if (values[c]) value_[{to.file, to.index, c}] = *values[c];
        return true;
    }

    bool lookUp(const isa::Instruction& instruction) {
        const bool isPlane = instruction.textureTarget == isa::TextureTarget::Tex2D ||
                             instruction.textureTarget == isa::TextureTarget::External;
        const auto s = valueOf(instruction, 0, 0), t = valueOf(instruction, 0, 1);
        if (picture_.hasLookup || !isPlane || !isa::mayBeBlockLookup(instruction) || !isVarying(s) || !isVarying(t))
            return false;
        picture_.hasLookup = true;
        picture_.unit = instruction.textureUnit;
        picture_.s = static_cast<uint8_t>(s->at), picture_.t = static_cast<uint8_t>(t->at);
        return true;
    }
    static bool isVarying(const std::optional<Value>& value) {
        return value && value->texel < 0 && value->factor == Picture::Factor::Varying;
    }

    [[nodiscard]] std::optional<Value> valueOf(const isa::Instruction& instruction, int source, int component) const {
        const isa::Source& from = instruction.src[static_cast<size_t>(source)];
        if (from.negate || from.absolute || from.relative || from.snoop) return std::nullopt;
        const int c = isa::swizzleAt(from.swizzle, component);
        const uint32_t at = 4u * from.index + static_cast<uint32_t>(c);
        const isa::RegisterMask varyings = isa::varyingMask(program_);
        switch (from.file) {
            case isa::File::C:
                return Value{.factor = Picture::Factor::Constant, .at = at};
            case isa::File::I:
                return Value{.factor = Picture::Factor::Literal, .at = instruction.immediate};
            case isa::File::V:
                if (!varyings.has(from.index)) return std::nullopt;
                return Value{
                    .factor = Picture::Factor::Varying,
                    .at = static_cast<uint32_t>(4 * (varyings & isa::RegisterMask::range(0, from.index)).count() + c)};
            case isa::File::R:
            case isa::File::O: {
                const auto found = value_.find({from.file, from.index, c});
                if (found == value_.end()) return std::nullopt;
                return found->second;
            }
            default:
                return std::nullopt;
        }
    }

    /// The product of a texel and a factor, in either order; nothing for other products.
    static std::optional<Value> product(const std::optional<Value>& a, const std::optional<Value>& b) {
        if (!a || !b || (a->texel < 0) == (b->texel < 0)) return std::nullopt;
        const Value &texel = a->texel < 0 ? *b : *a, &factor = a->texel < 0 ? *a : *b;
        if (texel.factor != Picture::Factor::One) return std::nullopt;
        return Value{.texel = texel.texel, .factor = factor.factor, .at = factor.at};
    }

    [[nodiscard]] std::optional<Picture> finish() const {
        Picture picture = picture_;
        for (int c = 0; c < 4; ++c) {
            const auto found = value_.find({isa::File::O, isa::kOutColor0, c});
            if (found == value_.end()) return std::nullopt;
            picture.channel[c] = found->second;
        }
        return picture;
    }

    const isa::Program& program_;
    Picture picture_;
    struct Component {
        isa::File file;
        int index, component;
        auto operator<=>(const Component&) const = default;
    };
    std::map<Component, Value> value_;
};

}  // namespace

Picture pictureOf(const isa::Program& fragment) {
    if (fragment.stage != isa::Stage::Fragment) return {};
    return PictureReader(fragment).read().value_or(Picture{});
}

}  // namespace tessera::analysis
