#!/usr/bin/env bats
# What the command line takes and refuses.

load common

# refused ARGUMENT... - a usage error: status 2, nothing on standard output, one line that says so.
refused() {
	local status=0
	"$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" </dev/null || status=$?
	[ "$status" -eq 2 ] || { echo "status $status, not 2"; return 1; }
	[ ! -s "$BATS_TEST_TMPDIR/out" ] || { echo "it wrote output"; return 1; }
	[ "$(wc -l <"$BATS_TEST_TMPDIR/err")" -eq 1 ] || { echo "not one line: $(cat "$BATS_TEST_TMPDIR/err")"; return 1; }
}

@test "a limit misread: every such word is a usage error" {
	local word
	for word in -1 ' -1' '' ' ' 10x 1e6 0x10 18446744073709551616 99999999999999999999999 1.5 +1 '1 ' ' 1' \
		١ 1,000 --1; do
		try "FIRST '$word'" refused "$FIZZBUZZ" -- "$word"
		try "LAST '$word'" refused "$FIZZBUZZ" -- 1 "$word"
		try "--lines '$word'" refused "$FIZZBUZZ" "--lines=$word"
	done
	try "-1 without --" refused "$FIZZBUZZ" -1
	try "5 then 4" refused "$FIZZBUZZ" 5 4
	try "three numbers" refused "$FIZZBUZZ" 1 2 3
	tried
}

@test "options misread are usage errors" {
	try "unknown option" refused "$FIZZBUZZ" --no-such-option
	try "unknown method" refused "$FIZZBUZZ" --output=carrier-pigeon 1 10
	try "unknown kernel" refused "$FIZZBUZZ" --isa=z80 1 10
	try "empty kernel" refused "$FIZZBUZZ" --isa= 1 10
	local option word
	for option in pipe-size half push ring; do
		for word in '' 0 -1 1X 1KB x 99999999999999999999 16777216T; do
			try "--$option='$word'" refused "$FIZZBUZZ" "--$option=$word" 1 10
		done
	done
	try "push beyond the ring" refused "$FIZZBUZZ" --ring=256K --push=1M 1 10
	try "half beyond the ring" refused "$FIZZBUZZ" --ring=128K --half=1M 1 10
	try "lines and last disagree" refused "$FIZZBUZZ" --lines=10 1 20
	tried
}

@test "--help and --version" {
	run "$FIZZBUZZ" --help
	[ "$status" -eq 0 ]
	says "$output" '--isa'
	says "$output" '--output'
	run "$FIZZBUZZ" --version
	[ "$status" -eq 0 ]
	says "$output" '^fizzbuzz .*[0-9]+\.[0-9]+'
	run "$VERIFY" --help
	[ "$status" -eq 0 ]
	says "$output" '--expect'
	run "$VERIFY" --version
	[ "$status" -eq 0 ]
}

@test "--help into a full device is an error" {
	[ -w /dev/full ] || skip "no /dev/full here"
	run bash -c '"$0" --help >/dev/full' "$FIZZBUZZ"
	[ "$status" -eq 1 ]
}

@test "--isa=list names the kernels, and --verbose the one that runs" {
	run "$FIZZBUZZ" --isa=list
	[ "$status" -eq 0 ]
	says "$output" '^scalar'
	if grep -qw avx2 /proc/cpuinfo; then
		says "$output" '^avx2'
	fi
	local isa
	for isa in $(kernels); do
		run bash -c '"$0" --isa="$1" --verbose 1 100 2>&1 >/dev/null' "$FIZZBUZZ" "$isa"
		[ "$status" -eq 0 ]
		says "$output" "$isa"
	done
}

@test "FIRST alone, FIRST and LAST, --lines" {
	[ "$("$FIZZBUZZ" 1 15)" = "$("$NAIVE" 1 15)" ]
	[ "$("$FIZZBUZZ" 7 7)" = 7 ]
	[ "$("$FIZZBUZZ" 007 010 | tr '\n' ' ')" = "7 8 Fizz Buzz " ]
	[ "$("$FIZZBUZZ" -n 3 9 | tr '\n' ' ')" = "Fizz Buzz 11 " ]
	[ "$("$FIZZBUZZ" --lines=3 | tr '\n' ' ')" = "1 2 Fizz " ]
	[ "$("$FIZZBUZZ" -n 1 18446744073709551615)" = FizzBuzz ]
	[ -z "$("$FIZZBUZZ" -n 0)" ]
	# More lines than there are.
	run "$FIZZBUZZ" -n 4 18446744073709551613
	[ "$status" -eq 0 ] || [ "$status" -eq 2 ]
	run bash -c '"$0" | head -n 4 | tr "\n" " "' "$FIZZBUZZ"
	[ "$output" = "1 2 Fizz 4 " ]
}

@test "verify: usage errors" {
	local word
	for word in fizzbuzz:x fizzbuzz:5:4 fizzbuzz:1:2:3 fizzbuzz:-1 fizzbuzz:1:18446744073709551616 fizzbuzz:; do
		try "--expect='$word'" refused "$VERIFY" "--expect=$word"
	done
	for word in 0/4 2/4 1/0 1/ 1/x 64 1/-1 ''; do
		try "--sample='$word'" refused "$VERIFY" "--sample=$word"
	done
	try "unknown option" refused "$VERIFY" --no-such-option
	try "an argument" refused "$VERIFY" something
	for word in '' x -1; do
		try "--bytes='$word'" refused "$VERIFY" "--bytes=$word"
		try "--seconds='$word'" refused "$VERIFY" "--seconds=$word"
	done
	tried
}

@test "verify: a file to expect that is not there is an error, not a pass" {
	run bash -c 'printf x | "$0" --expect=/no/such/file' "$VERIFY"
	[ "$status" -ne 0 ]
	says "$output" 'No such file'
}
