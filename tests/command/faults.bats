#!/usr/bin/env bats
# System calls that fail, by a preloaded library: the first, the n-th, all of them.
#
# Allowed is the exact stream with status 0; and where there is no way on (the output itself is broken, or
# there is no memory at all), an exact beginning of it, one line that says why, and status 1.

load common

SHIM=$TOOLS/shim/fault.so
# Five turns of a ring of two spans.
LINES=3000000
RING=4M

setup() {
	LOG=$BATS_TEST_TMPDIR/log
	ERR=$BATS_TEST_TMPDIR/err
}

# faulty FAULT METHOD [READER...] - runs with the fault; sets STATUS and compares all that arrived.
faulty() {
	local fault=$1 method=$2 status=(0 0 0)
	shift 2
	[ $# -gt 0 ] || set -- cat
	rm -f "$LOG"
	LD_PRELOAD=$SHIM FAULT=$fault FAULT_LOG=$LOG timeout 30 "$FIZZBUZZ" --output="$method" --ring=$RING \
		1 $LINES 2>"$ERR" | "$@" | exact $LINES || status=("${PIPESTATUS[@]}")
	STATUS=${status[0]}
	[ "${status[1]}" -eq 0 ] || { echo "the reader failed"; return 1; }
	[ -n "$MAY_MISS" ] || [ -s "$LOG" ] || { echo "the fault never struck"; return 1; }
	# All of it with status 0; else an exact beginning of it, or all of it and an error that came later.
	case ${status[2]} in
	0) ;;
	3) [ "$STATUS" -ne 0 ] || return 1 ;;
	*) return 1 ;;
	esac
}

# goes_on FAULT METHOD [READER...] - the stream is exact and the status 0.
goes_on() {
	faulty "$@" || return 1
	[ "$STATUS" -eq 0 ] || { echo "status $STATUS: $(cat "$ERR")"; return 1; }
}

# gives_up FAULT METHOD - an exact beginning, one line, status 1.
gives_up() {
	faulty "$@" || return 1
	[ "$STATUS" -eq 1 ] || { echo "status $STATUS"; return 1; }
	[ "$(grep -vc 'slower and as exact\|pipe size' "$ERR")" -eq 1 ] || { echo "not one line: $(cat "$ERR")"; return 1; }
}

# goes_on_or_gives_up FAULT METHOD - either, but nothing else.
goes_on_or_gives_up() {
	faulty "$@" || return 1
	[ "$STATUS" -le 1 ] || { echo "status $STATUS"; return 1; }
	[ "$STATUS" -eq 0 ] || [ -s "$ERR" ] || { echo "status 1 and not a word"; return 1; }
}

@test "the shim by itself changes nothing: the same method is chosen, and fences find the ring free" {
	local plain shimmed
	plain=$({ "$FIZZBUZZ" --verbose --ring=4M 1 $LINES | exact $LINES; } 2>&1 | grep -o 'method [a-z]*')
	shimmed=$({
		LD_PRELOAD=$SHIM FAULT=clone:999:EPERM,madvise:999:EPERM,vmsplice:9999:EPERM \
			"$FIZZBUZZ" --verbose --ring=4M 1 $LINES | exact $LINES
	} 2>&1 | tee "$ERR" | grep -o 'method [a-z]*')
	echo "$plain, $shimmed"
	[ "$plain" = "$shimmed" ]
	[ "$plain" != "method fence" ] || says "$(cat "$ERR")" '[1-9][0-9]* reused'
}

@test "vmsplice is refused from the start" {
	local error method
	for error in ENOSYS EPERM EINVAL EOPNOTSUPP; do
		for method in auto $METHODS; do
			[ "$method" = write ] && continue
			try "$error $method" goes_on "vmsplice:1+:$error" "$method"
		done
	done
	tried
}

@test "vmsplice fails once, at any call" {
	local error method n
	for error in ENOSYS EPERM EINVAL EOPNOTSUPP EAGAIN EINTR ENOMEM; do
		for method in auto ring fresh; do
			for n in 1 2 17; do
				try "$error $method call $n" goes_on "vmsplice:$n:$error" "$method"
			done
		done
	done
	tried
}

@test "vmsplice fails from the n-th call on" {
	local error method n
	for error in ENOSYS EPERM EINVAL; do
		for method in auto ring fresh; do
			for n in 2 5 33; do
				try "$error $method call $n+" goes_on "vmsplice:$n+:$error" "$method"
			done
		done
	done
	tried
}

