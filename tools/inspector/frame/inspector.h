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
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/frame/frame_model.h"
#include "inspect/frame/image_look.h"
#include "shader-core/debug/session.h"
#include "tools/commands/recording.h"
#include "tools/inspector/frame/layout.h"
#include "tools/inspector/frame/program_edit.h"
#include "tools/inspector/frame/search.h"
#include "tools/inspector/frame/tabs.h"
#include "tools/inspector/frame/texture_misses.h"
#include "tools/inspector/report/frame_costs.h"
#include "tools/inspector/report/shader_text.h"
#include "tools/inspector/window/chip_panel.h"
#include "tools/inspector/window/debugger_panel.h"
#include "tools/inspector/window/window.h"
#include "tools/inspector/window/window_loop.h"
#include "tools/inspector/window/worker.h"

namespace tessera::tools {

/// A recording with its model. Jobs share it: the one that is replaced lives until they are done.
struct OpenedRecording {
    /// `edits` have been applied.
    OpenedRecording(Recording opened, std::string called, std::vector<ProgramEdit> edits = {});
    /// Of the file's bytes, with these edits of its programs. Null when they are refused, which the result tells.
    [[nodiscard]] static std::shared_ptr<OpenedRecording> edited(const OpenedRecording& from,
                                                                 std::vector<ProgramEdit> edits, EditResult& result);
    /// The same once more, for what takes long: its images are moved by nobody else.
    [[nodiscard]] OpenedRecording& other();
    Recording recording;
    std::string name;
    std::vector<ProgramEdit> edits;
    inspect::FrameModel model;

private:
    std::shared_ptr<OpenedRecording> other_;
};

struct InspectorOptions {
    std::string preset = "tessera";
    size_t frame = 0;
    std::optional<size_t> action;
    std::optional<std::array<int, 2>> pixel;  ///< whose history is shown; from the top
    Layout layout;                            ///< with the tab that is shown first
    bool isEditing = false;                   ///< of programs their text is shown, to be edited
    /// Records another frame, from 1, of the program that is inspected; null: there is none.
    std::function<std::optional<Recording>(uint64_t frame)> recordFrame;
    uint64_t recordedFrame = 0;  ///< the last that is recorded
    uint64_t firstFrame = 1;     ///< the number of the recording's first
};

class Inspector {
public:
    Inspector(std::shared_ptr<OpenedRecording> opened, InspectorOptions options);
    ~Inspector();

    /// Until the window is closed.
    void run(Window& window);
    /// As the user has left it.
    [[nodiscard]] Layout layout() const;
    /// Until all answers are there; what the window shows then.
    [[nodiscard]] inspect::Picture pictureWhenDone(Window& window);

private:
    // --- What is chosen ---

    /// Which image is looked at, and how.
    struct ImageChoice {
        enum class Of : uint8_t { Target, Texture, Heat, Misses } of = Of::Target;
        size_t index = 0;  ///< of the action's targets or textures; a Heat
        int face = 0, level = 0, plane = -1;
        inspect::Channels channels = inspect::Channels::Color;
        bool isFitted = false;  ///< the range of values is black to white
        bool isBefore = false;
        bool hasMisses = false;  ///< of a texture, how often its lines are missed
        bool hasTiles = false;   ///< with the tiles, and how many primitives are in them
        bool operator==(const ImageChoice&) const = default;
    };
    struct ImageQuestion {
        size_t action = 0;
        ImageChoice choice;
        /// Whether it is a picture of counts, and not of what an image holds.
        [[nodiscard]] bool isCounted() const {
            return choice.of == ImageChoice::Of::Heat || choice.of == ImageChoice::Of::Misses || choice.hasMisses;
        }
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
        TileCounts tiles;
        bool hasCosts = false, hasMisses = false;  ///< they were there when it was asked
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
    struct EditAnswer {
        std::vector<ProgramEdit> edits;
        EditResult result;
        std::shared_ptr<OpenedRecording> opened;  ///< null: they are refused
    };
    /// What the worker has found, taken by the window's thread.
    struct Answers {
        std::optional<ActionAnswer> action;
        std::optional<ImageAnswer> image;
        std::optional<std::string> texel;
        std::optional<MeshAnswer> mesh;
        std::shared_ptr<const FrameCosts> costs;
        std::shared_ptr<const TextureMisses> misses;
        std::optional<std::vector<PresetCost>> presets;
        std::optional<std::vector<double>> times;  ///< milliseconds, by action of the frame
        std::optional<HistoryAnswer> history;
        std::optional<DebugAnswer> debug;
        std::shared_ptr<OpenedRecording> opened;
        std::optional<EditAnswer> edit;
        std::vector<std::string> notes;
    };

