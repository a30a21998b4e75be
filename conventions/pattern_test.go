package conventions_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/kugiri-db/kugiri/conventions"
)

// The patterns as the guide declares them.
var (
	products = Simple{Prefix: "PRODUCT"}
	orders   = Hierarchical{Prefix: "ORDER", Children: []string{"ORDER_ITEM"}}
	users    = Variant{
		Prefix: "USER", Variants: []string{"local", "sso", "oauth", "temp", "profile"},
	}
	members = TenantAssociation{Prefix: "USER_TENANT"}
	masters = MasterData{}
	logs    = TimeSeries{Prefix: "LOG"}
	seconds = TimeSeries{Prefix: "LOG", Seconds: true}

	patterns = []Pattern{products, orders, users, members, masters, logs}
)

var event001 = time.Date(2024, 1, 15, 10, 30, 0, 0, time.UTC)

// TestGuidePatterns quotes the examples of "Common key patterns". Where the guide's code makes a
// date, the test uses the form of JavaScript.
func TestGuidePatterns(t *testing.T) {
	build := func(k Keys, err error) string {
		require.NoError(t, err)
		assert.Equal(t, k.PK+"#"+k.SK, k.ID)
		return k.PK + " " + k.SK
	}
	for _, c := range []struct {
		pattern Pattern
		keys    string
		got     string
	}{
		{products, "PRODUCT#tenant001 01HX7MBJK3V9WQBZ7XNDK5ZT2M",
			build(products.Build("tenant001", guideULID))},
		{orders, "ORDER#tenant001 ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2M",
			build(orders.BuildParent("tenant001", guideULID))},
		{orders, "ORDER#tenant001 ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#001",
			build(orders.BuildChild("tenant001", "ORDER_ITEM", guideULID, "001"))},
		{orders, "ORDER#tenant001 ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#002",
			build(orders.BuildChild("tenant001", "ORDER_ITEM", guideULID, "002"))},
		{users, "USER#common local#user123", build(users.Build(TenantCommon, "local", "user123"))},
		{users, "USER#common sso#abc123def456",
			build(users.Build(TenantCommon, "sso", "abc123def456"))},
		{users, "USER#common oauth#google789",
			build(users.Build(TenantCommon, "oauth", "google789"))},
		{users, "USER#common temp#session456",
			build(users.Build(TenantCommon, "temp", "session456"))},
		{users, "USER#common profile#user123",
			build(users.Build(TenantCommon, "profile", "user123"))},
		{members, "USER_TENANT#common tenant001#user123",
			build(members.Build("tenant001", "user123"))},
		{members, "USER_TENANT#common tenant002#user123",
			build(members.Build("tenant002", "user123"))},
		{masters, "MASTER#tenant001 SETTING#notification#email_template",
			build(masters.Build("tenant001", MasterSetting, "notification", "email_template"))},
		{masters, "MASTER#tenant001 DATA#product_category#electronics",
			build(masters.Build("tenant001", MasterItem, "product_category", "electronics"))},
		{masters, "MASTER#tenant001 DATA#product_category#clothing",
			build(masters.Build("tenant001", MasterItem, "product_category", "clothing"))},
		{masters, "MASTER#tenant001 COPY#backup#2024-01-01",
			build(masters.Build("tenant001", MasterCopy, "backup", "2024-01-01"))},
		{logs, "LOG#tenant001#2024-01 2024-01-15T10:30:00.000Z#evt001",
			build(logs.Build("tenant001", event001, "evt001"))},
		{seconds, "LOG#tenant001#2024-01 2024-01-15T10:30:00Z#evt001",
			build(seconds.Build("tenant001", event001, "evt001"))},
		{seconds, "LOG#tenant001#2024-01 2024-01-15T10:31:00Z#evt002",
			build(seconds.Build("tenant001", event001.Add(time.Minute), "evt002"))},
	} {
		t.Run(c.keys, func(t *testing.T) {
			assert.Equal(t, c.keys, c.got)
			pk, sk, _ := strings.Cut(c.got, " ")
			assert.NoError(t, c.pattern.Check(pk, sk))
			assert.NoError(t, c.pattern.Check(pk, Must(AddVersion(sk, 2))), "and a version of it")
		})
	}
}

