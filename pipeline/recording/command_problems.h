// What the fields of a recorded command have to do with each other, as the front end keeps to it. A recording may hold
// anything, so who reads one asks here before the command is executed. Each says what is wrong, or nothing.
#pragma once

#include <string>

#include "pipeline/commands.h"

namespace tessera::pipeline {

[[nodiscard]] std::string problemOf(const RenderTarget& target);
[[nodiscard]] std::string problemOf(const texture::TextureView& view);
[[nodiscard]] std::string problemOf(const DrawState& state);
[[nodiscard]] std::string problemOf(const StreamOut& out);
[[nodiscard]] std::string problemOf(const Draw& draw);
[[nodiscard]] std::string problemOf(const Clear& clear);
[[nodiscard]] std::string problemOf(const Upload& upload);
[[nodiscard]] std::string problemOf(const Decode& decode);
[[nodiscard]] std::string problemOf(const CopyImage& copy);
[[nodiscard]] std::string problemOf(const Blit& blit);
[[nodiscard]] std::string problemOf(const Resolve& resolve);
[[nodiscard]] std::string problemOf(const FillSamples& fill);
[[nodiscard]] std::string problemOf(const GenerateMipmap& mipmap);
[[nodiscard]] std::string problemOf(const ReadBack& read);
[[nodiscard]] std::string problemOf(const Timestamp&);
[[nodiscard]] std::string problemOf(const EndFrame&);
[[nodiscard]] std::string problemOf(const RunTask&);
[[nodiscard]] std::string problemOf(const Dispatch& dispatch);
[[nodiscard]] std::string problemOf(const CopyBuffer& copy);
[[nodiscard]] std::string problemOf(const PackPixels& pack);

}  // namespace tessera::pipeline
