// Package sarif has the parts of SARIF, the format of findings of tools that look at files, that
// reports of this program use. Libraries such as github.com/owenrumney/go-sarif were rejected: they
// have the types of the whole standard, and the reports need few of them.
package sarif

import "net/url"

// The parts of SARIF 2.1.0 (OASIS Standard, 27 March 2020) in use: a run with the rules, and the
// results.
type (
	// Log is a file.
	Log struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []Run  `json:"runs"`
	}

	// Run holds the results of one run of a tool.
	Run struct {
		Tool    Tool     `json:"tool"`
		Results []Result `json:"results"`
	}

	// Tool holds the driver.
	Tool struct {
		Driver Driver `json:"driver"`
	}

	// Driver is a tool with its rules.
	Driver struct {
		Name  string `json:"name"`
		Rules []Rule `json:"rules"`
	}

	// Rule describes a rule, which results name by its ID.
	Rule struct {
		ID      string  `json:"id"`
		Short   Message `json:"shortDescription"`
		Full    Message `json:"fullDescription"`
		Help    Message `json:"help"`
		Default Config  `json:"defaultConfiguration"`
	}

	// Config has the level of a rule: error or warning.
	Config struct {
		Level string `json:"level"`
	}

	// Message is a text.
	Message struct {
		Text string `json:"text"`
	}

	// Result is a finding.
	Result struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      Message           `json:"message"`
		Locations    []Location        `json:"locations"`
		Occurrences  int64             `json:"occurrenceCount,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Properties   map[string]any    `json:"properties,omitempty"`
	}

	// Location is a place in a file, with what is there.
	Location struct {
		Physical Physical  `json:"physicalLocation"`
		Logical  []Logical `json:"logicalLocations,omitempty"`
	}

	// Physical is a place in a file.
	Physical struct {
		Artifact Artifact `json:"artifactLocation"`
		Region   Region   `json:"region"`
	}

	// Artifact is a file.
	Artifact struct {
		URI string `json:"uri"`
	}

	// Region is a place, in lines and columns from 1.
	Region struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}

	// Logical is something that is no file.
	Logical struct {
		Name      string `json:"name"`
		Qualified string `json:"fullyQualifiedName"`
		Kind      string `json:"kind"`
	}
)

// schemaURL is Log.Schema.
const schemaURL = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// Text is a message.
func Text(text string) Message { return Message{Text: text} }

// At is a place in a file, by its path. A column of 0 is left out.
func At(file string, line, column int) Location {
	uri := url.URL{Path: file}
	return Location{Physical: Physical{Artifact: Artifact{URI: uri.String()},
		Region: Region{StartLine: line, StartColumn: column}}}
}

// Of is the log of a run of a tool.
func Of(tool string, rules []Rule, results []Result) Log {
	run := Run{Tool: Tool{Driver: Driver{Name: tool, Rules: rules}}, Results: results}
	return Log{Schema: schemaURL, Version: "2.1.0", Runs: []Run{run}}
}
