package verdict

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/kugiri-db/kugiri/conventions"
)

const (
	memberToken  = "ClientRequestToken"
	longestToken = 36 // API Reference, TransactWriteItems
)

// ownToken makes the client request token of a transaction one that no other tenant has: the
// database knows one caller only, and would take the transactions of two tenants with one token for
// one. It returns nil if there is no token, or one that the database refuses.
func ownToken(operation, tenant string, body []byte) ([]byte, error) {
	if tenant == "" || operation != "TransactWriteItems" && operation != "ExecuteTransaction" {
		return nil, nil
	}
	var request object
	if err := json.Unmarshal(body, &request); err != nil || request[memberToken] == nil {
		return nil, err
	}
	var token string
	if err := json.Unmarshal(request[memberToken], &token); err != nil || token == "" ||
		len(token) > longestToken {
		return nil, err
	}
	sum := sha256.Sum256([]byte(tenant + conventions.KeySeparator + token))
	request[memberToken] = encode(hex.EncodeToString(sum[:])[:longestToken])
	return encode(request), nil
}
