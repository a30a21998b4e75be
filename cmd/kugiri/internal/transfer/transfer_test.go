package transfer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/emulator/bucket"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// values draws any attribute value.
func values(depth int) *rapid.Generator[types.AttributeValue] {
	text := rapid.String()
	number := rapid.StringMatching(`-?[1-9][0-9]{0,37}(\.[0-9]{1,10})?`)
	binary := rapid.SliceOf(rapid.Byte())
	as := func(v types.AttributeValue) types.AttributeValue { return v }
	kinds := []*rapid.Generator[types.AttributeValue]{
		rapid.Map(text,
			func(s string) types.AttributeValue {
				return as(&types.AttributeValueMemberS{Value: s})
			}),
		rapid.Map(number,
			func(s string) types.AttributeValue {
				return as(&types.AttributeValueMemberN{Value: s})
			}),
		rapid.Map(binary,
			func(b []byte) types.AttributeValue {
				return as(&types.AttributeValueMemberB{Value: b})
			}),
		rapid.Map(rapid.Bool(),
			func(b bool) types.AttributeValue {
				return as(&types.AttributeValueMemberBOOL{Value: b})
			}),
		rapid.Just(as(&types.AttributeValueMemberNULL{Value: true})),
		rapid.Map(rapid.SliceOfN(text, 1, 4),
			func(s []string) types.AttributeValue {
				return as(&types.AttributeValueMemberSS{Value: s})
			}),
		rapid.Map(rapid.SliceOfN(number, 1, 4),
			func(s []string) types.AttributeValue {
				return as(&types.AttributeValueMemberNS{Value: s})
			}),
		rapid.Map(rapid.SliceOfN(binary, 1, 4),
			func(b [][]byte) types.AttributeValue {
				return as(&types.AttributeValueMemberBS{Value: b})
			}),
	}
	if depth > 0 {
		kinds = append(kinds,
			rapid.Map(rapid.SliceOfN(values(depth-1), 0, 3),
				func(l []types.AttributeValue) types.AttributeValue {
					return as(&types.AttributeValueMemberL{Value: l})
				}),
			rapid.Map(rapid.MapOfN(text, values(depth-1), 0, 3),
				func(m Item) types.AttributeValue {
					return as(&types.AttributeValueMemberM{Value: m})
				}))
	}
	return rapid.OneOf(kinds...)
}

func items() *rapid.Generator[Item] {
	return rapid.MapOfN(rapid.StringMatching(`[a-zé:]{1,4}`), values(2), 1, 5)
}

// readAll reads a format until its end.
func readAll(t require.TestingT, r Reader) []Item {
	var all []Item
	for {
		next, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all = append(all, next.Item)
	}
}

// texts returns comparable texts of items. Nil and empty values are equal in them.
func texts(items []Item) []string {
	list := []string{}
	for _, item := range items {
		list = append(list, string(MarshalItem(item)))
	}
	return list
}

func TestFormatsKeepItems(t *testing.T) {
	for _, f := range []Format{JSONLines, ScanJSON, CSV} {
		t.Run(string(f), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				want := rapid.SliceOfN(items(), 1, 6).Draw(t, "items")
				var out bytes.Buffer
				w, err := NewWriter(f, &out)
				require.NoError(t, err)
				for _, item := range want {
					require.NoError(t, w.Write(item))
				}
				require.NoError(t, w.Close())
				in := bufio.NewReader(&out)
				if f != CSV {
					detected, err := DetectFormat("-", in)
					require.NoError(t, err)
					require.Equal(t, f, detected)
				}
				r, err := NewReader(f, "file", in, nil)
				require.NoError(t, err)
				require.Equal(t, texts(want), texts(readAll(t, r)))
			})
		})
	}
}

