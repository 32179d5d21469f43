// What reports of frames and of programs are made of: the page, its figures, and a program's text.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "inspect/frame/image_look.h"
#include "tools/inspector/report/shader_text.h"

namespace tessera::tools {

/// The start of a page, up to its heading.
[[nodiscard]] std::string pageHead(const std::string& title);
/// The picture is in the page itself.
[[nodiscard]] std::string figure(const inspect::Picture& picture, const std::string& caption);
[[nodiscard]] std::string shaderSection(const ShaderText& text);
[[nodiscard]] nlohmann::ordered_json shaderJson(const ShaderText& text);

/// As a PNG file has it.
[[nodiscard]] std::string pngOf(const inspect::Picture& picture);

}  // namespace tessera::tools
