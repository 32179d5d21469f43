// The Khronos headers of both versions as this room sees them.
#pragma once

#include "api/gles/gles.h"

#ifndef GL_API
#define GL_API __attribute__((visibility("default")))
#endif
#include <GLES/gl.h>
#include <GLES/glext.h>