func TestPlainReadsWhatItWrites(t *testing.T) {
	text := `{"a":"x","b":-12.50,"c":[true,null,{"d":""}]}`
	item, err := unmarshalPlain([]byte(text))
	require.NoError(t, err)
	assert.Equal(t, text, string(marshalPlain(item)))
	assert.Equal(t,
		`{"a":{"S":"x"},"b":{"N":"-12.50"},"c":{"L":[{"BOOL":true},{"NULL":true},{"M":{"d":{"S":""}}}]}}`, string(MarshalItem(item)))
	loses := Item{
		"b": &types.AttributeValueMemberBS{Value: [][]byte{{1}}},
		"n": &types.AttributeValueMemberNS{Value: []string{"1", "2"}},
	}
	assert.Equal(t, `{"b":["AQ=="],"n":[1,2]}`, string(marshalPlain(loses)))
}

func TestReaderErrorsNameThePlace(t *testing.T) {
	deep := strings.Repeat(`{"L":[`, 80) + strings.Repeat(`]}`, 80)
	for _, c := range []struct {
		name   string
		format Format
		text   string
		want   string
	}{
		{"not JSON", JSONLines, "{\"pk\":{\"S\":\"a\"}}\n\n{",
			"f:3: not JSON: unexpected end of JSON input"},
		{"two values in a line", JSONLines, `{} {}`,
			"f:1: not JSON: invalid character '{' after top-level value"},
		{"no object", JSONLines, `[1]`, `f: item 1: an item is an object, such as {"pk":{"S":"a"}}`},
		{"no type", JSONLines, `{"pk":"a"}`,
			`f:1: attribute "pk": a value is an object with its type, such as {"S":"a"} (for JSON without types use --format plain)`},
		{"unknown type", JSONLines, `{"pk":{"X":"a"}}`,
			`f:1: attribute "pk": "X" is not a type: use S, N, B, BOOL, NULL, SS, NS, BS, L or M`},
		{"number that is none", JSONLines, `{"pk":{"N":1}}`,
			`f:1: attribute "pk": N takes a string`},
		{"bad base64", JSONLines, `{"pk":{"B":"?"}}`,
			`f:1: attribute "pk": B takes base64: illegal base64 data at input byte 0`},
		{"too deep", JSONLines, `{"pk":` + deep + `}`, `nested deeper than 64 levels`},
		{"line too long", JSONLines, strings.Repeat("x", maxLine+1),
			"f:1: the line is longer than 4194304 bytes, more than any item"},
		{"scan of other things", ScanJSON, `{"Items":[],"Tables":[]}`,
			`f: an answer of a scan has no "Tables"`},
		{"scan cut off", ScanJSON, `{"Items":[{"pk":{"S":"a"}}`, "f: item 1: unexpected EOF"},
		{"scan with a bad item", ScanJSON, `{"Items":[{"pk":{"S":"a"}},{"pk":1}]}`,
			`f: item 2: attribute "pk": a value is an object`},
		{"scan without a list", ScanJSON, `{"Items":{}}`, `f: "Items" is a list`},
		{"CSV without attributes", CSV, ",\n",
			`f:1: column 1: the attribute "" is empty or occurs twice`},
		{"CSV with a column twice", CSV, "pk,pk:S\n",
			`f:1: column 2: the attribute "pk" is empty or occurs twice`},
		{"CSV with too many cells", CSV, "pk\na,b\n",
			"f: record on line 2: wrong number of fields"},
		{"CSV with a bad cell", CSV, "pk,ok:BOOL\na,yes\n",
			`f:2: column ok:BOOL: "yes" is neither true nor false`},
		{"CSV with bad JSON", CSV, "pk,x:JSON\n\"a\n\",{\n",
			"f:2: column x:JSON: not JSON: unexpected end of JSON input"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := NewReader(c.format, "f", bufio.NewReader(strings.NewReader(c.text)), nil)
			for err == nil {
				_, err = r.Next()
			}
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// TestReadersRefuseWhatDynamoDBRefuses: encoding/json would replace invalid Unicode, and keep the
// last of two equal members.
func TestReadersRefuseWhatDynamoDBRefuses(t *testing.T) {
	const unicode, twice = "is not Unicode text", "occurs twice in an object"
	for _, c := range []struct {
		name   string
		format Format
		text   string
		want   string
	}{
		{"half a surrogate pair", JSONLines, `{"pk":{"S":"\ud800"}}`, unicode},
		{"half a surrogate pair in a name", JSONLines, `{"pk":{"S":"a"},"\udc00":{"S":"a"}}`,
			unicode},
		{"half a surrogate pair in a set", JSONLines, `{"pk":{"SS":["a","\ud800b"]}}`, unicode},
		{"half a surrogate pair of an export", JSONLines, `{"Item":{"pk":{"S":"\ud83d\u0041"}}}`,
			unicode},
		{"half a surrogate pair, plain", Plain, `{"pk":["\ud800"]}`, unicode},
		{"half a surrogate pair of a scan", ScanJSON, `{"Items":[{"pk":{"S":"\ud800"}}]}`, unicode},
		{"half a surrogate pair in a cell", CSV, "pk,x:JSON\na,\"{\"\"S\"\":\"\"\\ud800\"\"}\"\n",
			unicode},
		{"bytes", JSONLines, "{\"pk\":{\"S\":\"\xe9\"}}", unicode},
		{"bytes, plain", Plain, "{\"pk\":\"\xe9\"}", unicode},
		{"bytes of a scan", ScanJSON, "{\"Items\":[{\"pk\":{\"S\":\"\xe9\"}}]}", unicode},
		{"bytes in a cell", CSV, "pk,x\na,caf\xe9\n", "f:2: column x:S: the text is not UTF-8"},
		{"bytes in a header", CSV, "pk,caf\xe9\n", "f:1: column 2: the text is not UTF-8"},
		{"an attribute twice", JSONLines, `{"pk":{"S":"a"},"pk":{"S":"b"}}`, twice},
		{"a type twice", JSONLines, `{"pk":{"S":"a","S":"b"}}`, twice},
		{"a member twice, plain", Plain, `{"pk":{"a":1,"a":2}}`, twice},
		{"an attribute twice in a scan", ScanJSON, `{"Items":[{"pk":{"S":"a"},"pk":{"S":"b"}}]}`,
			twice},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := NewReader(c.format, "f", bufio.NewReader(strings.NewReader(c.text)), nil)
			if err == nil {
				_, err = r.Next()
			}
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func TestFormatsOfNothing(t *testing.T) {
	for _, f := range []Format{JSONLines, Plain, ScanJSON, CSV} {
		var out bytes.Buffer
		w, err := NewWriter(f, &out)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		r, err := NewReader(f, "f", bufio.NewReader(&out), nil)
		require.NoError(t, err)
		assert.Empty(t, readAll(t, r), f)
	}
}

func TestCSVHeaders(t *testing.T) {
	r, err := NewReader(CSV, "f",
		bufio.NewReader(strings.NewReader("\ufeffpk,n,a:b,x:N,z:S\n1,2,3,4,\n")),
		KeyTypes{"pk": "N"})
	require.NoError(t, err)
	assert.Equal(t, []string{`{"a:b":{"S":"3"},"n":{"S":"2"},"pk":{"N":"1"},"x":{"N":"4"}}`},
		texts(readAll(t, r)))
}

func TestDetectFormat(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want             Format
		err              string
	}{
		{"by name", "items.csv", "x", CSV, ""},
		{"compressed name", "items.jsonl.gz", "", JSONLines, ""},
		{"an item", "-", `{"pk":{"S":"a"}}`, JSONLines, ""},
		{"an item with a count", "-", `{"Count":{"N":"1"}}`, JSONLines, ""},
		{"a scan", "f.json", "{\n    \"Items\": [", ScanJSON, ""},
		{"a scan that begins with its count", "f.json", `{"Count": 3, "Items": []}`, ScanJSON, ""},
		{"a part of a scan", "-",
			`{"Items": [{"pk":{"S":"a"}}], "NextToken": "x", "ConsumedCapacity": null}`, ScanJSON,
			""},
		{"a scan that goes on and on", "-",
			`{"Items": [` + strings.Repeat(`{"pk":{"S":"a"}},`, 1<<14), ScanJSON, ""},
		{"a plain item", "-", `{"pk":"a"}`, Plain, ""},
		{"a plain item with a map first", "-", `{"a":{"x":[1,{"S":2}]},"pk":"a"}`, Plain, ""},
		{"a plain item that looks like a scan", "-", `{"Count":1,"Items":[],"pk":"a"}`, Plain, ""},
		{"a plain item in a file of lines", "f.jsonl", `{"pk":"a"}`, Plain, ""},
		{"an item with a long attribute first", "-", `{"a":{"S":"` + strings.Repeat("x", 1<<17),
			JSONLines, ""},
		{"an export's item", "-", `{"Item":{"pk":{"S":"a"}}}`, JSONLines, ""},
		{"nothing", "-", "", JSONLines, ""},
		{"something else", "-", "pk,sk", "", "-: cannot tell the format: it begins with \"pk,sk\", " +
			"which is no item in JSON; name one of jsonl, plain, scan and csv with --format"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := DetectFormat(c.file, bufio.NewReader(strings.NewReader(c.text)))
			assert.Equal(t, c.want, got)
			if c.err != "" {
				assert.EqualError(t, err, c.err)
			}
		})
	}
}

// pipe is a pipe whose writer writes the parts and then waits for ever.
type pipe struct {
	*testing.T
	parts []string
}

func (p *pipe) Read(b []byte) (int, error) {
	if len(p.parts) == 0 {
		p.Fatal("the reader waits for more")
	}
	n := copy(b, p.parts[0])
	p.parts[0] = p.parts[0][n:]
	if p.parts[0] == "" {
		p.parts = p.parts[1:]
	}
	return n, nil
}

// TestPipes checks that the items of a pipe are read when they have come.
func TestPipes(t *testing.T) {
	for _, c := range []struct {
		name  string
		parts []string
		want  Format
	}{
		{"an item", []string{`{"pk":{"S":"a"}}` + "\n"}, JSONLines},
		{"an item in parts", []string{"\n{", `"pk":`, `{"S":"`, `a"}}`, "\n"}, JSONLines},
		{"a plain item", []string{`{"pk":"a"}` + "\n"}, Plain},
		{"one item and a half", []string{`{"pk":{"S":"a"}}` + "\n" + `{"pk":{"S`}, JSONLines},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := Decompressed(&pipe{t, c.parts})
			require.NoError(t, err)
			format, err := DetectFormat("standard input", in)
			require.NoError(t, err)
			assert.Equal(t, c.want, format)
			r, err := NewReader(format, "standard input", in, nil)
			require.NoError(t, err)
			next, err := r.Next()
			require.NoError(t, err)
			assert.Equal(t, `{"pk":{"S":"a"}}`, string(MarshalItem(next.Item)))
		})
	}
}

func TestExportLinesHaveAnItemMember(t *testing.T) {
	for text, want := range map[string]string{
		`{"Item":{"pk":{"S":"a"}}}`: `{"pk":{"S":"a"}}`,
		`{"Item":{"S":"a"}}`:        `{"Item":{"S":"a"}}`,
		`{"Item":{"S":{"S":"a"}}}`:  `{"S":{"S":"a"}}`,
	} {
		item, err := lineItem([]byte(text))
		require.NoError(t, err)
		assert.Equal(t, want, string(MarshalItem(item)))
	}
}

func described() *dynamodb.DescribeTableOutput {
	return &dynamodb.DescribeTableOutput{Table: &types.TableDescription{
		TableName: aws.String("t"),
		TableArn:  aws.String("arn:aws:dynamodb:us-east-1:000000000000:table/t"),
		TableId:   aws.String("id"), TableSizeBytes: aws.Int64(3),
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
		},
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
		},
		ProvisionedThroughput: &types.ProvisionedThroughputDescription{
			ReadCapacityUnits: aws.Int64(1), WriteCapacityUnits: aws.Int64(2),
		},
	}}
}

