#!/bin/sh
# draw.sh PICTURE.png: the page as Chromium draws it on Tessera, without a display. draw.sh: in a window.
# TESSERA=PREFIX/bin/tessera says where Tessera is installed.
page=file://$(cd "$(dirname "$0")" && pwd)/index.html
chromium=chromium
[ "$(id -u)" = 0 ] && chromium="chromium --no-sandbox"   # two words
if [ -n "$1" ]; then
    exec "${TESSERA:-tessera}" exec $chromium --headless=new --hide-scrollbars --window-size=400,440 \
        --virtual-time-budget=3000 --screenshot="$1" "$page?turn=0.25"
fi
exec "${TESSERA:-tessera}" exec $chromium "$page"
