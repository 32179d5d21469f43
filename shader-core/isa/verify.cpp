// The verifier: what it accepts, every tier may run without further checks.
//
// Code is a sequence of routines: the main program, then subroutines. Each ends with the first unguarded `ret`
// outside every if and loop; within it if/else/endif and loop/endloop nest and their targets name each other.
// Calls go to the start of a subroutine, are not recursive, and the deepest chain of ifs, loops and calls fits
// the reconvergence stack.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "shader-core/isa/built_in_uniforms.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::isa {

namespace {

struct Call {
    size_t at = 0;
    int depth = 0;  ///< nesting inside the caller
    uint16_t target = 0;
};

struct Subroutine {
    size_t first = 0;
    int depth = 0;  ///< deepest own nesting
    std::vector<Call> calls;
    enum class Mark { Unvisited, Active, Done } mark = Mark::Unvisited;
    int totalDepth = 0;  ///< with callees
};

class Verifier {
public:
    explicit Verifier(const Program& program) : program_(program) {}

    std::string run() {
        if (program_.code.empty()) return "the program has no instruction; end it with ret";
        if (program_.code.size() > kMaxInstructions)
            return fmt::format("{} instructions, the limit is {}", program_.code.size(), kMaxInstructions);
        if (!program_.lines.empty() && program_.lines.size() != program_.code.size())
            return "the line table does not have one entry for each instruction";
        if (!declarations()) return reason_;
        if (!decodeAll()) return reason_;
        for (size_t i = 0; i < code_.size(); ++i)
            if (!operands(i)) return reason_;
        if (!controlFlow() || !calls()) return reason_;
        return {};
    }

private:
    bool fail(std::string why) {
        reason_ = std::move(why);
        return false;
    }
    template <class... Args>
    bool failAt(size_t instruction, fmt::format_string<Args...> text, Args&&... args) {
        return fail(fmt::format("instruction {}: ", instruction) + fmt::format(text, std::forward<Args>(args)...));
    }

    // --- Declarations ---

    /// The varyings that the pipeline clips and culls by (built_in_uniforms.h).
    static bool isDistances(const Variable& v) {
        return std::ranges::find(kDistanceVaryings, v.name) != std::end(kDistanceVaryings) &&
               v.type == VarType::Float && v.arraySize != 0;
    }

    /// Names are what the API finds variables by, and some have a meaning to it.
    bool names(const std::vector<Variable>& list, const char* what, bool uniforms) {
        std::set<std::string_view> known;
        for (const Variable& v : list) {
            if (!known.insert(v.name).second) return fail(fmt::format("{} {} is declared twice", what, v.name));
            if (!v.name.starts_with("gl_")) continue;
            if (&list == &program_.varyings && isDistances(v)) continue;
            if (uniforms && v.name == kViewIdUniform && v.type == VarType::UInt && v.arraySize == 0) continue;
            if (!uniforms || std::ranges::find(kDepthRangeUniforms, v.name) == std::end(kDepthRangeUniforms))
                return fail(fmt::format("{} {} has a name of the shading language's own", what, v.name));
            if (v.type != VarType::Float || v.arraySize != 0) return fail(fmt::format("{} must be a float", v.name));
        }
        return true;
    }

    bool variables(const std::vector<Variable>& list, const char* what, int registers, int units) {
        for (const Variable& v : list) {
            if (v.name.empty()) return fail(fmt::format("a {} has no name", what));
            const auto bad = [](char c) { return c <= ' ' || c > '~' || c == ',' || c == ';' || c == '/' || c == '"'; };
            if (std::any_of(v.name.begin(), v.name.end(), bad))
                return fail(fmt::format("a {} has a character in its name that GLSL does not allow", what));
            if (v.type > kLastVarType || v.precision > Precision::High)
                return fail(fmt::format("{} {}: no such type or precision", what, v.name));
            if (isSampler(v.type) && units == 0) return fail(fmt::format("{} {} cannot be a sampler", what, v.name));
            const bool isPacked =
                !isSampler(v.type) &&
                (&list == &program_.uniforms || (&list == &program_.varyings && program_.stage == Stage::Vertex));
            if (v.component > (isPacked ? 4 - componentCount(v.type) : 0))
                return fail(fmt::format("{} {} cannot start at component {}", what, v.name, v.component));
            const int limit = isSampler(v.type) ? units : registers;
            if (v.reg + registerCount(v) > limit)
                return fail(fmt::format("{} {} needs registers {} to {}, there are {}", what, v.name, v.reg,
                                        v.reg + registerCount(v) - 1, limit));
        }
        return true;
    }

