#include "shader-core/glsl/front/preprocess/structure_sizes.h"

#include <algorithm>

namespace tessera::glsl::front {

uint64_t StructureSizes::sizeOf(const std::string& type) const {
    const auto known = sizes_.find(type);
    return known != sizes_.end() ? known->second : 1;
}

bool StructureSizes::put(const Token& t) {
    if (t.is("struct")) {
        at_ = At::Name;
        name_.clear();
        members_ = member_ = declarators_ = 0;
    } else if (at_ == At::Name) {
        if (t.kind == Token::Kind::Identifier)
            name_ = t.text;
        else
            at_ = t.is("{") ? At::Body : At::Outside;
    } else if (at_ == At::Body) {
        if (t.is("}")) {
            at_ = At::Outside;
            uint64_t& size = sizes_[name_];
            size = std::max(size, members_);
        } else if (t.is(";")) {
            // Of an array one element counts: arrays have no members of their own.
            members_ += std::max<uint64_t>(member_, 1) * (declarators_ + 1);
            member_ = declarators_ = 0;
        } else if (t.is(",")) {
            ++declarators_;
        } else if (t.kind == Token::Kind::Identifier) {
            // Of qualifier, type and names the type alone may be a structure; a name that is one makes it larger.
            member_ = std::max(member_, sizeOf(t.text));
        }
    }
    return members_ <= kMaxMembers;
}

}  // namespace tessera::glsl::front
