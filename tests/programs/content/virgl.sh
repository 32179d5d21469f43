#!/bin/sh
# es2tri on Mesa's virgl, whose commands virglrenderer draws with the driver that the environment names. Mesa looks for the
# server's socket in /tmp.
rm -f /tmp/.virgl_test
virgl_test_server --no-fork --use-egl-surfaceless --use-gles &
until [ -S /tmp/.virgl_test ]; do sleep 0.1; done
unset LD_LIBRARY_PATH TESSERA_LOG MESA_GLES_VERSION_OVERRIDE
__EGL_VENDOR_LIBRARY_FILENAMES=/usr/share/glvnd/egl_vendor.d/50_mesa.json LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=virpipe \
    exec es2tri.x86_64-linux-gnu
