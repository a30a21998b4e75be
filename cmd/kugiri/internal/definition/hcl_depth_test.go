package definition

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDeepExpressions: what would end the process by the depth of its stack is an error, in each
// form in which an expression can be deep; long files whose expressions are not deep are read.
func TestDeepExpressions(t *testing.T) {
	const n = 1_000
	for name, c := range map[string]struct {
		value string
		deep  bool
	}{
		"not":                {strings.Repeat("!", n) + "true", true},
		"minus":              {strings.Repeat("-", n) + "1", true},
		"not by lines":       {"(" + strings.Repeat("!\n", n) + "true)", true},
		"choices":            {strings.Repeat("true?1:", n) + "1", true},
		"choices in braces":  {"{a=" + strings.Repeat("true?\n1:\n", n) + "1}", true},
		"sums":               {strings.Repeat("1+", n) + "1", true},
		"sums of lines":      {"{for a in b:a=>1" + strings.Repeat("\n+1", n) + "}", true},
		"sums with comments": {"(1" + strings.Repeat("/**/\n#\n+1", n) + ")", true},
		"indexes":            {"a" + strings.Repeat("[0]", n), true},
		"splats":             {"a" + strings.Repeat("[*]", n), true},
		"attributes":         {"a" + strings.Repeat(".b", n), true},
		"calls":              {strings.Repeat("f(", n), true},
		"lists":              {strings.Repeat("[", n), true},
		"objects":            {strings.Repeat("{a=", n), true},
		"objects by lines":   {strings.Repeat("{\na=", n), true},
		"templates":          {strings.Repeat("\"${", n), true},
		"directives":         {"\"" + strings.Repeat("%{if true}", n) + "\"", true},

		"a long list":    {"[" + strings.Repeat("\na[0].b + 1,", n) + "\n]", false},
		"a long object":  {"{" + strings.Repeat("\nx = a.b + 1", n) + "\n}", false},
		"a long text":    {"\"" + strings.Repeat("${a.b}-", n) + "\"", false},
		"a long heredoc": {"<<E\n" + strings.Repeat("${a.b} - x\n", n) + "E", false},
		"400 sums":       {strings.Repeat("1+", 400) + "1", false},
	} {
		t.Run(name, func(t *testing.T) {
			err := checkDepth([]byte("locals {\n  a = "+c.value+"\n}\n"), "a.tf")
			if !c.deep {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, "an expression is more than 500 levels deep")
		})
	}
}

// TestDeepFile: a file that is too deep is refused before HCL reads it.
func TestDeepFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.tf")
	text := "locals {\n  a = " + strings.Repeat("!", 20_000) + "true\n}\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	_, err := Read(t.Context(), Values{Region: "us-east-1"}, file)
	assert.ErrorContains(t, err, "a.tf:2: an expression is more than 500 levels deep")
}

// FuzzDepth: no text stops the check, and HCL reads what the check lets through.
func FuzzDepth(f *testing.F) {
	f.Add("a = !1 + f(b[0].c ? \"${x}\" : <<E\n%{if a}%{endif}\nE\n)")
	f.Fuzz(func(t *testing.T, text string) {
		if checkDepth([]byte(text), "a.tf") == nil {
			hclsyntax.ParseConfig([]byte(text), "a.tf", hcl.InitialPos)
		}
	})
}
