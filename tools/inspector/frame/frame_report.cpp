#include "tools/inspector/frame/frame_report.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/export/svg.h"
#include "tools/inspector/frame/pixel_story.h"
#include "tools/inspector/report/report_parts.h"
#include "tools/inspector/report/shader_text.h"

namespace tessera::tools {

namespace {

using Json = nlohmann::ordered_json;
using inspect::Action, inspect::FrameModel, inspect::Picture;

Json costJson(const DrawCost& cost) {
    return {{"vertices", cost.vertices},
            {"primitives",
             {{"all", cost.primitives}, {"outside", cost.outside}, {"facing", cost.facing}, {"empty", cost.empty}}},
            {"pixels", {{"covered", cost.covered}, {"shaded", cost.shaded}, {"written", cost.written}}},
            {"cycles", cost.cycles},
            {"boundBy", cost.boundBy}};
}

const std::optional<DrawCost>* costOfAction(const FrameSubject& subject, size_t action) {
    const size_t first = subject.model.frames()[subject.frame].first;
    if (subject.costs == nullptr || !subject.costs->draws[action - first]) return nullptr;
    return &subject.costs->draws[action - first];
}

Json actionJson(const FrameSubject& subject, size_t number, bool isWhole) {
    const FrameModel& model = subject.model;
    const Action& action = model.actions()[number];
    Json json = {{"number", action.number}, {"command", action.what}, {"text", action.text}};
    if (std::vector<std::string> groups = model.groupNames(number); !groups.empty()) json["groups"] = std::move(groups);
    if (const auto* cost = costOfAction(subject, number)) json["cost"] = costJson(**cost);
    Json state = Json::object();
    for (const inspect::StateField& field : model.stateOf(number)) {
        if (isWhole)
            state[std::string(field.group)][field.name] = {{"value", field.value}, {"changed", field.isChanged}};
        else if (field.isChanged && action.draw() != nullptr)
            state[field.name] = field.value;
    }
    json["state"] = std::move(state);
    if (action.draw() == nullptr) return json;
    Json uniforms = Json::object(), textures = Json::object();
    for (const inspect::UniformValue& uniform : model.uniformsOf(number)) uniforms[uniform.name] = uniform.value;
    for (const FrameModel::BoundTexture& texture : model.texturesOf(number))
        textures[texture.name] = texture.binding->view && texture.binding->view->image[0][0]
                                     ? inspect::imageText(model.names(), *texture.binding->view->image[0][0])
                                     : "incomplete";
    json["uniforms"] = std::move(uniforms);
    json["textures"] = std::move(textures);
    return json;
}

/// The programs of the frame's draws, each once.
std::vector<std::shared_ptr<const pipeline::Program>> programsOf(const FrameModel& model, size_t first, size_t end) {
    std::vector<std::shared_ptr<const pipeline::Program>> programs;
    for (size_t i = first; i < end; ++i)
        if (const pipeline::Draw* draw = model.actions()[i].draw();
            draw != nullptr && draw->state->program &&
            std::ranges::find(programs, draw->state->program) == programs.end())
            programs.push_back(draw->state->program);
    return programs;
}

/// Calls use(stage's text) for both stages of the program.
template <class Use>
void forEachShader(const FrameSubject& subject, const pipeline::Program& program, const Use& use) {
    for (const isa::Stage stage : pipeline::kDrawStages)
        if (const auto& of = program.stages[stage].program)
            use(shaderText(*of, subject.model.names().of(&program), stage, subject.costs));
}

// --- Pictures ---

void drawLine(Picture& picture, std::array<double, 2> from, std::array<double, 2> to,
              const std::array<uint8_t, 3>& color) {
    // Of what lies far outside nothing is seen.
    const double length = std::max(std::abs(to[0] - from[0]), std::abs(to[1] - from[1]));
    if (!(length < 1e5)) return;
    const int steps = std::max(1, static_cast<int>(length));
    for (int i = 0; i <= steps; ++i) {
        const double part = static_cast<double>(i) / steps;
        const auto x = static_cast<int>(std::floor(from[0] + (to[0] - from[0]) * part));
        const auto y = static_cast<int>(std::floor(from[1] + (to[1] - from[1]) * part));
        if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) continue;
        uint8_t* const pixel =
            &picture.rgba[(static_cast<size_t>(y) * static_cast<size_t>(picture.width) + static_cast<size_t>(x)) * 4];
        std::copy(color.begin(), color.end(), pixel);
    }
}

// --- The page ---

std::string stateTable(const FrameModel& model, size_t action) {
    std::string rows;
    for (const bool changed : {true, false})
        for (const inspect::StateField& field : model.stateOf(action))
            if (field.isChanged == changed)
                rows += fmt::format("<tr{}><td>{}</td><td class=\"c\">{}{}</td></tr>\n",
                                    changed ? " class=\"changed\"" : "", svgText(field.name), svgText(field.value),
                                    field.before.empty() ? "" : ", was " + svgText(field.before));
    for (const inspect::UniformValue& uniform : model.uniformsOf(action))
        rows +=
            fmt::format("<tr><td>{}</td><td class=\"c\">{}</td></tr>\n", svgText(uniform.name), svgText(uniform.value));
    return "<table>" + rows + "</table>\n";
}

std::string actionRows(const FrameSubject& subject, size_t first, size_t end, uint64_t mostCycles) {
    std::string rows;
    for (size_t i = first; i < end; ++i) {
        const Action& action = subject.model.actions()[i];
        const auto* const cost = costOfAction(subject, i);
        rows += fmt::format("<tr><td class=\"n\">{}</td><td><details><summary>{} {}</summary>{}</details></td>",
                            action.number, action.what, svgText(action.text), stateTable(subject.model, i));
        if (cost != nullptr) {
            const DrawCost& of = **cost;
            rows += fmt::format(
                "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
                "class=\"n\">{}</td>"
                "<td><span class=\"bar\" style=\"width:{:.1f}em\"></span> {}</td>",
                of.vertices, of.primitives, of.shaded, of.written, of.cycles,
                6.0 * static_cast<double>(of.cycles) / static_cast<double>(std::max<uint64_t>(mostCycles, 1)),
                svgText(of.boundBy));
        } else if (subject.costs != nullptr) {
            rows += "<td></td><td></td><td></td><td></td><td></td><td></td>";
        }
        rows += "</tr>\n";
    }
    return rows;
}

/// A level of the texture that the subject's sampler reads.
std::optional<Picture> textureView(const FrameSubject& subject, size_t action, bool hasMisses, std::string& why) {
    FrameModel& model = subject.model;
    for (const FrameModel::BoundTexture& texture : model.texturesOf(action)) {
        if (!subject.sampler.empty() && texture.name != subject.sampler) continue;
        const auto& view = texture.binding->view;
        if (!view || view->levels == 0) {
            why = fmt::format("the texture of {} is incomplete", texture.name);
            return std::nullopt;
        }
        if (subject.level >= view->levels) {
            why = fmt::format("the texture of {} has no level {}", texture.name, subject.level);
            return std::nullopt;
        }
        const texture::ImagePtr& image = view->image[0][static_cast<size_t>(subject.level)];
        if (hasMisses) return pictureOf(missesOfTexture(*subject.misses, model, *image, 0));
        model.show(action, FrameModel::Moment::Before);
        return inspect::pictureOf(image, inspect::usualLook(*image, inspect::channelsOf(*image).front()));
    }
    why = subject.sampler.empty()
              ? fmt::format("command {} reads no texture", model.actions()[action].number)
              : fmt::format("command {} has no sampler {}", model.actions()[action].number, subject.sampler);
    return std::nullopt;
}

constexpr size_t kMostPictures = 64;  ///< of passes on a page

}  // namespace

