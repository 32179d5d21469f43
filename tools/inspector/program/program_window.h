// The inspector of a program by itself: the blocks of a kernel's grid, groups and their lanes, memory before and after,
// barriers, or a shader's outputs; the debugger at any lane, and the chip. Beside a frame's (inspector.h), of the same
// parts.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/frame/image_look.h"
#include "shader-core/debug/session.h"
#include "tools/inspector/program/program_run.h"
#include "tools/inspector/report/shader_text.h"
#include "tools/inspector/window/chip_panel.h"
#include "tools/inspector/window/debugger_panel.h"
#include "tools/inspector/window/window.h"
#include "tools/inspector/window/window_loop.h"
#include "tools/inspector/window/worker.h"

namespace tessera::tools {

enum class ProgramTab : uint8_t { Memory, Barriers, Outputs, Debugger, Chip };
inline constexpr std::string_view kProgramTabWords[] = {"memory", "barriers", "outputs", "debugger", "chip"};

struct ProgramWindowOptions {
    std::string preset = "tessera";
    std::optional<ProgramTab> tab;  ///< none: the first that the program has
    bool isLight = false;
};

class ProgramInspector {
public:
    ProgramInspector(std::shared_ptr<const ProgramSubject> subject, ProgramWindowOptions options);
    ~ProgramInspector();

    /// Until the window is closed.
    void run(Window& window);
    /// Until all answers are there; what the window shows then.
    [[nodiscard]] inspect::Picture pictureWhenDone(Window& window);

private:
    struct DebugAnswer {
        uint64_t block = 0;
        std::string problem;
        std::unique_ptr<debug::Session> session;
    };
    /// What the workers have found, taken by the window's thread.
    struct Answers {
        std::shared_ptr<const ProgramRun> run;
        std::shared_ptr<const BlockRun> block;
        std::shared_ptr<const ProgramCosts> costs;
        std::optional<DebugAnswer> debug;
        std::vector<std::string> notes;
    };
    enum class Moment : uint8_t { Before, After, Debugger };

    void give(const std::function<void(Answers&)>& put);
    void takeAnswers();
    void selectBlock(uint64_t block);
    void selectLane(uint32_t group, int lane);
    void askDebugger();
    [[nodiscard]] std::vector<ProgramTab> tabs() const;
    [[nodiscard]] uint32_t groupCount() const;
    [[nodiscard]] uint32_t activeLanes(uint32_t group) const;
    [[nodiscard]] std::string title() const;
    [[nodiscard]] WindowContents contents();
    [[nodiscard]] std::string working() const;
    /// Memory of a slot at the moment that is looked at.
    [[nodiscard]] std::span<const std::byte> memory(int slot) const;

    void show(Window& window);
    void takeKeys();
    void showToolbar();
    void showBlocks(float height);
    void showGroups(float height);
    void showTabs(float height);
    void showMemory();
    void showElements(int slot);
    void showBarriers();
    void showOutputs();
    void showProgram(float height);
    void showSource();
    void showCode();
    void showHelp();

    std::shared_ptr<const ProgramSubject> subject_;
    ProgramWindowOptions options_;
    float scale_ = 1;  ///< of the window
    ProgramTab tab_ = ProgramTab::Memory;
    bool isTabForced_ = true, isHelpShown_ = false, isScrolled_ = true, isSearchFocused_ = false;
    uint64_t block_ = 0;
    uint32_t group_ = 0;
    int lane_ = 0;
    int slot_ = 0;
    std::array<std::optional<Element>, isa::kSharedSlot + 1> elements_;  ///< that were chosen, by slot
    Moment moment_ = Moment::After;
    bool isChangedOnly_ = false;
    char search_[128] = {};
    uint32_t line_ = 0;           ///< of the source that is marked
    std::optional<uint32_t> pc_;  ///< where the debugger is
    std::string notes_;

    std::shared_ptr<const ProgramRun> run_;
    std::shared_ptr<const BlockRun> blockRun_;
    std::shared_ptr<const ProgramCosts> costs_;
    std::optional<ShaderText> text_;
    DebuggerPanel debugger_;
    std::optional<uint64_t> debuggedBlock_, askedBlock_;
    ChipPanel chip_;
    struct Changes {
        const ProgramRun* run = nullptr;
        int slot = -1;
        Element element = Element::Hex;
        std::vector<uint64_t> elements;
    };
    Changes changes_;

    std::mutex mutex_;
    Answers answers_;
    std::atomic<bool> hasNews_ = false;  ///< answers that are not taken yet
    Worker worker_, slowWorker_;         // the last: their jobs use all the others
};

}  // namespace tessera::tools
