#include "demos/host/controls.h"

#include <SDL_keycode.h>

#include <algorithm>

namespace demos {

namespace {

const Command kCommands[] = {
    {Action::Turn, "drag, arrows", "turn", &Controls::turn, {SDLK_LEFT, SDLK_RIGHT, SDLK_UP, SDLK_DOWN}},
    {Action::Zoom,
     "wheel, + and -",
     "zoom",
     &Controls::zoom,
     {SDLK_PLUS, SDLK_EQUALS, SDLK_KP_PLUS, SDLK_MINUS, SDLK_KP_MINUS}},
    {Action::Pause, "space", "pause", &Controls::pause, {SDLK_SPACE}},
    {Action::Wireframe, "w", "wireframe", &Controls::wireframe, {SDLK_w}},
    {Action::FullScreen, "f, F11", "full screen", nullptr, {SDLK_f, SDLK_F11}},
    {Action::Screenshot, "s", "save a picture", nullptr, {SDLK_s}},
    {Action::Help, "h, F1", "fold or unfold this", nullptr, {SDLK_h, SDLK_F1}},
    {Action::Quit, "q, escape", "quit", nullptr, {SDLK_q, SDLK_ESCAPE}},
};

}  // namespace

std::span<const Command> commandTable() { return kCommands; }

const Command* commandOfKey(int32_t key, const Controls& controls) {
    for (const Command& command : kCommands)
        if (command.isOf(controls) && std::ranges::count(command.keys, key) > 0) return &command;
    return nullptr;
}

std::string lineOf(const Command& command) {
    std::string line = command.input;
    line.resize(16, ' ');
    return line + command.meaning;
}

}  // namespace demos
