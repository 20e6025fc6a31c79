#!/bin/sh
# The gallery (docs/gallery.md): pages of `--html`, and pictures of them by Debian's chromium. The pictures are kept in docs/gallery; the
# pages are made for the site (build-docs.sh).
#
# make-gallery.sh HEDDLE FOLDER: the pages, into this folder
# make-gallery.sh HEDDLE:        the pictures, into docs/gallery
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
heddle=$(realpath "$1")
pictures=
if [ $# -gt 1 ]; then
  folder=$(realpath "$2")
else
  pictures=$root/docs/gallery
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
cd "$root"

# page NAME WIDTHxHEIGHT ARGUMENTS: what heddle writes with these arguments, and a picture of it.
page() {
  name=$1 size=$2
  shift 2
  command=$1
  shift
  code=0
  "$heddle" "$command" --html "$folder/$name.html" "$@" >/dev/null || code=$?
  [ "$code" -le 1 ] || { echo "make-gallery: heddle $command $* exits with $code" >&2; exit 1; }
  [ -n "$pictures" ] || return 0
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 --window-size="$(echo "$size" | tr x ,)" \
    --screenshot="$pictures/$name.png" "file://$folder/$name.html" >/dev/null 2>&1
}

page race 1200x800 check examples/check/spsc_ring.cpp -- -DBUG
page weak 1200x900 check examples/check/chase_lev_deque.c -- -DBUG
page deadlock 1200x700 check examples/check/bank_transfer.cpp -- -DBUG
page use-after-free 1200x900 check examples/check/treiber_stack.cpp -- -DBUG
page states 1200x600 litmus --compare sc,tso,rc20 examples/store-buffering.litmus
