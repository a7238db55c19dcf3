#!/usr/bin/env bats
# Outputs that are not a pipe, that are closed or full, and readers that leave early.

load common

# quiet - the last command wrote nothing to its standard error, kept in $ERR.
quiet() {
	[ ! -s "$ERR" ] || { echo "stderr: $(cat "$ERR")"; return 1; }
}

setup() {
	ERR=$BATS_TEST_TMPDIR/err
}

@test "a regular file" {
	"$FIZZBUZZ" 1 10000000 >"$BATS_TEST_TMPDIR/file" 2>"$ERR"
	quiet
	exact 10000000 <"$BATS_TEST_TMPDIR/file"
}

@test "a regular file, each kernel and method asked for" {
	local isa method
	for isa in $(kernels); do
		for method in auto $METHODS; do
			"$FIZZBUZZ" --isa="$isa" --output="$method" 1 1000000 >"$BATS_TEST_TMPDIR/file"
			exact 1000000 <"$BATS_TEST_TMPDIR/file"
		done
	done
}

@test "appended to a file, twice: 9346 bytes" {
	local file=$BATS_TEST_TMPDIR/file
	"$FIZZBUZZ" 1 1000 >>"$file"
	"$FIZZBUZZ" 1 1000 >>"$file"
	[ "$(wc -c <"$file")" -eq 9346 ]
	cat "$REFERENCE/1000" "$REFERENCE/1000" | cmp - "$file"
}

@test "into the middle of a file that is longer" {
	local file=$BATS_TEST_TMPDIR/file
	head -c 100000 /dev/zero >"$file"
	{ printf 'head\n'; "$FIZZBUZZ" 1 1000; } 1<>"$file"
	[ "$(wc -c <"$file")" -eq 100000 ]
	head -c 4678 "$file" | tail -c 4673 | exact 1000
}

@test "/dev/null" {
	"$FIZZBUZZ" 1 10000000 >/dev/null 2>"$ERR"
	quiet
}

@test "a full device: at once, one line with the reason, status 1" {
	[ -w /dev/full ] || skip "no /dev/full here"
	local method status
	for method in auto $METHODS; do
		status=0
		timeout 10 "$FIZZBUZZ" --output="$method" >/dev/full 2>"$ERR" || status=$?
		[ "$status" -eq 1 ]
		says "$(cat "$ERR")" 'No space left on device'
	done
	status=0
	timeout 10 "$FIZZBUZZ" 1 10 >/dev/full 2>"$ERR" || status=$?
	[ "$status" -eq 1 ]
	[ "$(wc -l <"$ERR")" -eq 1 ]
}

@test "a file that reaches its size limit: what is there is exact, status 1" {
	local status=0
	bash -c 'trap "" XFSZ; ulimit -f 1000; exec "$0" 1 1000000' "$FIZZBUZZ" >"$BATS_TEST_TMPDIR/file" 2>"$ERR" ||
		status=$?
	[ "$status" -eq 1 ]
	[ "$(wc -l <"$ERR")" -eq 1 ]
	cmp "$BATS_TEST_TMPDIR/file" <(head -c 1024000 "$REFERENCE/1000000")
}

@test "closed output: at once, one line with the reason, status 1" {
	local status=0
	timeout 10 "$FIZZBUZZ" >&- 2>"$ERR" || status=$?
	[ "$status" -eq 1 ]
	[ "$(wc -l <"$ERR")" -eq 1 ]
	says "$(cat "$ERR")" 'Bad file descriptor'
}

@test "every standard descriptor closed" {
	local status=0
	timeout 10 "$FIZZBUZZ" 1 10 <&- >&- 2>&- || status=$?
	[ "$status" -eq 1 ]
}

@test "standard input and error closed: the output is the same" {
	"$FIZZBUZZ" 1 1000000 <&- 2>&- | exact 1000000
}

@test "output that may only be read: an error, status 1" {
	local status=0
	timeout 10 "$FIZZBUZZ" 1 10 2>"$ERR" 1</dev/null || status=$?
	[ "$status" -eq 1 ]
	[ "$(wc -l <"$ERR")" -eq 1 ]
	# The reading end of a pipe must not be vmspliced into our memory.
	status=0
	printf '%01000d' 0 | timeout 10 "$FIZZBUZZ" 1 10 2>"$ERR" 1<&0 || status=$?
	[ "$status" -eq 1 ]
	[ "$(wc -l <"$ERR")" -eq 1 ]
}

