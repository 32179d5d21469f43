// Machines of the cycle model (.toml): any text is a machine or a located message. What is accepted is written as text
// that is read to the same.
#include "model/chip/preset.h"

#include "tests/fuzz/check.h"

using namespace tessera;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::string error;
    const std::optional<model::Preset> preset = model::readPreset(text, "machine.toml", &error);
    fuzz::demand(preset.has_value() == error.empty(), "a machine or a message", error);
    if (!preset) {
        fuzz::demand(error.starts_with("machine.toml"), "a message with its place", error);
        return 0;
    }
    fuzz::demand(!model::presetProblem(*preset), "parameters that make a machine");
    const std::string written = model::presetText(*preset);
    const std::optional<model::Preset> again = model::readPreset(written, "machine.toml", &error);
    fuzz::demand(again.has_value() && model::presetText(*again) == written, "what is written is read to the same",
                 error);
    return 0;
}
