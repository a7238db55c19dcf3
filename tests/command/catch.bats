#!/usr/bin/env bats
# The readers of these tests catch a writer that is known to be wrong; a test that cannot fail is none.

load common

# caught READER... - the broken writer's bytes arrive changed, or the reader itself says so.
caught() {
	local status=(0 0 0)
	"$TOOLS/tools/broken_writer" 10000000 2>/dev/null | "$READERS/$1" "${@:2}" 2>/dev/null |
		exact 10000000 >/dev/null 2>&1 || status=("${PIPESTATUS[@]}")
	if [ "${status[0]}" -eq 77 ] || [ "${status[1]}" -eq 77 ]; then
		skip "cannot be done here"
	fi
	[ "${status[2]}" -ne 0 ] || { echo "$* saw nothing wrong: ${status[*]}"; return 1; }
}

setup() {
	# On a kernel that copies what is vmspliced the broken writer is right, and nothing can be shown.
	if "$TOOLS/tools/broken_writer" 1000000 | "$READERS/chain" 4 | exact 1000000 >/dev/null 2>&1; then
		skip "this kernel copies what is vmspliced"
	fi
}

@test "a plain reader cannot tell: the broken writer is the one from the field" {
	"$TOOLS/tools/broken_writer" 10000000 | exact 10000000
}

@test "caught by chains" {
	caught chain 1
	caught chain 4
	caught chain 32
	caught chain 4 1M
}

@test "caught by a reader that enlarges the pipe" {
	caught resize 0 1M
	caught resize 20000000 128K 1M
	caught resize 3000000 1M 4K 512K 64K
}

@test "caught by a branch" {
	caught branch 0
	caught branch 24M
}

@test "caught by a socket" {
	caught tosocket
}

@test "caught by pv | pv | pv that start late" {
	need pv

	for _ in 1 2 3 4 5; do
		if ! "$TOOLS/tools/broken_writer" 10000000 | pv -q | pv -q | pv -q | (sleep 0.3; exact 10000000) \
			>/dev/null 2>&1; then
			return 0
		fi
	done
	false
}

@test "the limit of method ring is where it says: a chain that holds far more is caught" {
	# If this passed, the chain tests of the other methods would show nothing about reuse.
	"$FIZZBUZZ" --fast --ring=4M 1 42000000 | "$READERS/chain" 32 | wrong 42000000
}

@test "the comparison catches a changed, a missing and an added byte" {
	"$TOOLS/tools/damage" flip 6274061 0 <"$REFERENCE/1000000" | wrong 1000000
	{ cat "$REFERENCE/1000000"; echo; } | wrong 1000000
	wrong 100000 <"$REFERENCE/1000000"
	head -c 6274072 "$REFERENCE/1000000" | status_is 3 exact 1000000
	status_is 3 exact 1000000 </dev/null
	exact 1000000 <"$REFERENCE/1000000"
}
