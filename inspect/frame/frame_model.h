// A recorded stream as whoever looks at its frames wants it: what was done in which order, to what, in which state, and
// what images hold before and after each of it. Without any window; `tessera inspect` shows it.
//
// One thread at a time: what looks moves the images to where it looks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/frame/scrubber.h"
#include "inspect/frame/stream_words.h"
#include "inspect/pixel_recorder.h"
#include "pipeline/command/gpu.h"

namespace tessera::inspect {

/// A command, or what the application has written itself.
struct Action {
    size_t step = 0;              ///< in CommandStream::steps
    size_t number = 0;            ///< from 1, as `tessera commands` counts; of contents that of the command before
    size_t frame = 0;             ///< from 0
    size_t pass = 0;              ///< in FrameModel::passes()
    std::string what;             ///< "draw", "clear", "contents"
    std::string text;             ///< "triangles, 660 indices (u16), program 1"
    std::optional<size_t> group;  ///< in FrameModel::groups(), the innermost; of a mark that of its own group
    const pipeline::Command* command = nullptr;  ///< null: contents
    [[nodiscard]] const pipeline::Draw* draw() const {
        return command != nullptr ? std::get_if<pipeline::Draw>(command) : nullptr;
    }
    [[nodiscard]] const pipeline::Clear* clear() const {
        return command != nullptr ? std::get_if<pipeline::Clear>(command) : nullptr;
    }
};

/// Actions that follow each other and draw to the same images, or to none.
struct Pass {
    std::string text;           ///< "image 1 (800x600 Rgba8), image 2 (800x600 Depth24Stencil8)"; "transfers"
    size_t first = 0, end = 0;  ///< actions
};
/// A debug group of the application, with the marks that begin and end it. One that its frame does not end ends there.
struct Group {
    std::string name;
    size_t first = 0, end = 0;     ///< actions
    std::optional<size_t> parent;  ///< in FrameModel::groups()
    size_t depth = 0;              ///< groups around it
};
struct Frame {
    size_t first = 0, end = 0;          ///< actions
    size_t firstStep = 0, endStep = 0;  ///< steps
    texture::ImagePtr surface;          ///< null: it ends without one
};

/// A field of a draw's state.
struct StateField {
    std::string_view group;  ///< of kStateGroups
    std::string name, value;
    bool isChanged = false;  ///< another than at the draw before
    std::string before;      ///< what it was there; empty: unknown, or not changed
};
inline constexpr std::string_view kStateGroups[] = {"draw",   "program",  "target",  "primitives",
                                                    "pixels", "vertices", "textures"};

struct NamedImage {
    std::string name;  ///< "color 0", "depth", "to"
    texture::ImagePtr image;
};

/// A uniform, or a member of a block, as a draw has it.
struct UniformValue {
    isa::Stage stage = isa::Stage::Vertex;
    std::string name, value;
};

/// What a draw's vertices are before the vertex program.
struct VertexTable {
    std::vector<std::string> names;  ///< of attributes, with their components: "a_position.xyz"
    struct Row {
        uint32_t ordinal = 0, element = 0;
        std::vector<std::array<float, 4>> values;  ///< bits of integers where the attribute has such
    };
    std::vector<Row> rows;
};

/// Corners of primitives behind the vertex program, in the order of assembly.
struct Mesh {
    int corners = 3;                         ///< of a primitive
    std::vector<std::array<float, 4>> clip;  ///< positions
    std::vector<uint8_t> outcodes;           ///< bit: left, right, bottom, top, near, far
    bool isCut = false;                      ///< there are more than kMostCorners
    static constexpr uint64_t kMostCorners = uint64_t{1} << 18;
};

class FrameModel {
public:
    /// The stream is as it was decoded, and outlives the model.
    FrameModel(pipeline::CommandStream& stream, std::shared_ptr<isa::Executor> executor, int threads);
    ~FrameModel();

    // --- What there is ---

    [[nodiscard]] const pipeline::CommandStream& stream() const { return stream_; }
    [[nodiscard]] const Names& names() const { return names_; }
    [[nodiscard]] const std::vector<Action>& actions() const { return actions_; }
    [[nodiscard]] const std::vector<Pass>& passes() const { return passes_; }
    [[nodiscard]] const std::vector<Frame>& frames() const { return frames_; }
    /// By their first actions.
    [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
    /// The names of the groups that an action is in, from the outside in.
    [[nodiscard]] std::vector<std::string> groupNames(size_t action) const;

    // --- What an action is ---

    [[nodiscard]] std::vector<StateField> stateOf(size_t action) const;
    [[nodiscard]] std::vector<UniformValue> uniformsOf(size_t action) const;
    /// What it draws to or writes; of one that does neither, what the last one before it in its frame does.
    [[nodiscard]] std::vector<NamedImage> imagesOf(size_t action) const;
    struct BoundTexture {
        isa::Stage stage = isa::Stage::Fragment;
        size_t unit = 0;
        std::string name;  ///< of the sampler
        const pipeline::TextureBinding* binding = nullptr;
    };
    [[nodiscard]] std::vector<BoundTexture> texturesOf(size_t action) const;

    // --- Where the images are ---

    enum class Moment : uint8_t { Before, After };
    void show(size_t action, Moment moment, const std::function<bool()>& isCancelled = nullptr);
    /// Milliseconds of each action of the frame, executed by itself here and now.
    [[nodiscard]] std::vector<double> measure(size_t frame);

    /// Of a draw. Moves to before it.
    [[nodiscard]] VertexTable verticesOf(size_t action, uint32_t first, uint32_t count);
    [[nodiscard]] Mesh meshOf(size_t action);

    // --- What happened ---

    /// Executes the frame on another GPU, which may have probes, up to the action, if one is named, with it. Programs
    /// are that GPU's meanwhile.
    pipeline::ReplayResult replayFrame(size_t frame, pipeline::Gpu& gpu, std::optional<size_t> last = {});
    /// What every draw and clear of the frame, or those up to `last`, did to the request's pixels. Its commands count
    /// from 0, as commandsOf() has them. Request::frame does not matter, and images have the stream's numbers.
    [[nodiscard]] std::optional<PixelRecord> historyOf(size_t frame, PixelRequest request,
                                                       std::shared_ptr<isa::Executor> interpreter,
                                                       std::optional<size_t> last = {});
    /// The draws and clears of a frame, by their numbers in its histories.
    [[nodiscard]] std::vector<size_t> commandsOf(size_t frame) const;

    /// Faults and pixels that are others than recorded, since the last call, as lines.
    [[nodiscard]] std::vector<std::string> takeProblems();
    [[nodiscard]] const Scrubber& scrubber() const { return *scrubber_; }
    [[nodiscard]] pipeline::Gpu& gpu() { return gpu_; }

private:
    void findActions();
    [[nodiscard]] const Fields& fieldsAt(const pipeline::DrawState& state) const;
    [[nodiscard]] const pipeline::Draw* drawBefore(size_t action) const;

    pipeline::CommandStream& stream_;
    const Names names_;
    pipeline::Gpu gpu_;
    std::unique_ptr<Scrubber> scrubber_;
    std::vector<Action> actions_;
    std::vector<Pass> passes_;
    std::vector<Frame> frames_;
    std::vector<Group> groups_;
    mutable std::unordered_map<const pipeline::DrawState*, Fields> fields_;
};

}  // namespace tessera::inspect
