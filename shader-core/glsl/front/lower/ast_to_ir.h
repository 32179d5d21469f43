// AstToIr: glslang's syntax tree to one flat IR module. Functions are inlined, but where that would make the shader too
// long (Analysis::called) long ones are modules of their own, which are called.
//
// Expressions become values (operands, one for each register), variables become references (where the registers
// are). An operand may alias a variable, so a value that must survive a later side effect is copied (preserve).
// The same expression always lowers to the same operations with the same operands, whatever surrounds it:
// that is what `invariant` and multi-pass algorithms rest on.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "shader-core/glsl/front/link/shader.h"
#include "shader-core/glsl/front/parse/analysis.h"
#include "shader-core/glsl/front/parse/parse.h"
#include "shader-core/glsl/front/parse/tree.h"
#include "shader-core/glsl/ir/builder.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/sample_words.h"

namespace tessera::glsl::front {

/// Ends the compilation with a message for the info log; caught in compile().
struct CompileError {
    int line = 0;
    std::string message;
};

struct Value {
    Type type;
    std::vector<ir::Operand> registers;
    [[nodiscard]] const ir::Operand& scalar() const { return registers[0]; }
};

/// A texture unit, perhaps chosen at run time.
struct SamplerRef {
    uint32_t first = 0;  ///< sampler number before linking
    bool dynamic = false;
    ir::Operand index;                        ///< temp with an integer, added to `first`
    uint32_t rangeFirst = 0, rangeCount = 0;  ///< with dynamic: the numbers it may reach
};

/// Where a part of a uniform block is.
struct BlockPlace {
    std::vector<bool> rowMajor;      ///< of the block, of each member; else of all that is in it
    uint32_t instanceRegisters = 0;  ///< of the block, or an array of them; 0: of a member
    uint32_t offset = 0;             ///< bytes from Reference::first on
};

/// Where a variable, or a part of one, is.
struct Reference {
    Type type;
    ir::Kind kind = ir::Kind::Temp;
    uint32_t first = 0;
    std::array<uint8_t, 4> components = {0, 1, 2, 3};  ///< of the registers, for scalars and vectors
    bool dynamic = false;
    ir::Operand index;                        ///< temp with an integer, added to `first`
    uint32_t arrayFirst = 0, arrayCount = 0;  ///< with dynamic: the registers it may reach
    /// A component chosen at run time: the type is then scalar, and `components` are the `componentCount` candidates.
    bool dynamicComponent = false;
    int componentCount = 0;
    ir::Operand componentIndex;
    std::optional<BlockPlace> block;                     ///< where registers are not those of the type
    SamplerRef sampler;                                  ///< for samplers and structures that hold them
    const std::vector<ir::Operand>* literals = nullptr;  ///< of a constant that is described to the debugger
};

class AstToIr {
public:
    AstToIr(Shader& shader, Analysis& analysis, const DeclaredNames& declared, int drawBuffers, bool debugInfo);
    void run(TIntermNode* root);

private:
    using Operand = ir::Operand;
    using Op = isa::Op;

    /// What a statement does to the control flow after it.
    enum class Flow { Falls, MayReturn, Exits };

    /// What `break` leaves.
    struct Breakable {
        enum class Kind {
            Loop,
            SwitchLoop,   ///< a switch that is a loop run once, left from anywhere
            SwitchChain,  ///< a switch whose breaks all stand at the ends of its groups: nothing to leave
        };
        Kind kind = Kind::Loop;
        glslang::TIntermTyped* terminal = nullptr;  ///< a for loop's step, repeated before each continue
        glslang::TIntermTyped* lateTest = nullptr;  ///< a do loop's condition, likewise
        uint32_t continued = ir::kNone;  ///< of a SwitchLoop, temp: 1.0 where a continue of the loop around left it
    };
    /// A function whose statements are lowered.
    struct Frame {
        std::string function;
        uint32_t line = 1;  ///< of its definition
        std::unordered_map<SymbolId, Reference> locals;
        std::vector<Breakable> breakables;
        bool isWhole = false;  ///< main(), or a function that is called: a return ends the module
        Reference result;
        bool hasResult = false;
        uint32_t returned = ir::kNone;  ///< temp: 1.0 once a return was taken

