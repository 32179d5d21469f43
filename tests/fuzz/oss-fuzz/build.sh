#!/bin/bash -eu
# Builds the fuzz targets as OSS-Fuzz asks for them: with its compiler, options and engine (CC, CXX, CFLAGS, CXXFLAGS,
# LIB_FUZZING_ENGINE), from $SRC/tessera in $WORK into $OUT, each with its seeds. Names behind it: these targets alone.
#
# A machine without OSS-Fuzz does as well:
#   SRC=.. WORK=/tmp/work OUT=/tmp/out CC=clang-19 CXX=clang++-19 LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
#   CFLAGS="-fsanitize=address,fuzzer-no-link" CXXFLAGS="$CFLAGS" tests/fuzz/oss-fuzz/build.sh decode
# with the Debian packages that ./run setup installs.
source_folder=${SRC:?}/tessera
build=${WORK:?}/tessera
mkdir -p "$build" "${OUT:?}/lib"

# glslang has no run-time type information, and compiled shaders no function types.
export CFLAGS="${CFLAGS:-} -fno-sanitize=vptr,function"
export CXXFLAGS="${CXXFLAGS:-} -fno-sanitize=vptr,function"
# Debian's libraries go along with the targets.
cmake -S "$source_folder" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Sanitize -DCMAKE_BUILD_RPATH='$ORIGIN/lib' \
    -DTESSERA_FUZZING_ENGINE="${LIB_FUZZING_ENGINE:?}"
targets=("$@")
[ $# -gt 0 ] || mapfile -t targets < <(ls "$build/seeds")
ninja -C "$build" "${targets[@]/#/fuzz_}"

for target in "${targets[@]}"; do
    cp "$build/bin/fuzz_$target" "$OUT/"
    mapfile -t seeds < <(while read -r folder; do [ ! -d "$folder" ] || echo "$folder"; done <"$build/seeds/$target")
    (cd "$OUT" && python3 -m zipfile -c "fuzz_${target}_seed_corpus.zip" "${seeds[@]}")
    ldd "$OUT/fuzz_$target" |
        awk '$2 == "=>" && $3 ~ /^\// && $1 !~ /^(libc|libm|libpthread|libdl|librt)\.so/ { print $3 }' |
        xargs -r cp -t "$OUT/lib"
done
