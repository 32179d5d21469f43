// Inputs at other places than the program is run for (OES_shader_multisample_interpolation).
//
// An input over w is a plane over the picture, and so is 1/w. main() begins with the value and the slopes of both,
// which differences to the neighbours are (a program that takes derivatives is run at places that are a pixel apart),
// and what is wanted somewhere else is the quotient of the two planes there.
#include <bit>
#include <iterator>

#include "shader-core/glsl/front/lower/ast_to_ir.h"

namespace tessera::glsl::front {

using namespace glslang;

namespace {

/// Where the parts of `base` that `part` is one of are in another variable of the type.
Reference samePart(Reference part, const Reference& base, const Reference& other) {
    part.kind = other.kind;
    part.first = other.first + (part.first - base.first);
    part.arrayFirst = other.arrayFirst;
    part.arrayCount = other.arrayCount;
    return part;
}

}  // namespace

/// Inputs that are declared "sample in" are variables, whose values depend on the sample: that makes the program one
/// that is run for each. No sample's number is negative.
void AstToIr::loadInterpolants() {
    const auto newCopy = [&](const Type& type, SymbolId id) {
        return analysis_.called.empty() ? newVariable(type, analysis_.indexed.contains(id)) : sharedVariable(type);
    };
    const auto inputOf = [&](const Reference& input, size_t k, const RegisterShape& shape) {
        return ir::inputOperand(input.first + static_cast<uint32_t>(k), shape.rows);
    };
    const auto set = [&](const Reference& to, size_t k, const RegisterShape& shape, const Operand& value) {
        storeRegister(to, static_cast<uint32_t>(k), shape, value);
    };
    const Operand inverse = ir::component(ir::specialOperand(isa::Special::FragCoord), 3);
    for (const SymbolId id : analysis_.interpolants) {
        const auto found = globals_.find(id);
        if (found == globals_.end() || found->second.kind != ir::Kind::Input) continue;
        if (interpolants_.empty()) {
            const Type scalar = vectorType(Base::Float, 1);
            for (Reference* to : {&inverseW_.value, &inverseW_.slope[0], &inverseW_.slope[1]})
                *to = analysis_.called.empty() ? newVariable(scalar, false) : sharedVariable(scalar);
            store(inverseW_.value, single(scalar, inverse));
            store(inverseW_.slope[0], single(scalar, emit(1, Op::Ddx, inverse)));
            store(inverseW_.slope[1], single(scalar, emit(1, Op::Ddy, inverse)));
        }
        Interpolant& made = interpolants_[id];
        made.input = found->second;
        made.value = newCopy(made.input.type, id);
        for (Reference& slope : made.slope) slope = newCopy(made.input.type, id);
        const std::vector<RegisterShape> shapes = registerShapes(made.input.type);
        for (size_t k = 0; k < shapes.size(); k++) {
            const Operand over = emit(shapes[k].rows, Op::Mul, inputOf(made.input, k, shapes[k]), inverse);
            set(made.value, k, shapes[k], over);
            set(made.slope[0], k, shapes[k], emit(shapes[k].rows, Op::Ddx, over));
            set(made.slope[1], k, shapes[k], emit(shapes[k].rows, Op::Ddy, over));
        }
    }
    if (sampledInputs_.empty()) return;
    const Operand word = ir::component(ir::specialOperand(isa::Special::PointCoord), isa::kSampleComponent);
    const Operand isNone = emit(1, Op::Slt, word, ir::literalInt(0), {}, isa::Type::I32);
    for (auto& [id, copy] : sampledInputs_) {
        const Reference input = globals_[id];
        copy = newCopy(input.type, id);
        const std::vector<RegisterShape> shapes = registerShapes(input.type);
        for (size_t k = 0; k < shapes.size(); k++)
            set(copy, k, shapes[k],
                emit(shapes[k].rows, Op::Sel, isNone, ir::literal(0), inputOf(input, k, shapes[k])));
        globals_[id] = copy;
    }
}

/// Where a sample is, from the pixel's centre; with one sample a pixel that is the centre.
AstToIr::Operand AstToIr::samplePlace(const Operand& number) {
    const auto fromCentre = [](uint8_t steps) { return steps / static_cast<float>(isa::kSamplePlaceSteps) - 0.5f; };
    const auto placeOf = [&](size_t i) {
        const float x = fromCentre(isa::kSamplePlaces[i][0]), y = fromCentre(isa::kSamplePlaces[i][1]);
        return ir::literalBits({std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y), 0, 0});
    };
    Operand place = placeOf(0);
    for (size_t i = 1; i < std::size(isa::kSamplePlaces); i++) {
        const Operand isIt = emit(1, Op::Seq, number, ir::literalInt(static_cast<int32_t>(i)), {}, isa::Type::I32);
        place = emit(2, Op::Sel, isIt, placeOf(i), place);
    }
    const Operand isAlone = emit(1, Op::Seq, sampleField(isa::kSampleCount), ir::literalInt(1), {}, isa::Type::I32);
    return emit(2, Op::Sel, isAlone, ir::literal(0), place);
}

