package conventions_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/kugiri-db/kugiri/conventions"
)

const guideULID = "01HX7MBJK3V9WQBZ7XNDK5ZT2M"

// TestGuide quotes the guide's own examples.
func TestGuide(t *testing.T) {
	key := func(k string, err error) any { return Must(k, err) }
	for _, c := range []struct {
		quote     string
		got, want any
	}{
		{`KEY_SEPARATOR #`, KeySeparator, "#"},
		{`VER_SEPARATOR @`, VersionSeparator, "@"},
		{`VERSION_FIRST 0`, VersionFirst, 0},
		{`VERSION_LATEST -1`, VersionLatest, -1},
		{`TENANT_COMMON common`, TenantCommon, "common"},
		{`DEFAULT_TENANT_CODE single`, DefaultTenant, "single"},
		{`masterPk("tenant001"); // "MASTER#tenant001"`, key(MasterKey("tenant001")),
			"MASTER#tenant001"},
		{`masterPk(); // "MASTER#single"`, key(MasterKey()), "MASTER#single"},
		{`seqPk("tenant001"); // "SEQ#tenant001"`, key(SequenceKey("tenant001")), "SEQ#tenant001"},
		{`seqPk: (tenantCode?: string) => string`, key(SequenceKey()), "SEQ#single"},
		{`ttlSk("product"); // "TTL#product"`, key(TTLSortKey("product")), "TTL#product"},
		{"`${PRODUCT_PK_PREFIX}${KEY_SEPARATOR}${tenantCode}`; // Result: \"PRODUCT#tenant001\"",
			key(PartitionKey("PRODUCT", "tenant001")), "PRODUCT#tenant001"},
		{`generateId(pk, sk); // Result: "PRODUCT#tenant001#01HX7MBJK3V9WQBZ7XNDK5ZT2M"`,
			key(ID("PRODUCT#tenant001", guideULID)), "PRODUCT#tenant001#" + guideULID},
		{`generateId: joins PK and SK into the ID and removes the version from the SK`,
			key(ID("PRODUCT#tenant001", guideULID+"@3")), "PRODUCT#tenant001#" + guideULID},
		{`addSortKeyVersion(sk, 3); // Result: "01HX7MBJK3V9WQBZ7XNDK5ZT2M@3"`,
			key(AddVersion(guideULID, 3)), guideULID + "@3"},
		{`removeSortKeyVersion(skWithVersion); // Result: "01HX7MBJK3V9WQBZ7XNDK5ZT2M"`,
			RemoveVersion(guideULID + "@3"), guideULID},
		{`getSortKeyVersion(skWithVersion); // Result: 3`, Version(guideULID + "@3"), 3},
		{`getSortKeyVersion(sk); // Result: -1 (VERSION_LATEST)`, Version(guideULID),
			VersionLatest},
		{`addSortKeyVersion(sk + "@3", 4), which replaces the version`,
			key(AddVersion(guideULID+"@3", 4)), guideULID + "@4"},
		{`addSortKeyVersion(sk, VERSION_FIRST)`, key(AddVersion("ORDER#"+guideULID, VersionFirst)),
			"ORDER#" + guideULID + "@0"},
		{`SK: ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2M@1 // Version 1`,
			Version("ORDER#" + guideULID + "@1"), 1},
		{`SK: ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2M@2 // Version 2`,
			Version("ORDER#" + guideULID + "@2"), 2},
		{`SK: ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2M@3 // Version 3`,
			Version("ORDER#" + guideULID + "@3"), 3},
		{`const sk = removeSortKeyVersion(cmd.sk)`, RemoveVersion("ORDER#" + guideULID + "@3"),
			"ORDER#" + guideULID},
		{"generateProductPk(tenantCode)", key(PartitionKey("PRODUCT", "tenant001")),
			"PRODUCT#tenant001"},
		{"generateOrderPk(tenantCode)", key(PartitionKey("ORDER", "tenant001")), "ORDER#tenant001"},
		{"generateUserSk(provider, userId)", key(SortKey("sso", "abc123def456")),
			"sso#abc123def456"},
		{"generateMasterSk(type, category, code)",
			key(SortKey("DATA", "product_category", "electronics")),
			"DATA#product_category#electronics"},
		{"generateOrderSk: `${ORDER_SK_PREFIX}${KEY_SEPARATOR}${id}`",
			key(SortKey("ORDER", guideULID)), "ORDER#" + guideULID},
		{"generateOrderItemSk(orderId, itemId)", key(SortKey("ORDER_ITEM", guideULID, "001")),
			"ORDER_ITEM#" + guideULID + "#001"},
		{"good, a consistent separator: SK: ORDER#01HX7M#ITEM#001",
			key(SortKey("ORDER", "01HX7M", "ITEM", "001")), "ORDER#01HX7M#ITEM#001"},
	} {
		t.Run(c.quote, func(t *testing.T) { assert.Equal(t, c.want, c.got) })
	}
	t.Run(`getTenantCode("PRODUCT#tenant001"); // Result: "tenant001"`, func(t *testing.T) {
		tenant, ok := Tenant("PRODUCT#tenant001")
		assert.True(t, ok)
		assert.Equal(t, "tenant001", tenant)
	})
	t.Run(`getTenantCode("PRODUCT"); // Result: undefined`, func(t *testing.T) {
		_, ok := Tenant("PRODUCT")
		assert.False(t, ok)
	})
	t.Run("parseOrderSk: { prefix, orderId }", func(t *testing.T) {
		parts, err := ParseSortKey("ORDER#" + guideULID)
		require.NoError(t, err)
		assert.Equal(t,
			SortKeyParts{Segments: []string{"ORDER", guideULID}, Version: VersionLatest}, parts)
	})
	t.Run("parseOrderItemSk: { prefix, orderId, itemId }", func(t *testing.T) {
		parts, err := ParseSortKey("ORDER_ITEM#" + guideULID + "#001")
		require.NoError(t, err)
		assert.Equal(t,
			SortKeyParts{
				Segments: []string{"ORDER_ITEM", guideULID, "001"}, Version: VersionLatest,
			}, parts)
	})
	t.Run("generateEntityId: { pk, sk, id }", func(t *testing.T) {
		keys, err := EntityID("PRODUCT", "tenant001", guideULID)
		require.NoError(t, err)
		assert.Equal(t,
			Keys{PK: "PRODUCT#tenant001", SK: guideULID, ID: "PRODUCT#tenant001#" + guideULID},
			keys)
	})
}

