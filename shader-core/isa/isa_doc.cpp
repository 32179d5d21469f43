// Generates docs/isa.md from doc/isa.md, whose {{placeholders}} stand for tables made from opcodes.def and fields.h
// and for other texts.
//
//   isa_doc ROOT            prints the page (ROOT: top of the tree)
//   isa_doc ROOT --write    writes docs/isa.md
//   isa_doc ROOT --check    compares with docs/isa.md; exit status 1 and the first difference when they differ
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "base/enumeration.h"
#include "base/process/write_file.h"
#include "shader-core/isa/fields.h"
#include "shader-core/isa/program.h"
#include "shader-core/isa/type_names.h"

namespace tessera::isa {

namespace {

[[noreturn]] void stop(const std::string& why) {
    std::cerr << "isa_doc: " << why << "\n";
    std::exit(2);
}

std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) stop(path + " cannot be read");
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

constexpr std::string_view kTypeLetters[] = {"f32", "i32", "u32"};
constexpr std::string_view kSets[] = {"graphics", "extended", "compute"};
constexpr std::string_view kUnitNames[] = {"arithmetic", "transcendental", "lighting", "texture",
                                           "control",    "memory",         "lanes"};

std::string types(const OpInfo& info) {
    std::string text;
    for (int t = 0; t < 3; ++t)
        if (info.types >> t & 1) text += fmt::format("{}{}", text.empty() ? "" : " ", kTypeLetters[t]);
    return text;
}

std::string bits(const Field& f) {
    return f.width == 1 ? fmt::format("{}", f.first) : fmt::format("{}..{}", f.first, f.first + f.width - 1);
}

std::string fieldTable(std::span<const Field> fields) {
    std::string text = "| bits | field | meaning |\n|---|---|---|\n";
    for (const Field& f : fields) text += fmt::format("| {} | {} | {} |\n", bits(f), f.name, f.meaning);
    return text;
}

std::string sourceTable() {
    const SourceFields f = sourceFields(0);
    std::string text = "| offset | a | b | c | field | meaning |\n|---|---|---|---|---|---|\n";
    for (Field part : {f.file, f.index, f.swizzle, f.negate, f.absolute, f.relative, f.snoop}) {
        const int offset = part.first - kSourceFirst[0];
        text += fmt::format("| {} ", bits({part.name, static_cast<uint8_t>(offset), part.width, part.meaning}));
        for (uint8_t first : kSourceFirst) {
            part.first = static_cast<uint8_t>(first + offset);
            text += fmt::format("| {} ", bits(part));
        }
        text += fmt::format("| {} | {} |\n", part.name, part.meaning);
    }
    return text;
}

std::string extraTable() {
    std::vector<Field> fields(kTextureFields.begin(), kTextureFields.end());
    fields.insert(fields.begin(), field::kImmediate);
    for (const Field& f : {field::kTarget, field::kIterations, field::kBarrier, field::kBarrierGroups, field::kSlot,
                           field::kElementSize, field::kFirstWavefront, field::kSecondWavefront, field::kSnoopOfBlock})
        fields.push_back(f);
    return fieldTable(fields);
}

std::string shapeTable() {
    struct Row {
        Shape shape;
        std::string_view name, fields;
    };
    constexpr Row kRows[] = {
        {Shape::None, "None", "none"},
        {Shape::Branch, "Branch", "branch target, iterations"},
        {Shape::Barrier, "Barrier", "barrier, groups"},
        {Shape::MS, "MS", "d mask, source a (address), b (value), snoop row, byte offset, slot, element size"},
        {Shape::DS1, "DS1", "destination, source a; immediate if a is of file i; snoop of block"},
        {Shape::DS1S2, "DS1S2", "destination, sources a, b; immediate if one is of file i; snoop of block"},
        {Shape::DS1S2S3, "DS1S2S3", "destination, sources a, b, c; snoop of block"},
        {Shape::DM, "DM", "destination, source a (address), snoop row, byte offset, slot, element size"},
        {Shape::DMS1, "DMS1", "destination, sources a (address), b, snoop row, byte offset, slot"},
        {Shape::DMS2, "DMS2", "destination, sources a (address), b, c, snoop row, slot"},
        {Shape::DT1, "DT1", "destination, source a, texture fields"},
        {Shape::DT2, "DT2", "destination, sources a, b, texture fields"},
        {Shape::DT3, "DT3", "destination, sources a, b, c, texture fields"}};
    std::string text = "| shape | fields besides the common ones | instructions |\n|---|---|---|\n";
    for (const Row& row : kRows) {
        text += fmt::format("| {} | {} |", row.name, row.fields);
        for (int i = 0; i < kOpCount; ++i)
            if (opInfo(static_cast<Op>(i)).shape == row.shape)
                text += fmt::format(" {}", opInfo(static_cast<Op>(i)).mnemonic);
        text += " |\n";
    }
    return text;
}

std::string fileTable() {
    struct Row {
        File file;
        std::string_view name, access, meaning;
    };
    constexpr Row kRows[] = {
        {File::R, "r", "read, write", "temporaries"},
        {File::V, "v", "read",
         "inputs: attributes of a vertex; of a fragment varyings, v0..v30, and last colours, v32..v35"},
        {File::C, "c", "read", "constants: uniforms and literals"},
        {File::O, "o", "read, write", "outputs"},
        {File::A, "a", "read, write", "address; a0.x is the integer that relative operands add"},
        {File::P, "p", "read, write", "predicates, one bit for each lane"},
        {File::S, "s", "read", "specials"},
        {File::I, "i", "read", "the immediate of the instruction"}};
    std::string text = "| number | file | registers | access | holds |\n|---|---|---|---|---|\n";
    for (const Row& row : kRows) {
        const int first = row.file == File::P ? 1 : 0;
        const int last = registerCount(row.file) - 1;
        std::string registers = first == last ? fmt::format("{}{}", row.name, first)
                                              : fmt::format("{}{}..{}{}", row.name, first, row.name, last);
        if (row.file == File::I) registers = "-";
        text += fmt::format("| {} | {} | {} | {} | {} |\n", static_cast<int>(row.file), row.name, registers, row.access,
                            row.meaning);
    }
    return text;
}

std::string specialTable() {
    constexpr std::string_view kRows[kSpecials][2] = {
        {"frag_coord", "window x and y of the pixel centre, depth 0..1, 1/w of clip space"},
        {"front_facing", "1.0 for a front-facing primitive, else 0.0, in every component"},
        {"point_coord",
         "x and y: 0..1 across a point sprite, y downwards; z and w, integers: the sample that the program is run for "
         "and those of the pixel, as said below of samples"},
        {"lane", "x: the number of the lane in the group, an integer"},
        {"instance_id", "x: the number of the instance the vertex belongs to, y: that of the vertex; integers"},
        {"thread", "compute: x, y, z of the thread in its block, w its number there; this and what follows: integers"},
        {"block", "compute: x, y, z of the block in the grid, w its number there"},
        {"block_size", "compute: threads of a block in x, y, z, and in all"},
        {"grid_size", "compute: blocks of the grid in x, y, z, and in all"},
        {"group", "compute: x the number of the group in its block, y the groups of a block, z and w 0"}};
    std::string text = "| register | name | holds |\n|---|---|---|\n";
    for (int i = 0; i < kSpecials; ++i) text += fmt::format("| s{} | `{}` | {} |\n", i, kRows[i][0], kRows[i][1]);
    return text;
}

std::string variableTypeTable() {
    std::string text = "| number | type | registers |\n|---|---|---|\n";
    for (size_t i = 0; i < enumeratorCount<VarType>(); ++i) {
        const VarType type = static_cast<VarType>(i);
        text += fmt::format("| {} | {} | {} |\n", i, nameOf(type),
                            isSampler(type) ? "1 unit" : fmt::format("{}", columnCount(type)));
    }
    return text;
}

/// A bar inside a cell of a table.
std::string cell(std::string_view text) {
    std::string out;
    for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

std::string overviewTable() {
    std::string text = "| instruction | opcode | function | shape | types | unit | cycles | set | meaning |\n";
    text += "|---|---|---|---|---|---|---|---|---|\n";
    constexpr std::string_view kShapes[] = {"None", "Branch", "Barrier", "MS",  "DS1", "DS1S2", "DS1S2S3",
                                            "DM",   "DMS1",   "DMS2",    "DT1", "DT2", "DT3"};
    for (int i = 0; i < kOpCount; ++i) {
        const OpInfo& info = opInfo(static_cast<Op>(i));
        text += fmt::format("| [{0}](#{0}) | {1} | {2} | {3} | {4} | {5} | {6} | {7} | {8} |\n", info.mnemonic,
                            info.opcode, info.function, kShapes[static_cast<int>(info.shape)], types(info),
                            kUnitNames[static_cast<int>(info.unit)], info.latency, kSets[static_cast<int>(info.set)],
                            cell(info.meaning));
    }
    return text;
}

/// doc/instructions.md gives each instruction's definition under "### mnemonic"; the table adds its syntax.
std::string instructionTexts(const std::string& definitions) {
    std::map<std::string, std::string> pieces;
    for (size_t at = definitions.find("### "); at != std::string::npos;) {
        const size_t line = definitions.find('\n', at);
        const size_t next = definitions.find("\n### ", at);
        const std::string body = definitions.substr(line + 1, next == std::string::npos ? next : next - line - 1);
        if (!pieces.emplace(definitions.substr(at + 4, line - at - 4), body).second)
            stop("two definitions of " + definitions.substr(at + 4, line - at - 4));
        at = next == std::string::npos ? next : next + 1;
    }
    std::string text;
    for (int i = 0; i < kOpCount; ++i) {
        const OpInfo& info = opInfo(static_cast<Op>(i));
        const auto piece = pieces.find(std::string(info.mnemonic));
        if (piece == pieces.end()) stop(fmt::format("doc/instructions.md does not define {}", info.mnemonic));
        std::string body = piece->second;
        while (!body.empty() && body.back() == '\n') body.pop_back();
        text += fmt::format("### {}\n\n`{}` · {} · opcode {}, function {}\n\n{}\n\n", info.mnemonic,
                            writtenForm(info.op), types(info), info.opcode, info.function, body);
        pieces.erase(piece);
    }
    if (!pieces.empty()) stop("doc/instructions.md defines " + pieces.begin()->first + ", which is no instruction");
    while (text.ends_with('\n')) text.pop_back();
    return text + "\n";
}

/// A text as part of this page: its headings move `levels` down.
std::string demoted(const std::string& text, int levels) {
    std::istringstream in(text);
    std::string out;
    bool code = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("```")) code = !code;
        if (!code && line.starts_with('#')) out.append(static_cast<size_t>(levels), '#');
        out += line + "\n";
    }
    return out;
}

