// Interface registers of a module: which ones are used, and their new numbers.
#include <algorithm>

#include "base/check.h"
#include "shader-core/glsl/front/link/link.h"
#include "shader-core/glsl/ir/builder.h"

namespace tessera::glsl::front {

namespace {

struct LeafCounter {
    uint32_t slot = 0, sampler = 0;
    std::vector<isa::Variable>& out;

    void append(const std::string& name, const Type& type, isa::Precision precision) {
        if (type.base == Base::Struct) {
            for (uint32_t i = 0; i < std::max(type.arraySize, 1u); i++) {
                std::string element = type.isArray() ? name + "[" + std::to_string(i) + "]" : name;
                for (const Field& f : type.structure->fields) append(element + "." + f.name, f.type, f.precision);
            }
            return;
        }
        isa::Variable v;
        v.name = name;
        v.type = varType(type);
        v.precision = precision;
        v.arraySize = static_cast<uint16_t>(type.arraySize);
        uint32_t& counter = type.base == Base::Sampler ? sampler : slot;
        v.reg = static_cast<uint16_t>(counter);
        counter += type.base == Base::Sampler ? samplerCount(type) : registerCount(type);
        out.push_back(std::move(v));
    }
};

template <class Visit>
void forEachOperand(ir::Instruction& i, Visit visit) {
    for (ir::Operand& o : i.src) visit(o);
    visit(i.condition);
}

bool isLookup(isa::Op op) { return isa::isTexture(isa::opInfo(op).shape); }

void mark(std::vector<bool>& slots, uint32_t first, uint32_t count) {
    if (slots.size() < size_t{first} + count) slots.resize(size_t{first} + count);
    std::fill_n(slots.begin() + first, count, true);
}

/// Samplers a dynamic lookup may reach: those of the uniform that holds the first one.
void markSamplers(const Shader& shader, const ir::Instruction& i, std::vector<bool>& samplers) {
    if (i.samplerRelative == ir::kNone) return mark(samplers, i.sampler, 1);
    for (const InterfaceVariable& v : shader.uniforms) {
        uint32_t count = samplerCount(v.type);
        if (i.sampler >= v.firstSampler && i.sampler < v.firstSampler + count) mark(samplers, v.firstSampler, count);
    }
}

}  // namespace

void appendLeaves(const InterfaceVariable& v, std::vector<isa::Variable>& out) {
    const size_t before = out.size();
    LeafCounter counter{v.first, v.firstSampler, out};
    counter.append(v.name, v.type, v.precision);
    for (size_t i = before; i < out.size(); i++) out[i].interpolation = v.interpolation;
}

uint32_t elementsOf(const isa::Variable& v) { return std::max<uint32_t>(v.arraySize, 1); }
uint32_t registersOf(const isa::Variable& v) {
    return isa::isSampler(v.type) ? 0 : elementsOf(v) * static_cast<uint32_t>(isa::columnCount(v.type));
}

bool anyUsed(const std::vector<bool>& slots, uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count && i < slots.size(); i++)
        if (slots[i]) return true;
    return false;
}

namespace {

void addUse(const Shader& shader, const ir::Module& module, SlotUse& use) {
    for (const ir::Instruction& i : module.code) {
        auto visit = [&](const auto& r) {
            uint32_t first = r.relative == ir::kNone ? r.index : r.arrayFirst;
            uint32_t count = r.relative == ir::kNone ? 1 : r.arrayCount;
            if (r.kind == ir::Kind::Input) mark(use.inputs, first, count);
            if (r.kind == ir::Kind::Output) mark(use.outputs, first, count);
            if (r.kind == ir::Kind::Uniform) mark(use.uniforms, first, count);
        };
        visit(i.dst);
        for (const ir::Operand& o : i.src) visit(o);
        visit(i.condition);
        if (isLookup(i.op)) markSamplers(shader, i, use.samplers);
    }
}

}  // namespace

SlotUse slotUse(const Shader& shader, const ir::Module& module) {
    SlotUse use;
    addUse(shader, module, use);
    for (const ir::Module& function : module.functions) addUse(shader, function, use);
    return use;
}

