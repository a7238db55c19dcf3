#!/usr/bin/env bats
# A pipe that others share, stopped or made smaller; a machine that is short of pipes or processors.

load common

SHIM=$TOOLS/shim/fault.so

@test "appended to a pipe that already holds data" {
	local method
	for method in auto $METHODS; do
		{ head -c 50000 /dev/zero; "$FIZZBUZZ" --output="$method" 1 1000000; } |
			{ sleep 0.2; cmp - <(head -c 50000 /dev/zero; cat "$REFERENCE/1000000"); }
		# A full pipe, and a page that is not full.
		{ head -c 65536 /dev/zero; "$FIZZBUZZ" --output="$method" 1 1000000; } |
			{ sleep 0.2; cmp - <(head -c 65536 /dev/zero; cat "$REFERENCE/1000000"); }
		{ printf x; "$FIZZBUZZ" --output="$method" 1 1000000; } |
			cmp - <(printf x; cat "$REFERENCE/1000000")
	done
}

@test "two writers one after the other in one pipe, read late" {
	local method
	for method in auto $METHODS; do
		{
			"$FIZZBUZZ" --output="$method" 1 1000000
			"$FIZZBUZZ" --output="$method" 1 1000000
			"$FIZZBUZZ" --output="$method" 1 100
		} | "$READERS/late" 0 0.3 | cmp - <(cat "$REFERENCE/1000000" "$REFERENCE/1000000" "$REFERENCE/100")
	done
}

@test "short streams that end before anybody reads" {
	local method
	for method in auto $METHODS; do
		"$FIZZBUZZ" --output="$method" 1 10000 | { sleep 0.1; exact 10000; }
		{
			for _ in 1 2 3 4 5 6 7 8; do "$FIZZBUZZ" --output="$method" 1 100; done
		} | { sleep 0.2; cmp - <(for _ in 1 2 3 4 5 6 7 8; do cat "$REFERENCE/100"; done); }
	done
}

# beside_another METHOD [OPTION...] - our bytes stay exact while another process writes NULs between them.
beside_another() {
	local method=$1
	shift
	{
		"$TOOLS/tools/marker" 3>&- &
		local marker=$! status=0
		"$FIZZBUZZ" --output="$method" "$@" 1 3000000 || status=$?
		kill "$marker"
		wait "$marker" || status=$?
		[ "$status" -eq 0 ] || echo "status $status"
	} | tee >(tr -dc '\0' | head -c 1000000 | wc -c >"$BATS_TEST_TMPDIR/nuls"; cat >/dev/null) |
		tr -d '\0' | cmp - <(head -n 3000000 "$REFERENCE/10000000")
}

@test "two writers at once in one pipe" {
	local method
	for method in auto $METHODS; do
		try "$method" beside_another "$method"
		try "$method --classic" beside_another "$method" --classic
		try "$method, small pipe" beside_another "$method" --pipe-size=64K
	done
	tried
	# The other one did write.
	[ "$(cat "$BATS_TEST_TMPDIR/nuls")" -gt 0 ]
}

# nonblocking FAULT METHOD - the write end was made non-blocking by someone else; the reader is late.
nonblocking() {
	local report=$BATS_TEST_TMPDIR/report
	rm -f "$report"
	LD_PRELOAD=${1:+$SHIM} FAULT=$1 "$TOOLS/tools/launch" -n -r "$report" "$FIZZBUZZ" --output="$2" 1 1000000 \
		2>"$BATS_TEST_TMPDIR/err" | "$READERS/late" 0 1 | exact 1000000 || return 1
	cat "$report"
	# All bytes, status 0, the flag as it was, and no busy loop while nobody read for a second.
	grep -q 'status=0 .*nonblock=1' "$report" || return 1
	local cpu
	cpu=$(sed 's/.*cpu_ms=\([0-9]*\).*/\1/' "$report")
	[ "$cpu" -lt 500 ] || { echo "a busy loop: $cpu ms"; return 1; }
}

@test "someone else made the pipe non-blocking, and the reader is a second late" {
	local method
	for method in auto $METHODS; do
		try "$method" nonblocking "" "$method"
	done
	tried
}

