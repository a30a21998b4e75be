package isolation

import (
	"path"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

// noTenant is the owner of what names no tenant, so that everybody who is a tenant may use it.
const noTenant = ""

// tableName returns a name that a pattern of the policy matches. Different n make different names
// where the pattern leaves it open.
func tableName(pattern string, n int) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '*':
			b.WriteString([...]string{"any", "x9", "some-other", "0"}[n%4])
		case '?':
			b.WriteByte("xq7-"[n%4])
		case '\\':
			if i++; i < len(pattern) {
				b.WriteByte(pattern[i])
			}
		case '[':
			end := strings.IndexByte(pattern[i:], ']')
			if end < 0 {
				return pattern
			}
			b.WriteByte(oneOf(pattern[i : i+end+1]))
			i += end
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// oneOf returns a character that a class, such as [a-c], matches.
func oneOf(class string) byte {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") {
		if ok, _ := path.Match(class, string(c)); ok {
			return c
		}
	}
	return 'x'
}

// keyOf returns a key of an entity for a tenant. Different n make different keys where segments
// leave it open. owner is the tenant, common or noTenant.
func keyOf(e *policy.Entity, tenant string, n int) (pk, sk, owner string) {
	owner = noTenant
	var parts []string
	if e.Prefix != "" {
		parts = append(parts, e.Prefix)
	}
	switch e.Tenant {
	case policy.TenantNone:
	case policy.TenantCommon:
		parts, owner = append(parts, conventions.TenantCommon), conventions.TenantCommon
	default:
		parts, owner = append(parts, tenant), tenant
	}
	for _, segments := range [...][]policy.Segment{e.Partition, e.Sort} {
		for i := range segments {
			if segments[i].Type == policy.Tenant {
				owner = tenant
			}
		}
	}
	parts = append(parts, values(e.Partition, tenant, 0)...)
	return strings.Join(parts, conventions.KeySeparator),
		strings.Join(values(e.Sort, tenant, n), conventions.KeySeparator), owner
}

func values(segments []policy.Segment, tenant string, n int) (all []string) {
	for i := range segments {
		all = append(all, segments[i].Lead+valueOf(&segments[i], tenant, n))
	}
	return all
}

// valueOf returns a value of a segment.
func valueOf(s *policy.Segment, tenant string, n int) string {
	switch s.Type {
	case policy.Literal, policy.Enum:
		return s.Values[n%len(s.Values)]
	case policy.ULID:
		return "01HX7MBJK3V9WQBZ7XNDK5ZT" + strconv.Itoa(10+n%90)
	case policy.Date:
		return "2024-01-" + strconv.Itoa(10+n%20)
	case policy.Month:
		return "2024-01"
	case policy.Timestamp:
		return "2024-01-15T10:30:" + strconv.Itoa(10+n%50) + "Z"
	case policy.Number:
		return strconv.Itoa(1 + n)
	case policy.Tenant:
		return tenant
	case policy.Status:
		return "active"
	}
	return "x" + strconv.Itoa(n)
}
