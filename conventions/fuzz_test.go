package conventions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/kugiri-db/kugiri/conventions"
)

// The fuzz tests check that a parser refuses a text, or that building from the parts gives the text
// again.
func FuzzPartitionKey(f *testing.F) {
	for _, s := range []string{"PRODUCT#tenant001", "LOG#tenant001#2024-01", "PRODUCT", "A##",
		"A#b@3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, pk string) {
		parts, err := ParsePartitionKey(pk)
		if err != nil {
			return
		}
		tenant, ok := Tenant(pk)
		require.True(t, ok)
		require.Equal(t, parts.Tenant, tenant)
		require.Equal(t, parts.Prefix, Prefix(pk))
		require.Equal(t, pk, Must(parts.Key()))
	})
}

func FuzzSortKey(f *testing.F) {
	for _, s := range []string{guideULID, "ORDER#a@3", "a@01", "a@3@4", "@3", "user@example.com@0",
		"a@-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sk string) {
		parts, err := ParseSortKey(sk)
		if err != nil {
			return
		}
		require.Equal(t, parts.Version, Version(sk))
		require.Equal(t, sk, Must(parts.Key()))
		base := RemoveVersion(sk)
		require.Equal(t, base, Must(SortKey(parts.Segments...)))
		require.False(t, HasVersion(base))
	})
}

func FuzzID(f *testing.F) {
	f.Add("PRODUCT#tenant001#"+guideULID, 2)
	f.Add("LOG#tenant001#2024-01#2024-01-15T10:30:00Z#evt001", 3)
	f.Add("a#b#c@1", 2)
	f.Fuzz(func(t *testing.T, id string, partitionSegments int) {
		pk, sk, err := ParseID(id, partitionSegments)
		if err != nil {
			return
		}
		require.Equal(t, id, Must(ID(pk, sk)))
		require.Len(t, Segments(pk), partitionSegments)
	})
}

func FuzzPatterns(f *testing.F) {
	for _, keys := range [][2]string{
		{"PRODUCT#tenant001", guideULID},
		{"ORDER#tenant001", "ORDER_ITEM#" + guideULID + "#001@4"},
		{"USER#common", "sso#abc123def456"},
		{"USER_TENANT#common", "tenant001#user123"},
		{"MASTER#tenant001", "SETTING#notification#email_template"},
		{"LOG#tenant001#2024-01", "2024-01-15T10:30:00Z#evt001"},
	} {
		f.Add(keys[0], keys[1])
	}
	f.Fuzz(func(t *testing.T, pk, sk string) {
		for _, p := range patterns {
			if p.Check(pk, sk) == nil {
				_, err := NewKeys(pk, sk)
				require.NoError(t, err)
			}
		}
		if k, err := logs.Parse(pk, sk); err == nil {
			form := TimeSeries{
				Prefix: "LOG", Seconds: len(Segments(sk)[0]) == len("2024-01-15T10:30:00Z"),
			}
			keys, err := form.Build(k.Tenant, k.Time, k.Event)
			require.NoError(t, err)
			require.Equal(t, []string{pk, RemoveVersion(sk)}, []string{keys.PK, keys.SK})
		}
	})
}

func FuzzIsULID(f *testing.F) {
	f.Add(guideULID)
	f.Add("8ZZZZZZZZZZZZZZZZZZZZZZZZZ")
	f.Fuzz(func(t *testing.T, s string) {
		if IsULID(s) {
			require.Regexp(t, `^[0-7][0-9A-HJKMNP-TV-Z]{25}$`, s)
		} else {
			require.NotRegexp(t, `^[0-7][0-9A-HJKMNP-TV-Z]{25}$`, s)
		}
	})
}
