// The encoded form of the command stream: what the GPU executes, written to a file with all that it refers to, so that
// decode.h can read it back, `tessera commands` list it and replay it. docs/commands.md is the format.
//
// A file is a header and records. Images, views, buffers, programs and draw states are defined before the first command
// that refers to them, and are known by their number from then on. What the front end writes into an image or a buffer
// between commands is found by comparing, and recorded too: a buffer that commands only read is another version then,
// which has a number of its own. At each end of a frame, and of the recording, the file says what the images drawn to
// must hold, and the buffers written to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/frame_range.h"
#include "pipeline/probe/command_probe.h"
#include "texture/image.h"

namespace tessera::pipeline {

inline constexpr char kCommandMagic[4] = {'T', 'S', 'C', '1'};
inline constexpr uint32_t kCommandVersion = 11;
inline constexpr size_t kCommandHeaderSize = 16;  ///< magic, version, the instruction budget of a group (64 bits)
inline constexpr size_t kRecordHeaderSize = 16;   ///< kind, the low 32 bits of XXH3 of the payload, its size (64 bits)

enum class RecordKind : uint32_t {
    Image = 2,
    Contents,
    View,
    Program,
    State,
    EndBuffer,
    Expect,
    End,             ///< how many commands there were before it
    Buffer,          ///< with what it holds at first
    BufferContents,  ///< this and the next: as Contents and Expect, of a buffer
    BufferExpect,
    Whole,        ///< how many commands there are before it, which can be executed without what follows
    Command = 64  ///< and those behind it: 64 + index in the variant
};

/// XXH3 of all bytes.
[[nodiscard]] uint64_t hashOf(const void* bytes, size_t size);
/// XXH3 of the image's pixels, row of blocks by row of blocks, without its padding.
[[nodiscard]] uint64_t hashOfPixels(const texture::Image& image);

class CommandRecorder final : public CommandProbe {
public:
    /// Records those frames; what is before the first end of a frame is frame 1's. Without a range each command buffer
    /// is whole by itself, as those of a compute device are. A file that cannot be written is said on standard error.
    CommandRecorder(const std::string& path, std::optional<FrameRange> frames);
    ~CommandRecorder() override;

    void before(const CommandBuffer& buffer) noexcept override;
    void after(const CommandBuffer& buffer) noexcept override;
    /// Whether there is a file that commands go to.
    [[nodiscard]] bool isOpen() const noexcept;
    /// No more is recorded. By a task, when the process ends; else the last frame does it.
    void finish() noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera::pipeline
