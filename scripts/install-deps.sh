#!/bin/sh
# Installs what is needed and is not there yet: Debian 12 packages, by apt-get. Does nothing when nothing is missing. On a system
# without dpkg it only says what to install; CMake will then name whatever it cannot find.
#
# install-deps.sh [tests] [package] [docs]: for the build; and for these as well.
set -eu

# The compiler and the build tools; fmt, JSON, command lines, hashes and compression; the sandbox; GoogleTest; LLVM and clang.
# docs/architecture.md says why each.
packages="g++ cmake ninja-build libfmt-dev nlohmann-json3-dev libcli11-dev libxxhash-dev zlib1g-dev libzstd-dev libseccomp-dev libgtest-dev
  llvm-19-dev clang-19 libclang-cpp19-dev libclang-19-dev"
for purpose in "$@"; do
  case $purpose in
    # What tests check the source and the output with; the build systems, the shells and the MPI that heddle has something for.
    tests)
      packages="$packages gdb clang-format-19 clang-tidy-19 python3-jsonschema libxml2-utils chromium python3-yaml meson pkgconf zsh fish openmpi-bin libopenmpi-dev mkdocs mkdocs-material"
      # Node's package manager may have come from elsewhere.
      command -v npm >/dev/null 2>&1 || packages="$packages npm" ;;
    package) packages="$packages dpkg-dev file" ;;
    docs) packages="$packages mkdocs mkdocs-material" ;;
    *) echo "install-deps: $purpose is none of tests, package, docs" >&2; exit 2 ;;
  esac
done

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "install-deps: not a Debian system; please make sure that the counterparts of these are installed: $packages"
  exit 0
fi

missing=
for package in $packages; do
  # shellcheck disable=SC2016  # the format is dpkg's, not the shell's
  status=$(dpkg-query -W -f '${db:Status-Status} ' "$package" 2>/dev/null || true)
  case " $status" in
    *" installed "*) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  sudo=
elif command -v sudo >/dev/null 2>&1; then
  sudo=sudo
else
  echo "install-deps: these packages are missing:$missing" >&2
  echo "install-deps: run this as root, or install sudo, or run: apt-get install$missing" >&2
  exit 1
fi

echo "install-deps: installing$missing"
$sudo apt-get update -qq
# shellcheck disable=SC2086  # a list of words
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
