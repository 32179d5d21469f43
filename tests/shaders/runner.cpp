// From a case to a group run: build the program, place the values by name, run, compare lane by lane.
#include "tests/shaders/runner.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "shader-core/asm/assembler.h"
#include "shader-core/glsl/glsl.h"
#include "tests/shaders/pattern_textures.h"

namespace tessera::shadertest {

namespace {

constexpr int kMaxShownMismatches = 4;

struct Build {
    std::shared_ptr<isa::Program> program;
    std::string log;  ///< why there is none
};

Build buildAssembly(const Case& test, const Source& source) {
    assembly::AssembleResult result = assembly::assemble(source.text, test.file);
    if (!result.program) {
        for (assembly::Diagnostic& d : result.errors) d.line += source.line - 1;
        return {nullptr, result.log()};
    }
    return {std::make_shared<isa::Program>(std::move(*result.program)), {}};
}

Build buildGlsl(const Case& test, isa::Stage stage, const glsl::Limits& limits) {
    std::shared_ptr<const glsl::Shader> shaders[2];
    for (const isa::Stage s : {isa::Stage::Vertex, isa::Stage::Fragment}) {
        const Source& source = s == isa::Stage::Vertex ? test.vertex : test.fragment;
        if (!source.present) continue;
        glsl::CompileResult result = glsl::compile(s, source.text, limits);
        if (result.shader == nullptr) return {nullptr, result.infoLog};
        shaders[static_cast<int>(s)] = std::move(result.shader);
    }
    const glsl::LinkResult linked = shaders[0] != nullptr && shaders[1] != nullptr
                                        ? glsl::link(*shaders[0], *shaders[1], {}, limits)
                                        : glsl::linkSingle(*(shaders[0] != nullptr ? shaders[0] : shaders[1]), limits);
    if (!linked.ok) return {nullptr, linked.infoLog};
    return {stage == isa::Stage::Vertex ? linked.vertex : linked.fragment, {}};
}

/// A register and component that a value of a statement goes to or comes from.
struct Place {
    int reg = 0;
    isa::VarType type = isa::VarType::Vec4;
};

class Run {
public:
    Run(const Case& test, const Way& way) : test_(test), way_(way) {}

    std::vector<std::string> run() {
        stage_ = test_.stage.value_or(test_.fragment.present ? isa::Stage::Fragment : isa::Stage::Vertex);
        const Source& source = stage_ == isa::Stage::Vertex ? test_.vertex : test_.fragment;
        if (!source.present) {
            fail(test_.line, "the stage to run has no program");
            return std::move(failures_);
        }
        text_ = test_.vertex.text + test_.fragment.text;
        const Build build = source.glsl ? buildGlsl(test_, stage_, way_.limits) : buildAssembly(test_, source);
        if (test_.expectedError) {
            expectError(build);
            return std::move(failures_);
        }
        if (build.program == nullptr) {
            fail(source.line, "does not build:\n" + build.log);
            return std::move(failures_);
        }
        if (const std::string why = isa::verify(*build.program); !why.empty()) {
            fail(source.line, "the program does not verify: " + why);
            return std::move(failures_);
        }
        program_ = build.program;
        execute();
        return std::move(failures_);
    }

private:
    void fail(int line, const std::string& what) {
        failures_.push_back(fmt::format("{}:{}: case {} [{}]: {}", test_.file, line, test_.name, way_.name, what));
    }

    void expectError(const Build& build) {
        if (build.program != nullptr)
            fail(test_.errorLine, "the program was expected to be refused");
        else if (build.log.find(*test_.expectedError) == std::string::npos)
            fail(test_.errorLine, fmt::format("the log lacks '{}':\n{}", *test_.expectedError, build.log));
    }

