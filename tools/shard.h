// --shard K/N of verbs that take long: the part of their work that is done here, and the file it leaves, of which
// `./run merge` makes what the whole run would have said. docs/files.md is the file; tests/shards.py writes the same
// one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tessera::tools {

/// One of `of` parts of the work. Without --shard it is all of it.
struct Shard {
    uint32_t number = 1, of = 1;  ///< number from 1
    bool isGiven = false;
    std::string file;  ///< empty: VERB-K-of-N.json, in the working directory

    /// Whether a piece of work is in this part: every `of`-th is, so that parts take about as long as each other.
    [[nodiscard]] bool has(size_t piece) const { return piece % of == number - 1; }
};

/// --shard and --shard-out; both need the option that makes the verb divisible.
void addShardOptions(CLI::App& verb, CLI::Option* divisible, Shard& shard);

/// What a shard did, apart from who did it.
struct ShardResult {
    std::string verb;  ///< as it is typed behind ./run or tessera: "model --sweep"
    nlohmann::ordered_json options, counts, outputs;
    std::vector<std::string> failures;
    double seconds = 0;
};
/// False, and a message printed, when the file cannot be written.
[[nodiscard]] bool writeShard(const Shard& shard, const ShardResult& result);

}  // namespace tessera::tools
