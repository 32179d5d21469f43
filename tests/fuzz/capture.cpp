// Captures of a group, launches and outcomes (shader-core/debug/replay/capture.h): files of any bytes, and good ones
// with parts changed by name. Demands: refused with a reason, or a group that is replayed there and back.
#include "shader-core/debug/replay/capture.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "shader-core/debug/session.h"
#include "tests/fuzz/debug_groups.h"
#include "tests/fuzz/input.h"
#include "tools/run/group_textures.h"

namespace {

using namespace tessera;
using fuzz::Input;
using Json = nlohmann::json;

debug::Capture captureOf(isa::Stage stage) {
    debug::Capture capture;
    capture.group = fuzz::shaderGroup(stage);
    capture.lane = 3;
    capture.title = "a group";
    debug::CapturedTexture texture;
    debug::CapturedImage image;
    image.format = 1, image.width = image.height = 4;
    image.blocks.resize(64, std::byte{0x7F});
    texture.images = {{image}};
    debug::CapturedTexture volume = texture;  // two slices, and a level of one
    volume.unit = 1, volume.kind = 2;
    debug::CapturedImage last = image;
    last.width = last.height = 2;
    image.depth = 2;
    image.blocks.resize(128, std::byte{0x3F});
    volume.images = {{image, last}};
    capture.textures = {texture, volume};
    return capture;
}

/// Good files: captures of both stages, a launch, an outcome.
const std::vector<Json>& files() {
    static const std::vector<Json> kFiles = [] {
        std::vector<Json> made;
        const auto add = [&made](const std::vector<std::byte>& bytes) {
            made.push_back(Json::from_cbor(reinterpret_cast<const uint8_t*>(bytes.data()),
                                           reinterpret_cast<const uint8_t*>(bytes.data()) + bytes.size()));
        };
        add(debug::serialize(captureOf(isa::Stage::Vertex)));
        add(debug::serialize(captureOf(isa::Stage::Fragment)));
        add(debug::serialize(*fuzz::kernelGroups()[0].launch));
        add(debug::serialize(debug::BlocksOutcome{}));
        return made;
    }();
    return kFiles;
}

Json valueOf(Input& input) {
    static constexpr int64_t kIntegers[] = {0, 1, 2, 3, 5, 6, 31, 32, 255, 256, 4096, 16384, 16385, INT64_MAX, -1};
    switch (input.byte() % 8) {
        case 0:
            return nullptr;
        case 1:
            return "tessera capture 3";
        case 2:
            return Json::array();
        case 3:
            return Json::binary(std::vector<uint8_t>(input.byte(), input.byte()));
        case 4:
            return input.byte() / 3.0;
        default:
            return kIntegers[input.byte() % std::size(kIntegers)];
    }
}

/// Changes one part, some way down.
void change(Json& json, Input& input) {
    Json* at = &json;
    while (at->is_structured() && !at->empty() && (at == &json || input.byte() % 8 != 0))
        at = &*std::next(at->begin(), input.byte() % static_cast<std::ptrdiff_t>(at->size()));
    const uint8_t how = input.byte();
    if (how < 128 && at->is_binary() && !at->get_binary().empty()) {
        auto& bytes = at->get_binary();
        if (how < 32)
            bytes.resize(std::min<size_t>(input.half(), 2 * bytes.size()));
        else
            bytes[input.half() % bytes.size()] ^= input.byte();
    } else if (how < 160 && at->is_array()) {
        at->push_back(at->empty() ? valueOf(input) : at->front());
    } else {
        *at = valueOf(input);
    }
}

/// There and back, with a look at everything.
void replay(debug::Group group, int lane) {
    // A file may ask for a run of seconds, which is no fault of it.
    group.budget = std::min(group.budget, fuzz::kReplayBudget);
    std::vector<debug::Group> groups;
    groups.push_back(std::move(group));
    debug::Session session(std::move(groups));
    session.select(0, lane);
    (void)session.stepLine(true);
    (void)session.stepInstruction(3);
    for (const isa::File file : {isa::File::V, isa::File::C, isa::File::R, isa::File::O})
        for (const int index : session.registers(file))
            if (const auto named = debug::findRegister(debug::registerName(file, index)))
                (void)debug::valueText(debug::read(*named, session.moment(), session.lane()));
    for (const auto* list : {&session.replay().program().uniforms, &session.replay().program().attributes})
        for (const isa::Variable& variable : *list) {
            std::string error;
            const auto expression = debug::Expression::parse(variable.name, error);
            if (expression) (void)expression->evaluate(session.moment(), session.lane(), error);
        }
    (void)session.run();
    (void)session.reverseLine(false);
    (void)session.restart();
}

void tryCapture(std::span<const std::byte> bytes) {
    std::string error;
    std::optional<debug::Capture> capture = debug::deserializeCapture(bytes, error);
    fuzz::demand(capture.has_value() == error.empty(), "a capture or a reason", error);
    if (!capture) return;
    const std::vector<std::byte> written = debug::serialize(*capture);
    const auto again = debug::deserializeCapture(written, error);
    fuzz::demand(again && debug::serialize(*again) == written, "what was read can be written and read", error);
    const auto units = std::make_shared<tools::GroupTextures>();
    for (const debug::CapturedTexture& texture : capture->textures)
        if (!units->bind(texture)) return;
    units->finish();
    capture->group.textures = units;
    replay(std::move(capture->group), capture->lane);
}

void tryLaunch(std::span<const std::byte> bytes) {
    std::string error;
    std::optional<debug::Launch> launch = debug::deserializeLaunch(bytes, error);
    fuzz::demand(launch.has_value() == error.empty(), "a launch or a reason", error);
    if (!launch) return;
    launch->budget = std::min(launch->budget, fuzz::kReplayBudget);
    const auto shared = std::make_shared<const debug::Launch>(std::move(*launch));
    if (debug::blockCount(*shared) == 0 || debug::groupCount(*shared) > 4) return;
    debug::Session session(debug::groupsOf(shared, 0));
    (void)session.run();
    (void)session.reverseLine(false);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    Input input(data + 1, size - 1);
    std::vector<uint8_t> bytes(data + 1, data + size);
    if (data[0] >= 32) {
        Json json = files()[data[0] % files().size()];
        for (int changes = input.byte() % 4; changes >= 0; --changes) change(json, input);
        bytes = Json::to_cbor(json);
    }
    const std::span<const std::byte> file = std::as_bytes(std::span(bytes));
    tryCapture(file);
    tryLaunch(file);
    (void)debug::deserializeOutcome(file);
    return 0;
}
