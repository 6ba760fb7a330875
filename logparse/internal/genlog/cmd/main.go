// Command genlog writes a generated log to its standard output:
//
//	go run ./logparse/internal/genlog/cmd -form spring -size 1073741824 > /tmp/spring.log
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/capdoctor/capdoctor/logparse/internal/genlog"
)

func main() {
	form := flag.String("form", "spring", "form of the lines: spring, json, access")
	size := flag.Int64("size", 1<<30, "size in bytes")
	seed := flag.Uint64("seed", 1, "seed of the numbers")
	flag.Parse()
	forms := map[string]genlog.Line{"spring": genlog.Spring, "json": genlog.JSON, "access": genlog.Access}
	line, ok := forms[*form]
	if !ok {
		fmt.Fprintf(os.Stderr, "genlog: unknown form %q\n", *form)
		os.Exit(2)
	}
	g := genlog.New(*seed, time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC))
	if err := g.Write(os.Stdout, *size, line); err != nil {
		fmt.Fprintln(os.Stderr, "genlog:", err)
		os.Exit(1)
	}
}