Json frameJson(const FrameSubject& subject) {
    const FrameModel& model = subject.model;
    const inspect::Frame& frame = model.frames()[subject.frame];
    Json json = {{"file", subject.file}, {"frame", subject.frame + 1}, {"frames", model.frames().size()}};
    if (frame.surface) json["surface"] = inspect::imageText(model.names(), *frame.surface);
    if (subject.costs != nullptr)
        json["chip"] = {{"preset", subject.costs->result.preset}, {"cycles", subject.costs->result.cycles}};
    size_t first = frame.first, end = frame.end;
    if (subject.action) {
        first = *subject.action, end = first + 1;
        json["action"] = actionJson(subject, first, true);
    } else {
        json["passes"] = Json::array();
        for (const inspect::Pass& pass : model.passes()) {
            if (pass.first < first || pass.end > end) continue;
            Json one = {{"target", pass.text}, {"actions", Json::array()}};
            for (size_t i = pass.first; i < pass.end; ++i) one["actions"].push_back(actionJson(subject, i, false));
            json["passes"].push_back(std::move(one));
        }
    }
    if (subject.pixel)
        if (auto story = pixelStory(subject.model, subject.frame, *subject.pixel, [] { return false; }))
            json["pixel"] = std::move(*story);
    json["programs"] = Json::array();
    for (const auto& program : programsOf(model, first, end))
        forEachShader(subject, *program, [&](const ShaderText& text) { json["programs"].push_back(shaderJson(text)); });
    return json;
}

