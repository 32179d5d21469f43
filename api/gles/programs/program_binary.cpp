#include "api/gles/programs/program_binary.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

namespace tessera::gles {

namespace {

constexpr std::array<char, 4> kMagic = {'T', 'S', 'P', '3'};
constexpr size_t kHeaderBytes = kMagic.size() + 4 * sizeof(uint32_t);
constexpr size_t kSeparable = 1, kCapturesApart = 2;  // flags
constexpr size_t kBlendShift = 2, kViewsShift = 17;  // above them the blend equations that are supported, and views - 1
constexpr size_t kAllFlags = (size_t{glsl::kMaxViews - 1} << kViewsShift) |
                             (size_t{glsl::kAllBlendEquations} << kBlendShift) | kSeparable | kCapturesApart;
static_assert(glsl::kMaxViews == 4 && glsl::kAllBlendEquations >> (kViewsShift - kBlendShift) == 0);

void appendNumber(std::vector<std::byte>& out, size_t number) {
    for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>(number >> (8 * i) & 0xFF));
}

size_t readNumber(std::span<const std::byte> from) {
    size_t number = 0;
    for (int i = 0; i < 4; ++i) number |= std::to_integer<size_t>(from[static_cast<size_t>(i)]) << (8 * i);
    return number;
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

/// Names that end in a 0 each.
bool readNames(std::span<const std::byte> bytes, std::vector<std::string>& names) {
    while (!bytes.empty()) {
        const auto end = std::ranges::find(bytes, std::byte{0});
        if (end == bytes.end()) return false;
        const auto length = static_cast<size_t>(end - bytes.begin());
        names.emplace_back(reinterpret_cast<const char*>(bytes.data()), length);
        bytes = bytes.subspan(length + 1);
    }
    return true;
}

std::shared_ptr<Executable> load(std::span<const std::byte> bytes, isa::Executor& executor, uint32_t name,
                                 std::string* error) {
    *error = "these bytes are no program binary of Tessera";
    if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) return nullptr;
    const size_t flags = readNumber(bytes.subspan(4, 4)), nameBytes = readNumber(bytes.subspan(8, 4));
    const size_t vertexBytes = readNumber(bytes.subspan(12, 4)), fragmentBytes = readNumber(bytes.subspan(16, 4));
    bytes = bytes.subspan(kHeaderBytes);
    if (flags > kAllFlags || nameBytes + vertexBytes + fragmentBytes != bytes.size()) return nullptr;
    const bool separable = (flags & kSeparable) != 0;
    if (separable ? vertexBytes + fragmentBytes == 0 : vertexBytes == 0 || fragmentBytes == 0) return nullptr;
    FeedbackNames feedback;
    if (!readNames(bytes.first(nameBytes), feedback.names)) return nullptr;
    feedback.mode = (flags & kCapturesApart) != 0 ? GL_SEPARATE_ATTRIBS : GL_INTERLEAVED_ATTRIBS;
    error->clear();
    std::shared_ptr<const isa::Program> vertex, fragment;
    if (vertexBytes > 0) {
        vertex = readStage(bytes.subspan(nameBytes, vertexBytes), isa::Stage::Vertex, error);
        if (!vertex) return nullptr;
    }
    if (fragmentBytes > 0) {
        fragment = readStage(bytes.subspan(nameBytes + vertexBytes), isa::Stage::Fragment, error);
        if (!fragment) return nullptr;
    }
    if (vertex && fragment) *error = matchVaryings(*vertex, *fragment);
    if (!error->empty()) return nullptr;
    std::optional<CapturedVaryings> captured = captureVaryings(vertex.get(), feedback, error);
    if (!captured) return nullptr;
    std::shared_ptr<Executable> made = Executable::make(std::move(vertex), std::move(fragment), executor, name, error);
    if (!made) return nullptr;
    made->separable = separable;
    made->blendSupport = static_cast<uint32_t>(flags >> kBlendShift) & glsl::kAllBlendEquations;
    made->views = static_cast<int>(flags >> kViewsShift) + 1;
    made->captured = *std::move(captured);
    return made;
}

}  // namespace

std::vector<std::byte> programBinary(const Executable& executable) {
    std::vector<std::byte> stages[2];
    if (executable.has(isa::Stage::Vertex)) stages[0] = isa::serialize(executable.program->vertex());
    if (executable.has(isa::Stage::Fragment)) stages[1] = isa::serialize(executable.program->fragment());
    std::vector<std::byte> out;
    std::ranges::transform(kMagic, std::back_inserter(out), [](char letter) { return static_cast<std::byte>(letter); });
    const CapturedVaryings& captured = executable.captured;
    std::vector<std::byte> names;
    for (const isa::Variable& varying : captured.varyings) {
        const auto name = std::as_bytes(std::span(varying.name.c_str(), varying.name.size() + 1));
        names.insert(names.end(), name.begin(), name.end());
    }
    appendNumber(out, (executable.separable ? kSeparable : 0) |
                          (captured.mode == GL_SEPARATE_ATTRIBS ? kCapturesApart : 0) |
                          size_t{executable.blendSupport} << kBlendShift |
                          static_cast<size_t>(executable.views - 1) << kViewsShift);
    appendNumber(out, names.size());
    for (const auto& stage : stages) appendNumber(out, stage.size());
    out.insert(out.end(), names.begin(), names.end());
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
