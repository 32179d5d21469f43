#include "shader-core/asm/declarations.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "shader-core/asm/hints.h"
#include "shader-core/asm/spelling.h"

namespace tessera::assembly {

using isa::Stage;
using isa::Variable;

constexpr int kRegisterBytes = 16;

bool Declarations::directive(LineParser& in) {
    const int column = in.column();
    const std::string_view word = in.word();
    bool ok = false;
    if (const auto named = find(stageNames(), word))
        ok = stage(in, static_cast<Stage>(*named), column);
    else if (word == "input")
        ok = input(in);
    else if (word == "output")
        ok = output(in);
    else if (word == "varying")
        ok = varying(in);
    else if (word == "uniform")
        ok = uniform(in);
    else if (word == "sampler")
        ok = sampler(in);
    else if (word == "block")
        ok = needStage(in, column) && block(in);
    else if (word == "member")
        ok = member(in);
    else if (word == "const")
        ok = constant(in);
    else if (word == "temps")
        ok = temps(in);
    else if (word == "broadcast")
        ok = broadcast(in, column);
    else if (word == "define")
        ok = define(in);
    else if (word == "alias")
        ok = alias(in);
    else if (word == "buffer")
        ok = needCompute(in, column) && buffer(in);
    else if (word == "shared")
        ok = needCompute(in, column) && shared(in);
    else if (word == "group")
        ok = needCompute(in, column) && group(in);
    else
        return in.fail(column, noDirective(word));
    return ok && in.endOfLine();
}

bool Declarations::stage(LineParser& in, Stage stage, int column) {
    if (hasStage_ && stage != program_.stage)
        return in.fail(column, fmt::format("the stage is {} already; a file holds one program",
                                           stageNames()[static_cast<int>(program_.stage)]));
    hasStage_ = true;
    program_.stage = stage;
    return true;
}

bool Declarations::needStage(LineParser& in, int column) {
    if (hasStage_) return true;
    if (std::exchange(stageWasAsked_, true)) return in.failAgain(column);
    return in.fail(column, "the stage must be known here; write .vertex, .fragment or .compute before");
}

bool Declarations::input(LineParser& in) {
    const int column = in.column();
    char letter = 0;
    int index = 0;
    if (!needStage(in, column) || !in.plainRegister("v", letter, index, ".input v0 name vec4")) return false;
    return interfaceVariable(in, letter, index, column);
}

bool Declarations::output(LineParser& in) {
    const int column = in.column();
    char letter = 0;
    int index = 0;
    if (!needStage(in, column) || !in.plainRegister("o", letter, index, ".output o2 name vec4")) return false;
    return interfaceVariable(in, letter, index, column);
}

bool Declarations::varying(LineParser& in) {
    const int column = in.column();
    char letter = 0;
    int index = 0;
    if (!needStage(in, column) || !in.plainRegister("vo", letter, index, ".varying v0 name vec4")) return false;
    if ((letter == 'o') != (program_.stage == Stage::Vertex))
        return in.fail(column,
                       "vertex programs write varyings to o registers, fragment programs read them from v registers");
    return interfaceVariable(in, letter, index, column);
}

/// Vertex: v is an attribute, o a varying from o2 on. Fragment: v is a varying, o a colour.
bool Declarations::interfaceVariable(LineParser& in, char letter, int index, int column) {
    if (program_.stage == Stage::Compute) return in.fail(column, "compute programs have no inputs and outputs");
    Variable v;
    if (letter == 'o') {
        if (program_.stage == Stage::Fragment) return colorOutput(in, index, column);
        if (index < isa::kOutVarying0)
            return in.fail(column, fmt::format("o0 is the position and o1 the point size; varyings start at o{}",
                                               isa::kOutVarying0));
        index -= isa::kOutVarying0;
    }
    v.reg = static_cast<uint16_t>(index);
    const bool attribute = letter == 'v' && program_.stage == Stage::Vertex;
    if (!variable(in, v, false, !attribute)) return false;
    const int limit = attribute ? isa::kMaxAttributes : isa::kMaxVaryings;
    if (index + isa::registerCount(v) > limit)
        return in.fail(column, fmt::format("{} needs {} registers from here, there are {} in all", v.name,
                                           isa::registerCount(v), limit));
    std::set<int>& taken = letter == 'v' ? inputsTaken_ : outputsTaken_;
    const int first = letter == 'v' ? index : index + isa::kOutVarying0;
    for (int i = first; i < first + isa::registerCount(v); ++i)
        if (!taken.insert(i).second)
            return in.fail(column,
                           fmt::format("{}{} is taken by an earlier declaration; choose free registers", letter, i));
    return add(in, column, attribute ? program_.attributes : program_.varyings, std::move(v), letter);
}

/// What glGetFragDataLocation knows a colour by.
bool Declarations::colorOutput(LineParser& in, int index, int column) {
    const bool isSecond = index >= isa::kOutSecondColor;
    if (index >= isa::kOutDepth && !isSecond)
        return in.fail(column, fmt::format("colours are o0 to o{}; o{}.x is the depth, which has no name",
                                           isa::kOutDepth - 1, isa::kOutDepth));
    Variable v;
    v.reg = static_cast<uint16_t>(index);
    if (!variable(in, v, false)) return false;
    if (isa::isMatrix(v.type)) return in.fail(column, fmt::format("{} is a matrix, which no target holds", v.name));
    const int last = index + isa::registerCount(v) - 1;
    if (last >= (isSecond ? isa::kMaxFragmentOutputs : isa::kOutDepth))
        return in.fail(column, fmt::format("{} goes to o{}; colours are o0 to o{}, the second one is o{}", v.name, last,
                                           isa::kOutDepth - 1, isa::kOutSecondColor));
    for (int i = index; i <= last; ++i)
        if (!outputsTaken_.insert(i).second)
            return in.fail(column, fmt::format("o{} is taken by an earlier declaration; choose another colour", i));
    return add(in, column, program_.outputs, std::move(v), 'o');
}

/// name [interpolation] [precision] type [ '[' count ']' ]
bool Declarations::variable(LineParser& in, Variable& v, bool sampler, bool isVarying) {
    const int nameColumn = in.column();
    v.name = std::string(in.name());
    constexpr std::string_view kNoCommas = "the words of a declaration stand without commas: .input v0 name vec4";
    if (in.peek() == ',') return in.fail(in.column(), std::string(kNoCommas));
    const auto bad = [](char c) { return c <= ' ' || c > '~' || c == '"' || c == '/'; };
    if (v.name.empty() || std::any_of(v.name.begin(), v.name.end(), bad))
        return in.fail(nameColumn, "the name of the variable must stand here, as in the shading language");
    if (in.atEnd() && find(variableTypeNames(), v.name))
        return in.fail(nameColumn, fmt::format("a name must stand before the type {}", v.name));
    int column = in.column();
    std::string_view word = in.word();
    if (const auto interpolation = find(interpolationNames(), word)) {
        if (!isVarying) return in.fail(column, fmt::format("only varyings are {}; leave the word out", word));
        v.interpolation = static_cast<isa::Interpolation>(*interpolation);
        column = in.column();
        word = in.word();
    }
    if (const auto precision = find(precisionNames(), word)) {
        v.precision = static_cast<isa::Precision>(*precision);
        column = in.column();
        word = in.word();
    }
    const auto type = find(variableTypeNames(), word);
    if (!type && find(variableTypeNames(), v.name))
        return in.fail(nameColumn, fmt::format("the name stands before its type: {} {}", word.substr(0, 40), v.name));
    if (!type || isa::isSampler(static_cast<isa::VarType>(*type)) != sampler)
        return in.fail(column, noType(word, sampler));
    v.type = static_cast<isa::VarType>(*type);
    if (in.accept('[')) {
        int count = 0;
        if (!in.number(1, isa::kMaxConstants, count)) return false;
        v.arraySize = static_cast<uint16_t>(count);
        if (!in.expect(']', "the array size")) return false;
    }
    return true;
}

bool Declarations::add(LineParser& in, int column, std::vector<Variable>& list, Variable variable, char letter) {
    for (const Variable& other : list)
        if (other.name == variable.name)
            return in.fail(column, fmt::format("{} is declared already; choose another name", variable.name));
    const int index = variable.reg + (letter == 'o' && program_.stage == Stage::Vertex ? isa::kOutVarying0 : 0);
    // What is spelled as a name can be used as one; "lights[2].colour", and what means something else, cannot.
    if (isName(variable.name) && !isReserved(variable.name)) {
        Symbol symbol;
        symbol.kind = letter == 't' ? Symbol::Kind::Unit : Symbol::Kind::Register;
        symbol.index = index;
        symbol.elements = std::max<int>(1, variable.arraySize);
        symbol.columns = isa::columnCount(variable.type);
        symbol.component = variable.component;
        if (letter == 't')
            symbol.target = isa::targetOf(variable.type);
        else
            symbol.file = static_cast<isa::File>(*find(fileLetters(), std::string_view(&letter, 1)));
        if (!name(in, column, variable.name, std::move(symbol))) return false;
    } else if (letter != 't') {
        symbols_.addForHost(variable.name, fmt::format("{}{}", letter, index));
    }
    list.push_back(std::move(variable));
    return true;
}

bool Declarations::name(LineParser& in, int column, std::string_view name, Symbol symbol) {
    std::string why = symbols_.add(name, std::move(symbol));
    return why.empty() || in.fail(column, std::move(why));
}

/// name = expression
bool Declarations::define(LineParser& in) {
    const int column = in.column();
    const std::string_view word = in.word();
    Symbol symbol;
    return in.expect('=', "the name") && in.expression(symbol.value) && name(in, column, word, std::move(symbol));
}

/// register[.components] name
bool Declarations::alias(LineParser& in) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::Register;
    char letter = 0;
    if (!in.plainRegister("rvcoaps", letter, symbol.index, ".alias r0 name")) return false;
    symbol.file = static_cast<isa::File>(*find(fileLetters(), std::string_view(&letter, 1)));
    if (in.accept('.')) {
        const int column = in.column();
        symbol.components = std::string(in.word());
        if (symbol.components.empty() || symbol.components.size() > 4)
            return in.fail(column, "one to four components of x y z w must follow the point");
        if (std::string why = componentsProblem(symbol.components); !why.empty())
            return in.fail(column, fmt::format("'{}' names no components; {}", symbol.components.substr(0, 40), why));
        if (symbol.file == isa::File::P) return in.fail(column, "a predicate has no components");
    }
    const int column = in.column();
    const std::string_view word = in.word();
    isa::DebugVariable variable;
    variable.name = word;
    variable.typed = false;
    describe(symbol, variable);
    if (!name(in, column, word, std::move(symbol))) return false;
    aliases_.variables.push_back(std::move(variable));
    return true;
}

