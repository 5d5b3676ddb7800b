#!/bin/sh
# Installs what dsd needs besides Go: a C compiler, and libz3 with its header. With --tests, also
# python3-jsonschema, which the tests use. As root on Debian and its derivatives it calls apt-get, also
# for qemu-user, without which one test is skipped; elsewhere it prints what to install and exits with
# status 3.
#
# usage: scripts/deps.sh [--tests]
set -eu

want="libz3-dev gcc libc6-dev"
[ "${1:-}" = --tests ] && want="$want python3-jsonschema"

# have PACKAGE succeeds if what the package provides is there, wherever it came from.
have() {
	case $1 in
	libz3-dev) echo '#include <z3.h>' | ${CC:-cc} -E -x c - >/dev/null 2>&1 ;;
	gcc) command -v "${CC:-cc}" >/dev/null 2>&1 ;;
	libc6-dev) echo '#include <stdlib.h>' | ${CC:-cc} -E -x c - >/dev/null 2>&1 ;;
	qemu-user) command -v qemu-arm >/dev/null 2>&1 ;;
	python3-jsonschema) /usr/bin/python3 -c 'import jsonschema' >/dev/null 2>&1 ;;
	esac
}

need=$(sed -n 's/^go //p' "$(dirname "$0")/../go.mod")
if ! command -v go >/dev/null 2>&1; then
	echo "dsd: Go $need or newer is needed and is not on the PATH: see https://go.dev/dl" >&2
	exit 3
fi
# A go command of 1.21 or newer fetches the version that go.mod names, unless that is forbidden.
version=$(cd "$(dirname "$0")/.." && go env GOVERSION 2>/dev/null || GOTOOLCHAIN=local go version | cut -d' ' -f3)
version=${version#go}
if [ "$(printf '%s\n' "$need" "$version" | sort -V | head -1)" != "$need" ]; then
	echo "dsd: Go $need or newer is needed, and this is Go $version: see https://go.dev/dl" >&2
	exit 3
fi
if [ "${1:-}" = --tests ] && command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
	want="$want qemu-user"
fi
missing=
for p in $want; do have "$p" || missing="$missing $p"; done
[ -z "$missing" ] && exit 0

if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
	echo "dsd: installing$missing" >&2
	log=$(mktemp)
	trap 'rm -f "$log"' EXIT
	# shellcheck disable=SC2086
	{ apt-get update -q &&
		DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing; } \
		>"$log" 2>&1 || {
		tail -5 "$log" >&2
		echo "dsd: apt-get could not install$missing" >&2
		exit 3
	}
else
	echo "dsd: missing:$missing (names of Debian packages)" >&2
	sudo=''
	[ "$(id -u)" = 0 ] || sudo='sudo '
	# shellcheck disable=SC1091
	case $( (. "${OS_RELEASE:-/etc/os-release}" && echo "$ID ${ID_LIKE:-}") 2>/dev/null || uname) in
	*debian* | *ubuntu*) how="${sudo}apt-get install$missing" ;;
	*fedora* | *rhel*) how="${sudo}dnf install z3-devel gcc glibc-devel" ;;
	*alpine*) how="${sudo}apk add z3-dev gcc musl-dev" ;;
	*arch*) how="${sudo}pacman -S z3 gcc" ;;
	*suse*) how="${sudo}zypper install z3-devel gcc glibc-devel" ;;
	*Darwin*) how="brew install z3, and xcode-select --install for a C compiler" ;;
	*) how="your package manager: a C compiler, its library's headers, and libz3 with z3.h" ;;
	esac
	echo "dsd: install them and try again: $how" >&2
	exit 3
fi
