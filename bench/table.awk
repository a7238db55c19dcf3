# Prints the table of bench.sh. Reads the rows (what;numerator;denominator;least;aim) from standard input
# and, from the file `results`, lines of: round, name, rate in bytes per second, peak memory in KiB of the
# writer and of the last reader, CPU seconds per second while the readers were stopped.

BEGIN {
	FS = ";"
	MEMORY_MOST = 32
	STOPPED_MOST = 2
	while ((getline line < results) > 0) {
		split(line, field, " ")
		round = field[1] + 0
		name = field[2]
		rate[round, name] = field[3]
		rounds = round > rounds ? round : rounds
		if (name !~ /^(peer|idle)_/)
			largest("fizzbuzz", field[4])
		if (name ~ /^verify_/)
			largest("verify", field[5])
		if (name ~ /^stopped/)
			stopped[name] = field[6]
	}
	printf "%-62s %8s %-15s %7s %6s   %s\n", "", "measured", "(least..most)", "asked", "aim", "GiB/s"
}

{
	label = $1
	n = 0
	for (round = 1; round <= rounds; round++) {
		if ((round, $2) in rate && (round, $3) in rate)
			ratio[++n] = rate[round, $2] / rate[round, $3]
	}
	if (n == 0) {
		printf "%-62s %s\n", label, why_not($2 " " $3)
		missing++
		next
	}
	sort(ratio, n)
	verdict(label, middle(ratio, n), $4 != "-" && middle(ratio, n) < $4)
	printf "%-62s %7.2fx %-15s %7s %6s   %.1f / %.1f%s\n", label, middle(ratio, n),
		sprintf("(%.2f..%.2f)", ratio[1], ratio[n]), times($4), times($5), typical($2), typical($3), mark
}

END {
	print ""
	for (i = split("verify fizzbuzz", programs, " "); i > 0; i--) {
		program = programs[i]
		if (memory[program] == 0) {
			missing++
			continue
		}
		size = memory[program] / 1024
		verdict("peak memory of " program, size, size >= MEMORY_MOST)
		printf "%-62s %6.1f MiB %27s%s\n", "peak memory of " program ", largest of all runs", size,
			"< " MEMORY_MOST " MiB", mark
	}
	for (i = split("stopped_fast stopped", names, " "); i > 0; i--) {
		name = names[i]
		if (!(name in stopped)) {
			missing++
			continue
		}
		share = stopped[name] * 100
		label = "CPU of the writer" (name ~ /fast/ ? " (--fast)" : "") " while its reader is stopped"
		verdict(label, share, share >= STOPPED_MOST)
		printf "%-62s %7.2f %% %28s%s\n", label ", " pause " s", share, "< " STOPPED_MOST " %", mark
	}
	printf "%-62s %6.1f us  to compare\n", "waking a process that sleeps on the other CPU", typical("wake") * 1024 ^ 3 * 1e6
	print ""
	if (short_count == 0)
		print "Every measured row has what is asked."
	else
		print short_count " short of what is asked:" short_list
	if (missing > 0)
		print missing " without a figure."
}

# Notes a row that falls short; `mark` is what its line ends with.
function verdict(row, value, is_short) {
	mark = is_short ? "   short" : ""
	if (is_short) {
		short_count++
		short_list = short_list sprintf("\n    %s: %.2f", row, value)
	}
}

# Why a row has no figure.
function why_not(names) {
	if (names ~ /peer_/ && peer == "")
		return "no PEER given"
	if (names ~ /_pv/ && pv == "")
		return "pv is not installed"
	return "failed"
}

# Keeps the largest memory of a program.
function largest(program, kib) {
	if (kib > memory[program])
		memory[program] = kib
}

# The middle of sorted values 1..n, or of the two in the middle.
function middle(values, n) {
	return (values[int((n + 1) / 2)] + values[int(n / 2) + 1]) / 2
}

# Sorts values 1..n, few of them.
function sort(values, n,    i, j, value) {
	for (i = 2; i <= n; i++) {
		value = values[i]
		for (j = i - 1; j >= 1 && values[j] > value; j--)
			values[j + 1] = values[j]
		values[j + 1] = value
	}
}

# The median rate of a measurement in GiB/s.
function typical(name,    round, all, n) {
	for (round = 1; round <= rounds; round++) {
		if ((round, name) in rate)
			all[++n] = rate[round, name] / 1024 ^ 3
	}
	sort(all, n)
	return middle(all, n)
}

# A ratio as it is asked for.
function times(number) {
	return number == "-" ? "" : number "x"
}
