// The EGL headers.
#pragma once

// Native handles as plain integers: the X headers, and their macros, stay out.
#ifndef EGL_NO_X11
#define EGL_NO_X11 1
#endif
#define EGL_EGLEXT_PROTOTYPES 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <EGL/egltessera.h>