@test "vmsplice fails in mid-stream in front of a chain: what is in the pipes stays as it is" {
	local method n
	for method in auto fresh; do
		for n in 3 12 33; do
			try "$method call $n+" goes_on "vmsplice:$n+:EPERM" "$method" "$READERS/chain" 4
			try "$method call $n" goes_on "vmsplice:$n:EPERM" "$method" "$READERS/chain" 4
		done
	done
	tried
}

@test "vmsplice moves only part" {
	local method
	for method in auto ring fresh; do
		try "$method" goes_on vmsplice:1+:SHORT "$method"
		try "$method once" goes_on vmsplice:5:SHORT "$method"
	done
	try "in front of a chain" goes_on vmsplice:1+:SHORT auto "$READERS/chain" 4
	tried
}

@test "a kernel that copies and refuses SPLICE_F_GIFT" {
	local method
	for method in auto $METHODS; do
		[ "$method" = write ] && continue
		try "$method" goes_on vmsplice:1+:COPY "$method"
	done
	tried
	LD_PRELOAD=$SHIM FAULT=vmsplice:1+:COPY "$FIZZBUZZ" --verbose 1 100 2>"$ERR" | exact 100
	says "$(cat "$ERR")" 'method write'
}

@test "the capacity of the pipe cannot be set" {
	local error method
	for error in EPERM EBUSY EINVAL ENOMEM; do
		for method in auto $METHODS; do
			MAY_MISS=1 try "$error $method" goes_on "setpipe:1+:$error" "$method"
		done
	done
	tried
}

@test "the capacity of the pipe can neither be set nor be asked for" {
	local method n
	for method in auto $METHODS; do
		try "$method" goes_on setpipe:1+:EPERM,getpipe:1+:EBADF "$method"
		for n in 1 2 3; do
			MAY_MISS=1 try "$method, call $n" goes_on "getpipe:$n:EINVAL" "$method"
		done
		try "$method, in mid-stream" goes_on getpipe:2+:EINVAL "$method"
	done
	for method in auto fresh; do
		try "$method, a chain" goes_on setpipe:1+:EPERM,getpipe:1+:EBADF "$method" "$READERS/chain" 4
	done
	try "ring, a chain" goes_on setpipe:1+:EPERM,getpipe:1+:EBADF ring "$READERS/chain" 4 1M
	tried
}

@test "fcntl fails altogether" {
	local method
	for method in auto $METHODS; do
		try "$method, all" goes_on_or_gives_up fcntl:1+:EPERM "$method"
		for n in 1 2 3 4 5 6 7; do
			MAY_MISS=1 try "$method, call $n" goes_on_or_gives_up "fcntl:$n:EPERM" "$method"
		done
	done
	tried
}

@test "madvise fails" {
	local error method n
	for method in auto ring fresh write; do
		for error in EINVAL ENOMEM EAGAIN; do
			MAY_MISS=1 try "$error $method hugepage" goes_on "hugepage:1+:$error" "$method"
			MAY_MISS=1 try "$error $method dontfork" goes_on "dontfork:1+:$error" "$method"
			MAY_MISS=1 try "$error $method dontneed" goes_on_or_gives_up "dontneed:1+:$error" "$method"
		done
		for n in 1 2 5; do
			MAY_MISS=1 try "$method dontneed $n" goes_on_or_gives_up "dontneed:$n:EINVAL" "$method"
			MAY_MISS=1 try "$method call $n" goes_on_or_gives_up "madvise:$n:ENOMEM" "$method"
		done
	done
	tried
}

@test "madvise fails in front of a chain: never a wrong byte" {
	local method n
	for method in auto fence fresh; do
		MAY_MISS=1 try "$method all" goes_on_or_gives_up madvise:1+:EINVAL "$method" "$READERS/chain" 4
		for n in 1 2 5; do
			MAY_MISS=1 try "$method $n+" goes_on_or_gives_up "dontneed:$n+:EINVAL" "$method" "$READERS/chain" 32
			MAY_MISS=1 try "$method $n" goes_on_or_gives_up "dontneed:$n:EINVAL" "$method" "$READERS/chain" 32
		done
	done
	tried
}

@test "mmap fails" {
	local method n
	for method in auto $METHODS; do
		try "$method first" goes_on_or_gives_up mmap:1:ENOMEM "$method"
		try "$method all" goes_on_or_gives_up mmap:1+:ENOMEM "$method"
		for n in 2 3 4; do
			MAY_MISS=1 try "$method $n+" goes_on_or_gives_up "mmap:$n+:ENOMEM" "$method"
		done
	done
	tried
	MAY_MISS='' gives_up mmap:1+:ENOMEM auto
	says "$(cat "$ERR")" 'Cannot allocate memory'
}

