#include "api/gles/program_binary.h"

#include <array>
#include <cstring>

namespace tessera::gles {

namespace {

constexpr std::array<char, 4> kMagic = {'T', 'S', 'P', '1'};
constexpr size_t kHeaderBytes = kMagic.size() + 2 * sizeof(uint32_t);

void appendLength(std::vector<std::byte>& out, size_t length) {
    for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>(length >> (8 * i) & 0xFF));
}

size_t readLength(std::span<const std::byte> from) {
    size_t length = 0;
    for (int i = 0; i < 4; ++i) length |= std::to_integer<size_t>(from[static_cast<size_t>(i)]) << (8 * i);
    return length;
}

/// Null and a reason when the bytes are no safe program of that stage.
std::shared_ptr<const isa::Program> readStage(std::span<const std::byte> bytes, isa::Stage stage, std::string* error) {
    std::optional<isa::Program> program = isa::deserialize(bytes, error);
    if (!program) return nullptr;
    if (program->stage != stage) {
        *error = "a program is of the wrong stage";
        return nullptr;
    }
    *error = isa::verify(*program);
    if (!error->empty()) return nullptr;
    return std::make_shared<const isa::Program>(*std::move(program));
}

std::shared_ptr<Executable> load(std::span<const std::byte> bytes, isa::Executor& executor, uint32_t name,
                                 std::string* error) {
    *error = "these bytes are no program binary of Tessera";
    if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) return nullptr;
    const size_t vertexBytes = readLength(bytes.subspan(4, 4)), fragmentBytes = readLength(bytes.subspan(8, 4));
    if (vertexBytes + fragmentBytes != bytes.size() - kHeaderBytes) return nullptr;
    error->clear();
    auto vertex = readStage(bytes.subspan(kHeaderBytes, vertexBytes), isa::Stage::Vertex, error);
    if (!vertex) return nullptr;
    auto fragment = readStage(bytes.subspan(kHeaderBytes + vertexBytes), isa::Stage::Fragment, error);
    if (!fragment) return nullptr;
    *error = matchVaryings(*vertex, *fragment);
    if (!error->empty()) return nullptr;
    return Executable::make(std::move(vertex), std::move(fragment), executor, name, error);
}

}  // namespace

std::vector<std::byte> programBinary(const Executable& executable) {
    const std::vector<std::byte> stages[2] = {isa::serialize(*executable.pair->vertex),
                                              isa::serialize(*executable.pair->fragment)};
    std::vector<std::byte> out;
    for (char letter : kMagic) out.push_back(static_cast<std::byte>(letter));
    for (const auto& stage : stages) appendLength(out, stage.size());
    for (const auto& stage : stages) out.insert(out.end(), stage.begin(), stage.end());
    return out;
}

void loadProgramBinary(Program& program, std::span<const std::byte> bytes, isa::Executor& executor) {
    std::string error;
    std::shared_ptr<Executable> executable = load(bytes, executor, program.name, &error);
    ++program.changes;
    program.linked = executable != nullptr;
    program.validated = false;
    program.infoLog = executable ? std::string() : "ERROR: " + error + "\n";
    if (executable) program.executable = std::move(executable);
}

}  // namespace tessera::gles