    bool declarations() {
        if (program_.stage > Stage::Compute) return fail("no such stage");
        if (program_.tempCount > kMaxTemps)
            return fail(fmt::format("{} temporaries, the limit is {}", program_.tempCount, kMaxTemps));
        int constants = kMaxConstants;
        for (const UniformBlock& block : program_.blocks) constants = std::max(constants, block.reg + block.registers);
        if (constants > kMaxConstantRegisters)
            return fail(fmt::format("a uniform block ends beyond c{}", constants - 1));
        if (program_.constantCount > constants)
            return fail(fmt::format("{} constants, the limit is {}", program_.constantCount, constants));
        if (program_.stage != Stage::Vertex && !program_.attributes.empty())
            return fail("only vertex programs have attributes");
        if (program_.stage != Stage::Fragment && program_.broadcastColor)
            return fail("only fragment programs have colours to broadcast");
        if (program_.stage == Stage::Compute && !program_.varyings.empty())
            return fail("compute programs have no varyings");
        if (!computeDeclarations() || !blockDeclarations()) return false;
        if (!names(program_.attributes, "attribute", false) || !names(program_.varyings, "varying", false) ||
            !names(program_.uniforms, "uniform", true))
            return false;
        if (!variables(program_.attributes, "attribute", kMaxAttributes, 0)) return false;
        if (!variables(program_.varyings, "varying", kMaxVaryings, 0)) return false;
        if (!variables(program_.uniforms, "uniform", kMaxConstants, kMaxTextureUnits)) return false;
        for (const Variable& v : program_.uniforms)
            if (!isSampler(v.type) && v.reg + registerCount(v) > program_.constantCount)
                return fail(fmt::format("uniform {} lies beyond constant register {}", v.name, program_.constantCount));
        for (const Literal& literal : program_.literals)
            if (literal.reg >= program_.constantCount)
                return fail(
                    fmt::format("literal c{} lies beyond constant register {}", literal.reg, program_.constantCount));
        return true;
    }

    static bool isBadInName(char c) { return c <= ' ' || c > '~' || c == ',' || c == ';' || c == '/' || c == '"'; }

    bool blockDeclarations() {
        if (program_.stage == Stage::Compute && !program_.blocks.empty())
            return fail("compute programs have no uniform blocks");
        std::set<std::string_view> known;
        uint32_t registers = 0;
        for (const UniformBlock& block : program_.blocks) {
            if (block.name.empty() || std::ranges::any_of(block.name, isBadInName))
                return fail("a uniform block has no name, or one that GLSL does not allow");
            if (!known.insert(block.name).second) return fail(fmt::format("block {} is declared twice", block.name));
            if (block.reg + block.registers > program_.constantCount)
                return fail(
                    fmt::format("block {} lies beyond constant register {}", block.name, program_.constantCount));
            if (block.registers > 0 && (uint64_t{block.byteSize} + 15) / 16 != block.registers)
                return fail(
                    fmt::format("block {} of {} bytes has {} registers", block.name, block.byteSize, block.registers));
            // Blocks share no registers and members no bytes: there are no more than there is room for, and who goes
            // through all of them comes to an end.
            if ((registers += block.registers) > program_.constantCount)
                return fail(fmt::format("block {} has registers of another one", block.name));
            uint64_t words = 0;
            for (const BlockMember& member : block.members) {
                if (member.name.empty() || member.type > kLastVarType || isSampler(member.type) ||
                    member.precision > Precision::High || member.offset >= block.byteSize)
                    return fail(fmt::format("block {} has a member that cannot be", block.name));
                words += uint64_t{std::max<uint32_t>(member.arraySize, 1)} *
                         static_cast<uint64_t>(columnCount(member.type)) *
                         static_cast<uint64_t>(componentCount(member.type));
                if (words * 4 > block.byteSize)
                    return fail(
                        fmt::format("block {} has members of more than its {} bytes", block.name, block.byteSize));
            }
        }
        return true;
    }

