#include "api/gles/objects/debug_output.h"

#include <algorithm>
#include <utility>

namespace tessera::gles {

bool DebugRule::selects(const DebugMessage& message) const {
    auto matches = [](GLenum wanted, GLenum value) { return wanted == GL_DONT_CARE || wanted == value; };
    return matches(source, message.source) && matches(type, message.type) && matches(severity, message.severity) &&
           (ids.empty() || std::find(ids.begin(), ids.end(), message.id) != ids.end());
}

void DebugOutput::insert(DebugMessage message) {
    if (!enabled) return;
    auto decisive =
        std::find_if(rules_.rbegin(), rules_.rend(), [&](const DebugRule& r) { return r.selects(message); });
    if (decisive != rules_.rend() && !decisive->enabled) return;
    if (message.text.size() >= kMaxDebugMessageLength) message.text.resize(kMaxDebugMessageLength - 1);
    if (callback) {
        pending_.push_back(std::move(message));
    } else if (log_.size() < kMaxDebugLoggedMessages) {
        log_.push_back(std::move(message));
    }
}

void DebugOutput::control(DebugRule rule) {
    // A rule that selects the same again replaces the older one, so that the list does not grow without end.
    std::erase_if(rules_, [&](const DebugRule& old) {
        bool same = old.source == rule.source && old.type == rule.type && old.severity == rule.severity;
        bool everything = rule.source == GL_DONT_CARE && rule.type == GL_DONT_CARE && rule.severity == GL_DONT_CARE;
        return (same && old.ids == rule.ids) || (everything && rule.ids.empty());
    });
    rules_.push_back(std::move(rule));
}

void DebugOutput::pushGroup(DebugMessage message) {
    insert(message);
    groups_.push_back({std::move(message), rules_});
}

void DebugOutput::popGroup() {
    Group group = std::move(groups_.back());
    groups_.pop_back();
    rules_ = std::move(group.outerRules);
    group.message.type = GL_DEBUG_TYPE_POP_GROUP_KHR;
    insert(std::move(group.message));
}

}  // namespace tessera::gles
