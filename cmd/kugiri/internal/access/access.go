// Package access has the flags that say who may call a server, and reads their files.
package access

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/storage/budget"
)

// Settings are who may call.
type Settings struct {
	verify bool
	file   string
	IAM    string // file; "": no accounts
}

// Register makes the flags.
func (s *Settings) Register(f *pflag.FlagSet) {
	f.BoolVar(&s.verify, "verify-signatures", false,
		"refuse requests that are not signed with one of --credentials")
	f.StringVar(&s.file, "credentials", "",
		"`file` of lines \"ACCESSKEY SECRET [SESSIONTOKEN]\", or YAML (.yaml): ACCESSKEY: {secret: SECRET, session-token: TOKEN}")
	f.StringVar(&s.IAM, "iam", "",
		"JSON `file` with the accounts, principals and policies of access keys; others are refused")
}

// Check finds what is wrong with the settings.
func (s *Settings) Check() error {
	if s.verify != (s.file != "") {
		return errors.New("verify-signatures and credentials go together: give both or none")
	}
	return nil
}

// Options returns the options that the settings add.
func (s *Settings) Options() (opts []emulator.Option, err error) {
	if s.verify {
		secrets, err := ReadCredentials(s.file)
		if err != nil {
			return nil, err
		}
		opts = append(opts, emulator.WithCredentials(secrets))
	}
	if s.IAM != "" {
		directory, err := readIAM(s.IAM)
		if err != nil {
			return nil, err
		}
		opts = append(opts, emulator.WithIAM(directory))
	}
	return opts, nil
}

// readIAM reads the file of --iam.
func readIAM(file string) (*iam.Directory, error) {
	text, err := budget.ReadFile(file, budget.SettingBytes)
	if err != nil {
		return nil, fmt.Errorf("iam: %w", err)
	}
	directory, err := iam.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return directory, nil
}

// ReadCredentials reads the credentials file. No error shows a secret.
func ReadCredentials(file string) (map[string]emulator.Secret, error) {
	text, err := budget.ReadFile(file, budget.SettingBytes)
	if err != nil {
		return nil, fmt.Errorf("credentials: %w", err)
	}
	if err := budget.CheckMarks(text); err != nil {
		return nil, fmt.Errorf("credentials in %s: %w", file, err)
	}
	parse := parseCredentialLines
	switch filepath.Ext(file) {
	case ".yaml", ".yml", ".json":
		parse = parseCredentialYAML
	}
	secrets, err := parse(string(text))
	if err == nil && len(secrets) == 0 {
		err = errors.New("there are none")
	}
	if err != nil {
		return nil, fmt.Errorf("credentials in %s: %w", file, err)
	}
	return secrets, nil
}

func parseCredentialLines(text string) (map[string]emulator.Secret, error) {
	secrets := map[string]emulator.Secret{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) == 1 || len(fields) > 3 {
			return nil, fmt.Errorf("line %d: want ACCESSKEY SECRET [SESSIONTOKEN]", number)
		}
		if err := addCredential(secrets, fields[0], append(fields[1:], "")); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return secrets, nil
}

// errCredentialForm is the error of credentials in YAML of another form. It shows no secret.
var errCredentialForm = errors.New("want ACCESSKEY: {secret: SECRET, session-token: TOKEN} for " +
	"each access key, and no other members")

// parseCredentialYAML reads the members one after the other: what decodes an object compares each
// of them with each other one.
func parseCredentialYAML(text string) (map[string]emulator.Secret, error) {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) != nil || len(doc.Content) > 0 &&
		doc.Content[0].Kind != yaml.MappingNode {
		return nil, errCredentialForm
	}
	secrets := map[string]emulator.Secret{}
	if len(doc.Content) == 0 {
		return secrets, nil
	}
	all := doc.Content[0].Content
	for i := 0; i < len(all); i += 2 {
		var c struct {
			Secret       string `yaml:"secret"`
			SessionToken string `yaml:"session-token"`
		}
		if !hasOnly(all[i+1], "secret", "session-token") || all[i+1].Decode(&c) != nil {
			return nil, errCredentialForm
		}
		err := addCredential(secrets, all[i].Value, []string{c.Secret, c.SessionToken})
		if err != nil {
			return nil, err
		}
	}
	return secrets, nil
}

// hasOnly reports whether a value is an object that has no other members.
func hasOnly(n *yaml.Node, names ...string) bool {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.MappingNode || len(n.Content) > 2*len(names) {
		return false
	}
	for i := 0; i < len(n.Content); i += 2 {
		if !slices.Contains(names, n.Content[i].Value) {
			return false
		}
	}
	return true
}

// addCredential adds a secret and a session token, which may be "".
func addCredential(secrets map[string]emulator.Secret, key string, values []string) error {
	_, twice := secrets[key]
	switch {
	case key == "" || strings.Contains(key, "/"):
		return fmt.Errorf("%q is no access key", key)
	case twice:
		return fmt.Errorf("access key %q is there twice", key)
	case values[0] == "":
		return fmt.Errorf("access key %q has no secret", key)
	}
	secrets[key] = emulator.Secret{Key: values[0], SessionToken: values[1]}
	return nil
}