func TestPatternPrefixes(t *testing.T) {
	assert.Equal(t, "ORDER_ITEM#"+guideULID+"#",
		Must(orders.ChildrenPrefix("ORDER_ITEM", guideULID)))
	assert.Equal(t, "tenant001#", Must(members.MembersPrefix("tenant001")))
	assert.Equal(t, "DATA#product_category#",
		Must(masters.CategoryPrefix(MasterItem, "product_category")))
	_, err := orders.ChildrenPrefix("OTHER", guideULID)
	require.ErrorIs(t, err, ErrUndeclared)
	_, err = masters.CategoryPrefix("OTHER", "c")
	require.ErrorIs(t, err, ErrUndeclared)
	_, err = members.MembersPrefix("")
	require.ErrorIs(t, err, ErrEmpty)
}

func TestPatternCheck(t *testing.T) {
	for _, c := range []struct {
		name    string
		pattern Pattern
		pk, sk  string
		err     error
	}{
		{"simple: another prefix", products, "ORDER#t", guideULID, ErrUndeclared},
		{"simple: no tenant", products, "PRODUCT", guideULID, ErrNoTenant},
		{"simple: not a ULID", products, "PRODUCT#t", "1", ErrNotULID},
		{"simple: any identifier", Simple{Prefix: "PRODUCT", AnyID: true}, "PRODUCT#t", "1", nil},
		{"simple: a segment too many", products, "PRODUCT#t", guideULID + "#1", ErrSegments},
		{"simple: a segment too many in the partition key", products, "PRODUCT#t#1", guideULID,
			ErrSegments},
		{"hierarchical: an undeclared child", orders, "ORDER#t", "NOTE#o#1", ErrUndeclared},
		{"hierarchical: a child without an id", orders, "ORDER#t", "ORDER_ITEM#o", ErrSegments},
		{"hierarchical: a parent with more", orders, "ORDER#t",
			"ORDER#2024-01-15#electronics#high-priority#01HX7M", ErrSegments},
		{"hierarchical: a parent with its status", orders, "ORDER#t", "ORDER#pending#01HX7M",
			ErrSegments},
		{"hierarchical: another type of parent", Hierarchical{Prefix: "ORDER", Parent: "HEAD"},
			"ORDER#t", "HEAD#o", nil},
		{"hierarchical: other separators", orders, "ORDER#t", "ORDER-01HX7M_item:001", ErrSegments},
		{"variant: undeclared", users, "USER#common", "saml#u", ErrUndeclared},
		{"variant: an e-mail address", users, "USER#common", "local#user@example.com", nil},
		{"variant: no identifier", users, "USER#common", "local", ErrSegments},
		{"association: not of the common tenant", members, "USER_TENANT#tenant001", "tenant001#u",
			ErrUndeclared},
		{"association: no member", members, "USER_TENANT#common", "tenant001", ErrSegments},
		{"master data: an undeclared type", masters, "MASTER#t", "OTHER#c#x", ErrUndeclared},
		{"master data: a declared type", MasterData{Prefix: "M", Types: []string{"OTHER"}}, "M#t",
			"OTHER#c#x", nil},
		{"master data: no code", masters, "MASTER#t", "DATA#c", ErrSegments},
		{"time series: no month", logs, "LOG#t", "2024-01-15T10:30:00.000Z#e", ErrSegments},
		{"time series: another month", logs, "LOG#t#2024-02", "2024-01-15T10:30:00.000Z#e",
			ErrMonth},
		{"time series: a month of one digit", logs, "LOG#t#2024-1", "2024-01-15T10:30:00.000Z#e",
			ErrMonth},
		{"time series: without milliseconds", logs, "LOG#t#2024-01", "2024-01-15T10:30:00Z#e", nil},
		{"time series: with milliseconds", seconds, "LOG#t#2024-01", "2024-01-15T10:30:00.000Z#e",
			nil},
		{"time series: tenths", logs, "LOG#t#2024-01", "2024-01-15T10:30:00.0Z#e", ErrTime},
		{"time series: a comma", logs, "LOG#t#2024-01", "2024-01-15T10:30:00,000Z#e", ErrTime},
		{"time series: an offset", logs, "LOG#t#2024-01", "2024-01-15T10:30:00+09:00#e", ErrTime},
		{"time series: no such day", logs, "LOG#t#2024-02", "2024-02-30T10:30:00.000Z#e", ErrTime},
		{"time series: no event", logs, "LOG#t#2024-01", "2024-01-15T10:30:00.000Z", ErrSegments},
		{"a bad sort key", logs, "LOG#t#2024-01", "", ErrEmpty},
	} {
		t.Run(c.name, func(t *testing.T) { require.ErrorIs(t, c.pattern.Check(c.pk, c.sk), c.err) })
	}
}

