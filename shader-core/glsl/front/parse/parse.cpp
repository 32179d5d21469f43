#include "shader-core/glsl/front/parse/parse.h"

#include <fmt/format.h>
#include <glslang/Include/ResourceLimits.h>
#include <glslang/MachineIndependent/localintermediate.h>
#include <glslang/Public/ShaderLang.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <mutex>
#include <span>
#include <string_view>

#include "base/process/memory_reserve.h"

namespace tessera::glsl::front {

static_assert(1u << glslang::EBlendAllEquations == kAllBlendEquations + 1);

struct ParsedShader::State {
    glslang::TShader shader;
    std::string preamble, text;
    const char* strings[1] = {};
    int lengths[1] = {};
    TIntermNode* root = nullptr;

    explicit State(EShLanguage stage) : shader(stage) {}
};

ParsedShader::ParsedShader() = default;
ParsedShader::~ParsedShader() = default;
ParsedShader::ParsedShader(ParsedShader&&) noexcept = default;
ParsedShader& ParsedShader::operator=(ParsedShader&&) noexcept = default;

TIntermNode* ParsedShader::root() const { return state_ ? state_->root : nullptr; }
namespace {

/// The limits of Appendix A lifted, as drivers do: any expression may index variables.
TBuiltInResource resources(const Limits& limits) {
    TBuiltInResource r{};
    r.maxVertexAttribs = limits.vertexAttribs;
    r.maxVertexUniformVectors = limits.vertexUniformVectors;
    r.maxVertexUniformComponents = limits.vertexUniformVectors * 4;
    r.maxFragmentUniformVectors = limits.fragmentUniformVectors;
    r.maxFragmentUniformComponents = limits.fragmentUniformVectors * 4;
    r.maxVaryingVectors = limits.varyingVectors;
    r.maxVaryingFloats = limits.varyingVectors * 4;
    r.maxVertexTextureImageUnits = limits.vertexTextureUnits;
    r.maxTextureImageUnits = limits.fragmentTextureUnits;
    r.maxCombinedTextureImageUnits = limits.combinedTextureUnits;
    r.maxDrawBuffers = limits.drawBuffers;
    r.maxVertexOutputVectors = limits.varyingVectors;
    r.maxFragmentInputVectors = limits.varyingVectors;
    r.maxVertexOutputComponents = limits.varyingVectors * 4;
    r.maxFragmentInputComponents = limits.varyingVectors * 4;
    r.minProgramTexelOffset = limits.minTexelOffset;
    r.maxProgramTexelOffset = limits.maxTexelOffset;
    r.maxDualSourceDrawBuffersEXT = kMaxSecondColors;  // glslang sizes an array by it
    r.limits.nonInductiveForLoops = true;
    r.limits.whileLoops = true;
    r.limits.doWhileLoops = true;
    r.limits.generalUniformIndexing = true;
    r.limits.generalAttributeMatrixVectorIndexing = true;
    r.limits.generalVaryingIndexing = true;
    r.limits.generalSamplerIndexing = true;
    r.limits.generalVariableIndexing = true;
    r.limits.generalConstantMatrixVectorIndexing = true;
    return r;
}

/// glslang's log without its summary lines and blanks at line ends.
std::string tidyLog(std::string_view raw) {
    std::string out;
    while (!raw.empty()) {
        size_t end = raw.find('\n');
        std::string_view line = raw.substr(0, end);
        raw = end == std::string_view::npos ? std::string_view{} : raw.substr(end + 1);
        while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
        if (line.empty() || line.find("No code generated") != std::string_view::npos ||
            line.find("compilation terminated") != std::string_view::npos)
            continue;
        out.append(line).push_back('\n');
    }
    return out;
}

struct Alias {
    std::string_view name, alias, declaration;
};
/// Read only, as a uniform is.
constexpr Alias kInstanceId{"gl_InstanceIDEXT", kInstanceIdAlias, "uniform highp int tessera_InstanceID; "};

constexpr std::string_view kLastFragData = "gl_LastFragData";

void replaceAll(std::string& text, size_t at, std::string_view from, std::string_view to) {
    for (at = text.find(from, at); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// The token that ends before `end`, where blanks stand between tokens; "" when there is none.
std::string_view tokenBefore(std::string_view text, size_t end) {
    constexpr std::string_view kBlanks = " \n";
    const size_t last = end == 0 ? std::string_view::npos : text.find_last_not_of(kBlanks, end - 1);
    if (last == std::string_view::npos) return {};
    const size_t before = text.find_last_of(kBlanks, last);
    const size_t first = before == std::string_view::npos ? 0 : before + 1;
    return text.substr(first, last + 1 - first);
}

/// A built-in as a global variable.
std::string withAlias(std::string text, const Alias& a) {
    replaceAll(text, 0, a.name, a.alias);
    return text.insert(0, a.declaration);
}

/// gl_LastFragData as an array of varyings: it may be read and indexed as they are. A declaration of it in the text, to
/// change its precision, is that of the varying. Unless the coherent form is enabled, it must be declared as
/// noncoherent; else the name stays unknown, as it does where it is declared in a function.
std::string withLastFragData(std::string text, const Extensions& enabled, const Limits& limits) {
    size_t begin = text.find(kLastFragData);
    const auto takeBefore = [&](std::string_view token) {
        const std::string_view before = tokenBefore(text, begin);
        if (before.empty() || before != token) return false;
        begin = static_cast<size_t>(before.data() - text.data());
        return true;
    };
    const bool isDeclared = takeBefore("vec4");
    if (isDeclared) {
        (void)(takeBefore("lowp") || takeBefore("mediump") || takeBefore("highp"));
        const size_t type = begin;
        const bool hasLayout = takeBefore(")") && takeBefore("noncoherent") && takeBefore("(") && takeBefore("layout");
        const bool isNonCoherent = hasLayout && enabled.nonCoherentLastFragData;
        if (isNonCoherent)
            std::replace_if(
                text.begin() + static_cast<ptrdiff_t>(begin), text.begin() + static_cast<ptrdiff_t>(type),
                [](char c) { return c != '\n'; }, ' ');
        const std::string_view before = std::string_view(text).substr(0, begin);
        const bool isLocal = std::ranges::count(before, '{') > std::ranges::count(before, '}');
        if (isLocal || (!isNonCoherent && !enabled.lastFragData)) return text;
        text.insert(type, "varying ");
        replaceAll(text, 0, kLastFragData, kLastFragDataAlias);
        return text;
    }
    if (!enabled.lastFragData) return text;
    const std::string declaration =
        fmt::format("varying mediump vec4 {}[{}]; ", kLastFragDataAlias, limits.drawBuffers);
    return withAlias(std::move(text), {kLastFragData, kLastFragDataAlias, declaration});
}

/// The token that begins at `at` or behind it; "" when there is none.
std::string_view tokenFrom(std::string_view text, size_t at) {
    constexpr std::string_view kBlanks = " \n";
    const size_t first = std::min(text.find_first_not_of(kBlanks, at), text.size());
    return text.substr(first, text.find_first_of(kBlanks, first) - first);
}

/// The number that a token is; -1: none.
int numberOf(std::string_view token) {
    int number = -1;
    const auto [end, error] = std::from_chars(token.begin(), token.end(), number);
    return error == std::errc{} && end == token.end() ? number : -1;
}

/// The size that an array has by how it is indexed: with constants, of which those that are no plain number may be any.
int sizeByIndices(std::string_view text, std::string_view name) {
    int size = 1;
    for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::string_view bracket = tokenFrom(text, at + name.size());
        if (bracket != "[") return kMaxDistances;
        const std::string_view index = tokenFrom(text, static_cast<size_t>(bracket.end() - text.begin()));
        const int number = numberOf(index);
        if (number < 0) return kMaxDistances;
        size = std::clamp(number + 1, size, kMaxDistances);
    }
    return size;
}

constexpr Alias kViewId{"gl_ViewID_OVR", kViewIdAlias, "uniform mediump uint tessera_ViewID; "};

/// Takes "layout(num_views = n) in;" out of the text, and returns n. What is said otherwise, or twice and differently,
/// stays for glslang, which does not know it.
int takeViews(std::string& text) {
    constexpr std::string_view kBehind[] = {"=", "", ")", "in", ";"};
    int views = 0;
    for (size_t at = text.find("num_views"); at != std::string::npos; at = text.find("num_views", at + 1)) {
        const std::string_view bracket = tokenBefore(text, at);
        if (bracket != "(") continue;
        const std::string_view layout = tokenBefore(text, static_cast<size_t>(bracket.data() - text.data()));
        if (layout != "layout") continue;
        int number = 0;
        size_t end = at + std::string_view("num_views").size();
        bool isWhole = true;
        for (const std::string_view wanted : kBehind) {
            const std::string_view token = tokenFrom(text, end);
            if (wanted.empty()) number = numberOf(token);
            isWhole = isWhole && (wanted.empty() || token == wanted);
            end = static_cast<size_t>(token.data() - text.data()) + token.size();
        }
        if (!isWhole || number < 1 || number > kMaxViews || (views != 0 && views != number)) continue;
        views = number;
        const auto first = text.begin() + (layout.data() - text.data());
        std::replace_if(first, text.begin() + static_cast<ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
    }
    return std::max(views, 1);
}

constexpr Alias kDistances[] = {{"gl_ClipDistance", kClipDistanceAlias, ""},
                                {"gl_CullDistance", kCullDistanceAlias, ""}};
static_assert(kMaxDistances == 8);
constexpr Alias kDistanceLimits[] = {
    {"gl_MaxClipDistances", "tessera_MaxClipDistances", "const mediump int tessera_MaxClipDistances = 8; "},
    {"gl_MaxCullDistances", "tessera_MaxCullDistances", "const mediump int tessera_MaxCullDistances = 8; "},
    {"gl_MaxCombinedClipAndCullDistances", "tessera_MaxCombinedDistances",
     "const mediump int tessera_MaxCombinedDistances = 8; "}};

/// Distances as varyings. Where the text does not declare an array with its size, its indices tell it.
std::string withDistances(std::string text, isa::Stage stage) {
    for (const Alias& array : kDistances) {
        const size_t first = text.find(array.name);
        if (first == std::string::npos) continue;
        if (tokenBefore(text, first) == "float") {
            replaceAll(text, 0, array.name, array.alias);
            continue;
        }
        const std::string declaration =
            fmt::format("{} highp float {}[{}]; ", stage == isa::Stage::Vertex ? "out" : "in", array.alias,
                        sizeByIndices(text, array.name));
        text = withAlias(std::move(text), {array.name, array.alias, declaration});
    }
    for (const Alias& limit : kDistanceLimits)
        if (text.find(limit.name) != std::string::npos) text = withAlias(std::move(text), limit);
    return text;
}

static_assert(kMaxSamples == 4);
constexpr Alias kMaxSamplesConstant = {"gl_MaxSamples", "tessera_MaxSamples",
                                       "const mediump int tessera_MaxSamples = 4; "};
/// What is read only is as uniforms are. The longer of two names comes first.
constexpr Alias kSampleVariables[] = {
    {"gl_SampleID", kSampleIdAlias, "uniform lowp int tessera_SampleID; "},
    {"gl_SamplePosition", kSamplePositionAlias, "uniform mediump vec2 tessera_SamplePosition; "},
    {"gl_SampleMaskIn", kSampleMaskInAlias, "uniform highp int tessera_SampleMaskIn[1]; "},
    {"gl_SampleMask", kSampleMaskAlias, "highp int tessera_SampleMask[1]; "},
    {"gl_NumSamples", kNumSamplesAlias, "uniform lowp int tessera_NumSamples; "}};

std::string withSampleVariables(std::string text, isa::Stage stage) {
    if (text.find(kMaxSamplesConstant.name) != std::string::npos)
        text = withAlias(std::move(text), kMaxSamplesConstant);
    for (const Alias& one : kSampleVariables)
        if (stage == isa::Stage::Fragment && text.find(one.name) != std::string::npos)
            text = withAlias(std::move(text), one);
    return text;
}

/// Declarations of a fragment shader of version 3.00 that glslang does not know. Outputs that are "inout" become "out"
/// (EXT_shader_framebuffer_fetch), and lose "noncoherent"; without the coherent form each must have that. One of
/// gl_FragDepth goes (EXT_conservative_depth): depth is tested behind the program whatever it promises. What must not
/// be stays, and glslang refuses it.
class Declarations {
public:
    Declarations(std::string& text, const Extensions& enabled, isa::Stage stage)
        : text_(text), enabled_(enabled), isFragment_(stage == isa::Stage::Fragment) {}

    DeclaredNames take() {
        int scope = 0;
        for (size_t at = 0;;) {
            const std::string_view token = tokenFrom(text_, at);
            if (token.empty()) return std::move(names_);
            const auto first = static_cast<size_t>(token.data() - text_.data());
            at = first + token.size();
            if (token == "{") ++scope;
            if (token == "}" && scope > 0) --scope;
            const bool ends = token == ";" || token == "{" || token == "}";
            if (scope == 0) tokens_.push_back({first, token.size()});
            if (token == ";" && scope == 0) declaration();
            if (ends) tokens_.clear();
        }
    }

private:
    struct Place {
        size_t first, size;
    };
    [[nodiscard]] std::string_view token(size_t i) const {
        return std::string_view(text_).substr(tokens_[i].first, tokens_[i].size);
    }
    void replace(size_t i, std::string_view with) {
        std::fill_n(text_.begin() + static_cast<ptrdiff_t>(tokens_[i].first), tokens_[i].size, ' ');
        text_.replace(tokens_[i].first, with.size(), with);
    }

    void declaration() {
        if (enabled_.sampleInterpolation) samples();
        if (!isFragment_ || (enabled_.conservativeDepth && depth())) return;
        inouts();
    }

    void samples() {
        const std::string_view storage = isFragment_ ? "in" : "out";
        bool isFlat = false;
        for (size_t i = 0; i + 1 < tokens_.size() && token(i) != "("; ++i) {
            isFlat |= token(i) == "flat";
            const bool isBehindCentroid = i > 0 && token(i - 1) == "centroid";
            if (token(i) != "sample" || token(i + 1) != storage || isBehindCentroid) continue;
            replace(i, "");
            // The last one is the semicolon; what is flat is the same everywhere.
            if (isFragment_ && !isFlat) addNames(i + 2, names_.sampled);
            return;
        }
    }

    /// Whether it is "layout(depth_any) out highp float gl_FragDepth;", of which the layout and the precision may lack,
    /// before any use.
    bool depth() {
        constexpr std::string_view kDepth = "gl_FragDepth";
        constexpr std::string_view kLayouts[] = {"depth_any", "depth_greater", "depth_less", "depth_unchanged"};
        constexpr std::string_view kPrecisions[] = {"highp", "mediump", "lowp"};
        size_t i = 0;
        const auto take = [&](std::span<const std::string_view> some) {
            const bool isNext = i < tokens_.size() && std::ranges::find(some, token(i)) != some.end();
            if (isNext) ++i;
            return isNext;
        };
        const auto takeWord = [&](std::string_view word) { return take({&word, 1}); };
        if (takeWord("layout") && !(takeWord("(") && take(kLayouts) && takeWord(")"))) return false;
        if (!takeWord("out")) return false;
        (void)take(kPrecisions);
        if (!takeWord("float") || !takeWord(kDepth) || !takeWord(";") || i != tokens_.size()) return false;
        const bool isUsed = text_.find(kDepth) < tokens_[i - 2].first;
        for (size_t k = 0; k < i && !isUsed; ++k) replace(k, "");
        return !isUsed;
    }

    void inouts() {
        int depth = 0;
        bool isLayout = false;
        size_t inout = 0, nonCoherent = 0;  // 0: there is none, or it is the first
        for (size_t i = 0; i < tokens_.size(); ++i) {
            if (token(i) == "(" && ++depth == 1) isLayout = i > 0 && token(i - 1) == "layout";
            if (token(i) == ")") --depth;
            if (token(i) == "noncoherent" && depth == 1 && isLayout && inout == 0) nonCoherent = i;
            if (token(i) == "inout" && depth == 0) inout = i;
        }
        if (inout == 0 && token(0) != "inout") return;
        if (nonCoherent == 0 ? !enabled_.lastFragData : !enabled_.nonCoherentLastFragData) return;
        replace(inout, "out");
        if (nonCoherent != 0) withoutNonCoherent(nonCoherent);
        addNames(inout + 1, names_.inouts);
    }

    /// "layout(noncoherent)" goes as a whole, of a list the word and a comma beside it.
    void withoutNonCoherent(size_t at) {
        const bool follows = token(at - 1) == ",", precedes = token(at + 1) == ",";
        replace(at, "");
        if (follows || precedes) return replace(follows ? at - 1 : at + 1, "");
        for (const size_t around : {at - 2, at - 1, at + 1}) replace(around, "");
    }

    /// Of each declarator the last name outside brackets.
    void addNames(size_t from, std::set<std::string>& names) {
        int depth = 0;
        std::string_view last;
        for (size_t i = from; i < tokens_.size(); ++i) {
            const std::string_view t = token(i);
            if (t == "[" || t == "(") ++depth;
            if (t == "]" || t == ")") --depth;
            if (depth > 0) continue;
            if (t == "," || t == ";")
                names.emplace(last);
            else if (t != "]" && t != ")")
                last = t;
        }
    }

    std::string& text_;
    const Extensions& enabled_;
    bool isFragment_;
    std::vector<Place> tokens_;  ///< of the declaration at hand
    DeclaredNames names_;
};

/// The functions are calls that the lowering knows; their bodies say their types.
std::string withInterpolation(std::string text) {
    constexpr std::string_view kFunction = "interpolateAt";
    if (text.find(kFunction) == std::string::npos) return text;
    replaceAll(text, 0, kFunction, kInterpolateAtAlias);
    std::string functions;
    for (const char* type : {"float", "vec2", "vec3", "vec4"})
        for (const char* way : {"Centroid({0} v)", "Sample({0} v, highp int i)", "Offset({0} v, highp vec2 o)"})
            functions += fmt::format("highp {} {}{} {{ return v; }} ", type, kInterpolateAtAlias,
                                     fmt::format(fmt::runtime(way), fmt::format("highp {}", type)));
    return functions + text;
}

}  // namespace

/// glslang appends "int;" to a shader, which would complete one that ends in "highp". This does not, and is an error
/// then, in the line after the last.
constexpr std::string_view kEnd = "precision highp int;\n";

ParsedShader parseText(isa::Stage stage, std::string text, const Limits& limits, const Extensions& extensions) {
    const UsesMemoryReserve untilItReturns;
    static std::once_flag initialised;
    std::call_once(initialised, [] { glslang::InitializeProcess(); });

    ParsedShader parsed;
    parsed.state_ =
        std::make_unique<ParsedShader::State>(stage == isa::Stage::Vertex ? EShLangVertex : EShLangFragment);
    ParsedShader::State& state = *parsed.state_;
    for (const auto& [name, behavior] : extensions.behaviors)
        state.preamble += fmt::format("#extension {} : {}\n", name, behavior);
    // What the extension says and glslang does not know (EXT_shadow_samplers, section 4.5.3).
    const auto shadows = extensions.behaviors.find("GL_EXT_shadow_samplers");
    if (shadows != extensions.behaviors.end() && shadows->second != "disable")
        state.preamble += "precision lowp sampler2DShadow;\n";
    state.shader.setPreamble(state.preamble.c_str());
    state.text = std::move(text) + std::string(kEnd);
    state.strings[0] = state.text.c_str();
    state.lengths[0] = static_cast<int>(state.text.size());
    state.shader.setStringsWithLengths(state.strings, state.lengths, 1);
    TBuiltInResource r = resources(limits);
    // glslang takes the profile of a version that the text does not name when it is forced to.
    const bool isThird = extensions.version == 300;
    bool ok =
        state.shader.parse(&r, extensions.version, isThird ? EEsProfile : ENoProfile, isThird, false, EShMsgDefault);
    parsed.log = tidyLog(state.shader.getInfoLog());
    if (const glslang::TIntermediate* tree = state.shader.getIntermediate(); ok && tree) {
        state.root = tree->getTreeRoot();
        const uint32_t equations = tree->getBlendEquations();
        parsed.blendSupport = equations > kAllBlendEquations ? kAllBlendEquations : equations;
    }
    if (!state.root && parsed.log.empty()) parsed.log = "ERROR: 0:1: '' : nothing to compile\n";
    return parsed;
}

ParsedShader parse(isa::Stage stage, const std::string& original, const Limits& limits, const Extensions& extensions) {
    const auto names = [&](std::string_view name) { return original.find(name) != std::string::npos; };
    const bool isThird = extensions.version == 300;
    const bool fetches = extensions.lastFragData || extensions.nonCoherentLastFragData;
    std::string text = original;
    if (stage == isa::Stage::Vertex && extensions.instanceId && names(kInstanceId.name))
        text = withAlias(std::move(text), kInstanceId);
    if (!isThird && stage == isa::Stage::Fragment && fetches && names(kLastFragData))
        text = withLastFragData(std::move(text), extensions, limits);
    DeclaredNames declared;
    const bool declares = (fetches && names("inout")) || (extensions.conservativeDepth && names("gl_FragDepth")) ||
                          (extensions.sampleInterpolation && names("sample"));
    if (isThird && declares) declared = Declarations(text, extensions, stage).take();
    if (extensions.sampleInterpolation && stage == isa::Stage::Fragment) text = withInterpolation(std::move(text));
    if (extensions.clipCullDistance) text = withDistances(std::move(text), stage);
    if (extensions.sampleVariables) text = withSampleVariables(std::move(text), stage);
    int views = 1;
    if (extensions.multiview && stage == isa::Stage::Vertex) views = takeViews(text);
    if (extensions.multiview && names(kViewId.name)) text = withAlias(std::move(text), kViewId);
    ParsedShader parsed = parseText(stage, text, limits, extensions);
    replaceAll(parsed.log, 0, kInstanceId.alias, kInstanceId.name);
    parsed.views = views;
    parsed.declared = std::move(declared);
    replaceAll(parsed.log, 0, kViewId.alias, kViewId.name);
    replaceAll(parsed.log, 0, kLastFragDataAlias, kLastFragData);
    replaceAll(parsed.log, 0, kMaxSamplesConstant.alias, kMaxSamplesConstant.name);
    replaceAll(parsed.log, 0, kInterpolateAtAlias, "interpolateAt");
    for (const Alias& one : kSampleVariables) replaceAll(parsed.log, 0, one.alias, one.name);
    for (const Alias& one : kDistances) replaceAll(parsed.log, 0, one.alias, one.name);
    for (const Alias& one : kDistanceLimits) replaceAll(parsed.log, 0, one.alias, one.name);
    return parsed;
}

std::string_view sampleVariableName(std::string_view alias) {
    const auto* found = std::ranges::find(kSampleVariables, alias, &Alias::alias);
    return found != std::end(kSampleVariables) ? found->name : std::string_view();
}

}  // namespace tessera::glsl::front
