#!/usr/bin/env bats
# Every shape of ring, pipe, push and half, by every method: the same bytes.

load common

# The shapes; the first is the default. Sizes that contradict each other are usage errors, tested there.
shapes() {
	cat <<'LIST'
DEFAULT
--classic
--ring=1M
--ring=4M
--ring=6M
--ring=8M
--ring=16M
--ring=24M
--half=4K --push=4K --ring=64K
--half=64K
--half=1M --push=1M
--half=2M --push=2M --ring=16M
--half=4M --push=4M --ring=16M
--push=128K
--push=1M
--push=2M --ring=8M
--pipe-size=4K
--pipe-size=64K
--pipe-size=256K --push=256K
--pipe-size=4K --classic --pipe-size=4K
--half=100000 --push=300000 --ring=5000000
--ring=128K
--ring=8K
LIST
}

# all_shapes METHOD - every shape by one method, read plainly; short pieces for what is slow.
all_shapes() {
	local shape lines
	while read -r shape; do
		lines=10000000
		if [ "$shape" = DEFAULT ]; then
			shape='' lines=42000000
		fi
		# shellcheck disable=SC2086
		try "$1 $shape" read_exactly "$lines" --output="$1" $shape
	done < <(shapes)
	tried
}

# read_exactly LINES OPTION... - one shape.
read_exactly() {
	local lines=$1
	shift
	"$FIZZBUZZ" "$@" 1 "$lines" | exact "$lines"
}

@test "every shape by method auto" {
	all_shapes auto
}

@test "every shape by method fence" {
	all_shapes fence
}

@test "every shape by method ring" {
	all_shapes ring
}

@test "every shape by method fresh" {
	all_shapes fresh
}

@test "every shape by method write" {
	all_shapes write
}

@test "ring with other slacks, a plain reader" {
	local slack
	for slack in 0 1 4K 64K 1M 6M 64M; do
		try "--slack=$slack" read_exactly 10000000 --fast --slack="$slack"
		try "--slack=$slack --classic" read_exactly 1000000 --fast --classic --slack="$slack"
	done
	tried
}

@test "every kernel in the shapes that move its seams" {
	local isa shape
	for isa in $(kernels); do
		for shape in --half=4K --half=8K --half=64K --half=1M --ring=128K --ring=24M; do
			try "$isa $shape" read_exactly 10000000 --isa="$isa" "$shape"
		done
	done
	tried
}