func TestPatternBuildErrors(t *testing.T) {
	failed := func(_ Keys, err error) error { return err }
	for _, c := range []struct {
		name     string
		got, err error
	}{
		{"simple: not a ULID", failed(products.Build("t", "1")), ErrNotULID},
		{"simple: no tenant", failed(products.Build("", guideULID)), ErrEmpty},
		{"hierarchical: an undeclared child", failed(orders.BuildChild("t", "NOTE", "o", "1")),
			ErrUndeclared},
		{"hierarchical: the parent's type", failed(orders.BuildChild("t", "ORDER", "o", "1")),
			ErrUndeclared},
		{"hierarchical: a separator in an id", failed(orders.BuildParent("t", "a#b")),
			ErrSeparator},
		{"variant: undeclared", failed(users.Build("t", "saml", "u")), ErrUndeclared},
		{"variant: like a version", failed(users.Build("t", "local", "user@2")), ErrReadAsVersion},
		{"association: a separator in the tenant", failed(members.Build("a#b", "u")), ErrSeparator},
		{"master data: undeclared", failed(masters.Build("t", "OTHER", "c", "x")), ErrUndeclared},
		{"time series: after 9999",
			failed(logs.Build("t", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), "e")), ErrTime},
		{"time series: before 0",
			failed(logs.Build("t", time.Date(-1, 12, 31, 0, 0, 0, 0, time.UTC), "e")), ErrTime},
		{"time series: no event", failed(logs.Build("t", event001, "")), ErrEmpty},
		{"time series: no tenant", failed(logs.Build("", event001, "e")), ErrEmpty},
	} {
		t.Run(c.name, func(t *testing.T) { require.ErrorIs(t, c.got, c.err) })
	}
}

func TestPatternValidate(t *testing.T) {
	for _, p := range patterns {
		t.Run(string(p.Kind()), func(t *testing.T) { assert.NoError(t, p.Validate()) })
	}
	for _, c := range []struct {
		name    string
		pattern Pattern
		err     error
	}{
		{"simple: no prefix", Simple{}, ErrEmpty},
		{"hierarchical: no prefix", Hierarchical{}, ErrEmpty},
		{"hierarchical: a child like the parent",
			Hierarchical{Prefix: "A", Children: []string{"A"}}, ErrDeclaredTwice},
		{"hierarchical: a separator", Hierarchical{Prefix: "A", Parent: "B#C"}, ErrSeparator},
		{"variant: no prefix", Variant{}, ErrEmpty},
		{"variant: twice", Variant{Prefix: "A", Variants: []string{"x", "y", "x"}},
			ErrDeclaredTwice},
		{"association: no prefix", TenantAssociation{}, ErrEmpty},
		{"master data: an empty type", MasterData{Types: []string{""}}, ErrEmpty},
		{"master data: a prefix with a separator", MasterData{Prefix: "A#"}, ErrSeparator},
		{"time series: not UTF-8", TimeSeries{Prefix: "\xff"}, ErrNotUTF8},
	} {
		t.Run(c.name, func(t *testing.T) { require.ErrorIs(t, c.pattern.Validate(), c.err) })
	}
}

