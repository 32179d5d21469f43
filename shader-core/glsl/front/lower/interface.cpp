// Variables: attributes, varyings, uniforms, built-ins, globals and locals, and the registers they get.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "shader-core/glsl/front/link/link.h"
#include "shader-core/glsl/front/lower/ast_to_ir.h"
#include "shader-core/glsl/front/parse/parse.h"
#include "shader-core/glsl/front/preprocess/preprocess.h"
#include "shader-core/isa/built_in_uniforms.h"

namespace tessera::glsl::front {

using namespace glslang;

AstToIr::AstToIr(Shader& shader, Analysis& analysis, const DeclaredNames& declared, int drawBuffers, bool debugInfo)
    : shader_(shader),
      analysis_(analysis),
      declared_(declared),
      drawBuffers_(drawBuffers),
      debugInfo_(debugInfo),
      b_(shader.module) {
    shader_.module.stage = shader.stage;
}

void AstToIr::fail(const std::string& message) { throw CompileError{line_, message}; }

void AstToIr::checkSize() {
    // Inlining may grow exponentially with the call depth; the machine's program limit ends it.
    if (b_.module().code.size() > size_t{isa::kMaxInstructions})
        fail("'' : shader too large for the instruction memory");
}

AstToIr::Operand AstToIr::emit(int n, Op op, const Operand& a, const Operand& b, const Operand& c, isa::Type type) {
    return b_.emit(n, op, a, b, c, type);
}

AstToIr::Operand AstToIr::copy(const Operand& o, int n, Base base) {
    return b_.emit(n, Op::Mov, o, {}, {}, operationType(base));
}

namespace {

/// glslang's name without the mangling it gives to redeclared built-ins.
bool isBuiltIn(const TIntermSymbol& symbol) { return symbol.getName().compare(0, 3, "gl_") == 0; }

}  // namespace

void AstToIr::declareInterface(TIntermNode* root) {
    for (TIntermNode* node : root->getAsAggregate()->getSequence()) {
        auto* list = node->getAsAggregate();
        if (!list || list->getOp() != EOpLinkerObjects) continue;
        for (TIntermNode* object : list->getSequence()) {
            if (auto* symbol = object->getAsSymbolNode()) declareVariable(symbol);
        }
    }
}

void AstToIr::declareVariable(TIntermSymbol* symbol) {
    const TType& declared = symbol->getType();
    const TQualifier& qualifier = declared.getQualifier();
    if (isBuiltIn(*symbol) || symbol->getName() == kInstanceIdAlias) return;
    if (symbol->getName() == kLastFragDataAlias) return checkLastFragData(symbol);
    if (declareSampleVariable(symbol)) return;
    if (declared.getBasicType() == EbtBlock) return declareBlock(symbol);
    InterfaceVariable v;
    v.name = restoreNames(symbol->getName().c_str());
    v.type = convertType(declared);
    if (symbol->getName() == kViewIdAlias) v.name = isa::kViewIdUniform;
    if (symbol->getName() == kClipDistanceAlias || symbol->getName() == kCullDistanceAlias) {
        v.name = symbol->getName() == kClipDistanceAlias ? isa::kClipDistance : isa::kCullDistance;
        checkDistances(v);
    }
    v.precision = convertPrecision(declared);
    v.invariant = qualifier.invariant;
    v.interpolation = qualifier.flat       ? isa::Interpolation::Flat
                      : qualifier.centroid ? isa::Interpolation::Centroid
                                           : isa::Interpolation::Smooth;
    if (qualifier.hasLocation()) v.location = static_cast<int>(qualifier.layoutLocation);
    v.staticUse = analysis_.used.contains(symbol->getId());
    uint32_t size = registerCount(v.type);
    if (size >= kTooLarge || samplerCount(v.type) >= kTooLarge) fail("'" + v.name + "' : too large");
    Reference ref;
    ref.type = v.type;
    bool vertex = shader_.stage == isa::Stage::Vertex;
    auto take = [&](uint32_t& slots) {
        v.first = slots;
        slots += size;
        if (slots >= kTooLarge) fail("'" + v.name + "' : too many variables");
    };
    switch (qualifier.storage) {
        case EvqVaryingIn:
            take(vertex ? attributeSlots_ : varyingSlots_);
            ref.kind = ir::Kind::Input;
            ref.first = v.first;
            (vertex ? shader_.attributes : shader_.varyings).push_back(v);
            if (declared_.sampled.contains(symbol->getName().c_str()) && analysis_.used.contains(symbol->getId()))
                sampledInputs_.push_back({symbol->getId(), {}}), readsSample_ = true;
            break;
        case EvqVaryingOut:
            if (!vertex) {
                v.isInout = declared_.inouts.contains(symbol->getName().c_str());
                ref = outputReference(v, qualifier);
                shader_.outputs.push_back(v);
                break;
            }
            take(varyingSlots_);
            ref.kind = ir::Kind::Output;
            ref.first = isa::kOutVarying0 + v.first;
            shader_.varyings.push_back(v);
            break;
        case EvqUniform: {
            take(uniformSlots_);
            v.firstSampler = samplers_;
            samplers_ += samplerCount(v.type);
            ref.kind = ir::Kind::Uniform;
            ref.first = v.first;
            ref.sampler.first = v.firstSampler;
            shader_.uniforms.push_back(v);
            break;
        }
        case EvqConst:
            return describeConstant(symbol);
        default:
            return;  // globals get temps when first used, constants none
    }
    ref.arrayFirst = ref.first;
    ref.arrayCount = size;
    ref.sampler.rangeFirst = v.firstSampler;
    ref.sampler.rangeCount = samplerCount(v.type);
    globals_[symbol->getId()] = ref;
}

/// Clip and cull distances have a number of places together (EXT_clip_cull_distance).
void AstToIr::checkDistances(const InterfaceVariable& v) {
    const bool isOfFloats = v.type.isArray() && v.type.element().rows == 1 && v.type.element().columns == 1;
    if (!isOfFloats || v.interpolation != isa::Interpolation::Smooth)
        fail("'" + v.name + "' : may be declared to give it a size, as an array of floats");
    distances_ += v.type.arraySize;
    if (distances_ > kMaxDistances)
        fail(fmt::format("'{}' : there are {} clip and cull distances up to here, limit {}", v.name, distances_,
                         kMaxDistances));
}

/// A colour. link() gives registers to those without a location.
Reference AstToIr::outputReference(InterfaceVariable& v, const TQualifier& qualifier) {
    const uint32_t size = registerCount(v.type);
    v.isSecond = qualifier.hasIndex() && qualifier.layoutIndex == 1;
    if (qualifier.hasIndex() && (qualifier.layoutIndex > 1 || v.location < 0))
        fail(fmt::format("'{}' : index is 0 or 1, and has a location beside it, as in layout(location = 0, index = 1)",
                         v.name));
    const int last = std::max(v.location, 0) + static_cast<int>(size) - 1;
    if (last >= drawBuffers_)
        fail(fmt::format("'{}' : output needs location {}, there are {}", v.name, last, drawBuffers_));
    // That a second colour is beyond those that there are is said by link() (EXT_blend_func_extended).
    if (v.location >= 0 && (!v.isSecond || last < kMaxSecondColors))
        v.first = colorRegister(v.location, v.isSecond);
    else
        v.first = std::exchange(outputSlots_, outputSlots_ + size);
    Reference ref;
    ref.type = v.type;
    ref.kind = ir::Kind::Output;
    ref.first = v.first;
    return ref;
}

/// Outputs that are declared "inout" begin as what the framebuffer holds. The last colours' slots lie behind those of
/// the varyings, one for each slot of an output, in their order.
void AstToIr::loadLastColors() {
    for (InterfaceVariable& v : shader_.outputs) {
        if (!v.isInout) continue;
        v.lastColorSlot = varyingSlots_;
        for (const RegisterShape& shape : registerShapes(v.type)) {
            const auto number = static_cast<uint32_t>(varyingSlots_++ - v.lastColorSlot);
            b_.emitTo(ir::outputDest(v.first + number, ir::maskOfSize(shape.rows)), Op::Mov,
                      ir::inputOperand(v.lastColorSlot + number), {}, {}, operationType(shape.base));
        }
    }
}

/// Whether the symbol is one of the variables of OES_sample_variables. They are variables like the shader's own, which
/// loadSampleVariables() gives their values.
bool AstToIr::declareSampleVariable(TIntermSymbol* symbol) {
    const std::string name = symbol->getName().c_str();
    if (sampleVariableName(name).empty()) return false;
    const SymbolId id = symbol->getId();
    if (!analysis_.used.contains(id)) return true;
    readsSample_ |= name == kSampleIdAlias || name == kSamplePositionAlias;
    writesSampleMask_ |= name == kSampleMaskAlias && analysis_.written.contains(id);
    const Type type = convertType(symbol->getType());
    globals_[id] = sampleVariables_[name] =
        analysis_.called.empty() ? newVariable(type, analysis_.indexed.contains(id)) : sharedVariable(type);
    if (globals_[id].kind != ir::Kind::Shared) describe(symbol, globals_[id], "", 1);  // those are where they are used
    return true;
}

AstToIr::Operand AstToIr::sampleField(const isa::SampleField& field) {
    const Operand word = ir::component(ir::specialOperand(isa::Special::PointCoord), field.component);
    const Operand shifted = emit(1, Op::Shr, word, ir::literalInt(field.shift), {}, isa::Type::U32);
    return emit(1, Op::And, shifted, ir::literalInt(static_cast<int32_t>(field.mask)), {}, isa::Type::U32);
}

void AstToIr::loadSampleVariables() {
    const auto set = [&](const char* name, const auto& value) {
        const auto found = sampleVariables_.find(name);
        if (found == sampleVariables_.end()) return;
        Reference to = found->second;
        if (to.type.isArray()) to = indexConstant(to, 0);
        store(to, single(to.type, value()));
    };
    const auto number = [&] { return sampleField(isa::kSampleNumber); };
    set(kSampleIdAlias, number);
    set(kSamplePositionAlias, [&] {
        const uint32_t place = b_.newTemp(2);
        for (const int axis : {0, 1}) {
            const Operand steps = sampleField(axis == 0 ? isa::kSampleX : isa::kSampleY);
            b_.emitTo(ir::tempDest(place, static_cast<uint8_t>(1 << axis)), Op::Mul,
                      emit(1, Op::I2f, steps, {}, {}, isa::Type::U32), ir::literal(1.0f / isa::kSamplePlaceSteps));
        }
        return b_.tempOperand(place);
    });
    // Who is run for one sample sees that alone (section 3.9.2 of OES_sample_variables).
    set(kSampleMaskInAlias, [&] {
        const Operand covered = sampleField(isa::kSampleMask);
        if (!readsSample_) return covered;
        const Operand own = emit(1, Op::Shl, ir::literalInt(1), number(), {}, isa::Type::U32);
        return emit(1, Op::And, covered, own, {}, isa::Type::U32);
    });
    set(kSampleMaskAlias, [&] { return ir::literalInt(-1); });
    set(kNumSamplesAlias, [&] { return sampleField(isa::kSampleCount); });
}

/// A shader that writes gl_SampleMask is run for each sample, which is discarded at the end where its bit is 0.
void AstToIr::dropMaskedSamples() {
    if (!writesSampleMask_) return;
    const Operand mask = load(indexConstant(sampleVariables_[kSampleMaskAlias], 0)).scalar();
    const Operand number = sampleField(isa::kSampleNumber);
    const Operand shifted = emit(1, Op::Shr, mask, number, {}, isa::Type::U32);
    const Operand bit = emit(1, Op::And, shifted, ir::literalInt(1), {}, isa::Type::U32);
    b_.kil(emit(1, Op::I2f, bit, {}, {}, isa::Type::U32), true);
}

Reference AstToIr::uniformReference(const std::string& name, const Type& type, isa::Precision precision) {
    InterfaceVariable v;
    v.name = name;
    v.type = type;
    v.precision = precision;
    v.staticUse = true;
    v.first = uniformSlots_;
    uniformSlots_ += registerCount(type);
    Reference ref;
    ref.type = type;
    ref.kind = ir::Kind::Uniform;
    ref.first = ref.arrayFirst = v.first;
    ref.arrayCount = registerCount(type);
    shader_.uniforms.push_back(std::move(v));
    return ref;
}

Reference AstToIr::fragColorReference(const Type& type) {
    Reference ref;
    ref.type = type;
    ref.kind = ir::Kind::Output;
    ref.first = ref.arrayFirst = isa::kOutColor0;
    ref.arrayCount = 1;
    shader_.writesFragColor = true;
    return ref;
}

void AstToIr::checkLastFragData(TIntermSymbol* symbol) {
    const Type type = convertType(symbol->getType());
    const bool sound = type.isArray() && static_cast<int>(type.arraySize) == drawBuffers_ && type.element().rows == 4;
    if (!sound) fail("'gl_LastFragData' : may be declared to change its precision, not its size");
}

/// The last colours take slots among the varyings, behind those that are declared; link() gives them their registers.
Reference AstToIr::lastFragDataReference(const Type& type) {
    if (shader_.lastColorSlot == ir::kNone) {
        shader_.lastColorSlot = varyingSlots_;
        varyingSlots_ += registerCount(type);
    }
    Reference ref;
    ref.type = type;
    ref.kind = ir::Kind::Input;
    ref.first = ref.arrayFirst = shader_.lastColorSlot;
    ref.arrayCount = registerCount(type);
    return ref;
}

Reference AstToIr::builtInReference(const TIntermSymbol& symbol) {
    std::string name = symbol.getName().c_str();
    if (auto found = builtIns_.find(name); found != builtIns_.end()) return found->second;
    Reference ref;
    ref.type = convertType(symbol.getType());
    auto special = [&](isa::Special s) {
        ref.kind = ir::Kind::Special;
        ref.first = static_cast<uint32_t>(s);
    };
    auto output = [&](int index) {
        ref.kind = ir::Kind::Output;
        ref.first = ref.arrayFirst = static_cast<uint32_t>(index);
        ref.arrayCount = registerCount(ref.type);
    };
    switch (symbol.getType().getQualifier().builtIn) {
        case EbvPosition:
            output(isa::kOutPosition);
            break;
        case EbvPointSize:
            output(isa::kOutPointSize);
            break;
        case EbvFragCoord:
            special(isa::Special::FragCoord);
            break;
        case EbvFace:
            special(isa::Special::FrontFacing);
            break;
        case EbvPointCoord:
            special(isa::Special::PointCoord);
            break;
        case EbvFragDepth:
            output(isa::kOutDepth);
            break;
        case EbvInstanceId:
            special(isa::Special::InstanceId);
            break;
        case EbvVertexId:
            special(isa::Special::InstanceId);
            ref.components = {1, 1, 1, 1};
            break;
        case EbvFragData:
            output(isa::kOutColor0);
            break;
        case EbvSecondaryFragColorEXT:
        case EbvSecondaryFragDataEXT:
            if (shader_.version >= 300)
                fail("'" + name + "' : is of GLSL ES 1.00; declare an output with layout(location = 0, index = 1)");
            output(isa::kOutSecondColor);
            break;
        case EbvFragColor:
            ref = fragColorReference(ref.type);
            break;
        default:
            if (name != "gl_DepthRange") fail("'" + name + "' : not supported");
            ref = uniformReference(name, ref.type, isa::Precision::None);
            break;
    }
    builtIns_[name] = ref;
    return ref;
}

Reference AstToIr::newVariable(const Type& type, bool indexable) {
    Reference ref;
    ref.type = type;
    uint32_t size = registerCount(type);
    // More temps than registers can still be fine when most are dead, but not without bound.
    if (size >= kTooLarge || b_.module().temps.size() + size > (1u << 18)) fail("'' : too many temporaries");
    std::vector<RegisterShape> shapes = registerShapes(type);
    ref.first = static_cast<uint32_t>(b_.module().temps.size());
    if (indexable && size > 0) {
        b_.newArray(size, 4);  // of full registers: an index may reach any of them
    } else {
        for (const RegisterShape& shape : shapes) b_.newTemp(shape.rows);
    }
    ref.arrayFirst = ref.first;
    ref.arrayCount = size;
    return ref;
}

uint32_t AstToIr::newSharedRegisters(uint32_t count) {
    uint32_t& registers = shader_.module.sharedRegisters;
    if (count > isa::kMaxTemps || registers + count > isa::kMaxTemps) fail("'' : too many temporaries");
    return std::exchange(registers, registers + count);
}

Reference AstToIr::sharedVariable(const Type& type) {
    Reference ref;
    ref.type = type;
    ref.kind = ir::Kind::Shared;
    ref.arrayCount = registerCount(type);
    ref.first = ref.arrayFirst = newSharedRegisters(ref.arrayCount);
    return ref;
}

Reference AstToIr::variable(TIntermSymbol* symbol) {
    SymbolId id = symbol->getId();
    noteUse(id);
    if (!frames_.empty()) {
        auto& locals = frames_.back().locals;
        if (auto found = locals.find(id); found != locals.end()) return found->second;
    }
    if (auto found = globals_.find(id); found != globals_.end()) {
        const bool isNew = found->second.kind == ir::Kind::Shared && !described_.contains(id);
        if (isNew) describe(symbol, found->second, "", 1);  // to this module
        return found->second;
    }
    if (isBuiltIn(*symbol)) return builtInReference(*symbol);
    if (symbol->getName() == kLastFragDataAlias) return lastFragDataReference(convertType(symbol->getType()));
    if (symbol->getName() == kInstanceIdAlias) {
        Reference ref;
        ref.type = convertType(symbol->getType());
        ref.kind = ir::Kind::Special;
        ref.first = static_cast<uint32_t>(isa::Special::InstanceId);
        return ref;
    }
    bool global = symbol->getType().getQualifier().storage == EvqGlobal || frames_.empty();
    const Type type = convertType(symbol->getType());
    Reference ref =
        global && !analysis_.called.empty() ? sharedVariable(type) : newVariable(type, analysis_.indexed.contains(id));
    (global ? globals_ : frames_.back().locals)[id] = ref;
    describe(symbol, ref, global ? std::string() : frames_.back().function, static_cast<uint32_t>(line_));
    return ref;
}

/// The module's lists, one entry for each leaf of a structure: "lights[1].colour".
void AstToIr::listUniforms() {
    ir::Module& module = shader_.module;
    auto list = [](const std::vector<InterfaceVariable>& from, std::vector<isa::Variable>& to) {
        for (const InterfaceVariable& v : from) appendLeaves(v, to);
    };
    list(shader_.attributes, module.attributes);
    list(shader_.varyings, module.varyings);
    list(shader_.uniforms, module.uniforms);
    list(shader_.outputs, module.outputs);
}

}  // namespace tessera::glsl::front
