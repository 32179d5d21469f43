#include "pipeline/recording/replay.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/recording/encode.h"
#include "shader-core/isa/executor.h"
#include "shader-core/isa/program.h"

namespace tessera::pipeline {

/// Hands the steps of a stream to the GPU.
class Replayer::Impl {
public:
    Impl(CommandStream& stream, Gpu& gpu, ReplayOptions options)
        : stream_(stream), gpu_(gpu), options_(std::move(options)) {
        for (const std::shared_ptr<Program>& program : stream_.programs) prepare(*program);
    }

    [[nodiscard]] size_t step() const { return step_; }
    void runTo(size_t end) {
        CHECK_LE(step_, end);
        for (; step_ < std::min(end, stream_.steps.size()); ++step_) {
            const auto* const command = std::get_if<Command>(&stream_.steps[step_]);
            frame_ += command != nullptr && std::holds_alternative<EndFrame>(*command);
            if (!options_.steps.empty() && !options_.steps[step_]) continue;
            std::visit([this](const auto& step) { take(step); }, stream_.steps[step_]);
        }
        finish();
    }
    void moveTo(size_t step) {
        step_ = step;
        frame_ = static_cast<size_t>(
            std::count_if(stream_.steps.begin(), stream_.steps.begin() + static_cast<ptrdiff_t>(step),
                          [](const CommandStream::Step& one) {
                              const auto* const command = std::get_if<Command>(&one);
                              return command != nullptr && std::holds_alternative<EndFrame>(*command);
                          }));
    }
    ReplayResult takeResult() {
        if (!result_.last) result_.last = lastDrawnTo_;
        for (std::string& news : faults_->takeNews()) result_.faults.push_back(std::move(news));
        if (faults_->takeOutOfMemory()) result_.faults.emplace_back("there was no memory for a command");
        return std::exchange(result_, {});
    }

private:
    void prepare(Program& program) {
        for (const isa::Stage one : kDrawStages)
            if (ProgramStage& stage = program.stages[one]; stage.program)
                stage.routine = gpu_.executor().prepare(stage.program);
        if (ProgramStage& stage = program.stages[isa::Stage::Compute]; stage.program)
            stage.kernel = gpu_.executor().prepareKernel(stage.program, program.block);
    }

    void take(const Command& command) {
        ++result_.commands;
        if (const auto* recorded = std::get_if<Dispatch>(&command)) {
            Dispatch dispatch = *recorded;
            dispatch.result = std::make_shared<compute::DispatchResult>();
            dispatches_.push_back(dispatch);
            buffer_.commands.emplace_back(std::move(dispatch));
            return;
        }
        if (const auto* end = std::get_if<EndFrame>(&command); end != nullptr && end->color) result_.last = end->color;
        if (const auto* draw = std::get_if<Draw>(&command)) lastDrawnTo_ = draw->state->target.color[0];
        // These give a result to a program, and in a replay there is none that waits for it; recorded tasks do nothing.
        if (std::holds_alternative<ReadBack>(command) || std::holds_alternative<Timestamp>(command) ||
            std::holds_alternative<RunTask>(command))
            return;
        buffer_.commands.push_back(command);
        if (const auto* end = std::get_if<EndFrame>(&command); end != nullptr && end->color && options_.frameEnded) {
            finish();
            options_.frameEnded(frame_, *end->color);
        }
    }
    void take(const CommandStream::Contents& contents) {
        finish();
        std::byte* const to = contents.image ? contents.image->block(0, 0) : contents.buffer->data();
        std::memcpy(to, contents.bytes.data(), contents.bytes.size());
    }
    void take(const CommandStream::Expectation& expectation) {
        finish();
        ++result_.expectations;
        const auto& [image, buffer, hash] = expectation;
        const uint64_t found = image ? hashOfPixels(*image) : hashOf(buffer->data(), buffer->size());
        if (found == hash) return;
        const auto numberIn = [](const auto& all, const auto& one) {
            return one ? static_cast<uint32_t>(std::ranges::find(all, one) - all.begin()) + 1 : 0;
        };
        result_.mismatches.push_back(
            {numberIn(stream_.images, image), numberIn(stream_.buffers, buffer), step_, hash, found});
    }
    void take(const CommandStream::EndBuffer&) { submit(); }

    void submit() {
        if (buffer_.commands.empty()) return;
        buffer_.faults = faults_;
        serial_ = gpu_.submit(std::exchange(buffer_, {}));
    }
    /// Everything so far is in the images.
    void finish() {
        submit();
        if (serial_ != 0) gpu_.wait(serial_);
        for (const Dispatch& dispatch : std::exchange(dispatches_, {}))
            if (!dispatch.result->isDone) result_.faults.push_back(faultOf(dispatch));
    }

    static std::string faultOf(const Dispatch& dispatch) {
        const auto& [isDone, counters, fault] = *dispatch.result;
        return fault.kind == isa::FaultKind::None
                   ? "a dispatch was given up"
                   : compute::faultMessage(*dispatch.program->stages[isa::Stage::Compute].program, fault,
                                           dispatch.grid);
    }

    CommandStream& stream_;
    Gpu& gpu_;
    const ReplayOptions options_;
    CommandBuffer buffer_;
    std::vector<Dispatch> dispatches_;  ///< submitted, or about to be
    uint64_t serial_ = 0;
    size_t step_ = 0, frame_ = 0;
    texture::ImagePtr lastDrawnTo_;
    const std::shared_ptr<Faults> faults_ = std::make_shared<Faults>();
    ReplayResult result_;
};

Replayer::Replayer(CommandStream& stream, Gpu& gpu, ReplayOptions options)
    : impl_(std::make_unique<Impl>(stream, gpu, std::move(options))) {}
Replayer::~Replayer() = default;
size_t Replayer::step() const { return impl_->step(); }
void Replayer::runTo(size_t step) { impl_->runTo(step); }
void Replayer::moveTo(size_t step) { impl_->moveTo(step); }
ReplayResult Replayer::takeResult() { return impl_->takeResult(); }

void forgetContents(CommandStream& stream) {
    for (const texture::ImagePtr& image : stream.images) std::memset(image->block(0, 0), 0, image->byteCount());
    for (size_t i = 0; i < stream.buffers.size(); ++i) {
        const auto& [buffer, contents] = std::tie(stream.buffers[i], stream.firstContents[i]);
        if (contents.empty())
            std::ranges::fill(buffer->bytes(), std::byte{0});
        else
            std::ranges::copy(contents, buffer->data());
    }
    for (const auto& [place, first] : stream.places) place->vertices = first;
}

ReplayResult replay(CommandStream& stream, Gpu& gpu, const ReplayOptions& options) {
    Replayer replayer(stream, gpu, options);
    replayer.runTo(stream.steps.size());
    return replayer.takeResult();
}

}  // namespace tessera::pipeline
