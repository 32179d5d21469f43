#include "base/export/vcd.h"

#include <fmt/format.h>

namespace tessera {

std::string vcdIdentifier(size_t number) {
    std::string code;
    do {
        code += static_cast<char>('!' + number % 94);
        number /= 94;
    } while (number != 0);
    return code;
}

std::string vcdHead(std::string_view comment) {
    return fmt::format("$comment one time unit is one cycle of the chip; {} $end\n$timescale 1 ns $end\n", comment);
}

std::string vcdWire(std::string_view identifier, int bits, std::string_view name) {
    return fmt::format("$var wire {} {} {} $end\n", bits, identifier, name);
}

std::string vcdChange(uint64_t value, std::string_view identifier) {
    return fmt::format("b{:b} {}\n", value, identifier);
}

}  // namespace tessera
