// IR to ISA: legalized instructions with registers become instruction words.
//
// Conditions live in predicate p1 from the instruction before their use to the use. An If whose arms are a few
// plain instructions is not branched over: each carries the condition as its guard. Indices go through a0.x, which
// is loaded again only after it, the index, or the control flow changed.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <span>

#include "base/check.h"
#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/emit/allocate.h"
#include "shader-core/glsl/ir/emit/legalize.h"
#include "shader-core/glsl/ir/emit/locate_variables.h"
#include "shader-core/glsl/ir/ir.h"

namespace tessera::glsl::ir {

namespace {

constexpr uint8_t kConditionPredicate = 1;
constexpr uint32_t kMaxGuarded = 6;  ///< instructions in the arms of an If that become guarded

/// Registers of uniforms, and of blocks among those that a word can name; literals lie behind them.
uint32_t uniformRegisters(const Module& module) {
    uint32_t count = 0;
    for (const isa::Variable& u : module.uniforms)
        if (!isa::isSampler(u.type))
            count = std::max(count, u.reg + std::max<uint32_t>(u.arraySize, 1) * isa::columnCount(u.type));
    for (const isa::UniformBlock& block : module.blocks)
        if (block.reg < isa::kMaxConstants) count = std::max<uint32_t>(count, block.reg + block.registers);
    const std::vector<bool> used = usage(module).uniformSlots;
    const auto isFar = [&](uint32_t slot) {
        return std::ranges::any_of(module.blocks, [&](const isa::UniformBlock& b) {
            return b.reg >= isa::kMaxConstants && slot >= b.reg && slot - b.reg < b.registers;
        });
    };
    for (uint32_t i = count; i < used.size(); i++)
        if (used[i] && !isFar(i)) count = i + 1;
    return count;
}

/// Numbers of functions with each behind all that call it; 0 is the main program, which is first. Functions that nobody
/// calls are left out.
std::vector<size_t> callersFirst(const Module& module) {
    const auto codeOf = [&](size_t number) -> const std::vector<Instruction>& {
        return number == 0 ? module.code : module.functions[number - 1].code;
    };
    std::vector<size_t> order;
    std::vector<bool> visited(module.functions.size() + 1);
    const auto visit = [&](const auto& self, size_t number) -> void {
        visited[number] = true;
        for (const Instruction& i : codeOf(number))
            if (i.op == Op::Call && !visited[i.function + 1]) self(self, i.function + size_t{1});
        order.push_back(number);
    };
    visit(visit, 0);
    std::ranges::reverse(order);
    return order;
}

/// The ISA's limits, which modules before linking need not keep. Empty when kept. `depthOf`: of each function, with
/// what it calls.
std::string limitProblem(const Module& module, std::span<const int> depthOf, int& deepest) {
    int depth = 0;
    deepest = 0;
    for (const Instruction& i : module.code) {
        auto exceeds = [](const auto& r, Kind kind, uint32_t limit) {
            return r.kind == kind && (r.index >= limit || (r.relative != kNone && r.arrayFirst + r.arrayCount > limit));
        };
        std::string problem;
        forEachSource(i, [&](const Operand& o, uint8_t) {
            if (exceeds(o, Kind::Input, isa::kMaxInputs)) problem = "too many input registers";
            if (exceeds(o, Kind::Output, isa::kMaxOutputs)) problem = "too many output registers";
        });
        if (writesResult(i.op) && exceeds(i.dst, Kind::Output, isa::kMaxOutputs)) problem = "too many output registers";
        if (isTextureOp(i.op) && i.sampler >= isa::kMaxTextureUnits) problem = "too many texture units";
        if (!problem.empty()) return problem;
        if (i.op == Op::If || i.op == Op::Loop) deepest = std::max(deepest, ++depth);
        if (i.op == Op::Call) deepest = std::max(deepest, depth + 1 + depthOf[i.function + 1]);
        if (i.op == Op::Endif || i.op == Op::Endloop) depth--;
    }
    if (deepest > isa::kMaxNesting)
        return fmt::format("control flow nested too deeply ({}, limit {})", deepest, isa::kMaxNesting);
    return {};
}

std::string limitProblem(const Module& module, uint32_t uniforms, std::span<const size_t> order) {
    if (uniforms > isa::kMaxConstants)
        return fmt::format("too many uniform registers ({}, limit {})", uniforms, isa::kMaxConstants);
    std::vector<int> depthOf(module.functions.size() + 1);
    for (size_t k = order.size(); k-- > 0;) {
        const Module& function = order[k] == 0 ? module : module.functions[order[k] - 1];
        if (std::string problem = limitProblem(function, depthOf, depthOf[order[k]]); !problem.empty()) return problem;
    }
    return {};
}

class IrToIsa {
public:
    IrToIsa(const Legalized& legalized, const Allocation& allocation)
        : module_(legalized.module),
          legalized_(legalized),
          allocation_(allocation),
          partner_(matchControl(legalized.module)),
          wordOf_(legalized.module.code.size(), 0),
          firstWord_(legalized.module.code.size() + 1, 0),
          isGuarded_(legalized.module.code.size()) {}

