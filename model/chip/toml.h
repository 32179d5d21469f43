// TOML by toml++, for presets and resource tables. Any bytes may be given: toml++ 3.3 takes some broken files ("[,")
// for mistakes of its own, which it asserts; here these are refused as others are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera::model {

/// Thrown in place of a failed assertion of toml++; parseToml() catches it.
struct TomlAssertion {};

}  // namespace tessera::model

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ASSERT(condition) ((condition) ? static_cast<void>(0) : throw ::tessera::model::TomlAssertion{})
#include <toml++/toml.h>

namespace tessera::model {

/// Nothing, and "file:line:column: what is wrong" in *error, when it is not TOML.
[[nodiscard]] std::optional<toml::table> parseToml(std::string_view text, std::string_view file, std::string* error);

}  // namespace tessera::model
