#include "shader-core/debug/replay/capture.h"
#include "shader-core/isa/program.h"

#include <algorithm>
#include <cstring>

#include <nlohmann/json.hpp>

namespace tessera::debug {

namespace {

using Json = nlohmann::json;
constexpr const char* kFormat = "tessera capture 3";
constexpr const char* kLaunchFormat = "tessera launch 1";
constexpr int kMaxImageSize = 16384, kMaxDepth = 2048, kMaxFaces = 6, kMaxLevels = 16;

Json bytesOf(const void* data, size_t size) {
    const auto* first = static_cast<const uint8_t*>(data);
    return Json::binary(std::vector<uint8_t>(first, first + size));
}

/// Copies a byte string of exactly that size.
bool copyBytes(const Json& json, void* to, size_t size) {
    if (!json.is_binary() || json.get_binary().size() != size) return false;
    std::copy_n(json.get_binary().data(), size, static_cast<uint8_t*>(to));
    return true;
}

const Json* find(const Json& json, const char* name) {
    if (!json.is_object()) return nullptr;
    const auto at = json.find(name);
    return at == json.end() ? nullptr : &*at;
}

bool readInteger(const Json& json, const char* name, int64_t low, int64_t high, int64_t& value) {
    const Json* at = find(json, name);
    if (at == nullptr || !at->is_number_integer()) return false;
    value = at->get<int64_t>();
    return value >= low && value <= high;
}

template <class T>
bool readInteger(const Json& json, const char* name, int64_t low, int64_t high, T& value) {
    int64_t wide = 0;
    if (!readInteger(json, name, low, high, wide)) return false;
    value = static_cast<T>(wide);
    return true;
}

struct TextureNumber {
    const char* name;
    int CapturedTexture::* number;
    int low, high;
};
constexpr TextureNumber kTextureNumbers[] = {
    {"unit", &CapturedTexture::unit, 0, isa::kMaxTextureUnits - 1},
    {"kind", &CapturedTexture::kind, 0, 3},
    {"magFilter", &CapturedTexture::magFilter, 0, 1},
    {"minFilter", &CapturedTexture::minFilter, 0, 1},
    {"mipFilter", &CapturedTexture::mipFilter, 0, 2},
    {"wrapS", &CapturedTexture::wrapS, 0, 4},
    {"wrapT", &CapturedTexture::wrapT, 0, 4},
    {"wrapR", &CapturedTexture::wrapR, 0, 4},
    {"compare", &CapturedTexture::compare, 0, 8},
    {"maxAnisotropy", &CapturedTexture::maxAnisotropy, 1, 16},
};

Json jsonOf(const CapturedTexture& texture) {
    Json json = {{"es3", texture.isEs3},     {"codes", texture.asCodes}, {"minLod", texture.minLod},
                 {"maxLod", texture.maxLod}, {"border", texture.border}, {"swizzle", texture.swizzle}};
    for (const TextureNumber& one : kTextureNumbers) json[one.name] = texture.*one.number;
    json["images"] = Json::array();
    for (const auto& face : texture.images) {
        Json levels = Json::array();
        for (const CapturedImage& image : face)
            levels.push_back({{"format", image.format},
                              {"width", image.width},
                              {"height", image.height},
                              {"depth", image.depth},
                              {"blocks", bytesOf(image.blocks.data(), image.blocks.size())}});
        json["images"].push_back(std::move(levels));
    }
    return json;
}

bool readImage(const Json& json, CapturedImage& image) {
    if (!readInteger(json, "format", 0, 255, image.format) ||
        !readInteger(json, "width", 1, kMaxImageSize, image.width) ||
        !readInteger(json, "height", 1, kMaxImageSize, image.height) ||
        !readInteger(json, "depth", 1, kMaxDepth, image.depth))
        return false;
    const Json* blocks = find(json, "blocks");
    if (blocks == nullptr || !blocks->is_binary()) return false;
    image.blocks.resize(blocks->get_binary().size());
    return copyBytes(*blocks, image.blocks.data(), image.blocks.size());
}

bool readNumber(const Json& json, const char* name, float& value) {
    const Json* at = find(json, name);
    if (at == nullptr || !at->is_number()) return false;
    value = at->get<float>();
    return true;
}

bool readTexture(const Json& json, CapturedTexture& texture) {
    for (const TextureNumber& one : kTextureNumbers)
        if (!readInteger(json, one.name, one.low, one.high, texture.*one.number)) return false;
    const Json *es3 = find(json, "es3"), *images = find(json, "images");
    const Json* codes = find(json, "codes");
    if (es3 == nullptr || !es3->is_boolean() || (codes != nullptr && !codes->is_boolean())) return false;
    if (images == nullptr || !images->is_array() || images->size() > kMaxFaces) return false;
    texture.isEs3 = es3->get<bool>();
    texture.asCodes = codes != nullptr && codes->get<bool>();
    if (!readNumber(json, "minLod", texture.minLod) || !readNumber(json, "maxLod", texture.maxLod)) return false;
    const Json *border = find(json, "border"), *swizzle = find(json, "swizzle");
    const auto isNumber = [](const Json& one) { return one.is_number(); };
    if (border == nullptr || !border->is_array() || border->size() != texture.border.size() ||
        !std::all_of(border->begin(), border->end(), isNumber))
        return false;
    texture.border = border->get<std::array<float, 4>>();
    const auto isChannel = [](const Json& one) {
        return one.is_number_integer() && one.get<int64_t>() >= 0 && one.get<int64_t>() <= 5;
    };
    if (swizzle == nullptr || !swizzle->is_array() || swizzle->size() != texture.swizzle.size() ||
        !std::all_of(swizzle->begin(), swizzle->end(), isChannel))
        return false;
    texture.swizzle = swizzle->get<std::array<int, 4>>();
    for (const Json& face : *images) {
        if (!face.is_array() || face.size() > kMaxLevels) return false;
        std::vector<CapturedImage>& levels = texture.images.emplace_back();
        for (const Json& level : face)
            if (!readImage(level, levels.emplace_back())) return false;
    }
    return true;
}

bool readProgram(const Json& json, std::shared_ptr<const isa::Program>& to, std::string& error) {
    const Json* program = find(json, "program");
    if (program == nullptr || !program->is_binary()) return false;
    std::optional<isa::Program> read = isa::deserialize(std::as_bytes(std::span(program->get_binary())), &error);
    if (!read) return false;
    error = isa::verify(*read);
    if (!error.empty()) return false;
    to = std::make_shared<const isa::Program>(std::move(*read));
    return true;
}

bool readGroup(const Json& json, Group& group, std::string& error) {
    if (!readProgram(json, group.program, error)) return false;
    if (!readInteger(json, "active", 0, UINT32_MAX, group.activeMask) ||
        !readInteger(json, "helper", 0, UINT32_MAX, group.helperMask) ||
        !readInteger(json, "budget", 1, INT64_MAX, group.budget))
        return false;
    const Json *inputs = find(json, "inputs"), *specials = find(json, "specials"), *names = find(json, "names");
    const Json* constants = find(json, "constants");
    if (inputs == nullptr || specials == nullptr || constants == nullptr || names == nullptr) return false;
    if (!copyBytes(*inputs, group.inputs.data(), sizeof group.inputs)) return false;
    if (!copyBytes(*specials, group.specials.data(), sizeof group.specials)) return false;
    group.knownSpecials = group.program->specialMask;  // the driver makes no others
    group.constants.resize(group.program->constantCount);
    if (!copyBytes(*constants, group.constants.data(), group.constants.size() * sizeof group.constants[0]))
        return false;
    if (!names->is_array() || names->size() != group.laneNames.size()) return false;
    for (size_t i = 0; i < group.laneNames.size(); ++i) {
        if (!(*names)[i].is_string()) return false;
        group.laneNames[i] = (*names)[i].get<std::string>();
    }
    return true;
}

}  // namespace

namespace {

std::vector<std::byte> cborOf(const Json& json) {
    const std::vector<uint8_t> bytes = Json::to_cbor(json);
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    return {first, first + bytes.size()};
}

/// Builds a document from a file that anybody may have written: the library's own reading recurses as deep as the file
/// says, and throws at a size that no memory has, exceptions allowed or not.
class BoundedReader : public nlohmann::detail::json_sax_dom_parser<Json> {
public:
    BoundedReader(Json& document, size_t bytes) : json_sax_dom_parser(document, false), bytes_(bytes) {}
    bool start_array(size_t size) { return mayBegin(size) && json_sax_dom_parser::start_array(size); }
    bool start_object(size_t size) { return mayBegin(size) && json_sax_dom_parser::start_object(size); }
    bool end_array() { return --depth_, json_sax_dom_parser::end_array(); }
    bool end_object() { return --depth_, json_sax_dom_parser::end_object(); }

private:
    static constexpr int kMaxDepth = 32;                         // captures have six
    static constexpr size_t kUnknown = static_cast<size_t>(-1);  // an end is marked

