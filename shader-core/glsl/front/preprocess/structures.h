// What structures are refused before the parser sees them: for how much they hold, and for names that begin with
// "gl_", of theirs and of their members, which glslang lets through.
//
// A structure of two structures of two structures doubles with each line, and glslang takes a uniform's members one by
// one, as well as those of a constant wherever it is named: some hundred characters would take minutes and all memory.
// Members are therefore counted in the tokens.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "shader-core/glsl/front/preprocess/tokens.h"

namespace tessera::glsl::front {

class Structures {
public:
    /// Members of members counted; no register file holds a fraction of them.
    static constexpr uint64_t kMaxMembers = 16384;
    /// The same over all places that name a structure, or what was declared as one: 20 bytes and 0.3 us for each. A
    /// shader that uses structures of ten members has not as many tokens.
    static constexpr uint64_t kMaxUses = 4'000'000;
    /// Pairs of members that are declared in the same structure, over all structures: the parser compares their names,
    /// which takes some 25 ns for each.
    static constexpr uint64_t kMaxPairs = 1 << 26;

    /// The next token of the shader. What is wrong at it, or empty.
    [[nodiscard]] std::string put(const Token& t);

private:
    [[nodiscard]] uint64_t sizeOf(const std::string& type) const;
    /// A token that no structure's body has.
    void putOutside(const Token& t);

    enum class At : uint8_t { Outside, Name, Body };
    /// Of all structures of that name, in whatever scope, the largest.
    std::unordered_map<std::string, uint64_t> sizes_;
    At at_ = At::Outside;
    std::string name_;      ///< of the structure that is open
    uint64_t members_ = 0;  ///< of it, so far
    uint64_t names_ = 0;    ///< of its own members, so far
    uint64_t pairs_ = 0;    ///< of names of all structures
    uint64_t member_ = 0;   ///< of the type of the declaration that is open; 0: not known yet
    uint64_t declarators_ = 0;
    int brackets_ = 0;  ///< [ that are open

    /// What was declared with structures as their type, in whatever scope, functions too: members of the largest.
    std::unordered_map<std::string, uint64_t> declared_;
    uint64_t type_ = 0;         ///< of the declaration that is open; 0: of no structure
    bool namesFollow_ = false;  ///< the next identifier is declared
    uint64_t uses_ = 0;
};

}  // namespace tessera::glsl::front
