// A recorded stream at any of its steps: images and buffers hold what they held there.
//
// Steps are executed in order, and now and then, after some milliseconds of work, what has changed is kept. A move goes
// to the last kept state before its goal and executes the rest, so that one takes no longer than the work between two
// of them, wherever it goes.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "pipeline/recording/replay.h"

namespace tessera::inspect {

class Scrubber {
public:
    /// Bytes that kept states take at most; then every second is given up.
    static constexpr size_t kMostKept = size_t{1} << 30;
    /// At the beginning of the stream, whose images hold nothing yet. Both outlive it.
    Scrubber(pipeline::CommandStream& stream, pipeline::Gpu& gpu,
             std::chrono::microseconds between = std::chrono::milliseconds(20), size_t mostKept = kMostKept);

    /// The step that is next.
    [[nodiscard]] size_t step() const { return replayer_.step(); }
    /// Before that step is executed; the number of steps is the end. `isCancelled`, unless null, is asked now and then:
    /// the move ends where it is then.
    void seek(size_t step, const std::function<bool()>& isCancelled = nullptr);
    /// Somebody else has executed the stream from where it was to that step.
    void moved(size_t step);
    /// How often a state was gone back to, and how many are kept; of all, for tests and figures.
    [[nodiscard]] size_t keptStates() const { return states_.size(); }
    [[nodiscard]] size_t keptBytes() const { return bytes_; }

    /// What the replay had to say since the last call: pixels that are others than recorded, faults.
    [[nodiscard]] pipeline::ReplayResult takeResult() { return replayer_.takeResult(); }

private:
    /// What a step wrote, as it is behind it.
    struct Kept {
        std::unique_ptr<std::byte[]> bytes;
        size_t size = 0;
    };
    /// Memory that steps write.
    struct Memory {
        texture::ImagePtr image;     ///< null: the buffer
        pipeline::BufferPtr buffer;  ///< null: the place
        pipeline::StreamOutPlace* place = nullptr;
        std::span<const std::byte> first;                  ///< what it holds at first; empty: zeros
        std::vector<size_t> writers;                       ///< steps
        std::map<size_t, std::weak_ptr<const Kept>> kept;  ///< by writer + 1; 0: none has
        [[nodiscard]] std::span<std::byte> bytes() const;
        /// The last writer before the step, + 1.
        [[nodiscard]] size_t versionAt(size_t step) const;
    };
    struct State {
        std::vector<std::shared_ptr<const Kept>> memories;  ///< null: as at first
        std::vector<bool> banned;                           ///< programs
    };

    void keep();
    void restore(size_t step, const State& state);
    void thin();

    pipeline::CommandStream& stream_;
    pipeline::Replayer replayer_;
    const size_t mostKept_;
    std::vector<Memory> memories_;
    std::map<size_t, State> states_;  ///< by the step that is next; the first is the stream's beginning
    size_t bytes_ = 0;
    std::chrono::steady_clock::duration sinceKept_{};
    std::chrono::steady_clock::duration wait_;  ///< between two kept states
};

}  // namespace tessera::inspect
