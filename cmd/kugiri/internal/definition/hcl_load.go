package definition

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// tfConfig holds what the files of a directory say (Terraform, "Files and Configuration
// Structure").
type tfConfig struct {
	blocks []*hclsyntax.Block
	given  map[string]hclsyntax.Expression // values in files of variables
}

// tfLoader loads files of Terraform.
type tfLoader struct{ *reader }

// isTerraform reports whether a file is one of Terraform or OpenTofu.
func isTerraform(name string) bool {
	for _, end := range [...]string{".tf", ".tofu", ".tf.json", ".tofu.json", ".tfvars",
		".tfvars.json"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

func isVariables(name string) bool {
	return strings.HasSuffix(name, ".tfvars") || strings.HasSuffix(name, ".tfvars.json")
}

// isAutomatic reports whether Terraform reads a file of variables by itself.
func isAutomatic(name string) bool {
	base := filepath.Base(name)
	return base == "terraform.tfvars" || base == "terraform.tfvars.json" ||
		strings.HasSuffix(base, ".auto.tfvars") || strings.HasSuffix(base, ".auto.tfvars.json")
}

// isOverride reports whether a file changes what the others say.
func isOverride(name string) bool {
	base, _, _ := strings.Cut(filepath.Base(name), ".")
	return base == "override" || strings.HasSuffix(base, "_override")
}

// rank is the order in which files are read: what comes later counts more.
func rank(name string) int {
	switch base := filepath.Base(name); {
	case isVariables(name) && base == "terraform.tfvars":
		return 2
	case isVariables(name) && base == "terraform.tfvars.json":
		return 3
	case isAutomatic(name):
		return 4
	case isVariables(name):
		return 5
	case isOverride(name):
		return 1
	}
	return 0
}

// load reads files of one directory.
func (r *tfLoader) load(files []string) (*tfConfig, error) {
	c := &tfConfig{given: map[string]hclsyntax.Expression{}}
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b string) int {
		if d := cmp.Compare(rank(a), rank(b)); d != 0 || rank(a) == 5 {
			return d
		}
		return cmp.Compare(a, b)
	})
	files = slices.DeleteFunc(files, func(name string) bool { // OpenTofu prefers its own
		other := strings.NewReplacer(".tf.json", ".tofu.json").Replace(name)
		if other == name && strings.HasSuffix(name, ".tf") {
			other = strings.TrimSuffix(name, ".tf") + ".tofu"
		}
		return other != name && slices.Contains(files, other)
	})
	for _, name := range files {
		body, err := r.parse(name)
		if err != nil {
			return nil, err
		}
		switch {
		case isVariables(name):
			for variable, attribute := range body.Attributes {
				c.given[variable] = attribute.Expr
			}
		case isOverride(name):
			for _, b := range body.Blocks {
				r.override(c, b)
			}
		default:
			c.blocks = append(c.blocks, body.Blocks...)
			for _, a := range body.Attributes {
				r.note(rangePlace(a.SrcRange, a.Name), "is not read")
			}
		}
	}
	return c, nil
}

// maxTokens is how many tokens a file of Terraform has at most: its parser takes some hundred bytes
// for each of them, and for each byte that belongs to no token.
const maxTokens = 1 << 17

// tokens counts the words of a text, and its other bytes but blanks.
func tokens(text []byte) (n int) {
	inWord := false
	for _, c := range text {
		isWord := c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
		if !isWord && c != ' ' && c != '\t' || isWord && !inWord {
			n++
		}
		inWord = isWord
	}
	return n
}