    bool computeDeclarations() {
        if (program_.stage != Stage::Compute) {
            if (!program_.buffers.empty() || program_.sharedBytes != 0)
                return fail("only compute programs have buffers and shared memory");
            return true;
        }
        uint64_t threads = 1;
        for (const uint16_t size : program_.blockSize) threads *= size;
        if (threads == 0 || threads > kMaxThreadBlockThreads)
            return fail(fmt::format("a block of {} threads; it has 1 to {}", threads, kMaxThreadBlockThreads));
        if (program_.sharedBytes > kMaxSharedBytes)
            return fail(
                fmt::format("{} bytes of shared memory, the limit is {}", program_.sharedBytes, kMaxSharedBytes));
        for (const Buffer& buffer : program_.buffers) {
            if (buffer.slot >= kMaxBuffers) return fail(fmt::format("there is no buffer b{}", buffer.slot));
            const auto bad = [](char c) { return c <= ' ' || c > '~' || c == ',' || c == ';' || c == '/'; };
            if (buffer.name.empty() || std::any_of(buffer.name.begin(), buffer.name.end(), bad))
                return fail(fmt::format("buffer b{} has no name, or one with a blank, comma or slash", buffer.slot));
            if (slots_ >> buffer.slot & 1) return fail(fmt::format("b{} is declared twice", buffer.slot));
            slots_ |= 1u << buffer.slot;
            if (!buffer.constant) writable_ |= 1u << buffer.slot;
        }
        if (program_.sharedBytes != 0) {
            slots_ |= 1u << kSharedSlot;
            writable_ |= 1u << kSharedSlot;
        }
        for (const Variable& v : program_.uniforms)
            if (isSampler(v.type)) return fail("compute programs have no textures");
        return true;
    }

    // --- Instructions one by one ---

    bool decodeAll() {
        code_.reserve(program_.code.size());
        for (size_t i = 0; i < program_.code.size(); ++i) {
            const std::optional<Instruction> decoded = decode(program_.code[i]);
            if (!decoded) return failAt(i, "not an instruction");
            code_.push_back(*decoded);
        }
        return true;
    }

    bool declared(size_t at, File file, int index) {
        switch (file) {
            case File::R:
                return index < program_.tempCount || failAt(at, "r{} of {} temporaries", index, program_.tempCount);
            case File::C:
                return index < program_.constantCount ||
                       failAt(at, "c{} of {} constants", index, program_.constantCount);
            case File::V:
                if (!inputsOf(program_.stage).has(index)) return failAt(at, "v{} does not exist in this stage", index);
                return program_.inputMask.has(index) || failAt(at, "v{} is not in the input mask", index);
            case File::O:
                if (!outputsOf(program_.stage).has(index)) return failAt(at, "o{} does not exist in this stage", index);
                return program_.outputMask.has(index) || failAt(at, "o{} is not in the output mask", index);
            case File::S:
                if (!specialExists(program_.stage, index)) return failAt(at, "s{} does not exist in this stage", index);
                return program_.specialMask.has(index) || failAt(at, "s{} is not in the special mask", index);
            case File::A:
            case File::P:
            case File::I:
                return true;
        }
        return true;
    }

    bool operands(size_t at) {
        const Instruction& i = code_[at];
        const OpInfo& info = opInfo(i.op);
        if (program_.stage != Stage::Compute) {
            if (info.set == InstructionSet::Compute) return failAt(at, "{} is for compute programs", info.mnemonic);
            if (i.subsetWidth || i.subsetDepth) return failAt(at, "active subsets are for compute programs");
            if (i.iterations) return failAt(at, "loops with a number of iterations are for compute programs");
            for (const Source& s : i.src)
                if (s.snoop) return failAt(at, "snooping is for compute programs");
        }
        if (program_.stage == Stage::Compute && isTexture(info.shape))
            return failAt(at, "compute programs have no textures");
        if (program_.stage != Stage::Fragment && (i.op == Op::Kil || i.op == Op::Ddx || i.op == Op::Ddy))
            return failAt(at, "{} is for fragment programs", info.mnemonic);
        if (isMemory(info.shape) && !memory(at, i)) return false;
        if (hasDestination(info.shape) && !declared(at, i.dst.file, i.dst.index)) return false;
        for (int s = 0; s < sourceCount(info.shape); ++s)
            if (!declared(at, i.src[s].file, i.src[s].index)) return false;
        if (isTexture(info.shape) && !program_.samplerMask.has(i.textureUnit))
            return failAt(at, "t{} is not in the sampler mask", i.textureUnit);
        return true;
    }

    bool memory(size_t at, const Instruction& i) {
        if (!(slots_ >> i.slot & 1)) {
            if (i.slot == kSharedSlot)
                return failAt(at, "the program declares no shared memory; write .shared and its bytes");
            return failAt(at, "buffer b{0} is not declared; write .buffer b{0} name", i.slot);
        }
        if (i.op != Op::Ld && !(writable_ >> i.slot & 1))
            return failAt(at, "buffer b{} is constant; only ld may name it", i.slot);
        return true;
    }

    // --- Structure ---

