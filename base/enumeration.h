// How many enumerators an enumeration has, so that a table beside it can be held to it: static_assert(std::size(kNames)
// == enumeratorCount<Color>()). For enumerations that count from 0 without gaps.
#pragma once

#include <cstddef>
#include <string_view>

namespace tessera {

/// Whether the value has a name: Clang and GCC print one as "Color::Red", and "(Color)7" where there is none.
template <auto value>
consteval bool isEnumerator() {
    const std::string_view function = __PRETTY_FUNCTION__;
    return function.substr(function.rfind('=') + 2, 1) != "(";
}

template <class Enumeration, size_t from = 0>
consteval size_t enumeratorCount() {
    if constexpr (isEnumerator<static_cast<Enumeration>(from)>())
        return enumeratorCount<Enumeration, from + 1>();
    else
        return from;
}

}  // namespace tessera
