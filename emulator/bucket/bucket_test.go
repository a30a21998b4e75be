package bucket_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/bucket"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/storage/item"
)

// bucketTest has a directory with the bucket "b".
type bucketTest struct {
	*testing.T
	dir     string
	buckets transfers.Buckets
}

func newBucketTest(t *testing.T) *bucketTest {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "b"), 0o777))
	return &bucketTest{t, dir, bucket.New(bucket.Dir(dir))}
}

// file reads an object of the bucket.
func (x *bucketTest) file(key string) string {
	x.Helper()
	text, err := os.ReadFile(filepath.Join(x.dir, "b", filepath.FromSlash(key)))
	require.NoError(x, err)
	return string(text)
}

// add adds an object.
func (x *bucketTest) add(key, content string) {
	x.Helper()
	path := filepath.Join(x.dir, "b", filepath.FromSlash(key))
	require.NoError(x, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(x, os.WriteFile(path, []byte(content), 0o666))
}

var exportTime = time.Date(2026, 11, 1, 12, 0, 0, 34e6, time.UTC)

// export is an export of a table.
func export(format string) *transfers.Export {
	return &transfers.Export{
		Location: transfers.Location{Bucket: "b", Prefix: "2026-Nov"},
		ID:       "01793534400034-a1b2c3d4",
		ARN:      "arn:aws:dynamodb:us-east-1:123456789012:table/ProductCatalog/export/01793534400034-a1b2c3d4",
		TableARN: "arn:aws:dynamodb:us-east-1:123456789012:table/ProductCatalog",
		TableID:  "12345a12-abcd-123a-ab12-1234abc12345",
		Format:   format, Started: exportTime, Time: exportTime,
	}
}

// write writes an export of records and returns its data files, unzipped, and the manifests.
func (x *bucketTest) write(e *transfers.Export, records ...*transfers.ExportRecord) (data string,
	summary map[string]any, files []bucket.DataFile) {
	x.Helper()
	w, err := x.buckets.Export(context.Background(), e)
	require.NoError(x, err)
	for _, r := range records {
		require.NoError(x, w.Write(r))
	}
	key, err := w.Close(&transfers.ExportSum{Ended: exportTime.Add(time.Second), BilledBytes: 77})
	require.NoError(x, err)
	require.NoError(x, json.Unmarshal([]byte(x.checked(key)), &summary))
	for _, line := range strings.Split(
		strings.TrimSpace(x.checked(summary["manifestFilesS3Key"].(string))), "\n") {
		var f bucket.DataFile
		require.NoError(x, json.Unmarshal([]byte(line), &f))
		files = append(files, f)
		content := x.file(f.DataFileS3Key)
		assert.Equal(x, checksum(content), f.MD5Checksum)
		z, err := gzip.NewReader(strings.NewReader(content))
		require.NoError(x, err)
		text, err := io.ReadAll(z)
		require.NoError(x, err)
		data += string(text)
	}
	return data, summary, files
}

// checked reads a manifest whose checksum is beside it.
func (x *bucketTest) checked(key string) string {
	x.Helper()
	content := x.file(key)
	assert.Equal(x, checksum(content), x.file(strings.TrimSuffix(key, ".json")+".md5"))
	return content
}

func checksum(content string) string {
	sum := md5.Sum([]byte(content))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// book is the item of the Developer Guide, "DynamoDB table export output format", with a few more
// types.
const book = `{"Authors":{"SS":["Author1","Author2"]},"Cover":{"B":"AAEC"},"ISBN":{"S":"333-3333333333"},"Id":{"N":"103"},` +
	`"InPublication":{"BOOL":false},"More":{"M":{"list":{"L":[{"N":"-0.05"},{"NULL":true}]}}},"PageCount":{"N":"600"},"Price":{"N":"2000"},` +
	`"Sizes":{"NS":["1","2.5"]}}`

func TestFullExport(t *testing.T) {
	x := newBucketTest(t)
	data, summary, files := x.write(export(transfers.FormatJSON),
		&transfers.ExportRecord{New: item.JSON(book)},
		&transfers.ExportRecord{New: `{"a":{"S":"b"}}`})
	assert.Equal(t, `{"Item":`+book+"}\n"+`{"Item":{"a":{"S":"b"}}}`+"\n", data)
	const root = "2026-Nov/AWSDynamoDB/01793534400034-a1b2c3d4/"
	assert.Equal(t, map[string]any{
		"version": "2020-06-30", "exportArn": export("").ARN, "tableArn": export("").TableARN,
		"tableId":   export("").TableID,
		"startTime": "2026-11-01T12:00:00.034Z", "endTime": "2026-11-01T12:00:01.034Z",
		"exportTime": "2026-11-01T12:00:00.034Z",
		"s3Bucket":   "b", "s3Prefix": "2026-Nov", "s3SseAlgorithm": "AES256", "s3SseKmsKeyId": nil,
		"manifestFilesS3Key": root + "manifest-files.json", "billedSizeBytes": 77.0,
		"itemCount":    2.0,
		"outputFormat": "DYNAMODB_JSON", "exportType": "FULL_EXPORT",
	}, summary)
	require.Len(t, files, 1)
	assert.Equal(t, int64(2), files[0].ItemCount)
	assert.Regexp(t, `^[0-9a-f]{32}-1$`, files[0].ETag)
	assert.Regexp(t, `^`+root+`data/[a-z0-9]{26}\.json\.gz$`, files[0].DataFileS3Key)
	assert.Empty(t, x.file(root+"_started"))
}

func TestExportWithoutItemsHasAnEmptyFile(t *testing.T) {
	data, summary, files := newBucketTest(t).write(export(transfers.FormatJSON))
	assert.Empty(t, data)
	assert.Len(t, files, 1)
	assert.Zero(t, summary["itemCount"])
}

func TestExportInIon(t *testing.T) {
	x := newBucketTest(t)
	data, _, files := x.write(export(transfers.FormatIon),
		&transfers.ExportRecord{New: item.JSON(book)})
	assert.Equal(t,
		`$ion_1_0 {Item:{Authors:$dynamodb_SS::["Author1","Author2"],Cover:{{AAEC}},ISBN:"333-3333333333",Id:103.,`+
			`InPublication:false,More:{list:[-5d-2,null]},PageCount:6d2,Price:2d3,Sizes:$dynamodb_NS::[1.,2.5]}}`+"\n", data)
	assert.True(t, strings.HasSuffix(files[0].DataFileS3Key, ".ion.gz"))
}

func TestIncrementalExport(t *testing.T) {
	change := &transfers.ExportRecord{
		Keys: `{"pk":{"S":"a"}}`, Old: `{"pk":{"S":"a"},"n":{"N":"1"}}`,
		New: `{"pk":{"S":"a"},"n":{"N":"2"}}`, Written: exportTime,
	}
	for _, tc := range []struct{ format, want string }{
		{transfers.FormatJSON,
			`{"Metadata":{"WriteTimestampMicros":{"N":"1793534400034000"}},"Keys":{"pk":{"S":"a"}},` +
				`"OldImage":{"pk":{"S":"a"},"n":{"N":"1"}},"NewImage":{"pk":{"S":"a"},"n":{"N":"2"}}}`},
		{transfers.FormatIon,
			`$ion_1_0 {Record:{Keys:{pk:"a"},Metadata:{WriteTimestampMicros:1793534400034000.},OldImage:{n:1.,pk:"a"},NewImage:{n:2.,pk:"a"}}}`},
	} {
		x := newBucketTest(t)
		e := export(tc.format)
		e.Time, e.From, e.To, e.View = time.Time{}, exportTime.Add(
			-time.Hour), exportTime, "NEW_AND_OLD_IMAGES"
		data, summary, files := x.write(e, change)
		assert.Equal(t, tc.want+"\n", data, tc.format)
		assert.Equal(t, "2023-08-01", summary["version"])
		assert.Equal(t, "2026-11-01T11:00:00.034Z", summary["exportFromTime"])
		assert.Equal(t, "2026-11-01T12:00:00.034Z", summary["exportToTime"])
		assert.Equal(t, "NEW_AND_OLD_IMAGES", summary["outputView"])
		assert.NotContains(t, summary, "exportTime")
		assert.Regexp(t, `^2026-Nov/AWSDynamoDB/data/[a-z0-9]{26}\.`, files[0].DataFileS3Key)
	}
}

// read reads all records of a source: their texts, or "key:index: error".
func (x *bucketTest) read(s *transfers.Source) (records []string) {
	x.Helper()
	s.Bucket = "b"
	r, err := x.buckets.Read(context.Background(), s)
	require.NoError(x, err)
	defer r.Close()
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			p := r.Progress()
			assert.Equal(x, p.Total, p.Stored)
			return records
		}
		require.NoError(x, err)
		if record.Err != nil {
			records = append(records, record.Key+": "+record.Err.Error())
			continue
		}
		records = append(records, record.Text)
	}
}

