// The certificate's own machinery: what it covers, what it notices, and the definition against values worked out by
// hand.
#include "tests/certify/certificate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/certify/definition.h"

namespace tessera::certify {
namespace {

size_t numberOf(const std::string& name) {
    for (size_t f = 0; f < functions().size(); ++f)
        if (functions()[f].name == name) return f;
    FAIL("no function " << name);
    return 0;
}

/// Every element of a group has the same operands.
std::vector<uint32_t> defined(const std::string& name, uint32_t a, uint32_t b = 0, uint32_t c = 0) {
    const std::vector<uint32_t> as(kGroupElements, a), bs(kGroupElements, b), cs(kGroupElements, c);
    std::vector<uint32_t> results(kGroupElements);
    define(functions()[numberOf(name)], {as, bs, cs}, results);
    return results;
}

const Evaluate kDefinition = [](size_t which, const Operands& operands, std::span<uint32_t> results) {
    define(functions()[which], operands, results);
};

TEST_CASE("every instruction that only computes is a function, with each of its types") {
    std::set<isa::Op> covered;
    for (const Function& f : functions()) covered.insert(f.op);
    using isa::Unit;
    const std::set<isa::Op> exchange = {isa::Op::Ddx, isa::Op::Ddy};  // with other lanes
    for (int o = 0; o < isa::kOpCount; ++o) {
        const isa::OpInfo& info = isa::opInfo(static_cast<isa::Op>(o));
        const bool computes = info.unit == Unit::Alu || info.unit == Unit::Tfu || info.unit == Unit::Light;
        CAPTURE(info.mnemonic);
        if (computes && !exchange.contains(info.op)) CHECK(covered.contains(info.op));
        if (!covered.contains(info.op)) continue;
        const auto types = std::count_if(functions().begin(), functions().end(), [&](const Function& f) {
            return f.op == info.op && f.modifier == Modifier::None;
        });
        CHECK(types == __builtin_popcount(info.types));
    }
}

TEST_CASE("the definition has the values that docs/isa.md names") {
    CHECK(defined("rcp.f32", 0x80000000)[0] == 0xff800000);
    CHECK(defined("rsq.f32", 0x80000000)[0] == 0x7f800000);
    CHECK(defined("sqt.f32", 0x80000000)[0] == 0x80000000);
    CHECK(defined("sqt.f32", 0xbf800000)[0] == 0x7fc00000);
    CHECK(defined("lg2.f32", 0x00000001)[0] == 0xc3150000);  // -149
    CHECK(defined("lg2.f32", 0x80000000)[0] == 0xff800000);
    CHECK(defined("ex2.f32", 0xc3150000)[0] == 0x00000001);
    CHECK(defined("ex2.f32", 0x43000000)[0] == 0x7f800000);
    CHECK(defined("sin.f32", 0x80000000)[0] == 0x80000000);
    CHECK(defined("cos.f32", 0x7f800000)[0] == 0x7fc00000);
    CHECK(defined("pow.f32", 0x7fc00000, 0x80000000)[0] == 0x3f800000);
    CHECK(defined("pow.f32", 0x3f800000, 0x7f800000)[0] == 0x7fc00000);
    CHECK(defined("pow.f32", 0x40000000, 0xc3150000)[0] == 0x00000001);
    CHECK(defined("min.f32", 0x00000000, 0x80000000)[0] == 0x00000000);
    CHECK(defined("min.f32", 0x3f800000, 0x7fc00001)[0] == 0x3f800000);
    CHECK(defined("max.f32", 0x7fc00001, 0x80000000)[0] == 0x7fc00000);
    CHECK(defined("max.f32", 0x80000000, 0x00000000)[0] == 0x80000000);
    CHECK(defined("frc.f32", 0x80000001)[0] == 0x3f800000);
    CHECK(defined("f2i.u32", 0x7f800000)[0] == 0xffffffff);
    CHECK(defined("div.i32", 0x80000000, 0xffffffff)[0] == 0x80000000);
    CHECK(defined("f2h.u32", 0x477ff000)[0] == 0x7c00);  // 65520
    CHECK(defined("f2h.u32", 0xc77fefff)[0] == 0xfbff);
    CHECK(defined("f2h.u32", 0x33000001)[0] == 0x0001);  // just above half the smallest
    CHECK(defined("f2h.u32", 0x387fe000)[0] == 0x0400);  // rounds up to 2^-14, a tie to even
    CHECK(defined("h2f.u32", 0xffff8001)[0] == 0xb3800000);
    CHECK(defined("h2f.u32", 0x7c01)[0] == 0x7fc00000);
    CHECK(defined("madx.i32", 0x8000, 0x8000, 0x7fff)[0] == 0x7fff);  // 2^20 wraps away
    CHECK(defined("mulh.i32", 0x80000000, 0xffffffff)[0] == 0x00000000);
    CHECK(defined("brev.u32", 0x00000001)[0] == 0x80000000);
    CHECK(defined("mov.f32.sat", 0x80000000)[0] == 0);
    CHECK(defined("dp4.f32", 0x3f800000, 0x40000000)[96] == 0x41000000);
    CHECK(defined("sum.f32", 0x3f800000)[127] == 0x42000000);  // 32
    const std::vector<uint32_t> normalized = defined("nrm.f32", 0);
    CHECK(normalized[0] == 0x7fc00000);
    CHECK(normalized[96] == 0);
}

TEST_CASE("a sample has one element of every 4096 neighbours") {
    const Slice sample;
    std::set<uint32_t> low;
    for (uint32_t n = 0; n < kSampleElements; ++n) {
        REQUIRE(sample.element(n) / 4096 == n);
        low.insert(sample.element(n) % 4096);
    }
    CHECK(low.size() == 4096);
    CHECK(Slice{3}.element(5) == 3 * kChunkElements + 5);
}

TEST_CASE("one wrong bit changes the hash and is named with its operands") {
    const size_t rcp = numberOf("rcp.f32"), mad = numberOf("mad.f32");
    const std::vector<size_t> both = {rcp, mad};
    const Slice slice;
    const uint32_t place = 777'777;
    const uint32_t element = slice.element(place);
    uint64_t calls = 0;
    const Evaluate wrong = [&](size_t which, const Operands& operands, std::span<uint32_t> results) {
        define(functions()[which], operands, results);
        if (which == rcp && operands[0].front() <= element && element <= operands[0].back())
            for (size_t e = 0; e < results.size(); ++e)
                if (operands[0][e] == element) results[e] ^= 1, ++calls;
    };
    const auto expected = hashSlice(slice, both, kDefinition), found = hashSlice(slice, both, wrong);
    CHECK(calls == 1);
    CHECK(found[0] != expected[0]);
    CHECK(found[1] == expected[1]);
    CHECK(!firstDifference(slice, mad, wrong));
    const auto difference = firstDifference(slice, rcp, wrong);
    REQUIRE(difference.has_value());
    CHECK(difference->element == element);
    CHECK(difference->operands[0] == element);
    CHECK(difference->found == (difference->expected ^ 1));
    CHECK(describe(functions()[mad], {5, {1, 2, 3}, 4, 0x7fc00000}) ==
          "mad.f32: of 0x00000001, 0x00000002, 0x00000003 expected 0x00000004, found 0x7fc00000 (element 5)");
}

TEST_CASE("the list is read as it was written, and not when a hash was changed") {
    Records records;
    records["rcp.f32"] = {0x123, std::vector<uint64_t>(kChunks, 0xfedcba9876543210)};
    records["add.f32"] = {0x456, {1, 2, 3, 4, 5, 6, 7}};
    std::string why;
    std::string text = toText(records);
    CHECK(fromText(text, &why) == records);
    CHECK(why == "");
    text[text.rfind('4')] = '5';
    CHECK(fromText(text, &why).empty());
    CHECK(why.find("hashes") != std::string::npos);
    CHECK(fromText("rcp.f32 four\n", &why).empty());
    CHECK(why.rfind("1: ", 0) == 0);
}

TEST_CASE("strata: all pairs of special values, cancelling sums, denormal products") {
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    size_t cancelling = 0, denormal = 0;
    for (uint32_t element = 0; element < 1u << 16; ++element) {
        const auto [a, b, c] = stratifiedOperands(element);
        if ((element >> 10 & 7) == 1) pairs.emplace(a, b);
        const float x = __builtin_bit_cast(float, a), y = __builtin_bit_cast(float, b),
                    z = __builtin_bit_cast(float, c);
        const double product = static_cast<double>(x) * static_cast<double>(y);
        cancelling += std::abs(product + static_cast<double>(z)) < std::abs(product) * 0x1p-20 ? 1 : 0;
        denormal += product != 0 && std::abs(product) < 0x1p-126 && std::abs(product) > 0x1p-150 ? 1 : 0;
    }
    CHECK(pairs.size() == 64 * 64);
    CHECK(cancelling > 8192);
    CHECK(denormal > 2048);
}

}  // namespace
}  // namespace tessera::certify
