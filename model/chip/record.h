// Records what a GPU does, or a compute device, as a workload for machines: listens to the pipeline
// (pipeline/probe/machine_probe.h) and to the interpreter. Whatever is recorded is the same in every run and on every
// machine: images and buffers have numbers and addresses in the order of their first use, and no time is taken.
//
//   Recorder recorder(frames);
//   Gpu gpu(recorder.executor(), 1);
//   gpu.setMachineProbe(recorder);
//   ... the commands; what they refer to outlives the recorder ...
//   Workload workload = recorder.take();
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

#include "base/frame_range.h"
#include "model/chip/trace.h"
#include "model/chip/workload.h"
#include "model/texture_cache.h"
#include "pipeline/probe/machine_probe.h"

namespace tessera::model {

/// The chip's memory: what is used gets the next free 4 KB.
class AddressSpace {
public:
    /// Address of the first byte of something, which is told from others by where it is in the host's memory.
    uint64_t of(const void* thing, uint64_t bytes);

private:
    std::map<const void*, uint64_t> places_;
    uint64_t end_ = 0;
};

class Recorder final : public pipeline::MachineProbe {
public:
    /// `progress`, unless null, is called now and then with what there is so far.
    using Progress = std::function<void(const Workload& workload)>;
    /// `frames`, counted by the ends of frames in the commands, are recorded.
    explicit Recorder(FrameRange frames = {}, Progress progress = nullptr);
    ~Recorder() override;

    /// The interpreter, for the GPU that is recorded, or a compute device with one thread; its routines and kernels
    /// must not outlive the recorder. What a device launches is recorded as launches.
    [[nodiscard]] std::shared_ptr<isa::Executor> executor();

    /// A shader's group that ran outside of a GPU, with a routine of executor(), since the last call: it becomes a
    /// launch of one block. Its lookups are heard of where its texture units have this probe.
    void ranAlone(const std::shared_ptr<const isa::Program>& program, uint32_t lanes);

    /// What was recorded, once the GPU is done.
    [[nodiscard]] Workload take();
    /// There was more than a workload holds; what came after is missing.
    [[nodiscard]] bool isFull() const { return isFull_; }

    void command(const pipeline::Command& command) override;
    void chunk(const pipeline::ProbedChunk& chunk) override;
    void shaded(uint32_t lanes) override;
    void assembled(const pipeline::ProbedPrimitive& primitive) override;
    void scanned(const pipeline::ProbedScan& scan) override;
    void drawn(const pipeline::ProbedBlock& block) override;
    void fetched(const pipeline::TextureFetch& fetch) override;
    void drawsDone() override;
    void endFrame() override;

private:
    class RecordedRoutine;
    class RecordedExecutor;
    class GroupObserver;
    class RecordedKernel;
    class BlockObserver;

    /// A block of a primitive, by number in the workload, and when it was heard of.
    struct DrawnBlock {
        uint32_t primitive = 0, number = 0;
        Block block;
    };

    struct Source {
        const pipeline::Draw* draw;  ///< while it is executed
        pipeline::Primitive primitive;
        uint32_t program;  ///< GL's name
    };

    [[nodiscard]] bool isRecording() const { return frame_ >= frames_.first && frame_ <= frames_.last && !isFull_; }
    void record(const pipeline::Draw& draw);
    TransferWork& transfer(std::string name, uint64_t read, uint64_t written);
    void record(const pipeline::Clear& clear);
    void record(const pipeline::Upload& upload);
    void record(const pipeline::Decode& decode);
    void record(const pipeline::CopyImage& copy);
    void record(const pipeline::Blit& blit);
    void record(const pipeline::Resolve& resolve);
    void record(const pipeline::FillSamples& fill);
    void record(const pipeline::GenerateMipmap& mipmap);
    void record(const pipeline::ReadBack& read);
    void record(const pipeline::PackPixels& pack);
    template <class Read>
    void readPixels(const char* name, const Read& read, TransferWork::Host host);
    [[nodiscard]] uint32_t programNumber(const pipeline::Program& program, isa::Stage stage);
    [[nodiscard]] uint32_t commandBytes(const pipeline::Draw& draw);
    [[nodiscard]] PixelWork pixelWork(const pipeline::Draw& draw);
    [[nodiscard]] uint32_t targetNumber(const pipeline::RenderTarget& target);
    /// The draw with that number among all; null when it is not recorded.
    [[nodiscard]] DrawWork* recordedDraw(uint64_t number);
    [[nodiscard]] Range takeTrace();
    [[nodiscard]] static std::shared_ptr<const isa::Kernel> recordedKernel(Recorder& recorder,
                                                                           std::shared_ptr<const isa::Program> program,
                                                                           std::array<uint32_t, 3> block);
    void beginLaunch(const std::shared_ptr<const isa::Program>& program, uint32_t threads);
    [[nodiscard]] uint32_t kernelNumber(const std::shared_ptr<const isa::Program>& program);
    void noteSize();
    void fetchIndices(const pipeline::Draw& draw);
    void fetchVertices(const pipeline::Draw& draw, std::span<const pipeline::VertexKey> keys);
    void addLines(uint64_t address, uint64_t bytes, size_t first);

    const FrameRange frames_;
    const Progress progress_;
    const std::shared_ptr<isa::Executor> interpreter_;
    Workload work_;
    AddressSpace memory_;
    uint64_t frame_ = 1;
    uint64_t draws_ = 0;                                ///< commands so far
    std::unordered_map<uint64_t, size_t> places_;       ///< of draws in work_.draws, by number among the commands
    std::vector<Source> sources_;                       ///< of work_.draws
    std::shared_ptr<const pipeline::DrawState> state_;  ///< of the last draw
    texture::ImagePtr surface_;                         ///< of the frame that ends
    std::map<const isa::Program*, uint32_t> programs_;  ///< numbers in work_.programs
    std::vector<pipeline::RenderTarget> targets_;       ///< by number
    bool isFull_ = false;

    // Geometry: the chunk under way
    pipeline::ProbedChunk chunk_;
    uint32_t shadedVertices_ = 0;  ///< of its vertices
    uint32_t firstBatch_ = 0;      ///< number of its first batch

    // Rasteriser: since the last flush
    std::vector<DrawnBlock> drawn_;
    size_t firstPrimitive_ = 0;  ///< of the scene

    // Instructions since the last call that says whose they are
    uint32_t traceStart_ = 0, runs_ = 0;
    uint8_t lookups_[isa::kGroupSize] = {};  ///< by lane, of the instruction under way
};

}  // namespace tessera::model
