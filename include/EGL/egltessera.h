/* Tokens and functions of Tessera's EGL extensions, beside <EGL/eglext.h>. Their texts are in docs/extensions. */
#ifndef EGL_EGLTESSERA_H
#define EGL_EGLTESSERA_H

#include <EGL/egl.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef EGL_TESSERA_image_client_memory
#define EGL_TESSERA_image_client_memory 1
#define EGL_CLIENT_MEMORY_TESSERA 0x3F5E
#endif

#ifndef EGL_TESSERA_platform_sdl
#define EGL_TESSERA_platform_sdl 1
#define EGL_PLATFORM_SDL_TESSERA 0x3F5D
#endif

#ifndef EGL_TESSERA_record_commands
#define EGL_TESSERA_record_commands 1
typedef EGLBoolean(EGLAPIENTRYP PFNEGLRECORDCOMMANDSTESSERAPROC)(EGLDisplay dpy, const char* file);
#ifdef EGL_EGLEXT_PROTOTYPES
EGLAPI EGLBoolean EGLAPIENTRY eglRecordCommandsTESSERA(EGLDisplay dpy, const char* file);
#endif
#endif

#ifdef __cplusplus
}
#endif

#endif
