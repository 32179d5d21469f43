#include "model/chip/unit/command.h"

#include "model/chip/unit/chip.h"

namespace tessera::model {
namespace {

// Where pictures, and the bytes of transfers, lie: apart from each other and from what workloads address.
constexpr uint64_t kDisplayBase = uint64_t{1} << 60, kTransferBase = uint64_t{1} << 61;

/// What of the bytes the part with that number of so many is, from 1.
constexpr uint64_t shareOf(uint64_t bytes, uint64_t number, uint64_t parts) {
    return bytes * number / parts - bytes * (number - 1) / parts;
}

}  // namespace

// --- Display read-out ---

DisplayReadOut::DisplayReadOut(const Workload& workload, const Preset& preset)
    : lines_((static_cast<uint64_t>(workload.width) * static_cast<uint64_t>(workload.height) * 4 + kLineBytes - 1) /
             kLineBytes),
      cycles_(uint64_t{preset.clock.khz} * 1000),
      perSecond_(lines_ * preset.display.hertz) {}

void DisplayReadOut::start(Chip& chip) const {
    if (perSecond_) chip.clock.wake(chip.at.display, 0);
}

void DisplayReadOut::step(Chip& chip) {
    const Cycle now = chip.clock.now();
    chip.ledger.spend(chip.at.display, now, Cause::NoWork);
    chip.ledger.spend(chip.at.display, now + 1, Cause::Busy);
    (void)chip.sdram.read(now, kDisplayBase + next_ * kLineBytes);
    chip.result.displayRead += kLineBytes;
    next_ = (next_ + 1) % lines_;
    remainder_ += cycles_;
    const uint64_t step = remainder_ / perSecond_;
    remainder_ %= perSecond_;
    // For a machine that stands still no picture is read: that would hide it.
    if (!chip.command.isFinished() && !chip.clock.isAlone(chip.at.display))
        chip.clock.wake(chip.at.display, now + std::max<uint64_t>(step, 1));
}

// --- Command processor ---

CommandProcessor::CommandProcessor(Clock& clock, const Preset& preset, Range commands, uint32_t self,
                                   uint32_t vertexFetch, uint32_t assembly)
    : drawsToFetch(clock, preset.command.fifo, preset.fifo.latency, self, vertexFetch),
      drawsToAssemble(clock, preset.command.fifo, preset.fifo.latency, self, assembly),
      next_(commands.first),
      end_(size_t{commands.first} + commands.count),
      transfers_(preset.command.lines) {}

void CommandProcessor::step(Chip& chip) {
    const Cycle now = chip.clock.now();
    chip.ledger.spend(chip.at.command, now, idle_);
    while (act(chip, now)) {
    }
}

CommandProcessor::TransferLines CommandProcessor::linesOf(const Chip& chip, const TransferWork& transfer) const {
    const auto lines = [](uint64_t bytes) { return (bytes + kLineBytes - 1) / kLineBytes; };
    const bool crosses = chip.hostBus.exists();
    const uint64_t reads = crosses && transfer.host == TransferWork::Host::Read ? 0 : lines(transfer.bytesRead);
    const uint64_t marked = chip.preset.command.fast_clear ? transfer.bytesWhole : 0;
    const uint64_t writes =
        crosses && transfer.host == TransferWork::Host::Written ? 0 : lines(transfer.bytesWritten - marked);
    return {reads, reads + writes};
}

void CommandProcessor::beginTransfer(Chip& chip, const TransferWork& transfer, Cycle now) {
    transferAt_ = 0;
    transferDone_ = hostDone_ = done_ = now;
    if (transfer.host == TransferWork::Host::Read && chip.hostBus.exists()) {
        host_ = chip.hostBus.cross(now, transfer.bytesRead);
        hostDone_ = host_.end;
    }
    if (!chip.preset.command.fast_clear || !transfer.bytesWhole) return;
    if (transfer.wholeColor) chip.sdram.mark(surfaceNumber(transfer.target, false));
    if (transfer.wholeDepth) chip.sdram.mark(surfaceNumber(transfer.target, true));
    // A mark for each line of 64 bytes, as many in a cycle as a line has bits.
    const uint64_t marks = (transfer.bytesWhole + kLineBytes - 1) / kLineBytes;
    done_ = now + (marks + 8 * kLineBytes - 1) / (8 * kLineBytes);
    chip.ledger.spend(chip.at.command, done_, Cause::Busy);
    chip.clock.wake(chip.at.command, done_);
}

Cycle CommandProcessor::hostAllows(const TransferWork& transfer, const TransferLines& lines) const {
    if (transfer.host != TransferWork::Host::Read || lines.reads) return 0;
    return host_.arrivalOf(transferAt_ + 1, lines.all);
}

bool CommandProcessor::act(Chip& chip, Cycle now) {
    const Workload& w = chip.workload;
    const auto busyUntil = [&](Cycle done) {
        done_ = done;
        chip.ledger.spend(chip.at.command, done, Cause::Busy);
        chip.clock.wake(chip.at.command, done);
    };
    const auto goOn = [&](Phase phase) {
        phase_ = phase;
        return true;
    };
    if (phase_ == Phase::Idle) {
        if (next_ == end_) {
            idle_ = Cause::EarlierWork;
            if (!chip.progress.isFinished() && !w.commands.empty()) return false;
            if (chip.interval.isLast) {
                finished_ = true;
                return false;
            }
            idle_ = Cause::Sdram;
            done_ = chip.flush(now, true);
            if (done_ > now) chip.clock.wake(chip.at.command, done_);
            return goOn(Phase::Leaving);
        }
        const CommandWork& command = w.commands[next_];
        uint64_t bytes = 0;
        if (command.kind == CommandWork::Kind::Draw) bytes = w.draws[command.item].commandBytes;
        begun_ = now;
        const auto& parameters = chip.preset.command;
        busyUntil(now + parameters.cycles + (bytes + parameters.bytes_per_cycle - 1) / parameters.bytes_per_cycle);
        if (chip.hostBus.exists() && bytes) {
            const Cycle crossed = chip.hostBus.cross(now, bytes).end;
            if (crossed > done_) {
                chip.ledger.spend(chip.at.command, crossed, Cause::HostBus);
                chip.clock.wake(chip.at.command, done_ = crossed);
            }
        }
        phase_ = Phase::Reading;
        return false;
    }
    if (now < done_) return false;
    if (phase_ == Phase::Leaving) {
        finished_ = true;
        return false;
    }
    const CommandWork& command = w.commands[next_];
    const bool isDraw = command.kind == CommandWork::Kind::Draw;
    switch (phase_) {
        case Phase::Reading: {
            const bool sameTarget = isDraw && (target_ == kNone || target_ == w.draws[command.item].pixels.target);
            return goOn(sameTarget ? Phase::Acting : Phase::Finishing);
        }
        case Phase::Finishing:
            idle_ = Cause::EarlierWork;
            if (!chip.progress.isFinished()) return false;
            idle_ = Cause::Sdram;
            done_ = chip.flush(now, command.kind != CommandWork::Kind::EndFrame);
            if (done_ > now) chip.clock.wake(chip.at.command, done_);
            return goOn(Phase::Flushing);
        case Phase::Flushing:
            return goOn(Phase::Acting);
        case Phase::Acting:
            break;
        case Phase::Transferring: {
            const TransferWork& transfer = w.transfers[command.item];
            const TransferLines lines = linesOf(chip, transfer);
            const bool isAsked = transferAt_ == lines.all;
            if (isAsked) transferDone_ = std::max(transferDone_, chip.sdram.drain(now));
            const Cycle memory = isAsked ? transferDone_ : transfers_.mayBegin();
            const Cycle host = isAsked ? hostDone_ : hostAllows(transfer, lines);
            if (std::max(memory, host) > now) {
                // Of two waits the one that lasts longer; of equal ones memory.
                idle_ = host > memory ? Cause::HostBus : Cause::Sdram;
                chip.clock.wake(chip.at.command, std::max(memory, host));
                return false;
            }
            if (isAsked) {
                chip.progress.record(w.transferItem(command.item), begun_, now);
                ++next_;
                return goOn(Phase::Idle);
            }
            // Nobody else is at work but the display: it asks for lines by itself until that one acts.
            const Cycle others = chip.clock.othersAct(chip.at.command);
            for (Cycle at = now;;) {
                const uint64_t address = kTransferBase + transferAt_ * kLineBytes;
                const bool reads = transferAt_ < lines.reads;
                const Cycle done = reads ? chip.sdram.read(at, address) : chip.sdram.write(at, address);
                transfers_.begin(done);
                transferDone_ = std::max(transferDone_, done);
                ++transferAt_;
                if (transfer.host == TransferWork::Host::Written && chip.hostBus.exists())
                    hostDone_ = chip.hostBus.cross(done, shareOf(transfer.bytesWritten, transferAt_, lines.all)).end;
                const Cycle host = transferAt_ == lines.all ? 0 : hostAllows(transfer, lines);
                const Cycle next = std::max({at + 1, transfers_.mayBegin(), host});
                if (transferAt_ == lines.all || next >= others) {
                    busyUntil(at + 1);
                    return false;
                }
                if (next > at + 1) {
                    chip.ledger.spend(chip.at.command, at + 1, Cause::Busy);
                    chip.ledger.spend(chip.at.command, next,
                                      host > transfers_.mayBegin() ? Cause::HostBus : Cause::Sdram);
                }
                chip.clock.passTo(at = next);
            }
        }
        case Phase::Launched:
            idle_ = Cause::EarlierWork;
            if (!chip.progress.isFinished()) return false;
            ++next_;
            return goOn(Phase::Idle);
        case Phase::Idle:
        case Phase::Leaving:
            return false;
    }
    switch (command.kind) {
        case CommandWork::Kind::Draw: {
            idle_ = Cause::QueueFull;
            const bool fetch = drawsToFetch.hasPlace(), assemble = drawsToAssemble.hasPlace();
            if (!fetch || !assemble) return false;
            chip.progress.begin(command.item, begun_);
            drawsToFetch.push(command.item);
            drawsToAssemble.push(command.item);
            target_ = w.draws[command.item].pixels.target;
            break;
        }
        case CommandWork::Kind::Transfer:
            beginTransfer(chip, w.transfers[command.item], now);
            phase_ = Phase::Transferring;
            return now >= done_;
        case CommandWork::Kind::Launch:
            chip.progress.begin(w.launchItem(command.item), begun_);
            chip.dispatch.launch(chip, command.item);
            return goOn(Phase::Launched);
        case CommandWork::Kind::EndFrame:
            chip.progress.record(w.frameItem(chip.interval.framesEnded), begun_, now);
            chip.result.frameEnds.push_back(now);
            break;
    }
    ++next_;
    return goOn(Phase::Idle);
}

// --- Vertex fetch ---

VertexFetch::VertexFetch(Clock& clock, const Preset& preset, uint32_t self, uint32_t dispatch)
    : groups(clock, preset.vertex.fifo, preset.fifo.latency, self, dispatch),
      cache_(std::max(preset.vertex.cache_lines, 1u), 1),
      cached_(preset.vertex.cache_lines > 0),
      misses_(preset.vertex.misses) {}

void VertexFetch::step(Chip& chip) {
    const Cycle now = chip.clock.now();
    const Workload& w = chip.workload;
    const uint32_t self = chip.at.vertexFetch;
    chip.ledger.spend(self, now, idle_);
    const auto takeCycle = [&] {
        begun_ = true;
        free_ = now + 1;
        chip.ledger.spend(self, free_, Cause::Busy);
        chip.clock.wake(self, free_);
    };
    if (now < free_) return;
    for (;;) {
        if (draw_ == kNone) {
            idle_ = Cause::NoWork;
            const uint32_t* draw = chip.command.drawsToFetch.front();
            if (!draw) return;
            draw_ = *draw;
            chip.command.drawsToFetch.pop();
            batch_ = line_ = 0;
            begun_ = false;
            ready_ = 0;
        }
        const DrawWork& draw = w.draws[draw_];
        while (batch_ < draw.batches.count) {
            const VertexBatch& batch = w.batches[draw.batches.first + batch_];
            if (line_ < batch.fetches.count) {
                const uint64_t address = w.lines[batch.fetches.first + line_], number = address / kLineBytes;
                LineCache::Line* line = cached_ ? cache_.find(number) : nullptr;
                if (!line) {
                    if (misses_.mayBegin() > now) {
                        idle_ = Cause::Sdram;
                        chip.clock.wake(self, misses_.mayBegin());
                        return;
                    }
                    ++chip.result.vertexCache.misses;
                    ++chip.result.vertexCache.fetched;
                    LineCache::Line evicted;
                    line = &cache_.replace(number, &evicted);
                    line->arrival = chip.sdram.read(now, address);
                    misses_.begin(line->arrival);
                } else {
                    ++chip.result.vertexCache.hits;
                }
                ready_ = std::max(ready_, line->arrival);
                ++line_;
                return takeCycle();
            }
            if (!begun_) return takeCycle();
            idle_ = Cause::QueueFull;
            if (!groups.hasPlace()) return;
            groups.push({draw_, draw.batches.first + batch_}, ready_);
            ++batch_;
            line_ = 0;
            begun_ = false;
            ready_ = 0;
        }
        draw_ = kNone;
    }
}

}  // namespace tessera::model