/// Its registers for the whole program, the length of which is not known yet.
void Declarations::describe(const Symbol& symbol, isa::DebugVariable& variable) {
    const std::string_view all = symbol.file == isa::File::P ? "x" : "xyzw";
    const std::string_view components = symbol.components.empty() ? all : std::string_view(symbol.components);
    variable.type = static_cast<isa::VarType>(static_cast<size_t>(isa::VarType::Float) + components.size() - 1);
    for (size_t i = 0; i < components.size(); ++i) {
        isa::DebugRange range;
        range.component = static_cast<uint16_t>(i);
        range.place.kind = isa::DebugPlace::Kind::Register;
        range.place.file = symbol.file;
        range.place.index = static_cast<uint16_t>(symbol.index);
        range.place.component = static_cast<uint8_t>(*componentNumber(components[i]));
        variable.ranges.push_back(range);
    }
}

void Declarations::finish() {
    if (aliases_.variables.empty() || program_.code.empty()) return;
    const auto instructions = static_cast<uint32_t>(program_.code.size());
    for (isa::DebugVariable& variable : aliases_.variables) {
        variable.lastLine = UINT32_MAX;
        for (isa::DebugRange& range : variable.ranges) range.end = instructions;
    }
    program_.debugInfo = std::make_shared<isa::DebugInfo>(std::move(aliases_));
}