// export writes an export of n items and returns its directory.
func export(t *testing.T, n int) string {
	dir := t.TempDir()
	w, err := NewS3Writer(dir, described(),
		&Settings{endpoint.Creation(described().Table), "expires"},
		func() time.Time { return time.UnixMilli(1_767_225_600_000) })
	require.NoError(t, err)
	for range n {
		require.NoError(t, w.Write(Item{"pk": &types.AttributeValueMemberS{Value: "a"}}))
	}
	require.NoError(t, w.Close())
	return dir
}

func TestExportToS3(t *testing.T) {
	for _, n := range []int{0, 3, 10_000} {
		dir := export(t, n)
		r, err := NewS3Reader(dir)
		require.NoError(t, err)
		assert.Len(t, readAll(t, r), n)
		set, err := S3Settings(dir)
		require.NoError(t, err)
		assert.Equal(t, &Settings{endpoint.Creation(described().Table), "expires"}, set)
	}
}

// TestReadIon: an export of the service may be in Ion.
func TestReadIon(t *testing.T) {
	dir := t.TempDir()
	w, err := bucket.New(bucket.Single(dir)).Export(context.Background(),
		&transfers.Export{ID: "id", Format: transfers.FormatIon})
	require.NoError(t, err)
	require.NoError(t,
		w.Write(&transfers.ExportRecord{
			New: `{"n":{"N":"1.5"},"pk":{"S":"a"},"set":{"SS":["x","y"]}}`,
		}))
	_, err = w.Close(&transfers.ExportSum{})
	require.NoError(t, err)
	r, err := NewS3Reader(dir)
	require.NoError(t, err)
	assert.Equal(t, []string{`{"n":{"N":"15E-1"},"pk":{"S":"a"},"set":{"SS":["x","y"]}}`},
		texts(readAll(t, r)))
}

