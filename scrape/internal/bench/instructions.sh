#!/bin/sh
# Prints the instructions per byte that each reader of BenchmarkParse needs for
# a Spring Boot page, without garbage collection, counted by valgrind, so that
# other work on the machine does not matter: the difference between a long and a
# short run.
#
# usage: ./instructions.sh [260KB|5MB] [reader ...]
set -eu
cd "$(dirname "$0")"
size=${1:-260KB}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- asked-warm asked-cold all-warm all-cold textparse expfmt victoriametrics
few=3 many=13
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go test -c -o "$work/bench.test" .

# count RUNS READER prints the instructions of a whole run.
count() {
	GOGC=off GOMAXPROCS=1 GODEBUG=asyncpreemptoff=1 valgrind --tool=callgrind \
		--callgrind-out-file=/dev/null "$work/bench.test" -test.run '^$' \
		-test.bench "^BenchmarkParse\$/^$size\$/^$2\$" -test.benchtime "${1}x" 2>&1 >"$work/out" |
		sed -n 's/.*Collected : *\([0-9]*\).*/\1/p'
}

for reader in "$@"; do
	a=$(count $few "$reader")
	b=$(count $many "$reader")
	bytes=$(sed -n 's/.* \([0-9]*\) page-bytes.*/\1/p' "$work/out")
	awk -v a="$a" -v b="$b" -v n=$((many - few)) -v bytes="$bytes" -v r="$reader" -v s="$size" \
		'BEGIN { printf "%s %-15s %8.2f instructions/byte\n", s, r, (b - a) / n / bytes }'
done