// parse parses a file of Terraform, in either syntax.
func (r *tfLoader) parse(name string) (*hclsyntax.Body, error) {
	text, err := readFile(r.ctx, name)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(name, ".json") {
		body, err := jsonBody(r.reader, name, text, isVariables(name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return body, nil
	}
	if err := r.budget.Bytes(int64(len(text))); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if n := tokens(text); n > maxTokens {
		return nil, fmt.Errorf("%s: it has %d words and signs, and may have %d: divide it", name, n,
			maxTokens)
	}
	if err := checkDepth(text, name); err != nil {
		return nil, err
	}
	file, diagnostics := hclsyntax.ParseConfig(text, name, hcl.InitialPos)
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	return file.Body.(*hclsyntax.Body), nil
}

// override changes a block as an override file says (Terraform, "Override Files"): arguments
// replace those with the same name, and nested blocks all of their kind.
func (r *tfLoader) override(c *tfConfig, over *hclsyntax.Block) {
	i := slices.IndexFunc(c.blocks, func(b *hclsyntax.Block) bool { return overrides(over, b) })
	if i < 0 {
		if over.Type != "locals" && over.Type != "terraform" {
			r.note(rangePlace(over.DefRange(), blockName(over)),
				"is left out: there is nothing that it overrides")
			return
		}
		c.blocks = append(c.blocks, over)
		return
	}
	if over.Type == "locals" { // the values may be in several blocks: the first one gets them all
		for _, other := range c.blocks[i+1:] {
			for name := range over.Body.Attributes {
				if other.Type == "locals" {
					delete(other.Body.Attributes, name)
				}
			}
		}
	}
	b := *c.blocks[i]
	body := *b.Body
	body.Attributes = maps.Clone(body.Attributes)
	maps.Copy(body.Attributes, over.Body.Attributes)
	body.Blocks = slices.DeleteFunc(slices.Clone(body.Blocks), func(old *hclsyntax.Block) bool {
		return slices.ContainsFunc(over.Body.Blocks, func(b *hclsyntax.Block) bool {
			return nestedKind(b) == nestedKind(old)
		})
	})
	body.Blocks = append(body.Blocks, over.Body.Blocks...)
	b.Body = &body
	c.blocks[i] = &b
}

// overrides reports whether a block of an override file changes a block. A block of locals changes
// those that have one of its values.
func overrides(over, b *hclsyntax.Block) bool {
	switch {
	case b.Type != over.Type:
		return false
	case b.Type == "locals":
		for name := range over.Body.Attributes {
			if b.Body.Attributes[name] != nil {
				return true
			}
		}
		return false
	case b.Type == "provider" && aliasOf(b) != aliasOf(over):
		return false
	}
	return slices.Equal(b.Labels, over.Labels)
}

// nestedKind returns the kind of a nested block, also of a dynamic one.
func nestedKind(b *hclsyntax.Block) string {
	if b.Type == "dynamic" && len(b.Labels) == 1 {
		return b.Labels[0]
	}
	return b.Type
}

// aliasOf returns the alias of a provider, which is a text without variables.
func aliasOf(b *hclsyntax.Block) string {
	if a := b.Body.Attributes["alias"]; a != nil {
		if v, diagnostics := a.Expr.Value(nil); !diagnostics.HasErrors() {
			text, _ := scalarText(plain(v))
			return text
		}
	}
	return ""
}

func rangePlace(r hcl.Range, path string) place { return place{r.Filename, r.Start.Line, path} }

func blockName(b *hclsyntax.Block) string {
	if b.Type == "resource" {
		return strings.Join(b.Labels, ".")
	}
	return strings.Join(append([]string{b.Type}, b.Labels...), ".")
}

// moduleFiles returns the files of a directory that Terraform reads. Those of variables are for
// the outermost module.
func moduleFiles(dir string, outermost bool) (files []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || strings.HasPrefix(name, ".") || !isTerraform(name) {
			continue
		}
		if !isVariables(name) || outermost && isAutomatic(name) {
			files = append(files, filepath.Join(dir, name))
		}
	}
	return files, nil
}

// installed reads which directories "terraform init" has put modules into.
func (r *tfLoader) installed(dir string) (map[string]string, error) {
	text, err := readFile(r.ctx, filepath.Join(dir, ".terraform", "modules", "modules.json"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file struct{ Modules []struct{ Key, Dir string } }
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s/.terraform/modules/modules.json: %w", dir, err)
	}
	all := map[string]string{}
	for _, m := range file.Modules {
		all[m.Key] = filepath.Join(dir, filepath.FromSlash(m.Dir))
	}
	return all, nil
}
