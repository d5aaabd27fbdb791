#!/usr/bin/env bash
# Gradescope runs this for each submission.
set -euo pipefail
cd /autograder/source
export WORKBOOK_CACHE="$PWD/cache"
# 1: the submission failed. It has a result all the same, so that this is no failure of the autograder.
./checker autograde ARGUMENTS --submission /autograder/submission --out /autograder/results/results.json || [ $? -eq 1 ]
