#include "tests/model/clock_by_clock.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <set>
#include <utility>

#include "base/check.h"
#include "shader-core/isa/program.h"

namespace tessera::model::reference {
namespace {

constexpr uint32_t kFiles = 8;
constexpr Cycle kLongest = 10'000'000;  ///< of a run that ends
constexpr uint32_t kRegistersOfFile = 512;

/// Units of a block processor, in the order of the rules' table.
enum class Unit : uint8_t { Arithmetic, Transcendental, Texture, Control, Memory, Exchange };
constexpr int kUnits = 6;

Unit unitOf(InstructionClass instructions) {
    switch (instructions) {
        case InstructionClass::Alu:
        case InstructionClass::Multiply:
        case InstructionClass::Floating:
        case InstructionClass::Divide:
            return Unit::Arithmetic;
        case InstructionClass::Tfu:
        case InstructionClass::Lighting:
            return Unit::Transcendental;
        case InstructionClass::Texture:
            return Unit::Texture;
        case InstructionClass::Control:
            return Unit::Control;
        case InstructionClass::Load:
        case InstructionClass::Store:
        case InstructionClass::Atomic:
            return Unit::Memory;
        case InstructionClass::Lane:
        case InstructionClass::Reduce:
            return Unit::Exchange;
    }
    return Unit::Arithmetic;
}

uint64_t dividedUp(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

/// The classes of "Instructions", of arithmetic by the data type.
InstructionClass classOf(const isa::Instruction& instruction) {
    using enum isa::Op;
    const InstructionClass written = instructionClass(instruction.op);
    if (written != InstructionClass::Alu) return written;
    const auto isOneOf = [&](std::initializer_list<isa::Op> ops) {
        return std::find(ops.begin(), ops.end(), instruction.op) != ops.end();
    };
    if (isOneOf({Mov, Sel})) return InstructionClass::Alu;
    if (isOneOf({F2i, I2f, F2h, H2f}) || instruction.type == isa::Type::F32) return InstructionClass::Floating;
    return isOneOf({Mul, Mad, Mulh, Madx}) ? InstructionClass::Multiply : InstructionClass::Alu;
}

/// Components of a register that the instruction is for.
uint64_t componentsOf(const isa::Instruction& instruction) {
    const isa::Shape shape = isa::opInfo(instruction.op).shape;
    if (instruction.op == isa::Op::Dp3 || instruction.op == isa::Op::Dp4) return instruction.op == isa::Op::Dp3 ? 3 : 4;
    const bool moves = shape == isa::Shape::MS || isa::hasDestination(shape);
    if (isa::isTexture(shape) || !moves || (shape != isa::Shape::MS && instruction.dst.file == isa::File::P)) return 1;
    uint64_t components = 0;
    for (int bit = 0; bit < 4; ++bit) components += instruction.dst.writeMask >> bit & 1;
    return std::max<uint64_t>(components, 1);
}

/// Of a register of the program's: those that some instruction writes, x in any case.
uint64_t componentsUsed(const std::vector<isa::Instruction>& program, uint32_t index) {
    std::set<int> components = {0};
    for (const isa::Instruction& instruction : program) {
        const isa::Destination& to = instruction.dst;
        if (!isa::hasDestination(isa::opInfo(instruction.op).shape) || to.file != isa::File::R) continue;
        for (int component = 0; component < 4; ++component)
            if (to.relative || (to.index == index && to.writeMask >> component & 1)) components.insert(component);
    }
    return components.size();
}

/// A result that is waited for until a cycle, and how that is called.
struct Awaited {
    Cycle until = 0;
    Cause cause = Cause::Dependency;
    Cycle begun = 0;  ///< the instruction whose result it is
};
Awaited later(const Awaited& a, const Awaited& b) {
    return std::pair(b.until, b.begun) > std::pair(a.until, a.begun) ? b : a;
}

bool isOutside(const isa::Instruction& instruction) {
    return isa::isMemory(isa::opInfo(instruction.op).shape) && instruction.slot != isa::kSharedSlot;
}

/// The last result that each register of a group waits for.
class Scoreboard {
public:
    /// The last of those that the instruction waits for.
    [[nodiscard]] Awaited awaitedBy(const isa::Instruction& instruction) const {
        const isa::OpInfo& info = isa::opInfo(instruction.op);
        Awaited last;
        if (instruction.guard) last = later(last, awaited(isa::File::P, instruction.guard, false));
        if (isOutside(instruction)) last = later(last, outside_);
        if (instruction.op == isa::Op::Bar) return later(later(last, every()), outside_);
        if (info.unit == isa::Unit::Control) return last;
        if (isa::isTexture(info.shape) && instruction.textureRelative)
            last = later(last, awaited(isa::File::A, 0, false));
        for (int s = 0; s < isa::sourceCount(info.shape); ++s) {
            const isa::Source& source = instruction.src[s];
            if (source.file != isa::File::I) last = later(last, awaited(source.file, source.index, source.relative));
        }
        const isa::Destination& to = instruction.dst;
        return isa::hasDestination(info.shape) ? later(last, awaited(to.file, to.index, to.relative)) : last;
    }
    /// What was not known has this result.
    void know(Cycle result) {
        for (auto& file : registers_)
            for (Awaited& each : file)
                if (each.until == kNever) each.until = result;
    }
    void wait(const isa::Instruction& instruction, const Awaited& result) {
        if (isOutside(instruction)) outside_ = result;
        if (!isa::hasDestination(isa::opInfo(instruction.op).shape)) return;
        const isa::Destination& to = instruction.dst;
        auto& file = registers_[static_cast<size_t>(to.file)];
        if (to.relative)
            file.fill(result);
        else
            file[to.index] = result;
    }

private:
    [[nodiscard]] Awaited awaited(isa::File file, uint32_t index, bool relative) const {
        const auto& registers = registers_[static_cast<size_t>(file)];
        if (!relative) return registers[index];
        Awaited last = awaited(isa::File::A, 0, false);
        for (const Awaited& each : registers) last = later(last, each);
        return last;
    }
    [[nodiscard]] Awaited every() const {
        Awaited last;
        for (const auto& file : registers_)
            for (const Awaited& each : file) last = later(last, each);
        return last;
    }
    std::array<std::array<Awaited, kRegistersOfFile>, kFiles> registers_{};
    Awaited outside_;  ///< of the last access to memory outside, a store too
};

/// A group in its place.
struct Resident {
    uint32_t number = 0;  ///< in the list of groups
    uint32_t place = 0;
    uint32_t registers = 0;
    Cycle arrival = 0;
    Cycle ready = 0;        ///< kNever: at a barrier at which others have to come
    Cycle redirect = 0;     ///< of the barrier
    Cycle lastResult = 0;   ///< of all its instructions so far
    uint32_t next = 0;      ///< step
    uint32_t requests = 0;  ///< of its lookup, that texture engines have not answered
    Cycle lookedUp = 0;     ///< result of those that they have
    Scoreboard scoreboard;
    Awaited lookup;  ///< the last one
};

/// Groups of a thread block that have come to a barrier and wait for others.
struct Barrier {
    uint32_t threadBlock = 0, number = 0;
    std::vector<uint32_t> groups;
};

struct Port {
    Cycle passesFrom = 0, freeAt = 0;     ///< cycles before passesFrom are the switch's
    std::optional<uint32_t> issuedGroup;  ///< last
};

/// The rules of the section "A block processor".
class BlockProcessor {
public:
    BlockProcessor(const Preset& preset, const std::vector<Group>& groups, Cycle begun)
        : preset_(preset), groups_(groups), ports_(preset.block.issue), engines_(preset, begun) {
        outcome_.groups.resize(groups.size());
        programs_.resize(groups.size());
        for (size_t g = 0; g < groups.size(); ++g)
            for (const isa::Word word : groups[g].program->code) programs_[g].push_back(*isa::decode(word));
        for (size_t g = 0; g < groups.size(); ++g) registers_.push_back(registersOf(g));
    }

    Outcome run() {
        uint32_t dispatched = 0;
        Cycle dispatcherFree = 0;
        for (Cycle t = 0; dispatched < groups_.size() || !residents_.empty(); ++t) {
            CHECK(t < kLongest);
            // Room is what was free at the beginning of the cycle.
            if (dispatched < groups_.size() && t >= dispatcherFree && groups_[dispatched].offered <= t &&
                hasRoom(dispatched)) {
                dispatch(dispatched++, t);
                dispatcherFree = t + preset_.dispatch.cycles;
            }
            act(t);
        }
        const Cycle end = outcome_.causes.size();
        for (const Port& port : ports_)
            if (port.freeAt > end) outcome_.passesBeyond = std::max(outcome_.passesBeyond, port.freeAt - end);
        outcome_.engines = engines_.cycles();
        return std::move(outcome_);
    }

private:
    // Residents.

    uint32_t registersOf(size_t group) const {
        const uint32_t granule = preset_.block.register_granule;
        uint64_t registers = 0;
        for (uint32_t r = 0; r < groups_[group].temporaries; ++r)
            registers += dividedUp(componentsUsed(programs_[group], r), preset_.block.components);
        const auto each = dividedUp(std::max<uint64_t>(registers, 1), granule) * granule;
        return static_cast<uint32_t>(preset_.block.threads * each);
    }
    /// A thread block begins when there is room for all of it; its other groups have their places then.
    bool hasRoom(uint32_t number) const {
        const uint32_t threadBlock = groups_[number].threadBlock;
        if (number > 0 && groups_[number - 1].threadBlock == threadBlock) return true;
        size_t places = residents_.size();
        uint64_t registers = 0, sharedBytes = sharedBytesTaken() + groups_[number].sharedBytes;
        for (const Resident& resident : residents_) registers += resident.registers;
        for (; number < groups_.size() && groups_[number].threadBlock == threadBlock; ++number) {
            ++places;
            registers += registers_[number];
        }
        return places <= preset_.block.groups && registers <= preset_.block.registers &&
               sharedBytes <= preset_.block.shared_bytes;
    }
    /// A thread block's shared memory is taken with its first group, until its last one leaves.
    uint64_t sharedBytesTaken() const {
        std::set<uint32_t> threadBlocks;
        uint64_t bytes = 0;
        for (const Resident& resident : residents_) {
            const Group& group = groups_[resident.number];
            if (threadBlocks.insert(group.threadBlock).second) bytes += group.sharedBytes;
        }
        return bytes;
    }
    void dispatch(uint32_t number, Cycle t) {
        Resident resident;
        resident.number = number;
        const auto taken = [&](const Resident& other) { return other.place == resident.place; };
        while (std::any_of(residents_.begin(), residents_.end(), taken)) ++resident.place;
        resident.registers = registers_[number];
        resident.arrival = resident.ready = resident.lastResult = t + preset_.fifo.latency;
        outcome_.groups[number] = {.place = resident.place, .dispatched = t, .arrived = resident.arrival};
        residents_.push_back(resident);
    }

    // What happens in a cycle.

    void act(Cycle t) {
        for (Port& port : ports_) {
            if (t < port.freeAt) continue;
            if (Resident* group = choose(port, t)) issue(port, *group, t);
        }
        for (const TextureEngines::Answer& answer : engines_.act(t)) {
            for (Resident& group : residents_)
                if (group.number == answer.group) lookedUp(group, answer.result);
        }
        outcome_.causes.push_back(causeOf(t));
        leave(t);
    }

    const Step& nextStep(const Resident& group) const { return groups_[group.number].trace[group.next]; }
    const isa::Instruction& instructionOf(const Resident& group, uint32_t step) const {
        return programs_[group.number][groups_[group.number].trace[step].pc];
    }
    bool hasInstructionLeft(const Resident& group) const { return group.next < groups_[group.number].trace.size(); }

    // Passes.

    uint32_t allPasses() const { return preset_.block.threads / preset_.block.lanes; }
    uint32_t passesOf(const Step& step) const {
        if (preset_.block.rows == Rows::All) return allPasses();
        uint32_t rows = 0;
        for (uint32_t row = 0; row < allPasses(); ++row) {
            bool executes = false;
            for (uint32_t lane = row * preset_.block.lanes; lane < (row + 1) * preset_.block.lanes; ++lane)
                executes |= lane < 32 && (step.lanes >> lane & 1);
            rows += executes;
        }
        return std::max(rows, 1u);
    }

    /// Of all units of that kind the first one that is free; arithmetic has block.arithmetic_units.
    Cycle& firstFree(Unit unit) {
        auto& all = unitFreeAt_[static_cast<size_t>(unit)];
        all.resize(unit == Unit::Arithmetic ? preset_.block.arithmetic_units : 1);
        return *std::min_element(all.begin(), all.end());
    }

    // Issue. The numbers are those of the rules.

    bool condition1(const Resident& group, Cycle t) const { return t >= group.arrival && hasInstructionLeft(group); }
    bool condition2(const Resident& group, Cycle t) const { return t >= group.ready; }
    bool condition3(const Resident& group, Cycle t) {
        return t >= firstFree(unitOf(classOf(instructionOf(group, group.next))));
    }
    bool condition4(const Resident& group) const {
        return !isLookup(instructionOf(group, group.next)) || engines_.havePlaces(nextStep(group).accesses);
    }
    /// Of memory outside, words of the prefetch memory alone.
    bool condition5(const Resident& group, Cycle t) const {
        return !isOutside(instructionOf(group, group.next)) || t >= memoryPortFreeAt_;
    }
    Awaited awaitedBy(const Resident& group) const {
        const isa::Instruction& instruction = instructionOf(group, group.next);
        const Awaited registers = group.scoreboard.awaitedBy(instruction);
        // One lookup of a group at a time.
        return isLookup(instruction) ? later(registers, group.lookup) : registers;
    }
    bool condition6(const Resident& group, Cycle t) const {
        return preset_.block.hazards != Hazards::Scoreboard || t >= awaitedBy(group).until;
    }
    bool canIssue(const Resident& group, Cycle t) {
        return condition1(group, t) && condition2(group, t) && condition3(group, t) && condition4(group) &&
               condition5(group, t) && condition6(group, t);
    }
    static bool isLookup(const isa::Instruction& instruction) {
        return isa::isTexture(isa::opInfo(instruction.op).shape);
    }

    Resident* choose(const Port& port, Cycle t) {
        if (preset_.block.policy == Policy::Turns) {
            for (uint32_t i = 0; i < preset_.block.groups; ++i) {
                const uint32_t place = (turn_ + i) % preset_.block.groups;
                for (Resident& group : residents_)
                    if (group.place == place && canIssue(group, t)) return &group;
            }
            return nullptr;
        }
        if (preset_.block.policy == Policy::Greedy)
            for (Resident& group : residents_)
                if (group.number == port.issuedGroup && canIssue(group, t)) return &group;
        for (Resident& group : residents_)  // from the oldest to the youngest
            if (canIssue(group, t)) return &group;
        return nullptr;
    }

    void issue(Port& port, Resident& group, Cycle t) {
        const Group& given = groups_[group.number];
        const Step& step = nextStep(group);
        const isa::Instruction& instruction = instructionOf(group, group.next);
        const InstructionClass instructions = classOf(instruction);
        const InstructionTiming timing = preset_.timing(instructions);
        const uint32_t P = allPasses(), p = passesOf(step);

        const bool another = port.issuedGroup && port.issuedGroup != group.number;
        const uint64_t unitCycles = dividedUp(uint64_t{timing.interval} * p, P);
        const uint64_t turns = dividedUp(componentsOf(instruction), preset_.block.components);
        port.passesFrom = t + (another ? preset_.block.switch_cycles : 0);
        const Cycle s = port.passesFrom + (turns - 1) * std::max<uint64_t>(p, unitCycles);  // the last turn
        port.freeAt = s + p;
        port.issuedGroup = group.number;
        turn_ = (group.place + 1) % preset_.block.groups;
        firstFree(unitOf(instructions)) = s + unitCycles;

        const bool shared = isa::isMemory(isa::opInfo(instruction.op).shape) && instruction.slot == isa::kSharedSlot;
        Cycle result = s + timing.latency;
        if (shared) {
            const uint64_t k = sharedCycles(step, instructions);
            Cycle& memoryFreeAt = firstFree(Unit::Memory);
            memoryFreeAt = std::max(memoryFreeAt, s + k);
            if (instructions != InstructionClass::Store) result = s + preset_.shared.latency + k - 1;
        }
        if (isOutside(instruction) && !step.accesses.empty()) {
            for (const Access& access : step.accesses) CHECK(access.address < preset_.prefetch.bytes);
            memoryPortFreeAt_ = s + 1 + step.accesses.size() * preset_.global.word_cycles;
            result = memoryPortFreeAt_;
            if (instructions == InstructionClass::Atomic) result += timing.latency + lanesThatWait(step);
        }
        if (isLookup(instruction)) {
            group.requests = engines_.push(group.number, step.accesses, t);
            group.lookedUp = 0;
            result = group.requests ? kNever : t + P;
        }
        const bool last = group.next + 1 == given.trace.size();
        const bool taken = !last && given.trace[group.next + 1].pc != step.pc + 1;
        const Cycle redirect = taken ? preset_.block.taken_cycles : 0;
        const bool waitsForItself = instructions == InstructionClass::Texture ||
                                    instructions == InstructionClass::Load ||
                                    instructions == InstructionClass::Atomic || isOutside(instruction);
        switch (preset_.block.hazards) {
            case Hazards::Complete:
                group.ready = result == kNever ? kNever : result + redirect;
                break;
            case Hazards::Scoreboard:
                group.ready = s + p + redirect;
                group.scoreboard.wait(instruction, {result, causeOfWaiting(instruction), s});
                if (isLookup(instruction)) group.lookup = {result, Cause::Texture, s};
                break;
            case Hazards::None:
                group.ready = !waitsForItself ? s + p + redirect : result == kNever ? kNever : result + redirect;
                break;
        }
        group.redirect = redirect;
        if (instruction.op == isa::Op::Bar) {
            group.ready = kNever;
            comeToBarrier(group, instruction, result);
        } else if (result != kNever) {
            group.lastResult = std::max(group.lastResult, result);
        }
        outcome_.issues.push_back({.cycle = t,
                                   .port = static_cast<uint32_t>(&port - ports_.data()),
                                   .group = group.number,
                                   .step = group.next,
                                   .start = port.passesFrom,
                                   .result = result});
        ++group.next;
        for (uint64_t turn = 0; turn < turns; ++turn)
            countLanes(std::popcount(step.lanes), std::popcount(given.lanes), p * preset_.block.lanes);
    }

    // Lookups.

    /// An engine knows when its request's result comes. With a scoreboard the group went on.
    void lookedUp(Resident& group, Cycle result) {
        group.lookedUp = std::max(group.lookedUp, result);
        if (--group.requests > 0) return;
        group.lastResult = std::max(group.lastResult, group.lookedUp);
        group.scoreboard.know(group.lookedUp);
        if (group.lookup.until == kNever) group.lookup.until = group.lookedUp;
        if (preset_.block.hazards != Hazards::Scoreboard) group.ready = group.lookedUp + group.redirect;
    }

    // Shared memory.

    uint64_t sharedCycles(const Step& step, InstructionClass instructions) const {
        const auto& shared = preset_.shared;
        if (!shared.banks)
            return std::max<uint64_t>(
                1, dividedUp(step.accesses.size(),
                             instructions == InstructionClass::Store ? shared.write_ports : shared.read_ports));
        uint64_t most = 1;
        for (uint32_t bank = 0; bank < shared.banks; ++bank) {
            std::set<uint64_t> words;
            for (const Access& access : step.accesses)
                if (access.address / 4 % shared.banks == bank) words.insert(access.address / 4);
            most = std::max<uint64_t>(most, words.size());
        }
        return most;
    }

    /// For the word that most lanes want, one after the other.
    static uint64_t lanesThatWait(const Step& step) {
        uint64_t most = 0;
        for (const Access& access : step.accesses)
            most = std::max<uint64_t>(most, static_cast<uint64_t>(std::count_if(
                                                step.accesses.begin(), step.accesses.end(), [&](const Access& other) {
                                                    return other.address / 4 == access.address / 4;
                                                })));
        return most - 1;
    }

    // Barriers.

    /// When the last of those that meet has come, the result of all comes when its own does.
    void comeToBarrier(const Resident& group, const isa::Instruction& instruction, Cycle result) {
        const uint32_t threadBlock = groups_[group.number].threadBlock;
        const auto isThis = [&](const Barrier& barrier) {
            return barrier.threadBlock == threadBlock && barrier.number == instruction.barrier;
        };
        auto barrier = std::find_if(barriers_.begin(), barriers_.end(), isThis);
        if (barrier == barriers_.end())
            barrier = barriers_.insert(barrier, {.threadBlock = threadBlock, .number = instruction.barrier});
        barrier->groups.push_back(group.number);
        const auto ofBlock = std::count_if(groups_.begin(), groups_.end(),
                                           [&](const Group& other) { return other.threadBlock == threadBlock; });
        const auto meeting = instruction.barrierGroups ? instruction.barrierGroups : static_cast<size_t>(ofBlock);
        if (barrier->groups.size() < meeting) return;
        for (Resident& other : residents_) {
            if (std::find(barrier->groups.begin(), barrier->groups.end(), other.number) == barrier->groups.end())
                continue;
            other.ready = result + other.redirect;
            other.lastResult = std::max(other.lastResult, result);
        }
        barriers_.erase(barrier);
    }

    void countLanes(int executing, int threads, uint32_t all) {
        const auto n = static_cast<uint64_t>(executing), m = static_cast<uint64_t>(threads);
        const uint64_t lost = all - n, diverged = std::min(lost, m - n);
        outcome_.lanes.busy += n;
        outcome_.lanes.diverged += diverged;
        outcome_.lanes.notFull += lost - diverged;
    }

    // End.

    void leave(Cycle t) {
        std::erase_if(residents_, [&](const Resident& group) {
            if (hasInstructionLeft(group) || group.ready == kNever || group.requests > 0 ||
                t != group.lastResult + preset_.block.stages - 1)
                return false;
            outcome_.groups[group.number].ended = t;
            return true;
        });
    }

    // Idle cycles. `t` is at its end: ports have issued, groups that end in it are there.

    Cause causeOf(Cycle t) {
        for (const Port& port : ports_)
            if (port.passesFrom <= t && t < port.freeAt) return Cause::Busy;
        for (const Port& port : ports_)
            if (t < port.passesFrom) return Cause::Switch;
        for (const Resident& group : residents_)  // from the oldest to the youngest
            if (hasInstructionLeft(group)) return causeOf(group, t);
        return residents_.empty() ? Cause::NoGroup : Cause::Draining;
    }
    Cause causeOf(const Resident& group, Cycle t) {
        if (t < group.arrival) return Cause::NoGroup;
        if (!condition2(group, t)) return causeOfWaiting(instructionOf(group, group.next - 1));
        if (!condition6(group, t)) return awaitedBy(group).cause;
        return condition3(group, t) && condition5(group, t) ? Cause::QueueFull : Cause::UnitTaken;
    }
    /// For an instruction's result.
    static Cause causeOfWaiting(const isa::Instruction& instruction) {
        if (instruction.op == isa::Op::Bar) return Cause::Barrier;
        const isa::Shape shape = isa::opInfo(instruction.op).shape;
        if (isa::isTexture(shape)) return Cause::Texture;
        if (isa::isMemory(shape)) return instruction.slot == isa::kSharedSlot ? Cause::SharedMemory : Cause::Prefetch;
        return Cause::Dependency;
    }

    const Preset& preset_;
    const std::vector<Group>& groups_;
    std::vector<std::vector<isa::Instruction>> programs_;  ///< of the groups
    std::vector<uint32_t> registers_;                      ///< that each group takes
    std::vector<Resident> residents_;                      ///< from the oldest to the youngest
    std::vector<Port> ports_;
    std::vector<Barrier> barriers_;
    std::array<std::vector<Cycle>, kUnits> unitFreeAt_;
    Cycle memoryPortFreeAt_ = 0;
    uint32_t turn_ = 0;  ///< place that "turns" begins with
    TextureEngines engines_;
    Outcome outcome_;
};

}  // namespace

uint64_t Outcome::count(Cause cause) const {
    return static_cast<uint64_t>(std::count(causes.begin(), causes.end(), cause));
}

Outcome runBlockProcessor(const Preset& preset, const std::vector<Group>& groups, Cycle begun) {
    return BlockProcessor(preset, groups, begun).run();
}

}  // namespace tessera::model::reference
