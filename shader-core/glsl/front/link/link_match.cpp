// The link rules of ES 2.0 (sections 2.10.4, 2.10.6) and GLSL ES 1.00 (4.3, 4.5.3, 4.6.4), and what ES 3.0 and
// GLSL ES 3.00 have made of them.
#include <fmt/format.h>

#include <algorithm>

#include "shader-core/glsl/front/link/link.h"

namespace tessera::glsl::front {

namespace {

const InterfaceVariable* find(const std::vector<InterfaceVariable>& list, const std::string& name) {
    for (const InterfaceVariable& v : list)
        if (v.name == name) return &v;
    return nullptr;
}

const InterfaceVariable* findVarying(const Shader& shader, const std::string& interfaceName) {
    for (const InterfaceVariable& v : shader.varyings)
        if (front::interfaceName(v) == interfaceName) return &v;
    return nullptr;
}

/// " at 0:12:5", behind what a message says of a declaration that it is not about.
std::string at(const InterfaceVariable& v) { return v.place.empty() ? "" : " at " + v.place; }

class Matcher {
public:
    explicit Matcher(std::string& log) : log_(log) {}
    bool ok = true;

    template <class... Arguments>
    void error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        log_ += "ERROR: " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
        ok = false;
    }
    template <class... Arguments>
    void warn(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        log_ += "WARNING: " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
    }

    void varyings(const Shader& vertex, const Shader& fragment) {
        for (const InterfaceVariable& f : fragment.varyings) {
            const InterfaceVariable* v = findVarying(vertex, interfaceName(f));
            if (!v) {
                if (f.staticUse)
                    error("{} varying used by the fragment shader is not declared in the vertex shader{}", about(f),
                          f.location < 0 ? "" : fmt::format(" with location {}", f.location));
                continue;
            }
            std::string member;
            if (!sameType(v->type, f.type, false, &member))
                error("{} varying is {} in the fragment shader but {} in the vertex shader{}", about(f),
                      spelling(f.type), spelling(v->type), at(*v));
            // Where a smooth one is taken, at the centre or the centroid, is the fragment shader's business.
            const bool isFlat = f.interpolation == isa::Interpolation::Flat;
            if (isFlat != (v->interpolation == isa::Interpolation::Flat))
                error("{} varying is {} in the fragment shader but {} in the vertex shader{}", about(f),
                      isFlat ? "flat" : "smooth", isFlat ? "smooth" : "flat", at(*v));
            // From version 3.00 on what the fragment shader takes in is invariant when it goes out so.
            if (vertex.version >= 300) continue;
            // The pragma makes a shader's outputs invariant; what the fragment shader takes in must say so itself.
            bool leaves = v->invariant || vertex.invariantAll;
            if (leaves != f.invariant)
                error("{} varying is invariant in the {} shader only; the vertex shader declares it{}", about(f),
                      leaves ? "vertex" : "fragment", at(*v));
        }
        const BuiltInInvariance& a = vertex.invariance;
        const BuiltInInvariance& b = fragment.invariance;
        if (b.fragCoord && !a.position && !vertex.invariantAll)
            error("'gl_FragCoord' : invariant, but gl_Position is not");
        if (b.pointCoord && !a.pointSize && !vertex.invariantAll)
            error("'gl_PointCoord' : invariant, but gl_PointSize is not");
    }

    void uniforms(const Shader& vertex, const Shader& fragment) {
        for (const InterfaceVariable& f : fragment.uniforms) {
            const InterfaceVariable* v = find(vertex.uniforms, f.name);
            if (!v) continue;
            std::string member;
            if (!sameType(v->type, f.type, false, &member)) {
                error("{} uniform is {} in the fragment shader but {} in the vertex shader{}{}", about(f, member),
                      spelling(f.type), spelling(v->type), at(*v), member.empty() ? "" : ", with different members");
                continue;
            }
            if (v->precision == f.precision && sameType(v->type, f.type, true, &member)) continue;
            // In version 1.00 it is harmless between unused declarations, and applications rely on that.
            if (vertex.version >= 300 || (v->staticUse && f.staticUse))
                error("{} uniform has another precision than in the vertex shader{}", about(f, member), at(*v));
            else
                warn("{} uniform has another precision than in the vertex shader{}", about(f), at(*v));
        }
    }

