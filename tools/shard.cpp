#include "tools/shard.h"

#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/process/env.h"
#include "tools/commit.h"
#include "tools/files.h"

namespace tessera::tools {

namespace {

/// K and N of "K/N".
std::optional<std::pair<uint32_t, uint32_t>> partOf(const std::string& text) {
    uint32_t number = 0, of = 0;
    const char* const end = text.data() + text.size();
    const auto [slash, wrong] = std::from_chars(text.data(), end, number);
    if (wrong != std::errc() || slash == end || *slash != '/') return std::nullopt;
    const auto [stop, wrongToo] = std::from_chars(slash + 1, end, of);
    if (wrongToo != std::errc() || stop != end || number < 1 || number > of) return std::nullopt;
    return std::pair(number, of);
}

/// "v3", as TESSERA_SIMD spells it.
std::string levelName() {
    const std::string_view name = simdLevelName(simdLevel());
    return std::string(name.substr(name.rfind('-') + 1));
}

std::string processor() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name"))
            if (const size_t at = line.find(": "); at != std::string::npos) return line.substr(at + 2);
    return "unknown";
}

/// "model --sweep" in the name of a file: "model-sweep".
std::string inFileName(std::string_view verb) {
    std::string name;
    for (const char c : verb)
        if (c >= 'a' && c <= 'z')
            name += c;
        else if (!name.ends_with('-'))
            name += '-';
    return name;
}

}  // namespace

void addShardOptions(CLI::App& verb, CLI::Option* divisible, Shard& shard) {
    CLI::Option* option =
        verb.add_option_function<std::string>(
                "--shard",
                [&shard](const std::string& text) {
                    std::tie(shard.number, shard.of) = *partOf(text);
                    shard.isGiven = true;
                },
                "Do part K of N alone, K from 1, and leave a file; ./run merge puts the files of all parts together")
            ->check([](const std::string& text) {
                return partOf(text) ? std::string() : fmt::format("give K/N, K from 1 to N: not '{}'", text);
            })
            ->type_name("K/N")
            ->needs(divisible);
    verb.add_option("--shard-out", shard.file, "That file; default VERB-K-of-N.json")->needs(option);
}

bool writeShard(const Shard& shard, const ShardResult& result) {
    nlohmann::ordered_json file;
    file["format"] = "tessera shard 1";
    file["verb"] = result.verb;
    file["build"] = kBuild;
    file["options"] = result.options;
    file["shard"] = {shard.number, shard.of};
    file["machine"] = {{"processor", processor()}, {"simd", levelName()}, {"threads", threadCount()}};
    file["seconds"] = result.seconds;
    file["counts"] = result.counts;
    file["failures"] = result.failures;
    file["outputs"] = result.outputs;
    const std::string name = shard.file.empty()
                                 ? fmt::format("{}-{}-of-{}.json", inFileName(result.verb), shard.number, shard.of)
                                 : shard.file;
    return writeFile(name, file.dump(1) + '\n');
}

}  // namespace tessera::tools
