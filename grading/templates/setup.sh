#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image of the autograder.
set -euo pipefail
cd /autograder/source

if ! ./checker --version; then
    echo "This image is older than the system that \`checker\` was built on: choose a newer base image in Gradescope," >&2
    echo "or pack the \`checker\` of the Python package, which runs on older systems too." >&2
    exit 1
fi
# The CUDA compiler comes as a Python package, once.
export DEBIAN_FRONTEND=noninteractive
if ! python3 -m pip --version >/dev/null 2>&1; then
    apt-get update -q
    apt-get install -y -q --no-install-recommends ca-certificates python3 python3-pip
fi
export WORKBOOK_CACHE="$PWD/cache"
./checker doctor