func TestRecordsOfFormats(t *testing.T) {
	for _, tc := range []struct {
		name    string
		source  transfers.Source
		content string
		want    []string
	}{
		{"JSON lines, with empty ones", transfers.Source{Format: "DYNAMODB_JSON"},
			"{\"Item\":{\"a\":{\"S\":\"1\"}}}\n\n {\"Item\":{}}\r\n",
			[]string{`{"Item":{"a":{"S":"1"}}}`, `{"Item":{}}`}},
		{"objects on one line", transfers.Source{Format: "DYNAMODB_JSON"}, // service facts M.5
			"{\"Item\":{\"a\":{\"S\":\"1\"}}}\n{\"Item\":{}}{\"Item\":{\"a\":{\"S\":\"2\"}}} {\"Item\":{}}\n{\"Item\":{}}",
			[]string{`{"Item":{"a":{"S":"1"}}}`, `{"Item":{}}`, `{"Item":{"a":{"S":"2"}}}`,
				`{"Item":{}}`, `{"Item":{}}`}},
		{"an object with more after it", transfers.Source{Format: "DYNAMODB_JSON"},
			"{\"Item\":{}}, {\"Item\":{}}\n",
			[]string{"o: the line is not a JSON object"}},
		{"JSON that is none ends the object", transfers.Source{Format: "DYNAMODB_JSON"},
			"{\"Item\":{}}\n{\"Item\n{\"Item\":{}}\n",
			[]string{`{"Item":{}}`, "o: the line is not a JSON object"}},
		{"a record without Item ends the object", transfers.Source{Format: "DYNAMODB_JSON"},
			"{\"Item\":{}}\n{\"item\":{},\"x\":{\"Item\":{}}}\n{\"Item\":{}}\n",
			[]string{`{"Item":{}}`, "o: the record has no Item"}},
		{"a record without members ends the object", transfers.Source{Format: "DYNAMODB_JSON"},
			"{}\n{\"Item\":{}}\n", []string{"o: the record has no Item"}},
		{"a record with a condition before Item", transfers.Source{Format: "DYNAMODB_JSON"},
			`{"ConditionExpression":"a = :a", "\u0049tem" : {}}`,
			[]string{`{"ConditionExpression":"a = :a", "\u0049tem" : {}}`}},
		{"Ion", transfers.Source{Format: "ION"},
			"$ion_1_0 {Item:{a:\"x\",n:6d2,i:7,z:null,b:{{AAEC}},t:true,s:$dynamodb_NS::[1.,2.5],l:[1.],m:{k:\"v\"}}}\n$ion_1_0 {Item:{a:\"y\"}}",
			[]string{`{"Item":{"a":{"S":"x"},"n":{"N":"6E2"},"i":{"N":"7"},"z":{"NULL":true},"b":{"B":"AAEC"},"t":{"BOOL":true},` +
				`"s":{"NS":["1E0","25E-1"]},"l":{"L":[{"N":"1E0"}]},"m":{"M":{"k":{"S":"v"}}}}}`,
				`{"Item":{"a":{"S":"y"}}}`}},
		{"Ion with a condition", transfers.Source{Format: "ION"},
			`{Item:{a:"x"},ConditionExpression:"#a = :a",ExpressionAttributeNames:{'#a':"a"},ExpressionAttributeValues:{':a':1.}}`,
			[]string{`{"Item":{"a":{"S":"x"}},"ConditionExpression":"#a = :a","ExpressionAttributeNames":{"#a":"a"},"ExpressionAttributeValues":{":a":{"N":"1E0"}}}`}},
		{"Ion without a DynamoDB type ends the object", transfers.Source{Format: "ION"},
			`{Item:{a:1e0}} {Item:{}}`, []string{"o: there is no DynamoDB type for float"}},
		{"CSV with a header", transfers.Source{Format: "CSV",
			KeyTypes: map[string]string{"n": "N"}},
			"pk,n,title\na,1,\"x, y\"\nb,,\n",
			[]string{`{"Item":{"pk":{"S":"a"},"n":{"N":"1"},"title":{"S":"x, y"}}}`,
				`{"Item":{"pk":{"S":"b"}}}`}},
		{"CSV with a list of headers",
			transfers.Source{Format: "CSV", Delimiter: ";", Headers: []string{"pk", "v"}},
			"a;1\nb;2\n",
			[]string{`{"Item":{"pk":{"S":"a"},"v":{"S":"1"}}}`,
				`{"Item":{"pk":{"S":"b"},"v":{"S":"2"}}}`}},
		{"CSV with a line of another length", transfers.Source{Format: "CSV"}, "pk,v\na\nb,2\n",
			[]string{"o: the line has 1 columns instead of 2",
				`{"Item":{"pk":{"S":"b"},"v":{"S":"2"}}}`}},
		{"GZIP that is none", transfers.Source{Format: "DYNAMODB_JSON", Compression: "GZIP"}, "{}",
			[]string{"o: unexpected EOF"}},
		{"a record that is too long", transfers.Source{Format: "DYNAMODB_JSON"},
			`{"Item":"` + strings.Repeat("x", 5<<20) + `"}`,
			[]string{"o: the record is longer than 4194304 bytes, more than any item"}},
		{"Ion that is too long", transfers.Source{Format: "ION"},
			`{Item:{a:"` + strings.Repeat("x", 5<<20) + `"}}`,
			[]string{"o: the record is longer than 4194304 bytes, more than any item"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := newBucketTest(t)
			x.add("o", tc.content)
			assert.Equal(t, tc.want, x.read(&tc.source))
		})
	}
}