func TestPartitionKey(t *testing.T) {
	for _, c := range []struct {
		name           string
		prefix, tenant string
		rest           []string
		want           string
		err            error
	}{
		{"tenant", "PRODUCT", "tenant001", nil, "PRODUCT#tenant001", nil},
		{"third segment", "LOG", "tenant001", []string{"2024-01"}, "LOG#tenant001#2024-01", nil},
		{"an @ means nothing", "USER", "a@2", nil, "USER#a@2", nil},
		{"no prefix", "", "tenant001", nil, "", ErrEmpty},
		{"no tenant", "PRODUCT", "", nil, "", ErrEmpty},
		{"empty third segment", "LOG", "tenant001", []string{""}, "", ErrEmpty},
		{"separator in the prefix", "A#B", "tenant001", nil, "", ErrSeparator},
		{"separator in the tenant", "A", "tenant#001", nil, "", ErrSeparator},
		{"separator in the rest", "A", "t", []string{"x#y"}, "", ErrSeparator},
		{"not UTF-8", "A", "\xff", nil, "", ErrNotUTF8},
		{"longest", "A", strings.Repeat("x", MaxPartitionKeyBytes-2), nil,
			"A#" + strings.Repeat("x", MaxPartitionKeyBytes-2), nil},
		{"too long", "A", strings.Repeat("x", MaxPartitionKeyBytes-1), nil, "", ErrTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := PartitionKey(c.prefix, c.tenant, c.rest...)
			require.ErrorIs(t, err, c.err)
			if c.err == nil {
				assert.Equal(t, c.want, got)
				parts, err := ParsePartitionKey(got)
				require.NoError(t, err)
				assert.Equal(t, PartitionKeyParts{c.prefix, c.tenant, c.rest}, parts)
			}
		})
	}
}

func TestParsePartitionKeyErrors(t *testing.T) {
	for _, c := range []struct {
		name, pk string
		err      error
	}{
		{"nothing", "", ErrEmpty},
		{"no tenant", "PRODUCT", ErrNoTenant},
		{"empty tenant", "PRODUCT#", ErrEmpty},
		{"empty prefix", "#tenant001", ErrEmpty},
		{"empty last", "LOG#tenant001#", ErrEmpty},
		{"empty middle", "LOG##2024-01", ErrEmpty},
		{"not UTF-8", "LOG#\xff", ErrNotUTF8},
		{"too long", "A#" + strings.Repeat("x", MaxPartitionKeyBytes-1), ErrTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParsePartitionKey(c.pk)
			require.ErrorIs(t, err, c.err)
		})
	}
}