        /// A break of the IR would leave something.
        [[nodiscard]] bool isInLoop() const {
            return std::ranges::any_of(breakables,
                                       [](const Breakable& b) { return b.kind != Breakable::Kind::SwitchChain; });
        }
    };
    /// Statements of a switch behind labels that stand together.
    struct Group {
        std::vector<TIntermNode*> labels;  ///< expressions; null: default
        std::vector<TIntermNode*> list;
    };

    /// A function that is called: its parameters and its result are in shared registers.
    struct Routine {
        uint32_t number = 0;                ///< in Module::functions
        std::vector<Reference> parameters;  ///< samplers, too
        Reference result;
        bool hasResult = false;
    };

    // lower/interface.cpp: variables of the module
    void declareInterface(TIntermNode* root);
    void declareVariable(glslang::TIntermSymbol* symbol);
    Reference outputReference(InterfaceVariable& v, const glslang::TQualifier& qualifier);
    void loadLastColors();
    bool declareSampleVariable(glslang::TIntermSymbol* symbol);
    void loadSampleVariables();
    void dropMaskedSamples();
    Operand sampleField(const isa::SampleField& field);

    // lower/interpolation.cpp
    void loadInterpolants();
    Value interpolate(glslang::TIntermAggregate* call);
    Operand samplePlace(const Operand& number);
    Operand centroidPlace();
    Reference fragColorReference(const Type& type);
    void checkLastFragData(glslang::TIntermSymbol* symbol);
    void checkDistances(const InterfaceVariable& v);
    Reference lastFragDataReference(const Type& type);
    Reference builtInReference(const glslang::TIntermSymbol& symbol);
    Reference uniformReference(const std::string& name, const Type& type, isa::Precision precision);
    void listUniforms();
    Reference variable(glslang::TIntermSymbol* symbol);
    Reference newVariable(const Type& type, bool indexable);
    Reference sharedVariable(const Type& type);
    uint32_t newSharedRegisters(uint32_t count);

    // lower/block.cpp
    static bool isInBlock(TIntermNode* node);
    void declareBlock(glslang::TIntermSymbol* symbol);
    static Reference blockField(Reference base, int index);
    static uint32_t blockStride(const Reference& base);
    Operand blockRegister(const Reference& ref, uint32_t offset, int component, int n, Base base);
    void loadFromBlock(const Reference& ref, const Type& type, uint32_t offset, std::vector<Operand>& out);

    // lower/statement.cpp
    void runInitialisers(TIntermNode* root);
    Flow statement(TIntermNode* node);
    Flow statements(std::span<TIntermNode* const> list);
    Flow statementsInScope(std::span<TIntermNode* const> list);
    Flow selection(glslang::TIntermSelection* node);
    Flow selectionChain(glslang::TIntermSelection* node);
    Flow loop(glslang::TIntermLoop* node);
    Flow branch(glslang::TIntermBranch* node);
    Flow choose(glslang::TIntermSwitch* node);
    void runGroups(std::span<const Group> groups, const Operand& selector, const Type& type);
    Flow leaveLoop(bool returns);
    void breakOut();
    void continueLoop();
    void beginIf(const Operand& condition, bool negate = false);
    void endIf();
    void beginLoop();
    void endLoop();
    void breakUnless(TIntermNode* test);
    Value callFunction(glslang::TIntermAggregate* call);
    Value callRoutine(glslang::TIntermAggregate* call, const std::string& name);
    Routine& routineOf(const std::string& name, std::span<const Reference> arguments);
    void lowerRoutine(const std::string& name, std::span<const Reference> arguments, Routine& routine);
    [[nodiscard]] bool choosesSampler(TIntermNode* argument);
    [[nodiscard]] Operand discarded() const;
    void setDiscarded(float value);
    void bindParameter(Frame& frame, glslang::TIntermSymbol* parameter, TIntermNode* argument,
                       glslang::TStorageQualifier qualifier, Reference* target);