/// Where centroid inputs are: at the centre where that is covered, else at the mean of the covered samples.
AstToIr::Operand AstToIr::centroidPlace() {
    const Operand mask = sampleField(isa::kSampleMask);
    Operand count = ir::literal(0), sum = ir::literal(0);
    for (size_t i = 0; i < std::size(isa::kSamplePlaces); i++) {
        const auto number = static_cast<int32_t>(i);
        const Operand shifted = emit(1, Op::Shr, mask, ir::literalInt(number), {}, isa::Type::U32);
        const Operand bit =
            emit(1, Op::I2f, emit(1, Op::And, shifted, ir::literalInt(1), {}, isa::Type::U32), {}, {}, isa::Type::U32);
        const float x = isa::kSamplePlaces[i][0] / static_cast<float>(isa::kSamplePlaceSteps) - 0.5f;
        const float y = isa::kSamplePlaces[i][1] / static_cast<float>(isa::kSamplePlaceSteps) - 0.5f;
        const Operand at = ir::literalBits({std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y), 0, 0});
        sum = emit(2, Op::Mad, bit, at, sum);
        count = emit(1, Op::Add, count, bit);
    }
    const Type vector = vectorType(Base::Float, 2), scalar = vectorType(Base::Float, 1);
    const Operand some = emit(1, Op::Max, count, ir::literal(1));
    const Operand mean = arithmetic(EOpDiv, single(vector, sum), single(scalar, some), vector).registers[0];
    const Operand isCentre = emit(1, Op::Seq, sampleField(isa::kCenterCovered), ir::literalInt(1), {}, isa::Type::I32);
    return emit(2, Op::Sel, isCentre, ir::literal(0), mean);
}

Value AstToIr::interpolate(TIntermAggregate* call) {
    const std::string name = std::string(call->getName().c_str()).substr(std::string_view(kInterpolateAtAlias).size());
    const TIntermSequence& arguments = call->getSequence();
    TIntermNode* node = arguments[0];
    auto* element = node->getAsBinaryNode();
    const bool isElement = element != nullptr && element->getLeft()->getType().isArray() &&
                           (element->getOp() == EOpIndexDirect || element->getOp() == EOpIndexIndirect);
    TIntermSymbol* symbol = isElement ? element->getLeft()->getAsSymbolNode() : node->getAsSymbolNode();
    if (symbol == nullptr || symbol->getType().getQualifier().storage != EvqVaryingIn)
        fail("'interpolateAt" + name.substr(0, name.find('(')) +
             "' : the first argument is an input, or an element of an array of them");
    const Reference part = reference(node);
    const auto found = interpolants_.find(symbol->getId());
    if (symbol->getType().getQualifier().flat || found == interpolants_.end()) return load(part);
    const Interpolant& interpolant = found->second;
    const Reference base = globals_[symbol->getId()];
    const auto loaded = [&](const Reference& of) { return load(samePart(part, base, of)).registers[0]; };

    Operand wanted;
    if (name.starts_with("Centroid"))
        wanted = centroidPlace();
    else if (name.starts_with("Sample"))
        wanted = samplePlace(preserve(expression(arguments[1])).scalar());
    else
        wanted = preserve(expression(arguments[1])).scalar();
    // From where the program is run, which is known from the pixel's corner, in steps.
    Operand way[2];
    for (const int axis : {0, 1}) {
        const Operand steps =
            emit(1, Op::I2f, sampleField(axis == 0 ? isa::kShadedX : isa::kShadedY), {}, {}, isa::Type::U32);
        const Operand start = emit(1, Op::Mad, steps, ir::literal(-1.0f / isa::kSamplePlaceSteps), ir::literal(0.5f));
        way[axis] = emit(1, Op::Add, ir::component(wanted, axis), start);
    }
    const int rows = part.type.rows;
    const auto along = [&](int n, const Operand& value, const Operand& x, const Operand& y) {
        return emit(n, Op::Mad, y, way[1], emit(n, Op::Mad, x, way[0], value));
    };
    const Operand over =
        along(rows, loaded(interpolant.value), loaded(interpolant.slope[0]), loaded(interpolant.slope[1]));
    const Operand inverse =
        along(1, load(inverseW_.value).scalar(), load(inverseW_.slope[0]).scalar(), load(inverseW_.slope[1]).scalar());
    return arithmetic(EOpDiv, single(part.type, over), single(vectorType(Base::Float, 1), inverse), part.type);
}

}  // namespace tessera::glsl::front
