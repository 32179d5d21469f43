// Any file: the bytes as they are, and the bytes as the payload of a file whose header and checksum are right. What
// parses and verifies is printed, written again and run.
#include <cstdint>
#include <cstring>
#include <random>

#include "shader-core/asm/disassembler.h"
#include "tests/fuzz/execute.h"

namespace {

using namespace tessera;

/// CRC-32 bit by bit, apart from the reader's table.
uint32_t crc32(std::span<const std::byte> bytes) {
    uint32_t crc = ~0u;
    for (const std::byte b : bytes) {
        crc ^= static_cast<uint32_t>(b);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1)));
    }
    return ~crc;
}

std::vector<std::byte> file(std::span<const std::byte> payload) {
    std::vector<std::byte> bytes(16 + payload.size());
    uint32_t header[4] = {0, 0, static_cast<uint32_t>(payload.size()), crc32(payload)};
    std::memcpy(header, isa::serialize({}).data(), 8);  // magic and version
    std::memcpy(bytes.data(), header, sizeof header);
    if (!payload.empty()) std::memcpy(bytes.data() + 16, payload.data(), payload.size());
    return bytes;
}

void tryFile(std::span<const std::byte> bytes) {
    std::string error;
    const std::optional<isa::Program> program = isa::deserialize(bytes, &error);
    fuzz::demand(program.has_value() == error.empty(), "a program or a reason");
    if (!program) return;
    const std::vector<std::byte> written = isa::serialize(*program);
    const std::optional<isa::Program> again = isa::deserialize(written, &error);
    fuzz::demand(again && isa::serialize(*again) == written, "what was read can be written and read", error);
    (void)assembly::disassembleWithSource(*program);
    if (isa::verify(*program).empty()) fuzz::execute(std::make_shared<isa::Program>(*program), 7);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
    tryFile(bytes);
    tryFile(file(bytes));
    if (size > 16) tryFile(file(bytes.subspan(16)));  // whole files among the seeds
    return 0;
}
