// Compute programs from assembly text to memory, against expectations worked out here in scalar C++. What must hold for
// every tier runs on every one that is built in (tiers.cpp).
#include "api/compute/device.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/compute/machine.h"

namespace tessera::compute {
namespace {

/// The body of a kernel with the buffers b0 and b1, on one group.
std::string kernel(const std::string& body, const std::string& declarations = "") {
    return ".compute\n.group 32\n.buffer b0 in\n.buffer b1 out\n" + declarations +
           "    mul.u32 r0.x, thread.x, c0.x\n" + body + "    ret\n";
}
std::vector<uint32_t> randomWords(size_t count, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<uint32_t> words(count);
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    return words;
}

TEST_CASE("threads, blocks and groups have their numbers; a block need not fill its last group") {
    const std::string text =
        ".compute\n.group 5, 4, 3\n.buffer b0 out\n.uniform c0 words int\n"
        "    mul.u32 r0.x, block.w, block_size.w\n    add.u32 r0.x, r0.x, thread.w\n    mul.u32 r0.x, r0.x, c0.x\n"
        "    mov.u32 r1.x, thread.x\n    mov.u32 r1.y, thread.y\n    mov.u32 r1.z, thread.z\n    mov.u32 r1.w, lane.x\n"
        "    st b0[r0.x], r1\n    st b0[r0.x + 16], block\n    mov.u32 r2, grid_size\n    st b0[r0.x + 32], r2\n"
        "    mov.u32 r2, group\n    st b0[r0.x + 48], r2.xy\n    ret\n";
    forEachTier([&](Machine& machine) {
        const auto out = std::make_shared<Buffer>(24 * 60 * 56);
        const auto launch = machine.run(text, {{"out", out}}, {.grid = {2, 3, 4}}, {{"words", 56}});
        REQUIRE(launch->message == "");
        CHECK(launch->counters.blocks == 24);
        CHECK(launch->counters.groups == 48);
        CHECK(launch->counters.outOfRange == 0);
        const auto words = out->as<uint32_t>();
        for (uint32_t block = 0; block < 24; ++block)
            for (uint32_t t = 0; t < 60; ++t) {
                const uint32_t expected[14] = {t % 5, t / 5 % 4, t / 20, t % 32, block % 2, block / 2 % 3, block / 6,
                                               block, 2,         3,      4,      24,        t / 32,        2};
                REQUIRE(std::memcmp(&words[(block * 60 + t) * 14], expected, sizeof expected) == 0);
            }
    });
}

TEST_CASE("integer instructions of the compute set") {
    const std::vector<uint32_t> special = {0,          1,          2,          0x7fffffff, 0x80000000,
                                           0xffffffff, 0x00010000, 0xffff8000, 0x0000fb00};
    std::vector<uint32_t> a = randomWords(1024, 1), b = randomWords(1024, 2), c = randomWords(1024, 3);
    for (size_t i = 0; i < special.size() * special.size(); ++i) {
        a[i] = special[i / special.size()], b[i] = special[i % special.size()];
        c[i] = special[(i * 7) % special.size()];
    }
    const auto madx = [](uint32_t x, uint32_t y, uint32_t z) {
        const auto low = [](uint32_t v) { return int64_t{static_cast<int16_t>(v)}; };
        const int64_t floored = std::lround(std::floor(static_cast<double>(low(x) * low(y)) / 1024.0));
        return static_cast<uint32_t>(int32_t{static_cast<int16_t>(floored + low(z))});
    };
    const auto reversed = [](uint32_t x) {
        uint32_t y = 0;
        for (int bit = 0; bit < 32; ++bit) y |= (x >> bit & 1) << (31 - bit);
        return y;
    };
    const std::string text =
        ".compute\n.group 64\n.buffer b0 a\n.buffer b1 b\n.buffer b2 c\n.buffer b3 out\n.const.u32 c0 = 4, 64, 24, 0\n"
        "    mad.u32 r0.x, block.x, c0.y, thread.x\n    mul.u32 r0.y, r0.x, 24\n    mul.u32 r0.x, r0.x, 4\n"
        "    ld r1.x, b0[r0.x]\n    ld r1.y, b1[r0.x]\n    ld r1.z, b2[r0.x]\n"
        "    mulh.i32 r2.x, r1.x, r1.y\n    mulh.u32 r2.y, r1.x, r1.y\n    popc r2.z, r1.x\n    clz r2.w, r1.x\n"
        "    brev r3.x, r1.x\n    madx r3.y, r1.x, r1.y, r1.z\n    st b3[r0.y], r2\n    st b3[r0.y + 16], r3.xy\n    "
        "ret\n";
    forEachTier([&](Machine& machine) {
        const auto out = std::make_shared<Buffer>(1024 * 24);
        const auto launch = machine.run(text, {{"a", filled(a)}, {"b", filled(b)}, {"c", filled(c)}, {"out", out}},
                                        {.grid = {16, 1, 1}});
        REQUIRE(launch->message == "");
        const auto words = out->as<uint32_t>();
        for (size_t i = 0; i < a.size(); ++i) {
            const int64_t x = static_cast<int32_t>(a[i]), y = static_cast<int32_t>(b[i]);
            REQUIRE(words[i * 6] == static_cast<uint32_t>(x * y >> 32));
            REQUIRE(words[i * 6 + 1] == static_cast<uint32_t>(uint64_t{a[i]} * b[i] >> 32));
            REQUIRE(words[i * 6 + 2] == static_cast<uint32_t>(std::popcount(a[i])));
            REQUIRE(words[i * 6 + 3] == static_cast<uint32_t>(std::countl_zero(a[i])));
            REQUIRE(words[i * 6 + 4] == reversed(a[i]));
            REQUIRE(words[i * 6 + 5] == madx(a[i], b[i], c[i]));
        }
    });
}

TEST_CASE("half precision: every half there and back, and floats around every half") {
    std::vector<uint32_t> floats;
    for (uint32_t h = 0; h < 65536; h += 3) {
        const float value = static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(h)));
        const uint32_t bits = std::bit_cast<uint32_t>(value);
        for (const uint32_t near : {bits - 1, bits, bits + 1, bits + 0xfff, bits + 0x1000, bits + 0x1001})
            floats.push_back(near);
    }
    floats.resize(floats.size() / 32 * 32);
    const std::string text =
        ".compute\n.group 32\n.buffer b0 floats\n.buffer b1 halves\n.buffer b2 back\n"
        "    shl.u32 r0.x, block.x, 5\n    add.u32 r0.x, r0.x, thread.x\n    mul.u32 r0.x, r0.x, 4\n"
        "    ld r1.x, b0[r0.x]\n    f2h r2.x, r1.x\n    st b1[r0.x], r2.x\n    h2f r3.x, r2.x\n    st b2[r0.x], r3.x\n "
        "   ret\n";
    forEachTier([&](Machine& machine) {
        const auto halves = std::make_shared<Buffer>(floats.size() * 4),
                   back = std::make_shared<Buffer>(floats.size() * 4);
        const auto launch = machine.run(text, {{"floats", filled(floats)}, {"halves", halves}, {"back", back}},
                                        {.grid = {static_cast<uint32_t>(floats.size() / 32), 1, 1}});
        REQUIRE(launch->message == "");
        for (size_t i = 0; i < floats.size(); ++i) {
            const float value = std::bit_cast<float>(floats[i]);
            const _Float16 half = static_cast<_Float16>(value);
            const bool nan = std::isnan(value);
            REQUIRE(halves->as<uint32_t>()[i] == (nan ? 0x7e00u : uint32_t{std::bit_cast<uint16_t>(half)}));
            REQUIRE(back->as<uint32_t>()[i] == (nan ? 0x7fc00000u : std::bit_cast<uint32_t>(static_cast<float>(half))));
        }
    });
}