func TestReadObjectsInTheirOrder(t *testing.T) {
	x := newBucketTest(t)
	x.add("in/b.json", `{"Item":{"n":2}}`)
	x.add("in/a/1.json", "no\n")
	x.add("in/c.json", `{"Item":{"n":3}}`)
	x.add("out/d.json", `{"Item":{"n":4}}`)
	assert.Equal(t,
		[]string{"in/a/1.json: the line is not a JSON object", `{"Item":{"n":2}}`,
			`{"Item":{"n":3}}`},
		x.read(&transfers.Source{Location: transfers.Location{Prefix: "in/"},
			Format: "DYNAMODB_JSON"}))
}

func TestReadCompressed(t *testing.T) {
	const text = "{\"Item\":{\"a\":{\"S\":\"1\"}}}\n"
	var zipped, zst bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(text))
	require.NoError(t, z.Close())
	s, err := zstd.NewWriter(&zst)
	require.NoError(t, err)
	s.Write([]byte(text))
	require.NoError(t, s.Close())
	for compression, content := range map[string]string{
		"GZIP": zipped.String(), "ZSTD": zst.String(), "NONE": text, "": text,
	} {
		x := newBucketTest(t)
		x.add("o", content)
		assert.Equal(t, []string{strings.TrimSpace(text)},
			x.read(&transfers.Source{Format: "DYNAMODB_JSON", Compression: compression}),
			compression)
	}
}