bool Declarations::take(LineParser& in, int column, const Registers& wanted) {
    const char letter = wanted.letter;
    if (wanted.first + wanted.count > wanted.limit)
        return in.fail(column, fmt::format("{} registers from {}{} on do not fit; the last is {}{}", wanted.count,
                                           letter, wanted.first, letter, wanted.limit - 1));
    std::set<int>& taken = letter == 'c' ? constantsTaken_ : unitsTaken_;
    for (int i = wanted.first; i < wanted.first + wanted.count; ++i)
        for (int c = wanted.component; c < wanted.component + wanted.width; ++c)
            if (!taken.insert(4 * i + c).second)
                return in.fail(
                    column, fmt::format("{}{} is taken by an earlier declaration; choose free registers", letter, i));
    return true;
}

bool Declarations::uniform(LineParser& in) {
    const int column = in.column();
    char letter = 0;
    int index = 0;
    Variable v;
    if (!in.plainRegister("c", letter, index, ".uniform c0 name vec4")) return false;
    if (in.accept('.')) {
        const std::string_view word = in.word();
        const size_t component = std::string_view("xyzw").find(word);
        if (word.size() != 1 || component == std::string_view::npos)
            return in.fail(column, "the first component of the uniform must stand behind the point: x, y, z or w");
        v.component = static_cast<uint8_t>(component);
    }
    if (!variable(in, v, false)) return false;
    v.reg = static_cast<uint16_t>(index);
    const int width = isa::componentCount(v.type);
    if (v.component + width > 4) return in.fail(column, fmt::format("{} does not fit behind that component", v.name));
    return take(in, column, {letter, index, isa::registerCount(v), isa::kMaxConstants, v.component, width}) &&
           add(in, column, program_.uniforms, std::move(v), 'c');
}

