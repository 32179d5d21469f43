// KHR_debug: messages about errors and compilations, and the application's own, to a callback or a log.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "api/gles/gles.h"

namespace tessera::gles {

inline constexpr int kMaxDebugMessageLength = 4096, kMaxDebugLoggedMessages = 256, kMaxDebugGroupDepth = 64;
inline constexpr int kMaxLabelLength = 256;

struct DebugMessage {
    GLenum source, type;
    GLuint id;
    GLenum severity;
    std::string text;
};

/// One glDebugMessageControl: which messages, GL_DONT_CARE for any, and whether they pass.
struct DebugRule {
    GLenum source = GL_DONT_CARE, type = GL_DONT_CARE, severity = GL_DONT_CARE;
    std::vector<GLuint> ids;  ///< empty: all
    bool enabled = true;
    [[nodiscard]] bool selects(const DebugMessage& message) const;
};

class DebugOutput {
public:
    explicit DebugOutput(bool debugContext) : enabled(debugContext) {}

    bool enabled;
    bool synchronous = false;  ///< no difference: callbacks always come within the call that caused them
    GLDEBUGPROCKHR callback = nullptr;
    const void* userParam = nullptr;

    /// Logs the message, or keeps it for the callback; drops it when it is not wanted.
    void insert(DebugMessage message);
    void control(DebugRule rule);
    void pushGroup(DebugMessage message);
    void popGroup();
    [[nodiscard]] size_t groupDepth() const { return groups_.size() + 1; }

    [[nodiscard]] const std::deque<DebugMessage>& log() const { return log_; }
    void dropOldest() { log_.pop_front(); }

    /// The messages for the callback, to be delivered when no lock is held.
    [[nodiscard]] bool hasPending() const { return !pending_.empty(); }
    [[nodiscard]] std::vector<DebugMessage> takePending() { return std::exchange(pending_, {}); }

private:
    struct Group {
        DebugMessage message;
        std::vector<DebugRule> outerRules;
    };
    /// The last rule that selects a message decides. At first low severity does not pass.
    std::vector<DebugRule> rules_{{GL_DONT_CARE, GL_DONT_CARE, GL_DEBUG_SEVERITY_LOW_KHR, {}, false}};
    std::vector<Group> groups_;
    std::deque<DebugMessage> log_;
    std::vector<DebugMessage> pending_;
};

}  // namespace tessera::gles