    // lower/expression.cpp
    Value expression(TIntermNode* node);
    Value constant(const glslang::TConstUnionArray& values, const Type& type);
    Value binary(glslang::TIntermBinary* node);
    Value unary(glslang::TIntermUnary* node);
    Value aggregate(glslang::TIntermAggregate* node);
    Value conditional(glslang::TIntermSelection* node);
    Value wholeAndFraction(glslang::TIntermAggregate* node);
    Value logical(glslang::TIntermBinary* node);
    Value assign(glslang::TIntermBinary* node);
    Value increment(glslang::TIntermUnary* node);
    Value arithmetic(glslang::TOperator op, const Value& a, const Value& b, const Type& type);
    Value compare(glslang::TOperator op, const Value& a, const Value& b);
    Operand equal(const Value& a, const Value& b);
    Value construct(glslang::TOperator op, std::span<const Value> arguments, const Type& type);
    Value constructMatrix(const Type& type, std::span<const Value> arguments);
    Value gather(const Type& type, std::span<const Value> arguments);
    Value convert(const Value& v, Base to);
    Operand convertRegister(const Operand& o, int n, Base from, Base to);

    // lower/reference.cpp: reading, writing and indexing
    Reference reference(TIntermNode* node);
    Reference indexDynamic(Reference base, const Value& index);
    static Reference indexConstant(Reference base, int index);
    static Reference field(Reference base, int index);
    static Reference swizzle(Reference base, glslang::TIntermAggregate* components);
    Value load(const Reference& ref);
    void store(const Reference& ref, const Value& value);
    void storeRegister(const Reference& ref, uint32_t offset, RegisterShape shape, const Operand& value);
    Value indexValue(const Value& base, int index);
    Value indexValueDynamic(const Value& base, const Value& index);
    Value preserve(const Value& v);
    Value preserveIf(bool needed, const Value& v) { return needed ? preserve(v) : v; }
    Operand integerTemp(const Operand& o);
    Operand scaledIndex(const Operand& index, uint32_t stride);

    // lower/debug.cpp: what a debugger wants to know of the source's variables
    /// `function` as glslang spells it; empty for globals.
    void describe(glslang::TIntermSymbol* symbol, const Reference& ref, const std::string& function, uint32_t line);
    void describeConstant(glslang::TIntermSymbol* symbol);
    void noteUse(SymbolId id);
    void noteAssigned(ir::Assignment assignment);
    void noteStore(const ir::Dest& dest);
    void endScope(size_t firstVariable);     ///< of a statement list: of Module::debug.variables
    void endInstance(size_t firstVariable);  ///< of a function

    // lower/builtin.cpp, lower/bits.cpp, lower/matrix.cpp, lower/trigonometry.cpp, lower/texture.cpp
    Value builtIn(glslang::TOperator op, std::span<const Value> arguments, const Type& type);
    Value commonFunction(glslang::TOperator op, std::span<const Value> arguments, const Type& type);
    Value geometricFunction(glslang::TOperator op, std::span<const Value> arguments, int n);
    Operand pack(glslang::TOperator op, const Operand& v);
    Operand unpack(glslang::TOperator op, const Operand& bits);
    Value matrixFunction(glslang::TOperator op, std::span<const Value> arguments, const Type& type);
    Operand determinantOfTwo(const Operand& a, const Operand& b, const Operand& c, const Operand& d);
    struct Minors {
        std::array<Operand, 6> left, right;  ///< of the first two columns, and of the last two
    };
    Minors minors(const Value& matrix);
    Operand determinant(const Value& matrix);
    Value inverse(const Value& matrix);
    Operand cross(const Operand& a, const Operand& b);
    Operand collect(std::span<const Operand> components);
    Operand hyperbolic(glslang::TOperator op, const Operand& x, int n);
    Operand trigonometric(glslang::TOperator op, std::span<const Operand> arguments, int n);
    Operand polynomial(const Operand& x, std::span<const float> coefficients, int n);
    struct FoldedArcSine {
        Operand large, sine;  ///< large: |x| is above 1/2
    };
    FoldedArcSine foldedArcSine(const Operand& x, int n);
    Operand arcSine(const Operand& x, int n);
    Operand arcCosine(const Operand& x, int n);
    Operand arcTangent(const Operand& x, int n);
    Operand arcTangent2(const Operand& y, const Operand& x, int n);
    Operand dot(const Operand& a, const Operand& b, int n);
    Operand all(const Operand& v, int n);
    Operand any(const Operand& v, int n);
    Operand extremum(int n, Op op, const Operand& x, const Operand& y, isa::Type type);
    Operand clamped(int n, const Operand& x, const Operand& low, const Operand& high, isa::Type type = isa::Type::F32);
    Operand transform(const Value& matrix, const Operand& vector);
    Value texture(glslang::TIntermOperator* node, std::span<TIntermNode* const> children);

