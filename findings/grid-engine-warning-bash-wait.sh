#!/usr/bin/env bash
# bash 5.2.15 as the shell of a Grid Engine job: which exit code does `wait PID` give after a
# warning (`qsub -notify`) that reached the shell and its child alike?
#
# Expected: the trap's signal ends the first `wait` (128 + its number); a second `wait` gives the
#   child's own exit code, also if the child ended while the trap ran, as POSIX says of `wait`.
# Seen (Debian's bash-static 5.2.15-2+b13): in a third of the runs or more the second `wait` sets $? to -1, which no
#   exit code can be; a script that ends with `exit "$?"` ends with 255, and the batch system counts
#   a job that ended well as failed. The other runs give the child's code.
set -euo pipefail
version=5.2.15-2+b13
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 .
apt-get -qq download "bash-static=$version" >/dev/null
dpkg -x bash-static_*.deb .
shell=bin/bash-static

cat > job <<'JOB'
trap 'sleep 0.2' TERM
( sleep 0.2; kill -TERM $$; exit 7 ) &
child=$!
wait "$child"
first=$?
wait "$child"
echo "$first $?"
JOB

"$shell" -c 'echo "$BASH_VERSION"'
for _ in $(seq 30); do "$shell" job; done > seen
sort seen | uniq -c
if grep -qvxE '143 (-1|7)' seen; then echo "another pair of codes: the finding has changed"; exit 1; fi
grep -qx '143 -1' seen || { echo "never -1: the finding has changed"; exit 1; }