@test "clone is refused" {
	local error method n
	for error in ENOSYS EPERM EAGAIN ENOMEM EINVAL; do
		try "$error from the start" goes_on "clone:1+:$error" auto
		try "$error from the start, fence" goes_on "clone:1+:$error" fence
	done
	for error in ENOSYS EAGAIN; do
		try "$error from the start, a chain" goes_on "clone:1+:$error" auto "$READERS/chain" 4
		for n in 1 2 3 4 5 3+; do
			MAY_MISS=1 try "$error call $n" goes_on "clone:$n:$error" auto
			MAY_MISS=1 try "$error call $n, a chain" goes_on "clone:$n:$error" auto "$READERS/chain" 4
		done
	done
	tried
}

@test "clone claims to have failed as it should, but did nothing: believed only where it can be seen" {
	local n
	for n in 1+ 2+ 3+ 4+ 6+ 2 3 4 5; do
		MAY_MISS=1 try "$n" goes_on "clone:$n:EFAULT" auto "$READERS/chain" 4
		MAY_MISS=1 try "$n, 32 pipes" goes_on "clone:$n:EFAULT" fence "$READERS/chain" 32
		MAY_MISS=1 try "$n, a branch" goes_on "clone:$n:EFAULT" auto "$READERS/branch" 8M
	done
	tried
}

@test "write is interrupted, moves only part, has no room" {
	local outcome n
	for outcome in EINTR EAGAIN SHORT; do
		for n in 1 2 5 1+; do
			[ "$n" = 1+ ] && [ "$outcome" != SHORT ] && continue
			try "$outcome $n" goes_on "write:$n:$outcome" write
			try "$outcome $n without vmsplice" goes_on "vmsplice:1+:ENOSYS,write:$n:$outcome" auto
		done
	done
	tried
}

@test "write fails: an exact beginning, one line, status 1" {
	local error n
	for error in ENOSPC EIO EPERM EINVAL EBADF; do
		for n in 1 2 5 9+; do
			try "$error $n" gives_up "write:$n:$error" write
			try "$error $n without vmsplice" gives_up "vmsplice:1+:ENOSYS,write:$n:$error" auto
		done
	done
	tried
}

@test "poll is interrupted or fails" {
	local method error
	for method in auto $METHODS; do
		for error in EINTR EAGAIN ENOMEM; do
			MAY_MISS=1 try "$method $error" goes_on "poll:1:$error" "$method" "$READERS/late" 0 0.2
			MAY_MISS=1 try "$method $error 2" goes_on "poll:2:$error" "$method" "$READERS/late" 1M 0.2
		done
	done
	tried
}

@test "verify: splice, vmsplice, fcntl, madvise, mmap and poll fail" {
	local error n
	checks() {
		"$FIZZBUZZ" 1 1000000 | LD_PRELOAD=$SHIM FAULT=$1 "$VERIFY" -q "${@:2}" >/dev/null
	}
	for error in ENOSYS EPERM EINVAL EINTR EAGAIN; do
		for n in 1 2 1+; do
			[ "$n" = 1+ ] && { [ "$error" = EINTR ] || [ "$error" = EAGAIN ]; } && continue
			try "splice:$n:$error" checks "splice:$n:$error" --expect=none
			try "splice:$n:$error, sampled" checks "splice:$n:$error" --expect=fizzbuzz:1:1000000 --sample=1/4
			try "setpipe:$n:$error" checks "setpipe:$n:$error" --expect=fizzbuzz:1:1000000
			try "madvise:$n:$error" checks "madvise:$n:$error" --expect=fizzbuzz:1:1000000
		done
	done
	try "splice moves part" checks splice:1+:SHORT --expect=fizzbuzz:1:1000000 --sample=1/4
	try "poll:1:EINTR" checks poll:1:EINTR --expect=fizzbuzz:1:1000000
	tried
}

@test "verify: no memory is an error, not a pass" {
	local status=0
	LD_PRELOAD=$SHIM FAULT=mmap:1+:ENOMEM "$VERIFY" -q --expect=fizzbuzz:1:100 <"$REFERENCE/1000" \
		>/dev/null 2>&1 || status=$?
	[ "$status" -ne 0 ]
}
