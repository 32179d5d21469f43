// How much structures hold, before the parser sees them.
//
// A structure of two structures of two structures doubles with each line, and glslang takes a uniform's members one by
// one: some hundred characters would take minutes and all memory. Members are therefore counted in the tokens.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "shader-core/glsl/front/preprocess/tokens.h"

namespace tessera::glsl::front {

class StructureSizes {
public:
    /// Members of members counted; no register file holds a fraction of them.
    static constexpr uint64_t kMaxMembers = 16384;

    /// The next token of the shader. False when it ends a structure with more than kMaxMembers members.
    [[nodiscard]] bool put(const Token& t);
    /// Of the structure that put() refused.
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    [[nodiscard]] uint64_t sizeOf(const std::string& type) const;

    enum class At : uint8_t { Outside, Name, Body };
    /// Of all structures of that name, in whatever scope, the largest.
    std::unordered_map<std::string, uint64_t> sizes_;
    At at_ = At::Outside;
    std::string name_;      ///< of the structure that is open
    uint64_t members_ = 0;  ///< of it, so far
    uint64_t member_ = 0;   ///< of the type of the declaration that is open; 0: not known yet
    uint64_t declarators_ = 0;
};

}  // namespace tessera::glsl::front
