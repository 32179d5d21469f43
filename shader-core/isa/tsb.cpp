// .tsb, the file form of a program. Everything is little endian; docs/isa.md gives the layout.
//
// Header, 16 bytes: "TSB1", version, size of the payload, CRC-32 of the payload (the polynomial of zlib and PNG).
// Behind the program's own contents the payload may hold sections that nothing needs to run it.
#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "shader-core/isa/debug_info.h"
#include "shader-core/isa/program.h"

namespace tessera::isa {

namespace {

constexpr uint32_t kVersion = 3;
constexpr size_t kHeaderSize = 16;
constexpr char kMagic[4] = {'T', 'S', 'B', '1'};
constexpr uint32_t kInterfaceSection = 0x31464E49;  // "INF1"
constexpr uint32_t kDebugSection = 0x31474244;      // "DBG1"

constexpr std::array<uint32_t, 256> makeCrcTable() {
    std::array<uint32_t, 256> table{};
    for (uint32_t n = 0; n < 256; ++n) {
        uint32_t c = n;
        for (int k = 0; k < 8; ++k) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
        table[n] = c;
    }
    return table;
}
constexpr std::array<uint32_t, 256> kCrcTable = makeCrcTable();

uint32_t crc32(std::span<const std::byte> bytes) {
    uint32_t c = 0xFFFFFFFFu;
    for (std::byte b : bytes) c = kCrcTable[(c ^ static_cast<uint32_t>(b)) & 0xFF] ^ c >> 8;
    return ~c;
}

class Writer {
public:
    template <class T>
    void integer(T value) {
        for (size_t i = 0; i < sizeof(T); ++i)
            bytes.push_back(static_cast<std::byte>(static_cast<uint64_t>(value) >> 8 * i & 0xFF));
    }
    void count(size_t n) { integer(static_cast<uint32_t>(n)); }
    void text(const std::string& s) {
        count(s.size());
        for (char c : s) bytes.push_back(static_cast<std::byte>(c));
    }
    void variables(const std::vector<Variable>& list) {
        count(list.size());
        for (const Variable& v : list) {
            text(v.name);
            integer(static_cast<uint8_t>(v.type));
            integer(static_cast<uint8_t>(v.precision));
            integer(v.arraySize);
            integer(v.reg);
            integer(v.component);
        }
    }
    /// What only programs of later shading languages have: interpolation, names of outputs, uniform blocks.
    void interface(const Program& program) {
        count(program.varyings.size());
        for (const Variable& v : program.varyings) integer(static_cast<uint8_t>(v.interpolation));
        variables(program.outputs);
        count(program.blocks.size());
        for (const UniformBlock& block : program.blocks) {
            text(block.name);
            integer(block.reg);
            integer(block.registers);
            integer(block.byteSize);
            integer(static_cast<uint8_t>(block.isShared));
            count(block.members.size());
            for (const BlockMember& member : block.members) {
                text(member.name);
                integer(static_cast<uint8_t>(member.type));
                integer(static_cast<uint8_t>(member.precision));
                integer(member.arraySize);
                integer(member.offset);
                integer(member.arrayStride);
                integer(member.matrixStride);
                integer(static_cast<uint8_t>(member.rowMajor));
            }
        }
    }
    void section(uint32_t tag, const Writer& contents) {
        integer(tag);
        count(contents.bytes.size());
        bytes.insert(bytes.end(), contents.bytes.begin(), contents.bytes.end());
    }
    void debugInfo(const DebugInfo& info) {
        count(info.variables.size());
        for (const DebugVariable& v : info.variables) {
            text(v.name);
            text(v.function);
            integer(static_cast<uint8_t>(v.type));
            integer(static_cast<uint8_t>(v.typed));
            integer(v.arraySize);
            integer(v.firstLine);
            integer(v.lastLine);
            count(v.ranges.size());
            for (const DebugRange& range : v.ranges) {
                integer(range.begin);
                integer(range.end);
                integer(range.component);
                integer(static_cast<uint8_t>(range.place.kind));
                integer(static_cast<uint8_t>(range.place.file));
                integer(range.place.index);
                integer(range.place.component);
                integer(static_cast<uint8_t>(range.place.negate | range.place.absolute << 1));
                integer(range.place.bits);
            }
        }
    }
    std::vector<std::byte> bytes;
};

enum class OnOff : uint8_t { Off, On };

/// Reads past the end give zero and set `failed`; no count is believed beyond what the rest could hold.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : rest(bytes) {}