TEST_CASE("loads extend bytes and halves; elements follow the write mask; addresses may be odd") {
    const std::vector<uint32_t> data = randomWords(64, 4);
    const std::string text =
        ".compute\n.group 32\n.buffer b0 in constant\n.buffer b1 out\n.const.u32 c0 = 3, 56, 0, 0\n"
        "    mul.u32 r0.x, thread.x, c0.x\n    mul.u32 r0.y, thread.x, c0.y\n"
        "    ld.i8 r1, b0[r0.x + 1]\n    st b1[r0.y], r1\n    ld.u16 r2.yw, b0[r0.x]\n    st b1[r0.y + 16], r2\n"
        "    ld.i16 r3.z, b0[r0.x + 5]\n    ld.u8 r3.x, b0[r0.x]\n    st b1[r0.y + 32], r3.xz\n"
        "    ld r4.xyz, b0[r0.x + 2]\n    st b1[r0.y + 40], r4.zyx\n    st.u8 b1[r0.y + 52], r4.xy\n"
        "    st.u16 b1[r0.y + 54], r4.z\n    ret\n";
    forEachTier([&](Machine& machine) {
        const auto out = std::make_shared<Buffer>(32 * 56);
        const auto launch = machine.run(text, {{"in", filled(data)}, {"out", out}}, {});
        REQUIRE(launch->message == "");
        REQUIRE(launch->counters.outOfRange == 0);
        const auto* in = reinterpret_cast<const uint8_t*>(data.data());
        for (uint32_t t = 0; t < 32; ++t) {
            const uint8_t* p = in + 3 * t;
            const auto word = [&](uint32_t at) {
                return p[at] | p[at + 1] << 8 | p[at + 2] << 16 | uint32_t{p[at + 3]} << 24;
            };
            const auto half = [&](uint32_t at) { return static_cast<uint16_t>(p[at] | p[at + 1] << 8); };
            uint32_t expected[14] = {};
            for (uint32_t n = 0; n < 4; ++n)
                expected[n] = static_cast<uint32_t>(int32_t{static_cast<int8_t>(p[1 + n])});
            expected[5] = half(0), expected[7] = half(2);
            expected[8] = p[0], expected[9] = static_cast<uint32_t>(int32_t{static_cast<int16_t>(half(5))});
            expected[10] = word(10), expected[11] = word(6), expected[12] = word(2);
            expected[13] = p[2] | p[6] << 8 | uint32_t{half(10)} << 16;
            REQUIRE(std::memcmp(&out->as<uint32_t>()[t * 14], expected, sizeof expected) == 0);
        }
    });
}

TEST_CASE("what lies outside a buffer reads zero, is not written, and is counted") {
    // Twelve words of memory: 32 lanes load and store two words each at 8 * lane - 8.
    const std::string text =
        ".compute\n.group 32\n.buffer b0 in\n.buffer b1 out\n.buffer b2 results\n.const.u32 c0 = 8, 0, 0, 0\n"
        "    mul.u32 r0.x, thread.x, c0.x\n    mov r1, 1.0\n    ld r1.xy, b0[r0.x - 8]\n    st b2[r0.x], r1.xy\n"
        "    mov.u32 r2.x, 7\n    mov.u32 r2.y, 9\n    st b1[r0.x - 8], r2.xy\n    ret\n";
    forEachTier([&](Machine& machine) {
        std::vector<uint32_t> in(11), guarded(13, 0xabababab);
        for (uint32_t i = 0; i < 11; ++i) in[i] = i + 1;
        const auto out = Buffer::wrap(std::as_writable_bytes(std::span(guarded)).subspan(4, 44));
        const auto results = std::make_shared<Buffer>(256);
        const auto launch = machine.run(text, {{"in", filled(in)}, {"out", out}, {"results", results}}, {});
        REQUIRE(launch->message == "");
        // Lane 0 is below, lanes 1..5 inside, lane 6 has one word inside, 7..31 are above; the same for the stores.
        CHECK(launch->counters.outOfRange == 2 * (2 + 1 + 25 * 2));
        for (uint32_t word = 0; word < 64; ++word)
            REQUIRE(results->as<uint32_t>()[word] == (word < 2 || word > 12 ? 0 : word - 1));
        CHECK(guarded.front() == 0xabababab);
        CHECK(guarded.back() == 0xabababab);
        for (uint32_t word = 0; word < 11; ++word) REQUIRE(guarded[word + 1] == (word % 2 ? 9 : 7));

        const auto unbound = machine.run(text, {{"in", filled(in)}, {"results", results}}, {});
        CHECK(unbound->counters.outOfRange == 53 + 64);

        // A word that begins inside and ends outside is outside as a whole.
        std::vector<uint32_t> words(2, 0xabababab);
        const auto cut = Buffer::wrap(std::as_writable_bytes(std::span(words)).first(6));
        const auto across = machine.run(
            ".compute\n.group 1\n.buffer b0 out\n    mov.u32 r0.xy, 7\n    mov.u32 r1.x, 0\n    st b0[r1.x], r0.xy\n   "
            " ret\n",
            {{"out", cut}}, {});
        REQUIRE(across->message == "");
        CHECK(across->counters.outOfRange == 1);
        CHECK(words == std::vector<uint32_t>{7, 0xabababab});
    });
}

