package policy

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// The attributes in which the guide's framework repeats keys. Each item repeats its own key. An
// item of a data or history table also repeats the key of the command that made it.
const (
	attributeID             = "id"
	attributeOfCommand      = "cpk"
	attributeOfCommandsSort = "csk"
	attributeOfRequest      = "requestId" // the request that made it
)

// defaultBookkeeping are the attributes that @mbc-cqrs-serverless/core 0.1.48-beta.0, the guide's
// framework, changes in a command or in history once it is written: CommandService.updateStatus
// sets status and updatedAt at each step, updateTtl and HistoryService.publish put the item again
// with another ttl.
var defaultBookkeeping = []string{"status", "ttl", "updatedAt"}

// isKept reports whether two images of an item differ only in bookkeeping.
func (t *table) isKept(before, after item.Item) bool {
	return before == after || t.holds(before, after) && t.holds(after, before)
}

// holds reports whether an item has all attributes of another, but for bookkeeping.
func (t *table) holds(it, other item.Item) bool {
	for name, v := range other.All() {
		if it.Get(name) != v && !slices.Contains(t.bookkeeping, name) {
			return false
		}
	}
	return true
}

// repeats reports whether a write puts the same item again, or the same item with other bookkeeping
// attributes. Another writer could put the same content by chance, so the item must name the
// request that made it or, if it is a copy of a command, the command.
func (t *table) repeats(w *request.ImagedWrite) bool {
	if w.Kind != request.Put || !t.isKept(w.Old, w.New) {
		return false
	}
	_, _, copied := splitVersion(w.New.Get(attributeOfCommandsSort).Str())
	return w.New.Get(attributeOfRequest).Str() != "" || copied && t.role != Command
}