    /// The text of a program's stage in the editor.
    struct Draft {
        std::string text;
        bool isChanged = false;  ///< another than recorded
        std::vector<EditMessage> messages;
        int caret = 0;  ///< bytes before it
        int goTo = 0;   ///< a line that is to be seen; 0: none
    };
    using DraftPlace = std::pair<uint32_t, isa::Stage>;  ///< number of the program in the stream, stage

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
    /// Passes and groups that the action is in: as keys of closed_, from the inside out.
    [[nodiscard]] std::vector<size_t> nodesOf(size_t action) const;
    void selectFrame(size_t frame);
    void goBack();
    void askImage();
    void askTexel(int x, int y);
    void askMesh();
    void askMisses();
    void askPresets();
    /// The counts that the choice means; nothing: it is no picture of counts, or they are not there.
    static std::optional<HeatMap> countsOf(const inspect::FrameModel& model, const ImageQuestion& question,
                                           const FrameCosts* costs, const TextureMisses* misses);
    void askHistory(int x, int y);
    void askDebugger(int64_t command, int64_t primitive);
    void askNextFrame();
    /// Compiles what is edited, and opens the recording with it.
    void askRedraw();
    /// Drops what is edited of the program that is shown.
    void forgetEdits();
    void takeEdit(EditAnswer answer);
    /// What was found out of the recording before does not hold of this one.
    void reopen(std::shared_ptr<OpenedRecording> opened);
    [[nodiscard]] Draft& draftOf(const isa::Program& program);
    /// The image that the choice means, and whether it has to be looked at before the action.
    static texture::ImagePtr imageOf(inspect::FrameModel& model, const ImageQuestion& question);

    // --- Showing, in panels.cpp, image_panels.cpp, pixel_panels.cpp and editor_panel.cpp ---

    void show(Window& window);
    void applyTheme(float scale) const;
    void takeKeys();
    void showToolbar();
    void showFound(float x, float y);
    void goToFound(size_t number);
    void updateSearch();
    void cancel();
    /// What Ctrl+C copies while the pointer is on the window that is being shown.
    void offerCopy(std::function<std::string()> words);
    [[nodiscard]] std::string stateWords() const;
    void showActions(float height);
    /// A row of the list of commands: a pass or a debug group, or a command in one.
    struct Row {
        enum class Of : uint8_t { Pass, Group, Action } of = Of::Action;
        size_t number = 0;  ///< in what the model has of it
        size_t depth = 0;
        bool isClosed = false;  ///< what is in it is not listed
    };
    /// Those of the frame that are found, and not in something closed. Where there are debug groups they are the tree,
    /// else the passes.
    [[nodiscard]] std::vector<Row> rowsOf(size_t frame) const;
    void showNode(const Row& row);
    void showCosts(size_t first, size_t end, uint64_t mostCycles);
    void showTabs(float height);
    void showImage();
    void showTextures();
    void showPicture(float height);
    void askAgain(bool wantsCosts, bool wantsMisses);
    void showGrid(float left, float top, float scale);
    void showMesh();
    void showVertices();
    void showPixel();
    void showDebugger();
    void showChip();
    void showPresets();
    void showState(float height);
    void showShaders(float height);
    void showEditorBar(const isa::Program& program);
    void showEditor(const isa::Program& program);
    void showSource(const ShaderText& text);
    void showCode(const ShaderText& text);
    void showAbsent(const nlohmann::ordered_json& absent, const std::vector<size_t>& commands);
    void showHelp();
    [[nodiscard]] WindowContents contents();
    [[nodiscard]] std::string title() const;
    [[nodiscard]] std::string actionText(size_t action) const;
    /// Whether it has what is searched for; where no command has, all have.
    [[nodiscard]] bool isFound(size_t action) const;
    [[nodiscard]] std::optional<size_t> neighbour(bool isNext, bool isDraw) const;
    [[nodiscard]] const std::optional<DrawCost>* costOf(size_t action) const;
    [[nodiscard]] const inspect::FrameModel& model() const { return opened_->model; }

    std::shared_ptr<OpenedRecording> opened_;
    InspectorOptions options_;
    size_t frame_ = 0, action_ = 0;
    std::vector<size_t> before_;             ///< actions that were chosen before
    std::map<size_t, size_t> chosenBefore_;  ///< by frame, the action when it was left
    std::set<size_t> closed_;                ///< passes and groups, by nodesOf()
    Tab tab_ = Tab::Image;
    bool isTabForced_ = true, isHelpShown_ = false, isScrolled_ = true, isSearchFocused_ = false;
    ImageChoice choice_;
    float zoom_ = 0;  ///< 0: as large as fits
    char search_[128] = {};
    std::string searched_, filter_;  ///< what `found_` is of; what commands are listed by
    size_t searchedFrame_ = 0, foundAt_ = 0;
    std::vector<Found> found_;
    bool isFoundShown_ = false;
    std::function<std::string()> copied_;
    float scale_ = 1;  ///< of the window
    std::array<int, 2> pointer_ = {-1, -1};
    isa::Stage stage_ = isa::Stage::Fragment;
    uint32_t line_ = 0;          ///< of the source that is marked
    bool isLineWanted_ = false;  ///< it is to be seen
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
    std::shared_ptr<const TextureMisses> misses_;
    bool areMissesAsked_ = false;
    std::vector<PresetCost> presets_;
    std::vector<double> times_;
    std::optional<HistoryAnswer> history_;
    DebuggerPanel debugger_;
    size_t debugAction_ = 0;
    ChipPanel chip_;
    std::vector<std::string> notes_;
    std::map<DraftPlace, Draft> drafts_;
    std::vector<std::string> editNotes_;
    bool wasEditorFocused_ = false, isEditorFocused_ = false;  ///< in the last frame; wanted in the next
    std::optional<ShaderText> shader_;
    const isa::Program* shaderOf_ = nullptr;
    const FrameCosts* shaderCosts_ = nullptr;

    std::mutex mutex_;
    Answers answers_;
    std::atomic<bool> hasNews_ = false;  ///< answers that are not taken yet
    Worker worker_, slowWorker_;         // the last: their jobs use all the others
};

}  // namespace tessera::tools