    void run() {
        for (uint32_t n = 0; n < module_.code.size(); n++) instruction(n);
        firstWord_.back() = static_cast<uint32_t>(code_.size());
        if (code_.empty() || code_.back().op != Op::Ret) push({.op = Op::Ret}, module_.endLine);
        // What a pass added on its own belongs to the line before it.
        uint32_t before = module_.endLine;
        for (uint32_t& line : lines_) before = line = line != 0 ? line : before;
    }

    /// Behind the code of other functions. `starts`: where each function begins.
    void append(isa::Program& program, std::span<const size_t> starts) {
        const size_t start = program.code.size();
        for (const auto& [word, control] : fixups_)
            code_[word].target = static_cast<uint16_t>(start + wordOf_[control]);
        for (const auto& [word, function] : calls_) code_[word].target = static_cast<uint16_t>(starts[function + 1]);
        for (const isa::Instruction& i : code_) program.code.push_back(isa::encode(i));
        program.lines.insert(program.lines.end(), lines_.begin(), lines_.end());
        for (uint32_t& word : firstWord_) word += static_cast<uint32_t>(start);
        const auto end = static_cast<uint32_t>(program.code.size());
        addVariables(program,
                     locateVariables(module_, allocation_, legalized_.writesPredicate, firstWord_, isGuarded_, end));
    }

    [[nodiscard]] size_t size() const { return code_.size(); }

private:
    /// Those of the whole shader are known in each function that names them.
    static void addVariables(isa::Program& program, const std::shared_ptr<const isa::DebugInfo>& more) {
        if (more == nullptr) return;
        if (program.debugInfo == nullptr) {
            program.debugInfo = more;
            return;
        }
        auto all = std::make_shared<isa::DebugInfo>(*program.debugInfo);
        for (const isa::DebugVariable& variable : more->variables) {
            const auto known = std::ranges::find_if(all->variables, [&](const isa::DebugVariable& one) {
                return one.function.empty() && variable.function.empty() && one.name == variable.name;
            });
            if (known == all->variables.end()) {
                all->variables.push_back(variable);
                continue;
            }
            known->ranges.insert(known->ranges.end(), variable.ranges.begin(), variable.ranges.end());
            std::ranges::stable_sort(known->ranges, {}, [](const auto& range) { return range.component; });
        }
        program.debugInfo = std::move(all);
    }

    void push(const isa::Instruction& i, uint32_t line) {
        code_.push_back(i);
        lines_.push_back(line);
    }

    // Operands

    static isa::File fileOf(Kind kind) {
        switch (kind) {
            case Kind::Temp:
            case Kind::Shared:
                return isa::File::R;
            case Kind::Input:
                return isa::File::V;
            case Kind::Output:
                return isa::File::O;
            case Kind::Uniform:
                return isa::File::C;
            case Kind::Special:
                return isa::File::S;
            case Kind::Literal:
                return isa::File::I;
            case Kind::Table:
            case Kind::None:
                break;
        }
        UNREACHABLE("an operand that is no register");
    }

    /// Position `slot` of the operand, as a component of the physical register.
    [[nodiscard]] int physical(const Operand& o, int slot) const {
        int c = isa::swizzleAt(o.swizzle, slot);
        return o.kind == Kind::Temp ? allocation_.temps[o.index].component[c] : c;
    }

