#!/usr/bin/env bats
# Every kind of reader that is known to break writers that hand pages to a pipe.

load common

# read_by LINES READER... - the default shape and the classic one, by the methods in $WITH, through one of
# the readers of these tests. Methods in a subset; the reader's own status counts too.
read_by() {
	local lines=$1 method
	shift
	for method in ${WITH:-auto $METHODS}; do
		try "$method | $*" through "$lines" "$1" "${@:2}" -- --output="$method"
		try "$method --classic | $*" through "$lines" "$1" "${@:2}" -- --output="$method" --classic
	done
}

# through LINES READER ARGUMENT... -- OPTION... - one pipeline, compared.
through() {
	local lines=$1 reader=() status=(0 0 0)
	shift
	while [ "$1" != -- ]; do
		reader+=("$1")
		shift
	done
	shift
	"$FIZZBUZZ" "$@" 1 "$lines" | "$READERS/${reader[0]}" "${reader[@]:1}" 2>"$BATS_TEST_TMPDIR/note" |
		exact "$lines" || status=("${PIPESTATUS[@]}")
	cat "$BATS_TEST_TMPDIR/note"
	[ "${status[1]}" -eq 77 ] && return 77
	[ "${status[*]}" = "0 0 0" ]
}

@test "reads of odd sizes" {
	read_by 10000 plain 1
	read_by 100000 plain 7
	read_by 10000000 plain 4095
	read_by 10000000 plain 4097
	read_by 10000000 plain 64K
	tried
}

@test "one byte at a time through a ring that it goes round many times" {
	local method
	for method in auto $METHODS; do
		try "$method" through 100000 plain 1 -- --output="$method" --ring=32K --half=4K --pipe-size=16K
	done
	tried
}

@test "a late start and a stop" {
	read_by 10000000 late 0 0.3
	read_by 10000000 late 5000000 0.3
	tried
}

@test "the reader enlarges the pipe before its first read" {
	read_by 10000000 resize 0 1M
	try "small pipe" through 10000000 resize 0 1M -- --fast --pipe-size=64K
	try "smallest ring" through 10000000 resize 0 1M -- --fast --ring=8K --slack=0
	tried
}

@test "the reader enlarges the pipe in mid-stream" {
	read_by 10000000 resize 20000000 128K 1M
	tried
}

@test "the reader changes the pipe up and down again and again" {
	read_by 10000000 resize 3000000 1M 4K 512K 64K
	try "from a small pipe" through 10000000 resize 3000000 64K 1M 4K 512K -- --fast --pipe-size=64K --ring=256K \
		--half=64K --slack=0
	tried
}

@test "the reader shrinks the pipe, and it does" {
	read_by 10000000 resize 10000000 4K 8K 1M
	says "$(cat "$BATS_TEST_TMPDIR/note")" ' [1-9][0-9]* smaller'
	tried
}

@test "splices onward through one pipe, lets it fill, reads late" {
	WITH="auto fence fresh write" read_by 10000000 chain 1
	tried
}

@test "splices onward through four pipes" {
	WITH="auto fence fresh write" read_by 10000000 chain 4
	tried
}

@test "splices onward through thirty-two pipes" {
	WITH="auto fence fresh write" read_by 10000000 chain 32
	try "32 MiB again and again" through 42000000 chain 32 -- --output=auto
	tried
}

@test "ring: chains that hold no more than the slack" {
	local ring
	for ring in 4M 8M 16M; do
		try "one pipe, ring $ring" through 10000000 chain 1 -- --fast --ring="$ring"
		try "1 MiB in four pipes, ring $ring" through 10000000 chain 4 1M -- --fast --ring="$ring"
		try "1 MiB in 32 pipes, ring $ring" through 10000000 chain 32 1M -- --fast --ring="$ring"
		try "2 MiB, slack 2 MiB" through 10000000 chain 4 2M -- --fast --ring="$ring" --slack=2M
	done
	try "16 MiB, slack 16 MiB" through 42000000 chain 32 16M -- --fast --slack=16M
	try "16 MiB, slack 16 MiB, ring 4 MiB" through 42000000 chain 32 16M -- --fast --slack=16M --ring=4M
	try "1 MiB, small pipe" through 10000000 chain 4 1M -- --fast --pipe-size=64K
	try "1 MiB, large pushes" through 10000000 chain 4 1M -- --fast --push=2M --ring=16M
	tried
}

@test "tees and holds one branch" {
	local after
	for after in 0 24M; do
		WITH="auto fence fresh write" read_by 10000000 branch "$after"
	done
	tried
}

@test "splices into a socket that keeps the pages" {
	WITH="auto fence fresh write" read_by 10000000 tosocket
	WITH="auto fence fresh write" read_by 10000000 tosocket 8M
	tried
}

@test "every ring shape behind a chain and behind a branch" {
	local shape method
	for method in auto fresh; do
		for shape in --ring=1M --ring=4M --ring=6M --half=64K --push=1M --push=128K --ring=24M; do
			try "$method $shape | chain" through 10000000 chain 4 -- --output="$method" "$shape"
			try "$method $shape | branch" through 10000000 branch 3M -- --output="$method" "$shape"
		done
		for shape in --pipe-size=64K --pipe-size=4K; do
			try "$method $shape | chain" through 1000000 chain 4 -- --output="$method" "$shape" --ring=1M
			try "$method $shape | branch" through 1000000 branch 1M -- --output="$method" "$shape" --ring=1M
		done
	done
	tried
}

@test "every kernel behind a chain" {
	local isa
	for isa in $(kernels); do
		try "$isa" through 10000000 chain 4 -- --isa="$isa"
	done
	tried
}