@test "the same with vmsplice refused" {
	local error
	for error in ENOSYS EPERM EINVAL; do
		try "auto $error" nonblocking "vmsplice:1+:$error" auto
		try "ring $error" nonblocking "vmsplice:1+:$error" ring
	done
	tried
}

@test "a blocking pipe is not made non-blocking" {
	local method
	for method in auto $METHODS; do
		"$TOOLS/tools/launch" -r "$BATS_TEST_TMPDIR/report" "$FIZZBUZZ" --output="$method" 1 1000000 |
			exact 1000000
		says "$(cat "$BATS_TEST_TMPDIR/report")" 'status=0 .*nonblock=0'
	done
}

@test "a push larger than the pipe: one page, F_SETPIPE_SZ and F_GETPIPE_SZ refused" {
	local method
	# The capacity is set without the shim, which would refuse that too.
	in_one_page() {
		"$TOOLS/tools/launch" -p 4K env LD_PRELOAD="$SHIM" FAULT=setpipe:1+:EPERM,getpipe:1+:EINVAL \
			timeout 30 "$FIZZBUZZ" --output="$1" 1 1000000 2>/dev/null | exact 1000000
	}
	for method in auto $METHODS; do
		try "$method" in_one_page "$method"
	done
	tried
}

@test "one page that stays one page, behind a chain" {
	local method
	for method in auto fence fresh write; do
		"$TOOLS/tools/launch" -p 4K "$FIZZBUZZ" --output="$method" --pipe-size=4K --ring=128K 1 100000 |
			"$READERS/chain" 4 | exact 100000
	done
}

# as_another COMMAND... - runs as a user whose limits are real, root being above them. That user may not be
# able to look into this folder, so the files are handed down open: 4 fizzbuzz, 5 match, 6 hog, 7 late,
# 8 the right answer, under /proc/self/fd.
as_another() {
	local who=()
	[ "$(id -u)" -ne 0 ] || who=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	"${who[@]}" "$@" 4<"$FIZZBUZZ" 5<"$TOOLS/tools/match" 6<"$TOOLS/tools/hog" 7<"$READERS/late" \
		8<"$REFERENCE/${ANSWER:-100000}" 3>&-
}

@test "growing the pipe is refused to a user who has used up the pipe pages" {
	need setpriv
	# The pipe must be theirs too, so all of the pipeline is.
	refused_growth() {
		ANSWER=10000000 as_another /proc/self/fd/6 bash -o pipefail -c '
			/proc/self/fd/4 --output="$0" 1 10000000 2>/dev/null | /proc/self/fd/5 /proc/self/fd/8' "$1"
	}
	local method
	for method in auto $METHODS; do
		try "$method" refused_growth "$method"
	done
	tried
}

@test "three hundred copies at once as one user" {
	need setpriv
	# A slow start of the readers, so that all of them run at once.
	as_another bash -o pipefail -c '
		for _ in $(seq 300); do
			{
				/proc/self/fd/4 1 100000 2>/dev/null | /proc/self/fd/7 0 2 |
					/proc/self/fd/5 /proc/self/fd/8 || echo wrong
			} &
		done
		wait' >"$BATS_TEST_TMPDIR/out" 2>&1
	cat "$BATS_TEST_TMPDIR/out"
	[ ! -s "$BATS_TEST_TMPDIR/out" ]
}

@test "a reader that stops for ten seconds costs under 2 % of one CPU in that time" {
	local method pids=() cpu
	for method in auto $METHODS; do
		"$TOOLS/tools/stall" 50M 10 "$BATS_TEST_TMPDIR/$method" "$FIZZBUZZ" --output="$method" 1 42000000 \
			3>&- | exact 42000000 &
		pids+=($!)
	done
	for method in "${pids[@]}"; do
		wait "$method"
	done
	for method in auto $METHODS; do
		cpu=$(cat "$BATS_TEST_TMPDIR/$method")
		echo "$method: $cpu ms of CPU time"
		[ "$cpu" -lt 200 ]
	done
}

