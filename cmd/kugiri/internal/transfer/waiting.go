package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
// export has the versions of an item in the order of text, @1 @10 @2.
type waiting struct {
	mu    sync.Mutex
	items []Sourced
	cause error // why the first of them waits
}

// waits reports whether a refusal is for the version before an item, which may come later.
func waits(err error) bool {
	var refused smithy.APIError
	return errors.As(err, &refused) &&
		strings.Contains(refused.ErrorMessage(), "version-sequence: there is no version ")
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
// version comes after the one before. It returns how many still wait. It must not run beside Put.
func (i *Importer) Settle(ctx context.Context) (left int, err error) {
	w := &i.waiting
	items := w.items
	if len(items) == 0 {
		return 0, nil
	}
	slices.SortStableFunc(items, func(a, b Sourced) int { return cmp.Compare(size(a), size(b)) })
	w.items = nil
	for n, s := range items {
		_, err := i.Client.PutItem(ctx,
			&dynamodb.PutItemInput{TableName: &i.Table, Item: s.Item}, Patient)
		switch {
		case err == nil:
			i.count(1)
		case waits(err):
			if err := w.add(s, err); err != nil {
				return len(items) - n, err
			}
		default:
			return len(items) - n, fmt.Errorf("%s: %w", s.Origin, err)
		}
	}
	return len(w.items), nil
}

// Finish is Settle whose error says how many items still wait, and are not in the table.
func (i *Importer) Finish(ctx context.Context) error {
	left, err := i.Settle(ctx)
	if err == nil && left > 0 {
		err = fmt.Errorf("%d items are not written, whose earlier versions are missing: %w", left,
			i.waiting.cause)
	}
	return err
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
