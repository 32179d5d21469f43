#include "shader-core/glsl/front/preprocess/structures.h"

#include <algorithm>
#include <utility>

namespace tessera::glsl::front {

uint64_t Structures::sizeOf(const std::string& type) const {
    const auto known = sizes_.find(type);
    return known != sizes_.end() ? known->second : 1;
}

void Structures::putOutside(const Token& t) {
    if (t.kind != Token::Kind::Identifier) {
        namesFollow_ = type_ != 0 && t.is(",");
        if (t.is(";") || t.is("{") || t.is("}")) type_ = 0;
        return;
    }
    if (const auto structure = sizes_.find(t.text); structure != sizes_.end()) {
        type_ = structure->second;
        namesFollow_ = true;
        uses_ += type_;
        return;
    }
    if (std::exchange(namesFollow_, false)) {
        uint64_t& size = declared_[t.text];
        size = std::max(size, type_);
    }
    if (const auto one = declared_.find(t.text); one != declared_.end()) uses_ += one->second;
}

std::string Structures::put(const Token& t) {
    const auto isReserved = [&] { return t.kind == Token::Kind::Identifier && t.text.starts_with("gl_"); };
    const auto reserved = [&] { return "'" + t.text + "' : identifiers starting with \"gl_\" are reserved"; };
    if (t.is("struct")) {
        at_ = At::Name;
        name_.clear();
        members_ = names_ = member_ = declarators_ = 0;
        brackets_ = 0;
    } else if (at_ == At::Name) {
        if (isReserved()) return reserved();
        if (t.kind == Token::Kind::Identifier)
            name_ = t.text;
        else
            at_ = t.is("{") ? At::Body : At::Outside;
    } else if (at_ == At::Body) {
        if (t.is("}")) {
            at_ = At::Outside;
            uint64_t& size = sizes_[name_];
            size = std::max(size, members_);
            type_ = members_;
            namesFollow_ = true;
        } else if (t.is(";")) {
            // Of an array one element counts: arrays have no members of their own.
            members_ += std::max<uint64_t>(member_, 1) * (declarators_ + 1);
            for (uint64_t i = 0; i <= declarators_; ++i) pairs_ += names_++;
            member_ = declarators_ = 0;
        } else if (t.is(",")) {
            ++declarators_;
        } else if (t.is("[")) {
            ++brackets_;
        } else if (t.is("]")) {
            --brackets_;
        } else if (t.kind == Token::Kind::Identifier) {
            if (isReserved() && member_ > 0 && brackets_ == 0) return reserved();
            // Of qualifier, type and names the type alone may be a structure; a name that is one makes it larger.
            member_ = std::max(member_, sizeOf(t.text));
        }
    } else {
        putOutside(t);
    }
    if (pairs_ > kMaxPairs) return "'" + name_ + "' : structures have too many members";
    if (uses_ > kMaxUses) return "'" + t.text + "' : structures are used too often for their size";
    return members_ <= kMaxMembers ? "" : "'" + name_ + "' : structure too large";
}

}  // namespace tessera::glsl::front
