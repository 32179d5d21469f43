#include "shader-core/glsl/front/preprocess/preprocess.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "shader-core/glsl/front/preprocess/array_types.h"
#include "shader-core/glsl/front/preprocess/interface_declarations.h"
#include "shader-core/glsl/front/preprocess/macros.h"
#include "shader-core/glsl/front/preprocess/structures.h"
#include "shader-core/glsl/front/preprocess/wording.h"

namespace tessera::glsl::front {

namespace {

constexpr int kMaxBrackets = 256;         ///< open ( [ {
constexpr size_t kMaxStatement = 16000;   ///< tokens between two ; { or }
constexpr size_t kMaxTokens = 400000;     ///< of the whole shader
constexpr size_t kMaxConditionals = 256;  ///< nested #if

constexpr std::string_view kUnderscore = "Z5fZ";  ///< for an underscore that follows one
constexpr std::string_view kNoKeyword = "Z00Z";   ///< behind what glslang takes for a keyword

/// What glslang refuses as names though GLSL ES 1.00 (section 3.7) does not reserve it.
constexpr std::string_view kNoKeywords[] = {"active",
                                            "case",
                                            "common",
                                            "filter",
                                            "isamplerCubeArray",
                                            "partition",
                                            "samplerCubeArray",
                                            "samplerCubeArrayShadow",
                                            "usamplerCubeArray"};

/// And GLSL ES 3.00 (section 3.8) does not. `shared` is one of them outside of layouts.
constexpr std::string_view kShared = "shared";
constexpr std::string_view kThirdNoKeywords[] = {
    "devicecoherent",     "iimage2DRect",        "image2DRect",      "isamplerCubeArray",
    "nonprivate",         "queuefamilycoherent", "samplerCubeArray", "samplerCubeArrayShadow",
    "shadercallcoherent", "subgroupcoherent",    "uimage2DRect",     "usamplerCubeArray",
    "workgroupcoherent"};

/// Functions of other languages and versions, which glslang lets nobody declare.
constexpr std::string_view kForeignFunctions[] = {"absoluteDifference",
                                                  "addSaturate",
                                                  "average",
                                                  "averageRounded",
                                                  "beginInvocationInterlockARB",
                                                  "controlBarrier",
                                                  "countLeadingZeros",
                                                  "countTrailingZeros",
                                                  "debugPrintfEXT",
                                                  "endInvocationInterlockARB",
                                                  "helperInvocationEXT",
                                                  "imageLoad",
                                                  "imageStore",
                                                  "memoryBarrier",
                                                  "multiply32x16",
                                                  "subtractSaturate",
                                                  "textureGather",
                                                  "textureGatherOffset",
                                                  "textureGatherOffsets"};

/// Functions of extensions, which glslang lets nobody declare though their extension is disabled. GLSL ES 3.00 has the
/// derivatives itself, and none of the others.
struct ExtensionFunction {
    std::string_view name;
    std::string_view extension;
};
constexpr std::string_view kDerivatives = "GL_OES_standard_derivatives";
constexpr ExtensionFunction kExtensionFunctions[] = {{"dFdx", kDerivatives},
                                                     {"dFdy", kDerivatives},
                                                     {"fwidth", kDerivatives},
                                                     {"texture2DLodEXT", "GL_EXT_shader_texture_lod"},
                                                     {"texture2DProjLodEXT", "GL_EXT_shader_texture_lod"},
                                                     {"textureCubeLodEXT", "GL_EXT_shader_texture_lod"},
                                                     {"texture2DGradEXT", "GL_EXT_shader_texture_lod"},
                                                     {"texture2DProjGradEXT", "GL_EXT_shader_texture_lod"},
                                                     {"textureCubeGradEXT", "GL_EXT_shader_texture_lod"},
                                                     {"texture3D", "GL_OES_texture_3D"},
                                                     {"texture3DProj", "GL_OES_texture_3D"},
                                                     {"texture3DLod", "GL_OES_texture_3D"},
                                                     {"texture3DProjLod", "GL_OES_texture_3D"},
                                                     {"shadow2DEXT", "GL_EXT_shadow_samplers"},
                                                     {"shadow2DProjEXT", "GL_EXT_shadow_samplers"}};

/// The name as glslang sees it.
std::string replaceName(const std::string& name, const std::set<std::string>& own,
                        std::span<const std::string_view> noKeywords) {
    if (std::ranges::find(noKeywords, name) != noKeywords.end() || own.contains(name))
        return name + std::string(kNoKeyword);
    std::string out;
    for (size_t i = 0; i < name.size(); i++) {
        if (i > 0 && name[i] == '_' && name[i - 1] == '_')
            out += kUnderscore;
        else
            out += name[i];
    }
    return out;
}

struct Extension {
    const char* name;
    bool offered;
    bool forward;  ///< glslang must hear of it
    bool Extensions::* builtIn = nullptr;
    int version = 100;  ///< of the language that has it
};

class Preprocessor {
public:
    Preprocessor(std::string_view source, const Limits& limits) : scanner_(source), limits_(limits) {
        known_ = {{"GL_OES_standard_derivatives", limits.standardDerivatives, true},
                  {"GL_EXT_frag_depth", limits.fragDepth, true},
                  {"GL_EXT_shader_texture_lod", limits.shaderTextureLod, true},
                  {"GL_OES_EGL_image_external", limits.imageExternal, true},
                  {"GL_OES_texture_3D", limits.texture3D, true},
                  {"GL_EXT_shadow_samplers", limits.shadowSamplers, true},
                  {"GL_EXT_draw_buffers", limits.drawBuffers > 1, false},
                  {"GL_NV_draw_buffers", limits.drawBuffers > 1, false},
                  {"GL_EXT_blend_func_extended", limits.dualSource, true},
                  {"GL_EXT_draw_instanced", limits.drawInstanced, false, &Extensions::instanceId},
                  {"GL_EXT_separate_shader_objects", limits.separateObjects, false},
                  {"GL_EXT_shader_framebuffer_fetch", limits.framebufferFetch, false, &Extensions::lastFragData},
                  {"GL_EXT_shader_framebuffer_fetch_non_coherent", limits.framebufferFetch, false,
                   &Extensions::nonCoherentLastFragData},
                  {"GL_OES_EGL_image_external_essl3", limits.imageExternal, true, nullptr, 300},
                  {"GL_OVR_multiview", limits.multiview, false, &Extensions::multiview, 300},
                  {"GL_OVR_multiview2", limits.multiview, false, &Extensions::multiview, 300},
                  {"GL_KHR_blend_equation_advanced", limits.advancedBlend, true, nullptr, 300},
                  {"GL_EXT_conservative_depth", limits.fragDepth, false, &Extensions::conservativeDepth, 300},
                  {"GL_OES_shader_multisample_interpolation", limits.sampleVariables, false,
                   &Extensions::sampleInterpolation, 300},
                  {"GL_OES_sample_variables", limits.sampleVariables, false, &Extensions::sampleVariables, 300},
                  {"GL_EXT_blend_func_extended", limits.dualSource, true, &Extensions::secondColor, 300},
                  {"GL_EXT_shader_framebuffer_fetch", limits.framebufferFetch, false, &Extensions::lastFragData, 300},
                  {"GL_EXT_shader_framebuffer_fetch_non_coherent", limits.framebufferFetch, false,
                   &Extensions::nonCoherentLastFragData, 300},
                  {"GL_EXT_clip_cull_distance", limits.clipCullDistance, false, &Extensions::clipCullDistance, 300}};
        predefine("GL_ES", "1");
        predefine("GL_FRAGMENT_PRECISION_HIGH", "1");
        useVersion(100);
        macros_.lineNumber = [this](int line) { return shiftAt(line).to + line - shiftAt(line).from; };
        macros_.fileNumber = [this](int line) { return shiftAt(line).file; };
        out_.shifts.push_back({});
    }

