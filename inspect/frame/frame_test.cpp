// Recorded frames, looked at: what there is in them, the same bytes at each step however one comes there, states,
// vertices, pixels and their histories.
#include "inspect/frame/frame_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "inspect/frame/absent_draw.h"
#include "inspect/frame/image_look.h"
#include "pipeline/recording/encode.h"
#include "pipeline/recording/needed_steps.h"
#include "pipeline/testing/recorded_scene.h"

using namespace tessera;
using namespace tessera::inspect;
using pipeline::CommandStream;
using pipeline::test::kSize;
using pipeline::test::RecordedScene;

namespace {

/// The recorded scene, and the file that it is in.
struct Recording {
    std::string file = RecordedScene().record();
    CommandStream stream = read();

private:
    CommandStream read() {
        std::string problem;
        auto stream = pipeline::decodeCommands(std::as_bytes(std::span(file)), &problem);
        REQUIRE_MESSAGE(stream, problem);
        return std::move(*stream);
    }
};

/// Of everything that the stream has.
std::vector<uint64_t> contentsOf(const CommandStream& stream) {
    std::vector<uint64_t> hashes;
    for (const auto& image : stream.images) hashes.push_back(pipeline::hashOfPixels(*image));
    for (const auto& buffer : stream.buffers) hashes.push_back(pipeline::hashOf(buffer->data(), buffer->size()));
    for (const auto& [place, first] : stream.places) hashes.push_back(place->vertices);
    return hashes;
}

std::vector<std::vector<uint64_t>> contentsAtEachStep() {
    Recording recording;
    pipeline::Gpu gpu(interp::makeInterpreter(), 1);
    pipeline::Replayer replayer(recording.stream, gpu);
    std::vector<std::vector<uint64_t>> contents;
    for (size_t step = 0; step <= recording.stream.steps.size(); ++step) {
        replayer.runTo(step);
        contents.push_back(contentsOf(recording.stream));
    }
    CHECK(replayer.takeResult().mismatches.empty());
    return contents;
}

struct Opened {
    Recording recording;
    FrameModel model{recording.stream, interp::makeInterpreter(), 2};
    /// The n-th draw, from 0.
    [[nodiscard]] size_t draw(size_t n) const {
        for (size_t i = 0; i < model.actions().size(); ++i)
            if (model.actions()[i].draw() != nullptr && n-- == 0) return i;
        FAIL("there is no such draw");
        return 0;
    }
};

}  // namespace