// TestExportToS3OfLittleKnown: DynamoDB Local gives tables no TableId, and other servers may leave
// out more.
func TestExportToS3OfLittleKnown(t *testing.T) {
	dir := t.TempDir()
	table := &types.TableDescription{TableName: aws.String("t")}
	w, err := NewS3Writer(dir, &dynamodb.DescribeTableOutput{Table: table},
		&Settings{Create: endpoint.Creation(table)}, time.Now)
	require.NoError(t, err)
	require.NoError(t, w.Write(Item{"pk": &types.AttributeValueMemberS{Value: "a"}}))
	require.NoError(t, w.Close())
	r, err := NewS3Reader(dir)
	require.NoError(t, err)
	assert.Equal(t, []string{`{"pk":{"S":"a"}}`}, texts(readAll(t, r)))
}

func TestExportToS3Damaged(t *testing.T) {
	for _, c := range []struct {
		name, file string
		damage     func([]byte) []byte
		want       string
	}{
		{"summary", "manifest-summary.json", func(b []byte) []byte { return append(b, ' ') },
			"manifest-summary.json is damaged: its checksum differs"},
		{"list of files", "manifest-files.json", func(b []byte) []byte { return b[:len(b)-1] },
			"manifest-files.json is damaged: its checksum differs"},
		{"data", "data/*.gz", func(b []byte) []byte { return append(b, zipped("\n")...) },
			"is damaged: its checksum differs from the manifest"},
		{"data cut off", "data/*.gz", func(b []byte) []byte { return b[:len(b)-9] },
			"unexpected EOF"},
		{"no data", "data/*.gz", nil, "no such file or directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := export(t, 3)
			found, err := filepath.Glob(filepath.Join(dir, "AWSDynamoDB/*", c.file))
			require.NoError(t, err)
			require.Len(t, found, 1)
			if c.damage == nil {
				require.NoError(t, os.Remove(found[0]))
			} else {
				b, err := os.ReadFile(found[0])
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(found[0], c.damage(b), 0o666))
			}
			r, err := NewS3Reader(dir)
			for err == nil {
				_, err = r.Next()
			}
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func zipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.Bytes()
}

func TestDefinitionIsStrict(t *testing.T) {
	_, err := ReadDefinition("f.json", []byte(`{"TableName":"t","Keys":[]}`))
	assert.ErrorContains(t, err, `unknown field "Keys"`)
	_, err = ReadDefinition("f.json",
		[]byte(`{"TableName":"t","Tags":[{"Key":"k","Value":"\ud800"}]}`))
	assert.ErrorContains(t, err, "f.json: a string is not Unicode text")
}

// TestDefinitionOfDescription: the output of describe-table and create-table is a definition.
func TestDefinitionOfDescription(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"describe-table", `{"Table":{"CreationDateTime":1795374221.972,"TableStatus":"ACTIVE",`},
		{"create-table",
			`{"TableDescription":{"CreationDateTime":"2026-11-22T19:03:42.751000+00:00",`},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := ReadDefinition("f.json", []byte(c.text+`"TableName":"orders",
				"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
				"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
				"ProvisionedThroughput":{"LastIncreaseDateTime":1.5,"NumberOfDecreasesToday":0,"ReadCapacityUnits":3,"WriteCapacityUnits":4}}}`))
			require.NoError(t, err)
			assert.Equal(t, &dynamodb.CreateTableInput{
				TableName: aws.String("orders"), BillingMode: types.BillingModeProvisioned,
				KeySchema: []types.KeySchemaElement{
					{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash},
				},
				AttributeDefinitions: []types.AttributeDefinition{
					{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
				},
				ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(3),
					WriteCapacityUnits: aws.Int64(4)},
			}, in)
		})
	}
	_, err := ReadDefinition("f.json", []byte(`{"Table":"orders"}`))
	assert.ErrorContains(t, err, "f.json: ")
}