    /// `slotFor[i]` is the position of the IR operand that position i of the word takes; -1 where nothing is read.
    isa::Source source(const Operand& o, const std::array<int, 4>& slotFor) const {
        isa::Source s;
        s.file = fileOf(o.kind);
        s.negate = o.negate;
        s.absolute = o.absolute;
        if (o.kind == Kind::Literal) return s;
        s.index = static_cast<uint16_t>(o.kind == Kind::Temp ? allocation_.temps[o.index].reg : o.index);
        s.relative = o.relative != kNone;
        uint8_t slots = 0;
        int at[4] = {};
        for (int i = 0; i < 4; i++) {
            if (slotFor[i] < 0) continue;
            slots |= static_cast<uint8_t>(1 << i);
            at[i] = physical(o, slotFor[i]);
        }
        s.swizzle = tidySwizzle(isa::makeSwizzle(at[0], at[1], at[2], at[3]), slots);
        return s;
    }

    void loadIndex(const Instruction& i, uint32_t line) {
        uint32_t temp = kNone;
        uint8_t component = 0;
        forEachIndex(i, [&](uint32_t t, uint8_t c) {
            CHECK(temp == kNone || (temp == t && component == c));  // legalize() leaves one
            temp = t;
            component = c;
        });
        if (temp == kNone || (temp == loadedTemp_ && component == loadedComponent_)) return;
        isa::Instruction load{.op = Op::Mov, .type = Type::I32};
        load.dst = {.file = isa::File::A, .index = 0, .writeMask = 1};
        const Placement& p = allocation_.temps[temp];
        load.src[0].index = p.reg;
        load.src[0].swizzle = isa::broadcast(p.component[component]);
        push(load, line);
        loadedTemp_ = temp;
        loadedComponent_ = component;
    }

    void forgetIndexIfWritten(const Dest& d) {
        if (loadedTemp_ == kNone || d.kind != Kind::Temp) return;
        bool sameArray = d.relative != kNone && module_.temps[d.index].array == module_.temps[loadedTemp_].array;
        if (sameArray || (d.index == loadedTemp_ && d.writeMask >> loadedComponent_ & 1)) loadedTemp_ = kNone;
    }

    // Instructions

    void compute(uint32_t n) {
        const Instruction& i = module_.code[n];
        isa::Instruction w{.op = i.op, .type = i.type, .saturate = i.saturate};
        bool predicate = legalized_.writesPredicate[n];
        std::array<int, 4> positionOf{0, 1, 2, 3};  // destination component of the word -> of the IR
        if (predicate) {
            w.dst = {.file = isa::File::P, .index = kConditionPredicate, .writeMask = 1};
            positionOf = {std::countr_zero(i.dst.writeMask), -1, -1, -1};
        } else if (i.dst.kind == Kind::Temp) {
            const Placement& p = allocation_.temps[i.dst.index];
            w.dst = {.file = isa::File::R, .index = p.reg, .writeMask = 0};
            positionOf = {-1, -1, -1, -1};
            for (int c = 0; c < 4; c++) {
                if (!(i.dst.writeMask >> c & 1)) continue;
                w.dst.writeMask |= static_cast<uint8_t>(1 << p.component[c]);
                positionOf[p.component[c]] = c;
            }
        } else {
            w.dst = {
                .file = fileOf(i.dst.kind), .index = static_cast<uint16_t>(i.dst.index), .writeMask = i.dst.writeMask};
            for (int c = 0; c < 4; c++)
                if (!(i.dst.writeMask >> c & 1)) positionOf[c] = -1;
        }
        if (!predicate) w.dst.relative = i.dst.relative != kNone;
        for (int s = 0; s < sourceCountOf(i.op); s++) {
            std::array<int, 4> slots = positionOf;
            if (formOf(i.op) != Form::ComponentWise)
                for (int c = 0; c < 4; c++) slots[c] = slotsRead(i, s) >> c & 1 ? c : -1;
            w.src[s] = source(i.src[s], slots);
            if (i.src[s].kind == Kind::Literal) w.immediate = i.src[s].literal[0];
        }
        if (isTextureOp(i.op)) {
            w.textureUnit = static_cast<uint8_t>(i.sampler);
            w.textureTarget = i.target;
            w.texelOffset = i.texelOffset;
            w.textureRelative = i.samplerRelative != kNone;
        }
        if (movesNothing(w)) return;
        loadIndex(i, i.line);
        w.guard = guard_;
        w.guardNegate = guardNegate_;
        push(w, i.line);
        if (!predicate) forgetIndexIfWritten(i.dst);
    }