    Value single(const Type& type, const Operand& o) { return {type, {o}}; }
    Operand emit(int n, Op op, const Operand& a, const Operand& b = {}, const Operand& c = {},
                 isa::Type type = isa::Type::F32);
    Operand copy(const Operand& o, int n, Base base);
    [[noreturn]] void fail(const std::string& message);
    void checkSize();

    Shader& shader_;
    Analysis& analysis_;
    const DeclaredNames& declared_;
    const int drawBuffers_;
    bool debugInfo_;
    ir::Builder b_;
    std::unordered_map<SymbolId, Reference> globals_;
    std::unordered_map<std::string, Reference> builtIns_;
    std::vector<Frame> frames_;
    uint32_t attributeSlots_ = 0, varyingSlots_ = 0, uniformSlots_ = 0, samplers_ = 0;
    uint32_t outputSlots_ = isa::kMaxFragmentOutputs;  ///< of outputs whose registers link() gives
    /// 1.0 once a discard was met: a temp, or a shared register where functions are called. Only where loops ask for
    /// it.
    uint32_t discarded_ = ir::kNone;
    std::unordered_map<std::string, Routine> routines_;  ///< by their names and the samplers that they are passed
    /// gl_SampleID and those beside it, by their aliases: variables that main() begins with.
    std::unordered_map<std::string, Reference> sampleVariables_;
    bool readsSample_ = false;  ///< names gl_SampleID or gl_SamplePosition, or has an input for each sample
    /// An input that interpolateAt*() takes, over w: at the place that main() is run for, and its slopes in x and y.
    struct Interpolant {
        Reference input, value, slope[2];
    };
    std::unordered_map<SymbolId, Interpolant> interpolants_;
    std::vector<std::pair<SymbolId, Reference>> sampledInputs_;  ///< declared "sample in"
    Interpolant inverseW_;                                       ///< 1/w, if there are some
    bool writesSampleMask_ = false;
    int nesting_ = 0;         ///< open If and Loop
    uint32_t distances_ = 0;  ///< clip and cull distances that are declared
    int line_ = 1;
    int lastLine_ = 1;                  ///< of the statement list at hand so far
    std::vector<uint32_t> slotOfTemp_;  ///< per temp: the slot of the variable's component that its x is, or kNone
    std::unordered_map<SymbolId, std::pair<uint32_t, uint32_t>> described_;  ///< range of Module::debug.variables
};

/// Type of the registers' operations.
[[nodiscard]] inline isa::Type operationType(Base base) {
    if (base == Base::Uint) return isa::Type::U32;
    return base == Base::Int ? isa::Type::I32 : isa::Type::F32;
}

/// +infinity.
[[nodiscard]] inline ir::Operand infinity() {
    constexpr uint32_t bits = 0x7f800000;
    return ir::literalBits({bits, bits, bits, bits});
}

/// Component `c` of register holding `n` components, as a scalar.
[[nodiscard]] inline ir::Operand componentOf(const ir::Operand& o, int c) { return ir::component(o, c); }

}  // namespace tessera::glsl::front