    Preprocessed run() {
        try {
            while (lineOfTokens()) {
            }
            flushText();
            arrayTypes_.finish();
            if (!conditionals_.empty()) throw PreprocessError{conditionals_.back().line, "'#if' : no matching #endif"};
        } catch (const PreprocessError& error) {
            fail(error);
        }
        out_.ok = errors_ == 0;
        out_.declarations = declarations_.take();
        out_.text += '\n';
        out_.depth = static_cast<size_t>(deepest_) * 8 + longest_ + elses_ + written_ / 50;
        return std::move(out_);
    }

private:
    struct Conditional {
        int line = 0;
        bool skipped = false;  ///< it stands in a group that is skipped
        bool taking = false;   ///< this group's text counts
        bool taken = false;    ///< which group counts is decided: one that was taken, none of a skipped #if
        bool elseSeen = false;
    };

    void predefine(const char* name, const std::string& value) {
        Macro m;
        m.predefined = true;
        Token t;
        t.kind = Token::Kind::Number;
        t.text = value;
        m.body.push_back(t);
        macros_.table[name] = std::move(m);
    }

    /// What a version predefines and which extensions it has.
    void useVersion(int version) {
        out_.extensions.version = version;
        predefine("__VERSION__", std::to_string(version));
        for (const Extension& e : extensions_) macros_.table.erase(e.name);
        extensions_.clear();
        for (const Extension& e : known_)
            if (e.version == version) extensions_.push_back(e);
        for (const Extension& e : extensions_)
            if (e.offered) predefine(e.name, "1");
    }