    static bool movesNothing(const isa::Instruction& w) {
        if (w.op != Op::Mov || w.saturate || w.dst.file != isa::File::R || w.src[0].file != isa::File::R) return false;
        if (w.dst.relative || w.src[0].relative || w.dst.index != w.src[0].index) return false;
        if (w.src[0].negate || w.src[0].absolute) return false;
        for (int c = 0; c < 4; c++)
            if (w.dst.writeMask >> c & 1 && isa::swizzleAt(w.src[0].swizzle, c) != c) return false;
        return true;
    }

    /// Brings the condition into p1 unless the comparison in front of it did.
    void condition(uint32_t n) {
        const Instruction& i = module_.code[n];
        if (n > 0 && legalized_.writesPredicate[n - 1]) return;
        isa::Instruction w;
        w.dst = {.file = isa::File::P, .index = kConditionPredicate, .writeMask = 1};
        if (i.condition.kind == Kind::Literal) {
            bool holds = (i.condition.literal[isa::swizzleAt(i.condition.swizzle, 0)] & 0x7FFFFFFF) != 0;
            w.op = Op::Mov;
            w.src[0].file = isa::File::I;
            w.immediate = holds ? 0x3F800000 : 0;
        } else {
            w.op = Op::Sne;
            w.src[0] = source(i.condition, {0, -1, -1, -1});
            w.src[1].file = isa::File::I;
            w.immediate = 0;
            loadIndex(i, i.line);
        }
        push(w, i.line);
    }

    void control(uint32_t n, uint32_t target) {
        const Instruction& i = module_.code[n];
        isa::Instruction w{.op = i.op};
        if (i.condition.kind != Kind::None) {
            condition(n);
            w.guard = kConditionPredicate;
            w.guardNegate = i.conditionNegate;
        } else if (guard_ != 0) {
            w.guard = guard_;
            w.guardNegate = guardNegate_;
        }
        wordOf_[n] = static_cast<uint32_t>(code_.size());
        if (target != kNone) fixups_.emplace_back(static_cast<uint32_t>(code_.size()), target);
        push(w, i.line);
    }

    /// Can the arms of the If carry its condition as a guard?
    [[nodiscard]] bool canGuard(uint32_t n) const {
        uint32_t end = partner_[n];
        if (module_.code[end].op == Op::Else) end = partner_[end];
        if (end - n - 1 > kMaxGuarded + 1) return false;
        for (uint32_t k = n + 1; k < end; k++) {
            const Instruction& i = module_.code[k];
            if (i.op == Op::Else && k == partner_[n]) continue;
            bool jump = (i.op == Op::Brk || i.op == Op::Cont || i.op == Op::Kil) && i.condition.kind == Kind::None;
            bool plain = writesResult(i.op) && !isTextureOp(i.op) && i.op != Op::Ddx && i.op != Op::Ddy;
            if (!(plain || jump) || legalized_.writesPredicate[k]) return false;
        }
        return true;
    }

    void guarded(uint32_t n) {
        condition(n);
        guard_ = kConditionPredicate;
        guardNegate_ = module_.code[n].conditionNegate;
        uint32_t middle = partner_[n];
        uint32_t end = module_.code[middle].op == Op::Else ? partner_[middle] : middle;
        isGuarded_[n] = true;
        for (uint32_t k = n + 1; k < end; k++) {
            firstWord_[k] = static_cast<uint32_t>(code_.size());
            if (k == middle)
                guardNegate_ = !guardNegate_;
            else
                instruction(k);
        }
        firstWord_[end] = static_cast<uint32_t>(code_.size());
        guard_ = 0;
        guardNegate_ = false;
        skipTo_ = end + 1;
    }

    void instruction(uint32_t n) {
        if (n < skipTo_) return;
        firstWord_[n] = static_cast<uint32_t>(code_.size());
        const Instruction& i = module_.code[n];
        if (writesResult(i.op)) return compute(n);
        switch (i.op) {
            case Op::If:
                if (canGuard(n)) return guarded(n);
                control(n, partner_[n]);
                break;
            case Op::Loop:
                loadedTemp_ = kNone;
                control(n, partner_[n]);
                break;
            case Op::Else:
                control(n, partner_[n]);
                break;
            case Op::Endif:
                control(n, kNone);
                break;
            case Op::Endloop:
                control(n, partner_[n]);
                break;
            case Op::Brk:
            case Op::Cont:
                control(n, partner_[partner_[n]]);
                break;
            case Op::Call:
                calls_.emplace_back(static_cast<uint32_t>(code_.size()), i.function);
                control(n, kNone);
                loadedTemp_ = kNone;
                break;
            default:
                control(n, kNone);
                break;
        }
        if (i.op == Op::Else || i.op == Op::Endif || i.op == Op::Endloop) loadedTemp_ = kNone;
    }

