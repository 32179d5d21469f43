// The EGL headers, and what they lack.
#pragma once

// Native handles as plain integers: the X headers, and their macros, stay out.
#ifndef EGL_NO_X11
#define EGL_NO_X11 1
#endif
#define EGL_EGLEXT_PROTOTYPES 1
#include <EGL/egl.h>
#include <EGL/eglext.h>

// EGL_TESSERA_platform_sdl: the native display is null, native windows are SDL_Window*.
#define EGL_PLATFORM_SDL_TESSERA 0x3F5D

// EGL_TESSERA_image_client_memory: docs/extensions/EGL_TESSERA_image_client_memory.txt.
#define EGL_CLIENT_MEMORY_TESSERA 0x3F5E
