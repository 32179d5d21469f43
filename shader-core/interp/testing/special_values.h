// Test only: 32 bits that operations on numbers and integers like least.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace tessera::interp {

inline const std::vector<uint32_t> kSpecialBits = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000, 0xbf800000,
    0x3f000000, 0xbf000000, 0x3fc00000, 0xbfc00000, 0x40200000, 0xc0200000, 0x3f7fffff, 0x3f800001, 0x4b000001,
    0xcb800000, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x7f7fffff, 0xff7fffff,
    0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xffabcdef, 0x7fffffff, 0xffffffff, 0xfffffffe,
    0x00000002, 0x0000001f, 0x00000020, 0x40490fdb, 0x322bcc77, 0xb22bcc77, 0x12345678, 0x9abcdef0};

inline uint32_t specialOrRandom(std::mt19937& random) {
    return random() % 3 == 0 ? static_cast<uint32_t>(random()) : kSpecialBits[random() % kSpecialBits.size()];
}

}  // namespace tessera::interp