@test "a terminal" {
	need script
	local out=$BATS_TEST_TMPDIR/typescript
	script -qec "'$FIZZBUZZ' 1 100000" "$out" >/dev/null </dev/null
	# Without the first and last line, which are script's own; a terminal adds carriage returns.
	sed '1d;$d' "$out" | tr -d '\r' | sed '$ { /^$/d }' | cmp - "$REFERENCE/100000"
}

@test "a socket" {
	need socat
	socat -u EXEC:"$FIZZBUZZ 1 10000000" - | exact 10000000
}

@test "a UNIX socket" {
	need socat
	local socket=$BATS_TEST_TMPDIR/socket
	socat -u "UNIX-LISTEN:$socket" - 3>&- >"$BATS_TEST_TMPDIR/file" &
	local listener=$!
	until [ -S "$socket" ]; do sleep 0.05; done
	socat -u EXEC:"$FIZZBUZZ 1 1000000" "UNIX-CONNECT:$socket"
	wait "$listener"
	exact 1000000 <"$BATS_TEST_TMPDIR/file"
	rm -f "$socket"
}

@test "a FIFO" {
	local fifo=$BATS_TEST_TMPDIR/fifo method
	mkfifo "$fifo"
	for method in auto $METHODS; do
		"$FIZZBUZZ" --output="$method" 1 10000000 >"$fifo" 3>&- &
		exact 10000000 <"$fifo"
		wait $!
	done
}

@test "a FIFO opened for reading and writing" {
	local fifo=$BATS_TEST_TMPDIR/fifo
	mkfifo "$fifo"
	"$FIZZBUZZ" 1 1000000 1<>"$fifo" 3>&- &
	local writer=$!
	head -c 6274073 "$fifo" | exact 1000000
	wait "$writer"
}

@test "an early end of the reader: quiet, status 141" {
	local method statuses
	for method in auto $METHODS; do
		statuses=()
		"$FIZZBUZZ" --output="$method" 2>"$ERR" | head -n 1000 >"$BATS_TEST_TMPDIR/head" ||
			statuses=("${PIPESTATUS[@]}")
		[ "${statuses[*]}" = "141 0" ]
		quiet
		exact 1000 <"$BATS_TEST_TMPDIR/head"
	done
}

@test "an early end of the reader with SIGPIPE ignored: quiet, status 1" {
	local method status
	for method in auto $METHODS; do
		status=0
		"$TOOLS/tools/launch" -i -r "$BATS_TEST_TMPDIR/report" "$FIZZBUZZ" --output="$method" 2>"$ERR" |
			head -c 1 >/dev/null || status=$?
		says "$(cat "$BATS_TEST_TMPDIR/report")" 'status=1 '
		quiet
	done
}

@test "a reader that was never there: quiet, status 141" {
	local method status fifo=$BATS_TEST_TMPDIR/fifo
	mkfifo "$fifo"
	for method in auto $METHODS; do
		# The reading end is closed before the command starts.
		status=0
		bash -c 'exec 5<>"$0"; exec 4>"$0"; exec 5>&-; exec "$@" >&4' "$fifo" "$FIZZBUZZ" \
			--output="$method" 2>"$ERR" || status=$?
		[ "$status" -eq 141 ]
		quiet
	done
}

@test "a reader that leaves after much, in the middle of a sleep" {
	local method statuses
	for method in auto $METHODS; do
		statuses=(0)
		"$FIZZBUZZ" --output="$method" 2>"$ERR" | { head -c 50000000 >/dev/null; sleep 0.3; } ||
			statuses=("${PIPESTATUS[@]}")
		[ "${statuses[0]}" -eq 141 ]
		quiet
	done
}

@test "verify: closed input, closed output" {
	run bash -c '"$0" <&-' "$VERIFY"
	[ "$status" -eq 1 ]
	run bash -c '"$0" --expect=fizzbuzz:1:100 <"$1" >&- 2>&-' "$VERIFY" "$REFERENCE/100"
	[ "$status" -le 1 ]
}
