#include "model/chip/unit/block_processor.h"

#include <algorithm>
#include <bit>

#include "model/chip/policies/policies.h"
#include "model/chip/unit/chip.h"

namespace tessera::model {
namespace {

constexpr uint32_t ceilDivide(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

/// Addresses of a memory's slot lie above those that a workload has.
constexpr int kSlotShift = 44;

/// Causes of results that come from outside the block processor.
constexpr bool isRemote(Cause cause) {
    return cause == Cause::Texture || cause == Cause::Sdram || cause == Cause::Relay || cause == Cause::Prefetch;
}

/// What a store waits for is no register.
constexpr RegisterUse::Register kNoRegister{0xFF, 0};

}  // namespace

BlockProcessor::BlockProcessor(const Preset& preset, uint32_t number, uint32_t self)
    : preset_(preset),
      number_(number),
      self_(self),
      passes_(preset.block.threads / preset.block.lanes),
      groups_(preset.block.groups),
      ready_(preset.block.groups, kNever),
      ends_(preset.block.groups, kNever),
      ports_(preset.block.issue),
      arithmeticFree_(preset.block.arithmetic_units > 1 ? preset.block.arithmetic_units : 0),
      requests_(preset.global.requests),
      cache_(std::max(preset.global.cache_bytes / preset.global.line_bytes, preset.global.cache_ways),
             preset.global.cache_ways, preset.global.replacement) {
    order_.reserve(preset.block.groups);
}

void BlockProcessor::reserve(uint32_t sharedBytes, uint32_t groups, uint32_t registers) {
    sharedBytes_ += sharedBytes;
    reservedGroups_ += groups;
    reservedRegisters_ += registers;
}

void BlockProcessor::arrive(Chip& chip, const GroupWork& work) {
    // From now on there is a group with instructions left.
    book(chip, chip.clock.now());
    if (idle_ == Cause::Draining && !(work.trace[0].empty() && work.trace[1].empty())) idle_ = Cause::NoGroup;
    const auto place = static_cast<uint32_t>(std::countr_one(places_));
    places_ |= uint64_t{1} << place;
    ++residents_;
    registers_ += work.registers;
    if (work.kind == GroupWork::Kind::Kernel) {
        --reservedGroups_;
        reservedRegisters_ -= work.registers;
        if (blockGroups_.empty() || blockGroups_.back().first != work.index)
            blockGroups_.emplace_back(work.index, work.blockGroups);
    }
    Resident& group = groups_[place];
    group.work = work;
    group.number = ++dispatched_;
    group.at[0] = group.at[1] = 0;
    group.base = work.program == kNone ? 0 : chip.programs.base(work.program);
    group.arrival = chip.clock.now() + preset_.fifo.latency;
    group.lastResult = group.arrival;
    group.redirect = group.requests = 0;
    group.atBarrier = group.unknown = false;
    group.waits = Cause::NoGroup;
    group.pending.clear();
    order_.push_back(place);
    fetch(group);
    ready_[place] = group.hasNext ? group.arrival : kNever;
    ends_[place] = group.hasNext ? kNever : group.arrival + preset_.block.stages - 1;
    chip.clock.wake(self_, group.hasNext ? group.arrival : ends_[place]);
}

void BlockProcessor::fetch(Resident& group) {
    const auto head = [&](int half) {
        const std::span<const Executed>& trace = group.work.trace[half];
        return group.at[half] < trace.size() ? &trace[group.at[half]] : nullptr;
    };
    const Executed *first = head(0), *second = head(1);
    if (first && second) {
        if (goesFirst(*first, *second))
            second = nullptr;
        else if (goesFirst(*second, *first))
            first = nullptr;
    }
    group.hasNext = first || second;
    if (!group.hasNext) return;
    const int shift = group.work.kind == GroupWork::Kind::Fragments ? 16 : 32;
    group.next.half[0] = first;
    group.next.half[1] = second;
    group.next.pc = (first ? first : second)->pc;
    group.next.lanes = (first ? first->lanes : 0) | (second ? uint64_t{second->lanes} << shift : 0);
    group.at[0] += first != nullptr;
    group.at[1] += second != nullptr;
}

template <typename Visit>
void BlockProcessor::forRequests(const Chip& chip, uint32_t resident, const Next& next, Visit&& visit) {
    const GroupWork& work = groups_[resident].work;
    const auto engines = static_cast<uint32_t>(chip.textureEngines.size());
    const auto request = [&](const Executed* first, const Executed* second, uint32_t lanes) {
        return TextureRequest{{first, second}, lanes, number_, resident, chip.clock.now()};
    };
    const Executed* halves[2] = {};
    for (int half = 0; half < 2; ++half)
        if (next.half[half] && next.half[half]->accesses.count) halves[half] = next.half[half];
    if (work.kind == GroupWork::Kind::Fragments) {
        const uint32_t first = engineOfBlock(work.x[0], work.y[0], engines);
        const uint32_t second = engineOfBlock(work.x[1], work.y[1], engines);
        if (halves[0] && halves[1] && first == second) return visit(first, request(halves[0], halves[1], ~0u));
        if (halves[0]) visit(first, request(halves[0], nullptr, ~0u));
        if (halves[1]) visit(second, request(nullptr, halves[1], ~0u));
        return;
    }
    for (uint32_t engine = 0; engine < engines; ++engine) {
        uint32_t lanes = 0;
        for (uint32_t lane = engine; lane < isa::kGroupSize; lane += engines) lanes |= 1u << lane;
        const auto concerns = [lanes](const Executed* half) { return half && (half->lanes & lanes); };
        if (concerns(halves[0]) || concerns(halves[1])) visit(engine, request(halves[0], halves[1], lanes));
    }
}

bool BlockProcessor::engineQueuesHavePlaces(Chip& chip, uint32_t resident, const Next& next) {
    bool places = true;
    forRequests(chip, resident, next, [&](uint32_t engine, const TextureRequest&) {
        if (chip.textureEngines[engine].requests(number_).hasPlace()) return;
        places = false;
        fullEngine_ = engine;
    });
    return places;
}

bool BlockProcessor::canIssue(Chip& chip, uint32_t resident, Cycle* when, Cause* why) {
    Resident& group = groups_[resident];
    const Cycle now = chip.clock.now();
    const uint32_t index = group.base + group.next.pc;
    const InstructionCost& cost = chip.programs.cost(index);
    if (preset_.block.hazards == Hazards::Scoreboard && !group.pending.empty()) {
        std::erase_if(group.pending, [&](const Resident::Pending& pending) { return pending.result <= now; });
        const RegisterUse& use = chip.programs.use(index);
        // One lookup or access to memory outside at a time.
        const bool remote = cost.kind == InstructionCost::Kind::Lookup || cost.kind == InstructionCost::Kind::Global;
        Cycle clear = 0;
        for (const Resident::Pending& pending : group.pending) {
            bool meets = use.waitsForAll || (use.writes && use.written.meets(pending.target));
            for (uint32_t i = 0; i < use.reads; ++i) meets |= use.read[i].meets(pending.target);
            meets |= remote && isRemote(pending.cause);
            if (!meets || pending.result < clear) continue;
            clear = pending.result;
            *why = pending.cause;
        }
        if (clear > now) {
            *when = clear;
            return false;
        }
    }
    if (const Cycle free = freeUnit(cost.unit); free > now) {
        *when = free;
        *why = Cause::UnitTaken;
        return false;
    }
    *when = kNever;
    if (cost.kind == InstructionCost::Kind::Lookup && !engineQueuesHavePlaces(chip, resident, group.next)) {
        *why = Cause::QueueFull;
        return false;
    }
    if (cost.kind == InstructionCost::Kind::Global && !memory_.isFree(now)) {
        *why = Cause::UnitTaken;
        return false;
    }
    return true;
}

uint32_t BlockProcessor::pick(Chip& chip, const Port& port) {
    const Cycle now = chip.clock.now();
    Cycle when;
    Cause why;
    const auto can = [&](uint32_t resident) {
        return ready_[resident] <= now && canIssue(chip, resident, &when, &why);
    };
    const bool lastIsThere = port.last && places_ >> port.lastPlace & 1 && groups_[port.lastPlace].number == port.last;
    const policies::ScheduledGroups groups{order_, places_, preset_.block.groups,
                                           lastIsThere ? port.lastPlace : policies::kNoPlace, lastIssued_};
    static_assert(policies::kNoPlace == kNone);
    return policies::withScheduler(preset_.block.policy, [&](auto policy) { return policy.pick(groups, can); });
}

void BlockProcessor::proceed(Chip& chip, uint32_t resident, Cycle ready) {
    Resident& group = groups_[resident];
    if (group.hasNext) {
        ready_[resident] = ready + group.redirect;
        chip.clock.wake(self_, std::max(ready_[resident], chip.clock.now() + 1));
    } else if (!group.unknown) {
        ends_[resident] = group.lastResult + preset_.block.stages - 1;
        chip.clock.wake(self_, std::max(ends_[resident], chip.clock.now() + 1));
    }
}

void BlockProcessor::resultIsKnown(Chip& chip, uint32_t resident, Cycle result) {
    Resident& group = groups_[resident];
    group.unknown = false;
    group.lastResult = std::max(group.lastResult, result);
    const bool goesOn = ready_[resident] != kNever;  // with a scoreboard it did not wait
    for (Resident::Pending& pending : group.pending)
        if (pending.result == kNever) pending.result = result;
    if (!goesOn)
        proceed(chip, resident, result);
    else
        chip.clock.wake(self_, std::max(result, chip.clock.now() + 1));
}

BlockProcessor::LaneBooks BlockProcessor::lanesOf(const Port& port, Cycle passes) const {
    const uint32_t width = preset_.block.lanes;
    uint64_t busy = 0;
    Cycle done = 0;
    for (uint32_t lane = 0; lane < preset_.block.threads && done < passes; lane += width) {
        const uint64_t row = width >= 64 ? port.lanes : port.lanes >> lane & ((uint64_t{1} << width) - 1);
        busy += static_cast<uint64_t>(std::popcount(row));
        if (preset_.block.rows == Rows::All || row != 0) ++done;
    }
    const uint64_t lost = passes * width - busy;
    const auto all = static_cast<uint64_t>(std::popcount(port.lanes));
    const uint64_t divergence = std::min(lost, port.threads > all ? port.threads - all : 0);
    return {busy, divergence, lost - divergence};
}

BlockProcessor::LaneBooks BlockProcessor::lanesUntil(const Port& port, Cycle cycles) const {
    if (cycles <= port.passes) return lanesOf(port, cycles);
    const LaneBooks whole = lanesOf(port, port.passes);
    LaneBooks books;
    for (; cycles >= port.turn; cycles -= port.turn) books += whole;
    return books += lanesOf(port, std::min<Cycle>(cycles, port.passes));
}

void BlockProcessor::issue(Chip& chip, Port& port, uint32_t resident) {
    const Cycle now = chip.clock.now();
    Resident& group = groups_[resident];
    const Next next = group.next;
    const uint32_t index = group.base + next.pc;
    const InstructionCost& cost = chip.programs.cost(index);

    uint32_t passes = passes_;
    if (preset_.block.rows == Rows::Active) {
        passes = 0;
        const uint64_t row = preset_.block.lanes >= 64 ? ~uint64_t{0} : (uint64_t{1} << preset_.block.lanes) - 1;
        for (uint32_t lane = 0; lane < preset_.block.threads; lane += preset_.block.lanes)
            passes += (next.lanes >> lane & row) != 0;
        passes = std::max(passes, 1u);
    }
    const bool switches = port.last && port.last != group.number;
    const uint32_t unitCycles = ceilDivide(cost.interval * passes, passes_);  // of a turn
    port.begin = now + (switches ? preset_.block.switch_cycles : 0);
    port.turn = std::max(passes, unitCycles);
    port.passes = passes;
    // Of the last turn: what is asked of memory is asked then.
    const Cycle begin = port.begin + (cost.turns - 1) * port.turn;
    port.free = begin + passes;
    port.last = group.number;
    port.lastPlace = resident;
    lastIssued_ = resident;
    freeUnit(cost.unit) = begin + unitCycles;
    if (port.begin > now) chip.clock.wake(self_, port.begin);
    chip.clock.wake(self_, port.free);

    const auto lanes = static_cast<uint32_t>(std::popcount(next.lanes));
    PcResult& books = chip.programs.result(index);
    ++books.issues;
    books.lanes += lanes;
    books.cycles += uint64_t{passes} * cost.turns;
    ++chip.result.instructions;
    port.lanes = next.lanes;
    port.threads = group.work.threads;
    laneBooks_ += lanesUntil(port, port.free - port.begin);
    if (chip.options.keepIssues) {
        const Cycle result = cost.kind == InstructionCost::Kind::Plain ? begin + cost.latency : kNever;
        chip.result.issues.push_back({now, port.begin, result, self_, static_cast<uint32_t>(&port - ports_.data()),
                                      group.work.item, group.work.group, next.pc, lanes, group.work.program});
    }

    fetch(group);
    group.redirect = group.hasNext && group.next.pc != next.pc + 1 ? preset_.block.taken_cycles : 0;
    group.waits = Cause::Dependency;
    group.waitsFor = index;
    ready_[resident] = kNever;

    const bool scoreboard = preset_.block.hazards == Hazards::Scoreboard;
    const RegisterUse& use = chip.programs.use(index);
    const auto known = [&](Cycle result) {
        group.lastResult = std::max(group.lastResult, result);
        if (scoreboard && use.writes) group.pending.push_back({use.written, result, group.waits});
        // Without hazards only results from outside the pipeline are waited for.
        const bool near = cost.kind == InstructionCost::Kind::Plain || cost.instructions == InstructionClass::Store;
        const bool goesOn = scoreboard || (preset_.block.hazards == Hazards::None && near);
        proceed(chip, resident, goesOn ? port.free : result);
    };
    const auto notKnown = [&] {
        group.unknown = true;
        if (!scoreboard) return;
        group.pending.push_back({use.writes ? use.written : kNoRegister, kNever, group.waits});
        if (group.hasNext) proceed(chip, resident, port.free);
    };
    switch (cost.kind) {
        case InstructionCost::Kind::Plain:
            return known(begin + cost.latency);
        case InstructionCost::Kind::Lookup:
            group.waits = Cause::Texture;
            notKnown();
            return lookUp(chip, resident, next);
        case InstructionCost::Kind::Shared: {
            const bool store = cost.instructions == InstructionClass::Store;
            const uint32_t cycles = sharedCycles(chip, next, store);
            chip.result.counters.conflict_cycles += std::max(cycles, 1u) - 1;
            Cycle& free = unitFree_[static_cast<int>(ExecutionUnit::Memory)];
            free = std::max(free, begin + cycles);
            group.waits = Cause::SharedMemory;
            return known(begin + (store ? cost.latency : preset_.shared.latency + std::max(cycles, 1u) - 1));
        }
        case InstructionCost::Kind::Global:
            group.waits = causeOf(chip, next);
            if (cost.instructions == InstructionClass::Store && !preset_.global.word_cycles)
                known(begin + cost.latency);
            else
                notKnown();
            return beginGlobal(chip, resident, next, cost, begin);
        case InstructionCost::Kind::Barrier:
            group.waits = Cause::Barrier;
            group.unknown = group.atBarrier = true;
            return releaseBarrier(chip, group.work.index, cost.barrier, begin);
    }
}

void BlockProcessor::lookUp(Chip& chip, uint32_t resident, const Next& next) {
    Resident& group = groups_[resident];
    group.lookedUp = 0;
    forRequests(chip, resident, next, [&](uint32_t engine, const TextureRequest& request) {
        ++group.requests;
        chip.textureEngines[engine].requests(number_).push(request);
    });
    // Nothing to look up: the texture is not there, or no lane executes.
    if (!group.requests) resultIsKnown(chip, resident, chip.clock.now() + passes_);
}

void BlockProcessor::lookedUp(Chip& chip, uint32_t resident, Cycle result) {
    Resident& group = groups_[resident];
    group.lookedUp = std::max(group.lookedUp, result);
    if (--group.requests == 0) resultIsKnown(chip, resident, group.lookedUp);
}

uint32_t BlockProcessor::sharedCycles(const Chip& chip, const Next& next, bool store) {
    const auto& shared = preset_.shared;
    words_.clear();
    for (const Executed* executed : next.half)
        if (executed)
            for (const Access& access : chip.workload.of(*executed)) words_.push_back(access.address / 4);
    const auto count = static_cast<uint32_t>(words_.size());
    if (!shared.banks) return ceilDivide(count, store ? shared.write_ports : shared.read_ports);
    std::sort(words_.begin(), words_.end());
    words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
    perBank_.assign(shared.banks, 0);
    for (const uint64_t word : words_) ++perBank_[word % shared.banks];
    return *std::max_element(perBank_.begin(), perBank_.end());
}

bool BlockProcessor::isPrefetched(uint64_t address) const {
    return (address & ((uint64_t{1} << kSlotShift) - 1)) < preset_.prefetch.bytes;
}

Cause BlockProcessor::causeOf(const Chip& chip, const Next& next) const {
    bool isInside = preset_.prefetch.bytes > 0;
    for (const Executed* executed : next.half) {
        if (!executed || !isInside) continue;
        for (const Access& access : chip.workload.of(*executed)) isInside &= isPrefetched(access.address);
    }
    return isInside ? Cause::Prefetch : chip.relay.exists() ? Cause::Relay : Cause::Sdram;
}

void BlockProcessor::beginGlobal(Chip& chip, uint32_t resident, const Next& next, const InstructionCost& cost,
                                 Cycle begin) {
    const uint32_t lineBytes = preset_.global.line_bytes;
    memory_.pieces.clear();
    memory_.next = 0;
    memory_.resident = resident;
    memory_.store = cost.instructions == InstructionClass::Store;
    memory_.atomic = cost.instructions == InstructionClass::Atomic;
    memory_.result = 0;
    words_.clear();
    for (const Executed* executed : next.half) {
        if (!executed) continue;
        for (const Access& access : chip.workload.of(*executed)) {
            const uint64_t address = access.address + (uint64_t{cost.slot} << kSlotShift);
            words_.push_back(address / kWordBytes);
            if (preset_.global.word_cycles)
                memory_.pieces.push_back(address);
            else if (const uint64_t line = address / lineBytes;
                     std::find(memory_.pieces.begin(), memory_.pieces.end(), line) == memory_.pieces.end())
                memory_.pieces.push_back(line);
        }
    }
    // Atomics of one word wait for each other.
    std::sort(words_.begin(), words_.end());
    uint32_t repeats = 0;
    for (size_t i = 1, same = 0; i < words_.size(); ++i) {
        same = words_[i] == words_[i - 1] ? same + 1 : 0;
        repeats = std::max(repeats, static_cast<uint32_t>(same));
    }
    memory_.latency = memory_.atomic ? cost.latency + repeats : 0;
    memory_.until = memory_.isEmpty() ? begin : begin + 1;
    if (!memory_.isEmpty())
        chip.clock.wake(self_, memory_.until);
    else if (!memory_.store || preset_.global.word_cycles)
        resultIsKnown(chip, resident, begin + cost.latency);
}

void BlockProcessor::stepMemory(Chip& chip) {
    const Cycle now = chip.clock.now();
    if (memory_.isEmpty()) return;
    const auto& global = preset_.global;
    if (memory_.until > now) return chip.clock.wake(self_, memory_.until);
    const uint64_t piece = memory_.pieces[memory_.next];
    Cycle done, taken = now + std::max(global.word_cycles, 1u);
    if (global.word_cycles && isPrefetched(piece)) {
        done = taken;
    } else if (chip.relay.exists()) {
        done = chip.relay.access(now, piece, memory_.store || memory_.atomic);
        taken = std::max(taken, done);
    } else if (requests_.mayBegin() > now) {
        return chip.clock.wake(self_, requests_.mayBegin());
    } else {
        const uint64_t number = global.word_cycles ? piece / global.line_bytes : piece;
        const bool cached = global.cache_bytes > 0 && !memory_.atomic;
        LineCache::Line* line = cached ? cache_.find(number) : nullptr;
        if (line && !memory_.store) {
            ++chip.result.firstCache.hits;
            done = std::max(now + global.cache_latency, line->arrival);
        } else {
            done = chip.secondCache.access(chip, now, number * global.line_bytes, memory_.store || memory_.atomic,
                                           global.line_bytes);
            if (cached && !memory_.store) {
                ++chip.result.firstCache.misses;
                ++chip.result.firstCache.fetched;
                LineCache::Line evicted;
                cache_.replace(number, &evicted).arrival = done;
                done += global.cache_latency;
            }
            requests_.begin(done);
            if (cached && !memory_.store)
                policies::withPrefetcher(global.prefetcher, [&](auto policy) {
                    policy.missed(number, [&](uint64_t other) { prefetch(chip, other); });
                });
        }
    }
    memory_.result = std::max(memory_.result, done);
    if (global.word_cycles) memory_.until = taken;
    if (++memory_.next == memory_.pieces.size() && (!memory_.store || global.word_cycles))
        resultIsKnown(chip, memory_.resident, memory_.result + memory_.latency);
    chip.clock.wake(self_, taken);
}

void BlockProcessor::prefetch(Chip& chip, uint64_t number) {
    const Cycle now = chip.clock.now();
    if (cache_.contains(number) || requests_.mayBegin() > now) return;
    const uint32_t lineBytes = preset_.global.line_bytes;
    const Cycle done = chip.secondCache.access(chip, now, number * lineBytes, false, lineBytes);
    ++chip.result.counters.prefetched_lines;
    LineCache::Line evicted;
    cache_.replace(number, &evicted).arrival = done;
    requests_.begin(done + preset_.global.cache_latency);
}

void BlockProcessor::releaseBarrier(Chip& chip, uint32_t block, uint32_t barrier, Cycle when) {
    uint32_t waiting = 0, wanted = 0, latency = 0;
    for (const auto& [number, groups] : blockGroups_)
        if (number == block) wanted = groups;
    const auto waits = [&](uint32_t resident) {
        const Resident& group = groups_[resident];
        return group.atBarrier && group.work.index == block && chip.programs.cost(group.waitsFor).barrier == barrier;
    };
    for (const uint32_t resident : order_) {
        if (!waits(resident)) continue;
        ++waiting;
        const InstructionCost& cost = chip.programs.cost(groups_[resident].waitsFor);
        latency = cost.latency;
        if (cost.barrierGroups) wanted = std::min<uint32_t>(wanted, cost.barrierGroups);
    }
    if (!waiting || waiting < wanted) return;
    for (const uint32_t resident : order_) {
        if (!waits(resident)) continue;
        groups_[resident].atBarrier = false;
        resultIsKnown(chip, resident, when + latency);
    }
}

void BlockProcessor::endGroups(Chip& chip) {
    const Cycle now = chip.clock.now();
    for (size_t i = 0; i < order_.size();) {
        const uint32_t resident = order_[i];
        if (ends_[resident] > now) {
            ++i;
            continue;
        }
        const GroupWork work = groups_[resident].work;
        order_.erase(order_.begin() + static_cast<ptrdiff_t>(i));
        places_ &= ~(uint64_t{1} << resident);
        ends_[resident] = ready_[resident] = kNever;
        --residents_;
        registers_ -= work.registers;
        chip.clock.wake(self_, now + 1);
        chip.dispatch.placeBecameFree(chip);
        const Cycle seen = now + preset_.fifo.latency;
        switch (work.kind) {
            case GroupWork::Kind::Vertices:
                chip.assembly.shaded(chip, work.index, seen);
                break;
            case GroupWork::Kind::Fragments:
                chip.fragmentStore.shaded(chip, work.index, seen);
                break;
            case GroupWork::Kind::Kernel: {
                chip.progress.finish(work.item, now);
                const auto block = std::find_if(blockGroups_.begin(), blockGroups_.end(),
                                                [&](const auto& entry) { return entry.first == work.index; });
                if (--block->second == 0) {
                    sharedBytes_ -= work.sharedBytes;
                    blockGroups_.erase(block);
                } else {
                    for (uint32_t barrier = 0; barrier < isa::kBarriers; ++barrier)
                        releaseBarrier(chip, work.index, barrier, now);
                }
                break;
            }
        }
    }
}

void BlockProcessor::finish(Chip& chip, Cycle end) {
    book(chip, end);
    // Passes that last beyond the run.
    for (const Port& port : ports_) {
        if (port.free <= end) continue;
        laneBooks_ -= lanesUntil(port, port.free - port.begin);
        laneBooks_ += lanesUntil(port, end > port.begin ? end - port.begin : 0);
    }
}

void BlockProcessor::book(Chip& chip, Cycle to) {
    // Since the last step ports have done nothing but end switches and passes.
    for (Cycle from = chip.ledger.until(self_); from < to;) {
        Cause cause = idle_;
        Cycle end = to;
        for (const Port& port : ports_) {
            if (port.free <= from) continue;
            const bool passes = port.begin <= from;
            if (cause != Cause::Busy) cause = passes ? Cause::Busy : Cause::Switch;
            end = std::min(end, passes ? port.free : port.begin);
        }
        chip.ledger.spend(self_, end, cause, cause == idle_ ? blame_ : Blame{});
        if (cause == idle_ && blame_.program != kNone) {
            PcResult& books = chip.programs.result(chip.programs.base(blame_.program) + blame_.pc);
            books.stalls[static_cast<size_t>(idle_)] += end - from;
        }
        from = end;
    }
}

void BlockProcessor::step(Chip& chip) {
    book(chip, chip.clock.now());
    stepMemory(chip);
    for (Port& port : ports_) {
        if (port.free > chip.clock.now()) continue;
        const uint32_t resident = pick(chip, port);
        if (resident == kNone) break;
        issue(chip, port, resident);
    }
    noteIdleness(chip);
    endGroups(chip);
}

void BlockProcessor::noteIdleness(Chip& chip) {
    const Cycle now = chip.clock.now();
    // When a port is free, the next cycle in which a group may issue.
    bool portIsFree = false;
    for (const Port& port : ports_) portIsFree |= port.free <= now;
    if (!portIsFree) return;
    idle_ = order_.empty() ? Cause::NoGroup : Cause::Draining;
    blame_ = {};
    bool first = true;
    Cycle next = kNever;
    for (const uint32_t resident : order_) {
        Resident& group = groups_[resident];
        if (!group.hasNext) continue;
        Cause why = group.waits;
        Cycle when = ready_[resident];
        if (when <= now) (void)canIssue(chip, resident, &when, &why);
        if (when > now) next = std::min(next, when);
        if (!first) continue;
        first = false;
        idle_ = why;
        blame_.draw = group.work.item;
        if (why == Cause::NoGroup) continue;  // it has not arrived: no instruction is to blame
        blame_.program = group.work.program;
        if (why == Cause::QueueFull) blame_.on = chip.at.textureEngine + fullEngine_;
        if (why == Cause::Relay) blame_.on = chip.at.relay;
        const bool waitsForNext = why == Cause::UnitTaken || why == Cause::QueueFull;
        blame_.pc = waitsForNext ? group.next.pc : group.waitsFor - group.base;
    }
    if (next != kNever) chip.clock.wake(self_, next);
}

// --- The second cache ---

SecondCache::SecondCache(const Preset& preset)
    : cache_(std::max(preset.second.cache_bytes / preset.global.line_bytes, preset.second.cache_ways),
             preset.second.cache_ways, preset.second.replacement),
      exists_(preset.second.cache_bytes > 0),
      lineBytes_(preset.global.line_bytes),
      latency_(preset.second.latency),
      sliceFree_(preset.second.slices) {}

Cycle SecondCache::access(Chip& chip, Cycle now, uint64_t address, bool store, uint32_t bytes) {
    if (!exists_) return store ? chip.sdram.write(now, address, bytes) : chip.sdram.read(now, address, bytes);
    const uint64_t number = address / lineBytes_;
    Cycle& free = sliceFree_[number & (sliceFree_.size() - 1)];
    const Cycle turn = std::max(now, free);
    free = turn + 1;
    LineCache::Line* line = cache_.find(number);
    if (line) {
        ++chip.result.secondCache.hits;
    } else {
        ++chip.result.secondCache.misses;
        chip.result.secondCache.fetched += !store;
        LineCache::Line evicted;
        line = &cache_.replace(number, &evicted);
        if (evicted.dirty) {
            ++chip.result.secondCache.writeBacks;
            chip.sdram.write(now, evicted.number * lineBytes_, lineBytes_);
        }
        line->arrival = store ? now : chip.sdram.read(now, address, lineBytes_);
    }
    line->dirty |= store;
    return std::max(turn, line->arrival) + latency_;
}

Cycle SecondCache::flush(Chip& chip, Cycle now, bool forget) {
    return cache_.flush(chip.sdram, now, lineBytes_, forget);
}

}  // namespace tessera::model
