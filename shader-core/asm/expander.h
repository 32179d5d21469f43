// The first step of assembly: text to lines. Comments go, included files come in, macros are expanded; every line
// remembers where it was written and through what it came.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::assembly {

/// Contents of an included file, or why there are none.
struct IncludedFile {
    std::optional<std::string> text;
    std::string why;     ///< "No such file or directory"
    std::string folder;  ///< that was searched
};
/// The file that `.include "path"` names in the file `from`.
using IncludeReader = std::function<IncludedFile(const std::string& path, const std::string& from)>;

inline constexpr int kMaxIncludeDepth = 16;
inline constexpr int kMaxMacroDepth = 32;
inline constexpr size_t kMaxExpandedLines = 131072;
inline constexpr size_t kMaxExpandedBytes = size_t{8} << 20;
inline constexpr size_t kMaxExpansionErrors = 50;

struct SourcePlace {
    int file = 0;      ///< index into Expansion::files
    int line = 0;      ///< from 1
    int column = 1;    ///< from 1
    int through = -1;  ///< index into Expansion::steps: the macro or include the line came through
};

struct ExpandedLine {
    std::string text;  ///< arguments filled in, comment kept (a listing shows it)
    SourcePlace place;
    int rootLine = 0;  ///< the line of the assembled text itself that all of this stands for
    [[nodiscard]] std::string_view statement() const;  ///< without the comment
};

/// One `.include` or macro use.
struct ExpansionStep {
    SourcePlace place;  ///< where it stands
    std::string what;   ///< "included here", "in the expansion of 'name'"
};

struct ExpansionError {
    SourcePlace place;
    std::string message, text;  ///< text: the line
};

struct Expansion {
    std::vector<std::string> files;  ///< [0] is the text itself
    std::vector<ExpandedLine> lines;
    std::vector<ExpansionStep> steps;
    std::vector<ExpansionError> errors;
    std::vector<std::string> macros;  ///< names of those defined
    bool isComplete = true;           ///< all included files could be read
};

[[nodiscard]] Expansion expand(std::string_view text, std::string fileName, const IncludeReader& include);

/// A line up to its comment (`;` or `//` outside quotes).
[[nodiscard]] std::string_view withoutComment(std::string_view line);

}  // namespace tessera::assembly