bool Declarations::sampler(LineParser& in) {
    const int column = in.column();
    char letter = 0;
    int index = 0;
    Variable v;
    if (!in.plainRegister("t", letter, index, ".sampler t0 name 2d") || !variable(in, v, true)) return false;
    v.reg = static_cast<uint16_t>(index);
    return take(in, column, {letter, index, isa::registerCount(v), isa::kMaxTextureUnits}) &&
           add(in, column, program_.uniforms, std::move(v), 't');
}

/// c1 name bytes [packed]; in the place of c1 `unread` where the program reads nothing of it
bool Declarations::block(LineParser& in) {
    const int column = in.column();
    if (program_.stage == Stage::Compute)
        return in.fail(column, "compute programs have no uniform blocks; they load from buffers: .buffer b0 name");
    constexpr std::string_view kForm = ".block c1 Lights 128";
    const std::string_view place = in.word();
    isa::UniformBlock block;
    const bool isRead = place != "unread";
    if (isRead) {
        const auto [end, status] =
            std::from_chars(place.data() + !place.empty(), place.data() + place.size(), block.reg);
        if (!place.starts_with('c') || status != std::errc{} || end != place.data() + place.size())
            return in.fail(column,
                           fmt::format("the first register of the block must stand here, or 'unread': {}", kForm));
    }
    const int nameColumn = in.column();
    block.name = std::string(in.name());
    if (block.name.empty()) return in.fail(nameColumn, fmt::format("the name of the block must stand here: {}", kForm));
    if (!blockNames_.insert(block.name).second)
        return in.fail(nameColumn, fmt::format("block {} is declared already; choose another name", block.name));
    int bytes = 0;
    if (!in.number(1, isa::kMaxConstantRegisters * kRegisterBytes, bytes)) return false;
    block.byteSize = static_cast<uint32_t>(bytes);
    if (!in.atEnd()) {
        const int packingColumn = in.column();
        if (in.word() != "packed")
            return in.fail(packingColumn, "only 'packed' may follow the size: members that nothing reads do not count");
        block.isShared = false;
    }
    if (isRead) {
        const int count = (bytes + kRegisterBytes - 1) / kRegisterBytes;
        block.registers = static_cast<uint16_t>(count);
        if (!take(in, column, {'c', block.reg, count, isa::kMaxConstantRegisters})) return false;
    }
    memberNames_.clear();
    program_.blocks.push_back(std::move(block));
    return true;
}

/// The byte behind the last one.
static uint64_t endOf(const isa::BlockMember& member) {
    const uint64_t columns = static_cast<uint64_t>(isa::columnCount(member.type));
    const uint64_t components = static_cast<uint64_t>(isa::componentCount(member.type));
    const uint64_t vectors = member.rowMajor ? components : columns, width = member.rowMajor ? columns : components;
    const uint64_t before = member.arraySize == 0 ? 0 : uint64_t{member.arrayStride} * (member.arraySize - 1u);
    return member.offset + before + member.matrixStride * (vectors - 1) + 4 * width;
}