// segment draws values with separators and other special characters in unusual places.
func segment(t *rapid.T, name string) string {
	return rapid.StringOfN(rapid.SampledFrom([]rune("@#019-+aé")), 0, 6, -1).Draw(t, name)
}

// refused tells whether err is one that a builder may return for a value that it must refuse.
func refused(err error) bool {
	return errors.Is(err, ErrEmpty) || errors.Is(err, ErrSeparator) ||
		errors.Is(err, ErrReadAsVersion)
}

// TestPatternsRoundTrip: keys parse to the parts that they were built from, in any version, and a
// builder that refuses parts returns an error.
func TestPatternsRoundTrip(t *testing.T) {
	type round struct {
		name  string
		build func() (Keys, error)
		parse func(pk, sk string) (got any, version int, err error)
		want  any
	}
	anything := Simple{Prefix: "ANY", AnyID: true}
	rapid.Check(t, func(t *rapid.T) {
		a, b, c, d := segment(t, "a"), segment(t, "b"), segment(t, "c"), segment(t, "d")
		version := rapid.IntRange(VersionFirst, 100).Draw(t, "version")
		at := time.UnixMilli(rapid.Int64Range(-62167219200000, 253402300799999).Draw(t, "at")).UTC()
		for _, r := range []round{
			{"simple", func() (Keys, error) { return anything.Build(a, b) },
				func(pk, sk string) (any, int, error) {
					k, err := anything.Parse(pk, sk)
					return k, k.Version, err
				},
				SimpleKey{a, b, version}},
			{"parent", func() (Keys, error) { return orders.BuildParent(a, b) },
				func(pk, sk string) (any, int, error) {
					k, err := orders.Parse(pk, sk)
					return k, k.Version, err
				},
				HierarchicalKey{a, "ORDER", b, "", version}},
			{"child", func() (Keys, error) { return orders.BuildChild(a, "ORDER_ITEM", b, c) },
				func(pk, sk string) (any, int, error) {
					k, err := orders.Parse(pk, sk)
					return k, k.Version, err
				},
				HierarchicalKey{a, "ORDER_ITEM", b, c, version}},
			{"variant", func() (Keys, error) { return users.Build(a, "sso", b) },
				func(pk, sk string) (any, int, error) {
					k, err := users.Parse(pk, sk)
					return k, k.Version, err
				},
				VariantKey{a, "sso", b, version}},
			{"association", func() (Keys, error) { return members.Build(a, b) },
				func(pk, sk string) (any, int, error) {
					k, err := members.Parse(pk, sk)
					return k, k.Version, err
				},
				TenantAssociationKey{a, b, version}},
			{"master data", func() (Keys, error) { return masters.Build(a, MasterItem, b, c) },
				func(pk, sk string) (any, int, error) {
					k, err := masters.Parse(pk, sk)
					return k, k.Version, err
				},
				MasterDataKey{a, MasterItem, b, c, version}},
			{"time series", func() (Keys, error) { return logs.Build(a, at, d) },
				func(pk, sk string) (any, int, error) {
					k, err := logs.Parse(pk, sk)
					return k, k.Version, err
				},
				TimeSeriesKey{a, at, d, version}},
		} {
			keys, err := r.build()
			if err != nil {
				require.True(t, refused(err), "%s: %v", r.name, err)
				continue
			}
			_, none, err := r.parse(keys.PK, keys.SK)
			require.NoError(t, err, r.name)
			require.Equal(t, VersionLatest, none)
			versioned, err := keys.AtVersion(version)
			require.NoError(t, err, r.name)
			got, _, err := r.parse(versioned.PK, versioned.SK)
			require.NoError(t, err, r.name)
			require.Equal(t, r.want, got)
			pk, sk, err := ParseID(keys.ID, len(Segments(keys.PK)))
			require.NoError(t, err)
			require.Equal(t, []string{keys.PK, keys.SK}, []string{pk, sk})
		}
	})
}

