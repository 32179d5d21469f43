// The preprocessor of GLSL ES 1.00 (section 3.4): source text to the text that glslang parses.
//
// glslang has one of its own, but it accepts text before '#', rejects macro names with "__" and `defined` that a
// macro produced, knows extensions that Tessera does not offer, and expands without bound. Ours follows the
// specification, bounds what comes out, and keeps every token on its line, so that line numbers agree.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "shader-core/glsl/glsl.h"

namespace tessera::glsl::front {

/// What #version and #extension say.
struct Extensions {
    int version = 100;  ///< 100 or 300
    /// Of the extensions that glslang implements: "require", "enable", "warn" or "disable", by name.
    std::map<std::string, std::string> behaviors;
    // What was enabled and glslang lacks.
    bool instanceId = false;  ///< gl_InstanceIDEXT
    /// gl_LastFragData, of version 3.00 outputs that are "inout"; and layout(noncoherent) of them.
    bool lastFragData = false, nonCoherentLastFragData = false;
    bool secondColor = false;          ///< of version 3.00: several outputs without location
    bool multiview = false;            ///< gl_ViewID_OVR, layout(num_views = n) in
    bool clipCullDistance = false;     ///< gl_ClipDistance, gl_CullDistance
    bool conservativeDepth = false;    ///< gl_FragDepth may be declared
    bool sampleVariables = false;      ///< gl_SampleID and those beside it
    bool sampleInterpolation = false;  ///< sample in, interpolateAtOffset() and those beside it
};

struct Preprocessed {
    bool ok = false;
    std::string text;               ///< same lines as the source
    std::vector<Message> messages;  ///< errors and warnings
    int invariantAll = 0;           ///< line of a #pragma STDGL invariant(all); 0: there is none
    /// Built-in variables in an `invariant` redeclaration; glslang's tree has no trace of them.
    std::vector<std::string> invariantBuiltIns;
    Extensions extensions;
    size_t depth = 0;  ///< bound on the depth of the syntax tree
    /// #line: from physical line `from` on, the application's line is line - from + to, in string `file`.
    struct LineShift {
        int from = 1, to = 1, file = 0;
    };
    std::vector<LineShift> shifts;

    /// Where each token of the text stands in the source; in the order of the text.
    struct Place {
        int line = 1, column = 0;  ///< physical; column 0: unknown
    };
    std::vector<Place> places;

    struct Declaration {
        Place place;        ///< of the name
        int location = -1;  ///< layout(location = n); -1: none
    };
    std::map<std::string, Declaration> declarations;  ///< of attributes, varyings and uniforms, by name

    /// A message with the place that #line makes of a physical one.
    [[nodiscard]] Message message(bool error, Place place, std::string text) const;
    /// A line of glslang's log, "ERROR: 0:12: text", whose line is one of the text.
    [[nodiscard]] Message fromLog(std::string_view logLine) const;
};

/// The parts of one line of glslang's log; line 0 when it names none.
struct LogLine {
    bool error = true;
    int line = 0;
    std::string text;
};
[[nodiscard]] LogLine splitLogLine(std::string_view logLine);

/// glslang refuses identifiers with "__", which GLSL ES 1.00 only reserves, some that are keywords of other versions
/// alone, and functions of extensions that are disabled: they are spelled differently in the text it sees.
/// restoreNames() undoes that in a name or a message.
[[nodiscard]] std::string restoreNames(std::string_view text);

[[nodiscard]] Preprocessed preprocess(std::string_view source, const Limits& limits);

}  // namespace tessera::glsl::front