    template <class T>
    T integer() {
        if (rest.size() < sizeof(T)) {
            failed = true;
            rest = {};
            return 0;
        }
        uint64_t value = 0;
        for (size_t i = 0; i < sizeof(T); ++i) value |= static_cast<uint64_t>(rest[i]) << 8 * i;
        rest = rest.subspan(sizeof(T));
        return static_cast<T>(value);
    }
    size_t count(size_t smallestElement) {
        const size_t n = integer<uint32_t>();
        if (n <= rest.size() / smallestElement) return n;
        failed = true;
        return 0;
    }
    std::string text() {
        const size_t n = count(1);
        std::string s(n, '\0');
        if (n) std::memcpy(s.data(), rest.data(), n);
        rest = rest.subspan(n);
        return s;
    }
    std::vector<Variable> variables() {
        std::vector<Variable> list(count(11));
        for (Variable& v : list) {
            v.name = text();
            v.type = enumeration<VarType>(kLastVarType);
            v.precision = enumeration<Precision>(Precision::High);
            v.arraySize = integer<uint16_t>();
            v.reg = integer<uint16_t>();
            v.component = integer<uint8_t>();
            failed |= v.component > 3;
        }
        return list;
    }
    void interface(Program& program) {
        const size_t varyings = count(1);
        failed |= varyings != program.varyings.size();
        for (size_t i = 0; i < varyings && !failed; ++i)
            program.varyings[i].interpolation = enumeration<Interpolation>(Interpolation::Flat);
        program.outputs = variables();
        program.blocks.resize(count(17));
        for (UniformBlock& block : program.blocks) {
            block.name = text();
            block.reg = integer<uint16_t>();
            block.registers = integer<uint16_t>();
            block.byteSize = integer<uint32_t>();
            block.isShared = enumeration<OnOff>(OnOff::On) == OnOff::On;
            block.members.resize(count(21));
            for (BlockMember& member : block.members) {
                member.name = text();
                member.type = enumeration<VarType>(kLastVarType);
                member.precision = enumeration<Precision>(Precision::High);
                member.arraySize = integer<uint16_t>();
                member.offset = integer<uint32_t>();
                member.arrayStride = integer<uint32_t>();
                member.matrixStride = integer<uint32_t>();
                member.rowMajor = enumeration<OnOff>(OnOff::On) == OnOff::On;
            }
        }
    }
    DebugInfo debugInfo() {
        DebugInfo info;
        info.variables.resize(count(24));
        for (DebugVariable& v : info.variables) {
            v.name = text();
            v.function = text();
            v.type = enumeration<VarType>(kLastVarType);
            v.typed = enumeration<OnOff>(OnOff::On) == OnOff::On;
            v.arraySize = integer<uint16_t>();
            v.firstLine = integer<uint32_t>();
            v.lastLine = integer<uint32_t>();
            v.ranges.resize(count(20));
            for (DebugRange& range : v.ranges) {
                range.begin = integer<uint32_t>();
                range.end = integer<uint32_t>();
                range.component = integer<uint16_t>();
                range.place.kind = enumeration<DebugPlace::Kind>(DebugPlace::Kind::Constant);
                range.place.file = enumeration<File>(File::I);
                range.place.index = integer<uint16_t>();
                range.place.component = integer<uint8_t>();
                const uint8_t modifiers = integer<uint8_t>();
                failed |= modifiers > 3;
                range.place.negate = (modifiers & 1) != 0;
                range.place.absolute = (modifiers & 2) != 0;
                range.place.bits = integer<uint32_t>();
            }
        }
        return info;
    }
    std::span<const std::byte> bytes(size_t n) {
        const std::span<const std::byte> taken = rest.first(n);
        rest = rest.subspan(n);
        return taken;
    }
    template <class E>
    E enumeration(E last) {
        const uint8_t value = integer<uint8_t>();
        if (value <= static_cast<uint8_t>(last)) return static_cast<E>(value);
        failed = true;
        return E{};
    }

