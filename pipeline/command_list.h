// The commands by name, for who hands them on without a look at them; commands.h says what they are.
#pragma once

#include <variant>

namespace tessera::pipeline {

struct Draw;
struct Clear;
struct Upload;
struct Decode;
struct CopyImage;
struct Blit;
struct Resolve;
struct FillSamples;
struct GenerateMipmap;
struct ReadBack;
struct Timestamp;
struct EndFrame;
struct RunTask;
struct Dispatch;
struct CopyBuffer;
struct PackPixels;

using Command = std::variant<Draw, Clear, Upload, Decode, CopyImage, Blit, Resolve, FillSamples, GenerateMipmap,
                             ReadBack, Timestamp, EndFrame, RunTask, Dispatch, CopyBuffer, PackPixels>;

}  // namespace tessera::pipeline
