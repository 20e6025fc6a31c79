#!/bin/sh
# Does the package work on a clean Debian 12? Makes one with mmdebstrap, installs the .deb there as the Dockerfile does, with what it
# depends on, and lets it check a project. What it writes for CI is what the schemas accept, and the system is not larger than an image
# may be. Then the same with the archive, unpacked in a folder of its own.
#
# check-package.sh FOLDER: the folder with the .deb and the .tar.gz. Needs root, mmdebstrap, and Debian's mirrors.
set -eu
folder=$(realpath "$1")
cd "$(dirname "$0")/.."
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
deb=$(ls "$folder"/heddle_*_amd64.deb)
archive=$(ls "$folder"/heddle-*-x86_64-linux.tar.gz)

echo "check-package: a clean Debian 12"
command -v mmdebstrap >/dev/null || { echo "check-package: mmdebstrap is missing; apt-get install mmdebstrap"; exit 1; }
# Without usr-is-merged it would have perl, which Debian's images do not have.
mmdebstrap --quiet --variant=minbase --include=usr-is-merged --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr bookworm "$root/system" >"$root/made" 2>&1 || { cat "$root/made"; exit 1; }
cp "$archive" "$root/system/root/"
in_root() { chroot "$root/system" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"; }
mount -t proc proc "$root/system/proc"
trap 'umount "$root/system/proc"; rm -rf "$root"' EXIT

echo "check-package: installing $(basename "$deb") by the commands of the Dockerfile's last stage"
cp "$deb" "$root/system/tmp/heddle.deb"
# That of the last stage: what RUN has in the lines that it is continued in.
commands=$(awk '/^FROM/ { last = ""; copies = 0 }
  /^RUN / { copies = 1; sub(/^RUN /, "") }
  copies { last = last $0 "\n"; copies = /\\$/ }
  END { printf "%s", last }' Dockerfile)
in_root sh -euc "$commands" >"$root/apt" 2>&1 || { cat "$root/apt"; exit 1; }
# Without what debian:12-slim leaves out, and what an image does not keep.
size=$(in_root du -sxm --exclude=/proc --exclude=/root --exclude=/var/cache/apt --exclude=/usr/share/doc --exclude=/usr/share/man \
  --exclude=/usr/share/locale --exclude=/usr/share/info / | cut -f1)
echo "check-package: an image has $size MB"
[ "$size" -lt 300 ] || { echo "check-package: more than 300 MB"; exit 1; }

# smoke HEDDLE FOLDER: this executable, with the examples that came with it.
smoke() {
  in_root rm -rf /root/examples
  in_root cp -r "$2/share/heddle/examples" /root/
  in_root "$1" --version
  in_root sh -c "cd /root && ! $1 check --quiet examples/tutorial/first_test.cpp && $1 test examples/tutorial"
  in_root "$1" check /root/examples/check/spsc_ring.cpp
  in_root "$1" check /root/examples/check/spsc_ring.cpp -- -DBUG >"$root/bug" && exit 1
  grep -q 'data race: a plain read of ring.slots_' "$root/bug"
  in_root "$1" check /root/examples/check/ticket_lock.c
  in_root "$1" litmus --check /root/examples/message-passing.litmus >/dev/null
  in_root rm -rf /root/project /root/r.xml /root/r.sarif
  in_root cp -r /root/examples/projects/cmake /root/project
  in_root sh -c "cd /root/project && $1 test --junit /root/r.xml --sarif /root/r.sarif tests -- -Iinclude"
  scripts/check-results.sh "$folder/schemas" "$root/system/root/r.xml" "$root/system/root/r.sarif"
}
smoke heddle /usr
in_root sh -c 'test -f /usr/share/man/man1/heddle-check.1 && test -f /usr/share/bash-completion/completions/heddle'

echo "check-package: removing it, then $(basename "$archive")"
in_root sh -c 'apt-get remove -y -qq heddle >/dev/null 2>&1; ! command -v heddle'
in_root sh -c 'mkdir /opt/anywhere && tar -C /opt/anywhere --strip-components=1 -xf /root/heddle-*.tar.gz'
smoke /opt/anywhere/bin/heddle /opt/anywhere
echo "check-package: all is well"
