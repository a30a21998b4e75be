package console

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// explore runs two workers that count the uses of a coupon, in every order, as a program of
// another language does. It returns the page of the failure, and leaves an exploration open.
func (s *server) explore(t *testing.T) (html string) {
	const workers = `,"from":"test","workers":[{"name":"alice"},{"name":"bob"}]}`
	key := attributes{"pk": str("c1"), "sk": str("1")}
	table := aws.String("coupons")
	// an error says that the run is over
	work := func(db *dynamodb.Client) {
		out, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: table, Key: key})
		if err == nil {
			item := attributes{"pk": str("c1"), "sk": str("1"),
				"uses": str(strconv.Itoa(len(out.Item)))}
			_, _ = db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: table, Item: item})
		}
	}
	made := s.admin(t, "POST", "explorations", `{"name":"TestCoupons"`+workers)
	path := "explorations/" + made["id"].(string)
	for {
		step := s.admin(t, "POST", path+"/next", "")
		if step["do"] == "report" {
			failures := step["report"].(map[string]any)["failures"].([]any)
			require.NotEmpty(t, failures)
			s.admin(t, "DELETE", path, "")
			s.admin(t, "POST", "explorations", `{"name":"TestOpen"`+workers)
			return failures[0].(map[string]any)["html"].(string)
		}
		list := step["workers"].([]any)
		ended := make(chan bool)
		for _, one := range list {
			w := one.(map[string]any)
			name := w["name"].(string)
			db := client(s.url, w["accessKey"].(string))
			go func() {
				defer func() { ended <- true }()
				work(db)
				s.admin(t, "POST", path+"/ended",
					fmt.Sprintf(`{"run":%v,"worker":%q}`, step["run"], name))
			}()
		}
		for range list {
			<-ended
		}
	}
}

// TestExplorations: those of the server are listed, a failure is shown step by step over the items
// as they were, and the page of a failure that a test has written is opened.
func TestExplorations(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "coupons")
	p := open(t, s, "#/explorations")
	p.see("No explorations so far")
	html := s.explore(t)
	p.see("TestOpen")
	p.see("running")
	p.see("lost update")
	p.accessible()
	p.click("link", "TestCoupons")
	p.see("the search ended at a failure")
	p.see("Step 1 of 4")
	p.see("← overwrites the change")
	p.see("does not exist")
	p.click("button", "Next step")
	p.click("button", "Next step")
	p.see("Items after step 3 of 4")
	p.resize(390, 844)
	p.focus("button", "Next step")
	p.press("Enter")
	p.see("Items after step 4 of 4")
	p.press("Enter")
	p.hasFocus("Next step")
	p.inSight(".now .event")
	p.focus("button", "Step back")
	p.press("Enter")
	p.see("Items after step 3 of 4")
	p.inSight(".now .event")
	p.resize(1280, 800)
	p.see(`uses: "0"`)
	p.accessible()
	p.picture("exploration")
	p.prefers("dark")
	p.accessible()

	p.click("link", "Explorations")
	p.click("button", "Forget those that have ended")
	p.miss("TestCoupons")
	p.see("TestOpen")
	file := filepath.Join(t.TempDir(), "T-1.html")
	const script = `<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>`
	html = html + script
	require.NoError(t, os.WriteFile(file, []byte(html), 0o644))
	p.giveFile("input[type=file]", file)
	p.await("article", "lost update")
	p.see("← reads what is about to change")
	other := filepath.Join(t.TempDir(), "other.html")
	require.NoError(t, os.WriteFile(other, []byte(script), 0o644))
	p.giveFile("input[type=file]", other)
	p.see("other.html is no page of a failure")
	var hurt bool
	p.eval("window.hurt === 1", &hurt)
	assert.False(t, hurt)
}

// inSight waits until all of the first element of a selector can be seen from side to side.
func (p *page) inSight(selector string) {
	p.t.Helper()
	const seen = `(() => { const box = document.querySelector(%q).getBoundingClientRect();
		return box.left >= 0 && box.right <= innerWidth })()`
	p.eventually(func() bool {
		var yes bool
		return p.tryEval(fmt.Sprintf(seen, selector), &yes) == nil && yes
	}, "%s is in sight", selector)
}
