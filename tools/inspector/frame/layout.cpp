#include "tools/inspector/frame/layout.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/process/env.h"
#include "base/process/write_file.h"
#include "tools/inspector/frame/tabs.h"

namespace tessera::tools {

namespace {

using Json = nlohmann::ordered_json;

/// Reads fields of an object; the first that is wrong is told.
class Fields {
public:
    explicit Fields(const Json& json) : json_(json) {}

    template <class T>
    void number(const char* name, T& value, T low, T high) {
        const auto at = json_.find(name);
        if (at == json_.end()) return;
        const double found = at->is_number() ? at->get<double>() : low - 1.0;
        if (found >= low && found <= high)
            value = static_cast<T>(found);
        else
            fail(fmt::format("\"{}\" is no number from {} to {}", name, low, high));
    }
    void flag(const char* name, bool& value) {
        const auto at = json_.find(name);
        if (at == json_.end()) return;
        if (at->is_boolean())
            value = at->get<bool>();
        else
            fail(fmt::format("\"{}\" is neither true nor false", name));
    }
    void word(const char* name, std::string& value) {
        const auto at = json_.find(name);
        if (at == json_.end()) return;
        if (at->is_string() && std::ranges::find(kTabWords, at->get<std::string>()) != std::end(kTabWords))
            value = at->get<std::string>();
        else
            fail(fmt::format("\"{}\" is no tab", name));
    }
    std::string problem;

private:
    void fail(std::string text) {
        if (problem.empty()) problem = std::move(text);
    }
    const Json& json_;
};

}  // namespace

std::string layoutFile() {
    std::string folder = envString("XDG_CONFIG_HOME", "");
    if (folder.empty() || folder[0] != '/') {
        const std::string home = envString("HOME", "");
        if (home.empty()) return {};
        folder = home + "/.config";
    }
    return folder + "/tessera/inspector.json";
}

std::optional<Layout> readLayout(const std::string& file, std::string& why) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return Layout();
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    const Json json = Json::parse(text.str(), nullptr, false);
    if (!json.is_object()) {
        why = "it is no JSON object";
        return std::nullopt;
    }
    Layout layout;
    Fields fields(json);
    fields.number("width", layout.width, 320, 16384);
    fields.number("height", layout.height, 240, 16384);
    fields.number("left", layout.left, kLeastPart, kMostPart);
    fields.number("top", layout.top, kLeastPart, kMostPart);
    fields.number("source", layout.source, kLeastPart, kMostPart);
    fields.word("tab", layout.tab);
    fields.flag("light", layout.isLight);
    why = fields.problem;
    return why.empty() ? std::optional(layout) : std::nullopt;
}

bool writeLayout(const std::string& file, const Layout& layout, std::string& why) {
    std::error_code ignored;  // what is in the way is told by what follows
    std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
    const auto rounded = [](float part) { return std::round(double{part} * 1000) / 1000; };
    const Json json = {{"width", layout.width},      {"height", layout.height},          {"left", rounded(layout.left)},
                       {"top", rounded(layout.top)}, {"source", rounded(layout.source)}, {"tab", layout.tab},
                       {"light", layout.isLight}};
    return writeWholeFile(file, json.dump(1) + "\n", why);
}

}  // namespace tessera::tools
