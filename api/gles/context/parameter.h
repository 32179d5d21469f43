// Tables of what glGet*Parameteriv and its like tell of an object: a row for each name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "api/gles/gles.h"

namespace tessera::gles {

template <class Object>
struct Parameter {
    GLenum name;
    int64_t (*read)(const Object& object);
};

/// Null when the table has no row of that name.
template <class Row, size_t n>
[[nodiscard]] const Row* findParameter(const Row (&rows)[n], GLenum name) {
    const Row* row = std::ranges::find(rows, name, &Row::name);
    return row != std::end(rows) ? row : nullptr;
}

}  // namespace tessera::gles
