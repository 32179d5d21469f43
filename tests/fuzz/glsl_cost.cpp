// GLSL by its grammar: shaders that are mostly valid and made of what multiplies, such as structures in structures,
// functions that call functions, macros of macros, loops in loops, arrays with indices of arrays. Demands: compiling,
// linking and making machine code keep to the time and memory that SECURITY.md states.
#include "shader-core/glsl/glsl.h"
#include "shader-core/jit/codegen/linked_jit.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/cost.h"
#include "tests/fuzz/input.h"

namespace {

using namespace tessera;
using fuzz::Input;

constexpr size_t kMostText = 30'000;

/// Writes a shader. Every choice is a byte of the input; at its end the choices are the short ones.
class Shader {
public:
    Shader(Input& input, isa::Stage stage) : in_(input), stage_(stage) {}

    std::string text() {
        line("precision highp float;");
        line("uniform float u[8]; uniform int n; uniform sampler2D s; uniform mat4 m;");
        line("varying vec4 v;");
        if (stage_ == isa::Stage::Vertex) line("attribute vec4 a;");
        macros();
        structures();
        functions();
        line("void main() {");
        locals();
        block(0, 1 + pick(8));
        line(stage_ == isa::Stage::Vertex ? "gl_Position = q + v; }" : "gl_FragColor = q; }");
        return std::move(text_);
    }

private:
    unsigned pick(unsigned n) { return in_.byte() % n; }
    void line(const std::string& text) { text_ += text + "\n"; }
    [[nodiscard]] bool full() const { return in_.empty() || text_.size() > kMostText; }

    void macros() {
        const unsigned count = pick(8) == 0 ? pick(24) : pick(5);  // many expand to too many tokens
        if (count == 0) return;
        line("#define M0(x) (x)");
        for (unsigned i = 1; i < count; ++i) {
            const std::string below = "M" + std::to_string(i - 1) + "(x)";
            std::string body = below;
            for (unsigned copies = pick(3); copies > 0; --copies) body += " + " + below;
            line("#define M" + std::to_string(i) + "(x) (" + body + ")");
        }
        macros_ = count;
    }

    void structures() {
        structures_ = pick(20);
        for (unsigned i = 0; i < structures_; ++i) {
            std::string body = "float f" + size() + "; ";
            if (i > 0)
                for (unsigned members = pick(3); members > 0; --members)
                    body += "S" + std::to_string(i - 1) + " m" + std::to_string(members) + size() + "; ";
            line("struct S" + std::to_string(i) + " { " + body + "};");
        }
        if (structures_ > 0 && pick(2) != 0) line("uniform S" + std::to_string(structures_ - 1) + " t;");
    }

    void functions() {
        const unsigned count = pick(20);
        for (unsigned i = 0; i < count && !full(); ++i) {
            line("vec4 g" + std::to_string(i) + "(vec4 p) {");
            locals();
            block(1, 1 + pick(3));
            line("return q + p; }");
            functions_ = i + 1;
        }
    }

    void locals() {
        line("vec4 q = v; float w[" + std::to_string(1 + pick(32)) + "]; int k = n; float f = u[1]; mat4 b = m;");
        if (structures_ > 0 && pick(3) == 0) line("S" + std::to_string(structures_ - 1) + " z;");
    }

    void block(int depth, unsigned statements) {
        for (; statements > 0 && !full(); --statements) statement(depth);
    }

    void statement(int depth) {
        const std::string counter = "i" + std::to_string(depth);
        switch (depth < 12 ? pick(12) : pick(8)) {
            case 0:
                return line(element() + " = " + element() + " + " + real(2) + ";");
            case 1:
                return line("k = " + integer(3) + ";");
            case 2:
            case 3:
                return line("q = " + vector(3) + ";");
            case 4:
                return line("f = " + real(4) + ";");
            case 5:
                return line("b = b * mat4(" + real(2) + ");");
            case 6:
                return line("q." + std::string(&"xyzw"[pick(4)], 1) + " += " + real(2) + ";");
            case 7:
                return line(loops_ > 0 && pick(2) != 0 ? "if (" + condition() + ") break;" : "f *= 1.5;");
            case 8:
            case 9:
                line("if (" + condition() + ") {");
                block(depth + 1, 1 + pick(3));
                line("} else {");
                block(depth + 1, pick(3));
                return line("}");
            default:
                line("for (int " + counter + " = 0; " + counter + " < " + std::to_string(1 + pick(64)) + "; ++" +
                     counter + ") {");
                ++loops_;
                block(depth + 1, 1 + pick(4));
                --loops_;
                return line("}");
        }
    }