    [[nodiscard]] bool isThird() const { return out_.extensions.version == 300; }

    [[nodiscard]] const Preprocessed::LineShift& shiftAt(int line) const {
        size_t i = out_.shifts.size() - 1;
        while (i > 0 && out_.shifts[i].from > line) i--;
        return out_.shifts[i];
    }

    [[nodiscard]] bool skipping() const { return !conditionals_.empty() && !conditionals_.back().taking; }

    /// One line of the source: a directive, or text that waits for flushText(). False at the end.
    bool lineOfTokens() {
        std::vector<Token> line;
        Token t = scanner_.next();
        for (; t.kind != Token::Kind::Newline && t.kind != Token::Kind::End; t = scanner_.next()) {
            if (text_.size() + line.size() >= kMaxTokens) throw PreprocessError{t.line, "'' : shader too long"};
            line.push_back(std::move(t));
        }
        if (scanner_.unterminatedComment())
            throw PreprocessError{scanner_.commentLine(), "'/*' : comment is not closed"};
        if (!line.empty() && line[0].is("#")) {
            if (line.size() > 1) tryOrError(line, [&] { flushText(); });  // by the macros that it stands under
            tryOrError(line, [&] { directive(line); });
        } else if (!skipping()) {
            for (Token& token : line) {
                if (token.kind == Token::Kind::Invalid)
                    throw PreprocessError{token.line, "'' : character outside of the language's character set",
                                          token.column};
                if (token.is("#"))
                    throw PreprocessError{token.line, "'#' : a preprocessor directive must begin its line",
                                          token.column};
                text_.push_back(std::move(token));
            }
            anything_ = anything_ || !line.empty();
            code_ = code_ || !line.empty();
        }
        return t.kind != Token::Kind::End;
    }

    void fail(const PreprocessError& error) {
        ++errors_;
        out_.messages.push_back(out_.message(true, {error.line, error.column}, error.message));
    }

    /// What is wrong is left out; what follows may have errors of its own.
    template <class Act>
    void tryOrError(const std::vector<Token>& line, const Act& act) {
        try {
            act();
        } catch (PreprocessError& error) {
            if (error.column == 0 && error.line == line[0].line) error.column = line[0].column;
            if (errors_ + 1 >= kMaxErrors || written_ > 0) throw;
            fail(error);
        }
    }

    void directive(const std::vector<Token>& line) {
        int at = line[0].line;
        bool first = !anything_;
        anything_ = true;
        if (line.size() == 1) return;
        const std::string& name = line[1].text;
        std::vector<Token> rest(line.begin() + 2, line.end());
        if (line[1].kind != Token::Kind::Identifier) {
            if (skipping()) return;
            throw PreprocessError{at, "'#' : directive name expected"};
        }
        if (conditional(name, rest, at) || skipping()) return;
        if (name == "define")
            define(rest, at);
        else if (name == "undef")
            undefine(rest, at);
        else if (name == "error")
            error(rest, at);
        else if (name == "pragma")
            pragma(rest, at);
        else if (name == "extension")
            extension(rest, at);
        else if (name == "version")
            version(rest, at, first);
        else if (name == "line")
            lineDirective(rest, at);
        else
            throw PreprocessError{at, "'#" + name + "' : unknown directive"};
    }

    // Conditionals

