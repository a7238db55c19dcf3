#!/usr/bin/env bash
# install.sh - installs what the tests need and this machine lacks, where that is allowed (root, apt-get);
# else says what is lacking. A test that needs it is then skipped, and says so.
set -u

# Each line: a command or a header, and the Debian package that has it.
needs() {
	cat <<'LIST'
prove perl
bats bats
ps procps
pv pv
socat socat
strace strace
clang clang
shellcheck shellcheck
aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
/usr/aarch64-linux-gnu/include/stdio.h libc6-dev-arm64-cross
qemu-aarch64 qemu-user
/usr/include/cmocka.h libcmocka-dev
LIST
}

# Whether a command, or a file if it is a path, is there.
have() {
	case $1 in
	/*) [ -e "$1" ] ;;
	*) command -v "$1" >/dev/null 2>&1 ;;
	esac
}

# The packages of all that is lacking.
lacking() {
	local what package
	while read -r what package; do
		have "$what" || echo "$package"
	done < <(needs)
}

mapfile -t packages < <(lacking)
[ ${#packages[@]} -eq 0 ] && exit 0
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
	echo "installing for the tests: ${packages[*]}"
	export DEBIAN_FRONTEND=noninteractive
	# One that cannot be had must not keep the others away.
	{
		apt-get install -y -q --no-install-recommends "${packages[@]}" ||
			{ apt-get update -q && apt-get install -y -q --no-install-recommends "${packages[@]}"; } ||
			for package in "${packages[@]}"; do
				apt-get install -y -q --no-install-recommends "$package"
			done
	} </dev/null >"${1:-/dev/null}" 2>&1
fi
mapfile -t packages < <(lacking)
[ ${#packages[@]} -eq 0 ] && exit 0
echo "not here, so tests that need them are skipped: ${packages[*]}"
if ! have prove || ! have bats; then
	echo "the tests cannot run without prove (perl) and bats; install: ${packages[*]}" >&2
	exit 1
fi
