// The Khronos headers as this room sees them: entry points have default visibility, everything else is hidden.
#pragma once

#ifndef GL_APICALL
#define GL_APICALL __attribute__((visibility("default")))
#endif
#define GL_GLEXT_PROTOTYPES 1

#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include "api/gles/extensions.h"
