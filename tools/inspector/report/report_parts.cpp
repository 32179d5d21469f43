#include "tools/inspector/report/report_parts.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/export/svg.h"
#include "tools/diff/image_diff.h"

namespace tessera::tools {

namespace {

using Json = nlohmann::ordered_json;
using inspect::Picture;

std::string base64(const std::string& bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (size_t i = 0; i < bytes.size(); i += 3) {
        uint32_t word = 0;
        for (size_t k = 0; k < 3; ++k)
            word = word << 8 | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0);
        for (size_t k = 0; k < 4; ++k) text += k <= bytes.size() - i ? kDigits[word >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

constexpr std::string_view kPageHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>
:root { color-scheme: light dark; --line: #8884; --mark: #d97706; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5rem auto; max-width: 76rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; } th { text-align: left; font-weight: 600; }
td, th { padding: .15rem .6rem .15rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
code, pre, td.c { font: 12.5px/1.4 ui-monospace, monospace; white-space: pre-wrap; }
figure { display: inline-block; margin: .5rem 1rem .5rem 0; } figcaption { font-size: 12px; opacity: .8; }
img { max-width: 24rem; image-rendering: pixelated; border: 1px solid var(--line); display: block; }
summary { cursor: pointer; } .changed { color: var(--mark); font-weight: 600; }
.bar { display: inline-block; height: .7em; background: var(--mark); vertical-align: middle; }
</style>
)";

}  // namespace

std::string pageHead(const std::string& title) {
    return std::string(kPageHead) + fmt::format("<title>{0}</title></head><body>\n<h1>{0}</h1>\n", svgText(title));
}

std::string figure(const Picture& picture, const std::string& caption) {
    return fmt::format(
        "<figure><img alt=\"{0}\" src=\"data:image/png;base64,{1}\"><figcaption>{0}</figcaption></figure>\n",
        svgText(caption), base64(pngOf(picture)));
}

Json shaderJson(const ShaderText& text) {
    Json json = {{"name", text.title},
                 {"source", ""},
                 {"variables", text.variables},
                 {"lines", Json::array()},
                 {"code", Json::array()}};
    std::string source;
    for (const SourceLine& line : text.source) {
        source += line.text + "\n";
        if (line.instructions == 0) continue;
        Json one = {{"line", line.line}, {"text", line.text}, {"instructions", line.instructions}};
        if (text.hasCosts)
            one.update(
                {{"executed", line.executed}, {"lanes", line.lanes}, {"issued", line.issued}, {"waited", line.waited}});
        json["lines"].push_back(std::move(one));
    }
    json["source"] = std::move(source);
    for (const CodeLine& line : text.code) {
        Json one = {{"pc", line.pc}, {"line", line.line}, {"text", line.text}};
        if (text.hasCosts) one.update({{"issues", line.issued}, {"lanes", line.lanes}, {"waited", line.waited}});
        json["code"].push_back(std::move(one));
    }
    return json;
}

std::string shaderSection(const ShaderText& text) {
    std::string page =
        fmt::format("<h3>{}</h3>\n<table><tr><th class=\"n\">line</th><th>source</th><th class=\"n\">instructions</th>",
                    svgText(text.title));
    if (text.hasCosts)
        page +=
            "<th class=\"n\">executed</th><th class=\"n\">lanes</th><th class=\"n\">issued</th><th "
            "class=\"n\">waited</th>";
    page += "</tr>\n";
    for (const SourceLine& line : text.source) {
        page += fmt::format("<tr><td class=\"n\">{}</td><td class=\"c\">{}</td><td class=\"n\">{}</td>", line.line,
                            svgText(line.text), line.instructions == 0 ? "" : std::to_string(line.instructions));
        if (text.hasCosts && line.instructions != 0)
            page += fmt::format(
                "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>",
                line.executed, line.lanes, line.issued, line.waited);
        page += "</tr>\n";
    }
    page += "</table>\n<details><summary>instructions</summary><table>\n";
    for (const CodeLine& code : text.code)
        page += fmt::format(
            "<tr><td class=\"n\">@{}</td><td class=\"n\">{}</td><td class=\"c\">{}</td><td class=\"n\">{}</td></tr>\n",
            code.pc, code.line == 0 ? "" : std::to_string(code.line), svgText(code.text),
            text.hasCosts ? std::to_string(code.issued) : "");
    return page + "</table></details>\n";
}

std::string pngOf(const Picture& picture) { return imagediff::pngOf({picture.width, picture.height, picture.rgba}); }

}  // namespace tessera::tools
