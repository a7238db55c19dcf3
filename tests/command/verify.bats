#!/usr/bin/env bats
# The verifying consumer: what is right passes, every kind of wrong is found, and where.

load common

DAMAGE=$TOOLS/tools/damage
HALF=131072

# judged KIND OFFSET LINE [OPTION...] - standard input is found wrong in that way at that byte (counted from
# 0) of that line (- where none is told), with status 1; for machines and for people.
judged() {
	local kind=$1 offset=$2 line=$3 status=0
	shift 3
	cat >"$BATS_TEST_TMPDIR/input"
	"$VERIFY" --json "$@" <"$BATS_TEST_TMPDIR/input" >"$BATS_TEST_TMPDIR/json" 2>/dev/null || status=$?
	[ "$status" -eq 1 ] || { echo "status $status, not 1"; return 1; }
	reported "\"kind\":\"$kind\",\"offset\":${offset}[,}]" || return 1
	[ "$line" = - ] || reported "\"line\":$line," || return 1
	# Through a pipe, as text: the same place.
	status=0
	cat <"$BATS_TEST_TMPDIR/input" | "$VERIFY" "$@" >"$BATS_TEST_TMPDIR/text" 2>&1 || status=$?
	[ "$status" -eq 1 ] || { echo "status $status, not 1"; return 1; }
	local text="byte $offset([^0-9]|\$)"
	case $kind in
	empty) text=nothing ;;
	end) text="$text.*line $((line - 1))([^0-9]|\$)" ;;
	*) [ "$line" = - ] || text="$text.*line $line([^0-9]|\$)" ;;
	esac
	says "$(cat "$BATS_TEST_TMPDIR/text")" "$text"
}

# reported PATTERN - the last --json report has it.
reported() {
	says "$(cat "$BATS_TEST_TMPDIR/json")" "$1"
}

# wrong_stretches N - what the last report says.
wrong_stretches() {
	reported "\"stretches_wrong\":$1[,}]"
}

# lines LAST - the right input.
lines() {
	cat "$REFERENCE/$1"
}

@test "what is right passes, from a pipe, a file, a socket" {
	lines 1000000 | "$VERIFY" -q --expect=fizzbuzz:1:1000000
	"$VERIFY" -q --expect=fizzbuzz:1:1000000 <"$REFERENCE/1000000"
	"$VERIFY" -q --expect=fizzbuzz:1:10000000 <"$REFERENCE/10000000"
	if command -v socat >/dev/null; then
		socat -u "OPEN:$REFERENCE/1000000" EXEC:"$VERIFY -q --expect=fizzbuzz\\:1\\:1000000"
	fi
	lines 15 | "$VERIFY" -q --expect=fizzbuzz:1:15
	lines 1000 | tail -n +7 | "$VERIFY" -q --expect=fizzbuzz:7:1000
	"$NAIVE" 18446744073709451615 18446744073709551615 | "$VERIFY" -q --expect=fizzbuzz:18446744073709451615
}

@test "-q is silent, the default reports bytes, lines, time and rate" {
	run "$VERIFY" -q --expect=fizzbuzz:1:1000 <"$REFERENCE/1000"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	run "$VERIFY" --expect=fizzbuzz:1:1000 <"$REFERENCE/1000"
	[ "$status" -eq 0 ]
	says "$output" '4673 bytes'
	says "$output" '1000 lines'
	says "$output" '/s'
	[ "${#lines[@]}" -eq 1 ]
}

@test "--json is one object that a parser takes, right or wrong" {
	run perl -MJSON::PP -e 'print JSON::PP->new->decode(join "", <>)->{bytes}' \
		<("$VERIFY" --json --expect=fizzbuzz:1:1000 <"$REFERENCE/1000")
	[ "$output" = 4673 ]
	run perl -MJSON::PP -e 'print JSON::PP->new->decode(join "", <>)->{error}{received}' \
		<(printf '1\n\x00"\\\xff\x01\n' | "$VERIFY" --json --expect=fizzbuzz:1:1000 2>/dev/null)
	[ "$status" -eq 0 ]
}

@test "nothing at all is wrong" {
	judged empty 0 - --expect=fizzbuzz:1:100 </dev/null
	judged empty 0 - </dev/null
	status_is 1 "$VERIFY" -q </dev/null 2>/dev/null
	status_is 1 "$VERIFY" -q --expect="$REFERENCE/100" </dev/null 2>/dev/null
}

@test "cases from the field: 410 and 412 of 413 bytes" {
	lines 100 | head -c 410 | judged end-in-line 410 100 --expect=fizzbuzz:1:100
	lines 100 | head -c 412 | judged end-in-line 412 100 --expect=fizzbuzz:1:100
	lines 100 | head -n 99 | judged end 408 100 --expect=fizzbuzz:1:100
}