/// The part of a text under the heading "## title", up to the next such heading.
std::string section(const std::string& text, const std::string& title) {
    const std::string heading = "## " + title + "\n";
    const size_t at = text.find("\n" + heading);
    if (at == std::string::npos) stop("no section '" + title + "'");
    const size_t first = at + 1 + heading.size();
    std::string body = text.substr(first, text.find("\n## ", first) - first);
    while (!body.empty() && body.front() == '\n') body.erase(0, 1);
    while (body.ends_with("\n\n")) body.pop_back();
    return "### " + title + "\n\n" + body;
}

std::string expand(const std::string& root, const std::string& name) {
    const std::string doc = root + "/shader-core/isa/doc/";
    if (name == "files") return fileTable();
    if (name == "specials") return specialTable();
    if (name == "fields common") return fieldTable(kCommonFields);
    if (name == "fields subset") return fieldTable(kSubsetFields);
    if (name == "fields reserved") return fieldTable(kReservedTextureFields);
    if (name == "fields destination") return fieldTable(kDestinationFields);
    if (name == "fields source") return sourceTable();
    if (name == "fields extra") return extraTable();
    if (name == "shapes") return shapeTable();
    if (name == "variable types") return variableTypeTable();
    if (name == "overview") return overviewTable();
    if (name == "instructions") return instructionTexts(read(doc + "instructions.md"));
    if (name == "count") {
        int counts[3] = {};
        for (int i = 0; i < kOpCount; ++i) ++counts[static_cast<int>(opInfo(static_cast<Op>(i)).set)];
        return fmt::format(
            "{} instructions: {} in the graphics set, {} in the extended set, {} in the compute set. Cycles are an "
            "estimate:\nsee [Cycles](#cycles).",
            kOpCount, counts[0], counts[1], counts[2]);
    }
    if (name == "source a" || name == "source b" || name == "source c")
        return fmt::format("{}", kSourceFirst[name.back() - 'a']);
    if (name == "nesting") return fmt::format("{}", kMaxNesting);
    if (name == "instruction limit") return fmt::format("{}", kMaxInstructions);
    if (name.starts_with("include ")) return demoted(read(doc + name.substr(8)), 1);
    if (name.starts_with("example ")) return "```\n" + read(root + "/" + name.substr(8)) + "```\n";
    if (name.starts_with("section ")) {
        const size_t space = name.find(' ', 8);
        return section(read(root + "/" + name.substr(8, space - 8)), name.substr(space + 1));
    }
    stop("unknown placeholder {{" + name + "}}");
}

