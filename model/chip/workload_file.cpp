// One table of fields (visit) serves writing and reading.
#include "model/chip/workload_file.h"
#include "shader-core/isa/program.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace tessera::model {

namespace {

constexpr char kMagic[4] = {'T', 'S', 'W', '1'};
constexpr size_t kHeaderBytes = 16;

/// 0, -1, 1, -2, 2 ... as 0, 1, 2, 3, 4 ...
uint64_t foldSign(uint64_t difference) { return difference << 1 ^ (difference >> 63 != 0 ? ~uint64_t{0} : 0); }
uint64_t unfoldSign(uint64_t folded) { return folded >> 1 ^ ((folded & 1) != 0 ? ~uint64_t{0} : 0); }

class Writer {
public:
    std::string out;

    template <class T>
    void number(T& value) {
        if constexpr (std::is_enum_v<T>)
            put(static_cast<uint64_t>(value));
        else
            put(static_cast<std::make_unsigned_t<T>>(value));
    }
    void flag(bool& value) { put(value ? 1 : 0); }
    template <class T>
    void difference(T& value, const T& before) {
        put(foldSign(static_cast<uint64_t>(value) - static_cast<uint64_t>(before)));
    }
    void text(std::string& value) {
        put(value.size());
        out += value;
    }
    void program(std::shared_ptr<const isa::Program>& program) {
        const std::vector<std::byte> bytes = isa::serialize(*program);
        put(bytes.size());
        out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    template <class T, class Visit>
    void list(std::vector<T>& list, const Visit& visitOne) {
        put(list.size());
        T before{};
        for (T& one : list) {
            visitOne(one, before);
            before = one;
        }
    }

private:
    void put(uint64_t value) {
        for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
        out.push_back(static_cast<char>(value));
    }
};

class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::string problem;  ///< what is wrong at `at`
    size_t at = kHeaderBytes;

