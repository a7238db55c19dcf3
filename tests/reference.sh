#!/usr/bin/env bash
# reference.sh NAIVE FOLDER - writes the right answers that many tests compare with, by the naive program,
# and sees that they agree with published hashes (of two independent public programs). Each file is named
# after its last line.
set -eu

naive=$1
folder=$2
mkdir -p "$folder"

# Ends if the naive program itself is wrong.
agree() {
	local what=$1 right=$2 got=$3
	if [ "${got%% *}" != "$right" ]; then
		echo "reference.sh: the naive program is wrong: $what" >&2
		exit 1
	fi
}

"$naive" 1 42000000 >"$folder/42000000"
head -n 10000000 "$folder/42000000" >"$folder/10000000"
head -n 3000000 "$folder/10000000" >"$folder/3000000"
head -n 1000000 "$folder/10000000" >"$folder/1000000"
for lines in 100000 10000 1000 100 15; do
	head -n "$lines" "$folder/1000000" >"$folder/$lines"
done
agree "300,000,000 bytes" 96b2e327b21b604695ee5cf7c67b5a09 \
	"$(head -c 300000000 "$folder/42000000" | md5sum)"
agree "10,000,000 lines" 049663924ef63e4ac6dc67fb319745b8e2122bcb2e7231928c23d4c628962bf9 \
	"$(sha256sum "$folder/10000000")"
agree "1,000,000 lines" 95195a65da8ddd2b9147e90a13efc6bade06c20a7c64a41b247d23a487e14d06 \
	"$(sha256sum "$folder/1000000")"
touch "$folder/done"
