// A block processor: groups of 32 threads that take turns at one pipeline (seed 004, 2.1; docs/model.md, A block
// processor).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "model/chip/unit/memory.h"
#include "model/chip/unit/program_table.h"
#include "model/chip/unit/queue.h"
#include "model/chip/workload.h"

namespace tessera::model {

struct Chip;

/// What a group is to do.
struct GroupWork {
    enum class Kind : uint8_t { Vertices, Fragments, Kernel } kind = Kind::Vertices;
    uint32_t item = 0;  ///< of Progress
    uint32_t program = kNone;
    uint32_t index = 0;  ///< batch; place in the store of fragments; thread block
    uint32_t group = 0;  ///< batch; first block; first group of the workload's
    std::span<const Executed> trace[2];
    int16_t x[2] = {}, y[2] = {};  ///< of the blocks
    uint32_t registers = 0;
    uint32_t threads = 0;
    uint32_t blockGroups = 0, sharedBytes = 0;  ///< of the thread block
};

class BlockProcessor {
public:
    BlockProcessor(const Preset& preset, uint32_t number, uint32_t self);

    void step(Chip& chip);
    /// Nothing happens any more until the machine's last cycle.
    void finish(Chip& chip, Cycle end);

    // As dispatch sees them, that acts before in every cycle.
    [[nodiscard]] uint32_t residents() const { return residents_ + reservedGroups_; }
    [[nodiscard]] bool hasRoom(uint32_t registers, uint32_t sharedBytes) const {
        return registers_ + reservedRegisters_ + registers <= preset_.block.registers &&
               sharedBytes_ + sharedBytes <= preset_.block.shared_bytes;
    }
    /// For the groups of a thread block, which arrive one after the other.
    void reserve(uint32_t sharedBytes, uint32_t groups, uint32_t registers);
    /// The group is dispatched in this cycle.
    void arrive(Chip& chip, const GroupWork& work);

    /// A texture engine has looked up all lines of a request of the resident; the result comes in cycle `result`.
    void lookedUp(Chip& chip, uint32_t resident, Cycle result);

    /// Busy lanes and the two causes that lanes alone have; over all instructions.
    struct LaneBooks {
        uint64_t busy = 0, divergence = 0, unfilled = 0;

        LaneBooks& operator+=(const LaneBooks& other) {
            busy += other.busy, divergence += other.divergence, unfilled += other.unfilled;
            return *this;
        }
        LaneBooks& operator-=(const LaneBooks& other) {
            busy -= other.busy, divergence -= other.divergence, unfilled -= other.unfilled;
            return *this;
        }
    };
    [[nodiscard]] const LaneBooks& laneBooks() const { return laneBooks_; }
    void forget() { cache_.clear(); }

private:
    /// Instruction that a resident executes next: of both halves, or of one.
    struct Next {
        const Executed* half[2] = {};
        uint64_t lanes = 0;
        uint32_t pc = 0;
    };
    struct Resident {
        GroupWork work;
        uint64_t number = 0;  ///< of all that were dispatched here, from 1
        size_t at[2] = {};    ///< in work.trace
        Next next;
        bool hasNext = false;
        uint32_t base = 0;  ///< of its program in the table
        Cycle arrival = 0;
        Cycle lastResult = 0;  ///< of all its instructions whose results' times are known
        bool unknown = false;  ///< the time of a lookup's, an access's or a barrier's is not
        Cycle lookedUp = 0;    ///< result of its lookup, as far as known
        uint32_t redirect = 0;
        uint32_t requests = 0;  ///< of its lookup that have no time yet
        Cause waits = Cause::Dependency;
        uint32_t waitsFor = 0;  ///< index in the table of the instruction
        bool atBarrier = false;
        // Scoreboard: registers that wait for a result.
        struct Pending {
            RegisterUse::Register target;
            Cycle result = 0;  ///< kNever: not known yet
            Cause cause = Cause::Dependency;
        };
        std::vector<Pending> pending;
    };
    struct Port {
        Cycle begin = 0, free = 0;  ///< of the passes of its last instruction; before them contexts are switched
        Cycle turn = 0;             ///< from one of its turns to the next
        uint32_t passes = 0;        ///< of one
        uint64_t last = 0;          ///< group, by Resident::number; 0: none yet
        uint32_t lastPlace = 0;     ///< that it had
        uint64_t lanes = 0;         ///< that its last instruction executes for, of so many threads
        uint32_t threads = 0;
    };
    /// What one instruction asks of memory outside, and the port takes one after the other.
    struct MemoryPort {
        std::vector<uint64_t> pieces;  ///< numbers of lines, one in a cycle; with global.word_cycles addresses of words
        size_t next = 0;
        Cycle until =
            0;  ///< takes nothing before: what asks has begun, and with global.word_cycles the word before is taken
        uint32_t resident = kNone;
        bool store = false, atomic = false;
        uint32_t latency = 0;  ///< atomics: of the operation, with the waits of lanes for each other
        Cycle result = 0;
        [[nodiscard]] bool isEmpty() const { return next == pieces.size(); }
        [[nodiscard]] bool isFree(Cycle now) const { return isEmpty() && until <= now; }
    };

