package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/capdoctor/capdoctor/rules"
)

// catalogFlags choose what is judged by.
type catalogFlags struct {
	rulesDirs    []string
	patternPaths []string
}

func (f *catalogFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.rulesDirs, "rules", nil, "a folder of further rules, laid out like the built-in catalogue; repeatable")
}

// addPatterns adds the flag of commands that read logs.
func (f *catalogFlags) addPatterns(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.patternPaths, "patterns", nil, "a file, or a folder of files, of further log patterns and line formats; repeatable")
}

// load reads the built-in catalogue and the user's folders on top of it.
func (f *catalogFlags) load() (*rules.Catalog, error) {
	if len(f.rulesDirs) == 0 {
		return rules.Default()
	}
	folders := []rules.Folder{{FS: rules.DefaultFS(), Tested: true}}
	for _, dir := range f.rulesDirs {
		info, err := os.Stat(dir)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("rules %q: want a folder with diagnoses/, systems/ or derived.yaml in it", dir)
		}
		folders = append(folders, rules.Folder{Name: dir, FS: os.DirFS(dir)})
	}
	return rules.Load(folders...)
}

// writeEach writes a result in every form that was asked for: FORMAT to
// standard output, FORMAT=FILE to a file that must not be standard output twice.
func writeEach(s streams, outputs []string, write func(w io.Writer, format string) error) error {
	for _, o := range outputs {
		format, file, toFile := strings.Cut(o, "=")
		if !toFile {
			if err := write(s.out, format); err != nil {
				return err
			}
			continue
		}
		if err := writeFile(file, func(w io.Writer) error { return write(w, format) }); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return cmp.Or(write(f), f.Close())
}
