// One program by itself, run once to be looked at: a kernel on its grid, or a shader on groups of lanes. The
// interpreter runs it, so what is counted is the same on every machine, and so is what it leaves in memory.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/chip/result.h"
#include "model/chip/workload.h"
#include "model/report/lines.h"
#include "shader-core/debug/replay/group.h"
#include "shader-core/debug/replay/launch.h"
#include "shader-core/debug/replay/written_types.h"
#include "tools/inspector/report/shader_text.h"

namespace tessera::tools {

/// How an element of memory is read.
enum class Element : uint8_t { F32, I32, U32, Hex, I16, U16, I8, U8 };
inline constexpr std::string_view kElementWords[] = {"f32", "i32", "u32", "hex", "i16", "u16", "i8", "u8"};
[[nodiscard]] size_t bytesOf(Element element);
/// Number `index` of the elements of a memory; empty: that is behind its end.
[[nodiscard]] std::string elementText(std::span<const std::byte> memory, uint64_t index, Element element);

struct ProgramSubject {
    std::string file;  ///< the path that it was given by
    std::shared_ptr<const isa::Program> program;
    std::shared_ptr<const debug::Launch> launch;                  ///< of a kernel: its memory is as before
    std::vector<debug::Group> groups;                             ///< of a shader
    std::array<std::optional<Element>, isa::kMaxBuffers> stored;  ///< by slot, where a file or an option says so
    uint64_t block = 0;                                           ///< of a kernel: that is looked at first

    [[nodiscard]] std::string name() const;  ///< of the file, without its folder
    [[nodiscard]] bool isKernel() const { return launch != nullptr; }
    /// How the memory of a slot is read unless somebody says otherwise: as it was given, else as the program accesses
    /// it.
    [[nodiscard]] Element usualElement(int slot) const;
    [[nodiscard]] uint64_t blockCount() const { return isKernel() ? debug::blockCount(*launch) : 1; }
    /// "2,0,1", of a kernel.
    [[nodiscard]] std::string blockText(uint64_t block) const;
};

/// Instructions that were executed, and the lanes that took part, over all of them.
struct Executions {
    uint64_t instructions = 0, lanes = 0;
};
struct BlockCount : Executions {
    uint64_t barriers = 0;  ///< groups that came to one
};
struct ProgramRun {
    std::vector<Executions> byPc;
    std::vector<BlockCount> blocks;      ///< of a kernel; those behind a fault did not run
    debug::Buffers after;                ///< of a kernel: its memory when all has run
    std::vector<debug::Outcome> groups;  ///< of a shader
    std::vector<debug::WrittenTypes> types;
    isa::ComputeCounters counters;
    std::string problem;  ///< why it was stopped; empty: it ran to its end
};

/// A group that came to a barrier.
struct Arrival {
    uint32_t pc = 0, group = 0, lanes = 0;
    uint8_t barrier = 0;
    uint64_t instructions = 0;  ///< that the group had executed
};
struct GroupCount : Executions {
    std::array<uint64_t, isa::kGroupSize> byLane{};  ///< instructions that the lane took part in
};
/// A block of a kernel, or the groups of a shader.
struct BlockRun {
    uint64_t block = 0;
    std::vector<GroupCount> groups;
    std::vector<Arrival> arrivals;  ///< in the order in which they came
    std::string problem;
};

/// Asked now and then; true ends the work, whose answer nobody wants.
using IsCancelled = std::function<bool()>;

[[nodiscard]] ProgramRun runOnce(const ProgramSubject& subject, const IsCancelled& isCancelled);
[[nodiscard]] BlockRun runBlock(const ProgramSubject& subject, uint64_t block, const IsCancelled& isCancelled);
/// The groups of a block, for the debugger: the blocks before it have run. None, and why, when one of them fails.
[[nodiscard]] std::vector<debug::Group> groupsAt(const ProgramSubject& subject, uint64_t block,
                                                 const IsCancelled& isCancelled, std::string& problem);

/// What it takes on a modelled chip, which does nothing else.
struct ProgramCosts {
    model::Workload workload;
    model::Result result;
    model::ProgramCost cost;
};
[[nodiscard]] std::optional<ProgramCosts> costsOf(const ProgramSubject& subject, const std::string& preset,
                                                  std::string& why);

/// The program to read, with what was counted. `costs` null: without cycles.
[[nodiscard]] ShaderText textOf(const ProgramSubject& subject, const ProgramRun* run, const ProgramCosts* costs);
[[nodiscard]] std::string_view stageText(isa::Stage stage);

/// Elements that the run changed, by number.
[[nodiscard]] std::vector<uint64_t> changedElements(std::span<const std::byte> before, std::span<const std::byte> after,
                                                    Element element);

/// What a lane of a shader left in an output: "0.5 0.25 0.0 1.0".
[[nodiscard]] std::string outputText(const ProgramRun& run, size_t group, int lane, int output);

}  // namespace tessera::tools