@test "cases from the field: one digit changed" {
	lines 1000000 | "$DAMAGE" flip 6274061 0 | judged byte 6274061 999998 --expect=fizzbuzz:1:1000000
	wrong_stretches 1
	reported '"expected":"999998\\n","received":"999999\\n"'
}

@test "cases from the field: the stream twice, NULs after it, CR before LF" {
	lines 100 | cat - "$REFERENCE/100" | judged goes-on 413 - --expect=fizzbuzz:1:100
	{ lines 100; head -c 4096 /dev/zero; } | judged goes-on 413 - --expect=fizzbuzz:1:100
	{ lines 100; printf '\0'; } | judged goes-on 413 - --expect=fizzbuzz:1:100
	{ lines 1000000; printf '\n'; } | judged goes-on 6274073 - --expect=fizzbuzz:1:1000000
	lines 100 | sed 's/$/\r/' | judged byte 1 1 --expect=fizzbuzz:1:100
	{ head -n 99 "$REFERENCE/100"; printf 'Buzz\r\n'; } | judged byte 412 100 --expect=fizzbuzz:1:100
	printf '\xef\xbb\xbf' | cat - "$REFERENCE/100" | judged byte 0 1 --expect=fizzbuzz:1:100
}

@test "a stream that ends early, where no end was named, is wrong" {
	lines 1000 | judged end 4673 1001
	lines 1000 | head -c 4672 | judged end-in-line 4672 1000
}

@test "--partial: it may end anywhere, but must be right until then" {
	lines 1000 | "$VERIFY" -q --partial
	lines 1000 | head -c 4000 | "$VERIFY" -q --partial
	lines 1000 | head -c 4000 | "$VERIFY" -q --partial --expect=fizzbuzz:1:1000
	lines 1000 | "$DAMAGE" flip 4000 3 | judged byte 4000 858 --partial
	lines 1000 | judged goes-on 413 - --partial --expect=fizzbuzz:1:100
}

# flipped OFFSET BIT [LINES] - one bit, found where it is; the line is counted by other means.
flipped() {
	local line last=${3:-100000}
	line=$(($(head -c "$1" "$REFERENCE/$last" | tr -dc '\n' | wc -c) + 1))
	"$DAMAGE" flip "$1" "$2" <"$REFERENCE/$last" | status_is 1 "$VERIFY" --json --expect="fizzbuzz:1:$last" \
		>"$BATS_TEST_TMPDIR/json" 2>/dev/null && reported "\"kind\":\"byte\",\"offset\":$1,\"line\":$line," &&
		wrong_stretches 1
}

@test "one flipped bit anywhere: each bit, the seams, and random places" {
	local bit offset
	for bit in 0 1 2 3 4 5 6 7; do
		try "bit $bit" flipped 300000 "$bit"
	done
	for offset in 0 1 2 31 32 33 63 64 65 4095 4096 $((HALF - 1)) $HALF $((HALF + 1)) $((2 * HALF - 1)) \
		$((2 * HALF)) $((4 * HALF - 1)) $((4 * HALF)) 574071 574072; do
		try "byte $offset" flipped "$offset" 0
	done
	for offset in 1048575 1048576 6160383 6160384 6274071 6274072; do
		try "byte $offset" flipped "$offset" 0 1000000
	done
	RANDOM=${TEST_SEED:=$(date +%s)}
	echo "TEST_SEED=$TEST_SEED"
	for _ in $(seq 20); do
		try "a random place" flipped $(((RANDOM << 15 | RANDOM) % 574073)) $((RANDOM % 8))
	done
	tried
}

# first_difference FILE - the offset of the first byte that differs from the right stream, by cmp.
first_difference() {
	cmp "$1" "$REFERENCE/1000000" | sed -E 's/.*(byte|char) ([0-9]+), line ([0-9]+).*/\2 \3/'
}

# damaged KIND OFFSET LENGTH - wrong where cmp says that it is wrong.
damaged() {
	local file=$BATS_TEST_TMPDIR/damaged offset line
	lines 1000000 | "$DAMAGE" "$@" >"$file"
	read -r offset line < <(first_difference "$file")
	[ -n "$line" ] || { echo "not damaged"; return 1; }
	judged byte $((offset - 1)) "$line" --expect=fizzbuzz:1:1000000 <"$file"
}

@test "a lost half, the first, in the middle, any" {
	try first damaged drop 0 $HALF
	try second damaged drop $HALF $HALF
	try middle damaged drop $((20 * HALF)) $HALF
	try "not aligned" damaged drop 1000001 $HALF
	try "one byte" damaged drop 1000001 1
	tried
}