func TestTenant(t *testing.T) {
	for _, c := range []struct {
		pk, want string
		ok       bool
	}{
		{"LOG#tenant001#2024-01", "tenant001", true},
		{"USER#common", "common", true},
		{"USER#a@2", "a@2", true},
		{"PRODUCT", "", false},
		{"PRODUCT#", "", false},
		{"PRODUCT##x", "", false},
		{"#tenant001", "", false},
		{"", "", false},
	} {
		t.Run(c.pk, func(t *testing.T) {
			tenant, ok := Tenant(c.pk)
			assert.Equal(t, c.ok, ok)
			assert.Equal(t, c.want, tenant)
		})
	}
}

func TestBuiltInKeyOfTwoTenants(t *testing.T) {
	_, err := MasterKey("a", "b")
	require.ErrorIs(t, err, ErrSegments)
	_, err = SequenceKey("a#b")
	require.ErrorIs(t, err, ErrSeparator)
}

func TestVersion(t *testing.T) {
	for _, c := range []struct {
		name, sk, base string
		version        int
		err            error // the error of ParseSortKey
	}{
		{"none", "a", "a", VersionLatest, nil},
		{"first", "a@0", "a", VersionFirst, nil},
		{"one", "a@1", "a", 1, nil},
		{"largest", "a@9007199254740991", "a", VersionMax, nil},
		{"in the last segment", "ORDER#a@12", "ORDER#a", 12, nil},
		{"an e-mail address", "sso#user@example.com", "sso#user@example.com", VersionLatest, nil},
		{"a version of an e-mail address", "sso#user@example.com@3", "sso#user@example.com", 3,
			nil},
		{"a number before the last segment", "user@2#x", "user@2#x", VersionLatest, nil},
		{"digits and more", "a@3x", "a@3x", VersionLatest, nil},
		{"other digits", "a@٣", "a@٣", VersionLatest, nil},
		{"a leading zero", "a@01", "a@01", VersionLatest, ErrReadAsVersion},
		{"negative", "a@-1", "a@-1", VersionLatest, ErrReadAsVersion},
		{"signed", "a@+1", "a@+1", VersionLatest, ErrReadAsVersion},
		{"no number", "a@", "a@", VersionLatest, ErrReadAsVersion},
		{"too large", "a@9007199254740992", "a@9007199254740992", VersionLatest, ErrReadAsVersion},
		{"much too large", "a@99999999999999999999", "a@99999999999999999999", VersionLatest,
			ErrReadAsVersion},
		{"of nothing", "@3", "@3", VersionLatest, ErrReadAsVersion},
		{"of an empty segment", "ORDER#@3", "ORDER#@3", VersionLatest, ErrReadAsVersion},
		{"two", "a@3@4", "a@3", 4, ErrReadAsVersion},
		{"one after a malformed one", "a@@4", "a@", 4, ErrReadAsVersion},
		{"empty", "", "", VersionLatest, ErrEmpty},
		{"an empty segment", "a##b", "a##b", VersionLatest, ErrEmpty},
		{"too long", strings.Repeat("x", MaxSortKeyBytes+1), strings.Repeat("x", MaxSortKeyBytes+1),
			VersionLatest, ErrTooLong},
		{"not UTF-8", "\xff", "\xff", VersionLatest, ErrNotUTF8},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.base, RemoveVersion(c.sk))
			assert.Equal(t, c.version, Version(c.sk))
			assert.Equal(t, c.version >= 0, HasVersion(c.sk))
			parts, err := ParseSortKey(c.sk)
			require.ErrorIs(t, err, c.err)
			if c.err == nil {
				assert.Equal(t,
					SortKeyParts{Segments: strings.Split(c.base, "#"), Version: c.version}, parts)
			}
		})
	}
}

func TestAddVersionErrors(t *testing.T) {
	for _, c := range []struct {
		name, sk string
		version  int
		err      error
	}{
		{"the latest is not stored", "a", VersionLatest, ErrVersion},
		{"too large", "a", VersionMax + 1, ErrVersion},
		{"of nothing", "", 1, ErrEmpty},
		{"of what ends like one", "a@", 1, ErrReadAsVersion},
		{"too long with it", strings.Repeat("x", MaxSortKeyBytes-1), 1, ErrTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := AddVersion(c.sk, c.version)
			require.ErrorIs(t, err, c.err)
		})
	}
}

