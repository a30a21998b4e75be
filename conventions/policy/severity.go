package policy

import "fmt"

// Severity is what a finding means for what it was found in.
type Severity uint8

// The severities. Default, the zero value, is the rule's own.
const (
	Default Severity = iota
	Off              // not looked for
	Warn             // told, and allowed
	Enforce          // refused
)

var severityNames = [...]string{"default", "off", "warn", "enforce"}

func (s Severity) String() string {
	if int(s) >= len(severityNames) {
		return fmt.Sprintf("Severity(%d)", uint8(s))
	}
	return severityNames[s]
}