TEST_CASE("a buffer that is shorter than a word has none, wherever lanes look") {
    // Lanes load and store at 4 * lane * lane.
    const std::string text = kernel(
        "    mul.u32 r0.y, thread.x, r0.x\n    ld r1.x, b0[r0.y]\n    st b2[r0.x], r1.x\n    mov.u32 r1.x, 7\n"
        "    st b1[r0.y], r1.x\n",
        ".buffer b2 results\n.const.u32 c0 = 4, 0, 0, 0\n");
    forEachTier([&](Machine& machine) {
        for (const size_t size : {1, 2, 3, 4, 5}) {
            CAPTURE(size);
            std::vector<uint32_t> in(1000, 0x12345678), out(1000, 0xabababab);
            const auto first = [&](std::vector<uint32_t>& words) {
                return Buffer::wrap(std::as_writable_bytes(std::span(words)).first(size));
            };
            const auto results = filled(std::vector<uint32_t>(32, 1));
            const auto launch = machine.run(text, {{"in", first(in)}, {"out", first(out)}, {"results", results}}, {});
            REQUIRE(launch->message == "");
            const size_t words = size / 4;
            CHECK(launch->counters.outOfRange == 2 * (32 - words));
            for (uint32_t lane = 0; lane < 32; ++lane)
                REQUIRE(results->as<uint32_t>()[lane] == (lane < words ? 0x12345678 : 0));
            for (uint32_t word = 0; word < out.size(); ++word) REQUIRE(out[word] == (word < words ? 7 : 0xabababab));
        }
    });
}

TEST_CASE("where lanes store to one place the highest lane's value stays") {
    const std::string text = kernel(
        "    and.u32 r1.x, thread.x, c0.y\n    mov.u32 r2.x, thread.x\n    mov.u32 r2.y, 77\n"
        "    st b1[r1.x], r2.xy\n    st.w4 b1[r1.x + 64], r2.x\n",
        ".const.u32 c0 = 4, 12, 0, 0\n");
    forEachTier([&](Machine& machine) {
        const auto out = std::make_shared<Buffer>(128);
        REQUIRE(machine.run(text, {{"out", out}}, {})->message == "");
        // Lanes 0..3 mod 16 store at 0, 4..7 at 4 and so on; then the second words, each a place further.
        const std::vector<uint32_t> expected = {19, 77, 77, 77, 77};
        for (size_t i = 0; i < expected.size(); ++i) REQUIRE(out->as<uint32_t>()[i] == expected[i]);
        CHECK(out->as<uint32_t>()[16] == 17);  // .w4: lanes 0, 1, 8, 9, 16, 17, 24, 25; 25 & 12 is 8
        CHECK(out->as<uint32_t>()[18] == 25);
    });
}

TEST_CASE("atomics: old values in the order of lanes, results, both memories") {
    struct Row {
        const char* name;
        uint32_t (*apply)(uint32_t word, uint32_t b);
    };
    const Row rows[] = {
        {"atadd.u32", [](uint32_t w, uint32_t b) { return w + b; }},
        {"atmin.i32", [](uint32_t w, uint32_t b) { return int32_t(w) < int32_t(b) ? w : b; }},
        {"atmin.u32", [](uint32_t w, uint32_t b) { return w < b ? w : b; }},
        {"atmax.i32", [](uint32_t w, uint32_t b) { return int32_t(w) > int32_t(b) ? w : b; }},
        {"atmax.u32", [](uint32_t w, uint32_t b) { return w > b ? w : b; }},
        {"atand.u32", [](uint32_t w, uint32_t b) { return w & b; }},
        {"ator.u32", [](uint32_t w, uint32_t b) { return w | b; }},
        {"atxor.u32", [](uint32_t w, uint32_t b) { return w ^ b; }},
        {"atxch.u32", [](uint32_t, uint32_t b) { return b; }},
    };
    const std::vector<uint32_t> in = randomWords(32, 5);
    for (const Row& row : rows)
        for (const std::string memory : {"b2", "shared"}) {
            const std::string text =
                kernel("    ld r1.x, b0[r0.x]\n    and.u32 r3.x, r0.x, c0.y\n    " + std::string(row.name) + " r2.x, " +
                           memory + "[r3.x], r1.x\n    st b1[r0.x], r2.x\n    ld r4.x, " + memory +
                           "[r3.x]\n    st b1[r0.x + 128], r4.x\n",
                       ".const.u32 c0 = 4, 12, 0, 0\n.buffer b2 words\n.shared 16\n");
            forEachTier([&](Machine& machine) {
                CAPTURE(std::string(row.name));
                const auto out = std::make_shared<Buffer>(256), words = std::make_shared<Buffer>(16);
                REQUIRE(machine.run(text, {{"in", filled(in)}, {"out", out}, {"words", words}}, {})->message == "");
                uint32_t state[4] = {};
                for (uint32_t lane = 0; lane < 32; ++lane) {
                    REQUIRE(out->as<uint32_t>()[lane] == state[lane % 4]);
                    state[lane % 4] = row.apply(state[lane % 4], in[lane]);
                }
                for (uint32_t lane = 0; lane < 32; ++lane) REQUIRE(out->as<uint32_t>()[32 + lane] == state[lane % 4]);
            });
        }
}