std::string framePage(const FrameSubject& subject) {
    FrameModel& model = subject.model;
    const inspect::Frame& frame = model.frames()[subject.frame];
    const std::string title = fmt::format("{}, frame {}", subject.file, subject.frame + 1);
    std::string page = pageHead(title);
    page += fmt::format("<p>{} actions", frame.end - frame.first);
    uint64_t mostCycles = 0;
    if (subject.costs != nullptr) {
        page += fmt::format(", {} cycles on the chip ({})", subject.costs->result.cycles,
                            svgText(subject.costs->result.preset));
        for (const auto& cost : subject.costs->draws)
            if (cost) mostCycles = std::max(mostCycles, cost->cycles);
    }
    page += ".</p>\n";
    size_t pictures = 0;
    for (const inspect::Pass& pass : model.passes()) {
        if (pass.first < frame.first || pass.end > frame.end) continue;
        page += fmt::format("<h2>{}</h2>\n", svgText(pass.text));
        if (pictures < kMostPictures && pass.text != "transfers") {
            model.show(pass.end - 1, FrameModel::Moment::After);
            for (const inspect::NamedImage& named : model.imagesOf(pass.end - 1)) {
                if (named.name == "stencil") continue;
                const inspect::Channels channels = inspect::channelsOf(*named.image).front();
                inspect::Look look = inspect::usualLook(*named.image, channels);
                if (channels == inspect::Channels::Depth)
                    if (const auto range = inspect::rangeOf(named.image, look); range && (*range)[0] < (*range)[1])
                        look.low = (*range)[0], look.high = (*range)[1];
                page += figure(inspect::pictureOf(named.image, look), named.name);
                ++pictures;
            }
        }
        page += "<table><tr><th class=\"n\">no.</th><th>command</th>";
        if (subject.costs != nullptr)
            page +=
                "<th class=\"n\">vertices</th><th class=\"n\">primitives</th><th class=\"n\">shaded</th><th "
                "class=\"n\">written</th>"
                "<th class=\"n\">cycles</th><th>bound by</th>";
        page += "</tr>\n" + actionRows(subject, pass.first, pass.end, mostCycles) + "</table>\n";
    }
    if (subject.costs != nullptr)
        if (const HeatMap map = heatOf(*subject.costs, model, frame.end - 1, Heat::Overdraw); map.width != 0)
            page +=
                "<h2>overdraw</h2>\n" + figure(pictureOf(map), fmt::format("pixels shaded up to {} times", map.most));
    page += "<h2>programs</h2>\n";
    for (const auto& program : programsOf(model, frame.first, frame.end))
        forEachShader(subject, *program, [&](const ShaderText& text) { page += shaderSection(text); });
    return page + "</body></html>\n";
}

