#!/bin/sh
# Does what is installed work for others? Installs heddle into a folder, moves it, and runs a copy of each project of
# examples/projects with its own build system.
#
# check-projects.sh BUILD FOLDER [KIND...]: from this build folder, with FOLDER to work in; only these kinds.
set -eu
build=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
shift 2
cd "$(dirname "$0")/.."
rm -rf "$folder/first" "$folder/installed" "$folder/projects"
cmake --install "$build" --prefix "$folder/first" --component heddle >/dev/null
mv "$folder/first" "$folder/installed"
cp -r examples/projects "$folder/projects"
cd "$folder/projects"
export PATH="$folder/installed/bin:$PATH" XDG_CACHE_HOME="$folder/cache"

[ $# -gt 0 ] || set -- cmake make meson
for kind in "$@"; do
  echo "== $kind"
  case $kind in
    cmake)
      cmake -S cmake -B cmake/build -DCMAKE_PREFIX_PATH="$folder/installed" >/dev/null
      cmake --build cmake/build >/dev/null
      ctest --test-dir cmake/build --output-on-failure --no-tests=error
      (cd cmake && heddle test tests -- -Iinclude) ;;
    make) PKG_CONFIG_PATH="$folder/installed/lib/pkgconfig" make -C make check stress ;;
    meson)
      meson setup meson/build meson >/dev/null
      meson test -C meson/build --print-errorlogs ;;
    # Not part of the tests: Debian's bazel-bootstrap brings a Java of 200 MB. The repository of its coverage tools, which
    # bazel would fetch for every test, is an empty one here.
    bazel)
      mkdir -p "$folder/coverage"
      : >"$folder/coverage/WORKSPACE"
      echo 'filegroup(name = "coverage_report_generator", visibility = ["//visibility:public"])' >"$folder/coverage/BUILD"
      cd bazel
      bazel --output_user_root="$folder/bazel" test --override_repository=remote_coverage_tools="$folder/coverage" \
        --test_env=PATH --test_output=errors //...
      bazel --output_user_root="$folder/bazel" shutdown
      cd .. ;;
  esac
done

# What is installed beside it.
for file in include/heddle/heddle.h include/heddle/test.h share/heddle/examples/tutorial/queue.h share/heddle/models/rc20.cat share/man/man1/heddle-check.1 \
  share/bash-completion/completions/heddle share/zsh/vendor-completions/_heddle share/fish/vendor_completions.d/heddle.fish; do
  test -s "$folder/installed/$file" || { echo "$file is not installed"; exit 1; }
done
needed=$(objdump -p "$folder/installed/bin/heddle" | sed -n 's/ *NEEDED *//p' | grep -v -E '^(libc|libm|libstdc\+\+|libgcc_s)\.so|^ld-linux' || true)
[ -z "$needed" ] || { echo "heddle needs a library that others may not have: $needed"; exit 1; }
