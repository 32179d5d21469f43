// Options as several verbs have them: lists in one word, and such as would do nothing for the input at hand.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tessera::tools {

/// The parts of "a,b,c".
[[nodiscard]] std::vector<std::string> listOf(const std::string& text);

/// An option of up to three numbers in one word, "X,Y,Z", each `least` or more: what stands behind that word is not the
/// option's. Given again, it replaces what it was.
CLI::Option* addSizeOption(CLI::App& verb, const char* name, std::vector<uint32_t>& numbers, uint32_t least,
                           const char* help);

/// False, and a message printed, when one of the options was given: "own.tsw: error: --grid does nothing for a
/// workload". `where` is the file, `why` what stands behind the option's name.
[[nodiscard]] bool areAbsent(const CLI::App& verb, std::initializer_list<const char*> names, const std::string& where,
                             const std::string& why);

}  // namespace tessera::tools