// TestReadBombs: an object that unpacks to far more than its size ends as soon as a record is too
// long, and a frame that asks for too much memory is refused.
func TestReadBombs(t *testing.T) {
	fill := func(w io.WriteCloser, err error) {
		t.Helper()
		require.NoError(t, err)
		_, err = io.CopyN(w, endless('x'), 32<<20)
		require.NoError(t, err)
		require.NoError(t, w.Close())
	}
	var zipped, zst, wide bytes.Buffer
	fill(gzip.NewWriter(&zipped), nil)
	fill(zstd.NewWriter(&zst))
	fill(zstd.NewWriter(&wide, zstd.WithWindowSize(128<<20)))
	const long = "o: the record is longer than 4194304 bytes, more than any item"
	for _, c := range []struct {
		name, compression string
		content           []byte
		want              string
	}{
		{"gzip", "GZIP", zipped.Bytes(), long},
		{"zstd", "ZSTD", zst.Bytes(), long},
		{"zstd with a wide window", "ZSTD", wide.Bytes(), "window size exceeded"},
	} {
		for _, format := range []string{"DYNAMODB_JSON", "ION", "CSV"} {
			t.Run(c.name+" "+format, func(t *testing.T) {
				require.Less(t, len(c.content), 1<<20)
				x := newBucketTest(t)
				x.add("o", string(c.content))
				got := x.read(&transfers.Source{Format: format, Compression: c.compression})
				require.Len(t, got, 1)
				assert.Contains(t, got[0], c.want)
			})
		}
	}
}

