// link(): matches the stages, removes what the other stage does not want, gives registers, emits.
//
// Order: the fragment shader is optimised first, so that only varyings it really reads stay; the vertex shader
// loses its writes to the others, is optimised in turn, and then both get their final registers.
#include "shader-core/glsl/front/link/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "shader-core/glsl/front/link/packing.h"
#include "shader-core/glsl/ir/builder.h"
#include "shader-core/isa/built_in_uniforms.h"

namespace tessera::glsl {

using namespace front;

namespace {

/// One stage on its way to a program.
struct StageLink {
    const Shader& shader;
    ir::Module module;
    SlotMaps maps;
    SlotUse use;

    explicit StageLink(const Shader& s) : shader(s), module(s.module) {}
    [[nodiscard]] const char* name() const { return shader.stage == isa::Stage::Vertex ? "vertex" : "fragment"; }
};

PackItem packItem(const isa::Variable& v) {
    return {static_cast<uint8_t>(isa::componentCount(v.type)), registersOf(v)};
}

/// All slots in place: what linkSingle() uses, and where the maps start.
void identityMaps(StageLink& stage) {
    SlotUse use = slotUse(stage.shader, stage.module);
    auto fill = [](std::vector<SlotPlace>& map, size_t size) {
        for (uint32_t i = 0; i < size; i++) map.push_back({i, 0});
    };
    stage.maps = {};
    fill(stage.maps.inputs, use.inputs.size());
    fill(stage.maps.outputs, std::max<size_t>(use.outputs.size(), isa::kOutVarying0));
    fill(stage.maps.uniforms, use.uniforms.size());
    for (uint32_t i = 0; i < use.samplers.size(); i++) stage.maps.samplers.push_back(i);
}

/// The last colours' registers lie behind those of the varyings.
void mapLastColors(StageLink& stage) {
    std::vector<SlotPlace>& inputs = stage.maps.inputs;
    for (size_t slot = stage.shader.lastColorSlot; slot < inputs.size(); slot++)
        inputs[slot] = {isa::kInLastColor0 + static_cast<uint32_t>(slot) - stage.shader.lastColorSlot, 0};
}

/// Colours' registers, and those of the last colours that outputs begin as.
bool placeOutputs(StageLink& stage, const OutputBindings& bindings, std::string& log) {
    if (stage.shader.outputs.empty()) return true;
    const std::vector<OutputPlace> places = assignOutputs(stage.shader, bindings, log);
    stage.module.outputs.clear();
    for (size_t i = 0; i < places.size(); i++) {
        InterfaceVariable v = stage.shader.outputs[i];
        const uint32_t slot = std::exchange(v.first, colorRegister(places[i].location, places[i].isSecond));
        appendLeaves(v, stage.module.outputs);
        const auto last = static_cast<uint32_t>(isa::kInLastColor0 + places[i].location);
        for (uint32_t k = 0; k < registerCount(v.type); k++) {
            if (slot + k < stage.maps.outputs.size()) stage.maps.outputs[slot + k] = {v.first + k, 0};
            if (v.lastColorSlot != ir::kNone && v.lastColorSlot + k < stage.maps.inputs.size())
                stage.maps.inputs[v.lastColorSlot + k] = {last + k, 0};
        }
    }
    return !places.empty();
}

void assignBlocks(StageLink& stage);

bool assignUniforms(StageLink& stage, int vectorLimit, int samplerLimit, std::string& log) {
    std::vector<isa::Variable> leaves, active;
    for (const InterfaceVariable& v : stage.shader.uniforms) appendLeaves(v, leaves);
    stage.maps.uniforms.assign(stage.use.uniforms.size(), {});
    stage.maps.samplers.assign(stage.use.samplers.size(), ir::kNone);
    uint32_t registers = 0, units = 0;
    std::vector<PackItem> items;
    // Slots keep their order and lose the unused leaves; what an index may reach is used, so it stays together.
    for (isa::Variable& v : leaves) {
        bool sampler = isa::isSampler(v.type);
        uint32_t count = sampler ? elementsOf(v) : registersOf(v);
        if (!anyUsed(sampler ? stage.use.samplers : stage.use.uniforms, v.reg, count)) continue;
        uint32_t& next = sampler ? units : registers;
        for (uint32_t i = 0; i < count; i++) {
            if (sampler && v.reg + i < stage.maps.samplers.size()) stage.maps.samplers[v.reg + i] = next + i;
            if (!sampler && v.reg + i < stage.maps.uniforms.size()) stage.maps.uniforms[v.reg + i] = {next + i, 0};
        }
        v.reg = static_cast<uint16_t>(next);
        next += count;
        if (!sampler) items.push_back(packItem(v));
        active.push_back(v);
    }
    if (units > static_cast<uint32_t>(samplerLimit)) {
        log += fmt::format("ERROR: {} shader uses {} samplers, limit {}\n", stage.name(), units, samplerLimit);
        return false;
    }
    auto rows = static_cast<uint32_t>(vectorLimit);
    if (registers > rows && pack(items, rows).empty()) {
        log +=
            fmt::format("ERROR: {} shader uses {} uniform vectors, limit {}\n", stage.name(), registers, vectorLimit);
        return false;
    }
    stage.module.uniforms = std::move(active);
    assignBlocks(stage);
    return true;
}

/// Registers that are left to literals beside blocks that instructions name directly.
constexpr uint32_t kLiteralRegisters = 64;

bool checkBlocks(const Shader& shader, const Limits& limits, std::string& log) {
    bool ok = true;
    const auto error = [&](const InterfaceBlock& block, const std::string& what) {
        log += fmt::format("ERROR: {} {}\n", about(block), what);
        ok = false;
    };
    uint32_t count = 0;
    const auto limit = static_cast<uint32_t>(shader.stage == isa::Stage::Vertex ? limits.vertexUniformBlocks
                                                                                : limits.fragmentUniformBlocks);
    for (const InterfaceBlock& block : shader.blocks) {
        const uint64_t bytes = uint64_t{block.registers()} * kRegisterBytes;
        if (bytes > static_cast<uint64_t>(limits.uniformBlockBytes))
            error(block, fmt::format("uniform block has {} bytes, limit {}", bytes, limits.uniformBlockBytes));
        const uint32_t before = std::exchange(count, count + block.instances());
        if (before <= limit && count > limit)
            error(block, fmt::format("the {} shader has {} uniform blocks up to here, limit {}",
                                     shader.stage == isa::Stage::Vertex ? "vertex" : "fragment", count, limit));
    }
    return ok;
}

/// Blocks that the stage reads get registers behind its uniforms. The smallest come first, as long as instructions can
/// name them directly; the others lie beyond.
void assignBlocks(StageLink& stage) {
    uint32_t near = 0, far = isa::kMaxConstants;
    for (const isa::Variable& v : stage.module.uniforms)
        if (!isa::isSampler(v.type)) near = std::max(near, v.reg + registersOf(v));
    stage.module.blocks.clear();
    struct Instance {
        const InterfaceBlock* block;
        uint32_t slot;
        size_t listed;
    };
    std::vector<Instance> read;
    for (const InterfaceBlock& block : stage.shader.blocks) {
        for (uint32_t i = 0; i < block.instances(); i++) {
            isa::UniformBlock listed;
            listed.name = block.arraySize == 0 ? block.name : fmt::format("{}[{}]", block.name, i);
            listed.byteSize = block.registers() * kRegisterBytes;
            listed.isShared = block.packing != InterfaceBlock::Packing::Packed;
            listed.members = membersOf(block);
            const uint32_t slot = block.first + i * block.registers();
            if (anyUsed(stage.use.uniforms, slot, block.registers()))
                read.push_back({&block, slot, stage.module.blocks.size()});
            stage.module.blocks.push_back(std::move(listed));
        }
    }
    std::ranges::stable_sort(read, {}, [](const Instance& i) { return i.block->registers(); });
    for (const Instance& i : read) {
        const uint32_t size = i.block->registers();
        uint32_t& next = near + size + kLiteralRegisters <= isa::kMaxConstants ? near : far;
        isa::UniformBlock& listed = stage.module.blocks[i.listed];
        listed.reg = static_cast<uint16_t>(next);
        listed.registers = static_cast<uint16_t>(size);
        for (uint32_t k = 0; k < size && i.slot + k < stage.maps.uniforms.size(); k++)
            stage.maps.uniforms[i.slot + k] = {next + k, 0};
        next += size;
    }
}

/// Varyings that pass between the stages, with registers 0 to limit - 1 for both.
struct VaryingPlaces {
    std::vector<isa::Variable> active;        ///< of both
    std::vector<isa::Variable> onlyVertex;    ///< captured, and not read by the fragment shader
    std::map<std::string, PackPlace> places;  ///< of leaves, by leafName()
};

/// What the stages know a leaf of a varying by.
std::string leafName(const InterfaceVariable& varying, const isa::Variable& leaf) {
    return interfaceName(varying) + leaf.name.substr(varying.name.size());
}

/// Places in `limit` registers, and none where they do not fit. Each register has varyings of one interpolation.
std::vector<PackPlace> packByInterpolation(const std::vector<isa::Variable>& leaves, uint32_t limit) {
    std::vector<PackPlace> places(leaves.size());
    uint32_t first = 0;
    for (const auto kind : {isa::Interpolation::Smooth, isa::Interpolation::Centroid, isa::Interpolation::Flat}) {
        std::vector<PackItem> items;
        for (const isa::Variable& v : leaves)
            if (v.interpolation == kind) items.push_back(packItem(v));
        if (items.empty()) continue;
        const std::vector<PackPlace> packed = pack(items, limit - first);
        if (packed.empty()) return {};
        uint32_t end = first;
        for (size_t i = 0, k = 0; i < leaves.size(); i++) {
            if (leaves[i].interpolation != kind) continue;
            places[i] = {first + packed[k].row, packed[k].column};
            end = std::max(end, places[i].row + items[k++].rows);
        }
        first = end;
    }
    return places;
}

/// Whether one of the names is the leaf's or that of one of its elements.
bool isCaptured(const isa::Variable& leaf, const std::vector<std::string>& captured) {
    return std::ranges::any_of(captured, [&](std::string_view name) {
        if (!name.starts_with(leaf.name)) return false;
        name.remove_prefix(leaf.name.size());
        return name.empty() || (leaf.arraySize != 0 && name.front() == '[');
    });
}

/// Those that the fragment shader reads, and those of the vertex shader that are captured.
bool placeVaryings(const StageLink& fragment, const Shader& vertex, const std::vector<std::string>& captured, int limit,
                   VaryingPlaces& out, std::string& log) {
    std::vector<isa::Variable> leaves;
    std::vector<std::string> names;
    for (const InterfaceVariable& f : fragment.shader.varyings) {
        if (!anyUsed(fragment.use.inputs, f.first, registerCount(f.type))) continue;
        appendLeaves(f, leaves);
        for (size_t i = names.size(); i < leaves.size(); i++) names.push_back(leafName(f, leaves[i]));
    }
    const size_t read = leaves.size();
    for (const InterfaceVariable& v : vertex.varyings) {
        std::vector<isa::Variable> own;
        appendLeaves(v, own);
        for (const isa::Variable& leaf : own) {
            if (!isCaptured(leaf, captured) || std::ranges::find(names, leafName(v, leaf)) != names.end()) continue;
            leaves.push_back(leaf);
            names.push_back(leafName(v, leaf));
        }
    }
    std::vector<PackPlace> places;
    uint32_t registers = 0;
    for (const isa::Variable& leaf : leaves) {
        places.push_back({registers, 0});
        registers += registersOf(leaf);
    }
    if (registers > static_cast<uint32_t>(limit)) {
        places = packByInterpolation(leaves, static_cast<uint32_t>(limit));
        if (places.empty()) {
            log += fmt::format("ERROR: {} varying vectors are used, limit {}\n", registers, limit);
            return false;
        }
    }
    for (size_t i = 0; i < leaves.size(); i++) {
        out.places[names[i]] = places[i];
        leaves[i].reg = static_cast<uint16_t>(places[i].row);
        (i < read ? out.active : out.onlyVertex).push_back(leaves[i]);
    }
    return true;
}

/// All those of a shader that is linked alone: at their locations, the others where there is room.
bool placeAlone(const Shader& shader, int limit, VaryingPlaces& out, std::string& log) {
    std::vector<bool> taken(static_cast<size_t>(limit));
    const auto reserve = [&](const InterfaceVariable& v, uint32_t first) {
        std::fill_n(taken.begin() + first, registerCount(v.type), true);
    };
    for (const InterfaceVariable& v : shader.varyings)
        if (v.location >= 0) reserve(v, static_cast<uint32_t>(v.location));
    for (const InterfaceVariable& v : shader.varyings) {
        const uint32_t size = registerCount(v.type);
        auto first = static_cast<uint32_t>(v.location);
        if (v.location < 0) {
            uint32_t end = 0, run = 0;
            for (; end < taken.size() && run < size; end++) run = taken[end] ? 0 : run + 1;
            if (run < size) {
                log +=
                    fmt::format("ERROR: {} no {} neighbouring varying vectors of {} are left\n", about(v), size, limit);
                return false;
            }
            first = end - size;
            reserve(v, first);
        }
        const size_t before = out.active.size();
        appendLeaves(v, out.active);
        for (size_t i = before; i < out.active.size(); i++) {
            isa::Variable& leaf = out.active[i];
            leaf.name = leafName(v, leaf);
            leaf.reg = static_cast<uint16_t>(first + leaf.reg - v.first);
            out.places[leaf.name] = {leaf.reg, 0};
        }
    }
    return true;
}

void mapVaryings(StageLink& stage, const VaryingPlaces& varyings) {
    bool vertex = stage.shader.stage == isa::Stage::Vertex;
    uint32_t base = vertex ? isa::kOutVarying0 : 0;
    std::vector<SlotPlace>& map = vertex ? stage.maps.outputs : stage.maps.inputs;
    for (const InterfaceVariable& v : stage.shader.varyings) {
        std::vector<isa::Variable> leaves;
        appendLeaves(v, leaves);
        for (const isa::Variable& leaf : leaves) {
            const auto found = varyings.places.find(leafName(v, leaf));
            for (uint32_t i = 0; i < registersOf(leaf); i++) {
                const uint32_t slot = base + leaf.reg + i;
                if (slot >= map.size()) break;
                map[slot] = found == varyings.places.end()
                                ? SlotPlace{}
                                : SlotPlace{base + found->second.row + i, found->second.column};
            }
        }
    }
    stage.module.varyings = varyings.active;
    if (!vertex) return;
    std::vector<isa::Variable>& own = stage.module.varyings;
    own.insert(own.end(), varyings.onlyVertex.begin(), varyings.onlyVertex.end());
}

/// Says in a vertex shader's list at which components captured varyings begin.
void nameComponents(StageLink& vertex, const VaryingPlaces& varyings, const std::vector<std::string>& captured) {
    for (const InterfaceVariable& v : vertex.shader.varyings) {
        std::vector<isa::Variable> leaves;
        appendLeaves(v, leaves);
        for (const isa::Variable& leaf : leaves) {
            const auto place = varyings.places.find(leafName(v, leaf));
            if (place == varyings.places.end() || !isCaptured(leaf, captured)) continue;
            const auto listed = std::ranges::find(vertex.module.varyings, leaf.name, &isa::Variable::name);
            if (listed != vertex.module.varyings.end()) listed->component = place->second.column;
        }
    }
}

bool assignInputs(StageLink& vertex, const std::map<std::string, int>& bindings, int limit, std::string& log) {
    std::vector<isa::Variable> active;
    for (const InterfaceVariable& a : vertex.shader.attributes)
        if (anyUsed(vertex.use.inputs, a.first, registerCount(a.type))) appendLeaves(a, active);
    std::vector<isa::Variable> placed = active;
    std::map<std::string, int> locations = bindings;
    for (const InterfaceVariable& a : vertex.shader.attributes)
        if (a.location >= 0) locations[a.name] = a.location;
    if (!assignAttributes(vertex.shader, placed, locations, limit, log)) return false;
    vertex.maps.inputs.assign(vertex.use.inputs.size(), {});
    for (size_t i = 0; i < active.size(); i++) {
        for (uint32_t k = 0; k < registersOf(active[i]); k++) {
            uint32_t slot = active[i].reg + k;
            if (slot < vertex.maps.inputs.size()) vertex.maps.inputs[slot] = {placed[i].reg + k, 0};
        }
    }
    vertex.module.attributes = std::move(placed);
    return true;
}

/// Outputs that the fixed function reads though the shader never writes them: 0, the same everywhere.
void writeMissingOutputs(StageLink& stage) {
    SlotUse use = slotUse(stage.shader, stage.module);
    bool vertex = stage.shader.stage == isa::Stage::Vertex;
    std::vector<uint32_t> wanted;
    if (!vertex && !anyUsed(use.outputs, isa::kOutColor0, isa::kOutDepth)) wanted.push_back(isa::kOutColor0);
    if (vertex) {
        wanted.push_back(isa::kOutPosition);
        for (const isa::Variable& v : stage.module.varyings)
            for (uint32_t i = 0; i < registersOf(v); i++) wanted.push_back(isa::kOutVarying0 + v.reg + i);
    }
    for (uint32_t output : wanted) {
        if (anyUsed(use.outputs, output, 1)) continue;
        ir::Instruction zero;
        zero.dst = ir::outputDest(output);
        zero.src[0] = ir::literal(0);
        stage.module.code.insert(stage.module.code.begin(), zero);
    }
}

/// Moves the uniforms of a renumbered module together, several to a register, by the packing algorithm.
bool packUniforms(StageLink& stage, int vectorLimit) {
    std::vector<PackItem> items;
    std::vector<isa::Variable*> packed;
    for (isa::Variable& v : stage.module.uniforms) {
        if (isa::isSampler(v.type)) continue;
        items.push_back(packItem(v));
        packed.push_back(&v);
    }
    // Blocks stay where they are, behind the uniforms.
    auto rows = static_cast<uint32_t>(vectorLimit);
    for (const isa::UniformBlock& block : stage.module.blocks)
        if (block.registers > 0) rows = std::min<uint32_t>(rows, block.reg);
    std::vector<PackPlace> places = pack(items, rows);
    if (places.empty()) return false;
    identityMaps(stage);
    for (uint32_t i = 0; i < isa::kMaxTextureUnits; i++)
        if (i >= stage.maps.samplers.size()) stage.maps.samplers.push_back(i);
    for (size_t i = 0; i < packed.size(); i++) {
        isa::Variable& v = *packed[i];
        for (uint32_t k = 0; k < registersOf(v) && v.reg + k < stage.maps.uniforms.size(); k++)
            stage.maps.uniforms[v.reg + k] = {places[i].row + k, places[i].column};
        v.reg = static_cast<uint16_t>(places[i].row);
        v.component = places[i].column;
    }
    renumber(stage.module, stage.maps);
    return true;
}

std::shared_ptr<isa::Program> emitStage(StageLink& stage, const Limits& limits, std::string& log) {
    renumber(stage.module, stage.maps);
    writeMissingOutputs(stage);
    ir::EmitResult result = ir::emit(stage.module);
    // A register for each uniform is best, but the file may be too small for that, or for the literals beside them.
    bool vertex = stage.shader.stage == isa::Stage::Vertex;
    if (!result.error.empty() &&
        packUniforms(stage, vertex ? limits.vertexUniformVectors : limits.fragmentUniformVectors))
        result = ir::emit(stage.module);
    if (result.error.empty()) result.error = isa::verify(result.program);
    if (!result.error.empty()) {
        log += fmt::format("ERROR: {} shader: {}\n", stage.name(), result.error);
        return nullptr;
    }
    result.program.broadcastColor = stage.shader.writesFragColor;
    return std::make_shared<isa::Program>(std::move(result.program));
}

const char* versionName(const Shader& shader) { return shader.version == 100 ? "100" : "300 es"; }

bool checkStage(const Shader& shader, const Limits& limits, std::string& log) {
    const char* name = shader.stage == isa::Stage::Vertex ? "vertex" : "fragment";
    if (!shader.hasMain) log += fmt::format("ERROR: the {} shader has no main()\n", name);
    for (const std::string& function : shader.undefinedFunctions)
        log += fmt::format("ERROR: '{}' : function has no body in the {} shader\n", function, name);
    const bool apart = checkLocations(shader, limits.varyingVectors, log) && checkBlocks(shader, limits, log);
    return shader.hasMain && shader.undefinedFunctions.empty() && apart;
}

}  // namespace

LinkResult link(const Shader& vertexShader, const Shader& fragmentShader,
                const std::map<std::string, int>& attributeBindings, const Limits& limits,
                const std::vector<std::string>& wanted, const OutputBindings& outputs) {
    LinkResult result;
    std::string& log = result.infoLog;
    // The pipeline reads distances as stream-out reads what is captured.
    std::vector<std::string> captured = wanted;
    captured.insert(captured.end(), std::begin(isa::kDistanceVaryings), std::end(isa::kDistanceVaryings));
    if (vertexShader.stage != isa::Stage::Vertex || fragmentShader.stage != isa::Stage::Fragment) {
        log = "ERROR: one vertex and one fragment shader are needed\n";
        return result;
    }
    if (vertexShader.version != fragmentShader.version) {
        log = fmt::format(
            "ERROR: the vertex shader is of #version {}, the fragment shader of #version {}; both must be "
            "of one version\n",
            versionName(vertexShader), versionName(fragmentShader));
        return result;
    }
    bool complete = checkStage(vertexShader, limits, log);
    complete = checkStage(fragmentShader, limits, log) && complete;
    if (!complete || !matchStages(vertexShader, fragmentShader, log)) return result;

    StageLink vertex(vertexShader), fragment(fragmentShader);
    ir::optimizeFreely(fragment.module);
    fragment.use = slotUse(fragmentShader, fragment.module);
    VaryingPlaces varyings;
    if (!placeVaryings(fragment, vertexShader, captured, limits.varyingVectors, varyings, log)) return result;
    identityMaps(fragment);
    mapVaryings(fragment, varyings);
    mapLastColors(fragment);
    if (!placeOutputs(fragment, outputs, log)) return result;

    // Outputs move first, while only Mov writes them; inputs and uniforms when it is known what is left.
    identityMaps(vertex);
    mapVaryings(vertex, varyings);
    nameComponents(vertex, varyings, captured);
    renumber(vertex.module, vertex.maps);
    ir::optimizeFreely(vertex.module);
    identityMaps(vertex);
    vertex.use = slotUse(vertexShader, vertex.module);

    if (!assignInputs(vertex, attributeBindings, limits.vertexAttribs, log)) return result;
    bool uniforms = assignUniforms(vertex, limits.vertexUniformVectors, limits.vertexTextureUnits, log);
    uniforms = assignUniforms(fragment, limits.fragmentUniformVectors, limits.fragmentTextureUnits, log) && uniforms;
    if (!uniforms) return result;
    auto units = [](const StageLink& stage) {
        uint32_t n = 0;
        for (const isa::Variable& u : stage.module.uniforms) n += isa::isSampler(u.type) ? elementsOf(u) : 0;
        return n;
    };
    if (units(vertex) + units(fragment) > static_cast<uint32_t>(limits.combinedTextureUnits)) {
        log += fmt::format("ERROR: the program uses {} samplers, limit {}\n", units(vertex) + units(fragment),
                           limits.combinedTextureUnits);
        return result;
    }
    const size_t blocks = vertex.module.blocks.size() + fragment.module.blocks.size();
    if (blocks > static_cast<size_t>(limits.combinedUniformBlocks)) {
        log +=
            fmt::format("ERROR: the program has {} uniform blocks, limit {}\n", blocks, limits.combinedUniformBlocks);
        return result;
    }
    result.vertex = emitStage(vertex, limits, log);
    result.fragment = emitStage(fragment, limits, log);
    result.ok = result.vertex && result.fragment;
    result.blendSupport = fragmentShader.blendSupport;
    result.views = vertexShader.views;
    if (!result.ok) result.vertex = result.fragment = nullptr;
    return result;
}

LinkResult linkSingle(const Shader& shader, const Limits& limits, const std::map<std::string, int>& attributeBindings,
                      const OutputBindings& outputs) {
    LinkResult result;
    std::string& log = result.infoLog;
    if (!checkStage(shader, limits, log)) return result;
    StageLink stage(shader);
    ir::optimizeFreely(stage.module);
    stage.use = slotUse(shader, stage.module);
    identityMaps(stage);
    mapLastColors(stage);
    if (!placeOutputs(stage, outputs, log)) return result;
    bool vertex = shader.stage == isa::Stage::Vertex;
    uint32_t varyings = 0;
    for (const InterfaceVariable& v : shader.varyings) varyings += registerCount(v.type);
    if (varyings > static_cast<uint32_t>(limits.varyingVectors)) {
        log += fmt::format("ERROR: {} varying vectors are declared, limit {}\n", varyings, limits.varyingVectors);
        return result;
    }
    VaryingPlaces places;
    if (!placeAlone(shader, limits.varyingVectors, places, log)) return result;
    mapVaryings(stage, places);
    if (vertex && !assignInputs(stage, attributeBindings, limits.vertexAttribs, log)) return result;
    if (!assignUniforms(stage, vertex ? limits.vertexUniformVectors : limits.fragmentUniformVectors,
                        vertex ? limits.vertexTextureUnits : limits.fragmentTextureUnits, log))
        return result;
    (vertex ? result.vertex : result.fragment) = emitStage(stage, limits, log);
    result.ok = result.vertex || result.fragment;
    result.blendSupport = shader.blendSupport;
    result.views = shader.views;
    return result;
}

}  // namespace tessera::glsl
