#!/bin/bash
# Measures every promise about speed that this project makes, and prints them as one table.
#
#     make bench PEER=/path/to/peer/fizzbuzz        the full run, five to eight minutes
#     make bench-quick                              one round over 2 GiB each, a minute
#
# The peer is the AVX2 assembly program by ais523 from the public collection omertuc/fizzgolf
# (submissions/asm/ais523): build it outside this tree. Without PEER its rows say so.
#
# How to read the table. Absolute rates of a machine drift by a third from hour to hour, so every figure
# is a ratio of two rates measured a moment apart. A round measures each pipeline once; there are several
# rounds, A B A B ..., and what is printed is the median of the rounds' ratios, with the smallest and the
# largest in brackets. Where that range is wide the machine was busy: run again. Behind it stand the asked
# and the hoped-for ratio, then the median rates of both sides in GiB/s. `short` marks a row whose median
# is below what is asked.
#
# How a rate is measured. bench/rate.c starts the pipeline, the writer pinned to one CPU and all readers
# to another, and reads the byte counts that the last reader reports while it runs (pv does with
# `-n -b -t`; bench/drain.c prints the same). The first GiB is not counted, then at least 10 GiB and at
# least a second are. The readers:
#     pv         the installed one, to /dev/null
#     spinning   drain spin: splice(2) to /dev/null, never asleep; what a writer can reach at most
#     read()     drain read: copies into a buffer of 128 KiB
#     verify     timed as a whole over two amounts; the difference is the steady part
#     holding    drain hold N: pages wait in N full pipes of 1 MiB behind the first before they are let go
#
# bench/generate.c measures what a writer's time is made of (bare stores, generation, pushing), and
# bench/unfilled.c is a writer that only pushes: what a reader such as pv takes at most.
#
# To reproduce one row by hand, BENCH_VERBOSE=1 shows every command. Settings, from the environment:
#     BENCH_ROUNDS  rounds (5)                  BENCH_BYTES   least bytes of a measurement (10G)
#     BENCH_CPUS    writer,reader (the first    BENCH_SECONDS least seconds of a measurement (1)
#                   two that are allowed)       BENCH_PAUSE   seconds with a stopped reader (10)
#
# Figures are not tests: the status is 0 also when rows fall short, and 1 only if a run failed.
set -u

tools=${BENCH_TOOLS:-build/bench}
fizzbuzz=${BENCH_FIZZBUZZ:-./fizzbuzz}
verify=${BENCH_VERIFY:-./verify}
peer=${PEER:-}
rounds=${BENCH_ROUNDS:-5}
bytes=$(numfmt --from=iec "${BENCH_BYTES:-10G}") || exit 2
seconds=${BENCH_SECONDS:-1}
pause=${BENCH_PAUSE:-10}
gib=$((1 << 30))
results=$tools/results.txt
failures=0

# The first two CPUs this process may use, as "W,R"; "W,W" if there is only one.
choose_cpus() {
	awk '$1 == "Cpus_allowed_list:" {
		n = split($2, part, ",")
		for (i = 1; i <= n; i++) {
			ends = split(part[i], range, "-")
			for (cpu = range[1] + 0; cpu <= range[ends] + 0 && found < 2; cpu++)
				list[++found] = cpu
		}
		print list[1] "," list[found]
	}' /proc/self/status
}

# Runs one pipeline as the settings say; prints what rate prints.
rate() {
	local command=("$tools/rate" -c "$cpus" -w "$gib" -n "$bytes" -t "$seconds" "$@")
	[ -z "${BENCH_VERBOSE:-}" ] || echo "bench: ${command[*]@Q}" >&2
	"${command[@]}"
}

# Says that there is no figure, and goes on with the others.
failed() {
	echo "bench: $1 failed" >&2
	failures=$((failures + 1))
}

# Runs one pipeline and keeps the figures under a name. Arguments: name, options of rate, pipeline.
measure() {
	local name=$1 line
	shift
	if line=$(rate "$@"); then
		echo "$round $name $line" >>"$results"
	else
		failed "$name"
	fi
}

# Verify says nothing while it runs under -q; it stops after a number of bytes, satisfied. So it is timed
# as a whole over two numbers, and the difference between the two runs is the steady part. The fast ways
# get more bytes (a factor) so that it is long enough. Arguments: name, factor, options of verify.
measure_verify() {
	local name=$1 steady=$((bytes * $2)) short long
	shift 2
	if short=$(rate -e "$fizzbuzz" '|' "$verify" -q --bytes="$gib" "$@") &&
		long=$(rate -e "$fizzbuzz" '|' "$verify" -q --bytes=$((gib + steady)) "$@"); then
		awk -v a="${short%% *}" -v n="$steady" -v head="$round $name" \
			'{ printf "%s %.0f %s %s %s\n", head, n / ($1 - a), $2, $3, $4 }' <<<"$long" >>"$results"
	else
		failed "$name"
	fi
}

# The parts of a writer's time, and what one producer could reach at most from them; what waking costs.
measure_parts() {
	local line
	if line=$(taskset -c "${cpus%,*}" "$tools/generate" "$bytes"); then
		awk -v round="$round" '
			{ rate[$1] = $2; print round, $1, $2 }
			END { print round, "bound", 1 / (1 / rate["stores"] + 1 / rate["push"]) }
		' <<<"$line" >>"$results"
	else
		failed generate
	fi
	echo "$round wake $("$tools/wake" "$cpus")" >>"$results"
}

