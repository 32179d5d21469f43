// What glGen*, glDelete*, glBind* and glIs* have in common.
#pragma once

#include <algorithm>

#include "api/gles/context/validation.h"

namespace tessera::gles {

template <class Object>
void generate(Context& c, NameTable<Object>& table, GLsizei n, GLuint* names) {
    if (!validate::count(c, n) || !names) return;
    std::generate_n(names, n, [&] { return table.generate(); });
}

/// Frees names; unknown ones and 0 are ignored.
template <class Object>
void erase(Context& c, NameTable<Object>& table, GLsizei n, const GLuint* names) {
    if (!validate::count(c, n) || !names) return;
    for (GLsizei i = 0; i < n; ++i)
        if (std::shared_ptr<Object> object = table.erase(names[i])) c.unbind(object);
}

/// The object that a bind call names, made on first use; null for name 0.
template <class Object>
std::shared_ptr<Object> named(NameTable<Object>& table, GLuint name) {
    return name == 0 ? nullptr : table.findOrMake(name);
}

template <class Object>
GLboolean exists(const NameTable<Object>& table, GLuint name) {
    return table.find(name) ? GL_TRUE : GL_FALSE;
}

}  // namespace tessera::gles
