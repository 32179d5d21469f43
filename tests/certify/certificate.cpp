#include "tests/certify/certificate.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <sstream>

#include "tests/certify/definition.h"

namespace tessera::certify {

namespace {

static_assert(std::endian::native == std::endian::little, "hashes are over little-endian results");

/// Elements that are computed at a time: operands and results stay in the cache of a core.
constexpr uint32_t kBatch = 1u << 16;
constexpr size_t kHashesInLine = 6;

/// Operands of consecutive elements of a slice, made for as many functions as ask for them.
class Batch {
public:
    Batch(Slice slice, uint32_t first) : slice_(slice), first_(first) {}

    [[nodiscard]] Operands operands(const Function& f) {
        if (elements_.empty()) {
            elements_.resize(kBatch);
            for (uint32_t n = 0; n < kBatch; ++n) elements_[n] = slice_.element(first_ + n);
        }
        if (f.exhaustive) return {elements_, elements_, elements_};
        if (stratified_[0].empty()) stratify();
        return {stratified_[0], stratified_[1], stratified_[2]};
    }

private:
    void stratify() {
        for (auto& operand : stratified_) operand.resize(kBatch);
        for (uint32_t n = 0; n < kBatch; ++n) {
            const auto operands = stratifiedOperands(elements_[n]);
            for (size_t k = 0; k < operands.size(); ++k) stratified_[k][n] = operands[k];
        }
    }

    Slice slice_;
    uint32_t first_;
    std::vector<uint32_t> elements_;
    std::array<std::vector<uint32_t>, 3> stratified_;
};

uint64_t hashOf(const std::vector<uint64_t>& hashes) {
    return XXH3_64bits(hashes.data(), hashes.size() * sizeof(uint64_t));
}

constexpr std::string_view kHead =
    "# Tessera's functions: hashes of what the definition gives, which every tier must give at every SIMD level.\n"
    "# docs/certificate.md describes this file; `./run certify` compares with it, `./run certify --write` writes it.\n"
    "# name, chunks, hash of the chunks' hashes, hash of the sample; then the chunks' hashes, the first one's number "
    "before\n";

}  // namespace

uint32_t Slice::element(uint32_t n) const {
    if (chunk != kSample) return chunk * kChunkElements + n;
    constexpr uint32_t kStride = kChunks * (kChunkElements / kSampleElements);
    return n * kStride + (n * 2654435761u >> 20);  // Knuth's multiplicative hash, 12 bits of it
}

std::string Slice::name() const { return chunk == kSample ? "the sample" : fmt::format("chunk {}", chunk); }

std::vector<uint64_t> hashSlice(Slice slice, std::span<const size_t> which, const Evaluate& evaluate) {
    std::vector<XXH3_state_t> states(which.size());
    for (XXH3_state_t& state : states) XXH3_64bits_reset(&state);
    std::vector<uint32_t> results(kBatch);
    for (uint32_t first = 0; first < slice.size(); first += kBatch) {
        Batch batch(slice, first);
        for (size_t i = 0; i < which.size(); ++i) {
            evaluate(which[i], batch.operands(functions()[which[i]]), results);
            XXH3_64bits_update(&states[i], results.data(), results.size() * sizeof(uint32_t));
        }
    }
    std::vector<uint64_t> hashes;
    for (const XXH3_state_t& state : states) hashes.push_back(XXH3_64bits_digest(&state));
    return hashes;
}

std::optional<Difference> firstDifference(Slice slice, size_t which, const Evaluate& evaluate) {
    const Function& function = functions()[which];
    std::vector<uint32_t> expected(kBatch), found(kBatch);
    for (uint32_t first = 0; first < slice.size(); first += kBatch) {
        Batch batch(slice, first);
        const Operands operands = batch.operands(function);
        define(function, operands, expected);
        evaluate(which, operands, found);
        const auto [e, f] = std::mismatch(expected.begin(), expected.end(), found.begin());
        if (e == expected.end()) continue;
        const auto n = static_cast<size_t>(e - expected.begin());
        return Difference{
            slice.element(first + static_cast<uint32_t>(n)), {operands[0][n], operands[1][n], operands[2][n]}, *e, *f};
    }
    return std::nullopt;
}

std::string describe(const Function& function, const Difference& difference) {
    std::string operands;
    for (int k = 0; k < function.operands; ++k)
        operands += fmt::format("{}{:#010x}", k == 0 ? "" : ", ", difference.operands[static_cast<size_t>(k)]);
    return fmt::format("{}: of {} expected {:#010x}, found {:#010x} (element {})", function.name, operands,
                       difference.expected, difference.found, difference.element);
}

std::string toText(const Records& records) {
    std::string text(kHead);
    for (const Function& function : functions()) {
        const auto found = records.find(function.name);
        if (found == records.end()) continue;
        const Record& record = found->second;
        text += fmt::format("{} {} {:016x} {:016x}\n", function.name, record.chunks.size(), hashOf(record.chunks),
                            record.sample);
        for (size_t chunk = 0; chunk < record.chunks.size(); ++chunk) {
            if (chunk % kHashesInLine == 0) text += fmt::format("{}  {:3}", chunk == 0 ? "" : "\n", chunk);
            text += fmt::format(" {:016x}", record.chunks[chunk]);
        }
        text += "\n";
    }
    return text;
}

Records fromText(std::string_view text, std::string* why) {
    Records records;
    std::istringstream lines{std::string(text)};
    std::string line;
    size_t number = 0;
    const auto fail = [&](const std::string& what) {
        *why = fmt::format("{}: {}", number, what);
        return Records{};
    };
    while (std::getline(lines, line)) {
        ++number;
        if (line.empty() || line[0] == '#') continue;
        std::istringstream words(line);
        std::string name;
        size_t chunks = 0;
        uint64_t whole = 0;
        Record record;
        if (!(words >> name >> chunks >> std::hex >> whole >> record.sample) || chunks > kChunks)
            return fail("expected a name, a number of chunks and two hashes");
        while (record.chunks.size() < chunks && std::getline(lines, line)) {
            ++number;
            std::istringstream row(line);
            size_t first = 0;
            if (!(row >> first) || first != record.chunks.size()) return fail("expected the number of a chunk");
            row >> std::hex;
            for (uint64_t hash = 0; row >> hash;) record.chunks.push_back(hash);
        }
        if (record.chunks.size() != chunks || hashOf(record.chunks) != whole)
            return fail(name + ": the chunks' hashes are not those of the first line");
        records.emplace(name, std::move(record));
    }
    return records;
}

}  // namespace tessera::certify
