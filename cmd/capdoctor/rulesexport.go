package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/capdoctor/capdoctor/rules"
)

// rulesExportOptions are the flags of rules export.
type rulesExportOptions struct {
	judgeFlags
	systems      []string
	diagnoses    []string
	interval     time.Duration
	targetLabels []string
	serviceLabel string
	format       string
	perGroup     int
	path         string
	dir          string
	force        bool
	streams      streams
	catalog      *rules.Catalog
	asked        []string // the flags that say what is written, as they were given
}

// ruleFormats are the forms of --format.
var ruleFormats = map[string]rules.RuleFormat{"prometheus": rules.PrometheusRules, "prometheus-operator": rules.PrometheusOperator}

// operatorLabels are what the Prometheus operator puts on the series of every
// target beside instance and job.
var operatorLabels = []string{"namespace", "pod", "container", "endpoint", "service"}

func newRulesExport(s streams) *cobra.Command {
	o := rulesExportOptions{streams: s}
	c := silence(&cobra.Command{
		Use:   "export [-o FILE | --dir DIR]",
		Short: "write the rules for your own Prometheus",
		Long: `export writes the catalogue as Prometheus rule files: what turns metrics into
signals, and an alert for every diagnosis that these signals can prove. They run
as they are on Prometheus, Thanos, Mimir and vmalert. Facts, the interval and
the windows, which capdoctor itself supplies elsewhere, stand in the rules.

--system keeps the systems that you have. What only lines of logs show is left
out; the head of the file says what is not in it.

Signals of one thing are compared when all their labels are equal. So name with
--target-label every label that your Prometheus puts on the series of a target,
beside instance and job; the alert CapdoctorUnknownTargetLabel tells which one
is missing. --service-label names the label that programs share which work
together.`,
		Example: `  capdoctor rules export --system evento,jvm,hikaricp -o capdoctor-rules.yaml
  capdoctor rules export --system tomcat,jvm,hikaricp,postgres \
    --target-label env,team --service-label env --scrape-interval 30s
  capdoctor rules export --diagnosis pool-exhausted --fact deadline_seconds=10s
  capdoctor rules export --system envoy --format prometheus-operator \
    -o prometheusrule.yaml`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.complete(c.Flags()); err != nil {
				return err
			}
			return o.run()
		},
	})
	o.add(c.Flags())
	o.offer(c)
	return c
}

func (o *rulesExportOptions) add(flags *pflag.FlagSet) {
	o.catalogFlags.add(flags)
	flags.StringSliceVar(&o.systems, "system", nil, "only the rules of these systems, such as tomcat,jvm; repeatable")
	flags.StringSliceVar(&o.diagnoses, "diagnosis", nil, "only these diagnoses, and what they need; repeatable")
	flags.DurationVar(&o.interval, "scrape-interval", 15*time.Second, "how often your Prometheus scrapes these targets; the rules are evaluated as often")
	flags.StringSliceVar(&o.targetLabels, "target-label", nil, "labels of your targets beside instance and job, such as env,team; repeatable (with --format prometheus-operator also "+strings.Join(operatorLabels, ",")+")")
	flags.StringVar(&o.serviceLabel, "service-label", "", "the label that programs share which work together, such as namespace (default service; with --format prometheus-operator namespace)")
	flags.StringArrayVar(&o.facts, "fact", nil, "[INSTANCE:]name=value: what no meter shows, such as deadline_seconds=30s; repeatable")
	flags.StringArrayVar(&o.goodputs, "goodput", nil, "selector of the counter that counts finished work, such as orders_done_total; repeatable")
	flags.StringVar(&o.format, "format", "prometheus", "prometheus or prometheus-operator")
	flags.IntVar(&o.perGroup, "rules-per-group", 0, "groups of so many rules at most, for servers that have a limit; 0 is one group in order")
	flags.StringVarP(&o.path, "output", "o", "-", "file to write; - is standard output")
	flags.StringVar(&o.dir, "dir", "", "a folder to write a file for every system, and for what is made of signals, into")
	flags.BoolVar(&o.force, "force", false, "write over files that are there")
}

// offer lets the shell complete what the catalogue has, which is read then.
func (o *rulesExportOptions) offer(c *cobra.Command) {
	offer(c, "format", slices.Sorted(maps.Keys(ruleFormats)), cobra.ShellCompDirectiveNoFileComp)
	for flag, ids := range map[string]func(*rules.Catalog) []string{"system": (*rules.Catalog).SystemIDs, "diagnosis": (*rules.Catalog).IDs} {
		if err := c.RegisterFlagCompletionFunc(flag, o.catalogFlags.completes(ids)); err != nil {
			panic(err) // the flag is there, and is offered once
		}
	}
}

func (o *rulesExportOptions) complete(flags *pflag.FlagSet) error {
	switch _, known := ruleFormats[o.format]; {
	case !known:
		return fmt.Errorf("--format %q: want prometheus or prometheus-operator", o.format)
	case o.interval < time.Second:
		return fmt.Errorf("--scrape-interval %s: want 1s or more", o.interval)
	case o.perGroup < 0:
		return errors.New("--rules-per-group: want 0 or more")
	case o.dir != "" && flags.Changed("output"):
		return errors.New("-o and --dir: give one of them")
	}
	if o.format == "prometheus-operator" {
		o.targetLabels = append(slices.Clone(operatorLabels), o.targetLabels...)
		if o.serviceLabel == "" {
			o.serviceLabel = "namespace"
		}
	}
	for _, name := range append(slices.Clone(o.targetLabels), o.serviceLabel) {
		if name != "" && !model.LegacyValidation.IsValidLabelName(name) || name == "instance" || strings.HasPrefix(name, "__") {
			return fmt.Errorf("label %q: want the name of a label of your targets, such as namespace", name)
		}
	}
	o.asked = askedFlags(flags)
	var err error
	if o.catalog, err = o.catalogFlags.load(); err != nil {
		return err
	}
	return o.known()
}