std::vector<std::string> viewNames() {
    std::vector<std::string> names = {"color"};
    for (int i = 1; i < pipeline::kMaxColorTargets; ++i) names.push_back(fmt::format("color {}", i));
    names.insert(names.end(), {"depth", "stencil", "mesh"});
    for (const std::string_view heat : kHeatWords) names.emplace_back(heat);
    names.emplace_back("texture");
    for (const std::string_view misses : kMissesViews) names.emplace_back(misses);
    return names;
}

std::optional<Picture> viewOf(const FrameSubject& subject, size_t action, std::string_view view, std::string& why) {
    FrameModel& model = subject.model;
    if (const auto heat = std::ranges::find(kHeatWords, view); heat != std::end(kHeatWords)) {
        const HeatMap map = heatOf(*subject.costs, model, action, static_cast<Heat>(heat - std::begin(kHeatWords)));
        if (map.width == 0) {
            why = "no draw of the frame comes before it";
            return std::nullopt;
        }
        return pictureOf(map);
    }
    if (view == "misses") {
        const HeatMap map = missesOfTarget(*subject.misses, model, action);
        if (map.width != 0) return pictureOf(map);
        why = "nothing is looked up where it draws to";
        return std::nullopt;
    }
    if (view.starts_with("texture")) return textureView(subject, action, view == "texture misses", why);
    if (view == "mesh") {
        const pipeline::Draw* const draw = model.actions()[action].draw();
        if (draw == nullptr) {
            why = fmt::format("command {} is no draw", model.actions()[action].number);
            return std::nullopt;
        }
        return meshPicture(model.meshOf(action), draw->state->target.width, draw->state->target.height);
    }
    model.show(action, FrameModel::Moment::After);
    const std::string name = view == "color" ? "color 0" : std::string(view);
    for (const inspect::NamedImage& named : model.imagesOf(action)) {
        if (named.name != name && !(named.name == "image" && view == "color")) continue;
        const inspect::Channels channels = view == "depth"     ? inspect::Channels::Depth
                                           : view == "stencil" ? inspect::Channels::Stencil
                                                               : inspect::Channels::Color;
        const std::vector<inspect::Channels> all = inspect::channelsOf(*named.image);
        inspect::Look look =
            inspect::usualLook(*named.image, std::ranges::find(all, channels) != all.end() ? channels : all.front());
        if (view == "depth")
            if (const auto range = inspect::rangeOf(named.image, look); range && (*range)[0] < (*range)[1])
                look.low = (*range)[0], look.high = (*range)[1];
        return inspect::pictureOf(named.image, look);
    }
    why = fmt::format("command {} draws to no {}", model.actions()[action].number, name);
    return std::nullopt;
}

Picture meshPicture(const inspect::Mesh& mesh, int width, int height) {
    Picture picture{width, height, {}};
    picture.rgba.resize(static_cast<size_t>(width) * static_cast<size_t>(height) * 4, 24);
    for (size_t i = 3; i < picture.rgba.size(); i += 4) picture.rgba[i] = 255;
    const auto place = [&](const std::array<float, 4>& clip) -> std::array<double, 2> {
        return {(clip[0] / clip[3] + 1) / 2 * width, (1 - clip[1] / clip[3]) / 2 * height};
    };
    const auto corners = static_cast<size_t>(mesh.corners);
    for (size_t first = 0; first + corners <= mesh.clip.size(); first += corners)
        for (size_t i = 0; i < corners; ++i) {
            const size_t from = first + i, to = first + (i + 1) % corners;
            // Behind the eye there is no place on the screen.
            if (!(mesh.clip[from][3] > 0) || !(mesh.clip[to][3] > 0)) continue;
            const bool isClipped = (mesh.outcodes[from] | mesh.outcodes[to]) != 0;
            drawLine(picture, place(mesh.clip[from]), place(mesh.clip[to]),
                     isClipped ? std::array<uint8_t, 3>{230, 120, 60} : std::array<uint8_t, 3>{120, 200, 250});
        }
    return picture;
}

}  // namespace tessera::tools
