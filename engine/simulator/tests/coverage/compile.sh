#!/bin/sh
# Makes the PTX beside the programs again: `NVRTC=command sh compile.sh`, where the command takes a file and
# options and prints PTX (NVRTC 12.9.86 made what is committed).
set -e
cd "$(dirname "$0")/../programs/coverage"
for file in *.cu; do
    for architecture in 50 75 90 120; do
        $NVRTC "$file" --gpu-architecture=compute_$architecture -default-device --device-int128 \
            --std=c++17 -diag-suppress=550 | tr -d '\000' | sed '/^\/\//d; /^$/d' >"${file%.cu}.sm_$architecture.ptx"
    done
done
