// The contract of ir.h as a check. The front end and every pass must leave a module that passes.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/ir.h"

namespace tessera::glsl::ir {

namespace {

constexpr uint32_t kMaxRegister = 1u << 16;  ///< before linking, registers are numbers without the ISA's limits

class Verifier {
public:
    explicit Verifier(const Module& module) : module_(module) {}

    std::string run() {
        for (size_t f = 0; f < module_.functions.size(); f++)
            if (const std::string problem = Verifier(module_.functions[f]).run(); !problem.empty())
                return fmt::format("function {}: {}", f, problem);
        checkArrays();
        for (uint32_t n = 0; n < module_.code.size() && problem_.empty(); n++) {
            checkInstruction(module_.code[n]);
            if (problem_.empty()) checkNesting(module_.code[n]);
            if (!problem_.empty()) return fmt::format("instruction {}: {}", n, problem_);
        }
        if (problem_.empty() && !open_.empty()) problem_ = "control flow is left open at the end";
        return problem_;
    }

private:
    void fail(std::string why) {
        if (problem_.empty()) problem_ = std::move(why);
    }
    void require(bool condition, const char* why) {
        if (!condition) fail(why);
    }

    void checkArrays() {
        for (size_t t = 0; t < module_.temps.size(); t++) {
            const Temp& temp = module_.temps[t];
            if (temp.components < 1 || temp.components > 4) fail(fmt::format("temp {} has no size", t));
            if (temp.array == kNone) continue;
            if (temp.array >= module_.arrays.size()) return fail(fmt::format("temp {} names no array", t));
            const Array& a = module_.arrays[temp.array];
            if (t < a.firstTemp || t - a.firstTemp >= a.count) fail(fmt::format("temp {} is not in its array", t));
        }
        for (size_t n = 0; n < module_.arrays.size(); n++) {
            const Array& a = module_.arrays[n];
            if (a.count == 0 || a.firstTemp + uint64_t{a.count} > module_.temps.size())
                return fail(fmt::format("array {} is out of range", n));
            for (uint32_t t = a.firstTemp; t < a.firstTemp + a.count; t++)
                if (module_.temps[t].array != n) return fail(fmt::format("temp {} does not name its array", t));
        }
    }

    void checkIndex(uint32_t temp, uint8_t component) {
        if (temp >= module_.temps.size()) return fail("the index is no temp");
        require(component < module_.temps[temp].components, "the index component does not exist");
    }

    template <class Reference>
    void checkRegister(const Reference& r) {
        if (r.kind == Kind::Temp && r.index >= module_.temps.size()) return fail("temp out of range");
        if (r.kind == Kind::Special) require(r.index < isa::kSpecials, "special register out of range");
        require(r.index < kMaxRegister, "register out of range");
        if (r.kind == Kind::Table) {
            const size_t end = r.relative == kNone ? size_t{r.index} + 1 : size_t{r.arrayFirst} + r.arrayCount;
            require(end <= module_.table.size(), "row out of range");
        }
        if (r.relative == kNone) return;
        checkIndex(r.relative, r.relativeComponent);
        require(r.kind != Kind::Special && r.kind != Kind::Literal, "this kind cannot be indexed");
        require(r.arrayCount > 0 && r.arrayFirst < kMaxRegister && r.arrayCount < kMaxRegister, "empty index range");
        if (r.kind == Kind::Temp) {
            uint32_t array = module_.temps[r.index].array;
            if (array == kNone) return fail("an indexed temp must be in an array");
            const Array& a = module_.arrays[array];
            require(r.arrayFirst >= a.firstTemp && r.arrayFirst + r.arrayCount <= a.firstTemp + a.count,
                    "the index range leaves the array");
        }
    }

    /// Smallest number of components among the temps the operand may name.
    template <class Reference>
    int componentsOf(const Reference& r) {
        if (r.kind != Kind::Temp) return 4;
        if (r.relative == kNone) return module_.temps[r.index].components;
        int least = 4;
        for (uint32_t t = r.arrayFirst; t < r.arrayFirst + r.arrayCount; t++)
            least = std::min<int>(least, module_.temps[t].components);
        return least;
    }

