package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// checkTenantName finds names that keys cannot have, that look like another name, or that are not
// one tenant's.
func (c *compiler) checkTenantName(field, name string) {
	switch {
	case name == "":
		c.fail(field, "a tenant's name is empty")
	case strings.Contains(name, conventions.KeySeparator):
		c.fail(field, "the tenant %.100q holds %q, which separates segments", name,
			conventions.KeySeparator)
	case strings.ContainsFunc(name, isInvisible):
		c.fail(field,
			"the tenant %+.100q holds a space or a character that is not seen, so that it looks like another tenant: leave it out", name)
	case strings.ContainsFunc(name, isStyled):
		c.fail(field,
			"the tenant %+.100q has a letter of another width or style, so that it looks like another tenant: write the ordinary letter", name)
	case hasForeign(name):
		c.fail(field,
			"the tenant %+.100q has a letter of another script among Latin ones, which looks like one of them: write the Latin letter", name)
	case !isComposed(name):
		c.fail(field,
			"the tenant %+.100q has a letter in another form than NFC, so that it looks like another tenant: write the composed letter", name)
	}
}

// checkLookalikes finds tenants whose names are written in letters of different scripts, and look
// alike.
func (c *compiler) checkLookalikes(t *Tenants) {
	seen := map[string]string{conventions.TenantCommon: conventions.TenantCommon}
	for field, name := range t.names() {
		other, known := seen[latin(name)]
		if known && other != name {
			c.fail(field, "the tenant %+.100q looks like the tenant %+.100q: give it another name",
				name, other)
			continue
		}
		seen[latin(name)] = name
	}
}

// checkListed is checkTenantName for a tenant that known or privileged lists.
func (c *compiler) checkListed(field, name string) {
	c.checkTenantName(field, name)
	if name == conventions.TenantCommon {
		c.fail(field, "%s is no tenant but what all tenants share, which is always allowed: leave it out", name)
	}
}

// checkAccessKey finds access keys that no request can have.
func (c *compiler) checkAccessKey(field, key string) {
	if key == "" || strings.ContainsFunc(key, isInvisible) || strings.Contains(key, "/") {
		c.fail(field, "%+.100q is no access key id", key)
	}
}

// senders are headers that an SDK, a client of HTTP or a proxy writes, by their beginnings.
var senders = []string{"authorization", "host", "date", "x-amz-", "amz-sdk-", "content-", "accept",
	"user-agent", "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
	"expect", "proxy-", "x-forwarded-", "forwarded", "via", "origin", "referer", "cookie",
	"x-real-ip"}

// checkHeader finds headers that cannot name a tenant.
func (c *compiler) checkHeader(field, name string) {
	lower := strings.ToLower(name)
	isToken := func(r rune) bool {
		return r > ' ' && r < 0x7f && !strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	}
	switch {
	case name == "":
	case strings.ContainsFunc(name, func(r rune) bool { return !isToken(r) }):
		c.fail(field, "%.100q is no name of a header", name)
	case slices.ContainsFunc(senders, func(s string) bool {
		return lower == s || strings.HasSuffix(s, "-") && strings.HasPrefix(lower, s) ||
			s == "accept" && strings.HasPrefix(lower, "accept-")
	}):
		c.fail(field,
			"SDKs, proxies and HTTP itself write the header %.100q, so that it names no tenant: use one of your own, such as x-tenant", name)
	}
}

// checkVersionAttribute finds attributes that cannot count versions, because they are something
// else.
func (c *compiler) checkVersionAttribute(field string, in *Table, key KeySchema) {
	name := cmp.Or(in.VersionAttribute, defaultVersionAttribute)
	switch name {
	case key.Partition, key.Sort:
		c.fail(field, "%.100q is an attribute of the key, which never changes", name)
	case attributeID, attributeOfCommand, attributeOfCommandsSort:
		c.fail(field, "the guide's items have a key in %.100q", name)
	}
	for i := range in.Entities {
		if in.Entities[i].Expires == name {
			c.fail(field, "%.100q says when items of %s expire", name, in.Entities[i].Name)
		}
	}
}

// checkLatestContent finds contents that a latest item and its version cannot have in common.
func (c *compiler) checkLatestContent(field string, t *table) {
	l := t.latest
	if l.ActualVersion == t.primary.key.Partition || l.ActualVersion == t.primary.key.Sort {
		c.fail(field+".actual-version", "%.100q is an attribute of the key", l.ActualVersion)
	}
	for i, name := range l.Content {
		if name == l.ActualVersion || name == l.Attribute {
			c.fail(fmt.Sprintf("%s.content[%d]", field, i),
				"the latest item has another value in %.100q than its version", name)
		}
	}
	if t.role == Data && (len(l.Content) == 0 || slices.Contains(l.Content, t.version)) {
		c.fail(field,
			"in a data table each item counts its own %.100q, so that the latest item never has the one of its version: declare role: plain, or content without it", t.version)
	}
}

// checkNamedTenants finds segments that are called a tenant and take any text, in keys that name no
// tenant otherwise: every tenant writes and reads the items of all.
func (c *compiler) checkNamedTenants(field string, in *Entity) {
	if in.Tenant.isRequired() || hasTenantSegment(in.Partition) || hasTenantSegment(in.Sort) {
		return
	}
	for s, at := range segmentsOf(field, in) {
		if s.Type != Literal && isTenant(*s) {
			c.fail(at,
				"the segment %s is any text, so that every tenant reaches the items of all: declare it as {%s:tenant}, or give it another name", s, s.Name)
		}
	}
}
