#!/bin/sh
# Fails when an include goes up the hourglass of docs/architecture.md, or a file defines something outside the namespace of
# its folder, and keeps two habits of the headers: each has #pragma once, and each is the first include of its own source
# file, which shows that it stands on its own.
#
# check-layers.sh [ROOT]: looks at ROOT/src; the root of this repository if none is given.
set -eu
cd "${1:-$(dirname "$0")/..}"

engine="program model relations graph explore persist causal mixer"
runtime="$engine memory runtime sandbox"
# Which folders of src a folder may include, besides itself, util and abi. What is not listed here is an error, so a new folder finds its
# place.
allowed() {
  case $1 in
    abi | util | program | layout | mpi | sandbox | suite | graph/arch) echo "" ;;
    model | trace) echo "program" ;;
    litmus) echo "program litmus/assembly litmus/kernel" ;;
    litmus/assembly | litmus/kernel) echo "program litmus" ;;
    trace/formats) echo "program trace" ;;
    prove) echo "program model trace" ;;
    modelgen) echo "program model" ;;
    symbols) echo "native/compile" ;;
    graph) echo "program model graph/arch" ;;
    explore) echo "program model graph" ;;
    relations) echo "program model" ;;
    enumerate) echo "program model relations graph" ;;
    persist) echo "program model relations graph explore mixer" ;;  # recovery's own writes are a graph of bytes
    causal) echo "program model relations graph explore" ;;
    mixer) echo "program model relations graph explore causal" ;;  # on_demand.h chooses between explorers
    memory) echo "program model graph" ;;
    parallel) echo "$engine sandbox" ;;
    runtime/arch) echo "program" ;;
    runtime) echo "$runtime runtime/arch" ;;
    runtime/hooks | runtime/primitives) echo "$runtime" ;;
    native/compile) echo "native" ;;
    native/names) echo "$runtime native native/compile" ;;
    native/instrument) echo "$runtime native native/compile native/names" ;;
    native/loops) echo "$runtime native native/compile native/names native/instrument" ;;
    native/jit) echo "$runtime native native/compile native/instrument native/jit/arch" ;;
    native/jit/arch) echo "" ;;
    native) echo "$runtime native/compile native/names native/instrument native/loops native/jit" ;;
    why) echo "program model relations trace" ;;
    run) echo "$runtime native litmus enumerate parallel trace why" ;;
    report/results) echo "program trace trace/formats" ;;
    report) echo "$runtime native litmus parallel run trace trace/formats report/results why" ;;
    cli) echo "$runtime native litmus parallel run report report/results prove suite trace trace/formats" ;;
    *) echo "nothing: it is not listed in scripts/check-layers.sh" ;;
  esac
}

# The namespace that a file has its definitions in; empty if it is free.
namespace_of() {
  room=${1#src/}
  case $1 in
    src/abi/*) echo "" ;;                                       # plain C
    src/mpi/*.cpp | src/layout/*.cpp | src/modelgen/main.cpp | src/symbols/main.cpp) echo "" ;;     # tools of the build
    src/runtime/hooks/* | src/runtime/primitives/*) echo "" ;;  # extern "C", for native code to call
    src/program/* | src/graph/*) echo heddle ;;                 # the words that all others use
    src/model/event_class.h) echo heddle ;;                     # as are these
    src/runtime/arch/*) echo heddle::runtime::arch ;;
    *) echo "heddle::${room%%/*}" ;;
  esac
}

knows_llvm() {
  case $1 in
    native | native/* | symbols) true ;;
    *) false ;;
  esac
}

failed=0
complain() {
  echo "$1"
  failed=1
}

# What stands in library, overlay and frameworks is part of the checked program.
for file in $(find src -path src/native/library -prune -o -path src/native/overlay -prune -o -path src/native/frameworks -prune -o -name '*.h' -print -o -name '*.cpp' -print | sort); do
  folder=$(dirname "${file#src/}")
  permitted=" $folder util abi $(allowed "$folder") "
  for include in $(sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$file"); do
    case $include in
      */*) target=$(dirname "$include") ;;
      *) target=$folder ;;
    esac
    case $permitted in
      *" $target "*) ;;
      *) complain "$file: must not include $include; src/$folder may include:$permitted" ;;
    esac
  done
  if ! knows_llvm "$folder" && grep -nE '^ *# *include *[<"](llvm|clang)(-c)?/' "$file"; then
    complain "$file: only src/native may include LLVM headers"
  fi
  namespace=$(namespace_of "$file")
  if [ -n "$namespace" ]; then
    # Another one may only have its classes declared.
    wrong=$(awk -v own="$namespace" '
      /^namespace heddle/ { at = $2; opened = opened || at == own; next }
      /^}/ { at = "" }
      at != "" && at != own && NF > 0 && !/^(class|struct) [A-Za-z]+;$/ { other = ", not " at }
      END { if (!opened || other != "") print "its namespace must be " own other }' "$file")
    [ -z "$wrong" ] || complain "$file: $wrong"
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
