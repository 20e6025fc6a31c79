#!/bin/sh
# Fails when an include goes up the hourglass of docs/architecture.md, and keeps two habits of the headers: each has
# #pragma once, and each is the first include of its own source file, which shows that it stands on its own.
set -eu
cd "$(dirname "$0")/.."

# Which folders of src a folder may include. What is not listed here is an error, so a new folder finds its place.
allowed() {
  case $1 in
    program) echo "program" ;;
    layout) echo "layout" ;;
    model) echo "program model" ;;
    prove) echo "program model prove" ;;
    modelgen) echo "program model modelgen" ;;
    graph) echo "program model graph" ;;
    explore) echo "program model graph explore" ;;
    mixer) echo "program model graph explore mixer" ;;
    litmus) echo "program litmus" ;;
    memory) echo "program model graph memory" ;;
    parallel) echo "program model graph explore mixer parallel" ;;
    native) echo "program model graph explore mixer memory parallel native" ;;
    report) echo "program model graph explore mixer litmus memory parallel native report" ;;
    cli) echo "program model graph explore mixer litmus memory parallel native report prove cli" ;;
    *) echo "" ;;
  esac
}

failed=0
complain() {
  echo "$1"
  failed=1
}

for file in src/*/*.h src/*/*.cpp; do
  folder=${file#src/}
  folder=${folder%%/*}
  permitted=" $(allowed "$folder") "
  for include in $(sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$file"); do
    case $include in
      */*) target=${include%%/*} ;;
      *) target=$folder ;;
    esac
    case $permitted in
      *" $target "*) ;;
      *) complain "$file: must not include $include; src/$folder may include:$permitted" ;;
    esac
  done
  if [ "$folder" != native ] && grep -nE '^ *# *include *[<"](llvm|clang)(-c)?/' "$file"; then
    complain "$file: only src/native may include LLVM headers"
  fi
  case $file in
    *.h) grep -q '^#pragma once$' "$file" || complain "$file: no #pragma once" ;;
    *.cpp)
      header=${file#src/}
      header=${header%.cpp}.h
      if [ -e "src/$header" ]; then
        first=$(sed -n 's/^ *# *include *["<]\([^">]*\)[">].*/\1/p' "$file" | head -n 1)
        [ "$first" = "$header" ] || complain "$file: its first include must be $header, not $first"
      fi
      ;;
  esac
done
exit $failed
