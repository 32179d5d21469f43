// The inspector: what it shows of a recording, and the questions that it has to the frame model. Questions are answered
// by a thread of their own (worker.h); panels.cpp shows the answers that are there.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/frame/frame_model.h"
#include "inspect/frame/image_look.h"
#include "shader-core/debug/session.h"
#include "tools/commands/recording.h"
#include "tools/inspector/chip_panel.h"
#include "tools/inspector/debugger_panel.h"
#include "tools/inspector/frame_costs.h"
#include "tools/inspector/shader_text.h"
#include "tools/inspector/window.h"
#include "tools/inspector/window_loop.h"
#include "tools/inspector/worker.h"

namespace tessera::tools {

/// A recording with its model. Jobs share it: the one that is replaced lives until they are done.
struct OpenedRecording {
    OpenedRecording(Recording opened, std::string called);
    /// The same once more, for what takes long: its images are moved by nobody else.
    [[nodiscard]] OpenedRecording& other();
    Recording recording;
    std::string name;
    inspect::FrameModel model;

private:
    std::unique_ptr<OpenedRecording> other_;
};

enum class Tab : uint8_t { Image, Textures, Mesh, Vertices, Pixel, Debugger, Chip };
inline constexpr std::string_view kTabWords[] = {"image", "textures", "mesh", "vertices", "pixel", "debugger", "chip"};

struct InspectorOptions {
    std::string preset = "tessera";
    size_t frame = 0;
    std::optional<size_t> action;
    std::optional<std::array<int, 2>> pixel;  ///< whose history is shown; from the top
    Tab tab = Tab::Image;
    bool isLight = false;
    /// Records another frame, from 1, of the program that is inspected; null: there is none.
    std::function<std::optional<Recording>(uint64_t frame)> recordFrame;
    uint64_t recordedFrame = 0;  ///< the one that is open
};

class Inspector {
public:
    Inspector(std::shared_ptr<OpenedRecording> opened, InspectorOptions options);
    ~Inspector();

    /// Until the window is closed.
    void run(Window& window);
    /// Until all answers are there; what the window shows then.
    [[nodiscard]] inspect::Picture pictureWhenDone(Window& window);

private:
    // --- What is chosen ---

    /// Which image is looked at, and how.
    struct ImageChoice {
        enum class Of : uint8_t { Target, Texture, Heat } of = Of::Target;
        size_t index = 0;  ///< of the action's targets or textures; a Heat
        int face = 0, level = 0, plane = -1;
        inspect::Channels channels = inspect::Channels::Color;
        bool isFitted = false;  ///< the range of values is black to white
        bool isBefore = false;
        bool operator==(const ImageChoice&) const = default;
    };
    struct ImageQuestion {
        size_t action = 0;
        ImageChoice choice;
        bool operator==(const ImageQuestion&) const = default;
    };

    // --- Answers ---

    struct ImageName {
        std::string name, text;
        std::vector<inspect::Channels> channels;
        int faces = 1, levels = 1, planes = 1;
    };
    struct ActionAnswer {
        size_t action = 0;
        std::vector<inspect::StateField> state;
        std::vector<inspect::UniformValue> uniforms;
        std::vector<ImageName> targets, textures;
        std::array<std::shared_ptr<const isa::Program>, 2> programs;  ///< of its stages
        uint32_t program = 0;                                         ///< its number in the stream
    };
    struct ImageAnswer {
        ImageQuestion question;
        inspect::Picture picture;
        std::string range;  ///< "0.2 to 0.9"
    };
    struct MeshAnswer {
        size_t action = 0;
        inspect::Mesh mesh;
        inspect::VertexTable vertices;
    };
    struct HistoryAnswer {
        size_t frame = 0;
        std::array<int, 2> pixel{};
        nlohmann::ordered_json story;  ///< pixel_story.h
    };
    struct DebugAnswer {
        size_t action = 0;  ///< whose invocation it is
        std::string title, problem;
        std::unique_ptr<debug::Session> session;
    };
    /// What the worker has found, taken by the window's thread.
    struct Answers {
        std::optional<ActionAnswer> action;
        std::optional<ImageAnswer> image;
        std::optional<std::string> texel;
        std::optional<MeshAnswer> mesh;
        std::shared_ptr<const FrameCosts> costs;
        std::optional<std::vector<double>> times;  ///< milliseconds, by action of the frame
        std::optional<HistoryAnswer> history;
        std::optional<DebugAnswer> debug;
        std::shared_ptr<OpenedRecording> opened;
        std::vector<std::string> notes;
    };

