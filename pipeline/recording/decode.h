// Reads what encode.h wrote. Any bytes may be given: what is refused is said with its place, and what is not may be
// executed, as it keeps to all that the front end would have kept to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "pipeline/commands.h"

namespace tessera::pipeline {

/// A recording. What has a number in the file is at the place number - 1.
struct CommandStream {
    /// The front end wrote the image, all planes with padding, or the buffer. The bytes are the file's.
    struct Contents {
        texture::ImagePtr image;  ///< null: the buffer
        BufferPtr buffer;
        std::span<const std::byte> bytes;
    };
    /// What the image's pixels (hashOfPixels) or the buffer's bytes (hashOf) must hash to, after all before it is
    /// executed.
    struct Expectation {
        texture::ImagePtr image;  ///< null: the buffer
        BufferPtr buffer;
        uint64_t hash = 0;
    };
    struct EndBuffer {};
    using Step = std::variant<Command, Contents, Expectation, EndBuffer>;
    /// Of a file that is cut off, as a program leaves it that was killed: what is read of it, and what is not.
    struct Cut {
        enum class Unit : uint8_t {
            Frame,       ///< whole frames are read
            Buffer,      ///< of a compute device: whole command buffers
            BeforeFrame  ///< whole command buffers, as no frame is whole
        } unit = Unit::Frame;
        size_t units = 0;
        size_t leftOut = 0;  ///< bytes
    };

    uint64_t budget = 0;  ///< instructions of a group, where it was recorded (TESSERA_BUDGET)
    std::vector<Step> steps;
    std::vector<texture::ImagePtr> images;
    std::vector<BufferPtr> buffers;
    std::vector<std::span<const std::byte>> firstContents;  ///< of each buffer, the file's; empty: zeros
    std::vector<texture::TextureViewPtr> views;
    std::vector<std::shared_ptr<Program>> programs;  ///< without routines
    std::vector<std::shared_ptr<DrawState>> states;
    std::vector<std::unique_ptr<ConstantRegister[]>> constants;  ///< of the commands
    struct Place {
        std::shared_ptr<StreamOutPlace> place;
        uint64_t first = 0;  ///< where it is at first
    };
    std::vector<Place> places;  ///< of stream-outs
    std::optional<Cut> cut;     ///< none: the file is complete

    [[nodiscard]] size_t commandCount() const;
};

/// Images and buffers of a recording take no more memory than this beside what the file itself holds of buffers.
inline constexpr size_t kMaxRecordedMemory = size_t{2} << 30;

/// Nothing, and "byte N: what is wrong and what to do" in *problem, when it is no recording, or nothing in it is whole.
[[nodiscard]] std::optional<CommandStream> decodeCommands(std::span<const std::byte> file, std::string* problem);

/// "the last frame is cut off: 41 whole frames, 12345 bytes left out".
[[nodiscard]] std::string cutText(const CommandStream::Cut& cut);

/// The size of the record that a recording ends with unless it is cut off.
inline constexpr size_t kEndRecordSize = 24;
/// Whether those bytes are such a record: whether the recording that they are the last bytes of is complete.
[[nodiscard]] bool isEndOfCommands(std::span<const std::byte> bytes);

}  // namespace tessera::pipeline