// TestDefinitionOfVectors: a definition that was written and read makes the same vector indexes.
func TestDefinitionOfVectors(t *testing.T) {
	ix := types.VectorIndex{IndexName: aws.String("vectors"),
		VectorAttribute: &types.VectorAttributeDefinition{AttributeName: aws.String("v")},
		SearchSchema: []types.SearchSchemaElement{
			{AttributeName: aws.String("tenant"),
				SearchSchemaElementType: types.SearchSchemaElementTypeHash},
		},
		Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude,
			NonKeyAttributes: []string{"title"}},
		Dimensions: aws.Int64(4), DistanceFunction: types.VectorDistanceFunctionDotProduct}
	in := endpoint.Creation(&types.TableDescription{TableName: aws.String(
		"t"), VectorIndexes: []types.VectorIndexDescription{{
		IndexName: ix.IndexName, VectorAttribute: ix.VectorAttribute, SearchSchema: ix.SearchSchema,
		Projection: ix.Projection,
		Dimensions: ix.Dimensions, DistanceFunction: ix.DistanceFunction,
		IndexStatus: types.IndexStatusActive, ItemCount: aws.Int64(1)}}})
	assert.Equal(t, []types.VectorIndex{ix}, in.VectorIndexes)
	var text bytes.Buffer
	require.NoError(t, WriteDefinition(&text, in))
	again, err := ReadDefinition("f.json", text.Bytes())
	require.NoError(t, err)
	assert.Equal(t, in.VectorIndexes, again.VectorIndexes)
}

