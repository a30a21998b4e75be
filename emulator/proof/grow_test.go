package proof

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/migrate"
)

// furtherPatterns has a pattern for each of the published designs, of those that a service of its
// kind would ask for next.
var furtherPatterns = map[string]string{
	"apartments":  "{name: bookings of a building in time, model: Booking, equal: [building], range: at, rate: 1, returned: 50}",
	"blog":        "{name: users with an address, model: User, equal: [email], rate: 1, returned: 1}",
	"budget":      "{name: transactions of a category in a month, model: Transaction, equal: [month, category], rate: 1, returned: 20}",
	"chat":        "{name: rooms of a user, model: Join, equal: [user], rate: 50}",
	"complaints":  "{name: complaints in a state, model: Complaint, equal: [state], order: createdAt, rate: 1, returned: 25}",
	"devices":     "{name: logs of a device on a day, model: Log, equal: [device, day], order: at, rate: 2, returned: 50}",
	"exams":       "{name: best attempts at a project, model: Attempt, equal: [project], order: score, descending: true, rate: 2, returned: 10}",
	"funds":       "{name: calls in a status, model: CapitalCall, equal: [status], rate: 0.1, returned: 50}",
	"github":      "{name: forks by an account, model: Fork, equal: [account], rate: 10}",
	"graph":       "{name: orders of a customer, model: Order, equal: [customerID], order: orderDate, descending: true, rate: 20}",
	"invoices":    "{name: customers of a state, model: Customer, equal: [state], rate: 0.1, returned: 50}",
	"iot":         "{name: devices of a site, model: Device, equal: [site], rate: 1, returned: 50}",
	"kitchen":     "{name: reviews by a customer, model: Review, equal: [customer], order: date, descending: true, rate: 5}",
	"leaderboard": "{name: players with the most plays, model: Stats, order: playCount, descending: true, rate: 5, returned: 10}",
	"medical":     "{name: records of a kind, model: Record, equal: [recordType], range: date, rate: 1, returned: 50}",
	"movies":      "{name: movies with a title, model: Movie, equal: [title], rate: 5, returned: 1}",
	"payments":    "{name: subscriptions to an article, model: Subscription, equal: [sku], order: createdAt, rate: 0.1, returned: 50}",
	"projects":    "{name: users of an organization, model: User, equal: [organization], rate: 5}",
	"rankings":    "{name: athletes of a country, model: Athlete, equal: [country], rate: 1, returned: 50}",
	"requests":    "{name: requests of a client in a status, model: Request, equal: [client, status], order: createdAt, rate: 5, returned: 25}",
	"saas":        "{name: users of a tenant, model: User, equal: [tenant], order: createdAt, rate: 1, returned: 20}",
	"sessions":    "{name: sessions with a key, model: Session, equal: [sessionKey], rate: 1, returned: 1}",
	"shop":        "{name: orders of a product, model: OrderItem, equal: [product], order: itemId, descending: true, rate: 5, returned: 20}",
	"social":      "{name: comments of a user, model: Comment, equal: [author], order: commentId, descending: true, rate: 10, returned: 20}",
	"staff":       "{name: employees of a team, model: Employee, equal: [team], order: lastName, rate: 1, returned: 50}",
	"stores":      "{name: stores of a country by name, model: Store, equal: [country], begins: name, rate: 1, returned: 10}",
	"ticketing":   "{name: bookings of an event, model: Booking, equal: [event_id], order: created_at, rate: 1, returned: 50}",
	"timeseries":  "{name: hottest readings of a device, model: Reading, equal: [deviceId], order: temperature, descending: true, rate: 1, returned: 10}",
}

// unrelated is a model that refers to no other one.
const unrelated = `
  - name: Audit
    key: [id]
    items: 100_000
    puts: 1
    attributes: [id, {name: who, values: 1000}, {name: when, format: timestamp}]
patterns:
  - {name: an audit, model: Audit, equal: [id], one: true, rate: 1}
  - {name: audits of somebody, model: Audit, equal: [who], order: when, rate: 1}
`

// growth is a design that has more than its table was planned for.
type growth struct {
	kind          string
	pattern, more bool
}

var growths = []growth{{"a pattern", true, false}, {"a model", false, true}, {"both", true, true}}

// of returns a design with more.
func (g growth) of(t *testing.T, name, text string) *design.Design {
	t.Helper()
	if g.pattern {
		require.Contains(t, furtherPatterns, name)
		text = strings.TrimSuffix(text, "\n") + "\n  - " + furtherPatterns[name] + "\n"
	}
	if g.more {
		text = strings.Replace(text, "\npatterns:\n", unrelated, 1)
	}
	d, err := designfile.Parse([]byte(text))
	require.NoError(t, err)
	return d
}

// anyText has what is left of copies: the attribute that can be any text and is the partition key
// of a table, without a name of its model, by design. With a format nothing is copied.
var anyText = map[string]string{
	"devices":  "{name: device, bytes: 8, values: 50_000}",
	"funds":    "{name: document, bytes: 10, values: 1_000_000}",
	"sessions": "{name: user, bytes: 64}",
	"stores":   "{name: store, bytes: 12}",
}

