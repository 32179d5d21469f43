#include "base/export/svg.h"

#include <fmt/format.h>

namespace tessera {

std::string svgHead(double width, double height, std::string_view ownStyle) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\">\n"
        "<style>\n"
        "text {{ font: 12px system-ui, sans-serif; fill: #24292f; }}\n"
        ".title {{ font-size: 14px; font-weight: 600; }}\n"
        ".small {{ font-size: 11px; }}\n"
        ".grid {{ stroke: #8c959f; stroke-opacity: .35; }}\n"
        "{2}"
        "@media (prefers-color-scheme: dark) {{ text {{ fill: #e6edf3; }} }}\n"
        "</style>\n",
        width, height, ownStyle);
}

std::string svgText(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '<' || c == '&')
            out += c == '<' ? "&lt;" : "&amp;";
        else
            out += c;
    }
    return out;
}

}  // namespace tessera
