// Texture engines, their caches and SDRAM behind them, written a second time from docs/model.md, "Texture engines",
// "Caches" and "SDRAM", as clock_by_clock.h has the block processor that asks them: every engine is looked at in every
// cycle. One block processor asks, and nobody else reads memory.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "model/chip/preset.h"
#include "model/chip/result.h"
#include "model/chip/workload.h"

namespace tessera::model::reference {

/// What the data of all engines did.
struct EngineCycles {
    uint64_t busy = 0, waitedForLine = 0, filling = 0;
    uint64_t hits = 0, misses = 0;
};

class TextureEngines {
public:
    TextureEngines(const Preset& preset, Cycle begun);

    /// Condition 4, of a lookup that asks for these lines: each queue that it has a request for has a place.
    [[nodiscard]] bool havePlaces(const std::vector<Access>& accesses) const;
    /// A lookup of the group issues in cycle t. So many requests are made.
    uint32_t push(uint32_t group, const std::vector<Access>& accesses, Cycle t);

    /// A request whose result is known from now on.
    struct Answer {
        uint32_t group = 0;
        Cycle result = 0;
    };
    /// What all engines do in cycle t, behind what is pushed in it: a place whose entry they take can be filled from
    /// the next one on.
    [[nodiscard]] std::vector<Answer> act(Cycle t);
    [[nodiscard]] const EngineCycles& cycles() const { return cycles_; }

private:
    struct Request {
        uint32_t group = 0;
        Cycle pushed = 0;
        std::vector<Access> accesses;
    };
    struct Line {
        uint64_t number = 0;
        Cycle arrival = 0;
    };
    struct Engine {
        std::deque<Request> queue;
        std::optional<Request> request;
        Cycle begun = 0;                      ///< the request was taken
        size_t next = 0;                      ///< access of it
        Cycle tagsFree = 0, dataEnd = 0;      ///< `dataEnd`: of all accesses so far
        std::vector<Cycle> read;              ///< end of the data of each access, in order
        std::vector<Cycle> arrived;           ///< of each miss: its line and those of all before are there
        std::vector<std::deque<Line>> cache;  ///< sets; the most recently used line first
    };
    struct OpenRow {
        uint64_t row = 0;
        Cycle activated = 0, mayClose = 0, closed = kNever;
    };
    /// What is not over; in memory cycles.
    struct Channel {
        std::vector<std::pair<Cycle, Cycle>> taken;  ///< of the bus: begin and end
        std::vector<Cycle> activated;                ///< rows of all banks
        std::vector<std::vector<OpenRow>> rows;      ///< by bank
    };

    [[nodiscard]] std::vector<Access> accessesOf(size_t engine, const std::vector<Access>& accesses) const;
    [[nodiscard]] std::deque<Line>& setOf(Engine& engine, uint64_t line) const;
    /// The next access goes through the tags in cycle t, if it may.
    [[nodiscard]] bool access(Engine& engine, const Access& access, Cycle t);
    /// When a line that is asked for in cycle t is there.
    [[nodiscard]] Cycle read(const Access& access, Cycle t);
    [[nodiscard]] uint64_t memoryKhz() const;
    /// In memory cycle m all banks are.
    [[nodiscard]] bool isRefreshed(Cycle m) const;
    /// The first refresh that begins behind it.
    [[nodiscard]] Cycle nextRefresh(Cycle m) const;
    [[nodiscard]] static Cycle freeBus(const Channel& channel, Cycle m, Cycle cycles);
    [[nodiscard]] bool mayActivate(const Channel& channel, Cycle m) const;

    const Preset& preset_;
    Cycle begun_;
    std::vector<Engine> engines_;
    std::vector<Channel> channels_;
    EngineCycles cycles_;
};

}  // namespace tessera::model::reference
