#!/bin/sh
# Are the pages for man(1) and the completion of bash, zsh and fish whole? Every option that --help has must be in all of them, and
# each shell must accept its script. bash and fish complete a few command lines.
#
# check-help.sh HEDDLE FOLDER: with this heddle, and a folder to write to.
set -eu
heddle=$1
folder=$2
"$(dirname "$0")/../cmake/write_help.sh" "$heddle" "$folder"
failed=0
complain() { echo "$*"; failed=1; }

for page in "$folder"/man/heddle-*.1; do
  command=${page##*/heddle-}
  command=${command%.1}
  for option in $("$heddle" help "$command" | sed -n 's/^  \(-[a-z0-9-]*\).*/\1/p'); do
    sed 's/\\-/-/g' "$page" | grep -q -e "^\\\\fB$option\\b" -e "^\\\\fB$option\\\\fR" || complain "$page: $option is missing"
    case $option in -h | --) continue ;; esac
    for script in heddle.bash _heddle; do
      grep -q -e "$option\\b" "$folder/$script" || complain "$script: $option of $command is missing"
    done
    grep -q -e "from $command'.* -[ls] ${option#"${option%%[a-z]*}"} " "$folder/heddle.fish" || complain "heddle.fish: $option of $command is missing"
  done
done

bash -n "$folder/heddle.bash" || complain "heddle.bash: bash does not accept it"
zsh -n "$folder/_heddle" || complain "_heddle: zsh does not accept it"
fish -n "$folder/heddle.fish" || complain "heddle.fish: fish does not accept it"

# expect COMPLETION WORD...: bash offers this for the last word.
expect() {
  wanted=$1
  shift
  # shellcheck disable=SC2016  # for bash
  offered=$(bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heddle; echo "${COMPREPLY[*]}"' "$folder/heddle.bash" "$@")
  case " $offered " in *" $wanted "*) ;; *) complain "bash: $* is completed to '$offered', without $wanted" ;; esac
}
expect litmus heddle li
expect --equivalence heddle check --eq
expect rc20 heddle check --model rc
expect rf heddle litmus --equivalence r
expect armv8 heddle models arm
fish -c "source $folder/heddle.fish; complete -C 'heddle check --model rc'" | grep -q '^rc20' || complain "fish: no rc20 after --model rc"
exit $failed