@test "writer and reader on the same CPU: progress, and exact" {
	need taskset
	local cpu method
	cpu=$(first_cpu)
	for method in auto $METHODS; do
		taskset -c "$cpu" "$FIZZBUZZ" --output="$method" 1 42000000 | taskset -c "$cpu" cat | exact 42000000
		taskset -c "$cpu" "$FIZZBUZZ" --output="$method" 1 10000000 |
			taskset -c "$cpu" "$READERS/chain" 4 1M | exact 10000000
	done
}

@test "the writer stopped and continued by signals, again and again" {
	local method writer
	for method in auto $METHODS; do
		mkfifo "$BATS_TEST_TMPDIR/fifo"
		"$FIZZBUZZ" --output="$method" 1 10000000 >"$BATS_TEST_TMPDIR/fifo" 3>&- &
		writer=$!
		"$READERS/late" 1M 0.1 <"$BATS_TEST_TMPDIR/fifo" 3>&- | exact 10000000 &
		local reader=$!
		for _ in 1 2 3 4 5; do
			kill -STOP "$writer" 2>/dev/null || break
			kill -CONT "$writer" 2>/dev/null || break
			sleep 0.02
		done
		wait "$writer"
		wait "$reader"
		rm "$BATS_TEST_TMPDIR/fifo"
	done
}

@test "peak memory under 32 MiB" {
	local method most report=$BATS_TEST_TMPDIR/report
	for method in auto $METHODS; do
		"$TOOLS/tools/launch" -r "$report" "$FIZZBUZZ" --output="$method" 1 42000000 | exact 42000000
		most=$(sed 's/.*rss_kib=\([0-9]*\).*/\1/' "$report")
		echo "$method: $most KiB"
		[ "$most" -lt 32768 ]
	done
	"$TOOLS/tools/launch" -r "$report" "$FIZZBUZZ" 1 42000000 | "$READERS/chain" 32 | exact 42000000
	most=$(sed 's/.*rss_kib=\([0-9]*\).*/\1/' "$report")
	echo "behind a chain: $most KiB"
	[ "$most" -lt 32768 ]
	"$FIZZBUZZ" 1 42000000 |
		"$TOOLS/tools/launch" -r "$report" "$VERIFY" -q --expect=fizzbuzz:1:42000000 >/dev/null
	most=$(sed 's/.*rss_kib=\([0-9]*\).*/\1/' "$report")
	echo "verify: $most KiB"
	[ "$most" -lt 32768 ]
}

@test "little memory to be had: the stream or a message, never wrong bytes" {
	local limit status method ran=0
	for method in auto $METHODS; do
		for limit in 4000 8000 12000 20000 40000; do
			status=(0 0)
			bash -c 'ulimit -v "$1"; exec "$0" --output="$2" 1 1000000 2>"$3"' "$FIZZBUZZ" "$limit" "$method" \
				"$BATS_TEST_TMPDIR/err" | exact 1000000 || status=("${PIPESTATUS[@]}")
			case ${status[*]} in
			"0 0") ran=1 ;;
			# Whatever it was that could not have memory (the loader says 127), it was said in order.
			"1 3" | "127 3") ;;
			*) echo "$method, $limit KiB: ${status[*]}"; return 1 ;;
			esac
		done
	done
	# The largest is enough.
	[ "$ran" -eq 1 ]
}

@test "no huge pages to be had: said with --verbose, and exact" {
	local method
	for method in auto $METHODS; do
		LD_PRELOAD=$SHIM FAULT=hugepage:1+:EINVAL "$FIZZBUZZ" --verbose --output="$method" 1 10000000 \
			2>"$BATS_TEST_TMPDIR/err" | exact 10000000
		[ "$method" = write ] || says "$(cat "$BATS_TEST_TMPDIR/err")" '[Nn][Oo] huge pages'
		LD_PRELOAD=$SHIM FAULT=hugepage:1+:EINVAL "$FIZZBUZZ" --output="$method" 1 10000000 \
			2>"$BATS_TEST_TMPDIR/err" | exact 10000000
	done
	for method in auto fence fresh write; do
		LD_PRELOAD=$SHIM FAULT=hugepage:1+:EINVAL "$FIZZBUZZ" --output="$method" 1 10000000 2>/dev/null |
			"$READERS/chain" 4 | exact 10000000
	done
}
