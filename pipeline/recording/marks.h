// Debug groups and markers of the application in a command stream: tasks that do nothing, whose names say what they
// are. They are there while a stream is recorded.
#pragma once

#include <string_view>

namespace tessera::pipeline {

/// What the task's name begins with, its words behind it; of the end of a group all that it says.
inline constexpr std::string_view kGroupMark = "group: ", kMarkerMark = "marker: ", kGroupEndMark = "end of group";

}  // namespace tessera::pipeline
