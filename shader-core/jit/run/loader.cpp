#include "shader-core/jit/run/loader.h"

#include <sys/mman.h>

#include <cstring>

#include "shader-core/jit/run/callees.h"
#include "shader-core/jit/run/image.h"

namespace tessera::jit {

namespace {

/// The parts of an image, whose header agrees with its size.
struct Parts {
    ImageHeader header;
    std::span<const char> calls, code;
    [[nodiscard]] ImageCall call(uint32_t i) const {
        ImageCall call;
        std::memcpy(&call, calls.data() + i * sizeof call, sizeof call);
        return call;
    }
};

bool partsOf(std::span<const char> image, Parts& parts) {
    if (image.size() < sizeof parts.header || image.size() > kMaxImageBytes) return false;
    std::memcpy(&parts.header, image.data(), sizeof parts.header);
    image = image.subspan(sizeof parts.header);
    const ImageHeader& header = parts.header;
    const uint64_t callBytes = uint64_t{header.calls} * sizeof(ImageCall);
    if (callBytes + header.bytes != image.size()) return false;
    if (header.functionBytes == 0 || uint64_t{header.function} + header.functionBytes > header.bytes) return false;
    parts.calls = image.first(callBytes);
    parts.code = image.subspan(callBytes);
    for (uint32_t i = 0; i < header.calls; ++i) {
        const ImageCall call = parts.call(i);
        if (call.place % 8 != 0 || uint64_t{call.place} + 8 > header.bytes || call.callee >= kCallees) return false;
    }
    return true;
}

}  // namespace

CodePointer MachineCode::load(std::span<const char> image, SimdLevel level) {
    Parts parts;
    if (!partsOf(image, parts)) return nullptr;
    std::unique_ptr<MachineCode> code(new MachineCode);
    const size_t bytes = parts.code.size();
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    code->memory_ = static_cast<std::byte*>(memory);
    code->bytes_ = bytes;
    std::memcpy(memory, parts.code.data(), bytes);
    for (uint32_t i = 0; i < parts.header.calls; ++i) {
        const ImageCall call = parts.call(i);
        const void* address = calleeAddress(call.callee, level);
        std::memcpy(code->memory_ + call.place, static_cast<const void*>(&address), sizeof address);
    }
    if (mprotect(memory, bytes, PROT_READ | PROT_EXEC) != 0) return nullptr;
    __builtin___clear_cache(static_cast<char*>(memory), static_cast<char*>(memory) + bytes);
    code->function_ = reinterpret_cast<BlockFunction>(code->memory_ + parts.header.function);
    code->inputComponents_ = parts.header.inputComponents;
    code->functionBytes_ = parts.header.functionBytes;
    return code;
}

MachineCode::~MachineCode() {
    if (memory_ != nullptr) munmap(memory_, bytes_);
}

}  // namespace tessera::jit