    std::span<const std::byte> rest;
    bool failed = false;
};

/// Sections behind the program: tag, size, contents. One with an unknown tag is left out.
void readSections(Reader& in, Program& p) {
    while (!in.failed && !in.rest.empty()) {
        const uint32_t tag = in.integer<uint32_t>();
        Reader section(in.bytes(in.count(1)));
        if (tag == kInterfaceSection) {
            section.interface(p);
            in.failed |= section.failed || !section.rest.empty();
        }
        if (tag != kDebugSection) continue;
        DebugInfo info = section.debugInfo();
        in.failed |= section.failed || !section.rest.empty() || p.debugInfo || !debugInfoProblem(p, info).empty();
        p.debugInfo = std::make_shared<DebugInfo>(std::move(info));
    }
}

std::optional<Program> readPayload(std::span<const std::byte> payload) {
    Reader in(payload);
    Program p;
    p.stage = in.enumeration(Stage::Compute);
    p.broadcastColor = in.enumeration(OnOff::On) == OnOff::On;
    p.tempCount = in.integer<uint16_t>();
    p.code.resize(in.count(sizeof(Word)));
    for (Word& word : p.code) {
        word.lo = in.integer<uint64_t>();
        word.hi = in.integer<uint64_t>();
    }
    p.lines.resize(in.count(4));
    for (uint32_t& line : p.lines) line = in.integer<uint32_t>();
    p.literals.resize(in.count(18));
    for (Literal& literal : p.literals) {
        literal.reg = in.integer<uint16_t>();
        for (uint32_t& bits : literal.bits) bits = in.integer<uint32_t>();
    }
    p.attributes = in.variables();
    p.varyings = in.variables();
    p.uniforms = in.variables();
    p.source = in.text();
    if (p.stage == Stage::Compute) {
        for (uint16_t& size : p.blockSize) size = in.integer<uint16_t>();
        p.sharedBytes = in.integer<uint32_t>();
        p.buffers.resize(in.count(6));
        for (Buffer& buffer : p.buffers) {
            buffer.name = in.text();
            buffer.slot = in.integer<uint8_t>();
            buffer.constant = in.enumeration(OnOff::On) == OnOff::On;
        }
    }
    readSections(in, p);
    if (in.failed) return std::nullopt;
    return p;
}

}  // namespace

std::vector<std::byte> serialize(const Program& program) {
    Writer body;
    body.integer(static_cast<uint8_t>(program.stage));
    body.integer(static_cast<uint8_t>(program.broadcastColor));
    body.integer(program.tempCount);
    body.count(program.code.size());
    for (const Word& word : program.code) {
        body.integer(word.lo);
        body.integer(word.hi);
    }
    body.count(program.lines.size());
    for (uint32_t line : program.lines) body.integer(line);
    body.count(program.literals.size());
    for (const Literal& literal : program.literals) {
        body.integer(literal.reg);
        for (uint32_t bits : literal.bits) body.integer(bits);
    }
    body.variables(program.attributes);
    body.variables(program.varyings);
    body.variables(program.uniforms);
    body.text(program.source);
    if (program.stage == Stage::Compute) {
        for (const uint16_t size : program.blockSize) body.integer(size);
        body.integer(program.sharedBytes);
        body.count(program.buffers.size());
        for (const Buffer& buffer : program.buffers) {
            body.text(buffer.name);
            body.integer(buffer.slot);
            body.integer(static_cast<uint8_t>(buffer.constant));
        }
    }
    const bool isPlain = std::ranges::all_of(
        program.varyings, [](const Variable& v) { return v.interpolation == Interpolation::Smooth; });
    if (!isPlain || !program.outputs.empty() || !program.blocks.empty()) {
        Writer section;
        section.interface(program);
        body.section(kInterfaceSection, section);
    }
    if (program.debugInfo) {
        Writer section;
        section.debugInfo(*program.debugInfo);
        body.section(kDebugSection, section);
    }

    Writer file;
    for (char c : kMagic) file.integer(static_cast<uint8_t>(c));
    file.integer(kVersion);
    file.count(body.bytes.size());
    file.integer(crc32(body.bytes));
    file.bytes.insert(file.bytes.end(), body.bytes.begin(), body.bytes.end());
    return std::move(file.bytes);
}

std::optional<Program> deserialize(std::span<const std::byte> bytes, std::string* error) {
    const auto fail = [error](std::string why) {
        if (error) *error = std::move(why);
        return std::nullopt;
    };
    if (bytes.size() < kHeaderSize || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
        return fail("not a Tessera program: the file does not start with TSB1");
    Reader header(bytes.subspan(sizeof kMagic));
    const uint32_t version = header.integer<uint32_t>();
    const uint32_t size = header.integer<uint32_t>();
    const uint32_t checksum = header.integer<uint32_t>();
    if (version != kVersion)
        return fail(fmt::format("version {} of .tsb; this build reads version {}", version, kVersion));
    if (size != header.rest.size())
        return fail(fmt::format("the header promises {} bytes, {} follow: the file is cut or has something appended",
                                size, header.rest.size()));
    if (checksum != crc32(header.rest)) return fail("the checksum does not match: the file is damaged");
    std::optional<Program> program = readPayload(header.rest);
    if (!program) return fail("the contents do not fit the .tsb layout");
    deriveUsage(*program);
    return program;
}

}  // namespace tessera::isa
