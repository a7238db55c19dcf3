# shellcheck shell=bash disable=SC2034
# common.bash - what every bats file here loads: where the programs are, and how to compare.

HERE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
FIZZBUZZ=${FIZZBUZZ:-$HERE/fizzbuzz}
VERIFY=${VERIFY:-$HERE/verify}
TOOLS=${TEST_TOOLS:-$HERE/build/tests}
REFERENCE=${TEST_REFERENCE:-$HERE/build/tests/reference}
READERS=$TOOLS/readers
NAIVE=$TOOLS/naive
METHODS="fence ring fresh write"
set -o pipefail

# need COMMAND... - skips the test, and says why, where a command is not there.
need() {
	local command
	for command in "$@"; do
		command -v "$command" >/dev/null || skip "needs $command"
	done
}

# The kernels that this processor can run, one a line.
kernels() {
	"$FIZZBUZZ" --isa=list | awk '!/not on this machine/ { print $1 }'
}

# exact LINES - standard input is lines 1 to LINES and nothing else; says where it is not.
exact() {
	"$TOOLS/tools/match" "$REFERENCE/$1"
}

# status_is N COMMAND... - the command ends with that status and no other. (What bats makes of a bare `!` is
# nothing: such a line cannot fail.)
status_is() {
	local wanted=$1 status=0
	shift
	"$@" || status=$?
	[ "$status" -eq "$wanted" ] || { echo "status $status, not $wanted: $*"; return 1; }
}

# wrong LINES - standard input is not lines 1 to LINES; takes all of it, so that its writer ends well.
wrong() {
	status_is 1 exact "$1" && cat >/dev/null
}

# try WHAT COMMAND... - runs one of many combinations in a test; a failure is noted with its name, and the
# test goes on; `tried` ends it. Status 77 of a tool is noted as a skip.
try() {
	local what=$1 status=0
	shift
	"$@" >"$BATS_TEST_TMPDIR/try.out" 2>&1 || status=$?
	TRIED=$((${TRIED:-0} + 1))
	if [ "$status" -eq 77 ]; then
		UNDONE="${UNDONE:-} $what"
	elif [ "$status" -ne 0 ]; then
		FAILED="${FAILED:-}$what: status $status: $(head -c 300 "$BATS_TEST_TMPDIR/try.out")"$'\n'
	fi
}

# Ends a test of many combinations: fails if one failed or none was tried.
tried() {
	if [ -n "${FAILED:-}" ]; then
		head -n 20 <<<"$FAILED"
		return 1
	fi
	[ "${TRIED:-0}" -gt 0 ] || { echo "nothing was tried"; return 1; }
	[ -z "${UNDONE:-}" ] || skip "cannot be done here:$UNDONE"
}

# says TEXT PATTERN - TEXT has a line that matches the extended regular expression; prints it if not.
says() {
	grep -qE -- "$2" <<<"$1" || { printf 'expected /%s/ in: %s\n' "$2" "$1"; return 1; }
}

# first_cpu - a CPU that this process may run on.
first_cpu() {
	sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status
}
