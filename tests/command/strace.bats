#!/usr/bin/env bats
# The same through a tracer: errors that the kernel itself returns, children and threads included.

load common

setup() {
	need strace
	strace -o /dev/null true 2>/dev/null || skip "ptrace is not allowed here"
}

# traced INJECTION METHOD [LINES] - a run under strace, the stream compared.
traced() {
	local lines=${3:-1000000}
	timeout 60 strace -f -o /dev/null ${1:+-e "inject=$1"} "$FIZZBUZZ" --output="$2" 1 "$lines" 2>/dev/null |
		exact "$lines"
}

@test "under a tracer at all" {
	local method
	for method in auto $METHODS; do
		try "$method" traced "" "$method"
	done
	tried
}

@test "cases from the field: vmsplice refused" {
	local error
	for error in ENOSYS EPERM EOPNOTSUPP EINVAL; do
		try "$error" traced "vmsplice:error=$error" auto
		try "$error ring" traced "vmsplice:error=$error" ring
		try "$error at the 5th" traced "vmsplice:error=$error:when=5" auto
	done
	tried
}

@test "clone and clone3 refused" {
	local error
	for error in ENOSYS EPERM EAGAIN ENOMEM; do
		try "clone $error" traced "clone:error=$error" auto 3000000
		try "clone3 $error" traced "clone3:error=$error" auto 3000000
		try "clone $error at the 2nd" traced "clone:error=$error:when=2" auto 3000000
	done
	tried
}

@test "madvise and poll at their first calls" {
	local method
	for method in auto ring; do
		try "madvise $method" traced madvise:error=EINVAL:when=1 "$method"
		try "poll $method" traced poll:error=EINTR:when=1 "$method"
	done
	tried
}

@test "every system call is interrupted by signals" {
	# A timer signal without SA_RESTART would end the command; stopping and continuing interrupts it too.
	local method
	for method in auto $METHODS; do
		try "$method" traced "vmsplice,write,poll:signal=SIGWINCH:when=3+7" "$method"
		try "$method continued" traced "vmsplice,write:signal=SIGCONT:when=2+5" "$method"
	done
	tried
}

@test "no child is left, none is ever seen" {
	# Fences copy the memory and run nothing: whatever they do, the command has no child to reap.
	timeout 60 strace -f -e trace=exit,exit_group,wait4,waitid -o "$BATS_TEST_TMPDIR/trace" "$FIZZBUZZ" \
		--output=fence 1 10000000 2>/dev/null | exact 10000000
	status_is 1 grep -q 'SIGCHLD' "$BATS_TEST_TMPDIR/trace"
}