// askedFlags lists the flags that were given and that change what is written.
func askedFlags(flags *pflag.FlagSet) []string {
	var all []string
	flags.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "output", "dir", "force":
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
			if f.Value.Type() == "stringSlice" {
				values = []string{strings.Join(values, ",")}
			}
		}
		for _, v := range values {
			all = append(all, "--"+f.Name+" "+shellWord(v))
		}
	})
	return all
}

// shellWord quotes a word for a shell where it has to be, on one line.
func shellWord(text string) string {
	plain := strings.IndexFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.,:/=", r))
	}) < 0
	if plain && text != "" {
		return text
	}
	return fmt.Sprintf("%q", text)
}

// known refuses names of systems and diagnoses that do not exist, with the one
// that was likely meant.
func (o *rulesExportOptions) known() error {
	for _, id := range o.systems {
		if err := knownSystem(o.catalog, id); err != nil {
			return err
		}
	}
	for _, id := range o.diagnoses {
		if err := knownDiagnosis(o.catalog, id); err != nil {
			return err
		}
	}
	return nil
}

func (o *rulesExportOptions) run() error {
	wanted := rules.ExportOptions{
		Interval: o.interval, Systems: o.systems, Diagnoses: o.diagnoses,
		TargetLabels: append([]string{"job"}, o.targetLabels...), ServiceLabel: o.serviceLabel,
	}
	for _, text := range o.facts {
		f, err := rules.ParseFact(text)
		if err != nil {
			return err
		}
		f.Origin = "--fact"
		wanted.Facts = append(wanted.Facts, f)
	}
	for _, text := range o.goodputs {
		g, err := rules.ParseGoodput(text, nil)
		if err != nil {
			return err
		}
		wanted.Goodputs = append(wanted.Goodputs, g)
	}
	e, err := o.catalog.Export(wanted)
	if err != nil {
		return err
	}
	if e.Alerts() == 0 {
		return hinted{errors.New("no diagnosis can be proved by the metrics of these systems alone"), "add the systems that run beside them with --system, such as jvm for CPU and GC"}
	}
	return o.write(e)
}

func (o *rulesExportOptions) write(e *rules.Export) error {
	head := o.head(e)
	if o.dir == "" && o.path == "-" {
		return rules.WriteRules(o.streams.out, ruleFormats[o.format], head, "capdoctor", e.Strata, e.Interval, o.perGroup)
	}
	if o.dir == "" {
		return o.writeFiles(e, head, map[string][]rules.ExportStratum{o.path: e.Strata})
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	files := map[string][]rules.ExportStratum{}
	for _, s := range e.Strata {
		files[filepath.Join(o.dir, s.Name+".yaml")] = []rules.ExportStratum{s}
	}
	return o.writeFiles(e, head, files)
}

// writeFiles writes all files or, where one is there already, none.
func (o *rulesExportOptions) writeFiles(e *rules.Export, head string, files map[string][]rules.ExportStratum) error {
	if !o.force {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if _, err := os.Lstat(name); err == nil {
				return thereAlready(name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		group := "capdoctor"
		if o.dir != "" {
			group += "-" + files[name][0].Name
		}
		if err := o.create(name, func(w io.Writer) error {
			return rules.WriteRules(w, ruleFormats[o.format], head, group, files[name], e.Interval, o.perGroup)
		}); err != nil {
			return err
		}
	}
	fmt.Fprintf(o.streams.err, "%s and %s written\n", rules.Plural(e.Recordings(), "recording rule", "recording rules"), rules.Plural(e.Alerts(), "alert", "alerts"))
	if len(o.systems) == 0 && len(o.diagnoses) == 0 {
		fmt.Fprintf(o.streams.err, "these are all %d systems; --system NAME,... keeps those that you have\n", e.Systems)
	}
	return nil
}

func thereAlready(name string) error {
	return hinted{fmt.Errorf("%s is there already", name), "give another name, or --force to write over it"}
}

func (o *rulesExportOptions) create(name string, write func(io.Writer) error) error {
	if o.force {
		return writeFile(name, write)
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return thereAlready(name)
	}
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// head says what made a file and what is not in it.
func (o *rulesExportOptions) head(e *rules.Export) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Made by capdoctor %s; do not edit, but make it again:\n", versionText())
	b.WriteString("  " + strings.Join(append([]string{"capdoctor rules export"}, o.asked...), " ") + "\n")
	fmt.Fprintf(&b, "%s of %s, %s of %s, for a scrape interval of %s.\n",
		rules.Plural(e.Recordings(), "recording rule", "recording rules"), rules.Plural(e.Systems, "system", "systems"),
		rules.Plural(e.Alerts(), "alert", "alerts"), rules.Plural(e.Diagnoses, "diagnosis", "diagnoses"), model.Duration(e.Interval))
	if e.LogOnly > 0 {
		fmt.Fprintf(&b, "Left out: %s on lines of logs, which only capdoctor reads.\n", rules.Plural(e.LogOnly, "recording rule", "recording rules"))
	}
	if len(e.NotFed) > 0 {
		fmt.Fprintf(&b, "Left out, because these systems' metrics and the facts given cannot prove them:\n")
		b.WriteString(wrapped("  ", "  ", strings.Join(e.NotFed, " "), 98))
	}
	return b.String()
}