// endless is a reader of one byte without end.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestBucketsThatAreNotThere(t *testing.T) {
	x := newBucketTest(t)
	x.add("file", "")
	ctx := context.Background()
	for _, name := range []string{"missing", "..", ".", "b/file", "b/..", ""} {
		e := export(transfers.FormatJSON)
		e.Bucket = name
		_, err := x.buckets.Export(ctx, e)
		assert.EqualError(t, err,
			"NoSuchBucket: The specified bucket does not exist (Service: Amazon S3; Status Code: 404; Error Code: NoSuchBucket)", name)
		_, err = x.buckets.Read(ctx, &transfers.Source{Location: transfers.Location{Bucket: name}})
		assert.ErrorContains(t, err, "NoSuchBucket", name)
	}
	_, err := x.buckets.Read(ctx,
		&transfers.Source{Location: transfers.Location{Bucket: "b", Prefix: "nothing/"}})
	assert.ErrorContains(t, err, "NoSuchKey")
}

func TestDirRefusesKeysThatAreNoPaths(t *testing.T) {
	x := newBucketTest(t)
	store, ctx := bucket.Dir(x.dir), context.Background()
	for _, key := range []string{"../a", "a/../../b", "/a", "a//b", "a/", "", ".", "a/.kugiri-1"} {
		_, err := store.Put(ctx, bucket.Place{Bucket: "b", Key: key}, nil, transfers.Encryption{})
		assert.ErrorContains(t, err, "InvalidKey", "%q", key)
		_, err = store.Get(ctx, bucket.Place{Bucket: "b", Key: key})
		assert.ErrorContains(t, err, "InvalidKey", "%q", key)
	}
	entries, err := os.ReadDir(filepath.Join(x.dir, "b"))
	require.NoError(t, err)
	assert.Empty(t, entries)
}

func TestReport(t *testing.T) {
	x := newBucketTest(t)
	w, err := x.buckets.Report(context.Background(),
		&transfers.Report{Location: transfers.Location{Bucket: "b", Prefix: "r"}, ID: "id"})
	require.NoError(t, err)
	complete, err := w.Write(&transfers.ReportEntry{
		Type: "ERROR", Bucket: "in", Key: "o.json", Index: 3, Message: "no",
		Item: `{"a":{"S":"b"}}`,
	})
	require.NoError(t, err)
	assert.Nil(t, complete)
	require.NoError(t, w.Close())
	assert.JSONEq(t,
		`{"type":"ERROR","itemS3Pointer":{"bucket":"in","key":"o.json","itemIndex":3},"errorMessages":["no"],"item":{"a":{"S":"b"}}}`,
		x.file("r/AWSDynamoDB/id/report-000000.json"))
	assert.Contains(t, x.checked("r/AWSDynamoDB/id/manifest-files.json"), `"itemCount":1`)
}

