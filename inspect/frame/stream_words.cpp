#include "inspect/frame/stream_words.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "pipeline/recording/fields.h"

namespace tessera::inspect {

Names::Names(const pipeline::CommandStream& stream) {
    add(stream.images);
    add(stream.buffers);
    add(stream.views);
    add(stream.programs);
    add(stream.states);
    uint32_t places = 0;
    for (const auto& [place, first] : stream.places) numbers_[place.get()] = ++places;
}

uint32_t Names::of(const void* thing) const {
    const auto at = numbers_.find(thing);
    return at == numbers_.end() ? 0 : at->second;
}

template <class T>
void Names::add(const std::vector<T>& things) {
    for (size_t i = 0; i < things.size(); ++i) numbers_[things[i].get()] = static_cast<uint32_t>(i) + 1;
}

std::string imageText(const Names& names, const texture::Image& image) {
    const texture::Image& whole = image.whole();
    std::string text = fmt::format("image {}", names.of(&whole));
    if (&whole != &image)
        text +=
            fmt::format(" plane {}", static_cast<size_t>(image.block(0, 0) - whole.block(0, 0)) / whole.planeBytes());
    return text + fmt::format(" ({}x{} {})", image.width(), image.height(), texture::formatInfo(image.format()).name);
}

std::string bufferText(const Names& names, const pipeline::Buffer& buffer) {
    return fmt::format("buffer {} ({})", names.of(&buffer), buffer.size());
}

namespace {

/// "rgb" of a mask with a bit for each channel.
Json channelsText(unsigned mask) {
    std::string channels;
    for (size_t i = 0; i < 4; ++i)
        if (mask >> i & 1) channels += "rgba"[i];
    return channels.empty() ? Json() : Json(channels);
}

/// Archive of pipeline/recording/fields.h: the fields by name.
class Describer {
public:
    explicit Describer(const Names& names) : names_(names) {}
    Fields fields;

    void flag(const std::string& name, bool value) { add(name, value); }
    void number(const std::string& name, auto value, auto, auto) {
        if (name == "color mask")
            add(name, channelsText(static_cast<unsigned>(value)));
        else
            add(name, value);
    }
    /// The shortest number that is that float: 0.1, not what it is in double precision.
    void real(const std::string& name, float value, float, float) {
        add(name, std::isfinite(value) ? Json(std::strtod(fmt::format("{}", value).c_str(), nullptr)) : Json(value));
    }
    void choice(const std::string& name, auto value, pipeline::Words words) {
        add(name, words[static_cast<size_t>(value)]);
    }
    template <class List, class Use>
    void list(const std::string& name, const List& values, size_t, const Use& use) {
        size_t i = 0;
        for (const auto& value : values) within(fmt::format("{} {}", name, i++), [&] { use(value); });
    }
    void within(const std::string& name, const auto& use) {
        const size_t size = prefix_.size();
        prefix_ += name + " ";
        use();
        prefix_.resize(size);
    }
    void image(const std::string& name, const texture::ImagePtr& image) {
        add(name, image ? Json(imageText(names_, *image)) : Json());
    }
    void buffer(const std::string& name, const pipeline::ConstBufferPtr& buffer) {
        add(name, buffer ? Json(bufferText(names_, *buffer)) : Json());
    }
    void view(const std::string& name, const texture::TextureViewPtr& view) {
        if (!view) return add(name, Json());
        const auto kind = pipeline::kKindWords[static_cast<size_t>(view->kind)];
        add(name, fmt::format("view {} ({}, {} levels of {})", names_.of(view.get()), kind, view->levels,
                              view->levels == 0 ? "nothing" : imageText(names_, *view->image[0][0])));
    }
    void program(const std::string& name, const std::shared_ptr<const pipeline::Program>& program) {
        add(name, program ? Json(names_.of(program.get())) : Json());
    }
    void state(const std::string&, const std::shared_ptr<pipeline::DrawState>&) {}
    void counter(const std::string& name, const auto& counter) { add(name, counter != nullptr); }
    void optional(const std::string& name, const auto& value, const auto& use) {
        if (value != nullptr)
            within(name, [&] { use(*value); });
        else
            add(name, Json());
    }
    void place(const std::string& name, const std::shared_ptr<pipeline::StreamOutPlace>& place) {
        add(name, names_.of(place.get()));
    }
    void constants(const std::string& name, std::span<const pipeline::ConstantRegister> registers) {
        add(name, registers.size());
    }
    void blockFormat(const std::string& name, const texture::BlockFormat* format) {
        add(name, format != nullptr ? Json(format->name) : Json());
    }
    void task(const std::string& name, const std::shared_ptr<pipeline::Task>& task) {
        add(name, task ? Json(task->name()) : Json());
    }

private:
    void add(const std::string& name, Json value) { fields.emplace_back(prefix_ + name, std::move(value)); }

