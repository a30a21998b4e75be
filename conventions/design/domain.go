package design

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// NewDomainSamples makes Samples for people to look at: values look like those of the domain, by
// the names of attributes and models. Some begin with each other, as ann and anna do.
func NewDomainSamples(d *Design, rows map[string]int64, seed uint64) *Samples {
	s := NewSamples(d, rows, seed)
	s.domain = true
	return s
}

// vocabularies are values by what they are of. Attributes find theirs by a word of their name.
var vocabularies = []struct {
	words  []string // the last word of an attribute's name, or its whole name
	values []string
}{
	{[]string{"username", "user", "login", "nick", "nickname", "handle", "author", "owner",
		"player", "follower", "followee", "followed", "sender", "recipient", "agent", "operator",
		"assignee", "candidate", "employee", "manager", "supervisor", "member", "account", "by"},
		[]string{"ann", "anna", "ben", "carla", "david", "eva", "felix", "grace", "hugo", "ivy",
			"jonas", "kim"}},
	{[]string{"firstname", "givenname"}, []string{"Ann", "Anna", "Ben", "Carla", "David", "Eva",
		"Felix", "Grace", "Hugo", "Ivy", "Jonas", "Kim"}},
	{[]string{"lastname", "surname", "familyname"}, []string{"Berg", "Bergman", "Okafor", "Silva",
		"Tanaka", "Novak", "Rossi", "Haas", "Moreau", "Kaur", "Lind", "Costa"}},
	{[]string{"city", "town", "place", "location", "site"}, []string{"York", "Yorkville", "Lyon",
		"Kyoto", "Lima", "Oslo", "Porto", "Quito", "Riga", "Seoul", "Turin", "Utrecht"}},
	{[]string{"country", "nation"}, []string{"DE", "FR", "JP", "BR", "SE", "IN", "KE", "PT", "US",
		"NZ", "PE", "LV"}},
	{[]string{"region", "province"}, []string{"Bavaria", "Brittany", "Kansai", "Punjab",
		"Skåne", "Alentejo"}},
	{[]string{"street", "address"}, []string{"12 Mill Lane", "12 Mill Lane, flat 3",
		"7 Harbour Street", "48 Station Road", "3 Rue des Lilas", "21 Gartenweg"}},
	{[]string{"postcode", "zip", "zipcode"}, []string{"10115", "69001", "98101", "60200", "22100",
		"1010"}},
	{[]string{"product", "item", "article", "dish"}, []string{"Desk lamp", "Desk lamp, brass",
		"Oak shelf", "Wool blanket", "Teapot", "Notebook", "Rain coat", "Bicycle bell"}},
	{[]string{"company", "shop", "store", "restaurant", "organization", "business", "brand",
		"office", "supplier", "vendor"}, []string{"Northwind", "Northwind Traders", "Blue Harbour",
		"Linden & Sons", "Alpine Foods", "Cobalt Works"}},
	{[]string{"category", "department", "section"}, []string{"books", "garden", "kitchen", "music",
		"sports", "toys"}},
	{[]string{"genre"}, []string{"jazz", "rock", "rock'n'roll", "folk", "opera", "blues"}},
	{[]string{"tag", "topic", "subject", "keyword"}, []string{"travel", "travelling", "cooking",
		"history", "gardening", "astronomy"}},
	{[]string{"team", "group", "channel", "room", "board"}, []string{"general", "design",
		"support", "support-eu", "finance", "platform"}},
	{[]string{"role"}, []string{"reader", "editor", "admin", "owner"}},
	{[]string{"status", "state", "phase", "stage"}, []string{"open", "in progress", "waiting",
		"done", "cancelled", "archived"}},
	{[]string{"severity", "priority", "level"}, []string{"low", "medium", "high", "urgent"}},
	{[]string{"kind", "type"}, []string{"standard", "express", "gift", "return"}},
	{[]string{"color", "colour"}, []string{"blue", "green", "red", "yellow", "white", "black"}},
	{[]string{"currency"}, []string{"EUR", "USD", "JPY", "BRL", "SEK", "INR"}},
	{[]string{"language", "locale"}, []string{"de", "fr", "ja", "pt", "pt-BR", "sv"}},
	{[]string{"headline", "title", "caption", "subtitle"}, []string{"The Old Lighthouse",
		"The Old Lighthouse, Revisited", "A Winter in Riga", "Rivers of the North",
		"Letters to Kyoto", "The Clockmaker"}},
	{[]string{"description", "text", "body", "content", "comment", "message", "note", "details",
		"bio", "profile", "summary", "about", "outcome", "review"}, []string{
		"Arrived a day early, well packed.", "Please call before noon.",
		"The blue one, as last time.", "Works as described.", "Left with the neighbour.",
		"Thank you, all settled."}},
}

// people are models whose name is that of a person.
var people = []string{"user", "customer", "author", "member", "player", "employee", "account",
	"student", "patient", "driver", "agent", "person", "reader", "candidate", "guest", "chef",
	"teacher", "doctor", "contact", "buyer", "seller"}