    /// Blocks of one name are one (GLSL ES 3.00 section 4.3.7); names of members that stand alone are names of
    /// uniforms.
    void blocks(const Shader& vertex, const Shader& fragment) {
        for (const InterfaceBlock& f : fragment.blocks) {
            const auto v = std::ranges::find(vertex.blocks, f.name, &InterfaceBlock::name);
            if (v == vertex.blocks.end()) continue;
            if (const std::string why = difference(*v, f); !why.empty())
                error("{} uniform block has {} than in the vertex shader{}", about(f), why,
                      v->place.empty() ? "" : " at " + v->place);
        }
        const auto collide = [&](const Shader& of, const Shader& other) {
            for (const InterfaceBlock& block : of.blocks) {
                if (!block.instance.empty()) continue;
                for (const Field& field : block.type.structure->fields)
                    if (const InterfaceVariable* v = find(other.uniforms, field.name))
                        error("{} uniform has the name of a member of block '{}' of the other shader", about(*v),
                              block.name);
            }
        };
        collide(vertex, fragment);
        collide(fragment, vertex);
    }

    /// `taken`: who has each location. Of those from `location` on the ones that exist are the variable's now.
    void take(std::vector<const InterfaceVariable*>& taken, const char* kind, const InterfaceVariable& v,
              int64_t location) {
        const int64_t first = std::max<int64_t>(location, 0);
        const int64_t end = std::min<int64_t>(location + registerCount(v.type), std::ssize(taken));
        for (int64_t i = first; i < end; i++) {
            const InterfaceVariable*& place = taken[static_cast<size_t>(i)];
            if (place != nullptr)
                return error("{} {} has location {}, and so has '{}'{}", about(v), kind, i, place->name, at(*place));
            place = &v;
        }
    }

private:
    /// What a block has "another ..." of; empty when they agree.
    static std::string difference(const InterfaceBlock& a, const InterfaceBlock& b) {
        if (a.packing != b.packing) return "another layout";
        if (a.arraySize != b.arraySize) return "another number of instances";
        if (a.instance.empty() != b.instance.empty()) return "its members named in another way";
        const auto& fields = a.type.structure->fields;
        const auto& others = b.type.structure->fields;
        if (fields.size() != others.size()) return "other members";
        for (size_t i = 0; i < fields.size(); i++) {
            std::string member;
            if (fields[i].name != others[i].name || !sameType(fields[i].type, others[i].type, false, &member))
                return fmt::format("another member '{}'", others[i].name);
            if (fields[i].precision != others[i].precision)
                return fmt::format("another precision of '{}'", others[i].name);
            if (a.rowMajor[i] != b.rowMajor[i]) return "another order of matrices";
        }
        return {};
    }

    std::string& log_;
};

/// All attributes that are declared lie apart, used or not (OpenGL ES 3.0.6 section 2.12.5).
void checkAliasing(Matcher& m, const Shader& shader, const std::map<std::string, int>& bindings, int limit) {
    std::vector<const InterfaceVariable*> taken(static_cast<size_t>(limit));
    for (const InterfaceVariable& a : shader.attributes)
        if (const auto bound = bindings.find(a.name); bound != bindings.end())
            m.take(taken, "attribute", a, bound->second);
}

}  // namespace

std::string about(const InterfaceVariable& v, std::string_view member) {
    const std::string_view colon = v.place.empty() ? "" : ": ", dot = member.empty() ? "" : ".";
    return fmt::format("{}{}'{}{}{}' :", v.place, colon, v.name, dot, member);
}

std::string about(const InterfaceBlock& block) {
    return fmt::format("{}{}'{}' :", block.place, block.place.empty() ? "" : ": ", block.name);
}

std::string interfaceName(const InterfaceVariable& varying) {
    // No name of a shader's: verify() and the assembler take any word.
    return varying.location < 0 ? varying.name : fmt::format("layout(location={})", varying.location);
}

bool checkLocations(const Shader& shader, int limit, std::string& log) {
    Matcher m(log);
    std::vector<const InterfaceVariable*> taken(static_cast<size_t>(limit));
    for (const InterfaceVariable& v : shader.varyings) {
        if (v.location < 0) continue;
        const uint32_t size = registerCount(v.type);
        if (v.location >= limit || size > static_cast<uint32_t>(limit - v.location)) {
            m.error("{} varying with location {} needs {} of {} locations", about(v), v.location, size, limit);
            continue;
        }
        m.take(taken, "varying", v, v.location);
    }
    return m.ok;
}

bool matchStages(const Shader& vertex, const Shader& fragment, std::string& log) {
    Matcher m(log);
    m.varyings(vertex, fragment);
    m.uniforms(vertex, fragment);
    m.blocks(vertex, fragment);
    return m.ok;
}