/// offset name [precision] type ['[' count ']' stride bytes] [columns bytes | rows bytes], of the last block
bool Declarations::member(LineParser& in) {
    const int column = in.column();
    if (program_.blocks.empty()) return in.fail(column, "a block must stand before its members: .block c1 Lights 128");
    isa::UniformBlock& block = program_.blocks.back();
    int offset = 0;
    Variable v;
    if (!in.number(0, static_cast<int>(block.byteSize) - 1, offset,
                   fmt::format("{} has {} bytes", block.name, block.byteSize)) ||
        !variable(in, v, false))
        return false;
    isa::BlockMember member{.name = std::move(v.name),
                            .type = v.type,
                            .precision = v.precision,
                            .arraySize = v.arraySize,
                            .offset = static_cast<uint32_t>(offset)};
    if (!memberNames_.insert(member.name).second)
        return in.fail(column, fmt::format("{} is declared already; choose another name", member.name));
    if (!layout(in, member)) return false;
    if (endOf(member) > block.byteSize)
        return in.fail(column, fmt::format("{} lies behind the end of {}, which has {} bytes", member.name, block.name,
                                           block.byteSize));
    if (!useMember(in, column, block, member)) return false;
    block.members.push_back(std::move(member));
    return true;
}

/// The distances between elements, columns and rows; sixteen bytes where nothing else is said, as std140 has them.
bool Declarations::layout(LineParser& in, isa::BlockMember& member) {
    if (isa::isMatrix(member.type)) member.matrixStride = kRegisterBytes;
    while (!in.atEnd()) {
        const int column = in.column();
        const std::string_view word = in.word();
        int bytes = 0;
        if (word == "stride" && member.arraySize == 0) return in.fail(column, "only elements of arrays have a stride");
        if (word != "stride" && (word != "columns" && word != "rows"))
            return in.fail(column, "'stride' of an array, 'columns' or 'rows' of a matrix may stand here, and bytes");
        if (word != "stride" && !isa::isMatrix(member.type))
            return in.fail(column, fmt::format("{} is no matrix, which alone has {}", member.name, word));
        if (!in.number(4, isa::kMaxConstantRegisters * kRegisterBytes, bytes)) return false;
        if (word == "stride") {
            member.arrayStride = static_cast<uint32_t>(bytes);
        } else {
            member.matrixStride = static_cast<uint32_t>(bytes);
            member.rowMajor = word == "rows";
        }
    }
    if (member.arraySize != 0 && member.arrayStride == 0) {
        const int vectors = member.rowMajor ? isa::componentCount(member.type) : isa::columnCount(member.type);
        member.arrayStride = static_cast<uint32_t>(vectors * kRegisterBytes);
    }
    return true;
}

/// A name for instructions, where each column of each element begins a register, and all at one component.
bool Declarations::useMember(LineParser& in, int column, const isa::UniformBlock& block,
                             const isa::BlockMember& member) {
    const int reg = block.reg + static_cast<int>(member.offset) / kRegisterBytes;
    const int component = static_cast<int>(member.offset) % kRegisterBytes / 4;
    const int columns = isa::columnCount(member.type);
    const bool fits = member.offset % 4 == 0 && component + isa::componentCount(member.type) <= 4 && !member.rowMajor &&
                      (columns == 1 || member.matrixStride == kRegisterBytes) &&
                      (member.arraySize == 0 || member.arrayStride == static_cast<uint32_t>(columns * kRegisterBytes));
    if (block.registers == 0) return true;
    if (!fits || reg >= isa::kMaxConstants || !isName(member.name) || isReserved(member.name)) {
        symbols_.addForHost(member.name, fmt::format("c{}", reg));
        return true;
    }
    Symbol symbol;
    symbol.kind = Symbol::Kind::Register;
    symbol.file = isa::File::C;
    symbol.index = reg;
    symbol.elements = std::max<int>(1, member.arraySize);
    symbol.columns = columns;
    symbol.component = component;
    return name(in, column, member.name, std::move(symbol));
}