    void execute() {
        lanes_ = 1;
        for (const Values& v : test_.inputs) lanes_ = std::max(lanes_, static_cast<int>(v.lanes.size()));
        for (const Expectation& e : test_.expectations)
            lanes_ = std::max(lanes_, static_cast<int>(e.values.lanes.size()));
        const uint32_t all = lanes_ == 32 ? ~0u : (1u << lanes_) - 1;

        // What the program does not declare holds what it must never see.
        constants_.resize(std::max<size_t>(isa::kMaxConstants, program_->constantCount));
        const auto undeclared = constants_.begin() + static_cast<ptrdiff_t>(program_->constantCount);
        std::memset(static_cast<void*>(std::to_address(undeclared)), 0xCD,
                    static_cast<size_t>(constants_.end() - undeclared) * sizeof constants_[0]);
        for (int i = 0; i < isa::kMaxInputs; ++i)
            if (!program_->inputMask.has(i)) std::memset(static_cast<void*>(inputs_ + i), 0xCD, sizeof inputs_[i]);
        for (const isa::Literal& literal : program_->literals)
            std::memcpy(constants_[literal.reg].data(), literal.bits.data(), sizeof literal.bits);
        std::memset(static_cast<void*>(outputs_), 0xCD, sizeof outputs_);
        for (const Values& v : test_.inputs) input(v);
        for (const Values& v : test_.uniforms) uniform(v);
        for (const Texture& t : test_.textures) texture(t);
        if (!failures_.empty()) return;

        isa::GroupRun group;
        group.activeMask = test_.active.value_or(all);
        group.helperMask = test_.helper;
        group.inputs = inputs_;
        group.outputs = outputs_;
        group.specials = specials_;
        group.constants = reinterpret_cast<const float(*)[4]>(constants_.data());
        group.textures = &textures_;
        group.budget = test_.budget;
        const auto routine = way_.executor->prepare(program_);
        if (routine == nullptr) return;
        routine->run(group);
        if (group.budgetExceeded != test_.expectBudget) {
            fail(test_.line,
                 group.budgetExceeded ? "the instruction budget ran out" : "the budget should have run out");
            return;
        }
        if (group.budgetExceeded) return;
        compared_ = group.activeMask & ~group.helperMask;
        for (const Expectation& e : test_.expectations)
            if (e.values.name == "discard") compareDiscard(e, group.killMask);
        compared_ &= ~group.killMask;
        for (const Expectation& e : test_.expectations)
            if (e.values.name != "discard") compare(e);
    }

    // --- Names to registers ---

    /// "v3" with letter 'v' is 3.
    static std::optional<int> registerNumber(const std::string& name, char letter, int count) {
        if (name.size() < 2 || name.size() > 4 || name[0] != letter) return std::nullopt;
        if (name.find_first_not_of("0123456789", 1) != std::string::npos) return std::nullopt;
        const int number = std::stoi(name.substr(1));
        return number < count ? std::optional(number) : std::nullopt;
    }

    /// A variable by its name, or an element of one that is an array.
    static std::optional<Place> variable(const std::vector<isa::Variable>& list, const std::string& name) {
        for (const isa::Variable& v : list) {
            if (v.name == name) return Place{v.reg, v.type};
            if (v.arraySize == 0 || !name.starts_with(v.name + "[") || !name.ends_with("]")) continue;
            const std::string index = name.substr(v.name.size() + 1, name.size() - v.name.size() - 2);
            if (index.empty() || index.size() > 4 || index.find_first_not_of("0123456789") != std::string::npos)
                continue;
            const int element = std::stoi(index);
            if (element >= v.arraySize) continue;
            const int stride = isa::isSampler(v.type) ? 1 : isa::columnCount(v.type);
            return Place{v.reg + element * stride, v.type};
        }
        return std::nullopt;
    }

    /// Compilers drop variables that cannot matter; a name that is not even in the text is a mistake.
    bool droppedByCompiler(const std::string& name) const {
        return text_.find(name.substr(0, name.find_first_of("[."))) != std::string::npos;
    }

    // --- Values into registers ---

    static uint32_t bitsOf(const Number& n, isa::VarType type) {
        if (n.bits) return *n.bits;
        if (const isa::Scalar scalar = isa::scalarOf(type); scalar == isa::Scalar::Int || scalar == isa::Scalar::UInt)
            return static_cast<uint32_t>(static_cast<int64_t>(n.value));
        if (std::isnan(n.value)) return 0x7fc00000u;
        return __builtin_bit_cast(uint32_t, static_cast<float>(n.value));
    }

