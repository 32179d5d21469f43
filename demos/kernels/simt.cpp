// A kernel for each feature of SIMT execution that seed 003 names.
#include <algorithm>
#include <numeric>
#include <set>

#include "demos/kernels/jobs.h"

namespace tessera::kernels {

namespace {

size_t threadsFor(Scale scale) {
    return scale == Scale::Small ? 512 : scale == Scale::Paper ? 4096 : 1 << 18;  // 4,096: the machine's
}

/// Level by level as the kernel's text nests, for one thread; `together` counts the lanes whose bits agree.
uint32_t divergedValue(uint32_t thread) {
    uint32_t value = thread;
    const uint32_t group = thread / 32 * 32;
    const auto lanesWith = [&](uint32_t mask, uint32_t bits) {
        uint32_t lanes = 0;
        for (uint32_t other = group; other < group + 32; ++other) lanes += (other & mask) == bits;
        return lanes;
    };
    int level = 0;
    for (; level < 8 && (thread >> level & 1) != 0; ++level) {
        const uint32_t low = (2u << level) - 1;
        value = value * 3 + lanesWith(low, low);
    }
    if (level < 8) {
        const auto bit = 1u << level;
        value ^= lanesWith(2 * bit - 1, bit - 1) * (1000 + static_cast<uint32_t>(level));
    }
    for (int out = std::min(level, 7); out >= 0; --out) value += static_cast<uint32_t>(out) + 1;
    return value * 32 + thread;
}

}  // namespace

Job makeDivergence(Scale scale) {
    const size_t threads = threadsFor(scale);
    Job job;
    job.size = std::to_string(threads) + " threads, 8 levels";
    const int result = job.addOutput(4 * threads);
    job.steps.push_back({"divergence", {blocksFor(threads, 256), 1, 1}, {}, {result}, {}});
    job.work = 60.0 * static_cast<double>(threads);
    job.unit = Work::Operations;
    std::vector<uint32_t> expected;
    for (size_t i = 0; i < threads; ++i) expected.push_back(divergedValue(static_cast<uint32_t>(i)));
    expect(job, result, expected);
    return job;
}

namespace {

std::vector<uint32_t> randomWords(uint64_t seed, size_t count) {
    Random random(seed);
    std::vector<uint32_t> words(count);
    for (auto& word : words) word = static_cast<uint32_t>(random.next());
    return words;
}

}  // namespace

Job makeBarrier(Scale scale) {
    const size_t threads = threadsFor(scale);
    auto values = randomWords(45, threads);
    Job job;
    job.size = std::to_string(threads) + " threads, 16 barriers";
    const int memory = job.add(values);
    job.outputs.push_back(memory);
    job.steps.push_back({"barrier", {blocksFor(threads, 256), 1, 1}, {}, {memory}, {}});
    job.work = 33.0 * static_cast<double>(threads);
    job.unit = Work::Operations;
    for (size_t block = 0; block < threads; block += 256) {
        for (uint32_t step = 0; step < 16; ++step) {
            std::vector<uint32_t> before(values.begin() + static_cast<ptrdiff_t>(block),
                                         values.begin() + static_cast<ptrdiff_t>(block + 256));
            for (size_t i = 0; i < 256; ++i) values[block + i] = before[(i + (1u << step % 8)) % 256] + step;
        }
        for (size_t i = 0; i < 32; ++i) std::swap(values[block + i], values[block + 32 + i]);
    }
    expect(job, memory, values);
    return job;
}

Job makeVote(Scale scale) {
    const size_t threads = threadsFor(scale);
    auto values = randomWords(46, threads);
    // Groups in turn: anything, all large, all small.
    for (size_t i = 0; i < threads; ++i) values[i] = i / 32 % 3 == 0 ? values[i] % 256 : i / 32 % 3 == 1 ? 200 : 5;
    Job job;
    job.size = std::to_string(threads) + " threads";
    const int input = job.add(values), result = job.addOutput(16 * threads);
    job.steps.push_back({"vote", {blocksFor(threads, 256), 1, 1}, {}, {input, result}, {}});
    job.work = 4.0 * static_cast<double>(threads);
    job.unit = Work::Operations;
    std::vector<uint32_t> expected;
    for (size_t i = 0; i < threads; ++i) {
        uint32_t ballot = 0;
        for (size_t lane = 0; lane < 32; ++lane) ballot |= uint32_t{values[i / 32 * 32 + lane] >= 128} << lane;
        const uint32_t one = std::bit_cast<uint32_t>(1.0f);
        expected.insert(expected.end(), {ballot == UINT32_MAX ? one : 0, ballot != 0 ? one : 0, ballot,
                                         i % 2 == 1 ? ballot & 0xaaaaaaaau : 0});
    }
    expect(job, result, expected);
    return job;
}

Job makeShuffle(Scale scale) {
    const size_t threads = threadsFor(scale);
    const auto values = randomWords(47, threads);
    Job job;
    job.size = std::to_string(threads) + " threads";
    const int input = job.add(values), result = job.addOutput(16 * threads);
    job.steps.push_back({"shuffle", {blocksFor(threads, 256), 1, 1}, {}, {input, result}, {}});
    job.work = 8.0 * static_cast<double>(threads);
    job.unit = Work::Operations;
    std::vector<uint32_t> expected;
    for (size_t i = 0; i < threads; ++i) {
        const size_t group = i / 32 * 32, lane = i % 32;
        uint32_t sum = 0;
        for (size_t other = 0; other < 32; ++other) sum += values[group + other];
        expected.insert(expected.end(), {values[group + 31 - lane], values[lane < 3 ? i : i - 3],
                                         values[lane + 5 > 31 ? i : i + 5], sum});
    }
    expect(job, result, expected);
    return job;
}

namespace {

/// Words that tell where they lie: word i holds ~i.
std::vector<uint32_t> numberedWords(size_t count) {
    std::vector<uint32_t> words(count);
    for (size_t i = 0; i < count; ++i) words[i] = ~static_cast<uint32_t>(i);
    return words;
}

/// Makes the check of a kernel that stores each numbered word that it loads: accesses of 32 lanes one after another in
/// memory `output`. Every word is to be the one of `expected`; and `costOf`, of the words that a group has loaded, is
/// to give `cost` for each access.
void expectAccesses(Job& job, int output, const std::vector<uint32_t>& expected, int cost,
                    int (*costOf)(const std::set<uint32_t>& words)) {
    job.check = [=](const Job&, const std::vector<Memory>& results) {
        const auto loaded = results[static_cast<size_t>(output)].as<uint32_t>();
        Check check;
        for (size_t first = 0; first < expected.size(); first += 32) {
            std::set<uint32_t> words;
            for (size_t i = first; i < first + 32; ++i) {
                check.error += ~loaded[i] != expected[i];
                words.insert(~loaded[i]);
            }
            check.error += costOf(words) != cost;
        }
        return check;
    };
}

/// Seed 003: 32 banks, bank = address >> 2 & 31; a bank gives one word in a cycle, to all lanes that want it.
int bankCycles(const std::set<uint32_t>& words) {
    std::array<int, 32> ofBank{};
    for (uint32_t word : words) ++ofBank[word & 31];
    return *std::max_element(ofBank.begin(), ofBank.end());
}

/// Seed 003: a request is a cache line of 128 bytes.
int requests(const std::set<uint32_t>& words) {
    std::set<uint32_t> lines;
    for (uint32_t word : words) lines.insert(word / 32);
    return static_cast<int>(lines.size());
}

Job makeBankConflicts(Scale scale, uint32_t stride) {
    constexpr size_t kAccesses = 64, kWords = 4096;
    const size_t threads = std::min<size_t>(threadsFor(scale), 1 << 16);
    // As many lanes share a bank as the stride has in common with the number of banks, unless they want the same word.
    const int cycles = stride == 0 ? 1 : static_cast<int>(std::gcd(stride, 32u));
    Job job;
    job.size = std::to_string(threads) + " threads, stride " + std::to_string(stride);
    const int input = job.add(numberedWords(kWords)), words = job.addOutput(4 * kAccesses * threads);
    job.steps.push_back({"bank_conflicts",
                         {blocksFor(threads, 256), 1, 1},
                         {},
                         {input, words},
                         {bitsOf(stride, static_cast<uint32_t>(threads))}});
    job.work = 4.0 * kAccesses * static_cast<double>(threads);
    job.unit = Work::Bytes;
    std::vector<uint32_t> expected;
    for (size_t n = 0; n < kAccesses; ++n)
        for (size_t i = 0; i < threads; ++i)
            expected.push_back(static_cast<uint32_t>((i % 32 * stride + i / 32 % 8 * 64 + n) % kWords));
    expectAccesses(job, words, expected, cycles, bankCycles);
    return job;
}

}  // namespace

Job makeBank1(Scale scale) { return makeBankConflicts(scale, 1); }

Job makeBank0(Scale scale) { return makeBankConflicts(scale, 0); }

Job makeBank2(Scale scale) { return makeBankConflicts(scale, 2); }

Job makeBank32(Scale scale) { return makeBankConflicts(scale, 32); }

namespace {

/// `perGroup`: requests of 32 lanes.
Job makeCoalescing(Scale scale, uint32_t multiplier, int perGroup) {
    const size_t n = scale == Scale::Large ? 1 << 22 : 1 << 16;
    Job job;
    job.size = std::to_string(n);
    const int from = job.add(numberedWords(n)), to = job.addOutput(4 * n);
    job.steps.push_back(
        {"coalescing", {blocksFor(n, 256), 1, 1}, {}, {from, to}, {bitsOf(multiplier, static_cast<uint32_t>(n - 1))}});
    job.work = 8.0 * static_cast<double>(n);
    job.unit = Work::Bytes;
    std::vector<uint32_t> expected;
    for (size_t i = 0; i < n; ++i) expected.push_back(static_cast<uint32_t>(i * multiplier % n));
    expectAccesses(job, to, expected, perGroup, requests);
    return job;
}

}  // namespace

Job makeCoalesced(Scale scale) { return makeCoalescing(scale, 1, 1); }

Job makeStrided(Scale scale) { return makeCoalescing(scale, 33, 32); }

Job makeScattered(Scale scale) { return makeCoalescing(scale, 0x9e3779b1, 32); }

}  // namespace tessera::kernels