    const Names& names_;
    std::string prefix_;
};

template <class T>
Fields described(const Names& names, const T& value) {
    Describer describer(names);
    pipeline::fields(describer, value);
    return std::move(describer.fields);
}

}  // namespace

Fields fieldsOf(const Names& names, const pipeline::Command& command) {
    return std::visit([&](const auto& one) { return described(names, one); }, command);
}

Fields fieldsOf(const Names& names, const pipeline::DrawState& state) { return described(names, state); }

Fields usualFields(const Names& names, const pipeline::Command& command) {
    return std::visit([&](const auto& one) { return described(names, std::remove_cvref_t<decltype(one)>()); }, command);
}

Fields changed(const Fields& now, const Fields& before) {
    const std::unordered_map<std::string, Json> old(before.begin(), before.end());
    Fields changed;
    for (const auto& field : now)
        if (const auto at = old.find(field.first); at == old.end() || at->second != field.second)
            changed.push_back(field);
    return changed;
}

std::string valueText(const Json& value) {
    if (value.is_null()) return "none";
    if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
    return value.is_string() ? value.get<std::string>() : value.dump();
}

Fields withoutRepeats(const Fields& fields) {
    const std::unordered_map<std::string, Json> values(fields.begin(), fields.end());
    const auto ofTarget = [](int target) { return fmt::format("target {} ", target); };
    Fields merged;
    for (const auto& [name, value] : fields) {
        const int target = name.starts_with("target ") ? name[std::string_view("target ").size()] - '0' : -1;
        if (target < 0 || target >= pipeline::kMaxColorTargets || !name.starts_with(ofTarget(target))) {
            merged.emplace_back(name, value);
            continue;
        }
        const std::string what = name.substr(ofTarget(target).size());
        bool isSame = true;
        for (int other = 0; isSame && other < pipeline::kMaxColorTargets; ++other) {
            const auto at = values.find(ofTarget(other) + what);
            isSame = at != values.end() && at->second == value;
        }
        if (!isSame)
            merged.emplace_back(name, value);
        else if (target == 0)
            merged.emplace_back(what, value);
    }
    return merged;
}

std::string fieldsText(const Fields& fields) {
    std::string all;
    for (const auto& [name, value] : withoutRepeats(fields)) {
        const std::string words = valueText(value);
        const bool saysItsName = words.starts_with(name + " ");  // "image 3 ..." is an image
        all += (all.empty() ? "" : ", ") + (saysItsName ? words : name + " " + words);
    }
    return all;
}

std::string drawText(const pipeline::Draw& draw, const Names& names) {
    const bool isIndexed = draw.indexType != pipeline::IndexType::None;
    std::string text = fmt::format("{}, {} {}", pipeline::kPrimitiveWords[static_cast<size_t>(draw.primitive)],
                                   draw.count, isIndexed ? "indices" : "vertices");
    if (isIndexed)
        text += fmt::format(" ({})", pipeline::kIndexTypeWords[static_cast<size_t>(draw.indexType)]);
    else if (draw.first != 0)
        text += fmt::format(" from {}", draw.first);
    if (draw.restart) text += ", with restart";
    if (draw.instances != 1) text += fmt::format(", {} instances", draw.instances);
    if (draw.streamOut) text += fmt::format(", to stream-out {}", names.of(draw.streamOut->place.get()));
    return text + fmt::format(", program {}", names.of(draw.state->program.get()));
}

}  // namespace tessera::inspect