# One measurement of everything; what is compared stands close together.
one_round() {
	local pv=(pv -n -b -t -i 0.1)
	local spin=("$tools/drain" spin)

	# Through pv.
	if [ "$have_pv" ]; then
		[ -z "$peer" ] || measure peer_pv "$peer" '|' "${pv[@]}"
		measure auto_pv "$fizzbuzz" '|' "${pv[@]}"
		measure fast_pv "$fizzbuzz" --fast '|' "${pv[@]}"
		measure idle_pv "$tools/unfilled" '|' "${pv[@]}"
		measure fresh_pv "$fizzbuzz" --output=fresh '|' "${pv[@]}"
		measure write_pv "$fizzbuzz" --output=write '|' "${pv[@]}"
	fi

	# Into a reader that never sleeps.
	[ -z "$peer" ] || measure peer_spin "$peer" '|' "${spin[@]}"
	measure fast_spin "$fizzbuzz" --fast '|' "${spin[@]}"
	measure_parts
	measure auto_spin "$fizzbuzz" '|' "${spin[@]}"
	measure after "$fizzbuzz" '|' "$tools/drain" hold 32 "$gib"

	# Behind a chain that holds pages for long.
	measure auto_hold4 "$fizzbuzz" '|' "$tools/drain" hold 4
	measure fresh_hold4 "$fizzbuzz" --output=fresh '|' "$tools/drain" hold 4
	measure auto_hold32 "$fizzbuzz" '|' "$tools/drain" hold 32
	measure fresh_hold32 "$fizzbuzz" --output=fresh '|' "$tools/drain" hold 32

	# Verified.
	measure auto_read "$fizzbuzz" '|' "$tools/drain" read
	measure_verify verify_all 1
	measure_verify verify_none 3 --expect=none
	measure_verify verify_sample 3 --sample=1/64

	# Writer and reader on the same CPU.
	measure auto_shared -c "${cpus%,*},${cpus%,*}" "$fizzbuzz" '|' "$tools/drain" block
	measure write_shared -c "${cpus%,*},${cpus%,*}" "$fizzbuzz" --output=write '|' "$tools/drain" block
}

# What a stopped reader costs; long, and not a matter of rounds.
measure_stopped() {
	local round=1
	measure stopped -p "$pause" "$fizzbuzz" '|' "$tools/drain" block
	measure stopped_fast -p "$pause" "$fizzbuzz" --fast '|' "$tools/drain" block
}

# The rows: what, numerator, denominator, least, aim. Names are those of the measurements; `-` is none.
rows() {
	cat <<'END'
fizzbuzz | pv, against the peer there;auto_pv;peer_pv;5;9
fizzbuzz --fast | pv, against the peer there;fast_pv;peer_pv;6;10
fizzbuzz --fast, spinning reader, against the peer there;fast_spin;peer_spin;1.15;1.4
default against --fast, spinning reader;auto_spin;fast_spin;0.65;0.9
default against --fast, through pv;auto_pv;fast_pv;0.75;0.95
generation alone, share of bare vector stores;generate;stores;0.85;1
--fast, spinning reader, share of the bound 1/(1/fill + 1/push);fast_spin;bound;0.75;0.98
fizzbuzz | verify, against a reader that only read()s;verify_all;auto_read;0.6;0.9
verify --sample=1/64, against --expect=none;verify_sample;verify_none;0.85;0.95
--output=fresh against --output=write, through pv;fresh_pv;write_pv;2;4
one CPU for both: default against --output=write;auto_shared;write_shared;0.5;-
4 MiB held behind the pipe: default against --output=fresh;auto_hold4;fresh_hold4;1;-
32 MiB held behind the pipe: default against --output=fresh;auto_hold32;fresh_hold32;1;-
default after 32 MiB were let go, against never held;after;auto_spin;0.8;1
to compare: --fast | pv, share of a writer that fills nothing;fast_pv;idle_pv;-;-
to compare: peer | pv, share of a writer that fills nothing;peer_pv;idle_pv;-;-
END
}

# Prints the table from what was kept; the arithmetic is in table.awk.
table() {
	echo "fizzbuzz: $("$fizzbuzz" --version)   pv: ${have_pv:-not installed}   peer: ${peer:-none, set PEER}"
	echo "kernel $(uname -r), $(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), CPUs $cpus" \
		"(writer,readers), huge pages $(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)"
	echo "rounds: $rounds; a measurement: at least ${BENCH_BYTES:-10G}iB and $seconds s; load at the start: $load"
	awk -v load="$load" 'BEGIN { exit !(load > 0.5) }' && echo "BUSY MACHINE: others ran at the start"
	[ "${cpus%,*}" != "${cpus#*,}" ] || echo "ONLY ONE CPU is allowed: writer and readers share it"
	echo
	rows | awk -v results="$results" -v peer="$peer" -v pv="$have_pv" -v pause="$pause" -f "${0%/*}/table.awk"
}

for program in "$fizzbuzz" "$verify" ${peer:+"$peer"}; do
	[ -x "$program" ] || { echo "bench: $program is no program (make builds ours)" >&2; exit 1; }
done
have_pv=$(pv --version 2>/dev/null | awk 'NR == 1 { print $2 }')
cpus=${BENCH_CPUS:-$(choose_cpus)}
load=$(cut -d" " -f1 /proc/loadavg)
: >"$results" || exit 1
for ((round = 1; round <= rounds; round++)); do
	echo "bench: round $round of $rounds" >&2
	one_round
done
measure_stopped
table
[ "$failures" -eq 0 ] || { echo "$failures measurements failed"; exit 1; }
