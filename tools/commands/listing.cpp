#include "tools/commands/listing.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "inspect/frame/stream_words.h"
#include "pipeline/recording/fields.h"

namespace tessera::tools {

namespace {

using inspect::Fields, inspect::Json, inspect::Names, inspect::bufferText, inspect::changed, inspect::drawText,
    inspect::fieldsOf, inspect::fieldsText, inspect::imageText, inspect::usualFields;

/// Calls use(number, what, fields, state) for each step that a listing shows; `fields`: those that are not as they
/// mostly are, or all; `state`: of draws, what is another than the last one's.
template <class Use>
void forEachLine(const pipeline::CommandStream& stream, bool all, const Use& use) {
    const Names names(stream);
    Fields before = fieldsOf(names, pipeline::DrawState());
    const pipeline::DrawState* last = nullptr;
    size_t number = 0;
    const auto command = [&](const pipeline::Command& one) {
        Fields fields = fieldsOf(names, one), state;
        if (!all) fields = changed(fields, usualFields(names, one));
        if (const auto* draw = std::get_if<pipeline::Draw>(&one); draw != nullptr && last != draw->state.get()) {
            Fields now = fieldsOf(names, *draw->state);
            state = changed(now, before);
            before = std::move(now);
            last = draw->state.get();
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
            const auto [fields, state] = command(*one);
            use(number, std::string(pipeline::kCommandWords[one->index()]), fields, state,
                std::get_if<pipeline::Draw>(one));
        }
    }
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
                                             what, fieldsText(fields));
                        return;
                    }
                    lines += fmt::format("{:>6}  {:<16}{}", number, what, drawText(*draw, names));
                    if (!state.empty()) lines += "; state: " + fieldsText(state);
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
