package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// Finding is one place where a request breaks a rule. It is an error whose text can be part of an
// answer.
type Finding struct {
	Rule     *Rule
	Severity Severity // Warn or Enforce
	Table    string
	Index    string // name of a secondary index, "" for the table
	Action   int    // index of the action in the request or commit, from 0
	Key      string // partition key and sort key joined by "#"; "" for a scan
	Entity   string // "" if the key belongs to no declared entity
	Tenant   string // owner of the data; "" if the key does not name a tenant
	Message  string // what is wrong
	Remedy   string // what to do instead

	// Conflict marks a write whose version does not follow the stored one, because another writer
	// was first. The answer should be that of a failed condition, so that the application reads
	// again and retries.
	Conflict bool
}

// Error returns the rule, what is wrong, and what to do instead.
func (f *Finding) Error() string {
	var b strings.Builder
	b.WriteString(f.Rule.ID)
	b.WriteString(": ")
	b.WriteString(f.Message)
	if f.Table != "" {
		b.WriteString(" (table ")
		b.WriteString(f.Table)
		if f.Index != "" {
			b.WriteString(", index ")
			b.WriteString(f.Index)
		}
		b.WriteString(")")
	}
	b.WriteString("; instead, ")
	b.WriteString(f.Remedy)
	return b.String()
}

// Worst returns the first finding of the highest severity, or nil without findings. Among equals it
// prefers findings that are not conflicts, because a retry cannot fix those.
func Worst(findings []Finding) *Finding {
	var worst *Finding
	for i := range findings {
		f := &findings[i]
		if worst == nil || f.Severity > worst.Severity || f.Severity == worst.Severity &&
			worst.Conflict && !f.Conflict {
			worst = f
		}
	}
	return worst
}

// Enforced returns the findings that refuse the request.
func Enforced(findings []Finding) []Finding {
	var enforced []Finding
	for _, f := range findings {
		if f.Severity == Enforce {
			enforced = append(enforced, f)
		}
	}
	return enforced
}

// maxKeyInMessage is the largest length in bytes of a key in a message. Longer keys are cut.
const maxKeyInMessage = 200

func quoteKey(key string) string {
	if len(key) > maxKeyInMessage {
		key = key[:maxKeyInMessage] + "..."
	}
	return `"` + strings.ToValidUTF8(key, "?") + `"`
}

func joinKey(pk, sk string) string {
	if sk == "" {
		return pk
	}
	return pk + conventions.KeySeparator + sk
}
