package policy

import "fmt"

// Severity says what happens with a finding.
type Severity uint8

// The severities. Default, the zero value, means the severity of the rule.
const (
	Default Severity = iota
	Off              // not checked
	Warn             // reported and allowed
	Enforce          // refused
)

var severityNames = [...]string{"default", "off", "warn", "enforce"}

func (s Severity) String() string {
	if int(s) >= len(severityNames) {
		return fmt.Sprintf("Severity(%d)", uint8(s))
	}
	return severityNames[s]
}