TEST_CASE("compare and exchange; atomics outside the buffer or between words") {
    const std::string text = kernel(
        "    mov.u32 r1.x, thread.x\n    add.u32 r1.y, r1.x, 1\n    mov.u32 r3.x, 0\n    atcas.u32 r2.x, b1[r3.x], "
        "r1.x, r1.y\n"
        "    st b1[r0.x + 4], r2.x\n    mov.u32 r3.x, 2\n    atadd.u32 r2.x, b1[r3.x], r1.y\n"
        "    mov.u32 r3.x, 0x7fffffff\n    atadd.u32 r2.y, b1[r3.x + 1], r1.y\n    or.u32 r2.x, r2.x, r2.y\n"
        "    atadd.u32 r2.y, b0[0], r2.x\n",
        ".const.u32 c0 = 4, 0, 0, 0\n");
    forEachTier([&](Machine& machine) {
        const auto in = std::make_shared<Buffer>(4), out = std::make_shared<Buffer>(132);
        const auto launch = machine.run(text, {{"in", in}, {"out", out}}, {});
        REQUIRE(launch->message == "");
        CHECK(launch->counters.outOfRange == 64);
        CHECK(out->as<uint32_t>()[0] == 32);  // each lane found its own number
        for (uint32_t lane = 0; lane < 32; ++lane) REQUIRE(out->as<uint32_t>()[1 + lane] == lane);
        CHECK(in->as<uint32_t>()[0] == 0);
    });
}

TEST_CASE("atomics of many blocks add up, whatever the threads") {
    const std::string text =
        ".compute\n.group 96\n.buffer b0 sum\n    mov.u32 r0.x, 1\n    atadd.u32 r1.x, b0[0], r0.x\n"
        "    atmax.u32 r1.x, b0[4], block.x\n    ret\n";
    forEachTier([&](Machine& machine) {
        const auto sum = std::make_shared<Buffer>(8);
        REQUIRE(machine.run(text, {{"sum", sum}}, {.grid = {500, 1, 1}})->message == "");
        CHECK(sum->as<uint32_t>()[0] == 48000);
        CHECK(sum->as<uint32_t>()[1] == 499);
    });
}

/// Lanes that execute under the guard that the tests of this part use: odd bits of a random mask.
constexpr uint32_t kSome = 0xb5a3c917;

std::string guarded(const std::string& instruction, bool some) {
    return std::string(
               "    mov.u32 r2.x, 12345\n    shr.u32 r4.x, c0.y, thread.x\n    and.u32 r4.x, r4.x, 1\n"
               "    sne.u32 p1, r4.x, 0\n    ") +
           (some ? "(p1) " : "") + instruction + "\n";
}

TEST_CASE("shuffles and votes act between the executing lanes") {
    std::vector<uint32_t> in = randomWords(64, 6);
    for (size_t i = 0; i < 32; i += 3) in[i] = i % 2 ? 0 : 0x80000000;  // -0 is zero as a float only
    for (size_t i = 32; i < 64; ++i) in[i] %= 40;
    struct Row {
        const char* text;
        uint32_t (*from)(uint32_t lane, uint32_t b);
    };
    const Row shuffles[] = {
        {"shi.u32 r2.x, r1.x, r1.y", [](uint32_t, uint32_t b) { return b & 31; }},
        {"shu.u32 r2.x, r1.x, r1.y", [](uint32_t l, uint32_t b) { return b <= l ? l - b : l; }},
        {"shd.u32 r2.x, r1.x, r1.y", [](uint32_t l, uint32_t b) { return l + b < 32 ? l + b : l; }},
        {"shx.u32 r2.x, r1.x, r1.y", [](uint32_t l, uint32_t b) { return l ^ (b & 31); }},
        {"shx.u32 r2.x, r1.x, 5", [](uint32_t l, uint32_t) { return l ^ 5; }},
        {"shu.u32 r2.x, r1.x, 3", [](uint32_t l, uint32_t) { return l >= 3 ? l - 3 : l; }},
        {"shd.u32 r2.x, r1.x, 16", [](uint32_t l, uint32_t) { return l < 16 ? l + 16 : l; }},
        {"shi.u32 r2.x, r1.x, 9", [](uint32_t, uint32_t) { return 9u; }},
    };
    const std::string declarations = ".const.u32 c0 = 4, 0xb5a3c917, 0, 0\n";
    const std::string end = "    st b1[r0.x], r2.x\n";
    const std::string begin = "    ld r1.x, b0[r0.x]\n    ld r1.y, b0[r0.x + 128]\n";
    forEachTier([&](Machine& machine) {
        for (const bool some : {false, true}) {
            const uint32_t mask = some ? kSome : ~0u;
            const auto results = [&](const std::string& instruction) {
                CAPTURE(instruction);
                const auto out = std::make_shared<Buffer>(128);
                const auto launch = machine.run(kernel(begin + guarded(instruction, some) + end, declarations),
                                                {{"in", filled(in)}, {"out", out}}, {});
                REQUIRE(launch->message == "");
                const auto words = out->as<uint32_t>();
                for (uint32_t lane = 0; lane < 32; ++lane)
                    if (!(mask >> lane & 1)) REQUIRE(words[lane] == 12345);
                return std::vector<uint32_t>(words.begin(), words.end());
            };
            for (const Row& row : shuffles) {
                const std::vector<uint32_t> words = results(row.text);
                for (uint32_t lane = 0; lane < 32; ++lane) {
                    const uint32_t from = row.from(lane, in[32 + lane]);
                    if (mask >> lane & 1) REQUIRE(words[lane] == in[mask >> from & 1 ? from : lane]);
                }
            }
            uint32_t asFloats = 0, asWords = 0;
            for (uint32_t lane = 0; lane < 32; ++lane) {
                asFloats |= uint32_t{(in[lane] & 0x7fffffff) != 0} << lane;
                asWords |= uint32_t{in[lane] != 0} << lane;
            }
            const auto everywhere = [&](const std::string& instruction, uint32_t expected) {
                const std::vector<uint32_t> words = results(instruction);
                for (uint32_t lane = 0; lane < 32; ++lane)
                    if (mask >> lane & 1) REQUIRE(words[lane] == expected);
            };
            everywhere("vbal r2.x, r1.x", asFloats & mask);
            everywhere("vbal.i32 r2.x, r1.x", asWords & mask);
            everywhere("vall r2.x, r1.x", 0);
            everywhere("vany r2.x, r1.x", 0x3f800000);
            everywhere("vall.u32 r2.x, r0.w", 0);
            everywhere("vany.u32 r2.x, r0.w", 0);
            everywhere("vall.u32 r2.x, c0.y", 0x3f800000);
        }
    });
}