    /// Calls `place(register, component, number)` for the values of one lane, in GL's column-major order.
    template <class Function>
    bool spread(const Values& v, const std::vector<Number>& lane, Place where, Function&& place) {
        if (!v.components.empty()) {
            if (lane.size() != v.components.size()) return false;
            for (size_t k = 0; k < lane.size(); ++k)
                place(where.reg, static_cast<int>(std::string_view("xyzw").find(v.components[k])), lane[k]);
            return true;
        }
        const size_t rows = static_cast<size_t>(isa::componentCount(where.type));
        for (size_t k = 0; k < lane.size(); ++k)
            place(where.reg + static_cast<int>(k / rows), static_cast<int>(k % rows), lane[k]);
        return true;
    }

    void input(const Values& v) {
        isa::GroupRegister* file = inputs_;
        const auto& list = stage_ == isa::Stage::Vertex ? program_->attributes : program_->varyings;
        std::optional<Place> where = variable(list, v.name);
        if (!where)
            if (const auto number = registerNumber(v.name, 'v', isa::kMaxInputs)) where = Place{*number};
        if (!where) {
            file = specials_;
            if (v.name == "gl_FragCoord" || v.name == "frag_coord") where = Place{0};
            if (v.name == "gl_FrontFacing" || v.name == "front_facing") where = Place{1};
            if (v.name == "gl_InstanceID") where = Place{4, isa::VarType::IVec2};  // and gl_VertexID
            if (v.name == "gl_PointCoord" || v.name == "point_coord") where = Place{2, isa::VarType::Vec2};
        }
        if (!where) {
            if (!droppedByCompiler(v.name)) fail(v.line, "no input " + v.name);
            return;
        }
        if (v.lanes.size() != 1 && static_cast<int>(v.lanes.size()) != lanes_)
            return fail(v.line, fmt::format("{} lanes given, the case has {}", v.lanes.size(), lanes_));
        const int limit = file == inputs_ ? isa::kMaxInputs : isa::kSpecials;
        bool fits = true;
        // Lanes beyond the case's repeat the last one, so that quads with few lanes have sensible derivatives.
        for (int lane = 0; lane < isa::kGroupSize; ++lane) {
            const std::vector<Number>& values = v.lanes[std::min<size_t>(lane, v.lanes.size() - 1)];
            fits &= spread(v, values, *where, [&](int reg, int component, const Number& n) {
                if (reg >= limit) return void(fits = false);
                file[reg].lane[component][lane] = __builtin_bit_cast(float, bitsOf(n, where->type));
                // gl_FrontFacing is one value for all components.
                if (file == specials_ && reg == 1)
                    for (int c = 1; c < 4; ++c) file[1].lane[c][lane] = file[1].lane[0][lane];
            });
        }
        if (!fits) fail(v.line, "the number of components does not fit " + v.name);
    }

    /// "Block.colours[2]": the member, and the number of the element.
    static std::optional<int> elementOf(const isa::BlockMember& member, const std::string& name) {
        if (name == member.name) return 0;
        if (member.arraySize == 0 || !name.starts_with(member.name + "[") || !name.ends_with("]")) return std::nullopt;
        return std::atoi(name.c_str() + member.name.size() + 1);
    }

    /// Into the bytes of a block, as a buffer has them.
    void blockMember(const Values& v, const isa::UniformBlock& block, const isa::BlockMember& member, int element) {
        const int rows = isa::componentCount(member.type), size = rows * isa::columnCount(member.type);
        for (int k = 0; k < static_cast<int>(v.lanes[0].size()); ++k) {
            const int column = k % size / rows, row = k % rows;
            const uint32_t within = member.rowMajor ? static_cast<uint32_t>(row) * member.matrixStride + 4u * column
                                                    : static_cast<uint32_t>(column) * member.matrixStride + 4u * row;
            const uint32_t at = member.offset + static_cast<uint32_t>(element + k / size) * member.arrayStride + within;
            if (at >= block.byteSize) return fail(v.line, "the values do not fit " + v.name);
            constants_[block.reg + at / 16][at % 16 / 4] =
                __builtin_bit_cast(float, bitsOf(v.lanes[0][static_cast<size_t>(k)], member.type));
        }
    }

