#!/bin/sh
# Does clang-tidy have a complaint about src, by .clang-tidy? With --all: the static analyzer, too, and in every folder.
#
# Nearly all of the time goes to headers, which every check walks through. So the sources of many folders are checked as if they
# were one file; if two of them give one name to two things that do not go together, rename one. The folders that include LLVM or
# CLI11 are left to --all, as is the analyzer, which wants one file at a time: that takes most of an hour. One version of
# clang-tidy, as each has other checks.
#
# check-tidy.sh [--all]; JOBS=n: so many processes.
set -eu
cd "$(dirname "$0")/.."

tidy=clang-tidy-19
if ! command -v "$tidy" >/dev/null 2>&1; then
  echo "check-tidy: $tidy is missing: install the package of that name" >&2
  exit 1
fi

# For src/mpi.
mpi=$(pkg-config --cflags-only-I ompi-c 2>/dev/null | sed 's/-I/-isystem/g')

units=$(mktemp -d)
trap 'rm -rf "$units"' EXIT

# Left out: what is part of the checked program, and what replaces functions of the C++ run-time by declarations of its own, which
# clang refuses beside those of <cxxabi.h>.
find src -name '*.cpp' ! -path 'src/native/library/*' ! -path src/runtime/primitives/exceptions.cpp | sort >"$units/files"

if [ "${1:-}" = --all ]; then
  cp "$units/files" "$units/list"
  checks=
else
  engine='^src/(util|program|model|graph|explore|mixer|memory|parallel|litmus|prove)/'
  left='^src/(native|cli|layout|modelgen|mpi)/'
  grep -E "$engine" "$units/files" | sed "s|.*|#include \"$PWD/&\"|" >"$units/engine.cpp"
  grep -vE "$engine|$left" "$units/files" | sed "s|.*|#include \"$PWD/&\"|" >"$units/rest.cpp"
  printf '%s\n' "$units/engine.cpp" "$units/rest.cpp" >"$units/list"
  checks=-clang-analyzer-*,-bugprone-suspicious-include  # that .cpp files are included is no mistake here
fi

# shellcheck disable=SC2016  # for the inner shell
xargs -P "${JOBS:-$(nproc)}" -n 1 sh -c '
  output=$("$1" --quiet --config-file=.clang-tidy --checks="$2" "$4" -- -std=c++20 -DNDEBUG -Isrc \
    -isystem /usr/lib/llvm-19/include -DOMPI_SKIP_MPICXX $3 "-DHEDDLE_LLVM_ROOT=\"\"" 2>&1) && exit
  printf "%s\n" "$output" | grep -v "^[0-9]* warnings* \(generated\|treated as error\)"
  exit 1' check-tidy "$tidy" "$checks" "$mpi" <"$units/list"
