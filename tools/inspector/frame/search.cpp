#include "tools/inspector/frame/search.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "shader-core/isa/program.h"

namespace tessera::tools {

bool hasWords(std::string_view text, std::string_view words) {
    const auto isSame = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(text.begin(), text.end(), words.begin(), words.end(), isSame) != text.end();
}

std::vector<Found> searchFrame(const inspect::FrameModel& model, size_t number, std::string_view words) {
    std::vector<Found> found;
    if (words.empty()) return found;
    const inspect::Frame& frame = model.frames()[number];
    const auto add = [&](Found one) {
        if (found.size() < kMostFound && hasWords(one.text, words)) found.push_back(std::move(one));
    };
    for (size_t i = frame.first; i < frame.end; ++i) {
        const inspect::Action& action = model.actions()[i];
        add({.text = fmt::format("{} {} {}", action.number, action.what, action.text), .action = i});
    }
    for (const inspect::Group& group : model.groups())
        if (group.first >= frame.first && group.first < frame.end)
            add({.text = "group " + group.name, .action = group.first});
    // Images, buffers and samplers at the command that has them first.
    std::set<std::string> told;
    const auto addOnce = [&](const std::string& text, size_t action) {
        if (told.insert(text).second) add({.text = text, .action = action});
    };
    for (size_t i = frame.first; i < frame.end; ++i) {
        const inspect::Action& action = model.actions()[i];
        if (action.draw() != nullptr || action.clear() != nullptr)
            for (const inspect::NamedImage& image : model.imagesOf(i))
                addOnce(inspect::imageText(model.names(), *image.image), i);
        for (const inspect::FrameModel::BoundTexture& texture : model.texturesOf(i))
            if (const auto& view = texture.binding->view; view && view->levels > 0)
                addOnce(fmt::format("{}: {}", texture.name, inspect::imageText(model.names(), *view->image[0][0])), i);
        const pipeline::Draw* const draw = action.draw();
        if (draw == nullptr) continue;
        for (const pipeline::VertexAttribute& attribute : draw->state->attributes)
            if (attribute.data) addOnce(inspect::bufferText(model.names(), *attribute.data), i);
        if (draw->indices) addOnce(inspect::bufferText(model.names(), *draw->indices), i);
    }
    std::set<const pipeline::Program*> programs;
    for (size_t i = frame.first; i < frame.end; ++i) {
        const pipeline::Draw* const draw = model.actions()[i].draw();
        if (draw == nullptr || !draw->state->program || !programs.insert(draw->state->program.get()).second) continue;
        for (const isa::Stage stage : pipeline::kDrawStages) {
            const auto& program = draw->state->program->stages[stage].program;
            if (!program) continue;
            std::istringstream source(program->source);
            uint32_t line = 0;
            for (std::string text; std::getline(source, text);) {
                ++line;
                if (!hasWords(text, words)) continue;
                add({.text = fmt::format("{} program {}:{}: {}", stage == isa::Stage::Vertex ? "vertex" : "fragment",
                                         model.names().of(draw->state->program.get()), line, text),
                     .action = i,
                     .line = line,
                     .stage = stage});
            }
        }
    }
    return found;
}

}  // namespace tessera::tools