TEST_CASE("sums across lanes add in the order of the tree") {
    std::vector<float> a(32), b(32);
    std::mt19937 random(7);
    for (int round = 0; round < 4; ++round) {
        for (float& x : a)
            x = std::ldexp(static_cast<float>(random() % 2000) - 1000, static_cast<int>(random() % 30) - 15);
        for (float& x : b) x = static_cast<float>(random() % 2000) / 7 - 150;
        if (round == 3) a[5] = std::numeric_limits<float>::infinity(), a[6] = -a[5];
        const auto tree = [](std::vector<float> t) {
            for (size_t n = 16; n; n /= 2)
                for (size_t l = 0; l < n; ++l) t[l] = t[l] + t[l + n];
            return t[0];
        };
        std::vector<float> both = a;
        both.insert(both.end(), b.begin(), b.end());
        forEachTier([&](Machine& machine) {
            for (const bool some : {false, true}) {
                const uint32_t mask = some ? kSome : ~0u;
                const auto result = [&](const std::string& instruction) {
                    const std::string text = kernel("    ld r1.x, b0[r0.x]\n    ld r1.y, b0[r0.x + 128]\n" +
                                                        guarded(instruction, some) + "    st b1[r0.x], r2.x\n",
                                                    ".const.u32 c0 = 4, 0xb5a3c917, 0, 0\n");
                    const auto out = std::make_shared<Buffer>(128);
                    REQUIRE(machine.run(text, {{"in", filled(both)}, {"out", out}}, {})->message == "");
                    const auto words = out->as<uint32_t>();
                    for (uint32_t lane = 0; lane < 32; ++lane)
                        REQUIRE(words[lane] == (mask >> lane & 1 ? words[0] : 12345u));
                    return words[0];
                };
                std::vector<float> terms(32), products(32);
                uint32_t integers = 0;
                for (uint32_t lane = 0; lane < 32; ++lane) {
                    if (!(mask >> lane & 1)) continue;
                    terms[lane] = a[lane], products[lane] = a[lane] * b[lane];
                    integers += std::bit_cast<uint32_t>(a[lane]);
                }
                const auto bits = [](float x) { return std::isnan(x) ? 0x7fc00000 : std::bit_cast<uint32_t>(x); };
                REQUIRE(result("sum r2.x, r1.x") == bits(tree(terms)));
                REQUIRE(result("dot r2.x, r1.x, r1.y") == bits(tree(products)));
                REQUIRE(result("sum.u32 r2.x, r1.x") == integers);
            }
        });
    }
}

TEST_CASE("active subsets are the first columns of the first rows; snooping reads another row") {
    forEachTier([&](Machine& machine) {
        for (int width = 0; width < 4; ++width)
            for (int depth = 0; depth < 4; ++depth) {
                const char* widths[] = {"", ".w2", ".w4", ".w1"};
                const char* depths[] = {"", ".d2", ".d4", ".d1"};
                const std::string text = kernel(
                    std::string("    mov.u32") + widths[width] + depths[depth] + " r1.x, 1\n    st b1[r0.x], r1.x\n",
                    ".const.u32 c0 = 4, 0, 0, 0\n");
                const auto out = std::make_shared<Buffer>(128);
                REQUIRE(machine.run(text, {{"out", out}}, {})->message == "");
                const uint32_t columns = 8u >> width, rows[] = {4, 2, 1, 1};
                for (uint32_t lane = 0; lane < 32; ++lane)
                    REQUIRE(out->as<uint32_t>()[lane] == (lane % 8 < columns && lane / 8 < rows[depth]));
            }
        for (const uint32_t threads : {1u, 16u, 32u, 100u, 256u, 2048u})
            for (int width = 0; width < 4; ++width)
                for (int depth = width == 0 ? 1 : 0; depth < 4; ++depth) {
                    const char* widths[] = {"", ".w2", ".w4", ".w1"};
                    const char* depths[] = {"", ".d2", ".d4", ".d1"};
                    const std::string text = kernel(std::string("    mov.u32") + widths[width] + depths[depth] +
                                                        ".block r1.x, 1\n    st b1[r0.x], r1.x\n",
                                                    ".const.u32 c0 = 4, 0, 0, 0\n");
                    const auto out = std::make_shared<Buffer>(4 * threads);
                    REQUIRE(machine.run(text, {{"out", out}}, {.block = {threads, 1, 1}})->message == "");
                    const uint32_t rows = (threads + 15) / 16, columns[] = {16, 8, 4, 1};
                    const uint32_t kept[] = {rows, (rows + 1) / 2, (rows + 3) / 4, 1};
                    for (uint32_t t = 0; t < threads; ++t)
                        REQUIRE(out->as<uint32_t>()[t] == (t % 16 < columns[width] && t / 16 < kept[depth]));
                }
        for (uint32_t row = 0; row < 4; ++row) {
            const std::string suffix = row ? ".row" + std::to_string(row) : "";
            const std::string text = kernel(
                "    mov.u32 r1.x, thread.x\n    add.u32" + suffix + " r1.x, r1.x, -&r1.x\n    st b1[r0.x], r1.x\n",
                ".const.u32 c0 = 4, 0, 0, 0\n");
            const auto out = std::make_shared<Buffer>(128);
            REQUIRE(machine.run(text, {{"out", out}}, {})->message == "");
            for (uint32_t lane = 0; lane < 32; ++lane)
                REQUIRE(out->as<uint32_t>()[lane] == lane - (row * 8 + lane % 8));
            const auto partial = machine.run(text, {{"out", out}}, {.block = {12, 1, 1}});
            for (uint32_t lane = 0; lane < 12; ++lane) {
                const uint32_t from = row * 8 + lane % 8;
                REQUIRE(out->as<uint32_t>()[lane] == lane - (from < 12 ? from : 0));
            }
        }
    });
}

