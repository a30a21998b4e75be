package iam

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Directory maps access keys to principals. It never changes.
type Directory struct {
	principals map[string]*Principal
	accounts   map[string]bool
}

// file is the document that Parse reads.
type file struct {
	AccessKeys map[string]*principalRecord `json:"accessKeys"`
	Policies   map[string]json.RawMessage  `json:"policies"`
}

// Parse reads a directory from a JSON document. An error names the access key that it is about.
func Parse(text []byte) (*Directory, error) {
	var f file
	if err := decodeStrictly(text, &f); err != nil {
		return nil, err
	}
	if len(f.AccessKeys) == 0 {
		return nil, errors.New("accessKeys: there are none")
	}
	named := make(map[string]*Policy, len(f.Policies))
	for _, name := range slices.Sorted(maps.Keys(f.Policies)) {
		p, err := ParseIdentityPolicy(name, f.Policies[name])
		if err != nil {
			return nil, fmt.Errorf("policies: %q: %w", name, err)
		}
		named[name] = p
	}
	d := &Directory{principals: make(map[string]*Principal, len(f.AccessKeys)), accounts: map[string]bool{}}
	for _, key := range slices.Sorted(maps.Keys(f.AccessKeys)) {
		if f.AccessKeys[key] == nil {
			return nil, fmt.Errorf("accessKeys: %q: it is null", key)
		}
		p, err := f.AccessKeys[key].principal(named)
		if err == nil && (key == "" || strings.Contains(key, "/")) {
			err = errors.New("an access key is a name without a slash")
		}
		if err != nil {
			return nil, fmt.Errorf("accessKeys: %q: %w", key, err)
		}
		d.principals[key] = p
		d.accounts[p.Account] = true
	}
	return d, nil
}

// decodeStrictly decodes one JSON value, all of whose members must be known.
func decodeStrictly(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more after the JSON document")
	}
	return nil
}

// Principal returns the principal of an access key, or nil.
func (d *Directory) Principal(accessKey string) *Principal { return d.principals[accessKey] }

// HasAccount reports whether an account has access keys.
func (d *Directory) HasAccount(account string) bool { return d.accounts[account] }

// AccessKeys returns the access keys and their principals, in no order.
func (d *Directory) AccessKeys() iter.Seq2[string, *Principal] { return maps.All(d.principals) }

// With returns a directory in which one more access key has a principal.
func (d *Directory) With(accessKey string, p *Principal) *Directory {
	all := maps.Clone(d.principals)
	all[accessKey] = p
	accounts := maps.Clone(d.accounts)
	accounts[p.Account] = true
	return &Directory{principals: all, accounts: accounts}
}