@test "the last half lost: an early end" {
	local size=$((6274073 / HALF * HALF))
	"$DAMAGE" cut "$size" <"$REFERENCE/1000000" | judged end "$size" 982050 --expect=fizzbuzz:1:1000000
}

@test "a repeated half" {
	try first damaged repeat 0 $HALF
	try middle damaged repeat $((20 * HALF)) $HALF
	try "not aligned" damaged repeat 1000001 $HALF
	tried
}

@test "the last bytes repeated: it goes on after its end" {
	lines 1000000 | "$DAMAGE" repeat $((6274073 - 5)) 5 | judged goes-on 6274073 - --expect=fizzbuzz:1:1000000
}

@test "two halves swapped: two stretches wrong" {
	damaged swap $((20 * HALF)) $HALF
	wrong_stretches 2
	damaged swap 0 $HALF
	damaged swap 1000001 $HALF
}

@test "a page of NULs, a page of an earlier turn of the ring" {
	local file=$BATS_TEST_TMPDIR/file
	lines 1000000 >"$file"
	dd if=/dev/zero of="$file" bs=4096 seek=700 count=1 conv=notrunc status=none
	judged byte $((700 * 4096)) 462073 --expect=fizzbuzz:1:1000000 <"$file"
	wrong_stretches 1
	lines 1000000 >"$file"
	dd if="$REFERENCE/1000000" of="$file" bs=4096 skip=188 seek=700 count=1 conv=notrunc status=none
	status_is 1 "$VERIFY" -q --expect=fizzbuzz:1:1000000 <"$file" 2>/dev/null
}

@test "a truncated tail and an extra tail, at every one of the last bytes" {
	local size
	for size in $(seq 6274040 6274072); do
		head -c "$size" "$REFERENCE/1000000" | status_is 1 "$VERIFY" -q --expect=fizzbuzz:1:1000000 2>/dev/null
	done
	for size in 1 2 5 4096 200000; do
		{ lines 1000000; head -c "$size" "$REFERENCE/1000000"; } |
			status_is 1 "$VERIFY" -q --expect=fizzbuzz:1:1000000 2>/dev/null
	done
}

@test "the wrong range is wrong" {
	lines 100 | judged goes-on 408 - --expect=fizzbuzz:1:99
	lines 100 | judged end 413 101 --expect=fizzbuzz:1:101
	lines 100 | judged byte 0 2 --expect=fizzbuzz:2:100
}

@test "--expect=FILE" {
	lines 1000000 | "$VERIFY" -q --expect="$REFERENCE/1000000"
	lines 1000000 | "$DAMAGE" flip 3000000 0 | judged byte 3000000 483042 --expect="$REFERENCE/1000000"
	lines 1000000 | head -c 6274072 | judged end-in-line 6274072 1000000 --expect="$REFERENCE/1000000"
	{ lines 1000000; echo; } | judged goes-on 6274073 - --expect="$REFERENCE/1000000"
	head -c 300000 /dev/urandom >"$BATS_TEST_TMPDIR/file"
	"$VERIFY" -q --expect="$BATS_TEST_TMPDIR/file" <"$BATS_TEST_TMPDIR/file"
	"$DAMAGE" flip 299999 7 <"$BATS_TEST_TMPDIR/file" | judged byte 299999 - --expect="$BATS_TEST_TMPDIR/file"
}

@test "--expect=none only measures" {
	run bash -c '"$0" --json --expect=none <"$1"' "$VERIFY" "$REFERENCE/1000000"
	[ "$status" -eq 0 ]
	says "$output" '"bytes":6274073,'
	run bash -c 'cat "$1" | "$0" --json --expect=none' "$VERIFY" "$REFERENCE/1000000"
	[ "$status" -eq 0 ]
	says "$output" '"bytes":6274073,'
	says "$output" '"checked_bytes":0,'
	head -c 3000000 /dev/zero | "$VERIFY" -q --expect=none
}

@test "--sample: what is checked is found wrong, lengths always" {
	local sample
	for sample in 1 2 4 7 64; do
		lines 10000000 | "$VERIFY" -q --expect=fizzbuzz:1:10000000 --sample=1/$sample
		"$VERIFY" -q --expect=fizzbuzz:1:10000000 --sample=1/$sample <"$REFERENCE/10000000"
		# One byte too many or too few is seen, wherever the stretches lie.
		head -c 68074072 "$REFERENCE/10000000" | status_is 1 "$VERIFY" -q --expect=fizzbuzz:1:10000000 --sample=1/$sample 2>&1
		{ lines 10000000; echo; } | status_is 1 "$VERIFY" -q --expect=fizzbuzz:1:10000000 --sample=1/$sample 2>&1
		# A lost byte shifts all that follows.
		lines 10000000 | "$DAMAGE" drop 1000 1 | cat - <(printf x) |
			status_is 1 "$VERIFY" -q --expect=fizzbuzz:1:10000000 --sample=1/$sample 2>&1
	done
}