// nameWords returns the words of a name such as createdAt, in lower case. A capital letter begins a
// word, unless it is behind an i: the words of userID are user and id.
func nameWords(name string) (words []string) {
	start := true
	for _, r := range name {
		switch {
		case r == '_' || r == '-' || r == '.' || unicode.IsSpace(r):
			start = true
			continue
		case start || unicode.IsUpper(r) && !strings.HasSuffix(words[len(words)-1], "i"):
			words = append(words, "")
		}
		start = false
		words[len(words)-1] += string(unicode.ToLower(r))
	}
	return words
}

// vocabulary returns the values of an attribute of a model, or none.
func vocabulary(name, model string) []string {
	words := nameWords(name)
	if len(words) == 0 {
		return nil
	}
	last := words[len(words)-1]
	if last == "name" {
		last = strings.Join(nameWords(model), "")
		if len(words) > 1 {
			last = words[len(words)-2]
		}
		if slices.Contains(people, last) {
			return fullNames()
		}
	}
	for _, word := range []string{strings.Join(words, ""), last, strings.TrimSuffix(last, "s"),
		strings.TrimSuffix(last, "es")} {
		for _, v := range vocabularies {
			if slices.Contains(v.words, word) {
				return v.values
			}
		}
	}
	return nil
}

// fullNames joins the first names and the last ones.
func fullNames() (all []string) {
	first, last := vocabulary("firstName", ""), vocabulary("lastName", "")
	for i := range first {
		all = append(all, first[i]+" "+last[i%len(last)])
	}
	return all
}

// domainText returns value number n of a string as the domain has it. No two are equal.
func domainText(a *Attribute, model string, n int64) string {
	words := nameWords(a.Name)
	if len(words) == 0 {
		return fmt.Sprintf("value-%d", 1001+n)
	}
	day := epoch.AddDate(0, 0, int(n%36500))
	switch last := words[len(words)-1]; last {
	case "email", "mail":
		return numbered(vocabulary("username", ""), n, "") + "@example.com"
	case "phone", "mobile", "fax":
		return fmt.Sprintf("+49 30 5550%03d", n)
	case "url", "link", "website", "image", "photo", "avatar":
		return fmt.Sprintf("https://example.com/%s/%d", strings.Join(nameWords(model), "-"), 1001+n)
	case "day", "date", "birthday":
		if n < 36500 {
			return day.Format(time.DateOnly)
		}
	case "geohash", "cell":
		return fmt.Sprintf("u33%s", strings.ToLower(fmt.Sprintf("%03x", 0xd4b+n)))
	case "hash", "token", "secret", "checksum", "fingerprint":
		return fmt.Sprintf("%016x", uint64(n+1)*0x9E3779B97F4A7C15)
	case "path", "folder", "directory":
		return "/eu/de/" + strings.ToLower(numbered(vocabulary("city", ""), n, "-")) + "/"
	}
	if values := vocabulary(a.Name, model); values != nil {
		return numbered(values, n, " ")
	}
	return identifier(words, model, n)
}

// domainUUID returns UUID number n of an attribute. Those of another attribute differ.
func domainUUID(attribute uint32, n int64) string {
	const bits = 1<<48 - 1
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", uint32((n+1)*2654435761), attribute&0xFFFF,
		(n*7+0x3a5)&0xFFF, attribute>>20, uint64(n+1)*0x9E3779B97F4B&bits)
}

// crockford are the digits of ULIDs.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// domainULID returns ULID number n of an attribute: the time comes first, so that they have the
// order of n.
func domainULID(attribute uint32, n int64) string {
	digits := func(v uint64, count int) string {
		text := make([]byte, count)
		for i := range count {
			text[count-1-i] = crockford[v&31]
			v >>= 5
		}
		return string(text)
	}
	at := epoch.UnixMilli() + n*domainPace.Milliseconds()
	return digits(uint64(at), 10) + digits(uint64(attribute), 8) +
		digits(uint64(n+1)*0x9E3779B97F4B, 8)
}

// domainPace is how far the timestamps of the domain are apart.
const domainPace = 7*time.Hour + 13*time.Minute + 5*time.Second

// firstExpiry is the first time to live: that of 2036, so that no sample expires.
const firstExpiry = 2_100_000_000

// domainNumber returns value number n of an attribute that is a number. They have the order of n.
func domainNumber(m *Model, a *Attribute, n int64) int64 {
	words := nameWords(a.Name)
	if m.TTL == a.Name {
		return firstExpiry + n*24*3600
	}
	if a.counted() != "" || len(words) == 0 {
		return n
	}
	switch words[len(words)-1] {
	case "price", "amount", "total", "balance", "cost", "fee", "cents":
		return 499 + 250*n
	case "salary", "revenue", "budget":
		return 42_000 + 1_500*n
	case "year":
		return 2001 + n
	}
	return n
}

// identifier returns value number n of an attribute that names something, such as order-1001.
func identifier(words []string, model string, n int64) string {
	if last := words[len(words)-1]; slices.Contains([]string{"id", "key", "number", "code",
		"no", "nr", "name"}, last) {
		if words = words[:len(words)-1]; len(words) == 0 {
			words = nameWords(model)
		}
	}
	return fmt.Sprintf("%s-%d", strings.Join(words, "-"), 1001+n)
}

// numbered returns value number n of a list that starts again with numbers after its end.
func numbered(values []string, n int64, before string) string {
	text, round := values[n%int64(len(values))], n/int64(len(values))
	if round == 0 {
		return text
	}
	return fmt.Sprintf("%s%s%d", text, before, round+1)
}
