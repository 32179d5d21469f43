// Samples of frames: which are chosen, that what they say of all is right as often as they claim, and wrong sizes.
#include "model/report/frame_sample.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <tuple>

#include <nlohmann/json.hpp>

#include "model/chip/testing/workload_builder.h"
#include "model/report/testing/sample.h"

namespace tessera::model {
namespace {

/// Frames of two kinds: one triangle of some blocks, and a clear of some kilobytes with a launch.
Workload framesOfTwoKinds(uint32_t count) {
    WorkloadBuilder builder;
    const auto op = [](isa::Op op) { return WorkloadBuilder::instruction(op); };
    const uint32_t vertex = builder.program(isa::Stage::Vertex, {op(isa::Op::Mov), op(isa::Op::Ret)});
    const uint32_t fragment =
        builder.program(isa::Stage::Fragment, {op(isa::Op::Mul), op(isa::Op::Add), op(isa::Op::Ret)});
    const uint32_t kernel = builder.program(isa::Stage::Compute, {op(isa::Op::Mul), op(isa::Op::Ret)});
    for (uint32_t i = 0; i < count; ++i) {
        if (i % 3 != 0) {
            builder.draw(vertex, fragment, {{.blocks = WorkloadBuilder::square(4 + static_cast<int>(i * 7 % 5), 6)}});
        } else {
            builder.transfer(0, 20000 + 100 * (i * 5 % 7));
            builder.launch(kernel, 3);
        }
        builder.endFrame();
    }
    builder.w.name = "two kinds";
    builder.w.width = builder.w.height = 32;
    REQUIRE(validate(builder.w).empty());
    return builder.w;
}

std::vector<FrameIntervals> framesThatAskFor(const std::vector<uint64_t>& demands) {
    std::vector<FrameIntervals> frames(demands.size());
    for (size_t i = 0; i < frames.size(); ++i) frames[i].demand[0] = demands[i];
    return frames;
}

TEST_CASE("a frame is its launches and what comes before its end; commands behind the last end are one more") {
    const Preset preset = sample().preset;
    Workload workload = framesOfTwoKinds(4);
    const std::vector<Interval> intervals = intervalsOf(workload);
    CHECK(intervals.size() == 6);
    std::vector<FrameIntervals> frames = framesOf(workload, intervals, preset);
    REQUIRE(frames.size() == 4);
    CHECK(frames[0].intervals == Range{0, 2});
    CHECK(frames[1].intervals == Range{2, 1});
    CHECK(frames[3].intervals == Range{4, 2});
    CHECK(frames[3].number == 3);
    workload.commands.pop_back();
    frames = framesOf(workload, intervalsOf(workload), preset);
    REQUIRE(frames.size() == 4);
    CHECK(frames[3].number == 0);
}

TEST_CASE("demands are cycles of units, counted by hand") {
    const Sample s = sample();
    const std::vector<FrameIntervals> frames = framesOf(s.workload, intervalsOf(s.workload), s.preset);
    REQUIRE(frames.size() == 1);
    const auto demand = [&](Demand which) { return frames[0].demand[static_cast<size_t>(which)]; };
    const uint64_t lanes = s.preset.block.processors * s.preset.block.lanes;
    // 64 blocks of four instructions and 16 of three, sixteen lanes each; two batches of two, 32 lanes each.
    CHECK(demand(Demand::Fragments) == (64 * 4 + 16 * 3) * 16 / lanes);
    CHECK(demand(Demand::Vertices) == 2 * 2 * 32 / lanes);
    CHECK(demand(Demand::Lookups) == 64 * 16 / s.preset.texture.engines);
    CHECK(demand(Demand::Pixels) == 80 * 16 / (s.preset.pixel.engines * s.preset.pixel.fragments_per_cycle));
    CHECK(demand(Demand::Scan) == 80 * s.preset.raster.scan_cycles / s.preset.raster.rasterizers);
    CHECK(demand(Demand::Transfers) == 0);
    CHECK(demand(Demand::Kernels) == 0);
}

TEST_CASE("a surface's depth is asked for where it is read, written, or holds the stencil that is used") {
    const Preset preset = sample().preset;
    const auto surfacesOf = [&](auto use) {
        WorkloadBuilder b;
        WorkloadBuilder::DrawOptions options;
        use(options.pixels);
        const isa::Instruction move = WorkloadBuilder::instruction(isa::Op::Mov);
        b.draw(b.program(isa::Stage::Vertex, {move}), b.program(isa::Stage::Fragment, {move}),
               {{.blocks = WorkloadBuilder::square(8, 8)}}, options);
        b.endFrame();
        b.w.width = b.w.height = 32;
        return framesOf(b.w, intervalsOf(b.w), preset)[0].demand[static_cast<size_t>(Demand::Surfaces)];
    };
    const uint64_t colour = surfacesOf([](PixelWork&) {});
    const uint64_t read = surfacesOf([](PixelWork& pixels) { pixels.depthRead = true; });
    CHECK(colour > 0);
    CHECK(read > colour);
    CHECK(surfacesOf([](PixelWork& pixels) { pixels.depthWrite = true; }) == read);
    CHECK(surfacesOf([](PixelWork& pixels) { pixels.stencil = true; }) == read);
}

TEST_CASE(
    "clusters part the frames, model as many as asked for, and a larger sample of one cluster has a smaller one") {
    std::vector<uint64_t> demands;
    for (uint64_t i = 0; i < 60; ++i) demands.push_back(i % 4 == 0 ? 100000 + i : 1000 + i);
    const std::vector<FrameIntervals> frames = framesThatAskFor(demands);
    for (uint32_t count = 2; count <= 60; ++count) {
        const std::vector<FrameCluster> clusters = clusterFrames(frames, count);
        std::vector<uint32_t> all;
        uint32_t modelled = 0;
        for (const FrameCluster& cluster : clusters) {
            CHECK(cluster.modelled >= std::min<size_t>(std::min(count, 3u), cluster.frames.size()));
            CHECK(cluster.modelled <= cluster.frames.size());
            modelled += cluster.modelled;
            all.insert(all.end(), cluster.frames.begin(), cluster.frames.end());
            if (count >= 6)  // large frames and small ones are not mixed
                for (const uint32_t frame : cluster.frames) CHECK((frame % 4 == 0) == (cluster.frames[0] % 4 == 0));
        }
        CHECK(modelled == count);
        std::ranges::sort(all);
        std::vector<uint32_t> every(60);
        std::iota(every.begin(), every.end(), 0u);
        CHECK(all == every);
    }
    const std::vector<FrameIntervals> same = framesThatAskFor(std::vector<uint64_t>(20, 5));
    CHECK(clusterFrames(same, 9).size() == 1);
    CHECK(clusterFrames(same, 9)[0].frames == clusterFrames(same, 4)[0].frames);
}

TEST_CASE("an estimate by hand, with all frames, and of what is exactly as asked for") {
    // Cochran's formula for one stratum: N = 4, n = 2, equal demands. Ratio 15 / 10; s^2 = 50.
    std::vector<FrameIntervals> frames = framesThatAskFor({10, 10, 10, 10});
    const std::vector<FrameCluster> two = {{{2, 0, 1, 3}, 2}};
    const Estimate estimate = estimateSum(two, frames, std::vector<double>{20, 0, 10, 0});
    CHECK(estimate.value == doctest::Approx(60));
    CHECK(estimate.error == doctest::Approx(12.706 * std::sqrt(4 * 4 * (1 - 0.5) * 50 / 2)));
    const std::vector<FrameCluster> four = {{{2, 0, 1, 3}, 4}};
    CHECK(estimateSum(four, frames, std::vector<double>{20, 1, 10, 2}).value == doctest::Approx(33));
    CHECK(estimateSum(four, frames, std::vector<double>{20, 1, 10, 2}).error == 0);
    frames = framesThatAskFor({10, 20, 30, 50});
    const Estimate exact = estimateSum(two, frames, std::vector<double>{30, 0, 90, 0});
    CHECK(exact.value == doctest::Approx(330));
    CHECK(exact.error == doctest::Approx(0).epsilon(1e-6));
}

TEST_CASE("the real sum is within the expected error as often as is said, whatever is drawn") {
    std::mt19937 random(7);
    std::normal_distribution<double> noise;
    for (const double slope : {1.0, 3.0}) {
        // Frames drift as an animation does; what they take is not quite what they ask for, and has a part of its own.
        std::vector<uint64_t> demands;
        std::vector<double> values;
        for (int i = 0; i < 120; ++i) {
            demands.push_back(static_cast<uint64_t>(50000 + 8000 * std::sin(i * 0.1) + (i % 40 == 0 ? 30000 : 0)));
            values.push_back(slope * static_cast<double>(demands.back()) + 20000 + 1500 * noise(random));
        }
        const double real = std::accumulate(values.begin(), values.end(), 0.0);
        const std::vector<FrameIntervals> frames = framesThatAskFor(demands);
        for (const uint32_t count : {9u, 15u, 30u}) {
            std::vector<FrameCluster> clusters = clusterFrames(frames, count);
            int within = 0;
            constexpr int kDraws = 1000;
            for (int draw = 0; draw < kDraws; ++draw) {
                for (FrameCluster& cluster : clusters) std::ranges::shuffle(cluster.frames, random);
                const Estimate estimate = estimateSum(clusters, frames, values);
                within += std::abs(estimate.value - real) <= estimate.error;
            }
            CHECK_MESSAGE(within >= 930, within);
        }
    }
}

TEST_CASE("a sample of all frames is the whole run, and of some the same for any number of threads") {
    const Preset preset = sample().preset;
    const Workload workload = framesOfTwoKinds(40);
    const Cycle whole = simulate(workload, preset).cycles;
    const FrameSample all = sampleFrames(workload, preset, {40}, {});
    CHECK(all.isWhole());
    CHECK(all.cycles.value == doctest::Approx(static_cast<double>(whole)));
    CHECK(all.cycles.error == 0);
    const std::vector<Cycle> each = modelAllFrames(workload, preset, {.threads = 3});
    CHECK(std::accumulate(each.begin(), each.end(), Cycle{0}) == whole);
    for (const SampleSize size : {SampleSize{7}, SampleSize{}}) {
        const FrameSample some = sampleFrames(workload, preset, size, {});
        CHECK(some.modelled < 40);
        CHECK(std::abs(some.cycles.value - static_cast<double>(whole)) <= some.cycles.error);
        if (!size.frames) CHECK(some.cycles.error <= kAutoError * some.cycles.value);
        CHECK(sampleJson(some, nullptr) == sampleJson(sampleFrames(workload, preset, size, {.threads = 3}), nullptr));
        for (size_t i = 0; i < some.frames.size(); ++i)
            if (some.costs[i]) CHECK(some.costs[i]->cycles == each[i]);
    }
}

TEST_CASE("a single frame is modelled, whatever was asked for") {
    const Sample s = sample();
    for (const SampleSize size : {SampleSize{1}, SampleSize{}}) {
        const FrameSample one = sampleFrames(s.workload, s.preset, size, {});
        CHECK(one.isWhole());
        CHECK(one.cycles.value == doctest::Approx(static_cast<double>(s.result.cycles)));
        CHECK(one.cycles.error == 0);
        // Shares of units are those of the whole report.
        const auto kind = static_cast<size_t>(UnitKind::TextureEngine);
        CHECK(one.busy[kind] ==
              doctest::Approx(static_cast<double>(s.result.total(UnitKind::TextureEngine, Cause::Busy)) /
                              static_cast<double>(s.result.cycles * s.preset.texture.engines)));
        CHECK(one.sdramBytes == doctest::Approx(static_cast<double>(s.result.sdramRead + s.result.sdramWritten)));
    }
}

TEST_CASE("reports: the check says the real error") {
    const Preset preset = sample().preset;
    const Workload workload = framesOfTwoKinds(12);
    const FrameSample some = sampleFrames(workload, preset, {4}, {});
    SampleCheck check{modelAllFrames(workload, preset, {}), 2, 0.5};
    const nlohmann::json json = nlohmann::json::parse(sampleJson(some, &check));
    CHECK(json["frames"] == 12);
    CHECK(json["modelled"] == 4);
    const auto whole = json["check"]["cycles"].get<double>();
    CHECK(json["check"]["error"].get<double>() == doctest::Approx(some.cycles.value / whole - 1));
    CHECK(json["each"].size() == 12);
    CHECK(std::ranges::count_if(json["each"], [](const auto& one) { return one.contains("cycles"); }) == 4);
    const std::string text = sampleText(some, &check);
    CHECK(text.find("12 frames") != std::string::npos);
    CHECK(text.find("by 4 of them") != std::string::npos);
    CHECK(text.find("within what was expected") != std::string::npos);
    CHECK(text.find("4.0 times as fast") != std::string::npos);
    // The sign: an estimate that is too high is a positive error.
    const auto sum = static_cast<Cycle>(std::llround(some.cycles.value));
    for (const auto& [share, error, text] :
         {std::tuple(0.8, 0.25, "the error is +25.00 %"), {1.25, -0.2, "the error is -20.00 %"}}) {
        const SampleCheck other{{static_cast<Cycle>(static_cast<double>(sum) * share)}, 2, 0.5};
        CHECK(nlohmann::json::parse(sampleJson(some, &other))["check"]["error"].get<double>() ==
              doctest::Approx(error).epsilon(1e-4));
        CHECK_MESSAGE(sampleText(some, &other).find(text) != std::string::npos, sampleText(some, &other));
    }
    check.frames[0] += 1000000000;
    CHECK(sampleText(some, &check).find("more than what was expected") != std::string::npos);
}

TEST_CASE("sizes of samples that are none are refused in one line") {
    std::string error;
    for (const char* text : {"0", "", "x", "-1", "4 ", "31", "1", "99999999999", "Auto"}) {
        error.clear();
        CHECK_FALSE(readSampleSize(text, 30, &error));
        CHECK_MESSAGE(error.starts_with("--sample:1:1: "), error);
        CHECK(error.find('\n') == std::string::npos);
    }
    CHECK_FALSE(readSampleSize("auto", 0, &error));
    CHECK(readSampleSize("30", 30, &error)->frames == 30);
    CHECK(readSampleSize("1", 1, &error)->frames == 1);
    CHECK(readSampleSize("auto", 30, &error)->frames == 0);
}

}  // namespace
}  // namespace tessera::model