@test "--sample=1/4: a wrong byte in exactly one stretch of four is found, at its offset" {
	local stretch found=0
	for stretch in $(seq 8 23); do
		if ! lines 1000000 | "$DAMAGE" flip $((stretch * HALF + 777)) 1 |
			"$VERIFY" --json --expect=fizzbuzz:1:1000000 --sample=1/4 >"$BATS_TEST_TMPDIR/json" 2>/dev/null; then
			found=$((found + 1))
			says "$(cat "$BATS_TEST_TMPDIR/json")" "\"offset\":$((stretch * HALF + 777)),"
		fi
	done
	[ "$found" -ge 2 ] && [ "$found" -le 6 ]
	# Each kind of damage that shifts the stream is found wherever it is.
	lines 1000000 | "$DAMAGE" drop $((5 * HALF)) $HALF | status_is 1 "$VERIFY" -q --expect=fizzbuzz:1:1000000 --sample=1/4 2>&1
	lines 1000000 | "$DAMAGE" repeat $((5 * HALF)) $HALF | status_is 1 "$VERIFY" -q --expect=fizzbuzz:1:1000000 --sample=1/4 2>&1
}

@test "--bytes stops early with a verdict about these bytes" {
	lines 1000000 | "$VERIFY" -q --bytes=1000 || [ $? -eq 141 ]
	"$VERIFY" -q --bytes=1000 <"$REFERENCE/1000000"
	run bash -c '"$0" --json --bytes=100000 <"$1"' "$VERIFY" "$REFERENCE/1000000"
	[ "$status" -eq 0 ]
	says "$output" '"bytes":100000,'
	"$DAMAGE" flip 999 0 <"$REFERENCE/1000000" >"$BATS_TEST_TMPDIR/file"
	status_is 1 "$VERIFY" -q --bytes=1000 <"$BATS_TEST_TMPDIR/file" 2>/dev/null
	"$VERIFY" -q --bytes=999 <"$BATS_TEST_TMPDIR/file"
	# Fewer than asked for is an early end.
	status_is 1 "$VERIFY" -q --bytes=10000 <"$REFERENCE/1000" 2>/dev/null
}

@test "--seconds stops early with a verdict" {
	timeout 20 "$FIZZBUZZ" | timeout 20 "$VERIFY" --json --seconds=0.3 >"$BATS_TEST_TMPDIR/json" || [ $? -eq 141 ]
	says "$(cat "$BATS_TEST_TMPDIR/json")" '"stopped":"seconds"'
	# Also where nothing comes: that nothing was right cannot be said.
	local status=0
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	timeout 20 "$VERIFY" -q --seconds=0.3 2>/dev/null <>"$BATS_TEST_TMPDIR/fifo" || status=$?
	[ "$status" -eq 1 ]
	# A wrong byte before that is wrong.
	printf '1\n2\nFuzz\n' | status_is 1 "$VERIFY" -q --seconds=5 2>/dev/null
}

@test "a writer in pieces: every size of piece is put together" {
	local size
	for size in 1 3 7 4095 4097 65537; do
		head -c 300000 "$REFERENCE/1000000" | dd bs="$size" iflag=fullblock status=none |
			"$VERIFY" -q --partial
		head -c 300000 "$REFERENCE/1000000" | "$DAMAGE" flip 299000 2 |
			dd bs="$size" iflag=fullblock status=none | status_is 1 "$VERIFY" -q --partial 2>/dev/null
	done
}

@test "input that cannot be read is not right" {
	local status=0
	"$VERIFY" -q --expect=fizzbuzz:1:100 </ 2>"$BATS_TEST_TMPDIR/err" || status=$?
	[ "$status" -eq 1 ]
	says "$(cat "$BATS_TEST_TMPDIR/err")" 'directory'
	status=0
	"$VERIFY" -q <&- 2>"$BATS_TEST_TMPDIR/err" || status=$?
	[ "$status" -eq 1 ]
}

@test "the report into a full device is an error" {
	[ -w /dev/full ] || skip "no /dev/full here"
	local status=0
	"$VERIFY" --expect=fizzbuzz:1:100 <"$REFERENCE/100" >/dev/full 2>/dev/null || status=$?
	[ "$status" -eq 1 ]
}
