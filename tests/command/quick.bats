#!/usr/bin/env bats
# The published hashes of short streams, from each kernel by each method, and what --verbose says.

load common

RIGHT_1000000=95195a65da8ddd2b9147e90a13efc6bade06c20a7c64a41b247d23a487e14d06
RIGHT_10000000=049663924ef63e4ac6dc67fb319745b8e2122bcb2e7231928c23d4c628962bf9

@test "sizes of the first lines" {
	[ "$("$FIZZBUZZ" 1 15 | wc -c)" -eq 58 ]
	[ "$("$FIZZBUZZ" 1 100 | wc -c)" -eq 413 ]
	[ "$("$FIZZBUZZ" 1 1000 | wc -c)" -eq 4673 ]
	[ "$("$FIZZBUZZ" 1 1000000 | wc -c)" -eq 6274073 ]
	[ "$("$FIZZBUZZ" 1 10000000 | wc -c)" -eq 68074073 ]
}

@test "1,000,000 and 10,000,000 lines, each kernel, each method" {
	local isa method hash
	for isa in $(kernels); do
		for method in auto $METHODS; do
			hash=$("$FIZZBUZZ" --isa="$isa" --output="$method" 1 1000000 | sha256sum)
			[ "${hash%% *}" = "$RIGHT_1000000" ]
			hash=$("$FIZZBUZZ" --isa="$isa" --output="$method" 1 10000000 | sha256sum)
			[ "${hash%% *}" = "$RIGHT_10000000" ]
		done
	done
}

@test "the method that was asked for is the one that runs" {
	local method
	for method in fence ring fresh write; do
		run bash -c '"$0" --output="$1" --verbose 1 100 2>&1 >/dev/null | cat' "$FIZZBUZZ" "$method"
		run bash -c '"$0" --output="$1" --verbose 1 100 2>"$2" | cat >/dev/null; cat "$2"' "$FIZZBUZZ" \
			"$method" "$BATS_TEST_TMPDIR/err"
		if [ "$method" = fence ] && grep -q 'instead of fence' <<<"$output"; then
			echo "# this kernel does not keep the fence's rule" >&3
			continue
		fi
		says "$output" "method $method"
	done
}

@test "--verbose says what auto chose and why; nothing is said without it" {
	"$FIZZBUZZ" --verbose 1 100 2>"$BATS_TEST_TMPDIR/err" | exact 100
	says "$(cat "$BATS_TEST_TMPDIR/err")" 'pipe'
	says "$(cat "$BATS_TEST_TMPDIR/err")" 'method (fence|fresh|write)'
	"$FIZZBUZZ" --verbose 1 100 2>"$BATS_TEST_TMPDIR/err" >"$BATS_TEST_TMPDIR/file"
	says "$(cat "$BATS_TEST_TMPDIR/err")" 'not a pipe'
	says "$(cat "$BATS_TEST_TMPDIR/err")" 'method write'
	"$FIZZBUZZ" 1 100 2>"$BATS_TEST_TMPDIR/err" | exact 100
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
}

@test "fizzbuzz | verify" {
	local isa method
	for isa in $(kernels); do
		for method in auto $METHODS; do
			"$FIZZBUZZ" --isa="$isa" --output="$method" 1 3000000 | "$VERIFY" -q --expect=fizzbuzz:1:3000000
		done
	done
	"$FIZZBUZZ" | "$VERIFY" -q --bytes=1G || [ $? -eq 141 ]
}