    bool conditional(const std::string& name, const std::vector<Token>& rest, int at) {
        bool opens = name == "if" || name == "ifdef" || name == "ifndef";
        if (!opens && name != "elif" && name != "else" && name != "endif") return false;
        // Of what is skipped, names of directives alone count: C++98 section 16.1, paragraph 7. What follows a group
        // that was taken is skipped as well, the expressions of its #elif among it. An error decides, so that it is the
        // only one.
        const auto decide = [&](bool (Preprocessor::*value)(const std::string&, const std::vector<Token>&, int)) {
            conditionals_.back().taken = true;
            const bool takes = (this->*value)(name, rest, at);
            conditionals_.back().taking = conditionals_.back().taken = takes;
        };
        if (opens) {
            if (conditionals_.size() >= kMaxConditionals) throw PreprocessError{at, "'#if' : nested too deeply"};
            const bool skipped = skipping();
            conditionals_.push_back({.line = at, .skipped = skipped, .taken = skipped});
            if (!skipped) decide(name == "if" ? &Preprocessor::condition : &Preprocessor::definedName);
            return true;
        }
        if (conditionals_.empty()) throw PreprocessError{at, "'#" + name + "' : no matching #if"};
        Conditional& c = conditionals_.back();
        const bool skipped = c.skipped;
        if (name == "endif") {
            conditionals_.pop_back();
        } else {
            if (c.elseSeen) throw PreprocessError{at, "'#" + name + "' : follows #else"};
            c.taking = false;
            if (name == "elif") {
                if (!c.taken) decide(&Preprocessor::condition);
                return true;
            }
            c.elseSeen = true;
            c.taking = !c.taken;
            c.taken = true;
        }
        if (!skipped && !rest.empty()) throw PreprocessError{at, "'#" + name + "' : unexpected tokens after it"};
        return true;
    }

    bool condition(const std::string& directive, const std::vector<Token>& rest, int at) {
        if (rest.empty()) throw PreprocessError{at, "'#" + directive + "' : expression expected"};
        std::vector<Token> expanded;
        macros_.expand(rest, expanded, true);
        return evaluateCondition(expanded, macros_, at);
    }

    bool definedName(const std::string& directive, const std::vector<Token>& rest, int at) {
        if (rest.empty() || rest[0].kind != Token::Kind::Identifier)
            throw PreprocessError{at, "'#" + directive + "' : macro name expected"};
        if (rest.size() > 1) throw PreprocessError{at, "'#" + directive + "' : unexpected tokens after the name"};
        return macros_.defined(rest[0].text) == (directive == "ifdef");
    }

    // Macros

    void checkName(const std::vector<Token>& rest, int at, const char* directive) {
        if (rest.empty() || rest[0].kind != Token::Kind::Identifier)
            throw PreprocessError{at, fmt::format("'{}' : macro name expected", directive)};
        const std::string& name = rest[0].text;
        // From version 3.00 on a macro may be called `defined`; in the expressions of #if that stays the operator.
        bool builtIn = name == "__LINE__" || name == "__FILE__" || name == "__VERSION__" ||
                       (name == "defined" && !isThird()) || name.starts_with("GL_");
        if (builtIn) throw PreprocessError{at, fmt::format("'{}' : reserved name, not for {}", name, directive)};
    }

    void define(const std::vector<Token>& rest, int at) {
        checkName(rest, at, "#define");
        Macro m;
        std::unordered_map<std::string_view, int> places;  // of the parameters
        size_t i = 1;
        if (i < rest.size() && rest[i].is("(") && !rest[i].spaceBefore) {
            m.function = true;
            i = parameters(rest, at, places);
            m.parameters.resize(places.size());
            for (const auto& [name, place] : places) m.parameters[static_cast<size_t>(place)] = name;
        }
        m.body.assign(rest.begin() + static_cast<ptrdiff_t>(i), rest.end());
        for (const Token& t : m.body) {
            // A backslash is of the character set of version 3.00, and macros that nobody uses may hold what comments
            // may; where the macro is used it is a syntax error.
            const bool isOfThird = isThird() && (t.text == "\\" || static_cast<unsigned char>(t.text[0]) >= 0x80);
            if (t.is("#") || (t.kind == Token::Kind::Invalid && !isOfThird))
                throw PreprocessError{at, "'" + rest[0].text + "' : invalid character in macro"};
            const auto parameter = t.kind == Token::Kind::Identifier ? places.find(t.text) : places.end();
            m.uses.push_back(parameter != places.end() ? parameter->second : -1);
        }
        auto found = macros_.table.find(rest[0].text);
        if (found != macros_.table.end() && !found->second.sameAs(m))
            throw PreprocessError{at, "'" + rest[0].text + "' : macro redefined differently"};
        macros_.table[rest[0].text] = std::move(m);
    }

