// A recorded command stream in words: what its commands and states are, field by field, and what things are called.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "pipeline/recording/decode.h"

namespace tessera::inspect {

using Json = nlohmann::ordered_json;
/// Names and values in the order of pipeline/recording/fields.h.
using Fields = std::vector<std::pair<std::string, Json>>;

/// What things are called: by their number in the file.
class Names {
public:
    explicit Names(const pipeline::CommandStream& stream);
    [[nodiscard]] uint32_t of(const void* thing) const;  ///< 0: it is none of the stream's

private:
    template <class T>
    void add(const std::vector<T>& things);
    std::unordered_map<const void*, uint32_t> numbers_;
};

/// "image 3 plane 1 (64x64 Rgba8)"
[[nodiscard]] std::string imageText(const Names& names, const texture::Image& image);
/// "buffer 2 (660)"
[[nodiscard]] std::string bufferText(const Names& names, const pipeline::Buffer& buffer);

[[nodiscard]] Fields fieldsOf(const Names& names, const pipeline::Command& command);
[[nodiscard]] Fields fieldsOf(const Names& names, const pipeline::DrawState& state);
/// Of a command of the same kind that is as they mostly are.
[[nodiscard]] Fields usualFields(const Names& names, const pipeline::Command& command);

/// The fields that are others than those of `before`, or that it has not.
[[nodiscard]] Fields changed(const Fields& now, const Fields& before);
/// The fields with one for all colour targets where they say the same of each: "blend" for "target 0 blend" and its
/// like.
[[nodiscard]] Fields withoutRepeats(const Fields& fields);

/// "none", "on", "off", a word, a number.
[[nodiscard]] std::string valueText(const Json& value);
/// Without repeats, in a line.
[[nodiscard]] std::string fieldsText(const Fields& fields);
/// What every draw shows first: "triangles, 660 indices (u16), program 1".
[[nodiscard]] std::string drawText(const pipeline::Draw& draw, const Names& names);

}  // namespace tessera::inspect