    void fetch(Resident& resident);
    /// Whether the resident's next instruction can issue now; if not, when it may (kNever: somebody will wake this
    /// unit) and why not.
    bool canIssue(Chip& chip, uint32_t resident, Cycle* when, Cause* why);
    void issue(Chip& chip, Port& port, uint32_t resident);
    uint32_t pick(Chip& chip, const Port& port);
    void lookUp(Chip& chip, uint32_t resident, const Next& next);
    /// Whether the queues have a place for its requests.
    bool engineQueuesHavePlaces(Chip& chip, uint32_t resident, const Next& next);
    template <typename Visit>
    void forRequests(const Chip& chip, uint32_t resident, const Next& next, Visit&& visit);
    uint32_t sharedCycles(const Chip& chip, const Next& next, bool store);
    [[nodiscard]] bool isPrefetched(uint64_t address) const;
    /// What an access to memory outside waits for.
    [[nodiscard]] Cause causeOf(const Chip& chip, const Next& next) const;
    /// Lines, or words, that the instruction asks for go to the memory port.
    void beginGlobal(Chip& chip, uint32_t resident, const Next& next, const InstructionCost& cost, Cycle begin);
    void stepMemory(Chip& chip);
    /// A line comes into the first cache that nobody asked for, if there is room among the requests.
    void prefetch(Chip& chip, uint64_t number);
    void releaseBarrier(Chip& chip, uint32_t block, uint32_t barrier, Cycle when);
    /// The group may issue again in that cycle, or ends if it has nothing left.
    void proceed(Chip& chip, uint32_t resident, Cycle ready);
    /// A result whose time was not known when its instruction issued.
    void resultIsKnown(Chip& chip, uint32_t resident, Cycle result);
    /// Lanes and causes of an instruction's first `passes` of a turn.
    [[nodiscard]] LaneBooks lanesOf(const Port& port, Cycle passes) const;
    /// The same of its first cycles.
    [[nodiscard]] LaneBooks lanesUntil(const Port& port, Cycle cycles) const;
    /// Of the units of a kind the one that is free first.
    [[nodiscard]] Cycle& freeUnit(ExecutionUnit unit) {
        if (unit != ExecutionUnit::Arithmetic || arithmeticFree_.empty()) return unitFree_[static_cast<int>(unit)];
        return *std::min_element(arithmeticFree_.begin(), arithmeticFree_.end());
    }
    void endGroups(Chip& chip);
    void noteIdleness(Chip& chip);
    void book(Chip& chip, Cycle to);

    const Preset& preset_;
    uint32_t number_, self_, passes_;
    std::vector<Resident> groups_;
    std::vector<uint32_t> order_;  ///< residents, oldest first
    std::vector<Cycle> ready_;     ///< by resident: when its next instruction may issue; kNever: not known
    std::vector<Cycle> ends_;      ///< by resident; kNever: not known
    std::vector<Port> ports_;
    Cycle unitFree_[kExecutionUnits] = {};
    std::vector<Cycle> arithmeticFree_;  ///< of arithmetic, where there are several units
    uint64_t places_ = 0;                ///< taken, a bit each
    uint32_t residents_ = 0, registers_ = 0, sharedBytes_ = 0;
    uint32_t reservedGroups_ = 0, reservedRegisters_ = 0;
    uint32_t lastIssued_ = kNone;  ///< place
    uint64_t dispatched_ = 0;
    MemoryPort memory_;
    Window requests_;
    LineCache cache_;
    std::vector<std::pair<uint32_t, uint32_t>> blockGroups_;  ///< thread block, and its groups that have not ended
    Cause idle_ = Cause::NoGroup;                             ///< while no port is busy
    Blame blame_;
    uint32_t fullEngine_ = 0;  ///< the last one whose queue had no place
    LaneBooks laneBooks_;
    std::vector<uint64_t> words_;  ///< of an access, for a moment
    std::vector<uint32_t> perBank_;
};

/// The cache that all block processors share.
class SecondCache {
public:
    explicit SecondCache(const Preset& preset);
    /// A line of memory, read (or written) in this cycle: when it is there.
    Cycle access(Chip& chip, Cycle now, uint64_t address, bool store, uint32_t bytes);
    Cycle flush(Chip& chip, Cycle now, bool forget);

private:
    LineCache cache_;
    bool exists_;
    uint32_t lineBytes_, latency_;
    std::vector<Cycle> sliceFree_;
};

}  // namespace tessera::model