    /// "(a, b)" from rest[1], each name with its place; returns the index after it.
    static size_t parameters(const std::vector<Token>& rest, int at,
                             std::unordered_map<std::string_view, int>& places) {
        size_t i = 2;
        auto fail = [&] { throw PreprocessError{at, "'" + rest[0].text + "' : macro parameter list is malformed"}; };
        if (i < rest.size() && rest[i].is(")")) return i + 1;
        while (true) {
            if (i >= rest.size() || rest[i].kind != Token::Kind::Identifier) fail();
            if (!places.try_emplace(rest[i].text, static_cast<int>(places.size())).second)
                throw PreprocessError{at, "'" + rest[i].text + "' : macro parameter named twice"};
            i++;
            if (i < rest.size() && rest[i].is(")")) return i + 1;
            if (i >= rest.size() || !rest[i].is(",")) fail();
            i++;
        }
    }

    void undefine(const std::vector<Token>& rest, int at) {
        checkName(rest, at, "#undef");
        if (rest.size() > 1) throw PreprocessError{at, "'#undef' : unexpected tokens after the name"};
        macros_.table.erase(rest[0].text);
    }

    // Other directives

    static std::string spelled(const std::vector<Token>& tokens) {
        std::string s;
        for (const Token& t : tokens) s += (t.spaceBefore && !s.empty() ? " " : "") + t.text;
        return s;
    }

    [[noreturn]] static void error(const std::vector<Token>& rest, int at) {
        throw PreprocessError{at, "'#error' : " + spelled(rest)};
    }

    void pragma(const std::vector<Token>& rest, int at) {
        std::string s;
        for (const Token& t : rest) s += t.text + " ";
        if (s == "STDGL invariant ( all ) ") out_.invariantAll = at;
    }

    void version(const std::vector<Token>& rest, int at, bool first) {
        if (!first) throw PreprocessError{at, "'#version' : must come before everything else"};
        if (!rest.empty() && rest[0].text == "300" && limits_.version >= 300) {
            if (rest.size() == 1 || !rest[1].is("es"))
                throw PreprocessError{at, "'#version' : GLSL ES 3.00 is #version 300 es"};
            if (rest.size() > 2)
                throw PreprocessError{at, "'#version' : unexpected tokens after it; GLSL ES 3.00 is #version 300 es"};
            return useVersion(300);
        }
        if (!rest.empty() && rest[0].text != "100" && limits_.version >= 300)
            throw PreprocessError{at, fmt::format("'{}' : version not supported; there are #version 100 (GLSL ES 1.00) "
                                                  "and #version 300 es (GLSL ES 3.00)",
                                                  rest[0].text)};
        if (rest.empty() || rest[0].text != "100")
            throw PreprocessError{at,
                                  fmt::format("'{}' : version not supported, GLSL ES 1.00 is #version 100; write "
                                              "attribute and varying for in and out, gl_FragColor for the output of "
                                              "a fragment shader, texture2D and textureCube for texture",
                                              rest.empty() ? "#version" : rest[0].text)};
        if (rest.size() > 1)
            throw PreprocessError{at, "'#version' : unexpected tokens after the number; GLSL ES 1.00 is #version 100"};
    }

    void extension(const std::vector<Token>& rest, int at) {
        if (rest.size() != 3 || rest[0].kind != Token::Kind::Identifier || !rest[1].is(":") ||
            rest[2].kind != Token::Kind::Identifier)
            throw PreprocessError{at, "'#extension' : must read \"#extension name : behavior\""};
        if (code_) throw PreprocessError{at, "'#extension' : must come before any declaration"};
        const std::string& name = rest[0].text;
        const std::string& behavior = rest[2].text;
        bool demands = behavior == "require" || behavior == "enable";
        if (!demands && behavior != "warn" && behavior != "disable")
            throw PreprocessError{at, "'" + behavior + "' : behavior must be require, enable, warn or disable"};
        if (name == "all") {
            if (demands) throw PreprocessError{at, "'all' : extension can only be warn or disable"};
            for (const Extension& e : extensions_)
                if (e.offered) setBehavior(e, behavior);
            return;
        }
        auto known = std::find_if(extensions_.begin(), extensions_.end(),
                                  [&](const Extension& e) { return e.offered && name == e.name; });
        if (known == extensions_.end()) {
            if (behavior == "require") throw PreprocessError{at, "'" + name + "' : extension not supported"};
            out_.messages.push_back(
                out_.message(false, {at, rest[0].column}, fmt::format("'{}' : extension not supported", name)));
        } else {
            setBehavior(*known, behavior);
        }
    }

