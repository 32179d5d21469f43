#include "api/gles/recorder.h"

#include <algorithm>
#include <new>
#include <utility>
#include <variant>

#include "api/gles/driver.h"
#include "pipeline/command/command_buffer.h"

namespace tessera::gles {

Recorder::Recorder() : buffer_(std::make_unique<pipeline::CommandBuffer>()) {}
Recorder::~Recorder() = default;

void Recorder::record(pipeline::Command&& command, size_t bytes) {
    if (buffer_->commands.capacity() == 0) reserve();
    buffer_->commands.push_back(std::move(command));
    recorded(bytes);
}

pipeline::Draw& Recorder::beginDraw(const std::shared_ptr<pipeline::DrawState>& state) {
    if (buffer_->commands.capacity() == 0) reserve();
    // One count of the state for all draws of the buffer: counts of their own would have this thread and the command
    // processor's write to the same place for each of them.
    if (buffer_->states.empty() || buffer_->states.back() != state) buffer_->states.push_back(state);
    const std::shared_ptr<pipeline::DrawState> uncounted(std::shared_ptr<void>(), state.get());
    return std::get<pipeline::Draw>(buffer_->commands.emplace_back(std::in_place_type<pipeline::Draw>, uncounted));
}

void Recorder::recorded(size_t bytes) {
    bytes_ += bytes;
    if (buffer_->commands.size() >= mostCommands_ || bytes_ >= kMaxBytes) (void)submit();
}

void Recorder::takeDrawBack() { buffer_->commands.pop_back(); }

void Recorder::reserve() {
    mostCommands_ = isPlain() ? 1 : pipeline::kFullBuffer;
    buffer_->commands.reserve(mostCommands_);
}

bool Recorder::isPlain() { return Driver::instance().gpu().isPlain(); }

uint64_t Recorder::nextBufferNumber() {
    static std::atomic<uint64_t> count{0};
    return ++count;
}

std::shared_ptr<pipeline::DrawState> Recorder::newDrawState() {
    if (!states_ || states_->size() == states_->capacity()) {
        states_ = std::make_shared<std::vector<pipeline::DrawState>>();
        states_->reserve(kStateBlock);
    }
    return {states_, &states_->emplace_back()};
}

std::span<pipeline::ConstantRegister> Recorder::newRegisters(size_t count) {
    if (count > freeConstants_.size()) {
        const size_t size = std::max(count, kConstantBlock);
        const auto& block = buffer_->constants.emplace_back(size);
        freeConstants_ = {block.registers.get(), block.size};
    }
    const auto registers = freeConstants_.first(count);
    freeConstants_ = freeConstants_.subspan(count);
    bytes_ += registers.size_bytes();
    return registers;
}

std::span<const pipeline::ConstantRegister> Recorder::keep(std::span<const pipeline::ConstantRegister> registers) {
    const auto kept = newRegisters(registers.size());
    std::ranges::copy(registers, kept.begin());
    return kept;
}

uint64_t Recorder::submit(Submitter submitter) {
    if (buffer_->commands.empty()) return lastSerial_;
    bufferNumber_ = nextBufferNumber();
    freeConstants_ = {};
    states_ = nullptr;
    buffer_->faults = faults_;
    buffer_->stream = stream_;
    buffer_->bytes = bytes_;
    try {
        pipeline::CommandBuffer full = std::exchange(*buffer_, {});
        lastSerial_ = Driver::instance().gpu().submit(std::move(full), submitter);
        if (isPlain()) Driver::instance().gpu().wait(lastSerial_);
        *buffer_ = std::move(full);  // NOLINT(bugprone-use-after-move): it is an executed one's memory
    } catch (const std::bad_alloc&) {
        faults_->ranOutOfMemory();
    }
    if (!buffer_->constants.empty())
        freeConstants_ = {buffer_->constants.front().registers.get(), buffer_->constants.front().size};
    bytes_ = 0;
    if (pending_) pending_->store(lastSerial_, std::memory_order_release);
    pending_ = nullptr;
    return lastSerial_;
}

std::shared_ptr<const std::atomic<uint64_t>> Recorder::pendingSerial() {
    if (buffer_->commands.empty()) return std::make_shared<std::atomic<uint64_t>>(lastSerial_);
    if (!pending_) pending_ = std::make_shared<std::atomic<uint64_t>>(0);
    return pending_;
}

}  // namespace tessera::gles
