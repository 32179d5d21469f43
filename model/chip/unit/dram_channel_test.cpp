// A channel's times, each worked out by hand.
#include "model/chip/unit/dram_channel.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

// base/check.h, which is within, has macros of the same names; those of doctest are meant here.
#pragma push_macro("CHECK")
#undef CHECK
#undef CHECK_EQ
#undef CHECK_LE
#undef CHECK_LT
#include "model/chip/unit/memory.h"
#pragma pop_macro("CHECK")

using namespace tessera;
using namespace tessera::model;

namespace {

/// A line takes 8 cycles of the bus, its first byte comes 10 + 5 after the row's activation.
Preset preset() {
    std::string error;
    auto preset = loadPreset("tessera", &error);
    REQUIRE_MESSAGE(preset, error);
    REQUIRE_MESSAGE(setMemory(*preset, "ideal", &error), error);
    for (const char* setting :
         {"sdram.bytes_per_cycle=8", "sdram.burst_bytes=64", "sdram.banks=4", "sdram.activate_cycles=10",
          "sdram.precharge_cycles=16", "sdram.open_cycles=20", "sdram.read_cycles=5", "sdram.write_cycles=4",
          "sdram.read_precharge_cycles=3", "sdram.write_precharge_cycles=6", "sdram.write_read_cycles=7",
          "sdram.read_write_cycles=2", "sdram.activates_apart=4"})
        REQUIRE_MESSAGE(setParameter(*preset, setting, &error), error);
    return *preset;
}

constexpr bool kWrite = true, kRead = false;

}  // namespace

TEST_CASE("banks work beside each other, what finds its row open passes, and what has a place keeps it") {
    DramChannel channel(preset());
    CHECK(channel.place(0, 0, kRead, {0, 1, 64}) == 23);  // activated in 0, read in 10
    CHECK(channel.place(0, 0, kRead, {0, 1, 64}) == 31);  // behind it on the bus
    CHECK(channel.place(0, 0, kRead, {1, 7, 4}) == 39);   // activated in 4; a word takes a burst
    // Another row of bank 0: the last read, in 18, lets it be closed in 21; activated in 37.
    CHECK(channel.place(0, 0, kRead, {0, 2, 64}) == 60);
    CHECK(channel.place(5, 5, kRead, {1, 7, 64}) == 47);  // passes it
    // Row 1 would have to be read by 18 to be closed in time: it is opened again, closed in 57, activated in 73.
    CHECK(channel.place(5, 5, kRead, {0, 1, 64}) == 96);
    // Row 2 would have to be read by 54 to be closed in 57, and the bus is taken until 60: it is opened again, too. Row
    // 1 is closed in 93.
    CHECK(channel.place(5, 5, kRead, {0, 2, 64}) == 73 + 20 + 16 + 10 + 5 + 8);
}

TEST_CASE("the bus turns") {
    DramChannel channel(preset());
    CHECK(channel.place(0, 0, kWrite, {0, 1, 64}) == 22);             // 10 + 4 + 8
    CHECK(channel.place(0, 40, kRead, {0, 1, 64}) == 53);             // 40 + 5 + 8
    CHECK(channel.place(0, 0, kWrite, {0, 1, 64}) == 30);             // before it: 30 + 7 + 5 are not behind 45
    CHECK(channel.place(0, 0, kWrite, {0, 1, 64}) == 53 + 2 + 8);     // two cycles behind what is read
    CHECK(channel.place(0, 0, kRead, {0, 1, 64}) == 63 + 7 + 5 + 8);  // a read's command waits for the bytes written
}

TEST_CASE("what is written keeps its row open for longer") {
    DramChannel channel(preset());
    CHECK(channel.place(0, 0, kWrite, {0, 1, 64}) == 22);
    CHECK(channel.place(0, 0, kWrite, {0, 2, 64}) == 22 + 6 + 16 + 10 + 4 + 8);
}

TEST_CASE("a refresh closes all rows") {
    Preset p = preset();
    p.sdram.refresh_every = 1000;
    p.sdram.refresh_cycles = 100;
    DramChannel channel(p);
    CHECK(channel.place(0, 0, kRead, {0, 1, 64}) == 23);
    CHECK(channel.place(987, 987, kRead, {0, 1, 64}) == 1000);
    CHECK(channel.place(987, 987, kRead, {0, 1, 64}) == 1100 + 10 + 5 + 8);
    CHECK(channel.place(1050, 1050, kRead, {1, 1, 64}) == 1104 + 10 + 5 + 8 + 4);  // the bus is taken until 1123
    CHECK(channel.place(2500, 2500, kRead, {2, 1, 64}) == 2523);
}

