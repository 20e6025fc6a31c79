#!/bin/sh
# Is everything formatted as .clang-format says? With --fix: format it.
#
# One version of clang-format, as two would not agree. Left out: programs that are checked (tests/native, tests/hostile, bench/native), whose
# lines are part of what is tested, and the headers that stand in for the standard library's (src/native/overlay).
set -eu
cd "$(dirname "$0")/.."

formatter=clang-format-19
if ! command -v "$formatter" >/dev/null 2>&1; then
  echo "check-format: $formatter is missing: install the package of that name" >&2
  exit 1
fi

case "${1:-}" in
  '') how="--dry-run -Werror" ;;
  --fix) how=-i ;;
  *) echo "usage: check-format.sh [--fix]" >&2; exit 2 ;;
esac

# shellcheck disable=SC2086  # two words
if ! find src tests bench include \( -path tests/native -o -path tests/hostile -o -path bench/native -o -path src/native/overlay \) -prune -o \
  \( -name '*.cpp' -o -name '*.h' \) -print0 | xargs -0 "$formatter" $how; then
  echo "check-format: to format these files: scripts/check-format.sh --fix" >&2
  exit 1
fi
