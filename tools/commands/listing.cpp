#include "tools/commands/listing.h"

#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "pipeline/recording/fields.h"

namespace tessera::tools {

namespace {

using Json = nlohmann::ordered_json;
using Fields = std::vector<std::pair<std::string, Json>>;

/// What things are called: by their number in the file.
class Names {
public:
    explicit Names(const pipeline::CommandStream& stream) {
        add(stream.images);
        add(stream.buffers);
        add(stream.views);
        add(stream.programs);
        add(stream.states);
        uint32_t places = 0;
        for (const auto& [place, first] : stream.places) numbers_[place.get()] = ++places;
    }
    [[nodiscard]] uint32_t of(const void* thing) const {
        const auto at = numbers_.find(thing);
        return at == numbers_.end() ? 0 : at->second;
    }

private:
    template <class T>
    void add(const std::vector<T>& things) {
        for (size_t i = 0; i < things.size(); ++i) numbers_[things[i].get()] = static_cast<uint32_t>(i) + 1;
    }
    std::unordered_map<const void*, uint32_t> numbers_;
};

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

/// Archive of pipeline/recording/fields.h: the fields by name.
class Describer {
public:
    explicit Describer(const Names& names) : names_(names) {}
    Fields fields;

    void flag(const std::string& name, bool value) { add(name, value); }
    void number(const std::string& name, auto value, auto, auto) { add(name, value); }
    void real(const std::string& name, float value, float, float) { add(name, value); }
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
Fields fieldsOf(const Names& names, const T& value) {
    Describer describer(names);
    pipeline::fields(describer, value);
    return std::move(describer.fields);
}

/// The fields that are others than those of `before`, or that it has not.
Fields changed(const Fields& now, const Fields& before) {
    const std::unordered_map<std::string, Json> old(before.begin(), before.end());
    Fields changed;
    for (const auto& field : now)
        if (const auto at = old.find(field.first); at == old.end() || at->second != field.second)
            changed.push_back(field);
    return changed;
}

std::string text(const Json& value) {
    if (value.is_null()) return "none";
    if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The fields with one for all colour targets where they say the same of each: "blend" for "target 0 blend" and its
/// like.
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

std::string text(const Fields& fields) {
    std::string all;
    for (const auto& [name, value] : withoutRepeats(fields)) {
        const std::string words = text(value);
        const bool saysItsName = words.starts_with(name + " ");  // "image 3 ..." is an image
        all += (all.empty() ? "" : ", ") + (saysItsName ? words : name + " " + words);
    }
    return all;
}

/// Calls use(number, what, fields, state) for each step that a listing shows; `fields`: those that are not as they
/// mostly are, or all; `state`: of draws, what is another than the last one's.
template <class Use>
void forEachLine(const pipeline::CommandStream& stream, bool all, const Use& use) {
    const Names names(stream);
    Fields before = fieldsOf(names, pipeline::DrawState());
    const pipeline::DrawState* last = nullptr;
    size_t number = 0;
    const auto command = [&](const auto& one) {
        using One = std::remove_cvref_t<decltype(one)>;
        Fields fields = fieldsOf(names, one), state;
        if (!all) fields = changed(fields, fieldsOf(names, One()));
        if constexpr (std::is_same_v<One, pipeline::Draw>) {
            if (last != one.state.get()) {
                Fields now = fieldsOf(names, *one.state);
                state = changed(now, before);
                before = std::move(now);
                last = one.state.get();
            }
        }
        return std::pair(std::move(fields), std::move(state));
    };
    for (const pipeline::CommandStream::Step& step : stream.steps) {
        if (const auto* contents = std::get_if<pipeline::CommandStream::Contents>(&step)) {
            Fields of;
            if (contents->image)
                of.emplace_back("image", imageText(names, *contents->image));
            else
                of.emplace_back("buffer", bufferText(names, *contents->buffer));
            use(number, "contents", of, Fields{}, nullptr);
        } else if (const auto* one = std::get_if<pipeline::Command>(&step)) {
            ++number;
            const auto [fields, state] = std::visit(command, *one);
            use(number, std::string(pipeline::kCommandWords[one->index()]), fields, state,
                std::get_if<pipeline::Draw>(one));
        }
    }
}

/// What every draw shows first.
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

}  // namespace

std::string listing(const pipeline::CommandStream& stream) {
    const Names names(stream);
    std::string lines;
    forEachLine(stream, false,
                [&](size_t number, const std::string& what, const Fields& fields, const Fields& state,
                    const pipeline::Draw* draw) {
                    if (draw == nullptr) {
                        lines += fmt::format("{:>6}  {:<16}{}\n", what == "contents" ? "" : std::to_string(number),
                                             what, text(fields));
                        return;
                    }
                    lines += fmt::format("{:>6}  {:<16}{}", number, what, drawText(*draw, names));
                    if (!state.empty()) lines += "; state: " + text(state);
                    lines += "\n";
                });
    size_t frames = 0;
    for (const pipeline::CommandStream::Step& step : stream.steps)
        if (const auto* one = std::get_if<pipeline::Command>(&step))
            frames += std::holds_alternative<pipeline::EndFrame>(*one);
    return lines +
           fmt::format("{} commands, {} ends of frames; {} images, {} views, {} programs, {} states, {} buffers\n",
                       stream.commandCount(), frames, stream.images.size(), stream.views.size(), stream.programs.size(),
                       stream.states.size(), stream.buffers.size());
}

std::string listingJson(const pipeline::CommandStream& stream) {
    Json list = Json::array();
    const auto object = [](const Fields& fields) {
        Json object = Json::object();
        for (const auto& [name, value] : fields) object[name] = value;
        return object;
    };
    forEachLine(stream, true,
                [&](size_t number, const std::string& what, const Fields& fields, const Fields& state,
                    const pipeline::Draw* draw) {
                    Json line = {{"number", number}, {"command", what}, {"fields", object(fields)}};
                    if (draw != nullptr) line["state"] = object(state);
                    list.push_back(std::move(line));
                });
    return list.dump(2) + "\n";
}

}  // namespace tessera::tools