std::string page(const std::string& root) {
    const std::string text = read(root + "/shader-core/isa/doc/isa.md");
    std::string out =
        "<!-- Generated by isa_doc from shader-core/isa/doc and opcodes.def: ninja isa_doc_update. -->\n\n";
    for (size_t at = 0; at < text.size();) {
        const size_t open = text.find("{{", at);
        out += text.substr(at, open - at);
        if (open == std::string::npos) break;
        const size_t close = text.find("}}", open);
        if (close == std::string::npos) stop("a placeholder does not end");
        std::string piece = expand(root, text.substr(open + 2, close - open - 2));
        at = close + 2;
        if (text[at] == '\n' && piece.ends_with('\n')) piece.pop_back();
        out += piece;
    }
    return out;
}

int check(const std::string& generated, const std::string& committed) {
    if (generated == committed) return 0;
    const auto [mine, theirs] = std::mismatch(generated.begin(), generated.end(), committed.begin(), committed.end());
    std::cerr << "docs/isa.md is out of date from line " << 1 + std::count(generated.begin(), mine, '\n')
              << "; run: ninja isa_doc_update\n";
    return 1;
}

}  // namespace

}  // namespace tessera::isa

int main(int argc, char** argv) {
    if (argc < 2) {
        std::cerr << "usage: isa_doc ROOT [--write | --check]\n";
        return 2;
    }
    const std::string root = argv[1], mode = argc > 2 ? argv[2] : "";
    const std::string text = tessera::isa::page(root), target = root + "/docs/isa.md";
    if (mode == "--check") return tessera::isa::check(text, tessera::isa::read(target));
    if (mode == "--write") {
        std::string why;
        if (tessera::writeWholeFile(target, text, why)) return 0;
        std::fprintf(stderr, "%s: cannot be written: %s\n", target.c_str(), why.c_str());
        return 2;
    }
    std::cout << text;
    return 0;
}
