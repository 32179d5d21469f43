// Reading the table; estimates are in resources.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/nearest.h"
#include "base/process/read_file.h"
#include "model/chip/toml.h"
#include "model/trim/resource_file.h"
#include "model/trim/resources.h"

namespace tessera::model {

namespace {

constexpr std::string_view kPer[] = {"element",    "lane",           "processor",    "group",
                                     "rasterizer", "texture_engine", "pixel_engine", "graphics",
                                     "chip",       "read_port",      "write_port"};
constexpr std::string_view kTargets[] = {"cube", "volume", "external", "shadow"};  // TextureTarget from Cube on

std::string suggestion(std::span<const std::string_view> names, std::string_view misspelt) {
    const std::string_view near = nearest(names, misspelt);
    return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

/// The first problem counts; what is read behind it does no harm.
class Reader {
public:
    explicit Reader(std::string_view file) : file_(file) {}
    /// Of a device, over the table.
    Reader(std::string_view file, const ResourceTable& base) : file_(file), table_(base), isDevice_(true) {}

    std::optional<ResourceTable> read(std::string_view text, std::string* error) {
        const std::optional<toml::table> parsed = parseToml(text, file_, error);
        if (!parsed) {
            *error += isDevice_ ? "; devices are TOML" : "; resource tables are TOML";
            return std::nullopt;
        }
        isDevice_ ? readDevice(*parsed) : readTable(*parsed);
        if (problem_.empty()) return std::move(table_);
        *error = problem_;
        return std::nullopt;
    }

private:
    void fail(const toml::source_position& at, std::string_view what) {
        if (problem_.empty()) problem_ = fmt::format("{}:{}:{}: {}", file_, at.line, at.column, what);
    }

    void readTable(const toml::table& table) {
        static constexpr std::string_view kKeys[] = {"title", "memory", "power", "part", "decode"};
        known(table, kKeys);
        table_.title = text(table, "title");
        readMemory(table);
        if (const toml::table* power = inner(table, "power")) {
            static constexpr std::string_view kPower[] = {"lut", "ff", "dsp", "bram", "board", "uncertainty", "source"};
            known(*power, kPower);
            table_.power.weights = area(*power);
            table_.power.board = number(*power, "board", 0, 1000);
            table_.power.uncertainty = number(*power, "uncertainty", 0, 1);
            table_.power.source = source(*power);
        }
        if (const toml::table* decode = inner(table, "decode")) {
            static constexpr std::string_view kDecode[] = {"lut", "ff", "dsp", "bram", "uncertainty", "source"};
            known(*decode, kDecode);
            table_.decode = {.name = "instruction decoding",
                             .unit = "decode",
                             .source = source(*decode),
                             .per = Per::Processor,
                             .area = area(*decode),
                             .uncertainty = number(*decode, "uncertainty", 0, 1),
                             .always = true};
        }
        readParts(table);
    }

    void readParts(const toml::table& table) {
        const toml::array* parts = table["part"].as_array();
        if (!parts || parts->empty()) return fail({1, 1}, "there are no parts; give each as [[part]]");
        for (const toml::node& node : *parts) {
            if (const toml::table* part = node.as_table())
                readPart(*part);
            else
                fail(node.source().begin, "a part is a table: [[part]]");
        }
    }

    void readMemory(const toml::table& table) {
        const toml::table* memory = inner(table, "memory");
        if (!memory) return;
        static constexpr std::string_view kMemory[] = {"block_words", "block_bits", "table_words", "source"};
        known(*memory, kMemory);
        table_.memory.blockWords = static_cast<uint32_t>(number(*memory, "block_words", 1, 1 << 20));
        table_.memory.blockBits = static_cast<uint32_t>(number(*memory, "block_bits", 1, 1024));
        table_.memory.tableWords = static_cast<uint32_t>(number(*memory, "table_words", 0, 1 << 20));
        table_.memory.source = source(*memory);
    }

    /// What the FPGA makes otherwise than the table takes the place of its parts.
    void readDevice(const toml::table& table) {
        static constexpr std::string_view kKeys[] = {"title", "without", "holds", "memory", "part"};
        known(table, kKeys);
        table_.title = text(table, "title");
        if (const toml::table* holds = inner(table, "holds")) {
            static constexpr std::string_view kHolds[] = {"lut", "ff", "dsp", "bram", "source"};
            known(*holds, kHolds);
            table_.holds = area(*holds);
            static_cast<void>(source(*holds));
        }
        if (table.contains("memory")) readMemory(table);
        if (const toml::node* without = table.get("without")) leaveOut(*without);
        if (table.contains("part")) readParts(table);
    }

    void leaveOut(const toml::node& node) {
        const toml::array* list = node.as_array();
        if (!list) return fail(node.source().begin, "without is a list of the names of parts");
        for (const toml::node& item : *list) {
            const std::string name = item.value_exact<std::string>().value_or("");
            if (std::erase_if(table_.parts, [&](const Part& part) { return part.name == name; })) continue;
            std::vector<std::string_view> names;
            for (const Part& part : table_.parts) names.push_back(part.name);
            return fail(item.source().begin,
                        fmt::format("the table has no part \"{}\"{}", name, suggestion(names, name)));
        }
    }

    void readPart(const toml::table& table) {
        static constexpr std::string_view kKeys[] = {"name", "unit",         "per",    "lut",         "ff",    "dsp",
                                                     "bram", "instructions", "target", "uncertainty", "source"};
        known(table, kKeys);
        Part part{.name = text(table, "name"), .unit = text(table, "unit"), .source = source(table)};
        part.per = static_cast<Per>(word(table, "per", kPer));
        part.area = area(table);
        part.uncertainty = number(table, "uncertainty", 0, 1);
        if (table.contains("target"))
            part.target = static_cast<isa::TextureTarget>(word(table, "target", kTargets) + 1);
        if (const toml::node* list = table.get("instructions"))
            readForms(*list, part);
        else
            part.always = true;
        table_.parts.push_back(std::move(part));
    }

    void readForms(const toml::node& node, Part& part) {
        const toml::array* list = node.as_array();
        if (!list || list->empty()) return fail(node.source().begin, "instructions is a list of instructions' names");
        for (const toml::node& item : *list) {
            const std::string name = item.value_exact<std::string>().value_or("");
            const std::optional<NamedForms> forms = formsByName(name);
            if (!forms) return fail(item.source().begin, unknownForm(name));
            part.forms[static_cast<size_t>(forms->op)] |= forms->types;
        }
    }

    void known(const toml::table& table, std::span<const std::string_view> keys) {
        for (const auto& [key, node] : table)
            if (std::ranges::find(keys, key.str()) == keys.end())
                fail(key.source().begin,
                     fmt::format("nothing is called {} here{}", key.str(), suggestion(keys, key.str())));
    }

    const toml::table* inner(const toml::table& table, std::string_view name) {
        const toml::table* found = table[name].as_table();
        if (!found) fail(table.source().begin, fmt::format("the table [{}] is missing", name));
        return found;
    }

    [[nodiscard]] static toml::source_position placeOf(const toml::table& table, std::string_view key) {
        const toml::node* node = table.get(key);
        return node ? node->source().begin : table.source().begin;
    }

    std::string text(const toml::table& table, std::string_view key) {
        const auto value = table[key].value_exact<std::string>();
        if (!value || value->empty()) fail(placeOf(table, key), fmt::format("{} is missing, or no text", key));
        return value.value_or("");
    }

    std::string source(const toml::table& table) {
        const std::string value = text(table, "source");
        if (!value.starts_with("seed ") && !value.starts_with("datasheet: ") && !value.starts_with("ours: "))
            fail(placeOf(table, "source"),
                 "where do the numbers come from? Give \"seed NUMBER, SECTION: ...\", \"datasheet: NAME, ...\" or "
                 "\"ours: REASON\"");
        return value;
    }

    double number(const toml::table& table, std::string_view key, double least, double most) {
        const toml::node* node = table.get(key);
        const std::optional<double> value = node && node->is_number() ? node->value<double>() : std::nullopt;
        if (!value) {
            fail(placeOf(table, key), fmt::format("{} is missing, or no number", key));
            return least;
        }
        if (!(*value >= least && *value <= most)) {
            fail(placeOf(table, key), fmt::format("{} = {} is out of range; give {} to {}", key, *value, least, most));
            return least;
        }
        return *value;
    }

    Area area(const toml::table& table) {
        const auto optional = [&](std::string_view key) {
            return table.contains(key) ? number(table, key, 0, 1e6) : 0.0;
        };
        return {number(table, "lut", 0, 1e6), number(table, "ff", 0, 1e6), optional("dsp"), optional("bram")};
    }

    size_t word(const toml::table& table, std::string_view key, std::span<const std::string_view> words) {
        const std::string value = table[key].value_exact<std::string>().value_or("");
        const auto found = std::ranges::find(words, value);
        if (found != words.end()) return static_cast<size_t>(found - words.begin());
        fail(placeOf(table, key), fmt::format("{} is one of {}, not \"{}\"", key, fmt::join(words, ", "), value));
        return 0;
    }

    std::string file_;
    ResourceTable table_;
    std::string problem_;
    bool isDevice_ = false;
};

}  // namespace

std::optional<ResourceTable> readResources(std::string_view text, std::string_view file, std::string* error) {
    return Reader(file).read(text, error);
}

std::span<const std::string_view> deviceNames() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> list;
        for (const EmbeddedDevice& device : embeddedDevices()) list.push_back(device.name);
        return list;
    }();
    return names;
}