    template <class T>
    void number(T& value) {
        if constexpr (std::is_enum_v<T>) {
            value = static_cast<T>(take(std::numeric_limits<std::underlying_type_t<T>>::max()));
        } else {
            using Unsigned = std::make_unsigned_t<T>;
            value = static_cast<T>(static_cast<Unsigned>(take(std::numeric_limits<Unsigned>::max())));
        }
    }
    void flag(bool& value) { value = take(1) != 0; }
    template <class T>
    void difference(T& value, const T& before) {
        const uint64_t sum = static_cast<uint64_t>(before) + unfoldSign(take(~uint64_t{0}));
        value = static_cast<T>(sum);
        if (static_cast<uint64_t>(value) != sum) fail("a number is too large");
    }
    void text(std::string& value) {
        const std::span<const std::byte> bytes = takeBytes();
        value.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    void program(std::shared_ptr<const isa::Program>& program) {
        const size_t start = at;
        const std::span<const std::byte> bytes = takeBytes();
        if (!problem.empty()) return;
        std::string why;
        std::optional<isa::Program> parsed = isa::deserialize(bytes, &why);
        if (parsed) why = isa::verify(*parsed);
        if (!why.empty()) {
            at = start;
            return fail("a program: " + why);
        }
        program = std::make_shared<const isa::Program>(std::move(*parsed));
    }
    /// Memory is asked for as elements come: a count may be anything.
    template <class T, class Visit>
    void list(std::vector<T>& list, const Visit& visitOne) {
        const uint64_t size = take(~uint64_t{0});
        T before{};
        for (uint64_t i = 0; i < size && problem.empty(); ++i) {
            T one{};
            visitOne(one, before);
            before = one;
            list.push_back(std::move(one));
        }
    }
    [[nodiscard]] bool isAtEnd() const { return at == bytes_.size(); }

private:
    void fail(std::string what) {
        if (problem.empty()) problem = std::move(what);
    }
    uint64_t take(uint64_t most) {
        uint64_t value = 0;
        for (unsigned shift = 0; problem.empty(); shift += 7) {
            if (at == bytes_.size()) return fail("the file ends here"), 0;
            const auto byte = std::to_integer<uint64_t>(bytes_[at++]);
            if (shift == 63 && byte > 1) return fail("a number is too large"), 0;
            value |= (byte & 0x7F) << shift;
            if ((byte & 0x80) == 0) break;
        }
        if (value > most) return fail("a number is too large"), 0;
        return problem.empty() ? value : 0;
    }
    std::span<const std::byte> takeBytes() {
        const uint64_t size = take(~uint64_t{0});
        if (size > bytes_.size() - at) fail("a text is longer than the file");
        if (!problem.empty()) return {};
        at += size;
        return bytes_.subspan(at - size, size);
    }

    std::span<const std::byte> bytes_;
};

// --- The fields, of an element with the one before it ---

template <class Io>
void visit(Io& io, Range& range, const Range& before) {
    io.difference(range.first, before.first);
    io.number(range.count);
}
template <class Io>
void visit(Io& io, CommandWork& command, const CommandWork&) {
    io.number(command.kind);
    io.number(command.item);
}
template <class Io>
void visit(Io& io, ProgramUse& use, const ProgramUse&) {
    io.text(use.name);
    io.number(use.temporaries);
    io.program(use.program);
}
template <class Io>
void visit(Io& io, DrawWork& draw, const DrawWork& before) {
    io.text(draw.name);
    io.text(draw.call);
    io.number(draw.vertexProgram);
    io.number(draw.fragmentProgram);
    io.number(draw.attributes);
    io.number(draw.varyings);
    PixelWork& pixels = draw.pixels;
    for (bool* flag : {&pixels.depthRead, &pixels.depthWrite, &pixels.stencil, &pixels.earlyTests, &pixels.colorRead})
        io.flag(*flag);
    io.number(pixels.targets);
    io.number(pixels.samples);
    io.number(pixels.colorBytes);
    io.number(pixels.target);
    visit(io, draw.batches, before.batches);
    visit(io, draw.primitives, before.primitives);
    io.number(draw.commandBytes);
}
template <class Io>
void visit(Io& io, VertexBatch& batch, const VertexBatch& before) {
    io.number(batch.lanes);
    visit(io, batch.trace, before.trace);
    visit(io, batch.fetches, before.fetches);
}
template <class Io>
void visit(Io& io, Primitive& primitive, const Primitive& before) {
    for (int i = 0; i < 3; ++i) io.difference(primitive.batch[i], before.batch[i]);
    io.number(primitive.fate);
    io.number(primitive.outcodes);
    io.number(primitive.newVertices);
    io.number(primitive.scanned);
    visit(io, primitive.blocks, before.blocks);
}
template <class Io>
void visit(Io& io, Block& block, const Block& before) {
    io.difference(block.x, before.x);
    io.difference(block.y, before.y);
    io.number(block.covered);
    io.number(block.early);
    io.number(block.written);
    visit(io, block.trace, before.trace);
}
template <class Io>
void visit(Io& io, TransferWork& transfer, const TransferWork&) {
    io.text(transfer.name);
    io.number(transfer.bytesRead);
    io.number(transfer.bytesWritten);
    io.number(transfer.host);
    io.number(transfer.target);
    io.flag(transfer.wholeColor);
    io.flag(transfer.wholeDepth);
    io.number(transfer.bytesWhole);
}
template <class Io>
void visit(Io& io, LaunchWork& launch, const LaunchWork& before) {
    io.text(launch.name);
    io.number(launch.program);
    io.number(launch.threadsPerBlock);
    io.number(launch.sharedBytes);
    visit(io, launch.blocks, before.blocks);
}
template <class Io>
void visit(Io& io, ThreadBlock& block, const ThreadBlock& before) {
    visit(io, block.groups, before.groups);
}
template <class Io>
void visit(Io& io, KernelGroup& group, const KernelGroup& before) {
    io.number(group.lanes);
    visit(io, group.trace, before.trace);
}
template <class Io>
void visit(Io& io, Executed& executed, const Executed& before) {
    io.difference(executed.pc, before.pc);
    io.number(executed.lanes);
    visit(io, executed.accesses, before.accesses);
    io.number(executed.callDepth);
    io.number(executed.loopDepth);
    io.number(executed.iteration);
}
template <class Io>
void visit(Io& io, Access& access, const Access& before) {
    io.difference(access.address, before.address);
    io.number(access.lane);
    io.number(access.cycles);
    io.number(access.lookup);
    io.number(access.filterTexels);
    io.number(access.bytes);
    io.number(access.step);
}
template <class Io>
void visit(Io& io, uint64_t& line, const uint64_t& before) {
    io.difference(line, before);
}

template <class Io, class T>
void visitList(Io& io, std::vector<T>& list) {
    io.list(list, [&io](T& one, const T& before) { visit(io, one, before); });
}

template <class Io>
void visit(Io& io, Workload& w) {
    io.text(w.name);
    io.number(w.width);
    io.number(w.height);
    visitList(io, w.commands);
    visitList(io, w.programs);
    visitList(io, w.draws);
    visitList(io, w.batches);
    visitList(io, w.primitives);
    visitList(io, w.blocks);
    visitList(io, w.transfers);
    visitList(io, w.launches);
    visitList(io, w.threadBlocks);
    visitList(io, w.groups);
    visitList(io, w.executed);
    visitList(io, w.accesses);
    visitList(io, w.lines);
}

}  // namespace

std::string saveWorkload(const Workload& workload) {
    Writer writer;
    writer.out.assign(kHeaderBytes, '\0');
    visit(writer, const_cast<Workload&>(workload));  // a writer changes nothing
    const uint64_t hash = XXH3_64bits(writer.out.data() + kHeaderBytes, writer.out.size() - kHeaderBytes);
    std::memcpy(writer.out.data(), kMagic, sizeof kMagic);
    std::memcpy(writer.out.data() + 4, &kWorkloadVersion, sizeof kWorkloadVersion);
    std::memcpy(writer.out.data() + 8, &hash, sizeof hash);
    return std::move(writer.out);
}

std::optional<Workload> loadWorkload(std::span<const std::byte> file, std::string* problem) {
    const auto refuse = [&](size_t at, const std::string& what) {
        *problem = fmt::format("byte {}: {}", at, what);
        return std::nullopt;
    };
    if (file.size() < kHeaderBytes || std::memcmp(file.data(), kMagic, sizeof kMagic) != 0)
        return refuse(0, "this is no workload; tessera model --save writes one");
    uint32_t version = 0;
    uint64_t hash = 0;
    std::memcpy(&version, file.data() + 4, sizeof version);
    std::memcpy(&hash, file.data() + 8, sizeof hash);
    if (version != kWorkloadVersion)
        return refuse(
            4, fmt::format("version {}; this build reads version {}: record it again", version, kWorkloadVersion));
    if (XXH3_64bits(file.data() + kHeaderBytes, file.size() - kHeaderBytes) != hash)
        return refuse(8, "the file is damaged: its checksum is another; copy or record it again");
    std::optional<Workload> workload(std::in_place);
    Reader reader(file);
    try {
        visit(reader, *workload);
    } catch (const std::bad_alloc&) {
        return refuse(reader.at, "there is no memory for what the file holds");
    }
    if (reader.problem.empty() && !reader.isAtEnd()) reader.problem = "something follows the end of the workload";
    if (!reader.problem.empty()) return refuse(reader.at, reader.problem);
    if (const std::string wrong = validate(*workload); !wrong.empty()) return refuse(kHeaderBytes, wrong);
    return workload;
}

}  // namespace tessera::model
