package iam

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/budget"
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

// Parse reads a directory from a JSON document. Its error is a FileError.
func Parse(text []byte) (*Directory, error) {
	if err := budget.CheckMarks(text); err != nil {
		return nil, &FileError{Line: 1, Err: err}
	}
	o, err := newOutline(text, directoryShape)
	if err != nil {
		return nil, err
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, o.ofType(err)
	}
	if len(f.AccessKeys) == 0 {
		return nil, o.at("accessKeys", errors.New("there are none"))
	}
	named := make(map[string]*Policy, len(f.Policies))
	for _, name := range slices.Sorted(maps.Keys(f.Policies)) {
		p, err := ParseIdentityPolicy(name, f.Policies[name])
		if err != nil {
			return nil, o.inPolicy("policies."+name, err)
		}
		named[name] = p
	}
	d := &Directory{
		principals: make(map[string]*Principal, len(f.AccessKeys)), accounts: map[string]bool{},
	}
	for _, key := range slices.Sorted(maps.Keys(f.AccessKeys)) {
		if err := d.add(o, key, f.AccessKeys[key], named); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// add adds the principal of an access key.
func (d *Directory) add(o *outline, key string, r *principalRecord,
	named map[string]*Policy) error {
	path := "accessKeys." + key
	if r == nil {
		return o.at(path, errors.New("it is null"))
	}
	if key == "" || strings.Contains(key, "/") {
		return o.at(path, errors.New("an access key is a name without a slash"))
	}
	p, err := r.principal(named)
	if err != nil {
		return o.inPrincipal(path, err)
	}
	d.principals[key] = p
	d.accounts[p.Account] = true
	return nil
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
