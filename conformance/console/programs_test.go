package console

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
)

// TestProgramsMeanwhile: new tables appear by themselves, those of another access key have a link,
// and a table that a program has written to since it was read says so, or is read again.
func TestProgramsMeanwhile(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, "#/tables")
	p.see("There are no tables yet")
	other := &server{url: s.url, db: client(s.url, "AKIAPROGRAM")}
	other.createTable(t, "theirs")
	p.click("link", "1 table of AKIAPROGRAM in us-east-1")
	p.await("link", "theirs")
	p.accessible()
	p.eval(`void (location.hash = "#/tables")`, nil)
	p.see("There are no tables yet")
	p.accessible()
	p.picture("tables-elsewhere")
	s.createTable(t, "shop")
	p.await("link", "shop")

	s.putItem(t, "shop", attributes{"pk": str("a"), "sk": str("1"), "state": str("open")})
	p.click("link", "shop")
	p.await("gridcell", "open")
	s.set(t, "a", "1", "state", str("paid"))
	p.see("Changed since: read again")
	p.accessible()
	p.picture("changed-since")
	p.click("button", "Changed since: read again")
	p.await("gridcell", "paid")
	p.miss("Changed since")
	p.click("button", "Follow")
	s.set(t, "a", "1", "state", str("sent"))
	p.await("gridcell", "sent")
	p.accessible()
	p.picture("following")
	_, err := s.db.DeleteTable(t.Context(),
		&dynamodb.DeleteTableInput{TableName: aws.String("shop")})
	assert.NoError(t, err)
	p.eval(`void (location.hash = "#/tables")`, nil)
	p.see("There are no tables yet")
}

// TestChangedBeforeItWasRead: what a program has written between the last time that the page asked
// for versions and the reading of a table is in what is shown, and no change since.
func TestChangedBeforeItWasRead(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "shop")
	s.putItem(t, "shop", attributes{"pk": str("a"), "sk": str("1"), "state": str("open")})
	p := open(t, s, "#/tables")
	p.await("link", "shop")
	p.hold(`path === "versions"`)
	p.held()
	s.set(t, "a", "1", "state", str("paid"))
	p.click("link", "shop")
	p.await("gridcell", "paid")
	p.release()
	for range 2 { // the page asks again, and knows what was written
		p.holdAgain()
		p.release()
		assert.False(t, p.shows("Changed since"))
	}
	s.set(t, "a", "1", "state", str("sent"))
	p.see("Changed since: read again")
	p.click("button", "Changed since: read again")
	p.await("gridcell", "sent")
	p.miss("Changed since")
}

// TestWhereTheDataIs: the page begins with who has the most tables, and goes back from a fork to
// where it was taken.
func TestWhereTheDataIs(t *testing.T) {
	t.Parallel()
	s := serve(t)
	few, many := client(s.url, "AAA"), client(s.url, "ZZZ")
	(&server{url: s.url, db: few}).createTable(t, "one")
	for _, name := range []string{"two", "three"} {
		(&server{url: s.url, db: many}).createTable(t, name)
	}
	p := open(t, s, "#/tables")
	p.await("link", "two")
	s.admin(t, "POST", "forks", `{"accessKey": "branch", "from": "AAA"}`)
	p.reload()
	p.eval(`void (location.hash = "#/tables?as=branch%40us-east-1")`, nil)
	p.click("button", "Leave the fork")
	p.await("link", "one")
}

// TestAnotherToken: where a server begins anew with another token, the page asks for it in place,
// and what was typed stays. A tab that is opened from another one has its token.
func TestAnotherToken(t *testing.T) {
	t.Parallel()
	s := serveAt(t)
	s.createTable(t, "shop")
	s.stop(t)
	first := append(s.args, "--admin-token", "first-token")
	s.args = first
	s.run(t)
	p := open(t, s.server, "#/tables/shop/items")
	p.fill("Token", "first-token")
	p.press("Enter")
	p.see("There are no items")
	tab := p.another(s.url + "/_kugiri/console/#/tables/shop/items")
	tab.see("There are no items")
	tab.click("button", "Add an item")
	tab.fill("Value of pk", "typed before")
	s.stop(t)
	s.args = append(s.args[:len(s.args)-1], "second-token")
	s.run(t)
	tab.see("The server wants another token")
	tab.accessible()
	tab.picture("another-token")
	tab.fill("Token", "second-token")
	tab.press("Enter")
	tab.miss("The server wants another token")
	tab.fill("Value of sk", "typed after")
	tab.click("button", "Send now")
	tab.see("1 change is applied")
	assert.NotEmpty(t, s.order(t, "typed before", "typed after"))
	p.see("typed before")
}