std::optional<ResourceTable> readDevice(std::string_view text, std::string_view file, std::string* error) {
    return Reader(file, resourceTable()).read(text, error);
}

std::optional<ResourceTable> loadDevice(std::string_view nameOrFile, std::string* error) {
    for (const EmbeddedDevice& device : embeddedDevices())
        if (device.name == nameOrFile) return readDevice(device.text, fmt::format("{}.toml", device.name), error);
    if (!nameOrFile.ends_with(".toml") && nameOrFile.find('/') == std::string_view::npos) {
        *error = fmt::format("{}:1:1: no device has this name{}; there are {}, or give a file that ends in .toml",
                             nameOrFile, suggestion(deviceNames(), nameOrFile), fmt::join(deviceNames(), ", "));
        return std::nullopt;
    }
    std::string why;
    const std::optional<std::string> text = readWholeFile(std::string(nameOrFile), why);
    if (text) return readDevice(*text, nameOrFile, error);
    *error = fmt::format("{}:1:1: cannot be read: {}", nameOrFile, why);
    return std::nullopt;
}

const ResourceTable& resourceTable() {
    static const ResourceTable table = [] {
        std::string error;
        std::optional<ResourceTable> read = readResources(resourceFile(), "model/presets/resources.toml", &error);
        if (!read) checkFailed(__FILE__, __LINE__, "the resource table", error.c_str());
        return *std::move(read);
    }();
    return table;
}

}  // namespace tessera::model
