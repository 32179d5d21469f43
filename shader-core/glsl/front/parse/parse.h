// glslang as the parser: preprocessed GLSL ES 1.00 text to its syntax tree.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "shader-core/glsl/front/preprocess/preprocess.h"

class TIntermNode;

namespace tessera::glsl::front {

/// Built-in variables that glslang lacks, and what they are called in the tree.
inline constexpr const char* kInstanceIdAlias = "tessera_InstanceID";
inline constexpr const char* kLastFragDataAlias = "tessera_LastFragData";
inline constexpr const char* kViewIdAlias = "tessera_ViewID";
inline constexpr const char* kClipDistanceAlias = "tessera_ClipDistance";
inline constexpr const char* kCullDistanceAlias = "tessera_CullDistance";
inline constexpr const char* kSampleIdAlias = "tessera_SampleID";
inline constexpr const char* kSamplePositionAlias = "tessera_SamplePosition";
inline constexpr const char* kSampleMaskInAlias = "tessera_SampleMaskIn";
inline constexpr const char* kSampleMaskAlias = "tessera_SampleMask";
inline constexpr const char* kNumSamplesAlias = "tessera_NumSamples";
inline constexpr const char* kInterpolateAtAlias = "tessera_InterpolateAt";  ///< begins the names of three functions
/// What the shader calls a variable of OES_sample_variables; empty: the name is none of their aliases.
[[nodiscard]] std::string_view sampleVariableName(std::string_view alias);

/// What the tree does not tell of variables, by the names that it calls them.
struct DeclaredNames {
    std::set<std::string> inouts;   ///< outputs that are declared "inout"
    std::set<std::string> sampled;  ///< inputs that are declared "sample in"
};

/// Owns the tree and the memory pool it lives in. Made and used on one thread.
class ParsedShader {
public:
    ParsedShader();
    ~ParsedShader();
    ParsedShader(ParsedShader&&) noexcept;
    ParsedShader& operator=(ParsedShader&&) noexcept;

    [[nodiscard]] TIntermNode* root() const;  ///< null when parsing failed
    std::string log;                          ///< errors and warnings, one line each
    uint32_t blendSupport = 0;                ///< LinkResult::blendSupport
    int views = 1;                            ///< LinkResult::views
    DeclaredNames declared;

private:
    friend ParsedShader parseText(isa::Stage stage, std::string text, const Limits& limits,
                                  const Extensions& extensions);
    struct State;
    std::unique_ptr<State> state_;
};

[[nodiscard]] ParsedShader parse(isa::Stage stage, const std::string& text, const Limits& limits,
                                 const Extensions& extensions);

}  // namespace tessera::glsl::front