TEST_CASE("a subset reads what it wrote before a branch that is not taken") {
    const std::string text = kernel(
        "    mov.u32.w2 r1.x, 1\n    seq.u32 p1, block.x, 1\n    (p1) if\n        mov.u32.w2 r1.x, 2\n    endif\n"
        "    mov.u32.w2 r2.x, r1.x\n    st b1[r0.x], r2.x\n",
        ".const.u32 c0 = 4, 0, 0, 0\n");
    forEachTier([&](Machine& machine) {
        const auto out = std::make_shared<Buffer>(128);
        REQUIRE(machine.run(text, {{"out", out}}, {})->message == "");
        for (uint32_t lane = 0; lane < 32; ++lane) REQUIRE(out->as<uint32_t>()[lane] == (lane % 8 < 4));
    });
}

TEST_CASE("with a subset of the block sources read registers of any of its wavefronts") {
    // r1.y of thread t is 3t + 1 before the barrier; odd threads add 1000 after it. Each of the first eight wavefronts'
    // sums is twice its thread, less a wavefront's: the first wavefront reads what it had at the barrier, as it runs
    // first; the last group reads what the others ended with.
    const auto text = [](bool relative) {
        return std::string(".compute\n.group 32\n.buffer b1 out\n.const.u32 c0 = 3, 8, 1, 1000\n") +
               (relative ? "    mov.u32 a0, 1\n" : "") +
               "    mul.u32 r0.x, thread.w, c0.y\n    mov.u32 r2, 0\n    and.u32 r3.x, thread.w, 1\n"
               "    sne.u32 p1, r3.x, 0\n" +
               (relative ? "    mad.u32 r[a0.x].y, thread.w, c0.x, c0.z\n"
                         : "    mad.u32 r1.y, thread.w, c0.x, c0.z\n") +
               "    bar 0\n"
               "    add.u32.d1.block r2.x, &[2]r1.y, &[3]r1.y\n"
               "    mad.u32.w4.d1.block r2.y, &[0]r1.y, thread.w, &[127]r1.y\n"
               "    (p1) add.u32 r1.y, r1.y, c0.w\n"
               "    add.u32.w2.block r2.x, &[1]r1.y, r2.x\n"
               "    st b1[r0.x], r2.xy\n    ret\n";
    };
    forEachTier([&](Machine& machine) {
        for (const bool relative : {false, true})
            for (const uint32_t threads : {1u, 16u, 24u, 40u, 64u, 100u, 256u, 2048u}) {
                const auto out = std::make_shared<Buffer>(8 * threads);
                REQUIRE(machine.run(text(relative), {{"out", out}}, {.block = {threads, 1, 1}})->message == "");
                const auto words = out->as<uint32_t>();
                const auto before = [&](uint32_t t) { return t < threads ? 3 * t + 1 : 0; };
                for (uint32_t t = 0; t < threads; ++t) {
                    const uint32_t c = t % 16;
                    CAPTURE(threads);
                    CAPTURE(t);
                    const uint32_t changed = 16 + c < threads ? before(16 + c) + (c % 2 ? 1000 : 0) : 0;
                    const uint32_t first = t < 16 ? before(32 + c) + before(48 + c) : 0;
                    REQUIRE(words[2 * t] == first + (c < 8 ? changed : 0));
                    REQUIRE(words[2 * t + 1] == (t < 4 ? before(c) * t + before(127 * 16 + c) : 0));
                }
            }
    });
}

TEST_CASE("another wavefront's register is what its group has written by then") {
    // Without a barrier groups run in turn: of the later ones there is nothing yet, the earlier ones have ended.
    const std::string text =
        ".compute\n.group 128\n.buffer b1 out\n.const.u32 c0 = 4, 7, 128, 0\n"
        "    mad.u32 r0.x, block.x, c0.z, thread.w\n    mul.u32 r0.x, r0.x, c0.x\n"
        "    mov.u32 r1.x, 5\n    mov.u32 r1.x, thread.w\n    add.u32.w2.block r1.z, -&[0]r1.x, &[7]r1.x\n"
        "    add.u32 r1.x, r1.x, c0.y\n    st b1[r0.x], r1.z\n    ret\n";
    forEachTier([&](Machine& machine) {
        for (const uint32_t blocks : {1u, 2u}) {  // each block begins with zeros
            const auto out = std::make_shared<Buffer>(512 * blocks);
            REQUIRE(machine.run(text, {{"out", out}}, {.grid = {blocks, 1, 1}})->message == "");
            for (uint32_t i = 0; i < 128 * blocks; ++i) {
                const uint32_t t = i % 128, c = t % 16, first = t < 32 ? c : c + 7, last = t < 96 ? 0 : 112 + c;
                REQUIRE(out->as<uint32_t>()[i] == (c < 8 ? last - first : 0));
            }
        }
    });
}

TEST_CASE("loops with a number of iterations") {
    // Lane l leaves the inner loop in its iteration l % 8, if it has one, skips the addition in every second iteration
    // if l is odd, and ends in the outer loop's third if l is 31.
    const std::string text = kernel(
        "    mov.u32 r1, 0\n    and.u32 r2.x, lane.x, 7\n    and.u32 r2.y, lane.x, 1\n"
        "    loop 5\n        add.u32 r1.y, r1.y, 1\n        seq.u32 p2, r1.y, 3\n        seq.u32 p3, lane.x, 31\n"
        "        (!p3) seq.u32 p2, r1.y, 99\n        st b1[r0.x], r1.x\n        (p2) ret\n        mov.u32 r1.z, 0\n"
        "        loop 3\n            seq.u32 p1, r1.z, r2.x\n            (p1) brk\n            add.u32 r1.z, r1.z, 1\n"
        "            and.u32 r1.w, r1.z, r2.y\n            sne.u32 p1, r1.w, 0\n            (p1) cont\n"
        "            add.u32 r1.x, r1.x, 1\n        endloop\n    endloop\n    loop 1\n        add.u32 r1.x, r1.x, 100\n"
        "    endloop\n    st b1[r0.x], r1.x\n",
        ".const.u32 c0 = 4, 0, 0, 0\n");
    forEachTier([&](Machine& machine) {
        const auto out = std::make_shared<Buffer>(128);
        REQUIRE(machine.run(text, {{"out", out}}, {})->message == "");
        for (uint32_t lane = 0; lane < 32; ++lane) {
            const uint32_t inner = std::min(lane % 8, 3u), added = lane % 2 ? inner / 2 : inner;
            CAPTURE(lane);
            REQUIRE(out->as<uint32_t>()[lane] == (lane == 31 ? 2 * added : 5 * added + 100));
        }
    });
}

