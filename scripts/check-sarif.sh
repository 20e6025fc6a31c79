#!/bin/sh
# Fails when what --sarif writes is not what the schema of SARIF 2.1.0 accepts. The schema comes with the npm package
# @microsoft/jest-sarif, which is fetched once, into the folder that is given; python3-jsonschema compares.
#
# check-sarif.sh HEDDLE FOLDER: with this heddle.
set -eu
heddle=$1
folder=$2
cd "$(dirname "$0")/.."
mkdir -p "$folder"
schema=$folder/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json
if [ ! -f "$schema" ]; then
  npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --omit=peer @microsoft/jest-sarif@1.0.0-beta.0
fi

# Each ends with exit code 0, 1 or 2: no error, an error that is shown, input that cannot be used.
write() {
  name=$1
  command=$2
  shift 2
  code=0
  "$heddle" "$command" --sarif "$folder/$name.sarif" "$@" >/dev/null 2>&1 || code=$?
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

/usr/bin/python3 - "$schema" "$folder"/*.sarif <<'PYTHON'
import json, sys
import jsonschema

schema = json.load(open(sys.argv[1]))
validator = jsonschema.validators.validator_for(schema)(schema)
failed = 0
for path in sys.argv[2:]:
    for error in validator.iter_errors(json.load(open(path))):
        print(f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message}")
        failed = 1
print(f"{len(sys.argv) - 2} files")
sys.exit(failed)
PYTHON
