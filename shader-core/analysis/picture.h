// Fragment programs that need no call: those that show a picture, one 2D lookup at a varying, each channel of which is
// written as it is or times a constant or a varying (pipeline/raster/block_rectangle.h), as most of what user
// interfaces draw; and those that write varyings and constants as they are (pipeline/raster/block_color.h), as pictures
// that are lit at their vertices.
#pragma once

#include <cstdint>

#include "shader-core/isa/core.h"

namespace tessera::analysis {

/// What such a program computes: channel c of colour 0 is the product of a texel's channel and a factor, or the one of
/// them that there is.
struct Picture {
    enum class Factor : uint8_t { One, Literal, Constant, Varying };
    struct Channel {
        int8_t texel = -1;  ///< channel of the texel; -1: none
        Factor factor = Factor::One;
        uint32_t at = 0;  ///< Literal: bits; Constant: 4 * register + component; Varying: the plane's number
        bool operator==(const Channel&) const = default;
    };
    uint8_t instructions = 0;  ///< that the program executes; 0: it is none of these
    bool hasLookup = false;    ///< false: no channel has a texel
    uint8_t unit = 0;          ///< texture unit
    uint8_t s = 0, t = 0;      ///< planes of the coordinates
    Channel channel[4];

    [[nodiscard]] bool isLookup() const { return instructions != 0 && hasLookup; }
    /// Colours that are varyings, at least one channel of them.
    [[nodiscard]] bool isCopy() const {
        if (instructions == 0 || hasLookup) return false;
        for (const Channel& one : channel)
            if (one.factor == Factor::Varying) return true;
        return false;
    }
};

[[nodiscard]] Picture pictureOf(const isa::Program& fragment);

}  // namespace tessera::analysis
