package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// maxWaiting is how many items may wait for their earlier versions.
const maxWaiting = 100_000

// waiting holds items that a policy refuses because the version before them is not there yet: an
// export has the versions of an item in the order of text, @1 @10 @2. It counts those that the
// policy refuses for another reason.
type waiting struct {
	mu      sync.Mutex
	items   []Sourced
	cause   error // why the first of them waits
	refused int
	refusal error // the refusal of the first
}

// waits reports whether a refusal is for the version before an item, which may come later.
func waits(err error) bool {
	var refused smithy.APIError
	return errors.As(err, &refused) &&
		strings.Contains(refused.ErrorMessage(), "version-sequence: there is no version ")
}

// finding is how a policy of Kugiri words a refusal.
var finding = regexp.MustCompile(`^(?:The conditional request failed: )?([a-z]+(?:-[a-z]+)+): .*; instead, `)

// ruleOf returns the rule of the policy that refuses an item, or "" for another error.
func ruleOf(err error) string {
	var refused smithy.APIError
	if !errors.As(err, &refused) {
		return ""
	}
	if m := finding.FindStringSubmatch(refused.ErrorMessage()); m != nil {
		return m[1]
	}
	return ""
}

// keep keeps an item that is refused because earlier versions are missing, and counts one that the
// policy refuses. Every other error is returned.
func (w *waiting) keep(s Sourced, cause error) error {
	switch {
	case waits(cause):
		return w.add(s, cause)
	case ruleOf(cause) == "":
		return fmt.Errorf("%s: %w", s.Origin, cause)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.refused++; w.refused == 1 {
		w.refusal = fmt.Errorf("%s: %w", s.Origin, cause)
	}
	return nil
}

// err says how many items are not in the table, and why the first is not.
func (w *waiting) err() error {
	var all []error
	if n := len(w.items); n > 0 {
		all = append(all, fmt.Errorf(
			"%d items are not written, whose earlier versions are missing: %w", n, w.cause))
	}
	if w.refused > 0 {
		hint := ""
		if rule := ruleOf(w.refusal); strings.HasPrefix(rule, "version-") ||
			strings.HasPrefix(rule, "latest-") {
			hint = "; ImportTable, StartBulkPutItems and --seed judge versions, and documents with " +
				"their latest items, when all are there"
		}
		all = append(all, fmt.Errorf("%d items are not written, which the policy refuses: %w%s",
			w.refused, w.refusal, hint))
	}
	return errors.Join(all...)
}

// add keeps an item until its earlier versions are there.
func (w *waiting) add(s Sourced, cause error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.items) >= maxWaiting {
		return fmt.Errorf("more than %d items wait for their earlier versions: %w", maxWaiting,
			cause)
	}
	if w.items = append(w.items, s); len(w.items) == 1 {
		w.cause = fmt.Errorf("%s: %w", s.Origin, cause)
	}
	return nil
}

// Settle puts the items that wait for earlier versions, the shortest keys first, so that each
// version comes after the one before. It returns how many items are not in the table: those that
// still wait, and those that the policy refuses. It must not run beside Put.
func (i *Importer) Settle(ctx context.Context) (left int, err error) {
	w := &i.waiting
	items := w.items
	slices.SortStableFunc(items, func(a, b Sourced) int { return cmp.Compare(size(a), size(b)) })
	w.items = nil
	for n, s := range items {
		_, err := i.Client.PutItem(ctx,
			&dynamodb.PutItemInput{TableName: &i.Table, Item: s.Item}, Patient)
		if err == nil {
			i.count(1)
		} else if err := w.keep(s, err); err != nil {
			return len(items) - n, err
		}
	}
	return len(w.items) + w.refused, nil
}

// Finish is Settle whose error says how many items are not in the table.
func (i *Importer) Finish(ctx context.Context) error {
	if _, err := i.Settle(ctx); err != nil {
		return err
	}
	return i.waiting.err()
}

// size orders the versions of an item: those of one item differ in the digits at the end, and the
// longer one is the later. Of equally long ones the text decides.
func size(s Sourced) string {
	longest := ""
	for _, v := range s.Item {
		if text, ok := v.(*types.AttributeValueMemberS); ok && isVersioned(text.Value) &&
			len(text.Value) >= len(longest) {
			longest = text.Value
		}
	}
	return fmt.Sprintf("%06d%s", len(longest), longest)
}

func isVersioned(text string) bool {
	at := strings.LastIndexByte(text, '@')
	return at >= 0 && at < len(text)-1 && strings.Trim(text[at+1:], "0123456789") == ""
}
