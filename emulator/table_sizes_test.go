package emulator

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTableSizes(t *testing.T) {
	x := newItemTest(t)
	for _, item := range []string{
		`{"pk":{"S":"a"},"sk":{"S":"1"},"gh":{"S":"g"},"gr":{"N":"1"}}`,
		`{"pk":{"S":"a"},"sk":{"S":"2"}}`,
	} {
		x.put("indexed", item)
	}
	x.put("plain", `{"pk":{"S":"a"},"x":{"B":"AAAA"}}`)
	want := []TableSize{
		{Table: "binary"},
		{Table: "indexed", Items: 2, Bytes: 19},
		{Table: "indexed", Index: "gsi1", Kind: GlobalIndex, Items: 1, Bytes: 13},
		{Table: "indexed", Index: "gsi2", Kind: GlobalIndex, Items: 1, Bytes: 10},
		{Table: "indexed", Index: "lsi1", Kind: LocalIndex},
		{Table: "plain", Items: 1, Bytes: 7},
		{Table: "ranged"},
	}
	sizes := x.emulator.Inspect().TableSizes()
	assert.Equal(t, want, sizes)

	x.emulator.Restore(x.emulator.Snapshot())
	assert.Equal(t, want, x.emulator.Inspect().TableSizes())
	x.emulator.Reset()
	assert.Empty(t, x.emulator.Inspect().TableSizes())
}

// TestRecoveryBytes: point-in-time recovery covers local indexes, and no global ones (pricing page,
// "Continuous backups"). So do backups (Developer Guide, "Best practices for understanding your AWS
// billing and usage reports").
func TestRecoveryBytes(t *testing.T) {
	x := newItemTest(t)
	x.put("indexed",
		`{"pk":{"S":"a"},"sk":{"S":"1"},"gh":{"S":"g"},"gr":{"N":"1"},"lr":{"B":"AQ=="}}`)
	recovery := func() (sum int64) {
		for _, s := range x.emulator.Inspect().TableSizes() {
			sum += s.RecoveryBytes
		}
		return sum
	}
	assert.Zero(t, recovery())
	x.do("UpdateContinuousBackups",
		`{"TableName":"indexed","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	sizes := x.emulator.Inspect().TableSizes()
	assert.Equal(t, "indexed", sizes[1].Table)
	assert.Equal(t, LocalIndex, sizes[4].Kind)
	assert.Positive(t, sizes[4].Bytes)
	assert.Equal(t, sizes[1].Bytes+sizes[4].Bytes, recovery())

	x.do("CreateBackup", `{"TableName":"indexed","BackupName":"one"}`)
	assert.Equal(t, map[string]int64{"indexed": recovery()}, x.emulator.Inspect().BackupBytes())
}

// TestBackupBytes: the backups of a table stay when it is deleted; that which the deletion makes by
// itself is free of charge (Developer Guide, "Point-in-time recovery").
func TestBackupBytes(t *testing.T) {
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"a"},"x":{"B":"AAAA"}}`)
	x.do("UpdateContinuousBackups",
		`{"TableName":"plain","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	assert.Empty(t, x.emulator.Inspect().BackupBytes())
	x.do("CreateBackup", `{"TableName":"plain","BackupName":"one"}`)
	x.do("CreateBackup", `{"TableName":"plain","BackupName":"two"}`)
	assert.Equal(t, map[string]int64{"plain": 14}, x.emulator.Inspect().BackupBytes())
	x.do("DeleteTable", `{"TableName":"plain"}`)
	assert.Equal(t, map[string]int64{"plain": 14}, x.emulator.Inspect().BackupBytes())
}