    /// "Lights@32": words from byte 32 of the block on.
    bool blockWords(const Values& v) {
        const size_t at = v.name.find('@');
        if (at == std::string::npos) return false;
        const std::string name = v.name.substr(0, at);
        const auto block = std::ranges::find(program_->blocks, name, &isa::UniformBlock::name);
        if (block == program_->blocks.end()) {
            fail(v.line, "no uniform block " + name);
            return true;
        }
        auto word = static_cast<uint32_t>(std::atoi(v.name.c_str() + at + 1)) / 4;
        for (const Number& number : v.lanes[0]) {
            if (4 * word >= block->byteSize) fail(v.line, "the values do not fit " + v.name);
            if (4 * word < block->byteSize && block->registers > 0)
                constants_[block->reg + word / 4][word % 4] =
                    __builtin_bit_cast(float, bitsOf(number, isa::VarType::Float));
            ++word;
        }
        return true;
    }

    void uniform(const Values& v) {
        if (blockWords(v)) return;
        // "Lights[1]/Lights.colour" names the instance as well.
        const size_t slash = v.name.find('/');
        const std::string instance = slash == std::string::npos ? "" : v.name.substr(0, slash);
        for (const isa::UniformBlock& block : program_->blocks) {
            if (!instance.empty() && block.name != instance) continue;
            for (const isa::BlockMember& member : block.members)
                if (const auto element = elementOf(member, instance.empty() ? v.name : v.name.substr(slash + 1))) {
                    if (block.registers > 0) blockMember(v, block, member, *element);
                    return;
                }
        }
        std::optional<Place> where = variable(program_->uniforms, v.name);
        if (!where)
            if (const auto number = registerNumber(v.name, 'c', isa::kMaxConstants)) where = Place{*number};
        if (!where) {
            if (!droppedByCompiler(v.name)) fail(v.line, "no uniform " + v.name);
            return;
        }
        bool fits = v.lanes.size() == 1;
        fits = fits && spread(v, v.lanes[0], *where, [&](int reg, int component, const Number& n) {
                   if (reg >= isa::kMaxConstants) return void(fits = false);
                   constants_[reg][component] = __builtin_bit_cast(float, bitsOf(n, where->type));
               });
        if (!fits) fail(v.line, "the values do not fit uniform " + v.name);
    }

    void texture(const Texture& t) {
        std::optional<Place> where = variable(program_->uniforms, t.name);
        if (!where)
            if (const auto number = registerNumber(t.name, 't', isa::kMaxTextureUnits)) where = Place{*number};
        if (!where) {
            if (!droppedByCompiler(t.name)) fail(t.line, "no sampler " + t.name);
            return;
        }
        textures_.set(where->reg, t);
    }

    // --- Comparison ---

    std::optional<Place> output(const std::string& name) const {
        if (const auto number = registerNumber(name, 'o', isa::kMaxOutputs)) return Place{*number};
        if (stage_ == isa::Stage::Fragment) {
            if (name == "gl_FragColor" || name == "gl_FragData[0]") return Place{isa::kOutColor0};
            if (const std::optional<Place> named = variable(program_->outputs, name)) return named;
            if (name == "gl_FragDepth" || name == "gl_FragDepthEXT") return Place{isa::kOutDepth, isa::VarType::Float};
            return std::nullopt;
        }
        if (name == "gl_Position") return Place{isa::kOutPosition};
        if (name == "gl_PointSize") return Place{isa::kOutPointSize, isa::VarType::Float};
        std::optional<Place> where = variable(program_->varyings, name);
        if (where) where->reg += isa::kOutVarying0;
        return where;
    }

    static bool matches(const Number& want, uint32_t gotBits, const Tolerance& tolerance) {
        if (want.any) return true;
        const float got = __builtin_bit_cast(float, gotBits);
        const uint32_t wantBits = bitsOf(want, isa::VarType::Float);
        if (want.bits || tolerance.bits) return gotBits == wantBits;
        if (std::isnan(want.value)) return std::isnan(got);
        const float nearest = static_cast<float>(want.value);
        if (got == nearest) return true;
        if (!std::isfinite(got) || !std::isfinite(want.value)) return false;
        const double distance = std::fabs(static_cast<double>(got) - want.value);
        int exponent = 0;
        std::frexp(want.value, &exponent);
        const double ulp = std::ldexp(1.0, std::max(exponent - 24, -149));
        return distance <= tolerance.ulp * ulp || distance <= tolerance.absolute;
    }

