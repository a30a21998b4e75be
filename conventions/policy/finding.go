package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// Finding is one place where a rule is broken. It is an error whose text is fit for an answer.
type Finding struct {
	Rule     *Rule
	Severity Severity // Warn or Enforce
	Table    string
	Index    string // of a secondary index, "" for the table
	Action   int    // place in the request or commit, from 0: of a batch's or transaction's parts
	Key      string // keys in question, partition key and sort key joined by "#"; "" of a scan
	Entity   string // "" if it is of none that is declared
	Tenant   string // whose data it is about, "" if the key does not say
	Message  string // what is wrong
	Remedy   string // what to do instead

	// Conflict marks a write that lost a race: its version is not the one that follows what is stored. It is to be
	// answered as a condition that failed, so that the application reads again and retries.
	Conflict bool
}

// Error says which rule is broken, how, and what to do.
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

// Worst returns the first finding of the highest severity, nil if there is none. Among equals what is no conflict goes
// first: it does not go away by trying again.
func Worst(findings []Finding) *Finding {
	var worst *Finding
	for i := range findings {
		f := &findings[i]
		if worst == nil || f.Severity > worst.Severity || f.Severity == worst.Severity && worst.Conflict && !f.Conflict {
			worst = f
		}
	}
	return worst
}

// Enforced returns the findings that are to be refused.
func Enforced(findings []Finding) []Finding {
	var enforced []Finding
	for _, f := range findings {
		if f.Severity == Enforce {
			enforced = append(enforced, f)
		}
	}
	return enforced
}

// Keys in messages are cut to this many bytes.
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
