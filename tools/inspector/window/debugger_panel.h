// The debugger in a window: moves, the commands of `tessera dbg`, what they print, and the values of the lane that is
// looked at.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <sstream>
#include <string>

#include "shader-core/debug/session.h"
#include "tools/debugger/dbg_console.h"

namespace tessera::tools {

class DebuggerPanel {
public:
    /// Debugs this one; `title` says what it is.
    void open(std::unique_ptr<debug::Session> session, const std::string& title);
    /// There is nothing to debug, and why.
    void close(const std::string& problem = {});
    [[nodiscard]] bool isOpen() const { return session_ != nullptr; }
    /// Of one that is open.
    [[nodiscard]] const debug::Session& session() const { return *session_; }

    /// All that was said and answered.
    [[nodiscard]] const std::string& text() const { return text_; }

    /// A command of `tessera dbg`. Of none that is open nothing happens.
    void execute(const std::string& line);
    /// Looks at another lane.
    void select(int group, int lane);
    /// Whether it has come to another place since it was asked last.
    [[nodiscard]] bool takeMoved();

    /// F5, F10 and F11.
    void takeKeys();
    /// `hint`: what is said where there is nothing; `besideTitle` is called behind the title.
    void show(const std::string& hint, const std::function<void()>& besideTitle = {});

private:
    void update();

    std::string title_, problem_, text_, locals_;
    std::unique_ptr<debug::Session> session_;
    std::ostringstream output_;
    std::unique_ptr<DebugConsole> console_;
    char line_[256] = {};
    bool isOutputNew_ = false, hasMoved_ = false;
};

}  // namespace tessera::tools
