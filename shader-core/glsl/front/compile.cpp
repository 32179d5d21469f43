// compile(): source text to a Shader.
#include <fmt/format.h>
#include <pthread.h>

#include <functional>

#include "shader-core/glsl/front/lowering.h"
#include "shader-core/glsl/front/parse.h"
#include "shader-core/glsl/front/preprocess.h"

namespace tessera::glsl {

using namespace front;

namespace {

/// Rules that glslang leaves to its linker, or to nobody.
void checkRules(const Analysis& analysis, const Preprocessed& text) {
    auto color = analysis.usedBuiltIns.find("gl_FragColor");
    auto data = analysis.usedBuiltIns.find("gl_FragData");
    if (color != analysis.usedBuiltIns.end() && data != analysis.usedBuiltIns.end())
        throw CompileError{std::max(color->second, data->second),
                           "'gl_FragData' : gl_FragColor is used by the same shader; only one of them may be"};
    if (analysis.fragDataElements > 1 && !text.drawBuffers)
        throw CompileError{analysis.fragDataLine,
                           "'gl_FragData' : elements after the first need '#extension GL_EXT_draw_buffers : enable'"};
    if (!analysis.recursiveFunction.empty())
        throw CompileError{analysis.recursiveLine, fmt::format("'{}' : function calls itself; recursion is not allowed",
                                                               analysis.recursiveFunction)};
}

CompileResult compileText(isa::Stage stage, const Preprocessed& text, std::string_view source, const Limits& limits,
                          bool debugInfo) {
    CompileResult result;
    result.infoLog = text.log;
    ParsedShader parsed = parse(stage, text.text, limits, text.drawInstanced);
    result.infoLog += text.relocate(parsed.log);
    if (!parsed.root()) return result;
    auto shader = std::make_shared<Shader>();
    shader->stage = stage;
    shader->module.stage = stage;
    shader->invariantAll = text.invariantAll;
    for (const std::string& name : text.invariantBuiltIns) {
        shader->invariance.position |= name == "gl_Position";
        shader->invariance.pointSize |= name == "gl_PointSize";
        shader->invariance.fragCoord |= name == "gl_FragCoord";
        shader->invariance.pointCoord |= name == "gl_PointCoord";
    }
    shader->module.source = std::string(source);
    try {
        Analysis analysis(parsed.root());
        checkRules(analysis, text);
        shader->undefinedFunctions = analysis.undefinedFunctions;
        Lowering(*shader, analysis, parsed.fragColorAliased, debugInfo).run(parsed.root());
    } catch (const CompileError& error) {
        result.infoLog += fmt::format("ERROR: {}: {}\n", text.place(std::max(error.line, 1)), error.message);
        return result;
    }
    result.shader = std::move(shader);
    return result;
}

/// Runs `work` on a stack large enough for the deepest tree the preprocessor lets through.
void onLargeStack(const std::function<void()>& work) {
    constexpr size_t kStackBytes = size_t{256} << 20;  // address space; only touched pages cost memory
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStackBytes);
    pthread_t thread{};
    auto entry = [](void* argument) -> void* {
        (*static_cast<const std::function<void()>*>(argument))();
        return nullptr;
    };
    bool started = pthread_create(&thread, &attributes, entry, const_cast<std::function<void()>*>(&work)) == 0;
    pthread_attr_destroy(&attributes);
    if (started)
        pthread_join(thread, nullptr);
    else
        work();
}

}  // namespace

void prepare() {
    for (isa::Stage stage : {isa::Stage::Vertex, isa::Stage::Fragment})
        (void)parse(stage, "void main() {}\n", {}, false);
}

CompileResult compile(isa::Stage stage, std::string_view source, const Limits& limits, bool debugInfo) {
    Preprocessed text = preprocess(source, limits);
    if (!text.ok) return {nullptr, text.log};
    CompileResult result;
    auto work = [&] { result = compileText(stage, text, source, limits, debugInfo); };
    constexpr size_t kShallow = 200;  // trees that any thread's stack holds
    if (text.depth <= kShallow)
        work();
    else
        onLargeStack(work);
    return result;
}

}  // namespace tessera::glsl