TEST_CASE("groups of a block exchange through shared memory around barriers, inside a loop") {
    // Each round stores to shared memory and reads the mirrored thread's word: after an even count nothing moved.
    const std::string text =
        ".compute\n.group 160\n.buffer b0 data\n.uniform c0 rounds int\n.const.u32 c1 = 4, 159, 640, 0\n.shared 640\n"
        "    mul.u32 r0.x, thread.x, c1.x\n    mul.u32 r0.y, block.x, c1.z\n    add.u32 r0.y, r0.y, r0.x\n"
        "    add.u32 r0.z, c1.y, -thread.x\n    mul.u32 r0.z, r0.z, c1.x\n    ld r1.x, b0[r0.y]\n    mov.u32 r2.x, 0\n"
        "    loop\n        sge.i32 p1, r2.x, c0.x\n        (p1) brk\n        st shared[r0.x], r1.x\n        bar 0\n"
        "        ld r1.x, shared[r0.z]\n        add.u32 r1.x, r1.x, 1\n        bar 5\n        add.u32 r2.x, r2.x, 1\n"
        "    endloop\n    st b0[r0.y], r1.x\n    ret\n";
    const std::vector<uint32_t> in = randomWords(160 * 7, 8);
    forEachTier([&](Machine& machine) {
        for (const int rounds : {0, 1, 2, 5}) {
            const auto data = filled(in);
            const auto launch = machine.run(text, {{"data", data}}, {.grid = {7, 1, 1}}, {{"rounds", rounds}});
            REQUIRE(launch->message == "");
            CHECK(launch->counters.barriers == static_cast<uint64_t>(7 * 5 * 2 * rounds));
            for (size_t i = 0; i < in.size(); ++i) {
                const size_t block = i / 160, t = i % 160, from = rounds % 2 ? 159 - t : t;
                REQUIRE(data->as<uint32_t>()[i] == in[block * 160 + from] + static_cast<uint32_t>(rounds));
            }
        }
    });
}

TEST_CASE("a barrier for some groups lets them go when they are there") {
    // Groups 0 and 3 meet at barrier 1, groups 1 and 2 at barrier 2; each pair exchanges a word. Shared memory is zero
    // at the start, also for the second block of a thread.
    const std::string text =
        ".compute\n.group 128\n.buffer b0 out\n.shared 16\n.const.u32 c0 = 4, 3, 12, 16\n"
        "    mul.u32 r0.x, group.x, c0.x\n    ld r3.x, shared[r0.x]\n    add.u32 r1.x, group.x, 100\n"
        "    st shared[r0.x], r1.x\n    xor.u32 r2.x, group.x, 3\n    mul.u32 r2.x, r2.x, c0.x\n"
        "    seq.u32 p1, group.x, 0\n    (!p1) seq.u32 p1, group.x, 3\n    if (p1)\n"
        "        bar 1, 2\n    else\n        bar 2, 2\n    endif\n    ld r1.x, shared[r2.x]\n    add.u32 r1.x, r1.x, "
        "r3.x\n"
        "    mad.u32 r0.y, block.x, c0.w, r0.x\n    st b0[r0.y], r1.x\n    ret\n";
    std::string fixed = text;
    const size_t at = fixed.find("    if (p1)");
    fixed.replace(at, 11, "    (p1) if");
    forEachTier([&](Machine& machine) {
        const auto out = std::make_shared<Buffer>(48);
        const auto launch = machine.run(fixed, {{"out", out}}, {.grid = {3, 1, 1}});
        REQUIRE(launch->message == "");
        for (uint32_t i = 0; i < 12; ++i) REQUIRE(out->as<uint32_t>()[i] == 100 + (i % 4 ^ 3));
    });
}

TEST_CASE("kernels that cannot end are stopped, with the lanes and the line that say why") {
    forEachTier([&](Machine& machine) {
        const auto message = [&](const std::string& body, const LaunchSize& size) {
            const auto launch = machine.run(".compute\n.group 96\n" + body, {}, size);
            CHECK(launch->done);
            return launch->message;
        };
        CHECK(message("    loop\n    endloop\n    ret\n", {.grid = {40, 1, 1}, .budget = 1000}) ==
              "block (0, 0, 0), group 0: the budget of instructions ran out; does every loop end?");
        CHECK(message("    sge.u32 p1, lane.x, 30\n    (p1) ret\n    bar 2\n    ret\n", {}) ==
              "block (0, 0, 0), group 0: barrier 2 in line 5 in divergent code; missing: group 0: lanes 30..31");
        CHECK(
            message(
                "    seq.u32 p1, block.y, 1\n    (!p1) ret\n    sge.u32 p1, thread.x, 70\n    (p1) if\n    bar 3\n    "
                "endif\n    ret\n",
                {.grid = {2, 3, 1}}) ==
            "block (0, 1, 0), group 2: barrier 3 in line 7 in divergent code; missing: group 2: lanes 0..5");
        CHECK(message("    seq.u32 p1, group.x, 1\n    (p1) ret\n    bar 15\n    ret\n", {}) ==
              "block (0, 0, 0): group 0 waits for ever at barrier 15 in line 5; missing: group 1: lanes 0..31");
        CHECK(message("    seq.u32 p1, group.x, 1\n    (p1) bar 1\n    (!p1) bar 2\n    ret\n", {}) ==
              "block (0, 0, 0): group 0 waits for ever at barrier 2 in line 5; missing: group 1: lanes 0..31");
        CHECK(
            message("    bar 4, 5\n    ret\n", {}) ==
            "block (0, 0, 0): group 0 waits for ever at barrier 4 in line 3; it is for more groups than the block has");
        CHECK(message("    bar 0\n    gbar\n    ret\n", {.block = {33, 2, 1}}) == "");
        for (const uint32_t threads : {32, 96}) {
            // A barrier that no lane comes to holds nobody up; one that some lanes of the only group come to does.
            CHECK(message("    seq.u32 p1, lane.x, 99\n    (p1) bar 0\n    ret\n", {.block = {threads, 1, 1}}) == "");
            CHECK(message("    sge.u32 p1, lane.x, 30\n    (p1) bar 0\n    ret\n", {.block = {threads, 1, 1}}) ==
                  "block (0, 0, 0), group 0: barrier 0 in line 4 in divergent code; missing: group 0: lanes 0..29");
        }
        CHECK(message("    ret\n", {.block = {2049, 1, 1}}) == "a block has 1 to 2048 threads");
        CHECK(message("    ret\n", {.grid = {0, 1, 1}}) == "");
    });
}

