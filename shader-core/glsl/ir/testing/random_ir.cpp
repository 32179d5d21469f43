// The evaluator walks the instruction list with a stack of positions; the generator writes structured code over a
// growing set of registers that hold something.
#include "shader-core/glsl/ir/testing/random_ir.h"

#include <bit>
#include <cmath>
#include <vector>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/builder.h"
#include "shader-core/isa/stage_registers.h"
#include "shader-core/isa/tfu.h"

namespace tessera::glsl::ir::testing {

namespace {

float f(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t u(float x) { return std::isnan(x) ? 0x7FC00000u : std::bit_cast<uint32_t>(x); }
uint32_t truth(bool x) { return x ? 0x3F800000u : 0u; }

// --- Evaluator ---

class Evaluator {
public:
    /// `shader` has the functions.
    Evaluator(const Module& module, const Module& shader, const Inputs& inputs, std::vector<Assigned>* trace)
        : module_(module), shader_(shader), inputs_(inputs), trace_(trace), temps_(module.temps.size()) {}

    Result run() {
        shared_.resize(shader_.sharedRegisters);
        execute();
        if (result_.killed) result_.outputs = {};
        for (Register& r : result_.outputs)
            for (uint32_t& bits : r) bits = u(f(bits));
        return result_;
    }

private:
    void execute() {
        int budget = 200000;
        for (size_t pc = 0; pc < module_.code.size(); pc++) {
            if (--budget == 0) {
                result_.endless = true;
                break;
            }
            const Instruction& i = module_.code[pc];
            if (trace_) assign(i.assigns);
            bool holds = i.condition.kind == Kind::None || (f(read(i.condition, 0, false)) != 0) != i.conditionNegate;
            switch (i.op) {
                case Op::If:
                    if (!holds) pc = skip(pc, true);
                    break;
                case Op::Else:
                    pc = skip(pc, false);
                    break;
                case Op::Endif:
                    break;
                case Op::Loop:
                    loops_.push_back(pc);
                    break;
                case Op::Endloop:
                    pc = loops_.back();
                    break;
                case Op::Brk:
                    if (!holds) break;
                    pc = endOfLoop(pc);
                    loops_.pop_back();
                    break;
                case Op::Cont:
                    if (holds) pc = loops_.back();
                    break;
                case Op::Kil:
                    if (holds) result_.killed = true;
                    break;
                case Op::Ret:
                    pc = module_.code.size() - 1;
                    break;
                case Op::Call:
                    call(i.function);
                    break;
                default:
                    compute(i);
            }
        }
    }

    void call(uint32_t function) {
        Evaluator callee(shader_.functions[function], shader_, inputs_, nullptr);
        callee.shared_ = std::move(shared_);
        callee.result_ = result_;
        callee.execute();
        shared_ = std::move(callee.shared_);
        result_ = callee.result_;
    }

    void assign(uint32_t list) {
        for (; list != kNone; list = module_.debug.assignments[list].next) {
            const Assignment& a = module_.debug.assignments[list];
            if (a.kind == Kind::None) continue;
            Operand o = registerOperand(a.kind, a.index);
            o.swizzle = isa::broadcast(a.component);
            o.negate = a.negate, o.absolute = a.absolute;
            o.literal = {a.bits, a.bits, a.bits, a.bits};
            trace_->push_back({a.slot, u(f(read(o, 0, false)))});
        }
    }

    /// From an If to its Else (if wanted) or Endif; from an Else to its Endif.
    size_t skip(size_t pc, bool stopAtElse) const {
        for (int depth = 0;;) {
            Op op = module_.code[++pc].op;
            if (depth == 0 && (op == Op::Endif || (stopAtElse && op == Op::Else))) return pc;
            depth += op == Op::If ? 1 : op == Op::Endif ? -1 : 0;
        }
    }
    size_t endOfLoop(size_t pc) const {
        for (int depth = 0;;) {
            Op op = module_.code[++pc].op;
            if (depth == 0 && op == Op::Endloop) return pc;
            depth += op == Op::Loop ? 1 : op == Op::Endloop ? -1 : 0;
        }
    }

    template <class Reference>
    uint32_t indexOf(const Reference& r) const {
        if (r.relative == kNone) return r.index;
        return r.index + temps_[r.relative][r.relativeComponent];
    }

    uint32_t read(const Operand& o, int position, bool integer) const {
        int c = isa::swizzleAt(o.swizzle, position);
        uint32_t bits = 0;
        switch (o.kind) {
            case Kind::Temp:
                bits = temps_[indexOf(o)][c];
                break;
            case Kind::Input:
                bits = inputs_.inputs[indexOf(o)][c];
                break;
            case Kind::Output:
                bits = result_.outputs[indexOf(o)][c];
                break;
            case Kind::Shared:
                bits = shared_[indexOf(o)][c];
                break;
            case Kind::Uniform:
                bits = inputs_.uniforms[indexOf(o)][c];
                break;
            case Kind::Table:
                bits = module_.table[indexOf(o)][c];
                break;
            case Kind::Special:
                bits = inputs_.specials[o.index][c];
                break;
            case Kind::Literal:
                bits = o.literal[c];
                break;
            case Kind::None:
                break;
        }
        if (integer) {
            if (o.absolute && static_cast<int32_t>(bits) < 0) bits = 0 - bits;
            return o.negate ? 0 - bits : bits;
        }
        if (o.absolute) bits &= 0x7FFFFFFF;
        return o.negate ? bits ^ 0x80000000 : bits;
    }

    static uint32_t floatOperation(Op op, float a, float b, float c) {
        namespace tfu = isa::tfu;
        switch (op) {
            case Op::Add:
                return u(a + b);
            case Op::Mul:
                return u(a * b);
            case Op::Mad:
                return u(std::fmaf(a, b, c));
            case Op::Div:
                return u(a / b);
            case Op::Min:
                return u(b < a ? b : a);
            case Op::Max:
                return u(b > a ? b : a);
            case Op::Slt:
                return truth(a < b);
            case Op::Sge:
                return truth(a >= b);
            case Op::Seq:
                return truth(a == b);
            case Op::Sne:
                return truth(a != b);
            case Op::Flr:
                return u(std::floor(a));
            case Op::Frc:
                return u(a - std::floor(a));
            case Op::Trc:
                return u(std::trunc(a));
            case Op::Rne:
                return u(std::nearbyint(a));
            case Op::Rcp:
                return u(1.0f / a);
            case Op::Sqt:
                return u(std::sqrt(a));
            case Op::Rsq:
                return u(tfu::scalar(tfu::rsq, a));
            case Op::Ex2:
                return u(tfu::scalar(tfu::ex2, a));
            case Op::Lg2:
                return u(tfu::scalar(tfu::lg2, a));
            case Op::Sin:
                return u(tfu::scalar(tfu::sin, a));
            case Op::Cos:
                return u(tfu::scalar(tfu::cos, a));
            case Op::Pow:
                return u(tfu::scalar(tfu::pow, a, b));
            default:
                return 0xDEADBEEF;
        }
    }

    static uint32_t integerOperation(Op op, int32_t a, int32_t b, int32_t c) {
        auto x = static_cast<uint32_t>(a), y = static_cast<uint32_t>(b);
        switch (op) {
            case Op::Mov:
                return x;
            case Op::Add:
                return x + y;
            case Op::Mul:
                return x * y;
            case Op::Mad:
                return x * y + static_cast<uint32_t>(c);
            case Op::Div:
                return b == 0 ? ~0u : static_cast<uint32_t>(int64_t{a} / b);
            case Op::Mod:
                return b == 0 ? x : static_cast<uint32_t>(int64_t{a} % b);
            case Op::Min:
                return static_cast<uint32_t>(std::min(a, b));
            case Op::Max:
                return static_cast<uint32_t>(std::max(a, b));
            case Op::And:
                return x & y;
            case Op::Or:
                return x | y;
            case Op::Xor:
                return x ^ y;
            case Op::Shl:
                return x << (y & 31);
            case Op::Shr:
                return static_cast<uint32_t>(a >> (y & 31));
            case Op::Slt:
                return truth(a < b);
            case Op::Sge:
                return truth(a >= b);
            case Op::Seq:
                return truth(a == b);
            case Op::Sne:
                return truth(a != b);
            case Op::Not:
                return ~x;
            case Op::I2f:
                return u(static_cast<float>(a));
            default:
                return 0xDEADBEEF;
        }
    }

    Register fixedResult(const Instruction& i) const {
        auto a = [&](int p) { return f(read(i.src[0], p, false)); };
        if (i.op == Op::Dp3 || i.op == Op::Dp4) {
            float sum = 0;
            for (int p = 0; p < (i.op == Op::Dp3 ? 3 : 4); p++) {
                float product = a(p) * f(read(i.src[1], p, false));
                sum = p == 0 ? product : sum + product;
            }
            return {u(sum), u(sum), u(sum), u(sum)};
        }
        if (i.op == Op::Nrm) {
            float length = std::sqrt((a(0) * a(0) + a(1) * a(1)) + a(2) * a(2));
            return {u(a(0) / length), u(a(1) / length), u(a(2) / length), u(length)};
        }
        if (i.op == Op::Lit) {
            uint32_t y = floatOperation(Op::Max, 0, a(1), 0);
            uint32_t power = a(0) > 0 ? floatOperation(Op::Pow, f(y), a(3), 0) : 0;
            return {truth(true), floatOperation(Op::Max, 0, a(0), 0), power, truth(true)};
        }
        std::array<float, 4> coordinate{};
        for (int p = 0; p < isa::coordinateCount(i.target); p++) coordinate[p] = a(p);
        float lod = i.op == Op::Txb || i.op == Op::Txl ? f(read(i.src[1], 0, false)) : 0;
        auto texel = sampleTexture(static_cast<int>(i.sampler), i.target, coordinate, lod, i.texelOffset);
        return {u(texel[0]), u(texel[1]), u(texel[2]), u(texel[3])};
    }

    uint32_t componentResult(const Instruction& i, int c) const {
        bool integer = i.type != Type::F32 && i.op != Op::F2i;
        uint32_t v[3] = {};
        for (int s = 0; s < 3; s++)
            if (i.src[s].kind != Kind::None) v[s] = read(i.src[s], c, integer);
        if (i.op == Op::Sel) return (integer ? v[0] != 0 : f(v[0]) != 0) ? v[1] : v[2];
        if (i.op == Op::F2i) {
            double x = f(v[0]);
            if (std::isnan(x)) return 0;
            return static_cast<uint32_t>(static_cast<int32_t>(std::min(std::max(std::trunc(x), -0x1p31), 0x1p31 - 1)));
        }
        if (integer)
            return integerOperation(i.op, static_cast<int32_t>(v[0]), static_cast<int32_t>(v[1]),
                                    static_cast<int32_t>(v[2]));
        if (i.op == Op::Mov) return v[0];
        return floatOperation(i.op, f(v[0]), f(v[1]), f(v[2]));
    }

    void compute(const Instruction& i) {
        Register result{};
        switch (i.op) {
            case Op::Dp3:
            case Op::Dp4:
            case Op::Nrm:
            case Op::Lit:
            case Op::Tex:
            case Op::Txb:
            case Op::Txl:
                result = fixedResult(i);
                break;
            default:
                for (int c = 0; c < 4; c++)
                    if (i.dst.writeMask >> c & 1) result[c] = componentResult(i, c);
        }
        Register& to = i.dst.kind == Kind::Temp     ? temps_[indexOf(i.dst)]
                       : i.dst.kind == Kind::Shared ? shared_[indexOf(i.dst)]
                                                    : result_.outputs[indexOf(i.dst)];
        for (int c = 0; c < 4; c++) {
            if (!(i.dst.writeMask >> c & 1)) continue;
            float x = f(result[c]);
            if (i.saturate) result[c] = x > 0 ? (x < 1 ? result[c] : truth(true)) : 0;
            to[c] = result[c];
        }
    }

    const Module& module_;
    const Module& shader_;
    const Inputs& inputs_;
    std::vector<Assigned>* trace_;
    std::vector<Register> temps_, shared_;
    std::vector<size_t> loops_;
    Result result_;
};

// --- Generator ---

constexpr Op kFloatOps[] = {Op::Mov, Op::Mov, Op::Mov, Op::Add, Op::Add, Op::Add, Op::Mul, Op::Mul, Op::Mul,
                            Op::Mad, Op::Min, Op::Max, Op::Slt, Op::Sge, Op::Seq, Op::Sne, Op::Sel, Op::Flr,
                            Op::Frc, Op::Dp3, Op::Dp4, Op::Rcp, Op::Rsq, Op::Sqt, Op::Ex2, Op::Lg2, Op::Sin,
                            Op::Cos, Op::Pow, Op::Lit, Op::Nrm, Op::Trc, Op::Rne, Op::Div, Op::Tex, Op::Txl};
constexpr Op kIntOps[] = {Op::Mov, Op::Add, Op::Mul, Op::Mad, Op::Div, Op::Mod, Op::Min,
                          Op::Max, Op::And, Op::Or,  Op::Xor, Op::Shl, Op::Shr};

class Generator {
public:
    /// Of a shader whose functions, `callable` of them for this one, have so many `shared` registers.
    Generator(Random& random, Module& module, int size, uint32_t shared = 0, uint32_t callable = 0)
        : random_(random),
          b_(module),
          shared_(shared),
          callable_(callable),
          outputs_(outputsOf(module.stage)),
          left_(size) {}

    void run() {
        Module& m = b_.module();
        for (uint32_t n = 0; n < m.sharedRegisters; n++) b_.emitTo(sharedDest(n), Op::Mov, constantSource());
        for (int n = 0; n < 5; n++) {
            uint32_t t = b_.newTemp(1 + random_.below(4));
            b_.emitTo(tempDest(t, maskOfSize(m.temps[t].components)), Op::Mov, constantSource());
            floats_.push_back(t);
            variables_.push_back(t);
        }
        for (int n = 0; n < 2; n++) {
            ints_.push_back(b_.newTemp(1));
            b_.emitTo(tempDest(ints_.back(), 1), Op::F2i, constantSource(), {}, {}, Type::I32);
        }
        indexTemp_ = b_.newTemp(2);
        b_.emitTo(tempDest(indexTemp_, 3), Op::Mov, literalInt(1), {}, {}, Type::I32);
        array_ = b_.newArray(4, 2 + random_.below(3));
        for (uint32_t n = 0; n < 4; n++) {
            uint32_t t = m.arrays[array_].firstTemp + n;
            b_.emitTo(tempDest(t, maskOfSize(m.temps[t].components)), Op::Mov, constantSource());
        }
        block(0);
        // What is left becomes visible.
        for (uint32_t n = 0; n < variables_.size(); n++)
            b_.emitTo(outputDest(outputs_[n % outputs_.size()], randomMask(4)), Op::Mov, b_.tempOperand(variables_[n]));
        uint32_t element = m.arrays[array_].firstTemp + static_cast<uint32_t>(random_.below(4));
        b_.emitTo(outputDest(outputs_.back(), randomMask(4)), Op::Mov, b_.tempOperand(element));
    }

private:
    template <class List>
    auto pick(const List& list) {
        return list[static_cast<size_t>(random_.below(static_cast<int>(std::size(list))))];
    }

    static std::vector<uint32_t> outputsOf(isa::Stage stage) {
        std::vector<uint32_t> outputs;
        for (const int output : isa::outputsOf(stage))
            if (stage != isa::Stage::Vertex || output < static_cast<int>(kOutputs))
                outputs.push_back(static_cast<uint32_t>(output));
        return outputs;
    }
    uint32_t output() { return outputs_[static_cast<size_t>(random_.below(static_cast<int>(outputs_.size())))]; }

    Operand constantSource() {
        switch (random_.below(4)) {
            case 0:
                return inputOperand(static_cast<uint32_t>(random_.below(kInputs)));
            case 1:
                return uniformOperand(static_cast<uint32_t>(random_.below(kUniforms)));
            case 2: {
                uint32_t bits = random_.floatBits();
                return literalBits({bits, bits, bits, bits});
            }
            default:
                return literalBits(
                    {random_.floatBits(), random_.floatBits(), random_.floatBits(), random_.floatBits()});
        }
    }

    /// A temp holding an integer 0..3.
    Operand index() {
        if (random_.chance(20)) return b_.emit(1, Op::Mov, literalInt(random_.below(4)), {}, {}, Type::I32);
        bool keep = random_.chance(60);
        if (keep && random_.chance(60)) return component(b_.tempOperand(indexTemp_), random_.below(2));
        Operand x = b_.emit(1, Op::Min, literal(3.0f), absolute(component(source(), 0)));
        if (!keep) return b_.f2i(1, x);
        int c = random_.below(2);
        b_.emitTo(tempDest(indexTemp_, static_cast<uint8_t>(1 << c)), Op::F2i, x, {}, {}, Type::I32);
        return component(b_.tempOperand(indexTemp_), c);
    }

    Operand indexedSource() {
        Operand i = index();
        if (random_.chance(50)) return indexed(uniformOperand(kUniformArray), i, kUniformArray, kUniformArrayCount);
        uint32_t first = b_.module().arrays[array_].firstTemp;
        return indexed(b_.tempOperand(first), i, first, 4);
    }

    uint32_t shared() { return static_cast<uint32_t>(random_.below(static_cast<int>(shared_))); }

    Operand source() {
        if (shared_ > 0 && random_.chance(12)) return decorate(sharedOperand(shared()));
        Operand o;
        int kind = random_.below(100);
        if (kind < 55)
            o = b_.tempOperand(pick(floats_));
        else if (kind < 60)
            o = b_.tempOperand(b_.module().arrays[array_].firstTemp + static_cast<uint32_t>(random_.below(4)));
        else if (kind < 65)
            o = outputOperand(output());
        else if (kind < 70)
            o = literal(pick(std::array{0.0f, 1.0f, -1.0f, -0.0f, 2.0f, 0.5f}));
        else
            o = constantSource();
        return decorate(o);
    }

    Operand decorate(Operand o) {
        if (random_.chance(60)) {
            int c[4];
            for (int& x : c) x = random_.below(4);
            o = swizzled(o, isa::makeSwizzle(c[0], c[1], c[2], c[3]));
        }
        if (random_.chance(15)) o.negate = true;
        if (random_.chance(10)) o.absolute = true;
        return o;
    }

    Dest destination() {
        if (shared_ > 0 && random_.chance(15)) return sharedDest(shared(), randomMask(4));
        int kind = random_.below(100);
        if (kind < 45) {
            uint32_t t = b_.newTemp(1 + random_.below(4));
            pending_ = t;
            return tempDest(t, maskOfSize(b_.module().temps[t].components));
        }
        if (kind < 80) {
            uint32_t t = pick(variables_);
            return tempDest(t, randomMask(b_.module().temps[t].components));
        }
        uint32_t first = b_.module().arrays[array_].firstTemp;
        uint8_t mask = randomMask(b_.module().temps[first].components);
        if (kind < 84) return tempDest(first + static_cast<uint32_t>(random_.below(4)), mask);
        if (kind < 88) return indexed(tempDest(first, mask), index(), first, 4);
        return outputDest(output(), randomMask(4));
    }

    uint8_t randomMask(int components) {
        auto mask = static_cast<uint8_t>(1 + random_.below((1 << components) - 1));
        return random_.chance(40) ? maskOfSize(components) : mask;
    }

    void operation() {
        left_--;
        b_.setLine(static_cast<uint32_t>(b_.module().code.size()));
        if (random_.chance(8)) return integerOperation();
        if (random_.chance(8)) return componentByComponent();
        if (random_.chance(8)) return throughTemp();
        Op op = pick(kFloatOps);
        pending_ = kNone;
        Operand src[3];
        int n = isa::sourceCount(isa::opInfo(op).shape);
        for (int s = 0; s < n; s++) src[s] = random_.chance(8) ? indexedSource() : source();
        Dest dst = destination();
        Instruction& i = b_.emitTo(dst, op, src[0], src[1], src[2]);
        i.saturate = random_.chance(8);
        if (op == Op::Tex || op == Op::Txl) {
            i.sampler = static_cast<uint32_t>(random_.below(3));
            i.target = random_.chance(50) ? isa::TextureTarget::Tex2D : isa::TextureTarget::Cube;
            if (random_.chance(20)) i.target = isa::TextureTarget::ShadowArray2D;
            if (random_.chance(20)) i.texelOffset = {static_cast<int8_t>(random_.below(16) - 8), 7, 0};
        }
        if (pending_ != kNone) floats_.push_back(pending_);
    }

    /// What constructors become.
    void componentByComponent() {
        uint32_t t = pick(variables_);
        Op op = pick(std::array{Op::Mov, Op::Add, Op::Mul, Op::Min, Op::Flr, Op::Slt});
        Operand a = source(), c = source();
        for (int n = 0; n < b_.module().temps[t].components; n++) {
            auto bit = static_cast<uint8_t>(1 << n);
            Operand x = component(a, random_.below(4));
            b_.emitTo(tempDest(t, bit), op, x, sourceCountOf(op) == 2 ? component(c, random_.below(4)) : Operand{});
        }
    }

    /// An expression and its assignment.
    void throughTemp() {
        Op op = pick(std::array{Op::Add, Op::Mul, Op::Dp3, Op::Nrm, Op::Max, Op::Rcp});
        Operand value = b_.emit(4, op, source(), sourceCountOf(op) == 2 ? source() : Operand{});
        if (random_.chance(30)) b_.emitTo(tempDest(pick(variables_), 1), Op::Add, source(), source());
        Dest dst = destination();
        b_.emitTo(dst, Op::Mov, random_.chance(50) ? value : swizzled(value, isa::makeSwizzle(2, 0, 1, 1)));
        b_.module().code.back().saturate = random_.chance(20);
    }

    void integerOperation() {
        if (random_.chance(30)) {
            b_.emitTo(tempDest(pick(ints_), 1), Op::F2i, source(), {}, {}, Type::I32);
        } else if (random_.chance(40)) {
            pending_ = kNone;
            Op op = pick(std::array{Op::I2f, Op::I2f, Op::Slt, Op::Seq});
            Operand a = b_.tempOperand(pick(ints_)), c = b_.tempOperand(pick(ints_));
            b_.emitTo(destination(), op, a, op == Op::I2f ? Operand{} : c, {}, Type::I32);
            if (pending_ != kNone) floats_.push_back(pending_);
        } else {
            Op op = pick(kIntOps);
            Operand a = b_.tempOperand(pick(ints_)), c = literalInt(random_.below(8) - 2);
            if (random_.chance(50)) c = b_.tempOperand(pick(ints_));
            if (random_.chance(20)) a.negate = true;
            Operand third = op == Op::Mad ? b_.tempOperand(pick(ints_)) : Operand{};
            b_.emitTo(tempDest(pick(ints_), 1), op, a, op == Op::Mov ? Operand{} : c, third, Type::I32);
        }
    }

    Operand condition() {
        if (random_.chance(5)) return literal(random_.chance(50) ? 1.0f : 0.0f);
        if (random_.chance(20)) return source();
        Op op = pick(std::array{Op::Slt, Op::Sge, Op::Seq, Op::Sne});
        Operand x = b_.emit(1, op, source(), random_.chance(30) ? literal(0.0f) : source());
        if (random_.chance(20)) operation();  // may change what was compared
        return random_.chance(20) ? b_.emit(1, Op::Seq, x, literal(0.0f)) : x;
    }

    void block(int depth) {
        size_t visible = floats_.size();
        for (int n = depth == 0 ? left_ : 2 + random_.below(8); n > 0 && left_ > 0; n--) {
            int kind = random_.below(100);
            if (callable_ > 0 && depth < 3 && random_.chance(8))
                b_.call(static_cast<uint32_t>(random_.below(static_cast<int>(callable_))));
            if (kind < 12 && depth < 4)
                branch(depth);
            else if (kind < 19 && depth < 3)
                loop(depth);
            else if (kind < 20 && depth > 0)
                ret();
            else if (kind < 22 && b_.module().stage == isa::Stage::Fragment)
                kill();
            else if (kind < 26 && loops_ > 0)
                jump();
            else
                operation();
        }
        floats_.resize(visible);
    }

    void branch(int depth) {
        b_.beginIf(condition(), random_.chance(40));
        block(depth + 1);
        if (random_.chance(50)) {
            b_.beginElse();
            block(depth + 1);
        }
        b_.endIf();
    }

    void ret() {
        b_.beginIf(condition());
        size_t visible = floats_.size();
        operation();
        floats_.resize(visible);
        b_.ret();
        b_.endIf();
    }

    void kill() {
        if (random_.chance(50)) return b_.kil(condition(), random_.chance(70));
        b_.beginIf(condition(), random_.chance(70));
        b_.kil();
        b_.endIf();
    }

    void jump() {
        bool brk = random_.chance(60);
        if (random_.chance(50)) {
            Operand c = condition();
            bool negate = random_.chance(50);
            if (brk) return b_.brk(c, negate);
            b_.emitTo(tempDest(counter_, 1), Op::Add, b_.tempOperand(counter_), literal(1.0f));
            // The step must not happen twice when the jump is not taken.
            b_.cont();
            return;
        }
        b_.beginIf(condition(), random_.chance(50));
        if (!brk) b_.emitTo(tempDest(counter_, 1), Op::Add, b_.tempOperand(counter_), literal(1.0f));
        if (brk)
            b_.brk();
        else
            b_.cont();
        b_.endIf();
    }

    /// for (counter = start; counter < end; counter++), the end a literal or a small unknown.
    void loop(int depth) {
        uint32_t outerCounter = counter_;
        counter_ = b_.newTemp(1);
        b_.emitTo(tempDest(counter_, 1), Op::Mov, literal(static_cast<float>(random_.below(3))));
        Operand end = literal(static_cast<float>(1 + random_.below(5)));
        if (random_.chance(30)) end = b_.emit(1, Op::Min, literal(4.0f), absolute(component(source(), 0)));
        bool testFirst = random_.chance(70);
        auto leave = [&] { b_.brk(b_.emit(1, Op::Slt, b_.tempOperand(counter_), end), true); };
        auto count = [&] { b_.emitTo(tempDest(counter_, 1), Op::Add, b_.tempOperand(counter_), literal(1.0f)); };
        b_.beginLoop();
        if (testFirst) leave();
        if (!testFirst && random_.chance(50)) {
            count();
            leave();
            testFirst = true;
            count();
        }
        int outerLoops = loops_;
        loops_ = testFirst ? loops_ + 1 : 0;  // where the test comes last, a Cont might never leave
        floats_.push_back(counter_);
        block(depth + 1);
        std::erase(floats_, counter_);
        loops_ = outerLoops;
        count();
        if (!testFirst) leave();
        b_.endLoop();
        counter_ = outerCounter;
    }

    Random& random_;
    Builder b_;
    const uint32_t shared_, callable_;
    std::vector<uint32_t> outputs_;  ///< those that are written
    int left_;
    std::vector<uint32_t> floats_;     ///< temps that hold a float here
    std::vector<uint32_t> variables_;  ///< of those, the ones that are written again
    std::vector<uint32_t> ints_;
    uint32_t array_ = 0, indexTemp_ = kNone, counter_ = kNone, pending_ = kNone;
    int loops_ = 0;
};

}  // namespace

Result evaluateModule(const Module& module, const Inputs& inputs, std::vector<Assigned>* trace) {
    return Evaluator(module, module, inputs, trace).run();
}

std::array<float, 4> sampleTexture(int unit, isa::TextureTarget target, std::array<float, 4> coordinate, float lod,
                                   std::array<int8_t, 3> offset) {
    float third = isa::coordinateCount(target) >= 3 ? coordinate[2] : 0.25f;
    float n = static_cast<float>(unit);
    float moved = static_cast<float>(offset[0] * 32 + offset[1]);
    return {coordinate[0] * 0.5f + n, coordinate[1] - 0.25f + moved,
            coordinate[0] * coordinate[1] + third + coordinate[3], lod + n * third};
}

uint32_t Random::floatBits() {
    constexpr uint32_t kSpecialValues[] = {0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000,
                                           0xFF800000, 0x7FC00000, 0x00000001, 0x80012345, 0x7F7FFFFF};
    if (chance(15)) return kSpecialValues[below(10)];
    if (chance(30)) return std::bit_cast<uint32_t>(static_cast<float>(below(9) - 4) * 0.5f);
    return std::bit_cast<uint32_t>((static_cast<float>(next() >> 8) / 16777216.0f - 0.5f) * 8.0f);
}

Inputs randomInputs(Random& random) {
    Inputs result;
    auto fill = [&](auto& registers) {
        for (Register& r : registers)
            for (uint32_t& bits : r) bits = random.floatBits();
    };
    fill(result.inputs);
    fill(result.uniforms);
    return result;
}

Module randomModule(Random& random, isa::Stage stage, int size, int functions) {
    Module module;
    module.stage = stage;
    auto declare = [](const char* name, uint32_t reg, uint32_t count) {
        isa::Variable v;
        v.name = name;
        v.arraySize = static_cast<uint16_t>(count);
        v.reg = static_cast<uint16_t>(reg);
        return v;
    };
    if (stage == isa::Stage::Vertex) {
        module.attributes.push_back(declare("attributes", 0, kInputs));
        module.varyings.push_back(declare("varyings", 0, kOutputs - isa::kOutVarying0));
    } else {
        module.varyings.push_back(declare("varyings", 0, kInputs));
    }
    module.uniforms.push_back(declare("uniforms", 0, kUniforms));
    if (functions == 0) {
        Generator(random, module, size).run();
        return module;
    }
    constexpr uint32_t kShared = 5;
    for (int n = 0; n < functions; n++) {
        Module function;
        function.stage = stage;
        Generator(random, function, 4 + random.below(20), kShared, static_cast<uint32_t>(n)).run();
        module.functions.push_back(std::move(function));
    }
    module.sharedRegisters = kShared;
    Generator(random, module, size, kShared, static_cast<uint32_t>(functions)).run();
    return module;
}

}  // namespace tessera::glsl::ir::testing