    void compare(const Expectation& e) {
        const std::optional<Place> where = output(e.values.name);
        if (!where) return fail(e.values.line, "no output " + e.values.name);
        if (e.values.lanes.size() != 1 && static_cast<int>(e.values.lanes.size()) != lanes_)
            return fail(e.values.line,
                        fmt::format("{} lanes expected, the case has {}", e.values.lanes.size(), lanes_));
        int mismatches = 0;
        for (int lane = 0; lane < lanes_; ++lane) {
            if (!(compared_ >> lane & 1)) continue;
            const auto& want = e.values.lanes[e.values.lanes.size() == 1 ? 0 : static_cast<size_t>(lane)];
            bool fits = true;
            fits &= spread(e.values, want, *where, [&](int reg, int component, const Number& n) {
                if (reg >= isa::kMaxOutputs) return void(fits = false);
                const uint32_t got = __builtin_bit_cast(uint32_t, outputs_[reg].lane[component][lane]);
                if (matches(n, got, e.tolerance) || mismatches++ >= kMaxShownMismatches) return;
                mismatch(e, lane, reg - where->reg, component, n, got);
            });
            if (!fits) return fail(e.values.line, "the number of components does not fit " + e.values.name);
        }
        if (mismatches > kMaxShownMismatches)
            fail(e.values.line, fmt::format("and {} more", mismatches - kMaxShownMismatches));
    }

    void mismatch(const Expectation& e, int lane, int column, int component, const Number& want, uint32_t got) {
        const std::string name = column == 0 ? e.values.name : fmt::format("{}[{}]", e.values.name, column);
        fail(e.values.line, fmt::format("lane {}, {}.{}: expected {:.9g} (0x{:08x}), got {:.9g} (0x{:08x})", lane, name,
                                        "xyzw"[component], want.value, bitsOf(want, isa::VarType::Float),
                                        static_cast<double>(__builtin_bit_cast(float, got)), got));
    }

    void compareDiscard(const Expectation& e, uint32_t killMask) {
        for (int lane = 0; lane < lanes_; ++lane) {
            const auto& lanes = e.values.lanes;
            const std::vector<Number>& want = lanes[lanes.size() == 1 ? 0 : std::min<size_t>(lane, lanes.size() - 1)];
            const bool killed = killMask >> lane & 1;
            if ((compared_ >> lane & 1) && want[0].value != (killed ? 1 : 0))
                fail(e.values.line, fmt::format("lane {}: {}", lane, killed ? "was discarded" : "was not discarded"));
        }
    }

    const Case& test_;
    const Way& way_;
    isa::Stage stage_ = isa::Stage::Fragment;
    std::string text_;
    std::shared_ptr<const isa::Program> program_;
    std::vector<std::string> failures_;
    int lanes_ = 1;
    uint32_t compared_ = 0;
    isa::GroupRegister inputs_[isa::kMaxInputs] = {};
    isa::GroupRegister outputs_[isa::kMaxOutputs];
    isa::GroupRegister specials_[isa::kSpecials] = {};
    std::vector<std::array<float, 4>> constants_;
    PatternTextures textures_;
};

}  // namespace

std::vector<std::string> runCase(const Case& test, const Way& way) { return std::make_unique<Run>(test, way)->run(); }

Totals runFiles(const std::vector<std::string>& files, const std::vector<Way>& ways, const std::string& only) {
    Totals totals;
    for (const std::string& file : files) {
        std::ifstream in(file, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        if (!in) {
            fmt::print("{}:1: cannot be read\n", file);
            ++totals.failed;
            continue;
        }
        const ParseResult parsed = parseCases(text, file);
        for (const std::string& error : parsed.errors) fmt::print("{}\n", error);
        totals.failed += static_cast<int>(parsed.errors.size());
        for (const Case& test : parsed.cases) {
            if (!only.empty() && test.name.find(only) == std::string::npos) continue;
            for (const Way& way : ways) {
                const std::vector<std::string> failures = runCase(test, way);
                for (const std::string& failure : failures) fmt::print("{}\n", failure);
                ++(failures.empty() ? totals.passed : totals.failed);
            }
        }
    }
    return totals;
}

}  // namespace tessera::shadertest
