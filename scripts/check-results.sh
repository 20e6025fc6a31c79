#!/bin/sh
# Fails when files of results are not what their schemas accept: SARIF 2.1.0, and JUnit as tests/results/junit.xsd has it. The schema of
# SARIF comes with the npm package @microsoft/jest-sarif, which is fetched once, into the folder that is given. python3-jsonschema and
# xmllint compare.
#
# check-results.sh FOLDER FILE...: files ending in .sarif or .xml.
set -eu
folder=$1
shift
here=$(dirname "$0")
mkdir -p "$folder"
schema=$folder/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json
if [ ! -f "$schema" ]; then
  npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --omit=peer @microsoft/jest-sarif@1.0.0-beta.0
fi

for file in "$@"; do
  case $file in
    *.xml) xmllint --noout --schema "$here/../tests/results/junit.xsd" "$file" >/dev/null 2>"$folder/problems" ||
      { cat "$folder/problems"; exit 1; } ;;
  esac
done

/usr/bin/python3 - "$schema" "$@" <<'PYTHON'
import json, sys
import jsonschema

schema = json.load(open(sys.argv[1]))
validator = jsonschema.validators.validator_for(schema)(schema)
failed = 0
for path in sys.argv[2:]:
    if path.endswith(".xml"):
        continue
    for error in validator.iter_errors(json.load(open(path))):
        print(f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message}")
        failed = 1
print(f"{len(sys.argv) - 2} files")
sys.exit(failed)
PYTHON