    void checkSource(const Operand& o, uint8_t slots) {
        if (o.kind == Kind::None) return fail("a source is missing");
        checkRegister(o);
        if (!problem_.empty()) return;
        if (throughSwizzle(o.swizzle, slots) >> componentsOf(o)) fail("a source reads a component that does not exist");
    }

    void checkDestination(const Dest& d) {
        if (!Places::isPlace(d.kind)) return fail("the destination must be a temp, output or shared register");
        checkRegister(d);
        if (!problem_.empty()) return;
        require(d.writeMask != 0 && d.writeMask <= 0xF, "the write mask is empty");
        require(d.writeMask >> componentsOf(d) == 0, "a component is written that does not exist");
    }

    void checkInstruction(const Instruction& i) {
        if (static_cast<int>(i.op) >= isa::kOpCount) return fail("no such operation");
        const isa::OpInfo& info = isa::opInfo(i.op);
        require((i.op == Op::Call) == (i.function != kNone), "calls name a function");
        require(static_cast<int>(i.type) < 3 && (info.types >> static_cast<int>(i.type) & 1), "type not allowed");
        if (i.saturate)
            require(writesResult(i.op) && isa::resultType(i.op, i.type) == Type::F32, "only floats are saturated");
        if (writesResult(i.op)) {
            checkDestination(i.dst);
        } else {
            require(i.dst.kind == Kind::None && i.dst.relative == kNone, "no destination expected");
        }
        int n = sourceCountOf(i.op);
        for (int s = 0; s < 3 && problem_.empty(); s++) {
            if (s < n)
                checkSource(i.src[s], slotsRead(i, s));
            else
                require(i.src[s].kind == Kind::None && i.src[s].relative == kNone, "too many sources");
        }
        checkCondition(i);
        checkTexture(i);
        bool fragmentOnly = i.op == Op::Kil || i.op == Op::Ddx || i.op == Op::Ddy;
        require(!fragmentOnly || module_.stage == isa::Stage::Fragment, "only fragment shaders discard or derive");
    }

    void checkCondition(const Instruction& i) {
        bool allowed = i.op == Op::If || i.op == Op::Brk || i.op == Op::Cont || i.op == Op::Kil;
        if (i.condition.kind == Kind::None) {
            require(i.op != Op::If, "an if needs a condition");
            require(!i.conditionNegate && i.condition.relative == kNone, "a missing condition is not negated");
            return;
        }
        require(allowed, "no condition expected");
        checkSource(i.condition, 1);
    }

    void checkTexture(const Instruction& i) {
        if (!isTextureOp(i.op)) {
            require(i.sampler == 0 && i.samplerRelative == kNone, "no texture unit expected");
            return;
        }
        require(i.sampler < kMaxRegister, "texture unit out of range");
        require(i.target <= isa::kLastTextureTarget, "no such target");
        if (i.samplerRelative != kNone) checkIndex(i.samplerRelative, i.samplerRelativeComponent);
    }

    void checkNesting(const Instruction& i) {
        switch (i.op) {
            case Op::If:
            case Op::Loop:
                open_.push_back(i.op);
                loops_ += i.op == Op::Loop;
                break;
            case Op::Else:
                if (open_.empty() || open_.back() != Op::If) return fail("else without if");
                open_.back() = Op::Else;
                break;
            case Op::Endif:
                if (open_.empty() || open_.back() == Op::Loop) return fail("endif without if");
                open_.pop_back();
                break;
            case Op::Endloop:
                if (open_.empty() || open_.back() != Op::Loop) return fail("endloop without loop");
                open_.pop_back();
                loops_--;
                break;
            case Op::Brk:
            case Op::Cont:
                require(loops_ > 0, "outside of a loop");
                break;
            default:
                break;
        }
    }

    const Module& module_;
    std::string problem_;
    std::vector<Op> open_;
    int loops_ = 0;
};

}  // namespace

std::string verify(const Module& module) { return Verifier(module).run(); }

}  // namespace tessera::glsl::ir
