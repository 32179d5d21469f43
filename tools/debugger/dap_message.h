// Messages of the Debug Adapter Protocol: their framing, and what stands in their JSON.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tessera::tools::dap {

using Json = nlohmann::ordered_json;

inline constexpr size_t kMaxMessage = 16u << 20;  ///< bytes
inline constexpr size_t kMaxQuoted = 80;          ///< characters of what is wrong that are shown

/// A message behind its Content-Length header. Nothing at the end of the input; or, with why in `problem`, when it is
/// no protocol.
[[nodiscard]] std::optional<std::string> readMessage(std::istream& in, std::string& problem);

// Values of the wrong type count as absent.
[[nodiscard]] const Json& at(const Json& json, const char* name);
/// No larger than what every reader of JSON holds exactly, so that small numbers can be added to it.
[[nodiscard]] int64_t integerAt(const Json& json, const char* name, int64_t otherwise);
[[nodiscard]] std::string textAt(const Json& json, const char* name, const char* otherwise = "");
[[nodiscard]] std::vector<std::string> listAt(const Json& json, const char* name);
/// Up to three sizes: [64, 1] or 64.
[[nodiscard]] std::vector<uint32_t> sizeAt(const Json& json, const char* name);

}  // namespace tessera::tools::dap
