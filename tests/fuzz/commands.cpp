// Recorded command streams: any file, and the file with the checksums of its records made to fit. What is accepted is
// executed.
#include <chrono>
#include <cstring>
#include <vector>

#include "pipeline/command/gpu.h"
#include "pipeline/recording/encode.h"
#include "pipeline/recording/replay.h"
#include "shader-core/interp/interpreter.h"
#include "tests/fuzz/check.h"

namespace {

using namespace tessera;

void tryFile(std::span<const std::byte> file) {
    std::string problem;
    std::optional<pipeline::CommandStream> stream = pipeline::decodeCommands(file, &problem);
    fuzz::demand(stream.has_value() == problem.empty(), "a stream or a reason", problem);
    if (!stream) return;
    static pipeline::Gpu& gpu = *[] {
        auto* made = new pipeline::Gpu(interp::makeInterpreter(), 1);
        made->setTimeLimit(std::chrono::milliseconds(200));
        return made;
    }();
    (void)pipeline::replay(*stream, gpu);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::vector<std::byte> file(size);
    if (size != 0) std::memcpy(file.data(), data, size);
    tryFile(file);
    for (size_t at = pipeline::kCommandHeaderSize; at + pipeline::kRecordHeaderSize <= size;) {
        uint64_t payload = 0;
        std::memcpy(&payload, file.data() + at + 8, sizeof payload);
        std::byte* const begin = file.data() + at + pipeline::kRecordHeaderSize;
        if (payload > size - at - pipeline::kRecordHeaderSize) break;
        const auto hash = static_cast<uint32_t>(pipeline::hashOf(begin, payload));
        std::memcpy(file.data() + at + 4, &hash, sizeof hash);
        at += pipeline::kRecordHeaderSize + payload;
    }
    tryFile(file);
    return 0;
}