// withFormat gives the attribute that can be any text a format.
func withFormat(t *testing.T, name, text string) string {
	t.Helper()
	require.Equal(t, 1, strings.Count(text, anyText[name]))
	return strings.Replace(text, anyText[name],
		strings.Replace(anyText[name], ", ", ", format: uuid, ", 1), 1)
}

// cell says what a migration changes, and what it costs once.
func cell(m *migrate.Migration) string {
	price := m.Price(design.ListPrices())
	text := map[migrate.Change]string{migrate.Nothing: "nothing", migrate.Backfilled: "backfill",
		migrate.IndexAdded: "index", migrate.Rewritten: "items", migrate.Copied: "copy"}[m.Change()]
	if price.WriteUnits == 0 {
		return text
	}
	_, took, _ := strings.Cut(price.String(), " USD, and ")
	took, _, _ = strings.Cut(took, " at ")
	return fmt.Sprintf("%s, %.2f USD, %s", text, price.Dollars, took)
}

// TestGrow plans each published design with one more pattern, with an unrelated model, and with
// both, from the table that is there. It takes the steps, and verifies the plan: of one of the
// three for each design, and with TEST_FULL=true of all. The document shows what moves.
func TestGrow(t *testing.T) {
	files, err := filepath.Glob("../../conventions/design/published/*.yaml")
	require.NoError(t, err)
	table := "| design | one more pattern | an unrelated model | both | both, without `from` |\n" +
		"|---|---|---|---|---|\n"
	designs := 0
	for _, file := range files {
		if strings.HasSuffix(file, ".table.yaml") {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		old, err := designfile.Plan(text)
		require.NoError(t, err)
		table += "| " + name
		for i, g := range growths {
			t.Run(name+" and "+g.kind, func(t *testing.T) {
				m, err := migrate.Make(g.of(t, name, string(text)), locked(t, old))
				require.NoError(t, err)
				table += " | " + cell(m)
				assertNames(t, m.New)
				if m.NewTable {
					assertUnavoidable(t, g, name, string(text), m)
				}
				if i == designs%len(growths) || os.Getenv("TEST_FULL") != "" {
					assertMigrates(t, m)
				}
			})
		}
		t.Run(name+" without from", func(t *testing.T) {
			p, err := design.Make(growths[2].of(t, name, string(text)))
			require.NoError(t, err)
			m, err := migrate.Diff(old, p)
			require.NoError(t, err)
			table += " | " + cell(m) + " |\n"
		})
		designs++
	}
	assert.Len(t, furtherPatterns, designs)
	page, err := os.ReadFile("../../conventions/docs/design.md")
	require.NoError(t, err)
	assert.True(t, strings.Contains(string(page), table), "the document shows this table:\n%s",
		table)
}

// locked returns a plan as a file has it.
func locked(t *testing.T, p *design.Plan) *design.Plan {
	t.Helper()
	text, err := designfile.Lock(p)
	require.NoError(t, err)
	p, err = designfile.ReadLock(text)
	require.NoError(t, err)
	return p
}

// indexNames are the names of indexes and of attributes of keys in notes.
var indexNames = regexp.MustCompile(`\b(?:GSI|LSI)[0-9]\w*`)

// assertNames checks that notes name indexes and attributes of keys as the plan does.
func assertNames(t *testing.T, p *design.Plan) {
	t.Helper()
	var names []string
	for _, index := range p.Indexes {
		names = append(names, index.Name)
	}
	for _, c := range p.Columns {
		names = append(names, c.Name)
	}
	for _, n := range p.Notes {
		for _, name := range indexNames.FindAllString(n.String(), -1) {
			assert.Contains(t, names, name, n.String())
		}
	}
}

// assertMigrates takes the steps of a migration, and verifies the plan.
func assertMigrates(t *testing.T, m *migrate.Migration) {
	t.Helper()
	r, err := VerifyMigration(m, Options{})
	require.NoError(t, err)
	assert.True(t, r.OK(), r.FirstFailure())
	p, err := Verify(m.New, Options{Rows: 200})
	require.NoError(t, err)
	assert.True(t, p.OK())
}

// assertUnavoidable checks that a copy has one reason only, which the plan says: keys that are any
// text. It also says what does without a copy.
func assertUnavoidable(t *testing.T, g growth, name, text string, m *migrate.Migration) {
	t.Helper()
	require.Contains(t, anyText, name)
	assert.Contains(t, m.New.Markdown(), "can be any text, and begins with no name of the model")
	assert.Contains(t, m.New.Markdown(), "a table of its own for Audit, as table says in a model, "+
		"copies nothing")
	text = withFormat(t, name, text)
	old, err := designfile.Plan([]byte(text))
	require.NoError(t, err)
	m, err = migrate.Make(g.of(t, name, text), old)
	require.NoError(t, err)
	assert.False(t, m.NewTable, m.Because)
}