func TestTimeSeriesCutsTime(t *testing.T) {
	at := time.Date(2024, 2, 1, 8, 59, 59, 999999999, time.FixedZone("Tokyo", 9*3600))
	keys, err := logs.Build("t", at, "e")
	require.NoError(t, err)
	assert.Equal(t, "LOG#t#2024-01 2024-01-31T23:59:59.999Z#e", keys.PK+" "+keys.SK)
	keys, err = seconds.Build("t", at, "e")
	require.NoError(t, err)
	assert.Equal(t, "2024-01-31T23:59:59Z#e", keys.SK)
}

func TestTimeSeriesPartitions(t *testing.T) {
	day := func(year, month, day int) time.Time {
		return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	}
	for _, c := range []struct {
		name     string
		from, to time.Time
		want     []string
	}{
		{"an instant", day(2024, 1, 15), day(2024, 1, 15), []string{"LOG#t#2024-01"}},
		{"over the new year", day(2023, 11, 30), day(2024, 1, 1),
			[]string{"LOG#t#2023-11", "LOG#t#2023-12", "LOG#t#2024-01"}},
		{"from the 31st, which not all months have", day(2024, 1, 31), day(2024, 3, 1),
			[]string{"LOG#t#2024-01", "LOG#t#2024-02", "LOG#t#2024-03"}},
		{"a zone before UTC", time.Date(2024, 2, 1, 0, 0, 0, 0, time.FixedZone("Tokyo", 9*3600)),
			day(2024, 2, 2), []string{"LOG#t#2024-01", "LOG#t#2024-02"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := logs.Partitions("t", c.from, c.to)
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
	for _, c := range []struct {
		name, tenant string
		from, to     time.Time
	}{
		{"backwards", "t", day(2024, 1, 2), day(2024, 1, 1)},
		{"too many months", "t", day(1900, 1, 1), day(2000, 1, 1)},
		{"before the year 0", "t", day(-1, 1, 1), day(0, 1, 1)},
		{"after 9999", "t", day(9999, 1, 1), day(10000, 1, 1)},
		{"no tenant", "", day(2024, 1, 1), day(2024, 1, 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := logs.Partitions(c.tenant, c.from, c.to)
			require.Error(t, err)
		})
	}
}

// TestTimeSeriesBetween: an event is in a range of Between exactly if its time, to the millisecond,
// is in it.
func TestTimeSeriesBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		near := rapid.Int64Range(0, 100*24*3600*1000)
		draw := func(name string) time.Time {
			return event001.Add(time.Duration(near.Draw(t, name)) * time.Millisecond)
		}
		from, to := draw("from"), draw("to")
		if to.Before(from) {
			from, to = to, from
		}
		at := rapid.SampledFrom(
			[]time.Time{from, to, from.Add(-time.Millisecond), to.Add(time.Millisecond),
				draw("at")}).Draw(t, "which")
		keys, err := logs.Build("t", at,
			rapid.SampledFrom([]string{"e", "!", "~", "𐀀"}).Draw(t, "event"))
		require.NoError(t, err)
		ranges, err := logs.Between("t", from, to)
		require.NoError(t, err)
		found := 0
		for _, r := range ranges {
			if r.PK == keys.PK && r.From <= keys.SK && keys.SK <= r.To {
				found++
			}
		}
		want := 0
		if !at.Before(from) && !at.After(to) {
			want = 1
		}
		require.Equal(t, want, found)
	})
}
