#include "model/chip/forms.h"

#include <bit>

#include <fmt/format.h>

#include "base/nearest.h"

namespace tessera::model {

using isa::Op;

namespace {

struct Spelled {
    std::string name;
    NamedForms meaning;
};

const std::vector<Spelled>& spellings() {
    static const std::vector<Spelled> all = [] {
        std::vector<Spelled> list;
        for (int i = 0; i < isa::kOpCount; ++i) {
            const isa::OpInfo& info = isa::opInfo(static_cast<Op>(i));
            list.push_back({std::string(info.mnemonic), {info.op, info.types}});
            for (int type = 0; type < kTypes && !std::has_single_bit(info.types); ++type)
                if (info.types >> type & 1)
                    list.push_back(
                        {formName(info.op, static_cast<isa::Type>(type)), {info.op, static_cast<uint8_t>(1 << type)}});
        }
        return list;
    }();
    return all;
}

}  // namespace

InstructionForms allForms() {
    InstructionForms forms{};
    for (int i = 0; i < isa::kOpCount; ++i) forms[static_cast<size_t>(i)] = isa::opInfo(static_cast<Op>(i)).types;
    return forms;
}

int countForms(const InstructionForms& forms) {
    int count = 0;
    for (const uint8_t types : forms) count += std::popcount(types);
    return count;
}

std::string formName(Op op, isa::Type type) {
    const isa::OpInfo& info = isa::opInfo(op);
    std::string name(info.mnemonic);
    if (std::has_single_bit(info.types)) return name;
    return name + (type == isa::Type::F32 ? ".f32" : type == isa::Type::I32 ? ".i32" : ".u32");
}

std::optional<NamedForms> formsByName(std::string_view name) {
    for (const Spelled& spelled : spellings())
        if (spelled.name == name) return spelled.meaning;
    return std::nullopt;
}

std::string unknownForm(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Spelled& spelled : spellings()) names.push_back(spelled.name);
    const std::string_view near = nearest(names, name);
    return fmt::format("no instruction is called \"{}\"{}", name,
                       near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

std::vector<std::string> formNames(const InstructionForms& forms) {
    std::vector<std::string> names;
    for (int i = 0; i < isa::kOpCount; ++i) {
        const isa::OpInfo& info = isa::opInfo(static_cast<Op>(i));
        const uint8_t types = forms[static_cast<size_t>(i)] & info.types;
        if (types == info.types) names.emplace_back(info.mnemonic);
        for (int type = 0; type < kTypes && types != info.types; ++type)
            if (types >> type & 1) names.push_back(formName(info.op, static_cast<isa::Type>(type)));
    }
    return names;
}

}  // namespace tessera::model