    void setBehavior(const Extension& extension, const std::string& behavior) {
        const std::string_view name = extension.name;
        if (extension.forward) out_.extensions.behaviors[extension.name] = behavior;
        if (extension.builtIn != nullptr) out_.extensions.*extension.builtIn = behavior != "disable";
        if (name == "GL_EXT_separate_shader_objects") declarations_.hasLayout = behavior != "disable";
    }

    void lineDirective(const std::vector<Token>& rest, int at) {
        std::vector<Token> expanded;
        macros_.expand(rest, expanded, false);
        std::vector<int> values = evaluateList(expanded, macros_, at);
        if (values.empty() || values.size() > 2)
            throw PreprocessError{at, "'#line' : a line number and perhaps a string number expected"};
        int file = values.size() > 1 ? values[1] : shiftAt(at).file;
        out_.shifts.push_back({at + 1, values[0], file});
    }

    // Output

    void toLine(int line) {
        for (; outLine_ < line; outLine_++) {
            out_.text += '\n';
            lineStart_ = true;
        }
    }

    void flushText() {
        if (text_.empty()) return;
        std::vector<Token> text, expanded;
        text.swap(text_);  // also when it is wrong: it is read once
        macros_.expand(text, expanded, false);
        for (const Token& t : expanded) declarations_.put(t);
    }

    void write(const Token& t) {
        if (++written_ > kMaxTokens) throw PreprocessError{t.line, "'' : shader too long"};
        measure(t);
        if (const std::string wrong = structures_.put(t); !wrong.empty())
            throw PreprocessError{t.line, wrong, t.column};
        noteInvariance(t);
        noteOwnFunction(t);
        if (t.is("layout")) inLayout_ = true;
        if (t.is(")")) inLayout_ = false;
        toLine(t.line);
        if (!lineStart_) out_.text += ' ';
        lineStart_ = false;
        out_.places.push_back({t.line, t.column});
        out_.text += t.kind == Token::Kind::Identifier ? nameOf(t) : t.text;
    }

    std::string nameOf(const Token& t) const {
        if (!isThird()) return replaceName(t.text, own_, kNoKeywords);
        if (t.is(kShared) && !inLayout_) return t.text + std::string(kNoKeyword);
        return replaceName(t.text, own_, kThirdNoKeywords);
    }

    /// "float dFdx" outside of all brackets declares a name that glslang has a function of.
    void noteOwnFunction(const Token& t) {
        const bool isName = t.kind == Token::Kind::Identifier;
        const bool isDeclared = isName && followsName_ && brackets_ == 0;
        followsName_ = isName;
        if (!isDeclared) return;
        if (std::ranges::find(kForeignFunctions, t.text) != std::end(kForeignFunctions)) own_.insert(t.text);
        const auto* function = std::ranges::find(kExtensionFunctions, t.text, &ExtensionFunction::name);
        if (function == std::end(kExtensionFunctions)) return;
        if (isThird()) {
            if (function->extension != kDerivatives) own_.insert(t.text);
            return;
        }
        const auto behavior = out_.extensions.behaviors.find(std::string(function->extension));
        if (behavior == out_.extensions.behaviors.end() || behavior->second == "disable") own_.insert(t.text);
    }

    /// invariant gl_Position, gl_PointSize;
    void noteInvariance(const Token& t) {
        bool name = t.kind == Token::Kind::Identifier;
        if (t.is("invariant")) {
            inInvariant_ = true;
        } else if (inInvariant_ && name && t.text.starts_with("gl_")) {
            if (t.is("gl_FrontFacing"))  // section 4.6.4
                throw PreprocessError{t.line, "'gl_FrontFacing' : cannot be invariant; it is as gl_Position is",
                                      t.column};
            out_.invariantBuiltIns.push_back(t.text);
        } else if (!t.is(",") && !name) {
            inInvariant_ = false;
        }
    }