    /// An element takes a byte at least.
    bool mayBegin(size_t size) { return ++depth_ <= kMaxDepth && (size <= bytes_ || size == kUnknown); }

    size_t bytes_;
    int depth_ = 0;
};

/// Discarded where the bytes are no document.
Json jsonOf(std::span<const std::byte> bytes) {
    const auto* first = reinterpret_cast<const uint8_t*>(bytes.data());
    Json json;
    BoundedReader reader(json, bytes.size());
    if (!Json::sax_parse(first, first + bytes.size(), &reader, nlohmann::detail::input_format_t::cbor))
        return Json(Json::value_t::discarded);
    return json;
}

Json jsonOf(const Buffers& buffers) {
    Json json = Json::array();
    for (const auto& buffer : buffers) json.push_back(bytesOf(buffer.data(), buffer.size()));
    return json;
}

bool readBuffers(const Json& json, Buffers& buffers) {
    const Json* list = find(json, "buffers");
    if (list == nullptr || !list->is_array() || list->size() != buffers.size()) return false;
    for (size_t slot = 0; slot < buffers.size(); ++slot) {
        if (!(*list)[slot].is_binary()) return false;
        buffers[slot].resize((*list)[slot].get_binary().size());
        if (!copyBytes((*list)[slot], buffers[slot].data(), buffers[slot].size())) return false;
    }
    return true;
}

}  // namespace

std::vector<std::byte> serialize(const Launch& launch) {
    const std::vector<std::byte> program = isa::serialize(*launch.program);
    return cborOf(
        {{"format", kLaunchFormat},
         {"program", bytesOf(program.data(), program.size())},
         {"constants", bytesOf(launch.constants.data(), launch.constants.size() * sizeof launch.constants[0])},
         {"grid", bytesOf(launch.grid.data(), sizeof launch.grid)},
         {"block", bytesOf(launch.block.data(), sizeof launch.block)},
         {"budget", launch.budget},
         {"buffers", jsonOf(launch.buffers)}});
}

std::optional<Launch> deserializeLaunch(std::span<const std::byte> bytes, std::string& error) {
    error = "it is no launch";
    const Json json = jsonOf(bytes);
    const Json *format = find(json, "format"), *constants = find(json, "constants"), *grid = find(json, "grid"),
               *block = find(json, "block");
    Launch launch;
    if (format == nullptr || *format != kLaunchFormat || constants == nullptr || grid == nullptr || block == nullptr ||
        !readProgram(json, launch.program, error))
        return std::nullopt;
    error = "the launch is damaged";
    launch.constants.resize(launch.program->constantCount);
    if (launch.program->stage != isa::Stage::Compute || !copyBytes(*grid, launch.grid.data(), sizeof launch.grid) ||
        !copyBytes(*block, launch.block.data(), sizeof launch.block) ||
        !copyBytes(*constants, launch.constants.data(), launch.constants.size() * sizeof launch.constants[0]) ||
        !readInteger(json, "budget", 1, INT64_MAX, launch.budget) || !readBuffers(json, launch.buffers))
        return std::nullopt;
    uint64_t threads = 1;
    for (const uint32_t n : launch.block) threads = std::min<uint64_t>(threads * n, isa::kMaxThreadBlockThreads + 1);
    if (threads == 0 || threads > isa::kMaxThreadBlockThreads) return std::nullopt;
    error.clear();
    return launch;
}

std::vector<std::byte> serialize(const BlocksOutcome& outcome) {
    const isa::ComputeFault& fault = outcome.fault;
    return cborOf({{"buffers", jsonOf(outcome.buffers)},
                   {"fault", static_cast<int>(fault.kind)},
                   {"block", fault.block},
                   {"group", fault.group},
                   {"missing", fault.missing}});
}

std::optional<BlocksOutcome> deserializeOutcome(std::span<const std::byte> bytes) {
    const Json json = jsonOf(bytes);
    const Json* missing = find(json, "missing");
    BlocksOutcome outcome;
    isa::ComputeFault& fault = outcome.fault;
    int kind = 0;
    if (!readBuffers(json, outcome.buffers) ||
        !readInteger(json, "fault", 0, static_cast<int>(isa::FaultKind::MissingGroups), kind) ||
        !readInteger(json, "block", 0, INT64_MAX, fault.block) ||
        !readInteger(json, "group", 0, isa::kMaxThreadBlockGroups - 1, fault.group) || missing == nullptr ||
        !missing->is_array() || missing->size() != fault.missing.size())
        return std::nullopt;
    fault.kind = static_cast<isa::FaultKind>(kind);
    for (size_t g = 0; g < fault.missing.size(); ++g) {
        if (!(*missing)[g].is_number_unsigned()) return std::nullopt;
        fault.missing[g] = (*missing)[g].get<uint32_t>();
    }
    return outcome;
}

std::vector<std::byte> serialize(const Capture& capture) {
    const Group& group = capture.group;
    const std::vector<std::byte> program = isa::serialize(*group.program);
    Json json = {{"format", kFormat},
                 {"title", capture.title},
                 {"lane", capture.lane},
                 {"program", bytesOf(program.data(), program.size())},
                 {"active", group.activeMask},
                 {"helper", group.helperMask},
                 {"budget", group.budget},
                 {"inputs", bytesOf(group.inputs.data(), sizeof group.inputs)},
                 {"specials", bytesOf(group.specials.data(), sizeof group.specials)},
                 {"constants", bytesOf(group.constants.data(), group.constants.size() * sizeof group.constants[0])},
                 {"names", group.laneNames}};
    json["textures"] = Json::array();
    for (const CapturedTexture& texture : capture.textures) json["textures"].push_back(jsonOf(texture));
    return cborOf(json);
}

std::optional<Capture> deserializeCapture(std::span<const std::byte> bytes, std::string& error) {
    error = "it is no capture of a group";
    const Json json = jsonOf(bytes);
    const Json* format = find(json, "format");
    if (format == nullptr || *format != kFormat) return std::nullopt;
    error = "the capture is damaged";
    Capture capture;
    std::string programError;
    if (!readGroup(json, capture.group, programError)) {
        if (!programError.empty()) error = programError;
        return std::nullopt;
    }
    const Json *title = find(json, "title"), *textures = find(json, "textures");
    if (title == nullptr || !title->is_string() || textures == nullptr || !textures->is_array()) return std::nullopt;
    capture.title = title->get<std::string>();
    if (!readInteger(json, "lane", 0, isa::kGroupSize - 1, capture.lane)) return std::nullopt;
    for (const Json& texture : *textures)
        if (!readTexture(texture, capture.textures.emplace_back())) return std::nullopt;
    error.clear();
    return capture;
}

}  // namespace tessera::debug
