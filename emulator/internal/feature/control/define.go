package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// CheckDeclared holds the keys of a new table and its indexes to the policy, if there is one.
func CheckDeclared(c *serve.Call, in *api.CreateTableInput) error {
	if c.Policy == nil {
		return nil
	}
	return c.Policy.Define(request.KeysOf(in))
}

// define holds the key of a new index to the policy, if there is one.
func define(c *serve.Call, key request.Definition) error {
	return c.Policy.Define([]request.Definition{key})
}
