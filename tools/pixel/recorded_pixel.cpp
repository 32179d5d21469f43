#include "tools/pixel/recorded_pixel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "inspect/pixel_report.h"
#include "shader-core/tier/tier.h"
#include "tools/diff/image_diff.h"
#include "tools/pixel/pixel_history.h"

namespace tessera::tools {

namespace {

using Json = nlohmann::json;
using inspect::FrameModel;
using inspect::isSameImage;
using pipeline::Command;

/// What a command hands to the application.
struct Reading {
    texture::ImagePtr image;
    Rect rect;
    bool fromTop = false;
};
std::optional<Reading> readingOf(const Command* command) {
    if (command == nullptr) return std::nullopt;
    if (const auto* back = std::get_if<pipeline::ReadBack>(command))
        return Reading{back->image, back->rect, back->reverseRows};
    if (const auto* pack = std::get_if<pipeline::PackPixels>(command))
        return Reading{pack->image, pack->rect, pack->reverseRows};
    return std::nullopt;
}

const pipeline::RenderTarget* targetOf(const inspect::Action& action) {
    if (const pipeline::Draw* const draw = action.draw()) return &draw->state->target;
    if (const pipeline::Clear* const clear = action.clear()) return clear->target.get();
    return nullptr;
}

texture::ImagePtr firstImage(const pipeline::RenderTarget& target) {
    for (const texture::ImagePtr& image : target.color)
        if (image) return image;
    return target.depth ? target.depth : target.stencil;
}

/// What an action draws to, reads or writes.
texture::ImagePtr imageOf(const FrameModel& model, size_t action) {
    if (const std::optional<Reading> reading = readingOf(model.actions()[action].command)) return reading->image;
    const std::vector<inspect::NamedImage> images = model.imagesOf(action);
    return images.empty() ? nullptr : images[0].image;
}

bool isIn(const Rect& rect, int x, int y) {
    return x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height;
}

// --- Which pixel ---

std::optional<PixelPlace> placeIn(const FrameModel& model, const texture::ImagePtr& image, size_t action,
                                  const PixelChoice& choice, std::string& why) {
    const auto [x, y] = choice.pixel;
    if (x >= image->width() || y >= image->height()) {
        why = fmt::format("{} has no pixel {},{}", imageText(model.names(), *image), x, y);
        return std::nullopt;
    }
    return PixelPlace{action, image, x, choice.bottomUp ? y : image->height() - 1 - y,
                      fmt::format("pixel {},{} of {}, y from the {}", x, y, imageText(model.names(), *image),
                                  choice.bottomUp ? "bottom" : "top")};
}

/// Whether the rows of an image, from the first on or from the last, are those of a picture; its alpha may be another,
/// as PNG files have colours that are not multiplied with it.
bool isPicture(const imagediff::Image& picture, const std::vector<uint8_t>& fromTop, int width, const Rect& rect,
               int height, bool firstIsTop) {
    for (int y = 0; y < picture.height; ++y) {
        const int row = firstIsTop ? rect.y + y : rect.y + rect.height - 1 - y;
        const uint8_t* const has = &fromTop[(static_cast<size_t>(height - 1 - row) * static_cast<size_t>(width) +
                                             static_cast<size_t>(rect.x)) *
                                            4];
        const uint8_t* const wanted = picture.pixel(0, y);
        for (int i = 0; i < picture.width * 4; ++i)
            if (i % 4 != 3 && has[i] != wanted[i]) return false;
    }
    return true;
}

std::optional<PixelPlace> placeInPicture(FrameModel& model, const PixelChoice& choice, std::string& why) {
    const std::optional<imagediff::Image> picture = imagediff::readPng(choice.picture, why);
    if (!picture) return std::nullopt;
    const auto [x, fromTop] = choice.pixel;
    const int y = choice.bottomUp ? picture->height - 1 - fromTop : fromTop;
    if (x >= picture->width || y < 0 || y >= picture->height) {
        why = fmt::format("it has {} x {} pixels, and no pixel {},{}", picture->width, picture->height, x, fromTop);
        return std::nullopt;
    }
    size_t ofThatSize = 0;
    for (size_t action = model.actions().size(); action-- > 0;) {
        const inspect::Action& one = model.actions()[action];
        const std::optional<Reading> reading = readingOf(one.command);
        if (!reading || reading->rect.width != picture->width || reading->rect.height != picture->height) continue;
        ++ofThatSize;
        model.show(action, FrameModel::Moment::After);
        const texture::Image& image = *reading->image;
        const std::vector<uint8_t> pixels = inspect::pictureOf(image);
        for (const bool firstIsTop : {!reading->fromTop, reading->fromTop}) {
            if (!isPicture(*picture, pixels, image.width(), reading->rect, image.height(), firstIsTop)) continue;
            const int row = firstIsTop ? reading->rect.y + y : reading->rect.y + reading->rect.height - 1 - y;
            return PixelPlace{action, reading->image, reading->rect.x + x, row,
                              fmt::format("pixel {},{} of {}, y from the {}, which command {} reads from {}", x,
                                          fromTop, choice.picture, choice.bottomUp ? "bottom" : "top", one.number,
                                          imageText(model.names(), image))};
        }
    }
    why = fmt::format("none of the {} pictures of {} x {} pixels that the program read back has these pixels",
                      ofThatSize, picture->width, picture->height);
    return std::nullopt;
}

// --- What made it ---

/// How a command that is no draw writes a pixel.
struct Transfer {
    bool writes = false;
    texture::ImagePtr from;  ///< null: no image
    int x = 0, y = 0;
};

/// The pixel that a blit takes, as it maps the centres of pixels.
int blitted(int to, int to0, int to1, int from0, int from1, int size) {
    const double at = from0 + (to + 0.5 - to0) * (double{1} * from1 - from0) / (double{1} * to1 - to0);
    return std::clamp(static_cast<int>(std::floor(at)), 0, size - 1);
}

Transfer transferTo(const texture::Image& image, int x, int y, const Command& command) {
    const auto isIt = [&](const texture::ImagePtr& one) { return one && isSameImage(*one, image); };
    if (const auto* upload = std::get_if<pipeline::Upload>(&command))
        return {isIt(upload->image) && isIn(upload->rect, x, y), nullptr};
    if (const auto* decode = std::get_if<pipeline::Decode>(&command))
        return {isIt(decode->image) && isIn(decode->rect, x, y), nullptr};
    if (const auto* copy = std::get_if<pipeline::CopyImage>(&command))
        return {isIt(copy->to) && isIn(copy->rect, x, y), copy->from, copy->fromX + x - copy->rect.x,
                copy->fromY + y - copy->rect.y};
    if (const auto* resolve = std::get_if<pipeline::Resolve>(&command)) return {isIt(resolve->to), resolve->from, x, y};
    if (const auto* fill = std::get_if<pipeline::FillSamples>(&command)) return {isIt(fill->to), fill->from, x, y};
    if (const auto* blit = std::get_if<pipeline::Blit>(&command)) {
        const auto& [from, to, within, linear, mask, asCodes] = blit->how;
        const auto isBetween = [](int at, int a, int b) { return at >= std::min(a, b) && at < std::max(a, b); };
        if (!isIt(blit->to) || !isIn(within, x, y) || !isBetween(x, to.x0, to.x1) || !isBetween(y, to.y0, to.y1))
            return {};
        return {true, blit->from, blitted(x, to.x0, to.x1, from.x0, from.x1, blit->from->width()),
                blitted(y, to.y0, to.y1, from.y0, from.y1, blit->from->height())};
    }
    if (const auto* mipmap = std::get_if<pipeline::GenerateMipmap>(&command))
        for (const std::vector<texture::ImagePtr>& levels : mipmap->faces)
            for (size_t level = 1; level < levels.size(); ++level)
                if (isIt(levels[level]))
                    return {true, levels[0], x * levels[0]->width() / image.width(),
                            y * levels[0]->height() / image.height()};
    return {};
}

/// Whether draws made what is in the image before the action, there or where it was copied from.
bool isDrawn(const FrameModel& model, const texture::Image& image, int x, int y, size_t before) {
    for (size_t i = before; i-- > 0;) {
        const inspect::Action& action = model.actions()[i];
        if (const pipeline::RenderTarget* const target = targetOf(action)) {
            if (inspect::drawsTo(*target, image)) return true;
        } else if (action.command != nullptr) {
            const Transfer transfer = transferTo(image, x, y, *action.command);
            if (transfer.writes) return transfer.from && isDrawn(model, *transfer.from, transfer.x, transfer.y, i);
        }
    }
    return false;
}

bool isDepth(const texture::Image& image) { return texture::formatInfo(image.format()).depth != 0; }

/// Whether an event left what the pixel of the image holds: a clear, or a draw that passes the tests and writes.
bool isWriter(const Json& event, const Json& commands, const texture::Image& image) {
    if (!event.contains("primitive")) return true;
    if (event.value("discarded", false)) return false;
    const Json& samples = event["samples"];
    const bool passes = std::any_of(samples.begin(), samples.end(), [](const Json& sample) {
        return sample.value("covered", false) && sample.value("stencilPass", false) && sample.value("depthPass", false);
    });
    const Json state = commands[event["command"].get<size_t>()].value("state", Json::object());
    if (isDepth(image)) return passes && state.value("depthWrite", false);
    if (!passes || !event.value("shaded", false)) return false;
    return event["before"] != event["after"] || (!state.value("blend", false) && state.value("colorMask", 0) != 0);
}

/// Leaves out what a clear before the writer went over, as of frames that no surface ends.
void dropOlder(PixelStep& step, const texture::Image& image) {
    Json& events = step.report["events"];
    const auto clearsIt = [&](const Json& event) {
        if (event.contains("primitive")) return false;
        const auto buffers = step.report["commands"][event["command"].get<size_t>()].value("buffers", "");
        return buffers.find(isDepth(image) ? "DEPTH" : "COLOR") != std::string::npos;
    };
    size_t first = *step.writer;
    while (first > 0 && !clearsIt(events[first])) --first;
    events.erase(events.begin(), events.begin() + static_cast<ptrdiff_t>(first));
    *step.writer -= first;
}

/// What a lookup reads, in the stream.
std::optional<PixelPlace> lookedUp(const FrameModel& model, const Json& lookup, size_t action) {
    const auto number = lookup.value("image", size_t{0});
    if (number == 0 || number > model.stream().images.size()) return std::nullopt;
    texture::ImagePtr image = model.stream().images[number - 1];
    if (lookup.contains("slice")) image = std::make_shared<texture::Image>(image, lookup["slice"].get<int>());
    return PixelPlace{action, std::move(image), lookup["x"].get<int>(), lookup["y"].get<int>(), {}};
}

/// The first one whose image was drawn; else none.
std::optional<PixelPlace> drawnLookup(const FrameModel& model, const Json& event, size_t action) {
    if (!event.contains("origin") || action == 0) return std::nullopt;
    for (const Json& lookup : event["origin"]["lookups"])
        if (std::optional<PixelPlace> place = lookedUp(model, lookup, action - 1);
            place && isDrawn(model, *place->image, place->x, place->y, action)) {
            place->words =
                fmt::format("texel {},{} of {}, y from the bottom, which command {} looks up", place->x, place->y,
                            imageText(model.names(), *place->image), model.actions()[action].number);
            return place;
        }
    return std::nullopt;
}

/// The events of all targets that have the image, in order; commands are numbered as the stream numbers them.
void takeEvents(const FrameModel& model, size_t frame, const Json& record, Json& report) {
    Json events = Json::array();
    for (const Json& history : record["pixels"][0]["histories"])
        for (const Json& event : history["events"]) events.push_back(event);
    std::stable_sort(events.begin(), events.end(),
                     [](const Json& a, const Json& b) { return a["command"] < b["command"]; });
    report["events"] = std::move(events);
    report["commands"] = record["commands"];
    const std::vector<size_t> commands = model.commandsOf(frame);
    for (size_t i = 0; i < report["commands"].size() && i < commands.size(); ++i)
        report["commands"][i]["number"] = model.actions()[commands[i]].number;
}

std::shared_ptr<isa::Executor> executor() { return tier::makeExecutor(tier::tierFromEnvironment(tier::Tier::Interp)); }

inspect::PixelRequest requestOf(const PixelPlace& place) {
    inspect::PixelRequest request;
    request.pixels = {{place.x, place.y}};
    request.bottomUp = true;
    request.image = place.image;
    return request;
}

}  // namespace

std::optional<PixelPlace> placeOf(FrameModel& model, const PixelChoice& choice, std::string& why) {
    if (model.frames().empty()) {
        why = "nothing is recorded in it";
        return std::nullopt;
    }
    if (!choice.picture.empty()) return placeInPicture(model, choice, why);
    size_t last = model.actions().size() - 1;
    if (choice.command != 0) {
        const auto isIt = [&](const inspect::Action& action) {
            return action.command != nullptr && action.number == choice.command;
        };
        const auto found = std::ranges::find_if(model.actions(), isIt);
        if (found == model.actions().end()) {
            why = fmt::format("there is no command {}; it has {}", choice.command, model.stream().commandCount());
            return std::nullopt;
        }
        last = static_cast<size_t>(found - model.actions().begin());
    }
    if (choice.image != 0) {
        if (choice.image > model.stream().images.size()) {
            why = fmt::format("there is no image {}; it has {}", choice.image, model.stream().images.size());
            return std::nullopt;
        }
        return placeIn(model, model.stream().images[choice.image - 1], last, choice, why);
    }
    if (choice.command != 0) {
        const texture::ImagePtr image = imageOf(model, last);
        if (image) return placeIn(model, image, last, choice, why);
        why = fmt::format("command {} is of no image", choice.command);
        return std::nullopt;
    }
    if (choice.frame >= model.frames().size()) {
        why = fmt::format("there is no frame {}; it has {}, counted from 0", choice.frame, model.frames().size());
        return std::nullopt;
    }
    const inspect::Frame& frame = model.frames()[choice.frame];
    if (frame.surface) return placeIn(model, frame.surface, frame.end - 1, choice, why);
    for (size_t i = frame.end; i-- > frame.first;)
        if (const std::optional<Reading> reading = readingOf(model.actions()[i].command))
            return placeIn(model, reading->image, i, choice, why);
    for (size_t i = frame.end; i-- > frame.first;)
        if (const pipeline::RenderTarget* const target = targetOf(model.actions()[i]))
            if (const texture::ImagePtr image = firstImage(*target)) return placeIn(model, image, i, choice, why);
    why = "nothing is drawn in it";
    return std::nullopt;
}

PixelStep stepOf(FrameModel& model, const PixelPlace& place) {
    PixelStep step{.place = place, .report = {}, .writer = {}, .from = {}};
    for (size_t frame = model.actions()[place.action].frame + 1; frame-- > 0;) {
        const inspect::Frame& all = model.frames()[frame];
        const size_t last = std::min(place.action, all.end - 1);
        inspect::PixelRequest request = requestOf(place);
        request.origins = true;
        const auto record = model.historyOf(frame, std::move(request), executor(), last);
        if (!record) break;
        takeEvents(model, frame, Json::parse(record->report, nullptr, false), step.report);
        step.report["frame"] = frame;
        const Json& events = step.report["events"];
        const std::vector<size_t> commands = model.commandsOf(frame);
        const auto actionOf = [&](const Json& event) { return commands[event["command"].get<size_t>()]; };
        for (size_t i = events.size(); i-- > 0 && !step.writer;)
            if (isWriter(events[i], step.report["commands"], *place.image)) step.writer = i;
        // What is copied behind it went over it.
        const size_t written = step.writer ? actionOf(events[*step.writer]) : all.first;
        for (size_t i = last + 1; i-- > written;) {
            const inspect::Action& action = model.actions()[i];
            Transfer transfer;
            if (action.command != nullptr)
                transfer = transferTo(*place.image, place.x, place.y, *action.command);
            else if (const auto* contents =
                         std::get_if<pipeline::CommandStream::Contents>(&model.stream().steps[action.step]))
                transfer.writes = contents->image && isSameImage(*contents->image, place.image->whole());
            if (!transfer.writes) continue;
            step.writer.reset();
            step.report["events"].clear();
            std::string text = action.what + " " + action.text;
            constexpr size_t kMostText = 100;  // all levels of a texture, say
            if (text.size() > kMostText) text = text.substr(0, kMostText - 4) + " ...";
            step.report["copy"] = {{"number", action.number}, {"text", std::move(text)}};
            if (transfer.from && i > 0)
                step.from =
                    PixelPlace{i - 1, transfer.from, transfer.x, transfer.y,
                               fmt::format("pixel {},{} of {}, y from the bottom, which command {} copies", transfer.x,
                                           transfer.y, imageText(model.names(), *transfer.from), action.number)};
            return step;
        }
        if (!step.writer) continue;  // a frame before
        const Json& writer = events[*step.writer];
        step.from = drawnLookup(model, writer, actionOf(writer));
        dropOlder(step, *place.image);
        return step;
    }
    return step;
}

std::vector<PixelStep> stepsOf(FrameModel& model, const PixelPlace& place, int follow) {
    std::vector<PixelStep> steps;
    std::optional<PixelPlace> next = place;
    for (int i = 0; i <= follow && next; ++i) {
        steps.push_back(stepOf(model, *next));
        PixelStep& step = steps.back();
        step.report["image"] = model.names().of(&next->image->whole());
        step.report["format"] = texture::formatInfo(next->image->format()).name;
        step.report["samples"] = next->image->samples();
        step.report["isDepth"] = isDepth(*next->image);
        step.report["x"] = next->x, step.report["y"] = next->y;
        next = step.from;
    }
    return steps;
}

std::optional<PixelCapture> captureOf(FrameModel& model, const PixelStep& step, std::optional<size_t> draw,
                                      std::optional<uint64_t> primitive) {
    if (!step.report.contains("frame")) return std::nullopt;
    const auto frame = step.report["frame"].get<size_t>();
    inspect::PixelRequest request = requestOf(step.place);
    request.capture = true;
    const std::vector<size_t> commands = model.commandsOf(frame);
    if (draw) {
        const auto isIt = [&](size_t action) { return model.actions()[action].number == *draw; };
        const auto found = std::ranges::find_if(commands, isIt);
        if (found == commands.end()) return std::nullopt;
        request.draw = found - commands.begin();
    } else if (step.writer) {
        const Json& writer = step.report["events"][*step.writer];
        if (!writer.contains("primitive")) return std::nullopt;
        request.draw = writer["command"].get<int64_t>();
        request.primitive = writer["primitive"].get<int64_t>();
    } else {
        return std::nullopt;
    }
    if (primitive) request.primitive = static_cast<int64_t>(*primitive);
    const size_t last = std::min(step.place.action, model.frames()[frame].end - 1);
    const auto record = model.historyOf(frame, std::move(request), executor(), last);
    if (!record || !record->capture) return std::nullopt;
    const Json captured = Json::parse(record->report, nullptr, false)["captured"];
    return PixelCapture{
        {reinterpret_cast<const char*>(record->capture->data()), record->capture->size()},
        fmt::format("pixel {},{} of {}, y from the bottom: command {}, primitive {}", step.place.x, step.place.y,
                    imageText(model.names(), *step.place.image),
                    model.actions()[commands[captured["draw"].get<size_t>()]].number, captured["primitive"].dump())};
}

std::string stepsText(const FrameModel& model, const std::vector<PixelStep>& steps, const std::string& debugged) {
    std::string text;
    for (size_t i = 0; i < steps.size(); ++i) {
        const PixelStep& step = steps[i];
        text += step.place.words;
        const size_t frame = step.report.value("frame", size_t{0});
        if (model.frames().size() > 1) text += fmt::format(", frame {}", frame);
        text += "\n" + eventsText(step.report);
        if (step.report.contains("copy")) {
            const Json& copy = step.report["copy"];
            text += fmt::format("  {}: {}\n", copy["number"].dump(), copy["text"].get<std::string>());
        } else if (!step.writer) {
            text += "  nothing that is recorded writes it\n";
        }
        if (step.writer && step.report["events"][*step.writer].contains("origin") && !debugged.empty())
            text += fmt::format("  step through it: {}{}\n", debugged, i > 0 ? fmt::format(" --follow {}", i) : "");
    }
    if (!steps.empty() && steps.back().from)
        text += fmt::format("from {}; --follow {} tells of it\n", steps.back().from->words, steps.size());
    return text;
}

}  // namespace tessera::tools
