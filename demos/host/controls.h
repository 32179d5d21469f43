// What one can do in a demo's window: one table, which the window's events, the panel and --help read.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace demos {

/// What a demo answers to. Keys and options that it does not are not offered.
struct Controls {
    bool pause = true;      ///< the picture is a function of Frame::time
    bool turn = true;       ///< and of Frame::turn
    bool zoom = true;       ///< and of Frame::zoom
    bool wireframe = true;  ///< and of Frame::wireframe
};

enum class Action { Turn, Zoom, Pause, Wireframe, FullScreen, Screenshot, Help, Quit };

struct Command {
    Action action;
    const char* input;  ///< keys, and what the mouse does
    const char* meaning;
    bool Controls::* needs;               ///< null: every demo has it
    std::initializer_list<int32_t> keys;  ///< SDL's codes

    [[nodiscard]] bool isOf(const Controls& controls) const { return needs == nullptr || controls.*needs; }
};

[[nodiscard]] std::span<const Command> commandTable();

/// The command that a key gives this demo; null if none.
[[nodiscard]] const Command* commandOfKey(int32_t key, const Controls& controls);

/// A command as the panel and --help have it: "w               wireframe".
[[nodiscard]] std::string lineOf(const Command& command);

}  // namespace demos