TEST_CASE("rows are activated so far apart, and four of them in so long a time") {
    Preset p = preset();
    p.sdram.four_activates = 50;
    DramChannel channel(p);
    CHECK(channel.place(0, 0, kRead, {0, 1, 8}) == 23);
    CHECK(channel.place(0, 0, kRead, {1, 1, 8}) == 31);
    CHECK(channel.place(0, 0, kRead, {2, 1, 8}) == 39);
    CHECK(channel.place(0, 0, kRead, {3, 1, 8}) == 47);
    // Of bank 0 the fifth: closed in 20, it could be activated in 36, and is in 50.
    CHECK(channel.place(0, 0, kRead, {0, 2, 8}) == 50 + 10 + 5 + 8);
}

TEST_CASE("books: pieces in order, each once, when nothing can come between them") {
    DramChannel channel(preset());
    (void)channel.place(0, 0, kRead, {0, 1, 64});
    (void)channel.place(0, 0, kRead, {0, 2, 64});
    (void)channel.place(0, 0, kRead, {0, 1, 64});
    std::vector<Cycle> seen;
    const auto note = [&](const DramChannel::Piece& piece) {
        for (const Cycle cycle : {piece.wanted, piece.begin, piece.end}) seen.push_back(cycle);
    };
    channel.settle(30, note);
    CHECK(seen == std::vector<Cycle>{5, 15, 23});
    channel.settle(1000, note);
    channel.settle(1000, note);
    CHECK(seen == std::vector<Cycle>{5, 15, 23, 5, 51, 59, 5, 87, 95});
    // Without a gap they are one, as far as they are over.
    for (int i = 0; i < 3; ++i) (void)channel.place(200, 200, kRead, {0, 1, 64});
    seen.clear();
    channel.settle(221, note);
    CHECK(seen == std::vector<Cycle>{205, 205, 221});
    channel.settle(1000, note);
    CHECK(seen == std::vector<Cycle>{205, 205, 221, 205, 221, 229});
}

namespace {

/// One channel whose rows have 1 KB, and which gathers so many writes.
Preset oneChannel(uint32_t batch) {
    Preset machine = preset();
    std::string error;
    for (const char* setting :
         {"sdram.channels=1", "sdram.interleave=1024", "sdram.row_bytes=1024", "sdram.latency=60", "fifo.crossing=2"})
        REQUIRE_MESSAGE(setParameter(machine, setting, &error), error);
    machine.sdram.write_batch = batch;
    return machine;
}

struct Memory {
    explicit Memory(uint32_t batch) : machine(oneChannel(batch)) {}
    Preset machine;
    Result result{.units = std::vector<UnitResult>(1)};
    Ledger ledger{result.units, 2, nullptr};
    Clock clock{1};
    Sdram sdram{machine, ledger, clock, 0, result, false};
};
// Rows 0 and 5 are of bank 0: the exclusive or of their digits of two bits.
constexpr uint64_t kRow0 = 0, kRow5 = 5 * 1024;

}  // namespace

TEST_CASE("what is read crosses to memory and back, and its controller has a latency") {
    Memory m(0);
    CHECK(m.sdram.read(0, kRow0) == 2 + 10 + 5 + 8 + 60 + 2);
    CHECK(m.sdram.write(0, kRow0 + 64) == 2 + 10 + 5 + 8 + 2 + 8);  // behind it, and a turn of the bus
}

TEST_CASE("writes are gathered, those of one row follow each other, and a drain writes what is left") {
    Memory m(3);
    CHECK(m.sdram.write(0, kRow0) == 2);  // taken when it is there
    CHECK(m.sdram.write(0, kRow5) == 2);
    CHECK(m.sdram.write(6, kRow0 + 64) == 8);
    // All in 8, row 0 first: activated in 8, bytes from 22 to 38; closed in 44, row 5 activated in 60.
    CHECK(m.sdram.drain(8) == 60 + 10 + 4 + 8);
    CHECK(m.sdram.write(100, kRow5 + 64) == 102);
    CHECK(m.sdram.drain(102) == 102 + 4 + 8);
    CHECK(m.sdram.drain(200) == 200);  // nothing is left
}

TEST_CASE("a channel has room for two batches") {
    Memory m(1);
    CHECK(m.sdram.write(0, kRow0) == 2);       // written in 24
    CHECK(m.sdram.write(0, kRow0 + 64) == 2);  // in 32
    CHECK(m.sdram.write(0, kRow0 + 128) == 24);
    CHECK(m.sdram.write(50, kRow0 + 192) == 52);
}