// TestReportGoesOn: the objects that another process has written are in the manifest, and no object
// of the report is a part of its source.
func TestReportGoesOn(t *testing.T) {
	x := newBucketTest(t)
	ctx := context.Background()
	r := &transfers.Report{Location: transfers.Location{Bucket: "b", Prefix: "r"}, ID: "id",
		Written: []transfers.ReportObject{
			{Entries: 7, MD5: "m", ETag: "e", Key: "r/AWSDynamoDB/id/report-000000.json"},
		}}
	w, err := x.buckets.Report(ctx, r)
	require.NoError(t, err)
	_, err = w.Write(&transfers.ReportEntry{Type: "ERROR"})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	assert.NotEmpty(t, x.file("r/AWSDynamoDB/id/report-000001.json"))
	files := x.checked("r/AWSDynamoDB/id/manifest-files.json")
	assert.True(t,
		strings.HasPrefix(files,
			`{"itemCount":7,"md5Checksum":"m","etag":"e","dataFileS3Key":"r/AWSDynamoDB/id/report-000000.json"}`+"\n"+`{"itemCount":1,`), files)

	_, err = x.buckets.Read(ctx,
		&transfers.Source{
			Location: transfers.Location{Bucket: "b"}, Format: transfers.FormatJSON, Except: r,
		})
	assert.ErrorContains(t, err, "NoSuchKey")
}

// TestObjectTooLarge: the size that the bucket lists counts, and nothing is read.
func TestObjectTooLarge(t *testing.T) {
	x := newBucketTest(t)
	ctx, large := context.Background(), filepath.Join(x.dir, "b", "large")
	require.NoError(t, os.WriteFile(large, nil, 0o666))
	source := &transfers.Source{
		Location: transfers.Location{Bucket: "b"}, Format: transfers.FormatJSON, MaxObject: 5 << 30,
	}
	require.NoError(t, os.Truncate(large, source.MaxObject)) // a file without blocks
	r, err := x.buckets.Read(ctx, source)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.NoError(t, os.Truncate(large, source.MaxObject+1))
	_, err = x.buckets.Read(ctx, source)
	assert.EqualError(t, err, "ObjectTooLarge: The object large has more than 5368709120 bytes")
}

// TestLargeExport: a data file ends when it has 8 MB, and the manifest lists all.
func TestLargeExport(t *testing.T) {
	var records []*transfers.ExportRecord
	random := rand.NewChaCha8([32]byte{})
	for range 40 {
		content := make([]byte, 300_000)
		random.Read(content)
		records = append(records,
			&transfers.ExportRecord{
				New: item.JSON(`{"b":{"B":"` + base64.StdEncoding.EncodeToString(content) + `"}}`),
			})
	}
	x := newBucketTest(t)
	data, summary, files := x.write(export(transfers.FormatJSON), records...)
	require.Len(t, files, 2)
	assert.NotEqual(t, files[0].DataFileS3Key, files[1].DataFileS3Key)
	assert.Equal(t, 40.0, summary["itemCount"])
	assert.Equal(t, int64(40), files[0].ItemCount+files[1].ItemCount)
	assert.Equal(t, 40, strings.Count(data, "\n"))
}

// TestBlankObjects: an object of more blank lines than 64 MB fails, and is not read to its end.
func TestBlankObjects(t *testing.T) {
	source := &transfers.Source{Format: transfers.FormatJSON}
	line := strings.Repeat(" ", 1<<20-1) + "\n"
	for _, c := range []struct {
		name  string
		lines int
		ok    bool
	}{{"as many as the limit allows", 64, true}, {"one more", 65, false}} {
		t.Run(c.name, func(t *testing.T) {
			in := strings.NewReader(strings.Repeat(line, c.lines) + noItem + "\n")
			r, err := bucket.NewReader(source, in)
			require.NoError(t, err)
			_, err = r.Next()
			assert.NotErrorIs(t, err, io.EOF)
			assert.Equal(t, c.ok, !strings.Contains(fmt.Sprint(err), "blank lines"), "%v", err)
		})
	}
}
