// A window in which Dear ImGui draws through OpenGL ES on the driver beside this command, so that the inspector is
// drawn by what it inspects. Without a display the same goes to memory.
//
// SDL and the driver are opened when a window is: nothing else that the command does needs them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <imgui.h>

#include "inspect/frame/image_look.h"

namespace tessera::tools {

/// What the user did: Close, the window is to be closed.
enum class Events : uint8_t { None, Some, Close };

class Window {
public:
    /// Null, and why, when there is no display or no driver.
    /// `scale`: how much larger than usual things are to be; 0: as the display's dots per inch say.
    [[nodiscard]] static std::unique_ptr<Window> open(const std::string& title, int width, int height, float scale,
                                                      std::string& why);
    /// Draws into memory.
    [[nodiscard]] static std::unique_ptr<Window> openHidden(int width, int height, float scale, std::string& why);
    virtual ~Window() = default;

    /// Takes what the user did, waiting for that at most so many milliseconds.
    [[nodiscard]] virtual Events takeEvents(int mostMilliseconds) = 0;
    /// Begins and ends a frame of ImGui.
    virtual void begin() = 0;
    virtual void end() = 0;
    virtual void setTitle(const std::string& title) = 0;
    /// How much larger than usual things are to be: of screens with many dots.
    [[nodiscard]] virtual float scale() const = 0;
    /// What the last frame shows.
    [[nodiscard]] virtual inspect::Picture picture() = 0;

    /// A picture for ImGui::Image, magnified without a filter.
    virtual ImTextureID makeTexture() = 0;
    virtual void fillTexture(ImTextureID texture, const inspect::Picture& picture) = 0;
};

}  // namespace tessera::tools
