// Object names: what glGen* reserves, what glBind* makes, what glDelete* frees.
#pragma once

#include <memory>
#include <unordered_map>

#include "api/gles/gles.h"

namespace tessera::gles {

/// Names of one kind of object. A name that glGen* reserved but nothing made yet maps to null.
template <class Object>
class NameTable {
public:
    /// An unused name, now reserved.
    GLuint generate() {
        while (next_ == 0 || objects_.contains(next_)) ++next_;
        objects_.emplace(next_, nullptr);
        return next_++;
    }
    /// Null when the name is unknown, or reserved only.
    [[nodiscard]] std::shared_ptr<Object> find(GLuint name) const {
        auto it = objects_.find(name);
        return it == objects_.end() ? nullptr : it->second;
    }
    /// The object of that name, made now if there is none. `name` is not 0.
    std::shared_ptr<Object> findOrMake(GLuint name) {
        std::shared_ptr<Object>& object = objects_[name];
        if (!object) object = std::make_shared<Object>(name);
        return object;
    }
    /// True for reserved names too.
    [[nodiscard]] bool contains(GLuint name) const { return objects_.contains(name); }
    /// Calls use(object) for each object that there is.
    template <class Use>
    void forEach(const Use& use) const {
        for (const auto& [name, object] : objects_)
            if (object) use(*object);
    }
    void insert(GLuint name, std::shared_ptr<Object> object) { objects_[name] = std::move(object); }
    /// Frees the name; returns its object, which lives on while something refers to it.
    std::shared_ptr<Object> erase(GLuint name) {
        auto it = objects_.find(name);
        if (it == objects_.end()) return nullptr;
        std::shared_ptr<Object> object = std::move(it->second);
        objects_.erase(it);
        return object;
    }

private:
    std::unordered_map<GLuint, std::shared_ptr<Object>> objects_;
    GLuint next_ = 1;
};

}  // namespace tessera::gles