    std::string size() { return pick(3) == 0 ? "[" + std::to_string(1 + in_.half() % 300) + "]" : ""; }
    std::string condition() { return real(1) + (pick(2) != 0 ? " < " : " > ") + real(1); }

    /// A constant index would have to be in range.
    std::string element() { return "w[k + " + integer(1) + "]"; }

    std::string integer(int depth) {
        switch (depth > 0 ? pick(6) : pick(2)) {
            case 0:
                return "k";
            case 1:
                return std::to_string(pick(9));
            case 2:
                return "int(" + real(depth - 1) + ")";
            case 3:
                return "(" + integer(depth - 1) + " * " + integer(depth - 1) + ")";
            default:
                return "(" + integer(depth - 1) + " + " + integer(depth - 1) + ")";
        }
    }

    std::string real(int depth) {
        static constexpr const char* kFunctions[] = {"sin", "exp2", "fract", "sqrt", "abs", "floor", "tan", "acos"};
        switch (depth > 0 ? pick(10) : pick(3)) {
            case 0:
                return "f";
            case 1:
                return std::to_string(pick(50)) + ".5";
            case 2:
                return "u[" + std::to_string(pick(8)) + "]";
            case 3:
                return element();
            case 4:
                return std::string(kFunctions[pick(8)]) + "(" + real(depth - 1) + ")";
            case 5:
                return "dot(" + vector(depth - 1) + ", " + vector(depth - 1) + ")";
            case 6:
                if (macros_ > 0) return "M" + std::to_string(pick(macros_)) + "(" + real(0) + ")";
                [[fallthrough]];
            case 7:
                return "pow(" + real(depth - 1) + ", " + real(depth - 1) + ")";
            default:
                return "(" + real(depth - 1) + (pick(2) != 0 ? " * " : " + ") + real(depth - 1) + ")";
        }
    }

    std::string vector(int depth) {
        switch (depth > 0 ? pick(8) : pick(2)) {
            case 0:
                return "q";
            case 1:
                return "v";
            case 2:
                return "vec4(" + real(depth - 1) + ")";
            case 3:
                return "(b * " + vector(depth - 1) + ")";
            case 4:
                return "texture2D(s, " + vector(depth - 1) + ".yx)";
            case 5:
                return "mix(" + vector(depth - 1) + ", " + vector(depth - 1) + ", " + real(depth - 1) + ")";
            case 6:
                if (functions_ > 0)
                    return "g" + std::to_string(functions_ - 1 - pick(functions_) % 3 % functions_) + "(" +
                           vector(depth - 1) + ")";
                [[fallthrough]];
            default:
                return "(" + vector(depth - 1) + " + " + vector(depth - 1) + ")";
        }
    }

    Input& in_;
    isa::Stage stage_;
    std::string text_;
    unsigned macros_ = 0, structures_ = 0, functions_ = 0, loops_ = 0;
};

void demandWithinLimits(const fuzz::Cost& cost, const char* what, const std::string& text) {
    const double seconds = cost.seconds();
    const size_t bytes = cost.bytes();
    fuzz::demand(seconds <= fuzz::kMostSeconds && bytes <= fuzz::kMostBytes, what,
                 [&] { return std::to_string(seconds) + " s, " + std::to_string(bytes >> 20) + " MB\n" + text; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const std::shared_ptr<isa::Executor> kCompiler = jit::makeJit(simdLevel());
    Input input(data, size);
    const isa::Stage stage = (input.byte() & 1) != 0 ? isa::Stage::Fragment : isa::Stage::Vertex;
    const std::string text = Shader(input, stage).text();
    const fuzz::Cost front;
    const glsl::CompileResult compiled = glsl::compile(stage, text);
    glsl::LinkResult linked;
    if (compiled.shader) linked = glsl::linkSingle(*compiled.shader);
    demandWithinLimits(front, "compiling and linking keep to the limits", text);
    if (!linked.ok) return 0;
    const fuzz::Cost code;
    (void)kCompiler->prepare(stage == isa::Stage::Vertex ? linked.vertex : linked.fragment);
    demandWithinLimits(code, "making machine code keeps to the limits", text);
    return 0;
}