TEST_CASE("images, buffers and places hold the same at a step, whichever way one comes there") {
    const std::vector<std::vector<uint64_t>> expected = contentsAtEachStep();
    CHECK(expected.front() != expected.back());
    using namespace std::chrono_literals;
    struct Way {
        std::chrono::microseconds between;
        size_t mostKept;
    };
    // Everything is kept; nothing is; what is kept is given up again and again.
    for (const Way& way : {Way{0us, Scrubber::kMostKept}, Way{1h, Scrubber::kMostKept}, Way{0us, 100'000}}) {
        Recording recording;
        pipeline::Gpu gpu(interp::makeInterpreter(), 2);
        Scrubber scrubber(recording.stream, gpu, way.between, way.mostKept);
        std::mt19937 random(7);
        for (int i = 0; i < 60; ++i) {
            const size_t step = i == 0 ? expected.size() - 1 : random() % expected.size();
            scrubber.seek(step);
            CHECK(scrubber.step() == step);
            CHECK(contentsOf(recording.stream) == expected[step]);
        }
        CHECK(scrubber.takeResult().mismatches.empty());
        if (way.between == 1h) CHECK(scrubber.keptStates() == 1);
        if (way.between == 0us && way.mostKept == Scrubber::kMostKept) CHECK(scrubber.keptStates() > 5);
        if (way.mostKept == 100'000) CHECK(scrubber.keptBytes() < 1'000'000);
    }
}

TEST_CASE("of states that take too much every second is given up, never the beginning") {
    Recording recording;
    pipeline::Gpu gpu(interp::makeInterpreter(), 1);
    Scrubber scrubber(recording.stream, gpu, std::chrono::microseconds(0), 100'000);
    const size_t steps = recording.stream.steps.size();
    int thinned = 0;
    for (size_t step = 1; step <= steps; ++step) {
        const size_t before = scrubber.keptStates();
        scrubber.seek(step);
        // One more is kept behind each step.
        if (scrubber.keptStates() == before + 1) continue;
        ++thinned;
        CHECK(scrubber.keptStates() == 1 + before / 2);
    }
    CHECK(thinned > 0);
}

TEST_CASE("a move that is cancelled ends where it is, and can go on") {
    const std::vector<std::vector<uint64_t>> expected = contentsAtEachStep();
    Recording recording;
    pipeline::Gpu gpu(interp::makeInterpreter(), 1);
    Scrubber scrubber(recording.stream, gpu);
    scrubber.seek(expected.size() - 1, [] { return true; });
    CHECK(scrubber.step() == 0);
    scrubber.seek(expected.size() - 1);
    CHECK(contentsOf(recording.stream) == expected.back());
}

TEST_CASE("frames, passes and actions are those of the stream") {
    Opened opened;
    const FrameModel& model = opened.model;
    // Behind the end of the second one the test has a task.
    REQUIRE(model.frames().size() == 3);
    CHECK(model.frames().size() == pipeline::frameCount(opened.recording.stream));
    CHECK(model.frames()[0].end == model.frames()[1].first);
    CHECK(model.frames()[2].end == model.actions().size());
    CHECK(model.frames()[0].surface);
    CHECK(model.actions().back().number == 24);
    CHECK(std::ranges::count(model.actions(), "draw", &Action::what) == 4);
    // What the test wrote itself between the frames is there, too.
    CHECK(std::ranges::count(model.actions(), "contents", &Action::what) > 0);
    size_t at = 0;
    for (const Pass& pass : model.passes()) {
        CHECK(pass.first == at);
        CHECK(pass.end > at);
        at = pass.end;
    }
    CHECK(at == model.actions().size());
    const Action& clear = model.actions()[*model.commandsOf(0).begin()];
    CHECK(clear.what == "clear");
    CHECK(clear.text == "color 0 0.25 0 0, depth 1, stencil 0");
    CHECK(model.commandsOf(0).size() == 3);
    CHECK(model.commandsOf(1).size() == 2);
}

TEST_CASE("the state of a draw says what is another than at the draw before") {
    Opened opened;
    const auto changed = [&](size_t n) {
        std::vector<std::string> names;
        for (const StateField& field : opened.model.stateOf(opened.draw(n)))
            if (field.isChanged) names.push_back(field.name + " " + field.value);
        return names;
    };
    const std::vector<std::string> first = changed(0), second = changed(1);
    CHECK(std::ranges::find(first, "depth test on") != first.end());
    CHECK(std::ranges::find(second, "depth test on") == second.end());
    CHECK(std::ranges::find(second, "program 2") != second.end());
    // Attributes that the program does not read are no part of it.
    for (const StateField& field : opened.model.stateOf(opened.draw(0))) CHECK(!field.name.starts_with("attribute 2 "));
    const std::vector<UniformValue> uniforms = opened.model.uniformsOf(opened.draw(0));
    REQUIRE(uniforms.size() == 1);
    CHECK(uniforms[0].name == "shift");
    CHECK(uniforms[0].value == "0.1 -0.2 0.0 0.0");
    const auto textures = opened.model.texturesOf(opened.draw(1));
    REQUIRE(textures.size() == 1);
    CHECK(textures[0].name == "image");
    CHECK(textures[0].binding->view->levels == 3);
}

TEST_CASE("vertices are shown as they are fetched, and as the vertex program leaves them") {
    Opened opened;
    const VertexTable table = opened.model.verticesOf(opened.draw(0), 1, 10);
    REQUIRE(table.names == std::vector<std::string>{"place", "tint"});
    REQUIRE(table.rows.size() == 2);
    CHECK(table.rows[0].element == 1);
    CHECK(table.rows[0].values[0] == std::array<float, 4>{0.9f, -0.8f, 0.5f, 1});
    CHECK(table.rows[0].values[1] == std::array<float, 4>{1, 0, 0, 1});
    // Indices 0, 2, 1.
    CHECK(opened.model.verticesOf(opened.draw(1), 1, 1).rows[0].element == 2);

    opened.model.show(opened.draw(2), FrameModel::Moment::Before);
    const uint64_t before = opened.recording.stream.places[0].place->vertices;
    CHECK(before == 3);
    CHECK(opened.model.meshOf(opened.draw(2)).clip.size() == 6);  // with restart: 0 2 1 and 2 1 0
    // The draw's own stream-out has not gone on.
    CHECK(opened.recording.stream.places[0].place->vertices == before);
    const Mesh mesh = opened.model.meshOf(opened.draw(0));
    CHECK(mesh.corners == 3);
    REQUIRE(mesh.clip.size() == 3);
    CHECK(mesh.clip[1] == std::array<float, 4>{0.9f + 0.1f, -0.8f - 0.2f, 0.5f, 1});
    CHECK(mesh.outcodes[0] == 1u << 2);  // y = -1.1
    CHECK(!mesh.isCut);
}

TEST_CASE("targets are as they were before a draw and as it left them") {
    Opened opened;
    const size_t draw = opened.draw(0);
    const std::vector<NamedImage> images = opened.model.imagesOf(draw);
    REQUIRE(images.size() == 3);
    CHECK(images[0].name == "color 0");
    opened.model.show(draw, FrameModel::Moment::Before);
    const Picture before = pictureOf(images[0].image, {});
    CHECK(before.width == kSize);
    const auto at = [](const Picture& picture, int x, int y) {
        const uint8_t* const pixel = &picture.rgba[(static_cast<size_t>(y) * kSize + static_cast<size_t>(x)) * 4];
        return std::array<int, 3>{pixel[0], pixel[1], pixel[2]};
    };
    CHECK(at(before, 50, 50) == std::array<int, 3>{0, 64, 0});
    CHECK(texelText(images[1].image, -1, 50, 50) == "depth 1.00000000 (16777215), stencil 0");
    opened.model.show(draw, FrameModel::Moment::After);
    const Picture after = pictureOf(images[0].image, {});
    CHECK(at(after, 50, 50) != at(before, 50, 50));
    CHECK(at(after, 2, 2) == at(before, 2, 2));
    CHECK(texelText(images[1].image, -1, 50, 50) != "depth 1.00000000 (16777215), stencil 0");
    const auto range = rangeOf(images[1].image, {.channels = Channels::Depth});
    REQUIRE(range);
    CHECK((*range)[0] < 0.9);
    CHECK((*range)[1] == 1);
    // Within that range the nearest is black.
    const Picture depth =
        pictureOf(images[1].image, {.channels = Channels::Depth, .low = (*range)[0], .high = (*range)[1]});
    CHECK(std::ranges::find(depth.rgba, 0) != depth.rgba.end());
}

TEST_CASE("the history of a pixel is that of its frame, and leaves nothing behind") {
    const std::vector<std::vector<uint64_t>> expected = contentsAtEachStep();
    Opened opened;
    for (const size_t frame : {size_t{1}, size_t{0}}) {
        PixelRequest request;
        request.pixels = {{50, 50}};
        request.capture = true;
        const auto record = opened.model.historyOf(frame, request, interp::makeInterpreter());
        REQUIRE(record);
        CHECK(record->capture.has_value() == (frame == 0));  // what is behind is not shaded
        const Json report = Json::parse(record->report);
        CHECK(report["commands"].size() == opened.model.commandsOf(frame).size());
        CHECK(report["pixels"][0]["histories"][0]["events"].size() >= 1);
        CHECK(contentsOf(opened.recording.stream) == expected[opened.model.frames()[frame].endStep]);
    }
    opened.model.show(opened.draw(3), FrameModel::Moment::Before);
    CHECK(contentsOf(opened.recording.stream) == expected[opened.model.actions()[opened.draw(3)].step]);
    CHECK(opened.model.measure(1).size() == opened.model.frames()[1].end - opened.model.frames()[1].first);
    CHECK(opened.model.takeProblems().empty());
}

TEST_CASE("a frame that another GPU replays leaves every program what ran it") {
    Opened opened;
    const auto runs = [&] {
        std::vector<const void*> found;
        for (const auto& program : opened.recording.stream.programs)
            for (const pipeline::ProgramStage& stage : program->stages.each) found.push_back(stage.routine.get());
        return found;
    };
    opened.model.show(opened.model.actions().size() - 1, FrameModel::Moment::After);
    const std::vector<const void*> before = runs();
    REQUIRE(opened.recording.stream.programs.size() > 1);
    pipeline::Gpu other(interp::makeInterpreter(), 1);
    for (size_t frame = 0; frame < opened.model.frames().size(); ++frame) opened.model.replayFrame(frame, other);
    CHECK(runs() == before);
}

TEST_CASE("the group that shaded a pixel last is captured, of whichever draw when none is named") {
    Opened opened;
    std::set<uint32_t> captured;
    for (const std::array<int, 2> pixel : {std::array{50, 50}, std::array{50, 20}, std::array{50, 80}}) {
        CAPTURE(pixel[0]);
        for (const size_t frame : {size_t{0}, size_t{1}}) {
            PixelRequest request;
            request.pixels = {pixel};
            request.capture = true;
            const auto record = opened.model.historyOf(frame, request, interp::makeInterpreter());
            REQUIRE(record);
            const Json report = Json::parse(record->report);
            std::set<uint32_t> draws;
            for (const Json& history : report["pixels"][0]["histories"])
                for (const Json& event : history["events"])
                    if (event.value("shaded", false)) draws.insert(event["command"].get<uint32_t>());
            CHECK(record->capture.has_value() == !draws.empty());
            if (draws.empty() || !record->capture) continue;
            CHECK(report["captured"]["draw"] == *draws.rbegin());
            captured.insert(*draws.rbegin());
        }
    }
    CHECK(captured.size() > 1);
}

TEST_CASE("a texel is told as its format has it") {
    const auto told = [](texture::PixelFormat format, uint32_t word) {
        const auto image = std::make_shared<texture::Image>(format, 4, 4);
        image->setTexel32(1, 2, word);
        return texelText(image, -1, 1, 2);
    };
    using enum texture::PixelFormat;
    CHECK(told(Rgba8, 0x80FF0033u) == "0.2 0 1 0.5019608 (51 0 255 128)");
    CHECK(told(Depth32F, 0x3E800000u) == "depth 0.25");
    CHECK(told(Stencil8, 0x7u) == "stencil 7");
    CHECK(told(R32Sint, ~0u) == "-1 0 0 1");
    CHECK(told(R32Uint, 4'000'000'000u) == "4000000000 0 0 1");
    const auto image = std::make_shared<texture::Image>(R32F, 4, 4);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(image->block(0, 0), &nan, sizeof nan);
    const Picture picture = pictureOf(image, {.channels = Channels::Red});
    const size_t last = size_t{3} * 4 * 4;  // the bottom row
    CHECK(picture.rgba[last] == 255);
    CHECK(picture.rgba[last + 1] == 0);
    CHECK(picture.rgba[last + 2] == 255);
}

TEST_CASE("a draw that has nothing at a pixel says which primitive is culled, clipped or scissored away there") {
    Opened opened;
    const size_t action = opened.draw(0);
    const std::shared_ptr<pipeline::DrawState> state = opened.model.actions()[action].draw()->state;
    const auto why = [&](std::array<int, 2> pixel = {50, 50}) { return whyAbsent(opened.model, action, pixel); };
    CHECK(why() == "");  // it is there
    CHECK(why({2, 2}) == "");
    state->raster.cull = pipeline::CullFace::Back;
    CHECK(why() == "");
    state->raster.frontIsClockwise = true;
    CHECK(why() == "primitive 0 would cover it: culled, as its back is seen (cull face back, front is clockwise)");
    CHECK(why({2, 2}) == "");
    state->raster.cull = pipeline::CullFace::Front;
    CHECK(why() == "");
    state->raster.frontIsClockwise = false;
    CHECK(why() ==
          "primitive 0 would cover it: culled, as its front is seen (cull face front, front is "
          "counter-clockwise)");
    state->raster.cull = pipeline::CullFace::None;
    state->raster.scissorTest = true;
    state->raster.scissor = {0, 0, 50, kSize};
    CHECK(why() == "primitive 0 would cover it: outside of the scissor rectangle");
    CHECK(why({49, 50}) == "");
    state->raster.scissorTest = false;
    // Rows are counted from the top, and the triangle stands on the lower border.
    state->raster.cull = pipeline::CullFace::Both;
    CHECK(why({50, kSize - 1}) != "");
    CHECK(why({50, 0}) == "");
    // z of its corners is 0.5, 0.5 and -0.5, of w = 1.
    state->raster.cull = pipeline::CullFace::None;
    pipeline::ConstantRegister moved = opened.model.actions()[action].draw()->constants[isa::Stage::Vertex][0];
    const_cast<pipeline::Draw*>(opened.model.actions()[action].draw())->constants[isa::Stage::Vertex] = {&moved, 1};
    for (const auto& [shift, plane] :
         {std::pair{1.75f, "farther there than the far"}, {-1.75f, "nearer there than the near"}}) {
        moved[2] = shift;
        CHECK(why().find(plane) != std::string::npos);
        state->raster.depthClamp = true;
        CHECK(why() == "");
        state->raster.depthClamp = false;
    }
}
