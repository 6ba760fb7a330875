#!/bin/sh
# Prints the instructions per byte that reading a generated log needs, and those
# of ripgrep beside it, counted by valgrind, so that other work on the machine
# does not matter: the difference between a long and a short run. What ripgrep
# needs to start is in its figure.
#
# usage: logparse/instructions.sh [Spring|JSON] [benchmark ...]
#        logparse/instructions.sh Spring tally,workers=1 events,workers=1
set -eu
cd "$(dirname "$0")"
form=${1:-Spring}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- events,workers=1
few=1 many=3
export BENCH_MIB="${BENCH_MIB:-64}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go test -c -o "$work/logparse.test" .
go build -o "$work/genlog" ./internal/genlog/cmd

# counted COMMAND ... prints the instructions of a whole run.
counted() {
	GOGC=off GOMAXPROCS=1 GODEBUG=asyncpreemptoff=1 valgrind --tool=callgrind \
		--callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null | sed -n 's/.*Collected : *\([0-9]*\).*/\1/p'
}

bytes=$((BENCH_MIB << 20))
for name in "$@"; do
	for runs in $few $many; do
		counted "$work/logparse.test" -test.run '^$' -test.bench "^Benchmark$form\$/^$name\$" -test.benchtime "${runs}x" >"$work/$runs"
	done
	awk -v a="$(cat "$work/$few")" -v b="$(cat "$work/$many")" -v n=$((many - few)) -v bytes=$bytes -v r="$form $name" \
		'BEGIN { printf "%-28s %6.2f instructions/byte\n", r, (b - a) / n / bytes }'
done
if command -v rg >/dev/null; then
	"$work/genlog" -form "$(echo "$form" | tr A-Z a-z)" -size $bytes >"$work/log"
	awk -v a="$(counted rg -c -F WARN "$work/log")" -v bytes=$bytes -v r="$form rg -c -F WARN" \
		'BEGIN { printf "%-28s %6.2f instructions/byte\n", r, a / bytes }'
fi
