#!/bin/sh
# write_help.sh HEDDLE FOLDER: the pages for man(1), one for each command, and what shells complete, as heddle prints them.
set -eu
heddle=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder/man"
"$heddle" help --man >"$folder/man/heddle.1"
for command in $("$heddle" --version --json | tr -d '\n' | sed 's/.*"commands": \[\([^]]*\)\].*/\1/; s/[",]//g'); do
  "$heddle" help "$command" --man >"$folder/man/heddle-$command.1"
done
"$heddle" help --completion bash >"$folder/heddle.bash"
"$heddle" help --completion zsh >"$folder/_heddle"
"$heddle" help --completion fish >"$folder/heddle.fish"
