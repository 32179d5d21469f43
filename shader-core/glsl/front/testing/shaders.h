// Test only: short ways to compile and link.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "shader-core/glsl/front/link/shader.h"
#include "shader-core/glsl/glsl.h"

namespace tessera::glsl {

inline CompileResult vertex(const std::string& source, const Limits& limits = {}) {
    return compile(isa::Stage::Vertex, source, limits);
}
inline CompileResult fragment(const std::string& source, const Limits& limits = {}) {
    return compile(isa::Stage::Fragment, "precision mediump float;\n" + source, limits);
}
/// The body of main in a fragment shader with some variables to work on.
inline CompileResult body(const std::string& statements) {
    return fragment("uniform float u; uniform int k; uniform vec4 v; uniform sampler2D s;\nvoid main() { " +
                    statements + " }");
}

inline bool compiles(const CompileResult& r) {
    INFO(r.infoLog);
    bool ok = r.shader != nullptr;
    CHECK((ok || r.infoLog.find("ERROR: ") != std::string::npos));
    if (r.shader) CHECK(ir::verify(r.shader->module) == "");
    return ok;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Link result of two sources that must compile.
inline LinkResult linked(const std::string& vertexSource, const std::string& fragmentSource,
                         const std::map<std::string, int>& bindings = {}, const Limits& limits = {}) {
    CompileResult v = vertex(vertexSource, limits), f = fragment(fragmentSource, limits);
    INFO(v.infoLog << f.infoLog);
    REQUIRE(v.shader);
    REQUIRE(f.shader);
    return link(*v.shader, *f.shader, bindings, limits);
}

inline const isa::Variable* find(const std::vector<isa::Variable>& list, const std::string& name) {
    for (const isa::Variable& v : list)
        if (v.name == name) return &v;
    return nullptr;
}

}  // namespace tessera::glsl
