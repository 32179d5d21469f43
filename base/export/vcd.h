// Waveforms as text: value change dumps (IEEE 1364, 18), as GTKWave and Surfer read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

/// The n-th identifier code: the printable characters as digits.
[[nodiscard]] std::string vcdIdentifier(size_t number);
/// The start of a dump: one time unit is one cycle.
[[nodiscard]] std::string vcdHead(std::string_view comment);
[[nodiscard]] std::string vcdWire(std::string_view identifier, int bits, std::string_view name);
/// A wire of several bits has another value.
[[nodiscard]] std::string vcdChange(uint64_t value, std::string_view identifier);

}  // namespace tessera
