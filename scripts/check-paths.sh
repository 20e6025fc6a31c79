#!/bin/sh
# Fails when a page names a file or folder of this repository that does not exist. A name is one in `backquotes` with a slash in it,
# as seen from the root or from src, tests, docs, include, examples or models; `a.{h,cpp}` is two. Names with capitals or stars are patterns.
#
# check-paths.sh [ROOT]: looks at README.md, CONTRIBUTING.md and docs; of this repository if no root is given.
set -eu
cd "${1:-$(dirname "$0")/..}"

failed=0
for page in README.md CONTRIBUTING.md docs/*.md docs/*/*.md; do
  [ -e "$page" ] || continue
  for path in $(grep -o '`[a-z_]*/[a-z0-9_./{},-]*`' "$page" | tr -d '`' | sort -u); do
    case $path in
      build*) continue ;;  # made by the build
      *"{"*"}"*)
        before=${path%%"{"*} after=${path##*"}"}
        choices=${path#*"{"} choices=${choices%"}"*}
        paths=
        for choice in $(echo "$choices" | tr , ' '); do paths="$paths $before$choice$after"; done ;;
      *) paths=$path ;;
    esac
    for one in $paths; do
      found=
      for root in . src tests docs include examples models; do [ ! -e "$root/$one" ] || found=1; done
      if [ -z "$found" ]; then
        echo "$page: $one does not exist"
        failed=1
      fi
    done
  done
done
exit $failed
