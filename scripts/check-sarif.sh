#!/bin/sh
# Fails when what --sarif and --junit write is not what their schemas accept (check-results.sh).
#
# check-sarif.sh HEDDLE FOLDER: with this heddle.
set -eu
heddle=$1
folder=$2
cd "$(dirname "$0")/.."
mkdir -p "$folder"

# Each ends with exit code 0, 1 or 2: no error, an error that is shown, input that cannot be used.
write() {
  name=$1
  command=$2
  shift 2
  code=0
  "$heddle" "$command" --sarif "$folder/$name.sarif" --junit "$folder/$name.xml" "$@" >/dev/null 2>&1 || code=$?
  [ "$code" -le 2 ] || { echo "heddle $command $*: exit code $code"; exit 1; }
}
write right check examples/check/spsc_ring.cpp
for example in examples/check/*.c examples/check/*.cpp; do
  write "$(basename "$example")" check --time 20 "$example" -- -DBUG
done
write missing check no-such-file.c
write litmus litmus examples
write prove prove proofs/seq-cst.prove
write test test examples/test -- -DBUG

exec scripts/check-results.sh "$folder" "$folder"/*.sarif "$folder"/*.xml