    // --- Questions ---

    void ask(const char* name, const std::string& label,
             std::function<void(OpenedRecording&, const Worker::IsCancelled&)> job);
    /// The same of the other recording, beside what is asked above.
    void askSlowly(const char* name, const std::string& label,
                   std::function<void(OpenedRecording&, const Worker::IsCancelled&)> job);
    void give(const std::function<void(Answers&)>& put);
    [[nodiscard]] std::string working() const;
    void takeAnswers();
    void select(size_t action, bool isRemembered = true);
    void selectFrame(size_t frame);
    void goBack();
    void askImage();
    void askTexel(int x, int y);
    void askMesh();
    void askHistory(int x, int y);
    void askDebugger(int64_t command, int64_t primitive);
    void askNextFrame();
    /// The image that the choice means, and whether it has to be looked at before the action.
    static texture::ImagePtr imageOf(inspect::FrameModel& model, const ImageQuestion& question);

    // --- Showing, in panels.cpp ---

    void show(Window& window);
    void applyTheme(float scale) const;
    void takeKeys();
    void showToolbar();
    void showActions(float height);
    void showTabs(float height);
    void showImage();
    void showTextures();
    void showPicture(float height);
    void showMesh();
    void showVertices();
    void showPixel();
    void showDebugger();
    void showChip();
    void showState(float height);
    void showShaders(float height);
    void showSource(const ShaderText& text);
    void showCode(const ShaderText& text);
    void showAbsent(const nlohmann::ordered_json& absent, const std::vector<size_t>& commands);
    void showHelp();
    [[nodiscard]] WindowContents contents();
    [[nodiscard]] std::string title() const;
    [[nodiscard]] std::string actionText(size_t action) const;
    [[nodiscard]] bool isFound(size_t action) const;
    [[nodiscard]] std::optional<size_t> neighbour(bool isNext, bool isDraw) const;
    [[nodiscard]] const std::optional<DrawCost>* costOf(size_t action) const;
    [[nodiscard]] const inspect::FrameModel& model() const { return opened_->model; }

    std::shared_ptr<OpenedRecording> opened_;
    InspectorOptions options_;
    size_t frame_ = 0, action_ = 0;
    std::vector<size_t> before_;             ///< actions that were chosen before
    std::map<size_t, size_t> chosenBefore_;  ///< by frame, the action when it was left
    Tab tab_ = Tab::Image;
    bool isTabForced_ = true, isHelpShown_ = false, isScrolled_ = true, isSearchFocused_ = false;
    ImageChoice choice_;
    float zoom_ = 0;  ///< 0: as large as fits
    char search_[128] = {};
    std::array<int, 2> pointer_ = {-1, -1};
    isa::Stage stage_ = isa::Stage::Fragment;
    uint32_t line_ = 0;  ///< of the source that is marked
    size_t texture_ = 0;
    float turn_ = 0, tilt_ = 0;
    bool isPictureNew_ = false;

    // What there is to show; of other actions than the chosen one nothing is shown.
    std::optional<ActionAnswer> shown_;
    std::optional<ImageAnswer> image_;
    std::optional<ImageQuestion> askedImage_;
    ImTextureID pictureTexture_ = nullptr;
    std::string texel_;
    std::optional<MeshAnswer> mesh_;
    std::optional<size_t> askedMesh_;
    std::shared_ptr<const FrameCosts> costs_;
    std::vector<double> times_;
    std::optional<HistoryAnswer> history_;
    DebuggerPanel debugger_;
    size_t debugAction_ = 0;
    ChipPanel chip_;
    std::vector<std::string> notes_;
    std::optional<ShaderText> shader_;
    const isa::Program* shaderOf_ = nullptr;
    const FrameCosts* shaderCosts_ = nullptr;

    std::mutex mutex_;
    Answers answers_;
    std::atomic<bool> hasNews_ = false;  ///< answers that are not taken yet
    Worker worker_, slowWorker_;         // the last: their jobs use all the others
};

}  // namespace tessera::tools