bool Declarations::constant(LineParser& in) {
    isa::Type type = isa::Type::F32;
    if (in.accept('.')) {
        const int column = in.column();
        const auto named = find(typeNames(), in.word());
        if (!named) return in.fail(column, "the type of the numbers must stand here: f32, i32 or u32");
        type = static_cast<isa::Type>(*named);
    }
    const int column = in.column();
    char letter = 0;
    int index = 0;
    if (!in.plainRegister("c", letter, index, ".const c0 = 1, 0, 0, 1")) return false;
    if (in.peek() != '=') {
        Symbol symbol;
        symbol.kind = Symbol::Kind::Register;
        symbol.file = isa::File::C;
        symbol.index = index;
        const int nameColumn = in.column();
        const std::string_view word = in.word();
        if (!isName(word)) return in.fail(nameColumn, "'=' must follow the register, or a name and '='");
        if (!name(in, nameColumn, word, std::move(symbol))) return false;
    }
    if (!in.expect('=', "the register")) return false;
    isa::Literal literal;
    literal.reg = static_cast<uint16_t>(index);
    for (size_t i = 0; i < literal.bits.size(); ++i) {
        if (i > 0 && !in.expect(',', "this number; a constant has four components")) return false;
        if (!in.literal(type, literal.bits[i])) return false;
    }
    if (!take(in, column, {letter, index, 1, isa::kMaxConstants})) return false;
    program_.literals.push_back(literal);
    return true;
}

bool Declarations::temps(LineParser& in) {
    int count = 0;
    if (!in.number(0, isa::kMaxTemps, count)) return false;
    program_.tempCount = std::max(program_.tempCount, static_cast<uint16_t>(count));
    return true;
}

bool Declarations::needCompute(LineParser& in, int column) {
    return needStage(in, column) &&
           (program_.stage == Stage::Compute || in.fail(column, "only compute programs have memory and thread blocks"));
}

/// b0 name [constant]
bool Declarations::buffer(LineParser& in) {
    const int column = in.column();
    const std::string_view text = in.word();
    const std::optional<uint8_t> slot = bufferSlot(text);
    if (!slot)
        return in.fail(column,
                       fmt::format("a buffer b0 to b{} must stand here: .buffer b0 name", isa::kMaxBuffers - 1));
    isa::Buffer declared;
    declared.slot = *slot;
    declared.name = std::string(in.name());
    if (declared.name.empty()) return in.fail(in.column(), "the name of the buffer must stand here");
    if (!in.atEnd()) {
        const int kindColumn = in.column();
        if (in.word() != "constant")
            return in.fail(kindColumn,
                           "only 'constant' may follow the name of a buffer; loads and stores give the type");
        declared.constant = true;
    }
    for (const isa::Buffer& other : program_.buffers)
        if (other.slot == declared.slot || other.name == declared.name)
            return in.fail(column, fmt::format("{} is declared already as b{} {}", text, other.slot, other.name));
    symbols_.addBuffer(declared.name, declared.slot);
    program_.buffers.push_back(std::move(declared));
    return true;
}

bool Declarations::shared(LineParser& in) {
    int bytes = 0;
    if (!in.number(1, isa::kMaxSharedBytes, bytes)) return false;
    program_.sharedBytes = static_cast<uint32_t>(bytes);
    return true;
}

bool Declarations::group(LineParser& in) {
    const int column = in.column();
    program_.blockSize = {1, 1, 1};
    int threads = 1;
    for (uint16_t& size : program_.blockSize) {
        int value = 0;
        if (!in.number(1, isa::kMaxThreadBlockThreads, value)) return false;
        size = static_cast<uint16_t>(value);
        threads = std::min(threads * value, isa::kMaxThreadBlockThreads + 1);
        if (!in.accept(',')) break;
    }
    if (!in.atEnd()) return in.fail(in.column(), "one to three sizes, with commas between them: .group 16, 16");
    return threads <= isa::kMaxThreadBlockThreads ||
           in.fail(column, fmt::format("a block has at most {} threads", isa::kMaxThreadBlockThreads));
}

bool Declarations::broadcast(LineParser& in, int column) {
    if (!needStage(in, column)) return false;
    if (program_.stage != Stage::Fragment) return in.fail(column, "only fragment programs have colours");
    program_.broadcastColor = true;
    return true;
}

}  // namespace tessera::assembly
