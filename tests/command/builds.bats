#!/usr/bin/env bats
# Other builds than the usual one: both compilers without a warning, sanitizers, another processor.

load common

setup() {
	# The outer make's variables are not for these.
	unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL GNUMAKEFLAGS CFLAGS LDFLAGS CC BUILD BIN
}

# build NAME VARIABLE=VALUE... TARGET... - builds into a folder of its own; shows the end if it fails.
build() {
	local where=build/tests/variants/$1
	shift
	make -C "$HERE" -j2 BUILD="$where" BIN="$where/bin" "$@" >"$BATS_TEST_TMPDIR/make" 2>&1 ||
		{ tail -n 40 "$BATS_TEST_TMPDIR/make"; return 1; }
	MADE=$HERE/$where
}

# Only a compiler without them is a reason to skip: a tree that does not compile under them is a failure.
has_sanitizers() {
	echo 'int main(void) { return 0; }' |
		"${CC:-cc}" -fsanitize=address,undefined -x c -o "$BATS_TEST_TMPDIR/sanitized" -
}

@test "gcc has no warning" {
	need gcc
	build gcc CC=gcc CFLAGS="-O2 -g -Werror" test-programs
}

@test "clang has no warning" {
	need clang
	build clang CC=clang CFLAGS="-O2 -g -Werror" test-programs
	"$MADE/bin/fizzbuzz" 1 1000000 | exact 1000000
	"$MADE/bin/fizzbuzz" 1 1000000 | "$MADE/bin/verify" -q --expect=fizzbuzz:1:1000000
}

@test "gcc with all of its optimization: no warning, the same bytes" {
	need gcc
	local isa
	build gcc-O3 CC=gcc CFLAGS="-O3 -Werror" all
	for isa in $(kernels); do
		"$MADE/bin/fizzbuzz" --isa="$isa" 1 1000000 | exact 1000000
	done
}

# sanitized - no sanitizer has said anything in the file of all messages.
sanitized() {
	status_is 1 grep -E 'AddressSanitizer|LeakSanitizer|runtime error' "$BATS_TEST_TMPDIR/err"
}

SANITIZE="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"

@test "sanitizers: the unit tests" {
	has_sanitizers || skip "this compiler has no sanitizers"
	build asan CFLAGS="$SANITIZE" test-programs
	local unit ran=0
	for unit in "$MADE"/tests/unit/*; do
		[ -x "$unit" ] && [ ! -d "$unit" ] || continue
		timeout 120 "$unit" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" ||
			{ grep '^not ok' "$BATS_TEST_TMPDIR/out"; cat "$BATS_TEST_TMPDIR/err"; return 1; }
		sanitized
		ran=$((ran + 1))
	done
	[ "$ran" -gt 0 ] || skip "needs cmocka"
}

@test "sanitizers: short pipelines" {
	has_sanitizers || skip "this compiler has no sanitizers"
	build asan CFLAGS="$SANITIZE" all
	local isa method fizzbuzz=$MADE/bin/fizzbuzz verify=$MADE/bin/verify err=$BATS_TEST_TMPDIR/err status
	for isa in $(kernels); do
		for method in auto $METHODS; do
			"$fizzbuzz" --isa="$isa" --output="$method" 1 1000000 2>>"$err" | exact 1000000
			"$fizzbuzz" --isa="$isa" --output="$method" 2>>"$err" | head -c 20000000 |
				cmp - <(head -c 20000000 "$REFERENCE/10000000") || [ $? -eq 141 ]
			"$fizzbuzz" --isa="$isa" --output="$method" --classic 1 1000000 2>>"$err" | exact 1000000
		done
		"$fizzbuzz" --isa="$isa" 99999990 100000100 2>>"$err" | cmp - <("$NAIVE" 99999990 100000100)
		"$fizzbuzz" --isa="$isa" 18446744073709451615 2>>"$err" |
			cmp - <("$NAIVE" 18446744073709451615 18446744073709551615)
	done
	for method in auto fence fresh write; do
		"$fizzbuzz" --output="$method" 1 10000000 2>>"$err" | "$READERS/chain" 4 | exact 10000000
	done
	{
		"$fizzbuzz" 1 3000000 | "$verify" -q --expect=fizzbuzz:1:3000000
		"$verify" -q --expect=fizzbuzz:1:10000000 --sample=1/4 <"$REFERENCE/10000000"
		"$verify" -q --expect="$REFERENCE/1000000" <"$REFERENCE/1000000"
	} 2>>"$err"
	local damage
	for damage in "flip 3000000 1" "drop 100 131072" "repeat 1000000 131072" "swap 0 131072" "cut 6274072"; do
		status=0
		# shellcheck disable=SC2086
		"$TOOLS/tools/damage" $damage <"$REFERENCE/1000000" |
			"$verify" -q --expect=fizzbuzz:1:1000000 2>>"$err" || status=$?
		[ "$status" -eq 1 ]
	done
	for damage in "" -1 10x 18446744073709551616; do
		status=0
		"$fizzbuzz" -- "$damage" 2>>"$err" || status=$?
		[ "$status" -eq 2 ]
	done
	sanitized
}

@test "aarch64: cross-built, run by qemu, exact" {
	need aarch64-linux-gnu-gcc qemu-aarch64
	[ -e /usr/aarch64-linux-gnu/include/stdio.h ] || skip "needs libc6-dev-arm64-cross"
	build aarch64 CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar CFLAGS="-O2 -Werror" LDFLAGS=-static all
	local run=(qemu-aarch64 "$MADE/bin/fizzbuzz") method
	says "$("${run[@]}" --isa=list)" 'scalar \(default\)'
	"${run[@]}" 1 1000000 >"$BATS_TEST_TMPDIR/file"
	exact 1000000 <"$BATS_TEST_TMPDIR/file"
	for method in auto $METHODS; do
		try "$method" qemu_pipe "$method" cat
	done
	for method in auto fresh write; do
		try "$method, a chain" qemu_pipe "$method" "$READERS/chain" 4
	done
	tried
	"${run[@]}" 18446744073709541615 | cmp - <("$NAIVE" 18446744073709541615 18446744073709551615)
	"${run[@]}" 1 100000 | qemu-aarch64 "$MADE/bin/verify" -q --expect=fizzbuzz:1:100000
	"$TOOLS/tools/damage" flip 400000 1 <"$REFERENCE/100000" |
		status_is 1 qemu-aarch64 "$MADE/bin/verify" -q --expect=fizzbuzz:1:100000
}

# qemu_pipe METHOD READER... - the aarch64 build through a pipe; a million lines go round its ring.
qemu_pipe() {
	timeout 60 qemu-aarch64 "$HERE/build/tests/variants/aarch64/bin/fizzbuzz" --output="$1" --ring=2M 1 1000000 |
		"${@:2}" | exact 1000000
}

@test "the scripts of the tests are clean under shellcheck" {
	need shellcheck
	cd "$HERE"
	shellcheck .ci/run tests/*.sh
	shellcheck -s bash tests/command/*.bash
	# What bats and bash -c are about: other files, subshells, words in single quotes.
	shellcheck -S warning -e SC2030,SC2031,SC2154,SC2317 tests/command/*.bats
}
