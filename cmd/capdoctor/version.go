package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker; without it the module's version is taken.
var version string

// versionText is the version of this binary, "devel" when it was built from a
// working tree.
func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

func newVersion(io streams) *cobra.Command {
	var output string
	c := silence(&cobra.Command{
		Use:   "version",
		Short: "print the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			switch output {
			case "text":
				fmt.Fprintf(io.out, "capdoctor %s, %s, %s/%s\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
				return nil
			case "json":
				return json.NewEncoder(io.out).Encode(map[string]string{
					"version": versionText(), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
				})
			}
			return fmt.Errorf("output %q: want text or json", output)
		},
	})
	c.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return c
}