TEST_CASE("what a compute program may not do does not assemble") {
    const auto error = [](const std::string& text) { return assembly::assemble(text, "k").log(); };
    CHECK(error(".vertex\n    sum r0, r0\n    mov o0, r0\n    ret\n")
              .find("k:2:5: error: sum is for compute programs\n") == 0);
    CHECK(error(".fragment\n    mov o0, block\n    ret\n").find("k:2:13: error: fragment programs have no block\n") ==
          0);
    CHECK(error(".fragment\n    bar 0\n    ret\n").find("bar is for compute programs") != std::string::npos);
    CHECK(error(".compute\n.buffer b0 a constant\n    st b0[0], r0\n    ret\n").find("b0 is constant") !=
          std::string::npos);
    CHECK(error(".compute\n    ld r0, b1[0]\n    ret\n").find("b1 is not declared") != std::string::npos);
    CHECK(error(".compute\n    ld r0, shared[0]\n    ret\n").find("no shared memory") != std::string::npos);
    CHECK(error(".compute\n    mov o0, r0\n    ret\n").find("compute programs have no inputs and outputs") !=
          std::string::npos);
    CHECK(error(".compute\n.group 64, 64\n    ret\n").find("at most 2048 threads") != std::string::npos);
    CHECK(error(".compute\n.shared 70000\n    ret\n") != "");
    CHECK(error(".compute\n.sampler t0 x 2d\n    ret\n").find("no textures") != std::string::npos);
    CHECK(error(".compute\n    tex r0, r1, t5, 2d\n    ret\n").find("no textures") != std::string::npos);
    CHECK(error(".compute\n.buffer b0 a\n.buffer b0 b\n    ret\n").find("declared already") != std::string::npos);
    CHECK(error(".compute\n.buffer b0 a\n    atadd.u32 r0.x, b0[0], 1\n    ret\n").find("no room for an immediate") !=
          std::string::npos);
    CHECK(error(".compute\n.buffer b0 a\n    ld.u8 r0.x, b0[-r1.x]\n    ret\n").find("no modifier") !=
          std::string::npos);
    CHECK(error(".compute\n    bar 16\n    ret\n") != "");
}

TEST_CASE("a launch takes uniforms and buffers as they are when it is noted") {
    const std::string text =
        ".compute\n.group 1\n.buffer b0 out\n.uniform c0 first vec2[2]\n.uniform c2.y scale float\n.const c3 = 0.5, 2, "
        "0, 0\n"
        "    mul r0.x, c1.y, c2.y\n    mul r0.x, r0.x, c3.y\n    st b0[0], r0.x\n    ret\n";
    forEachTier([&](Machine& machine) {
        const auto program = machine.load(text);
        const uint32_t components[4] = {0, 0, 0, std::bit_cast<uint32_t>(3.0f)};
        CHECK(program->setUniform("first", components));
        CHECK(program->setUniform("scale", 5.0f));
        CHECK(!program->setUniform("third", 5.0f));
        CHECK(!program->setUniform("first", std::vector<uint32_t>(5)));
        const auto one = std::make_shared<Buffer>(4), two = std::make_shared<Buffer>(4);
        CHECK(program->bind("out", one));
        CHECK(!program->bind("in", one));
        const auto first = machine.device.launch(*program, {});
        CHECK(!first->done);
        CHECK(program->bind("out", two));
        CHECK(program->setUniform("scale", 7.0f));
        (void)machine.device.launch(*program, {});
        machine.device.wait();
        CHECK(first->ok());
        CHECK(one->as<float>()[0] == 30.0f);
        CHECK(two->as<float>()[0] == 42.0f);
        CHECK(machine.device.counters().blocks == 2);
    });
}

TEST_CASE("copies between buffers are in order with launches, and inside the buffers") {
    const std::string text =
        ".compute\n.group 32\n.buffer b0 data\n    shl.u32 r0.x, thread.x, 2\n    ld r1.x, b0[r0.x]\n"
        "    add.u32 r1.x, r1.x, 1\n    st b0[r0.x], r1.x\n    ret\n";
    forEachTier([&](Machine& machine) {
        const auto program = machine.load(text);
        const auto data = std::make_shared<Buffer>(32 * 4), kept = std::make_shared<Buffer>(32 * 4 + 3);
        REQUIRE(program->bind("data", data));
        for (int round = 0; round < 3; ++round) {
            (void)machine.device.launch(*program, {});
            CHECK(machine.device.copy(data, 4, kept, static_cast<uint64_t>(round) * 4, 4));
        }
        CHECK(machine.device.copy(kept, 0, kept, 1, 12));  // onto itself
        CHECK(machine.device.copy(kept, 0, kept, 32 * 4 + 3, 0));
        CHECK(!machine.device.copy(data, 0, kept, 4, 32 * 4));
        CHECK(!machine.device.copy(data, 125, kept, 0, 4));
        CHECK(!machine.device.copy(data, UINT64_MAX, kept, 0, 4));
        CHECK(!machine.device.copy(data, 4, kept, 0, UINT64_MAX));
        machine.device.wait();
        CHECK(data->as<uint32_t>()[31] == 3);
        const unsigned char expected[16] = {1, 1, 0, 0, 0, 2, 0, 0, 0, 3};
        CHECK(std::memcmp(kept->bytes().data(), expected, sizeof expected) == 0);
    });
}

}  // namespace
}  // namespace tessera::compute
