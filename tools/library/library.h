// What the functions of tessera_tools.h share: their objects, what they say went wrong, and the frame that each call
// runs in.
#pragma once

#include <tessera_tools.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/float_control.h"
#include "model/chip/workload.h"
#include "shader-core/debug/replay/launch.h"
#include "shader-core/isa/program.h"
#include "tools/run/group_textures.h"
#include "tools/run/places.h"

#define TESSERA_EXPORT extern "C" [[gnu::visibility("default")]]

// --- Objects ---

struct TesseraText {
    std::string bytes;
};

struct TesseraProgram {
    std::shared_ptr<const tessera::isa::Program> program;
    std::string name;  ///< of its file, in messages
};

struct TesseraJob {
    /// Values of an input: of one lane, or of each.
    struct Input {
        tessera::tools::Place place;
        size_t components = 0;
        std::vector<uint32_t> words;
    };
    std::shared_ptr<const tessera::isa::Program> program;
    std::string name;
    uint32_t width = 0, height = 1;  ///< of the picture; vertices: one row
    std::vector<Input> inputs;
    std::vector<std::array<float, 4>> constants;
    std::shared_ptr<tessera::tools::GroupTextures> textures;  ///< null: none
    std::shared_ptr<tessera::debug::Launch> launch;           ///< of a compute program alone

    // Of a job that has run: four floats for each lane, by output, and which lanes were discarded
    bool hasRun = false;
    std::vector<std::vector<float>> outputs;
    std::vector<uint8_t> discarded;

    [[nodiscard]] bool isKernel() const { return launch != nullptr; }
    [[nodiscard]] bool isPicture() const { return program->stage == tessera::isa::Stage::Fragment; }
    [[nodiscard]] size_t lanes() const { return size_t{width} * height; }
    [[nodiscard]] uint64_t groups() const;
    /// Index of a group's lane among the lanes; nothing where the group reaches beyond them.
    [[nodiscard]] std::optional<size_t> index(uint64_t group, int lane) const;
    /// The group with its inputs. Of a kernel nothing: blocks have several.
    [[nodiscard]] tessera::debug::Group groupNumber(uint64_t group) const;
    /// What runs together: the group alone, or the groups of a block as the blocks before it leave its memory. Nothing,
    /// with the error set, when one of those fails.
    [[nodiscard]] std::optional<std::vector<tessera::debug::Group>> together(uint64_t group) const;
};

struct TesseraWorkload {
    tessera::model::Workload workload;
};

namespace tessera::tools::library {

// --- What went wrong ---

struct Diagnostic {
    bool isError = true;
    int line = 0, column = 0;
    std::string file, message, snippet;
};

/// Of the calling thread's last call. What has no place is a diagnostic without a line.
void clearProblems() noexcept;
void addProblem(Diagnostic problem);
/// "file:line:column: what", as parts of the tree write problems; without a place the text alone. `file` is the name
/// where the text has none.
void addLocated(std::string_view problem, std::string_view file = {});
/// Memory ran out: says so without taking any.
void setMemoryRanOut() noexcept;

/// Says why and gives what a function gives that did not do what it says.
struct Failed {
    operator int() const { return 0; }  // NOLINT(google-explicit-constructor): it is what is returned
    template <class Object>
    operator Object*() const {  // NOLINT(google-explicit-constructor): likewise
        return nullptr;
    }
};
inline Failed fail(std::string_view why, std::string_view file = {}) {
    addLocated(why, file);
    return {};
}

/// Runs what a function does: in the floating-point environment of the machine, with no exception let out.
template <class Result, class Work>
Result call(const Work& work) noexcept {
    const FloatControl callers = floatControl();
    setFloatControl(kDefaultFloatControl);
    Result result{};
    try {
        clearProblems();
        result = work();
    } catch (const std::bad_alloc&) {
        setMemoryRanOut();
    } catch (const std::exception& error) {
        try {
            addProblem({.message = std::string("unexpected: ") + error.what()});
        } catch (const std::bad_alloc&) {
            setMemoryRanOut();
        }
    }
    setFloatControl(callers);
    return result;
}

[[nodiscard]] inline TesseraText* text(std::string bytes) { return new TesseraText{std::move(bytes)}; }

}  // namespace tessera::tools::library