namespace {

/// Where outputs without a place go.
struct Unplaced {
    ir::Kind kind = ir::Kind::Temp;
    std::vector<uint32_t> index;
};

/// Neighbours become one temp array each run, so that indexing still works; where functions are called, registers that
/// all have.
Unplaced unplacedOutputs(ir::Module& module, const SlotMaps& maps) {
    const auto& o = maps.outputs;
    Unplaced unplaced;
    unplaced.index.assign(o.size(), ir::kNone);
    if (!module.functions.empty()) unplaced.kind = ir::Kind::Shared;
    for (size_t i = 0; i < o.size();) {
        size_t end = i;
        while (end < o.size() && o[end].index == ir::kNone) end++;
        if (end > i) {
            const auto count = static_cast<uint32_t>(end - i);
            uint32_t first = module.sharedRegisters;
            if (unplaced.kind == ir::Kind::Shared)
                module.sharedRegisters += count;
            else
                first = module.arrays[ir::Builder(module).newArray(count, 4)].firstTemp;
            for (size_t k = i; k < end; k++) unplaced.index[k] = first + static_cast<uint32_t>(k - i);
        }
        i = std::max(end, i + 1);
    }
    return unplaced;
}

class Renumberer {
public:
    Renumberer(ir::Module& module, const SlotMaps& maps, const Unplaced& unplaced)
        : module_(module), maps_(maps), unplaced_(unplaced) {}

    void run() {
        for (ir::Instruction& i : module_.code) {
            if (i.dst.kind == ir::Kind::Output) destination(i);
            forEachOperand(i, [&](ir::Operand& o) { source(o); });
            if (isLookup(i.op)) i.sampler = maps_.samplers[i.sampler];
        }
        for (ir::Assignment& a : module_.debug.assignments) assignment(a);
    }

private:
    template <class Reference>
    static void move(Reference& r, uint32_t newFirst, uint32_t oldFirst) {
        r.index = newFirst + (r.index - oldFirst);
        if (r.relative != ir::kNone) r.arrayFirst = newFirst;
    }
    template <class Reference>
    static uint32_t anchor(const Reference& r) {
        return r.relative == ir::kNone ? r.index : r.arrayFirst;
    }

    void destination(ir::Instruction& i) {
        ir::Dest& d = i.dst;
        uint32_t old = anchor(d);
        SlotPlace place = maps_.outputs[old];
        if (place.index == ir::kNone) {
            d.kind = unplaced_.kind;
            move(d, unplaced_.index[old], old);
            return;
        }
        move(d, place.index, old);
        if (place.column == 0) return;
        CHECK(i.op == isa::Op::Mov);
        d.writeMask = static_cast<uint8_t>(d.writeMask << place.column);
        isa::Swizzle s = i.src[0].swizzle;
        int c[4] = {};
        for (int k = 0; k < 4; k++) c[k] = isa::swizzleAt(s, std::max(k - place.column, 0));
        i.src[0].swizzle = isa::makeSwizzle(c[0], c[1], c[2], c[3]);
    }

    void source(ir::Operand& o) {
        if (o.kind == ir::Kind::Uniform) {
            shifted(o, maps_.uniforms[anchor(o)]);
        } else if (o.kind == ir::Kind::Input) {
            shifted(o, maps_.inputs[anchor(o)]);
        } else if (o.kind == ir::Kind::Output) {
            uint32_t old = anchor(o);
            if (maps_.outputs[old].index == ir::kNone) {
                o.kind = unplaced_.kind;
                move(o, unplaced_.index[old], old);
            } else {
                shifted(o, maps_.outputs[old]);
            }
        }
    }

    /// What only a debugger would read of the interface may have no register.
    void assignment(ir::Assignment& a) {
        const std::vector<SlotPlace>* map = a.kind == ir::Kind::Uniform  ? &maps_.uniforms
                                            : a.kind == ir::Kind::Input  ? &maps_.inputs
                                            : a.kind == ir::Kind::Output ? &maps_.outputs
                                                                         : nullptr;
        if (map == nullptr) return;
        const SlotPlace place = a.index < map->size() ? (*map)[a.index] : SlotPlace{ir::kNone};
        const int component = a.component + place.column;
        if (place.index == ir::kNone || component > 3) {
            a.kind = ir::Kind::None;
            a.lost = isa::DebugPlace::Kind::NotComputed;
            return;
        }
        a.index = place.index;
        a.component = static_cast<uint8_t>(component);
    }

    static void shifted(ir::Operand& o, SlotPlace place) {
        move(o, place.index, anchor(o));
        int c[4] = {};
        for (int k = 0; k < 4; k++) c[k] = std::min(isa::swizzleAt(o.swizzle, k) + place.column, 3);
        o.swizzle = isa::makeSwizzle(c[0], c[1], c[2], c[3]);
    }

    ir::Module& module_;
    const SlotMaps& maps_;
    const Unplaced& unplaced_;
};

}  // namespace

void renumber(ir::Module& module, const SlotMaps& maps) {
    const Unplaced unplaced = unplacedOutputs(module, maps);
    Renumberer(module, maps, unplaced).run();
    for (ir::Module& function : module.functions) Renumberer(function, maps, unplaced).run();
}

}  // namespace tessera::glsl::front
