#!/usr/bin/env bats
# Public programs as readers: what users put behind us.

load common

# All methods, since each of these programs reads in its own way; `ring` where none holds our pages long.
all() {
	local method
	for method in auto $METHODS; do
		try "$method" "$@" "$method"
	done
	tried
}

through_cat() { "$FIZZBUZZ" --output="$1" 1 42000000 | cat | exact 42000000; }
@test "cat" {
	all through_cat
}

through_tee() {
	"$FIZZBUZZ" --output="$1" 1 10000000 | tee "$BATS_TEST_TMPDIR/copy" | exact 10000000 &&
		exact 10000000 <"$BATS_TEST_TMPDIR/copy"
}
@test "tee" {
	all through_tee
}

through_dd() { "$FIZZBUZZ" --output="$1" 1 10000000 | dd bs=12345 status=none | exact 10000000; }
@test "dd with a block size of its own" {
	all through_dd
}

through_pv() { "$FIZZBUZZ" --output="$1" 1 42000000 | pv -q | exact 42000000; }
@test "pv" {
	need pv
	all through_pv
}

through_three() { "$FIZZBUZZ" --output="$1" 1 42000000 | pv -q | pv -q | pv -q | exact 42000000; }
@test "pv | pv | pv" {
	need pv
	all through_three
}

@test "pv into a reader that starts a second late: cases from the field" {
	need pv
	local right=049663924ef63e4ac6dc67fb319745b8e2122bcb2e7231928c23d4c628962bf9 hash
	for _ in 1 2; do
		hash=$("$FIZZBUZZ" 1 10000000 | pv -q | (sleep 1; sha256sum))
		[ "${hash%% *}" = "$right" ]
		hash=$("$FIZZBUZZ" 1 10000000 | pv -q | pv -q | pv -q | pv -q | (sleep 0.5; sha256sum))
		[ "${hash%% *}" = "$right" ]
	done
	# Through a pipe of 64 KiB that may not grow, by the method with the limit: within its slack.
	hash=$("$FIZZBUZZ" --fast 1 10000000 | pv -q | (sleep 0.5; sha256sum))
	[ "${hash%% *}" = "$right" ]
	hash=$(LD_PRELOAD=$TOOLS/shim/fault.so FAULT=setpipe:1+:EPERM "$FIZZBUZZ" 1 10000000 2>/dev/null |
		pv -q | pv -q | pv -q | pv -q | (sleep 0.5; sha256sum))
	[ "${hash%% *}" = "$right" ]
}

through_rate() { "$FIZZBUZZ" --output="$1" 1 1000000 | pv -q -L 20M | exact 1000000; }
@test "pv that limits the rate" {
	need pv
	all through_rate
}

through_socat() { "$FIZZBUZZ" --output="$1" 1 10000000 | socat -u - STDOUT | exact 10000000; }
@test "socat" {
	need socat
	all through_socat
}

@test "socat into a socket and out again" {
	need socat
	"$FIZZBUZZ" 1 10000000 | socat -u - SYSTEM:"cat >'$BATS_TEST_TMPDIR/file'"
	exact 10000000 <"$BATS_TEST_TMPDIR/file"
}

through_gzip() { "$FIZZBUZZ" --output="$1" 1 1000000 | gzip -1 | gzip -d | exact 1000000; }
@test "gzip" {
	all through_gzip
}

through_tail() { "$FIZZBUZZ" --output="$1" 1 10000000 | tail -n 1000 | cmp - <(tail -n 1000 "$REFERENCE/10000000"); }
@test "tail" {
	all through_tail
}
