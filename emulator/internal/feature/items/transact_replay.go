package items

import (
	"encoding/binary"

	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// chargedSizes returns the bytes that each write of a transaction was charged for, 4 bytes each, or
// "" if a read of each is one unit.
func (x *writeTransaction) chargedSizes(tx *storage.Tx) string {
	large := false
	for i := range x.Writes {
		large = large || x.chargedSize(tx, i) > metering.ReadUnitBytes
	}
	if !large {
		return ""
	}
	sizes := make([]byte, 0, 4*len(x.Writes))
	for i := range x.Writes {
		sizes = binary.BigEndian.AppendUint32(sizes, uint32(x.chargedSize(tx, i)))
	}
	return string(sizes)
}

func (x *writeTransaction) chargedSize(tx *storage.Tx, i int) int {
	w := &x.Writes[i]
	t := x.Tables[w.table].Table
	return max(tx.Vectors().WrittenSize(t, w.Old), tx.Vectors().WrittenSize(t, w.New))
}

// sizeIn returns the size of a write in a text of chargedSizes.
func sizeIn(charged string, i int) int {
	if len(charged) < 4*(i+1) {
		return 0
	}
	return int(binary.BigEndian.Uint32([]byte(charged[4*i:])))
}

// replay answers a transaction that was committed before. It consumes the capacity of reading the
// items for which the transaction was charged, whatever is stored now (API Reference,
// TransactWriteItems, ClientRequestToken; service facts P.8).
func (x *writeTransaction) replay(c *serve.Call, tx *storage.Tx) error {
	if err := resolveTables(c, tx, x.Tables); err != nil {
		return err
	}
	for i := range x.Tables {
		x.Tables[i].Used.Part = metering.ReadUsage
	}
	_, charged, _ := TransactionsOf(c.Data).Tokens.find(newTokenID(x.Token.Text))
	for i := range x.Writes {
		w := &x.Writes[i]
		t := &x.Tables[w.table]
		k, err := w.Change.Key(c, tx, t.Table)
		if err != nil {
			return err
		}
		t.Used.AddReplay(t.Table, tx.Get(t.Table, k), sizeIn(charged, i))
		if x.metrics && w.Change.writes() {
			t.measure(tx, w.keyed)
		}
	}
	return nil
}