    const Module& module_;
    const Legalized& legalized_;
    const Allocation& allocation_;
    std::vector<uint32_t> partner_, wordOf_;
    std::vector<uint32_t> firstWord_;                    ///< of each instruction, and behind the last
    std::vector<bool> isGuarded_;                        ///< Ifs that are guards
    std::vector<std::pair<uint32_t, uint32_t>> fixups_;  ///< word, control instruction it targets
    std::vector<std::pair<uint32_t, uint32_t>> calls_;   ///< word, function
    std::vector<isa::Instruction> code_;
    std::vector<uint32_t> lines_;
    uint32_t loadedTemp_ = kNone;  ///< whose component a0.x holds
    uint8_t loadedComponent_ = 0;
    uint8_t guard_ = 0;
    bool guardNegate_ = false;
    uint32_t skipTo_ = 0;
};

/// Shared registers come first, then those of the main program. A function's registers lie behind those of all that
/// call it: as none calls itself, a call keeps the caller's without a stack.
std::string allocate(const Module& module, const LegalizedShader& legalized, std::span<const size_t> order,
                     std::vector<Allocation>& allocations, uint32_t& registers) {
    allocations.resize(legalized.functions.size());
    std::vector<uint32_t> first(legalized.functions.size(), module.sharedRegisters);
    registers = module.sharedRegisters;
    for (const size_t number : order) {
        const Module& function = legalized.functions[number].module;
        Allocation& allocation = allocations[number];
        allocation = allocateRegisters(function);
        if (!allocation.error.empty()) return allocation.error;
        allocation.registers += first[number];
        for (Placement& placement : allocation.temps) placement.reg += static_cast<uint16_t>(first[number]);
        for (const Instruction& i : function.code)
            if (i.op == Op::Call) first[i.function + 1] = std::max(first[i.function + 1], allocation.registers);
        registers = std::max(registers, allocation.registers);
        if (registers > isa::kMaxTemps)
            return fmt::format("too many temporaries ({}, limit {})", registers, isa::kMaxTemps);
    }
    return {};
}

}  // namespace

EmitResult emit(const Module& module) {
    EmitResult result;
    isa::Program& program = result.program;
    uint32_t uniforms = uniformRegisters(module);
    const std::vector<size_t> order = callersFirst(module);
    result.error = limitProblem(module, uniforms, order);
    if (!result.error.empty()) return result;

    const LegalizedShader legalized = legalize(module, uniforms);
    std::vector<Allocation> allocations;
    uint32_t registers = 0;
    result.error = allocate(module, legalized, order, allocations, registers);
    if (!result.error.empty()) return result;

    program.stage = module.stage;
    program.source = module.source;
    program.literals = legalized.literals;
    program.attributes = module.attributes;
    program.varyings = module.varyings;
    program.uniforms = module.uniforms;
    program.outputs = module.outputs;
    program.blocks = module.blocks;
    std::vector<IrToIsa> functions;
    std::vector<size_t> starts(legalized.functions.size());
    size_t words = 0;
    functions.reserve(order.size());
    for (const size_t number : order) {
        IrToIsa& function = functions.emplace_back(legalized.functions[number], allocations[number]);
        function.run();
        starts[number] = words;
        words += function.size();
    }
    if (words > isa::kMaxInstructions) {
        result.error = fmt::format("too many instructions ({}, limit {})", words, isa::kMaxInstructions);
        return result;
    }
    program.code.reserve(words);
    for (IrToIsa& function : functions) function.append(program, starts);
    program.tempCount = static_cast<uint16_t>(registers);  // an index may reach the last of them
    isa::deriveUsage(program);
#ifdef TESSERA_VERIFY_IR
    if (std::string problem = isa::verify(program); !problem.empty()) UNREACHABLE(problem);
#endif
    return result;
}

}  // namespace tessera::glsl::ir
