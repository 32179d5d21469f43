// Recorded workloads of the cycle model (.tsw): any file, and the same with the right checksum. What is accepted is
// written to a file that is read to the same, and goes through every machine that can run it.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <vector>

#include "model/chip/unit/machine.h"
#include "model/chip/workload_file.h"
#include "tests/fuzz/check.h"

namespace {

using namespace tessera;
using namespace tessera::model;

constexpr size_t kHashAt = 8, kHeaderBytes = 16;

/// Instructions, blocks and bytes that a machine goes through, up to a limit: ranges may name the same elements again
/// and again, so that a short file can be a long frame.
class Work {
public:
    explicit Work(const Workload& workload) : workload_(workload) {
        for (const CommandWork& command : workload.commands) {
            count(1);
            if (command.kind == CommandWork::Kind::Draw) countDraw(workload.draws[command.item]);
            if (command.kind == CommandWork::Kind::Launch) countLaunch(workload.launches[command.item]);
            if (command.kind == CommandWork::Kind::Transfer) {
                const TransferWork& transfer = workload.transfers[command.item];
                count(transfer.bytesRead / 64), count(transfer.bytesWritten / 64);
            }
            if (!isBounded()) return;
        }
    }
    [[nodiscard]] bool isBounded() const { return sum_ <= kLimit; }

private:
    static constexpr uint64_t kLimit = 20'000;

    void count(uint64_t work) { sum_ += work < kLimit + 1 ? work : kLimit + 1; }
    void countTrace(Range trace) {
        for (const Executed& executed : workload_.trace(trace)) {
            if (!isBounded()) return;
            count(1 + executed.accesses.count);
        }
    }
    void countDraw(const DrawWork& draw) {
        count(draw.commandBytes / 64);
        for (uint32_t i = 0; i < draw.batches.count && isBounded(); ++i) {
            const VertexBatch& batch = workload_.batches[draw.batches.first + i];
            count(1 + batch.fetches.count);
            countTrace(batch.trace);
        }
        for (uint32_t i = 0; i < draw.primitives.count && isBounded(); ++i) {
            const Primitive& primitive = workload_.primitives[draw.primitives.first + i];
            count(1 + uint64_t{primitive.scanned});
            for (uint32_t b = 0; b < primitive.blocks.count && isBounded(); ++b) {
                count(1);
                countTrace(workload_.blocks[primitive.blocks.first + b].trace);
            }
        }
    }
    void countLaunch(const LaunchWork& launch) {
        for (uint32_t i = 0; i < launch.blocks.count && isBounded(); ++i) {
            const Range groups = workload_.threadBlocks[launch.blocks.first + i].groups;
            count(1);
            for (uint32_t g = 0; g < groups.count && isBounded(); ++g) {
                count(1);
                countTrace(workload_.groups[groups.first + g].trace);
            }
        }
    }

    const Workload& workload_;
    uint64_t sum_ = 0;
};

void tryFile(std::span<const std::byte> file) {
    std::string problem;
    const std::optional<Workload> workload = loadWorkload(file, &problem);
    fuzz::demand(workload.has_value() == problem.empty(), "a workload or a reason", problem);
    if (!workload) return;

    const std::string saved = saveWorkload(*workload);
    const std::optional<Workload> again = loadWorkload(std::as_bytes(std::span(saved)), &problem);
    fuzz::demand(again.has_value() && saveWorkload(*again) == saved, "what is written is read to the same", problem);

    if (!Work(*workload).isBounded()) return;
    for (const std::string_view name : presetNames()) {
        const std::optional<Preset> preset = loadPreset(name, &problem);
        fuzz::demand(preset.has_value(), "a preset of the program", problem);
        if (!cannotRun(*workload, *preset).empty()) continue;
        const Result result = simulate(*workload, *preset);
        fuzz::demand(result.cycles == simulate(*workload, *preset).cycles, "the same cycles again", std::string(name));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::vector<std::byte> file(size);
    if (size != 0) std::memcpy(file.data(), data, size);
    tryFile(file);
    if (size < kHeaderBytes) return 0;
    const uint64_t hash = XXH3_64bits(file.data() + kHeaderBytes, size - kHeaderBytes);
    std::memcpy(file.data() + kHashAt, &hash, sizeof hash);
    tryFile(file);
    return 0;
}
