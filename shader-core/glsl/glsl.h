// The compiler of GLSL ES 1.00 and 3.00: source text to ISA programs.
//
//   compile()  preprocess, parse (glslang), check what glslang lets through, lower to IR
//   link()     match the two stages, give registers, optimise, emit ISA
//
// Any text is safe: errors end in the info log, one line each and up to kMaxErrors of them,
// "ERROR: 0:12:5: 'foo' : undeclared identifier": string, line and column, as #line counts. This is ANGLE's form, which
// programs read lines out of, with the column behind the line. A column that is not known is left out. What the linker
// says of a variable names the place of its declaration, and that of its partner in the vertex shader behind "at".
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shader-core/isa/core.h"

namespace tessera::glsl {

/// Implementation limits, as glGet reports them and as gl_Max* constants.
struct Limits {
    int vertexAttribs = 16;
    int vertexUniformVectors = 256;
    int fragmentUniformVectors = 256;
    int varyingVectors = 31;
    int vertexTextureUnits = 16;
    int fragmentTextureUnits = 16;
    int combinedTextureUnits = 32;
    int drawBuffers = 1;  ///< of shaders of version 1.00; the others have isa::kColors
    int version = 100;    ///< the latest that #version may name: 100 or 300
    int minTexelOffset = -8, maxTexelOffset = 7;
    int vertexUniformBlocks = 12, fragmentUniformBlocks = 12, combinedUniformBlocks = 24;
    int uniformBlockBytes = 65536;
    // Extensions that #extension may name (GL_EXT_draw_buffers and GL_NV_draw_buffers: with more than one draw buffer;
    // gl_FragData has all elements and gl_FragColor goes to every draw buffer in any case: programs rely on it).
    bool standardDerivatives = true;  ///< GL_OES_standard_derivatives
    bool fragDepth = true;            ///< GL_EXT_frag_depth
    bool shaderTextureLod = true;     ///< GL_EXT_shader_texture_lod
    /// GL_EXT_shader_framebuffer_fetch and its _non_coherent form: gl_LastFragData, of version 3.00 inout outputs
    bool framebufferFetch = true;
    bool dualSource = true;        ///< GL_EXT_blend_func_extended: gl_SecondaryFragColorEXT, layout(index = 1) out
    bool drawInstanced = false;    ///< GL_EXT_draw_instanced: gl_InstanceIDEXT
    bool imageExternal = false;    ///< GL_OES_EGL_image_external
    bool texture3D = false;        ///< GL_OES_texture_3D
    bool shadowSamplers = false;   ///< GL_EXT_shadow_samplers
    bool separateObjects = false;  ///< GL_EXT_separate_shader_objects: layout(location = n)
    bool multiview = true;         ///< GL_OVR_multiview and GL_OVR_multiview2: gl_ViewID_OVR, layout(num_views = n) in;
    bool advancedBlend = true;     ///< GL_KHR_blend_equation_advanced: layout(blend_support_multiply) out;
    bool clipCullDistance = true;  ///< GL_EXT_clip_cull_distance: gl_ClipDistance, gl_CullDistance
    /// GL_OES_sample_variables: gl_SampleID, gl_SampleMask, ...; GL_OES_shader_multisample_interpolation: sample in,
    /// ...
    bool sampleVariables = true;
    /// Nodes of the syntax tree, about one for each instruction. Where inlining all functions would make more of them,
    /// long functions that are called more than once are called by the program, too.
    uint64_t inlinedNodes = 16384;
    bool callsFunctions = false;  ///< all functions are called that can be, for tests
};

/// Builds the parser's tables of the built-in symbols of a version (100 or 300), some milliseconds once in a process;
/// else the first compile() of that version does. Any thread, at any time: a compile() that comes meanwhile waits.
void prepare(int version);

/// A compiled, not yet linked shader. Immutable.
class Shader;

inline constexpr size_t kMaxErrors = 20;

/// An error or a warning about a shader.
struct Message {
    bool error = true;
    int sourceLine = 0;        ///< of the text, from 1; 0: none
    int column = 0;            ///< from 1; 0: unknown
    int string = 0, line = 0;  ///< the place as #line counts
    std::string text;
};

struct CompileResult {
    std::shared_ptr<const Shader> shader;  ///< null when compilation failed
    std::vector<Message> messages;         ///< in the order they were found
    std::string infoLog;                   ///< the messages, one line each; empty when there is nothing to say
};

/// For people: "file:12:5: error: 'foo' : undeclared identifier", the line and a caret, for each message. A string
/// number that #line gave stands behind the name: "file[3]:12:5".
[[nodiscard]] std::string describe(const std::vector<Message>& messages, std::string_view file,
                                   std::string_view source);

/// With `debugInfo` the linked program says where the variables of the source are (Program::debugInfo). Its code is the
/// same; compiling takes longer.
[[nodiscard]] CompileResult compile(isa::Stage stage, std::string_view source, const Limits& limits = {},
                                    bool debugInfo = false);

struct LinkResult {
    bool ok = false;
    std::string infoLog;
    /// Variables carry their registers. Only active attributes, varyings and uniforms are listed; a uniform
    /// used by both stages stands in both programs under the same name. Built-in gl_DepthRange.* uniforms are
    /// listed under their GL names.
    std::shared_ptr<isa::Program> vertex, fragment;
    /// The advanced blend equations that the fragment shader says it may be drawn with, in the order of
    /// KHR_blend_equation_advanced's table X.3 from bit 0 on; all of them: kAllBlendEquations.
    uint32_t blendSupport = 0;
    int views = 1;  ///< that the vertex shader is for: layout(num_views = n) in
};
inline constexpr int kMaxViews = 4;
inline constexpr int kMaxSamples = 4;    ///< of a pixel
inline constexpr int kMaxDistances = 8;  ///< to clip and to cull by, of a vertex, both kinds together
inline constexpr uint32_t kAllBlendEquations = (1u << 15) - 1;
inline constexpr int kMaxSecondColors = 1;  ///< draw buffers that may have a second colour (EXT_blend_func_extended)

/// The colour that an output of a fragment shader is: of a draw buffer the first, or the second (index 1).
struct OutputPlace {
    int location = 0;
    bool isSecond = false;
};
/// glBindFragDataLocationIndexedEXT's: places of outputs whose shader gives no location, by name.
using OutputBindings = std::map<std::string, OutputPlace>;

/// The link rules of ES 2.0 and 3.0. `attributeBindings` are glBindAttribLocation's (name to location, any names); a
/// location in the shader comes first. `captured` names outputs of the vertex shader, or elements of such, that stay
/// when the fragment shader does not read them: they are in the vertex program's varyings, each at the component that
/// is told there. Names of no output do nothing. Outputs of the fragment shader that neither the shader nor `outputs`
/// gives a place get the first that are free.
[[nodiscard]] LinkResult link(const Shader& vertex, const Shader& fragment,
                              const std::map<std::string, int>& attributeBindings, const Limits& limits = {},
                              const std::vector<std::string>& captured = {}, const OutputBindings& outputs = {});

/// One stage alone. All its varyings are active, each in registers of its own: at its location, which is then its name
/// too ("layout(location=3)"), or else, as attributes without a location, in the order of the declarations.
[[nodiscard]] LinkResult linkSingle(const Shader& shader, const Limits& limits = {},
                                    const std::map<std::string, int>& attributeBindings = {},
                                    const OutputBindings& outputs = {});

}  // namespace tessera::glsl
