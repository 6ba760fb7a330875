package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// The parts of SARIF 2.1.0 that a check needs.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
	ColumnKind  string            `json:"columnKind"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID            string      `json:"id"`
	Short         sarifText   `json:"shortDescription"`
	Configuration sarifConfig `json:"defaultConfiguration"`
}

type sarifConfig struct {
	Level string `json:"level"`
}

type sarifInvocation struct {
	Successful bool `json:"executionSuccessful"`
	ExitCode   int  `json:"exitCode"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Related      []sarifLocation   `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifText    `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

// CheckSARIF writes the result of a check as SARIF 2.1.0, worst first: a result
// for each mismatch, at the line of the expectation and related to the log lines
// that were evidence. A fingerprint is made of the case and of what was expected
// there, so that it stays when lines move or numbers change. The only error is
// one of w.
func CheckSARIF(w io.Writer, r rules.CheckResult, o Options) error {
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "capdoctor", Version: o.Version, Rules: sarifRules()}},
		Invocations: []sarifInvocation{{Successful: r.ExitCode() < 2, ExitCode: r.ExitCode()}},
		Results:     []sarifResult{},
		ColumnKind:  "utf16CodeUnits",
	}
	seen := map[string]int{}
	for _, p := range problems(r) {
		run.Results = append(run.Results, newSARIFResult(p, seen))
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
	if err != nil {
		return err
	}
	_, err = w.Write(escapeJSON(b.Bytes()))
	return err
}

func sarifRules() []sarifRule {
	var out []sarifRule
	for _, k := range problemKinds {
		out = append(out, sarifRule{ID: k.rule, Short: sarifText{k.meaning}, Configuration: sarifConfig{sarifLevel(k.rule)}})
	}
	return out
}

func sarifLevel(rule string) string {
	if rule == "not-judged" {
		return "warning"
	}
	return "error"
}

// newSARIFResult makes a result; seen counts fingerprints, so that no two are
// equal.
func newSARIFResult(p problem, seen map[string]int) sarifResult {
	file, line := filePath(p.c, p.file, p.line)
	res := sarifResult{
		RuleID: p.rule, RuleIndex: p.severity, Level: sarifLevel(p.rule),
		Message:   sarifText{Escape(p.title + ": " + p.message)},
		Locations: []sarifLocation{newSARIFLocation(file, line)},
	}
	key := p.c.Name + "\x00" + p.rule
	if p.m != nil {
		key += "\x00" + p.m.ID + "\x00" + p.m.Expected
		res.Related = relatedLines(p)
	}
	seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
	res.Fingerprints = map[string]string{"capdoctor/v1": hex.EncodeToString(sum[:16])}
	return res
}

const mostRelated = 10

// relatedLines are the log lines under a mismatch.
func relatedLines(p problem) []sarifLocation {
	var out []sarifLocation
	for _, l := range p.m.Lines[:min(len(p.m.Lines), mostRelated)] {
		file, line := filePath(p.c, logPath(p.c, l.File), int(l.Number))
		loc := newSARIFLocation(file, line)
		loc.Message = &sarifText{Escape(l.Text)}
		out = append(out, loc)
	}
	return out
}

// logPath is the path of a log that a report names by its file name alone.
func logPath(c rules.CaseResult, file string) string {
	if strings.ContainsAny(file, `/\`) {
		return file
	}
	return path.Join(filepath.ToSlash(c.Path), "logs", file)
}

func newSARIFLocation(file string, line int) sarifLocation {
	loc := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{fileURI(file)}}}
	if line > 0 {
		loc.Physical.Region = &sarifRegion{line}
	}
	return loc
}

// fileURI is a relative reference for a relative path, a file URI for others.
func fileURI(file string) string {
	file = strings.ToValidUTF8(filepath.ToSlash(file), "\uFFFD")
	switch {
	case strings.HasPrefix(file, "/"):
		return (&url.URL{Scheme: "file", Path: file}).String()
	case len(file) > 2 && file[1] == ':' && file[2] == '/': // C:/
		return (&url.URL{Scheme: "file", Path: "/" + file}).String()
	}
	return (&url.URL{Path: path.Clean(file)}).String()
}
