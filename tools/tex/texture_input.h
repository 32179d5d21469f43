// A texture of any file that `tessera tex` reads, as RGBA bytes on demand.
#pragma once

#include <optional>
#include <string>

#include "tools/tex/texture_file.h"

namespace tessera::tools {

/// A file's bytes and what is in them. PNG and JPEG are decoded at once: one face, one level.
class TextureInput {
public:
    /// Nothing, with a message on standard error and the exit status, when the file is not a texture.
    [[nodiscard]] static std::optional<TextureInput> open(const std::string& path, int& status);

    [[nodiscard]] const TextureFile& file() const { return file_; }
    [[nodiscard]] size_t byteCount() const { return bytes_.size(); }
    [[nodiscard]] int levelCount() const { return static_cast<int>(file_.levels[0].size()); }
    [[nodiscard]] const TextureFileLevel& level(int face, int level) const {
        return file_.levels[static_cast<size_t>(face)][static_cast<size_t>(level)];
    }
    /// Row 0 is the top one.
    [[nodiscard]] Texels texels(int face, int level, int slice) const;

private:
    std::string bytes_;
    TextureFile file_;
    Texels picture_;  ///< of a PNG or JPEG
};

}  // namespace tessera::tools
