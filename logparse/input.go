package logparse

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// An Input is one log: a file, or the files of a rotated set in the order of
// time. Its files are read one after the other.
type Input struct {
	Service  string // may be empty
	Instance string
	Files    []string // "-" is the standard input
}

// name is the form of the names of services and instances.
var name = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// Inputs resolves arguments of the form [[SERVICE/]NAME=]FILE, where FILE is a
// path, a pattern of paths, a folder, or - for the standard input. Files with
// one name form a rotated set. It returns the inputs by service and instance,
// and what it left out, in sentences. The files of a set are put in order by
// the stamps of their lines; formats are the forms of these, nil the built-in
// ones. Errors name the argument.
func Inputs(args []string, formats *Formats) (inputs []Input, notes []string, err error) {
	set := inputSet{}
	for _, arg := range args {
		if err := set.add(arg); err != nil {
			return nil, nil, err
		}
	}
	for i := range set.inputs {
		in := &set.inputs[i]
		in.Files = inOrder(in.Files, formats)
	}
	slices.SortFunc(set.inputs, func(a, b Input) int {
		return cmp.Or(strings.Compare(a.Service, b.Service), strings.Compare(a.Instance, b.Instance))
	})
	slices.Sort(set.notes)
	return set.inputs, set.notes, nil
}

type inputSet struct {
	inputs []Input
	notes  []string
}

func (s *inputSet) add(arg string) error {
	service, instance, path, err := splitArg(arg)
	if err != nil {
		return err
	}
	files, err := s.expand(path)
	if err != nil {
		return fmt.Errorf("log %q: %w", arg, err)
	}
	for _, f := range files {
		id := instance
		if id == "" {
			id = InstanceOf(f)
		}
		s.put(service, id, f)
	}
	return nil
}

// put adds a file to the input of its name.
func (s *inputSet) put(service, instance, file string) {
	for i := range s.inputs {
		in := &s.inputs[i]
		if in.Service == service && in.Instance == instance {
			if !slices.Contains(in.Files, file) {
				in.Files = append(in.Files, file)
			}
			return
		}
	}
	s.inputs = append(s.inputs, Input{Service: service, Instance: instance, Files: []string{file}})
}

// splitArg takes the name off an argument. A path that exists as it stands has
// no name.
func splitArg(arg string) (service, instance, path string, err error) {
	left, path, ok := strings.Cut(arg, "=")
	if !ok {
		return "", "", arg, nil
	}
	if _, err := os.Stat(arg); err == nil {
		return "", "", arg, nil
	}
	service, instance, two := strings.Cut(left, "/")
	if !two {
		service, instance = "", left
	}
	switch {
	case strings.Contains(left, string(filepath.Separator)) && filepath.IsAbs(left), strings.ContainsAny(left, "*?["):
		return "", "", arg, nil
	case !name.MatchString(instance) || two && !name.MatchString(service):
		return "", "", "", fmt.Errorf("log %q: the name before = may hold letters, digits, dots, dashes and one slash", arg)
	case path == "":
		return "", "", "", fmt.Errorf("log %q: no file after =", arg)
	}
	return service, instance, path, nil
}

// InstanceOf returns the name of a log that was given none: the base name of
// its path up to the first .log, .gz, .zst, .bz2, .xz or .N, and without the
// date of a rotated file; fdN for the shell's <(command).
func InstanceOf(path string) string {
	base := filepath.Base(path)
	if dir := filepath.Dir(path); dir == "/dev/fd" || strings.HasPrefix(dir, "/proc/") {
		return "fd" + base
	}
	if path == "-" || base == "." || base == string(filepath.Separator) {
		return "stdin"
	}
	if loc := suffix.FindStringIndex(base); loc != nil && loc[0] > 0 {
		base = base[:loc[0]]
	}
	if loc := dateSuffix.FindStringIndex(base); loc != nil && loc[0] > 0 {
		base = base[:loc[0]]
	}
	return base
}

var (
	suffix     = regexp.MustCompile(`\.(log|gz|zst|bz2|xz|[0-9]+)(\.|-|_|$)`)
	dateSuffix = regexp.MustCompile(`[-_.](19|20)[0-9]{2}[-_.]?[0-9]{2}[-_.]?[0-9]{2}([-_.T]?[0-9:.-]*)?$`)
)
