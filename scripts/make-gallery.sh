#!/bin/sh
# Writes docs/gallery: pages of `--html` and pictures of them, by Debian's chromium. docs/gallery.md shows them.
#
# make-gallery.sh HEDDLE: with this heddle.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
heddle=$(realpath "$1")
folder=$root/docs/gallery
mkdir -p "$folder"
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
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 --window-size="$(echo "$size" | tr x ,)" \
    --screenshot="$folder/$name.png" "file://$folder/$name.html" >/dev/null 2>&1
}

page race 1200x800 check examples/check/spsc_ring.cpp -- -DBUG
page weak 1200x900 check examples/check/chase_lev_deque.c -- -DBUG
page deadlock 1200x700 check examples/check/bank_transfer.cpp -- -DBUG
page use-after-free 1200x900 check examples/check/treiber_stack.cpp -- -DBUG
page states 1200x600 litmus --compare sc,tso,rc20 examples/store-buffering.litmus
