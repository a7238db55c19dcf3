#!/usr/bin/env bats
# The published hash of the first 3,000,000,000 bytes, from each kernel by each method.

load common

RIGHT=c628affca2cbaafc594f02a47d825eac

# full METHOD KERNEL... - the hash from kernels by one method, the endless stream cut off by its reader:
# one that copies for the first kernel, one that hands the pages on for the others.
full() {
	local isa hash cut=(head -c)
	for isa in "${@:2}"; do
		hash=$("$FIZZBUZZ" --isa="$isa" --output="$1" | "${cut[@]}" 3000000000 | md5sum) || [ $? -eq 141 ]
		[ "${hash%% *}" = "$RIGHT" ] || { echo "wrong: $isa by $1"; return 1; }
		cut=("$READERS/onward")
	done
}

@test "3,000,000,000 bytes by method fence, from every kernel" {
	# shellcheck disable=SC2046
	full fence $(kernels)
}

@test "3,000,000,000 bytes by method ring, from every kernel" {
	# shellcheck disable=SC2046
	full ring $(kernels)
}

@test "3,000,000,000 bytes by method fresh, from every kernel" {
	# shellcheck disable=SC2046
	full fresh $(kernels)
}

@test "3,000,000,000 bytes by method write, from every kernel" {
	# shellcheck disable=SC2046
	full write $(kernels)
}

@test "100,000,000 lines: size and hash" {
	local hash
	hash=$("$FIZZBUZZ" 1 100000000 | tee >(wc -c >"$BATS_TEST_TMPDIR/size") | sha256sum)
	[ "${hash%% *}" = dcc493607dc58afe20fae070d8af478f4478664816529f32ebb36fbf11dd798a ]
	[ "$(cat "$BATS_TEST_TMPDIR/size")" -eq 734074073 ]
}

@test "300,000,000 bytes through pv, each method" {
	need pv
	local hash method
	for method in auto $METHODS; do
		hash=$("$FIZZBUZZ" --output="$method" | pv -q | head -c 300000000 | md5sum) || [ $? -eq 141 ]
		[ "${hash%% *}" = 96b2e327b21b604695ee5cf7c67b5a09 ]
	done
}

@test "verify agrees with the published hash: 3,000,000,000 bytes, every one" {
	local isa method
	for isa in $(kernels); do
		for method in auto ring; do
			"$FIZZBUZZ" --isa="$isa" --output="$method" | "$VERIFY" -q --bytes=3000000000 || [ $? -eq 141 ]
		done
	done
}

@test "sizes of streams that are too long to keep: 10^9, 2^31+2 and 2^32+4 lines" {
	# Counted by the consumer, which discards without a copy.
	local lines bytes
	while read -r lines bytes; do
		[ "$("$FIZZBUZZ" --fast 1 "$lines" | "$VERIFY" -q --json --expect=none | bytes_of)" = "$bytes" ]
	done <<-'LIST'
		1000000000 7874074073
		2147483650 17589435643
		4294967300 35771463885
	LIST
}

# bytes_of - the number of bytes in verify's --json report.
bytes_of() {
	sed -n 's/.*"bytes": *\([0-9]*\).*/\1/p'
}
