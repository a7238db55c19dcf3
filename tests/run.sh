#!/usr/bin/env bash
# run.sh OUT FILE... - runs test files under prove, says which tests were skipped and why, and ends with
# one line: N passed, N failed, N skipped. OUT is a folder for logs and temporary files.
set -u

out=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
rm -rf "$out"/*.tap "$out"/tmp
out=$(cd "$out" && pwd)
export TEST_OUT=$out

# Unit tests that could not be built are skipped, and counted.
for name in ${TEST_MISSING:-}; do
	echo "ok 1 # skip $name: needs cmocka (libcmocka-dev)" >"$out/$name.tap"
done
prove --jobs "${TEST_JOBS:-2}" --timer --failures --comments --exec "bash $here/one.sh" "$@" </dev/null
status=$?

# Only lines of the outermost level count: names of tests may hold anything.
skips=$(grep -hiE '^ok .*# skip' "$out"/*.tap)
skipped=$(printf %s "$skips" | grep -c '')
passed=$(($(cat "$out"/*.tap | grep -cE '^ok ') - skipped))
failed=$(cat "$out"/*.tap | grep -cE '^not ok ')
# A file that ended badly without a failed test (a crash, a leftover, the time limit) is a failure too.
[ "$status" -ne 0 ] && [ "$failed" -eq 0 ] && failed=1
[ "$failed" -gt 0 ] && [ "$status" -eq 0 ] && status=1
if [ $((passed + failed)) -eq 0 ]; then
	echo "no test ran" >&2
	status=1
fi
[ -n "$skips" ] && printf 'skipped:\n%s\n' "$skips"
rm -rf "$out/tmp"
echo "$passed passed, $failed failed, $skipped skipped" | tee "$out/summary"
exit "$status"
