#!/usr/bin/env bash
# one.sh FILE - what prove runs for each test file: a unit test's program or a bats file, within a time
# limit, with a TMPDIR of its own, its TAP output kept for the count. A file that leaves a process or a
# file behind fails.
set -u

file=$1
name=$(basename "${file%.bats}")
out=${TEST_OUT:?is set by run.sh}
limit=${TEST_FILE_LIMIT:-600}
export TMPDIR=$out/tmp/$name BATS_TEST_TIMEOUT=${BATS_TEST_TIMEOUT:-150} CMOCKA_MESSAGE_OUTPUT=TAP
rm -rf "$TMPDIR"
mkdir -p "$TMPDIR"

# The file's own output, as TAP.
run_file() {
	case $file in
	*.bats) exec timeout --kill-after=10 "$limit" bats --formatter tap "$file" ;;
	*) exec timeout --kill-after=10 "$limit" "$file" ;;
	esac
}

# A fifo in between, so that the process group (timeout makes one) is known and can be looked at after.
mkfifo "$TMPDIR/tap"
# cmocka says "not ok # SKIP", which is a failure to everyone else.
sed -u -E 's/^not ok ([0-9]+ # SKIP)/ok \1/' <"$TMPDIR/tap" | tee "$out/$name.tap" &
printer=$!
run_file >"$TMPDIR/tap" </dev/null &
group=$!
wait "$group"
status=$?
rm -f "$TMPDIR/tap"
# What is still there after it has ended was left behind.
left=
for _ in 1 2 3 4 5 6 7 8 9 10; do
	kill -0 -- "-$group" 2>/dev/null || break
	sleep 0.2
	left=$(ps -o pid=,args= --no-headers -e -o pgid= | awk -v g="$group" '$NF == g')
done
if kill -0 -- "-$group" 2>/dev/null; then
	echo "# $name left processes behind: $left" >&2
	kill -KILL -- "-$group" 2>/dev/null
	status=1
fi
wait "$printer"
files=$(find "$TMPDIR" -mindepth 1 | head -5)
if [ -n "$files" ]; then
	echo "# $name left files behind: $files" >&2
	[ "$status" -eq 0 ] && status=1
fi
rm -rf "$TMPDIR"
[ "$status" -eq 124 ] && echo "# $name did not end within $limit s" >&2
exit "$status"
