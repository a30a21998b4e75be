package console

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
)

// TestFaults: a fault is made by a form, hits, is switched off and on, and thrown away.
func TestFaults(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	p := open(t, s, "#/faults")
	p.see("There are no faults")
	p.accessible()
	p.click("button", "Add a fault")
	p.await("combobox", "What happens")
	p.accessible()
	p.picture("fault-form")
	p.click("button", "Inject")
	p.see("Choose first what happens: nothing is injected.")
	assert.Empty(t, s.admin(t, "GET", "faults", "")["faults"])
	p.choose("What happens", "internalServerError")
	p.focus("combobox", "Operation")
	p.typed("PutItem")
	p.choose("How often", "first")
	p.click("button", "Inject")
	p.see("Operation: PutItem · the first 1")
	_, err := s.db.PutItem(t.Context(),
		&dynamodb.PutItemInput{TableName: aws.String("orders"), Item: order("ORDER#1", nil)})
	assert.NoError(t, err, "the SDK tries again")
	p.see("PutItem orders × 1")
	p.see("1 hit")

	p.click("button", "Add a fault")
	p.choose("What happens", "latency")
	p.fill("Duration", "1ms")
	p.click("button", "JSON")
	p.await("textbox", "JSON")
	p.accessible()
	p.click("button", "Inject")
	p.see("Latency 1ms")
	p.see("Every request that it can be applied to")
	p.accessible()
	p.picture("faults")
	p.prefers("dark")
	p.accessible()
	p.picture("faults-dark")

	p.click("switch", "Switch: Internal server error")
	p.eventually(func() bool { return p.count(".fault.off") == 1 }, "one is off")
	assert.Len(t, s.admin(t, "GET", "faults", "")["faults"], 1)
	p.reload()
	p.eventually(func() bool { return p.count(".fault.off") == 1 },
		"the page remembers the one that is off")
	p.click("switch", "Switch: Internal server error")
	p.eventually(func() bool { return p.count(".fault") == 2 && p.count(".fault.off") == 0 },
		"both are on")
	p.hold(`path.endsWith("/faults")`)
	p.held()
	p.click("button", "Switch all off")
	p.eventually(func() bool { return p.count(".fault.off") == 2 }, "both are off")
	p.release()
	assert.Equal(t, 2, p.count(".fault.off"), "the answer of before is late")
	assert.Equal(t, 2, p.count(".fault"), "the answer of before is late")
	assert.Empty(t, s.admin(t, "GET", "faults", "")["faults"])
	p.click("button", "Throw away: Latency")
	p.eventually(func() bool { return p.count(".fault") == 1 }, "the other one has moved up")
	p.click("button", "Throw away: Internal server error")
	p.see("There are no faults")
}

// TestFaultForms: the server accepts what the form makes of every effect.
func TestFaultForms(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, "#/faults")
	p.click("button", "Add a fault")
	p.await("combobox", "What happens")
	var effects []string
	p.eval(`[...document.querySelector("dialog select").options].map((o) => o.value).filter(Boolean)`,
		&effects)
	p.press("Escape")
	parameters := map[string][2]string{"latency": {"Duration", "5ms"},
		"unprocessed": {"Share, up to 1", "0.5"}, "recall": {"Share, up to 1", "0.5"},
		"shortPages": {"Records", "0"}, "staleReads": {"Writes behind", "3"},
		"laggingIndexes": {"Time behind", "1s"}, "delayReplication": {"Delay", "5s"}}
	for i, effect := range effects {
		p.click("button", "Add a fault")
		p.choose("What happens", effect)
		if field, ok := parameters[effect]; ok {
			p.fill(field[0], field[1])
		}
		p.click("button", "Inject")
		p.eventually(func() bool { return p.count("dialog") == 0 && p.count(".fault") == i+1 },
			"the server accepts %s", effect)
	}
	p.accessible()

	p.click("button", "Add a fault")
	p.choose("What happens", "unprocessed")
	p.fill("Share, up to 1", "7")
	p.click("button", "Inject")
	p.see("unprocessed: ")
	p.accessible()
}

// TestFaultsOfAFork: a fork has faults of its own.
func TestFaultsOfAFork(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	s.admin(t, "POST", "forks", `{"accessKey": "try", "from": "test"}`)
	s.admin(t, "POST", "forks/try/faults",
		`{"when": {"table": "orders", "every": 3}, "do": "loseResponse", "mustHit": true}`)
	p := open(t, s, "#/faults?as=try@us-east-1")
	p.see("of the fork try")
	p.see("Lose the response")
	p.see("Table: orders · one in 3")
	p.see("must hit")
	q := open(t, s, "#/faults")
	q.see("There are no faults")
}

// TestReadOnlyFaults: the console of another endpoint shows its forks and faults, and changes
// nothing before its switch is turned.
func TestReadOnlyFaults(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	s.admin(t, "POST", "faults", `{"do": "loseResponse", "when": {"operation": "DeleteTable"}}`)
	of := start(t, "console", "--endpoint", s.url, "--port", "0")
	p := open(t, of, of.fragment)
	p.click("link", "Time and forks")
	p.see("This clock runs by itself")
	assert.False(t, p.tryClick(p.await("button", "Fork")))
	p.click("link", "Faults")
	p.see("Lose the response")
	assert.False(t, p.tryClick(p.await("button", "Add a fault")))
	assert.False(t, p.tryClick(p.await("switch", "Switch: Lose the response")))
	p.accessible()
	p.click("switch", "Allow writing")
	p.click("switch", "Switch: Lose the response")
	p.eventually(func() bool { return p.count(".fault.off") == 1 }, "it is off")
	assert.Empty(t, s.admin(t, "GET", "faults", "")["faults"])
}