bool assignAttributes(const Shader& shader, std::vector<isa::Variable>& active,
                      const std::map<std::string, int>& bindings, int limit, std::string& log) {
    Matcher m(log);
    // Names of one location alias, which ES 2.0 allows while only one of them is used.
    if (shader.version >= 300) checkAliasing(m, shader, bindings, limit);
    std::vector<bool> taken(static_cast<size_t>(limit));
    auto take = [&](isa::Variable& v, int location) {
        v.reg = static_cast<uint16_t>(location);
        for (uint32_t i = 0; i < registersOf(v); i++) taken[static_cast<size_t>(location) + i] = true;
    };
    std::vector<isa::Variable*> free;
    for (isa::Variable& v : active) {
        auto bound = bindings.find(v.name);
        if (bound == bindings.end()) {
            free.push_back(&v);
            continue;
        }
        if (bound->second < 0 || bound->second + static_cast<int>(registersOf(v)) > limit)
            m.error("{} attribute bound to location {} needs {} of {} locations",
                    about(*find(shader.attributes, v.name)), bound->second, registersOf(v), limit);
        else
            take(v, bound->second);
    }
    if (!m.ok) return false;
    // Matrices first, they need neighbours; otherwise in the order of the declarations.
    std::sort(free.begin(), free.end(), [](const isa::Variable* a, const isa::Variable* b) {
        uint32_t sizeA = registersOf(*a), sizeB = registersOf(*b);
        return sizeA != sizeB ? sizeA > sizeB : a < b;
    });
    for (isa::Variable* v : free) {
        auto size = static_cast<int>(registersOf(*v));
        int location = 0, run = 0;
        for (; location < limit && run < size; location++) run = taken[static_cast<size_t>(location)] ? 0 : run + 1;
        if (run < size)
            m.error("{} too many attributes, no {} neighbouring locations of {} are left",
                    about(*find(shader.attributes, v->name)), size, limit);
        else
            take(*v, location - size);
    }
    return m.ok;
}

std::vector<OutputPlace> assignOutputs(const Shader& fragment, const OutputBindings& bindings, std::string& log) {
    Matcher m(log);
    std::vector<const InterfaceVariable*> taken[] = {std::vector<const InterfaceVariable*>(isa::kColors),
                                                     std::vector<const InterfaceVariable*>(kMaxSecondColors)};
    const auto room = [&](bool isSecond) { return static_cast<int>(taken[isSecond ? 1 : 0].size()); };
    std::vector<OutputPlace> places(fragment.outputs.size());
    std::vector<size_t> free;
    for (size_t i = 0; i < places.size(); i++) {
        const InterfaceVariable& v = fragment.outputs[i];
        const int size = static_cast<int>(registerCount(v.type));
        OutputPlace& place = places[i] = {v.location, v.isSecond};
        if (v.location < 0) {
            auto bound = bindings.find(v.name);
            if (bound == bindings.end() && v.type.isArray()) bound = bindings.find(v.name + "[0]");
            if (bound == bindings.end()) {
                free.push_back(i);
                continue;
            }
            place = bound->second;
        }
        if (place.location + size > room(place.isSecond))
            m.error("{} output bound to location {} needs {} of {} locations{}", about(v), place.location, size,
                    room(place.isSecond), place.isSecond ? " of index 1" : "");
        else
            m.take(taken[place.isSecond ? 1 : 0], place.isSecond ? "output of index 1" : "output", v, place.location);
    }
    // Arrays first, they need neighbours; otherwise in the order of the declarations.
    const auto sizeOf = [&](size_t i) { return registerCount(fragment.outputs[i].type); };
    std::ranges::stable_sort(free, std::ranges::greater(), sizeOf);
    for (const size_t i : free) {
        const int size = static_cast<int>(sizeOf(i));
        int end = 0, run = 0;
        for (; end < room(false) && run < size; end++)
            run = taken[0][static_cast<size_t>(end)] != nullptr ? 0 : run + 1;
        places[i] = {end - size, false};
        if (run < size)
            m.error("{} output: no {} neighbouring locations of {} are left", about(fragment.outputs[i]), size,
                    room(false));
        else
            m.take(taken[0], "output", fragment.outputs[i], end - size);
    }
    const auto isAny = [](const std::vector<const InterfaceVariable*>& list, int from) {
        return std::any_of(list.begin() + from, list.end(), [](const auto* v) { return v != nullptr; });
    };
    if (m.ok && isAny(taken[1], 0) && isAny(taken[0], kMaxSecondColors))
        m.error("{} output of index 1: with one there are {} locations and no more",
                about(**std::ranges::find_if(taken[1], [](const auto* v) { return v != nullptr; })), kMaxSecondColors);
    if (!m.ok) places.clear();
    return places;
}

}  // namespace tessera::glsl::front