func TestSortKeyErrors(t *testing.T) {
	for _, c := range []struct {
		name     string
		segments []string
		err      error
	}{
		{"no segments", nil, ErrEmpty},
		{"an empty segment", []string{"a", ""}, ErrEmpty},
		{"a separator", []string{"a#b"}, ErrSeparator},
		{"a value like a version", []string{"sso", "user@2"}, ErrReadAsVersion},
		{"a value that ends in @", []string{"user@"}, ErrReadAsVersion},
		{"not UTF-8", []string{"\xff"}, ErrNotUTF8},
		{"too long", []string{strings.Repeat("x", MaxSortKeyBytes+1)}, ErrTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := SortKey(c.segments...)
			require.ErrorIs(t, err, c.err)
		})
	}
}

func TestSortKeyPrefix(t *testing.T) {
	assert.Equal(t, "ORDER_ITEM#1#", Must(SortKeyPrefix("ORDER_ITEM", "1")))
	_, err := SortKeyPrefix()
	require.ErrorIs(t, err, ErrEmpty)
	_, err = SortKeyPrefix("a#b")
	require.ErrorIs(t, err, ErrSeparator)
}

func TestParseID(t *testing.T) {
	for _, c := range []struct {
		name, id string
		segments int
		pk, sk   string
		err      error
	}{
		{"two segments", "PRODUCT#tenant001#" + guideULID, 2, "PRODUCT#tenant001", guideULID, nil},
		{"three segments", "LOG#tenant001#2024-01#2024-01-15T10:30:00Z#evt001", 3,
			"LOG#tenant001#2024-01", "2024-01-15T10:30:00Z#evt001", nil},
		{"no sort key", "PRODUCT#tenant001", 2, "", "", ErrSegments},
		{"empty sort key", "PRODUCT#tenant001#", 2, "", "", ErrEmpty},
		{"empty tenant", "PRODUCT##x", 2, "", "", ErrEmpty},
		{"a version", "PRODUCT#tenant001#x@3", 2, "", "", ErrVersioned},
		{"no tenant", "PRODUCT#x", 1, "", "", ErrNoTenant},
		{"nothing", "", 2, "", "", ErrSegments},
	} {
		t.Run(c.name, func(t *testing.T) {
			pk, sk, err := ParseID(c.id, c.segments)
			require.ErrorIs(t, err, c.err)
			if c.err == nil {
				assert.Equal(t, []string{c.pk, c.sk}, []string{pk, sk})
				assert.Equal(t, c.id, Must(ID(pk, sk)))
			}
		})
	}
}

func TestKeysAtVersion(t *testing.T) {
	keys, err := NewKeys("ORDER#tenant001", "ORDER#"+guideULID)
	require.NoError(t, err)
	second, err := keys.AtVersion(2)
	require.NoError(t, err)
	assert.Equal(t, Keys{PK: keys.PK, SK: "ORDER#" + guideULID + "@2", ID: keys.ID}, second)
	third, err := second.AtVersion(3)
	require.NoError(t, err)
	assert.Equal(t, Keys{PK: keys.PK, SK: "ORDER#" + guideULID + "@3", ID: keys.ID}, third)
}

func TestIsULID(t *testing.T) {
	for _, c := range []struct {
		name, s string
		want    bool
	}{
		{"the guide's", guideULID, true},
		{"largest", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", true},
		{"too large", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", false},
		{"lower case", strings.ToLower(guideULID), false},
		{"a letter that is none of the alphabet", "01HX7MBJK3V9WQBZ7XNDK5ZT2U", false},
		{"short", guideULID[1:], false},
		{"empty", "", false},
		{"26 bytes of other characters", strings.Repeat("é", 13), false},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, IsULID(c.s)) })
	}
}

func TestMustPanics(t *testing.T) {
	assert.PanicsWithError(t, `conventions: tenant "a#b" contains "#", which separates segments`,
		func() { Must(PartitionKey("A", "a#b")) })
}

// Rules look at keys on each request, so this must not allocate.
func TestLookingAtKeysAllocatesNothing(t *testing.T) {
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if tenant, _ := Tenant("LOG#tenant001#2024-01"); tenant == "" || Prefix(tenant) == "" ||
			!HasVersion("a@3") || !IsULID(guideULID) {
			t.Fail()
		}
	}))
}