    bool controlFlow() {
        struct Open {
            size_t at;
            bool isLoop, hasElse;
        };
        std::vector<Open> open;
        Subroutine routine;
        for (size_t at = 0; at < code_.size(); ++at) {
            const Instruction& i = code_[at];
            switch (i.op) {
                case Op::If:
                case Op::Loop:
                    open.push_back({at, i.op == Op::Loop, false});
                    if (open.size() > kMaxNesting) return failAt(at, "nested deeper than {}", kMaxNesting);
                    routine.depth = std::max(routine.depth, static_cast<int>(open.size()));
                    break;
                case Op::Else:
                    if (open.empty() || open.back().isLoop || open.back().hasElse) return failAt(at, "else without if");
                    if (code_[open.back().at].target != at)
                        return failAt(open.back().at, "the target must be its else, instruction {}", at);
                    open.back() = {at, false, true};
                    break;
                case Op::Endif:
                    if (open.empty() || open.back().isLoop) return failAt(at, "endif without if");
                    if (code_[open.back().at].target != at)
                        return failAt(open.back().at, "the target must be its endif, instruction {}", at);
                    open.pop_back();
                    break;
                case Op::Endloop:
                    if (open.empty() || !open.back().isLoop) return failAt(at, "endloop without loop");
                    if (code_[open.back().at].target != at)
                        return failAt(open.back().at, "the target must be its endloop, instruction {}", at);
                    if (i.target != open.back().at)
                        return failAt(at, "the target must be its loop, instruction {}", open.back().at);
                    open.pop_back();
                    break;
                case Op::Brk:
                case Op::Cont: {
                    const auto loop = std::find_if(open.rbegin(), open.rend(), [](const Open& o) { return o.isLoop; });
                    if (loop == open.rend()) return failAt(at, "{} outside a loop", opInfo(i.op).mnemonic);
                    if (i.target != code_[loop->at].target)
                        return failAt(at, "the target must be the endloop of the innermost loop, instruction {}",
                                      code_[loop->at].target);
                    break;
                }
                case Op::Call:
                    routine.calls.push_back({at, static_cast<int>(open.size()), i.target});
                    break;
                case Op::Ret:
                    if (i.guard == 0 && open.empty()) {
                        const size_t next = at + 1;
                        routines_.push_back(std::move(routine));
                        routine = {};
                        routine.first = next;
                    }
                    break;
                default:
                    break;
            }
        }
        if (!open.empty())
            return failAt(open.back().at, "{} without {}", opInfo(code_[open.back().at].op).mnemonic,
                          open.back().isLoop ? "endloop" : "endif");
        if (routine.first != code_.size())
            return failAt(code_.size() - 1, "the program must end in an unguarded ret outside every if and loop");
        return true;
    }

    bool calls() {
        for (size_t r = 0; r < routines_.size(); ++r) starts_[routines_[r].first] = r;
        // Subroutines that nothing calls are checked as well: no tier has to prove them unreachable.
        for (size_t r = 0; r < routines_.size(); ++r)
            if (!visit(r, 0)) return false;
        return true;
    }

    bool visit(size_t number, int chain) {
        Subroutine& routine = routines_[number];
        if (routine.mark == Subroutine::Mark::Done) return true;
        routine.mark = Subroutine::Mark::Active;
        routine.totalDepth = routine.depth;
        for (const Call& call : routine.calls) {
            const auto start = starts_.find(call.target);
            if (start == starts_.end() || start->second == 0)
                return failAt(call.at, "call to instruction {}, which does not start a subroutine", call.target);
            if (routines_[start->second].mark == Subroutine::Mark::Active) return failAt(call.at, "recursive call");
            if (chain + 1 > kMaxNesting) return failAt(call.at, "nested deeper than {}", kMaxNesting);
            if (!visit(start->second, chain + 1)) return false;
            routine.totalDepth = std::max(routine.totalDepth, call.depth + 1 + routines_[start->second].totalDepth);
            if (routine.totalDepth > kMaxNesting)
                return failAt(call.at, "ifs, loops and calls nest deeper than {}", kMaxNesting);
        }
        routine.mark = Subroutine::Mark::Done;
        return true;
    }

    const Program& program_;
    std::vector<Instruction> code_;
    std::vector<Subroutine> routines_;
    std::map<size_t, size_t> starts_;
    std::string reason_;
    uint32_t slots_ = 0, writable_ = 0;  ///< of memory: declared, and not constant
};

}  // namespace

std::string verify(const Program& program) { return Verifier(program).run(); }

}  // namespace tessera::isa
