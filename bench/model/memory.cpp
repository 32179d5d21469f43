// The model's memory alone: goes through recorded requests as fast as they are taken, for bench/model/dramsim.py.
//
//   model_memory [--memory NAME] [--together N] [--at-once] FILE
//
// FILE is what `tessera model --requests` writes. One request is made in a memory cycle, in their order and not before
// its cycle; --at-once makes each as soon as it can be. At most N to read are on their way in all. Prints requests, the
// memory cycle in which the last one is done, and the mean latency of those that read, without the controller's.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "model/chip/unit/memory.h"
#include "model/chip/unit/queue.h"

namespace {

using namespace tessera::model;

struct Request {
    uint64_t address = 0;
    bool write = false;
    Cycle cycle = 0;
};

/// The requests of a file; none, with a message, if a line is no request.
std::vector<Request> load(const std::string& file) {
    std::vector<Request> requests;
    std::ifstream in(file);
    std::string address, kind;
    for (Request one; in >> address >> kind >> one.cycle; requests.push_back(one)) {
        one.address = std::strtoull(address.c_str(), nullptr, 16);
        one.write = kind == "WRITE";
    }
    if (!in.eof() || requests.empty()) {
        fmt::print(stderr, "{}: error: line {}: no request of `tessera model --requests`\n", file, requests.size() + 1);
        return {};
    }
    return requests;
}

}  // namespace

int main(int argc, char** argv) {
    std::string file, memory = "ddr3-1800-x128", problem;
    uint32_t together = 64;
    bool atOnce = false;
    CLI::App app("The model's memory alone", "model_memory");
    app.add_option("file", file, "Recorded requests")->required();
    app.add_option("--memory", memory, "A memory's name or file");
    app.add_option("--together", together, "Requests to read that are on their way at once")
        ->check(CLI::Range(1, 4096));
    app.add_flag("--at-once", atOnce, "Each as soon as it can be");
    CLI11_PARSE(app, argc, argv);
    std::optional<Preset> preset = loadPreset("tessera", &problem);
    if (!preset || !setMemory(*preset, memory, &problem)) {
        fmt::print(stderr, "error: {}\n", problem);
        return 1;
    }
    const std::vector<Request> requests = load(file);
    if (requests.empty()) return 1;
    // Nothing but the channels: the chip has memory's clock, and controller and crossings take no time.
    preset->clock.memory_khz = 0;
    preset->fifo.crossing = 0;
    preset->sdram.latency = 0;
    Result result;
    result.units.resize(preset->sdram.channels);
    Ledger ledger(result.units, 2, nullptr);
    Clock clock(1);
    Sdram sdram(*preset, ledger, clock, 0, result, false);
    Window reads(together);
    Cycle next = 0, last = 0;
    for (const Request& request : requests) {
        const Cycle at = std::max({next, atOnce ? 0 : request.cycle, request.write ? 0 : reads.mayBegin()});
        clock.passTo(at);
        const Cycle done = request.write ? sdram.write(at, request.address, preset->sdram.burst_bytes)
                                         : sdram.read(at, request.address, preset->sdram.burst_bytes);
        if (!request.write) reads.begin(done);
        last = std::max(last, done);
        next = std::max(at + 1, request.write ? done : 0);
    }
    last = std::max(last, sdram.drain(next));
    fmt::print(
        "{} {} {:.2f}\n", requests.size(), last,
        static_cast<double>(result.sdramReadCycles) / static_cast<double>(std::max<uint64_t>(result.sdramReads, 1)));
    return 0;
}
