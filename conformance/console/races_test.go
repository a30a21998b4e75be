package console

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

// TestRaces: requests are recorded while somebody looks, and a race in them is shown as the order
// that hurts, step by step.
func TestRaces(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "coupons")
	p := open(t, s, "#/traffic?show=races")
	p.see("Nothing is recorded for races")
	p.accessible()
	p.click("button", "Record and look for races")
	p.see("No races so far")
	key := attributes{"pk": str("c1"), "sk": str("1")}
	_, err := s.db.GetItem(t.Context(),
		&dynamodb.GetItemInput{TableName: aws.String("coupons"), Key: key})
	require.NoError(t, err)
	s.putItem(t, "coupons", attributes{"pk": str("c1"), "sk": str("1"), "by": str("ann")})
	p.await("article", "check-then-put")
	p.see("confirmed by a replay")
	p.see("attribute_not_exists")
	p.see("Step 1 of 4")
	p.click("button", "Next step")
	p.see("Step 2 of 4")
	p.accessible()
	p.picture("races")
	p.prefers("dark")
	p.accessible()
	p.click("button", "Look no more")
	p.await("button", "Record and look for races")
}
