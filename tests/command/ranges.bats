#!/usr/bin/env bats
# Ranges of lines against the naive program: every digit boundary, every start, both ends.

load common

TOP=18446744073709551615

# around FIRST LAST - both sides of a boundary, from every start modulo 15, far enough on each side for the
# vector loops to run, from every kernel.
around() {
	local first=$1 last=$2 isa start line list=$BATS_TEST_TMPDIR/list offsets
	"$NAIVE" "$first" "$last" >"$list"
	# Where its first fifteen lines begin.
	mapfile -t offsets < <(head -n 15 "$list" | awk '{ print at + 0; at += length($0) + 1 }')
	for isa in $(kernels); do
		for start in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
			printf -v line '%u' $((first + start))
			"$FIZZBUZZ" --isa="$isa" "$line" "$last" | "$TOOLS/tools/match" "$list" "${offsets[start]}" ||
				{ echo "wrong: --isa=$isa $line $last"; return 1; }
		done
	done
	rm -f "$list"
}

# plus A B - A + B for unsigned 64-bit A; bash wraps in the same way, only its printing is signed.
plus() {
	printf '%u\n' "$(($1 + $2))"
}

@test "straddling every power of ten from 10 to 10^9" {
	local power
	for power in 10 100 1000 10000 100000 1000000 10000000 100000000 1000000000; do
		around $((power > 40000 ? power - 40000 : 1)) $((power + 40000))
	done
}

@test "straddling every power of ten from 10^10 to 10^18" {
	local power=1000000000
	while [ "$power" -lt 1000000000000000000 ]; do
		power=$((power * 10))
		around $((power - 30000)) $((power + 30000))
	done
}

@test "straddling 10^19, 2^31, 2^32, 2^63" {
	around 9999999999999970000 10000000000000030000
	around 2147453648 2147513648
	around 4294937296 4294997296
	around 9223372036854745808 9223372036854805808
}

@test "from line 0, which is a line too" {
	around 0 70000
	[ "$("$FIZZBUZZ" 0 0)" = FizzBuzz ]
	"$NAIVE" 0 0 | cmp - <("$FIZZBUZZ" -n 1 0)
}

@test "to the last line, 2^64-1" {
	around 18446744073709501615 $TOP
	[ "$("$FIZZBUZZ" 18446744073709551613 | tr '\n' ' ')" = "18446744073709551613 18446744073709551614 FizzBuzz " ]
	[ "$("$FIZZBUZZ" $TOP $TOP)" = FizzBuzz ]
	[ "$("$FIZZBUZZ" $TOP)" = FizzBuzz ]
}

@test "the last line by every method: a clean end" {
	local isa method
	for isa in $(kernels); do
		for method in auto $METHODS; do
			"$FIZZBUZZ" --isa="$isa" --output="$method" 18446744073709451615 |
				cmp - <("$NAIVE" 18446744073709451615 $TOP)
		done
	done
}

@test "cases from the field: 2^31 and 2^32" {
	[ "$("$FIZZBUZZ" 2147483647 2147483650 | tr '\n' ' ')" = "2147483647 2147483648 Fizz Buzz " ]
	[ "$("$FIZZBUZZ" 4294967295 4294967299 | tr '\n' ' ')" = \
		"FizzBuzz 4294967296 4294967297 Fizz 4294967299 " ]
}

@test "short streams, from every kernel" {
	local isa last
	for isa in $(kernels); do
		# Every one of them is tried on the generator alone, in its unit test.
		for last in $(seq 1 40) $(seq 41 13 300); do
			"$FIZZBUZZ" --isa="$isa" 1 "$last" | cmp -s - <(head -n "$last" "$REFERENCE/1000") ||
				{ echo "wrong: --isa=$isa 1 $last"; return 1; }
		done
	done
}

@test "ends near the end of a half" {
	# The last half then holds nothing, a few bytes, or all but a few.
	local isa last at
	at=$(head -c 131072 "$REFERENCE/100000" | tr -dc '\n' | wc -c)
	for isa in $(kernels); do
		for last in $(seq $((at - 8)) $((at + 8))); do
			"$FIZZBUZZ" --isa="$isa" 1 "$last" | cmp -s - <(head -n "$last" "$REFERENCE/100000") ||
				{ echo "wrong: --isa=$isa 1 $last"; return 1; }
		done
	done
}

@test "a million lines with numbers of each length, from every kernel" {
	local digits first isa
	for digits in 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		case $digits in
		20) first=12345678901234567891 ;;
		*) first=$(printf '4%0*d' $((digits - 1)) 44637) ;;
		esac
		"$NAIVE" "$first" "$(plus "$first" 999999)" >"$BATS_TEST_TMPDIR/list"
		for isa in $(kernels); do
			"$FIZZBUZZ" --isa="$isa" -n 1000000 "$first" | cmp - "$BATS_TEST_TMPDIR/list"
		done
	done
}

@test "long carries: from a line of nines onward" {
	local first isa
	for first in 199999999 2999999998 99989999999 4999999999990 18446744069999999000 9999999999999999999; do
		"$NAIVE" "$first" "$(plus "$first" 200000)" >"$BATS_TEST_TMPDIR/list"
		for isa in $(kernels); do
			"$FIZZBUZZ" --isa="$isa" -n 200001 "$first" | cmp - "$BATS_TEST_TMPDIR/list"
		done
	done
}

@test "a hundred random ranges, lengths and shapes; the seed is printed" {
	RANDOM=${TEST_SEED:=$(date +%s)}
	echo "TEST_SEED=$TEST_SEED"
	local isas methods bits first count isa method half
	mapfile -t isas < <(kernels)
	methods=(auto fence ring fresh write)
	for _ in $(seq 100); do
		# About equally many of every length in bits, the top bit included.
		bits=$((RANDOM % 64 + 1))
		first=$((RANDOM << 60 | RANDOM << 45 | RANDOM << 30 | RANDOM << 15 | RANDOM))
		[ "$bits" -eq 64 ] || first=$((first & (1 << bits) - 1))
		# From 1, and far enough from the top: that has its own tests.
		[ "$first" -ne 0 ] || first=1
		[ "$first" -lt 0 ] && [ "$first" -gt -100000 ] && first=$((first - 100000))
		count=$((1 << RANDOM % 17))
		count=$((count + RANDOM % count))
		isa=${isas[RANDOM % ${#isas[@]}]}
		method=${methods[RANDOM % 5]}
		half=$((4096 << RANDOM % 6))
		first=$(plus "$first" 0)
		"$FIZZBUZZ" --isa="$isa" --output="$method" --half="$half" -n "$count" "$first" |
			cmp - <("$NAIVE" "$first" "$(plus "$first" $((count - 1)))") ||
			{ echo "wrong: --isa=$isa --output=$method --half=$half -n $count $first"; return 1; }
	done
}