    /// Keeps the parser's recursion in bounds.
    void measure(const Token& t) {
        if (t.is("(") || t.is("[") || t.is("{")) brackets_++;
        if (t.is("(")) parentheses_++;
        if (t.is(")") && parentheses_ > 0) parentheses_--;
        if ((t.is(")") || t.is("]") || t.is("}")) && brackets_ > 0) brackets_--;
        if (t.is("else")) elses_++;
        deepest_ = std::max(deepest_, brackets_);
        statement_++;
        if (t.is("{") || t.is("}")) parentheses_ = 0;
        if (t.is("{") || t.is("}") || (t.is(";") && parentheses_ == 0)) statement_ = 0;
        longest_ = std::max(longest_, statement_);
        if (brackets_ > kMaxBrackets) throw PreprocessError{t.line, "'" + t.text + "' : nested too deeply", t.column};
        if (statement_ > kMaxStatement || elses_ > kMaxStatement)
            throw PreprocessError{t.line, "'' : statement too long", t.column};
    }

    Scanner scanner_;
    const Limits& limits_;
    Macros macros_;
    std::vector<Extension> known_, extensions_;  ///< of all versions, and of the shader's
    Preprocessed out_;
    std::vector<Token> text_;
    Structures structures_;
    ArrayTypes arrayTypes_{[this](const Token& t) { write(t); }};
    InterfaceDeclarations declarations_{[this](const Token& t) { isThird() ? write(t) : arrayTypes_.put(t); }};
    std::vector<Conditional> conditionals_;
    bool anything_ = false, code_ = false, lineStart_ = true, inInvariant_ = false, followsName_ = false;
    bool inLayout_ = false;
    std::set<std::string> own_;  ///< functions of glslang's that the shader declares itself
    int outLine_ = 1, brackets_ = 0, deepest_ = 0, parentheses_ = 0;
    size_t statement_ = 0, longest_ = 0, elses_ = 0, written_ = 0, errors_ = 0;
};

}  // namespace

Message Preprocessed::message(bool error, Place place, std::string text) const {
    size_t i = shifts.size();
    while (i > 1 && shifts[i - 1].from > place.line) i--;
    const LineShift shift = i == 0 ? LineShift{} : shifts[i - 1];
    const int64_t shown = int64_t{shift.to} + place.line - shift.from;
    return {error,
            place.line,
            place.column,
            shift.file,
            static_cast<int>(std::clamp<int64_t>(shown, INT_MIN, INT_MAX)),
            std::move(text)};
}

std::string restoreNames(std::string_view text) {
    std::string out(text);
    for (size_t at = out.find(kUnderscore); at != std::string::npos; at = out.find(kUnderscore, at + 1))
        out.replace(at, kUnderscore.size(), "_");
    for (size_t at = out.find(kNoKeyword); at != std::string::npos; at = out.find(kNoKeyword, at))
        out.erase(at, kNoKeyword.size());
    return out;
}

LogLine splitLogLine(std::string_view line) {
    LogLine parts;
    parts.error = !line.starts_with("WARNING: ");
    for (const std::string_view kind : {"ERROR: ", "WARNING: "})
        if (line.starts_with(kind)) line.remove_prefix(kind.size());
    if (line.starts_with("0:")) {
        const auto [end, status] = std::from_chars(line.data() + 2, line.data() + line.size(), parts.line);
        if (status == std::errc{} && end != line.data() + line.size() && *end == ':')
            line.remove_prefix(static_cast<size_t>(end - line.data()) + 1);
        else
            parts.line = 0;
    }
    // glslang sets some parts off with two blanks.
    for (const char c : line)
        if (c != ' ' || (!parts.text.empty() && parts.text.back() != ' ')) parts.text += c;
    while (parts.text.ends_with(' ')) parts.text.pop_back();
    parts.text = inWordsOfTheLanguage(parts.text);
    return parts;
}

Message Preprocessed::fromLog(std::string_view logLine) const {
    LogLine parts = splitLogLine(restoreNames(logLine));
    if (parts.line == 0) return {parts.error, 0, 0, 0, 0, std::move(parts.text)};
    return message(parts.error, {parts.line, 0}, std::move(parts.text));
}

Preprocessed preprocess(std::string_view source, const Limits& limits) { return Preprocessor(source, limits).run(); }

}  // namespace tessera::glsl::front