// FuzzReaders: a writer writes what a reader has read in a form that reads as the same.
func FuzzReaders(f *testing.F) {
	f.Add(`{"pk":{"S":"a"},"b":{"B":"`+base64.StdEncoding.EncodeToString([]byte("b"))+`"}}`, 0)
	f.Add(`{"pk":"a","n":1e3,"l":[null]}`, 1)
	f.Add(`{"Items":[{"pk":{"N":"1"}}],"Count":1}`, 2)
	f.Add("pk:S,n:N,x:JSON\na,1,\"{\"\"SS\"\":[\"\"a\"\"]}\"\n", 3)
	f.Fuzz(func(t *testing.T, text string, n int) {
		format := Formats[uint(n)%4]
		read := func(text string) ([]Item, error) {
			r, err := NewReader(format, "f", bufio.NewReader(strings.NewReader(text)), nil)
			var all []Item
			for err == nil {
				var next Sourced
				if next, err = r.Next(); err == nil {
					all = append(all, next.Item)
				}
			}
			if errors.Is(err, io.EOF) && !strings.Contains(err.Error(), "f:") {
				return all, nil
			}
			return nil, err
		}
		all, err := read(text)
		if err != nil || len(all) == 0 {
			return
		}
		var out bytes.Buffer
		w, err := NewWriter(format, &out)
		require.NoError(t, err)
		for _, item := range all {
			require.NoError(t, w.Write(item))
		}
		require.NoError(t, w.Close())
		again, err := read(out.String())
		require.NoError(t, err)
		// CSV has a line of empty cells for an item without attributes, or no line
		if format != CSV {
			assert.Equal(t, texts(all), texts(again))
		}
	})
}
