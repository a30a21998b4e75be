package jobs

import (
	"encoding/hex"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// ListImports lists imports, the latest first.
func ListImports(c *serve.Call, in *api.ListImportsInput) (*api.ListImportsOutput, error) {
	table, after := "", ""
	var err error
	if in.NextToken != nil {
		if after, err = jobOfPageToken(string(*in.NextToken)); err != nil {
			return nil, err
		}
	}
	if in.TableArn != nil {
		if table, err = c.TableOfARN(string(*in.TableArn)); err != nil {
			return nil, err
		}
	}
	limit := defaultJobs
	if in.PageSize != nil {
		limit = int(*in.PageSize)
	}
	out := &api.ListImportsOutput{ImportSummaryList: []api.ImportSummary{}}
	last := listJobs(c, importJob, jobsOfTable{name: table}, after, limit, func(j *Job) {
		out.ImportSummaryList = append(out.ImportSummaryList, summarizeImport(c, j))
	})
	if last != nil {
		out.NextToken = api.Ref(api.ImportNextToken(pageTokenOf(last)))
	}
	return out, nil
}

func ListImportsTargets(in *api.ListImportsInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableArn)})
}

func summarizeImport(c *serve.Call, j *Job) api.ImportSummary {
	d := describeImportJob(c, j)
	return api.ImportSummary{
		ImportArn:             d.ImportArn,
		ImportStatus:          d.ImportStatus,
		TableArn:              d.TableArn,
		S3BucketSource:        d.S3BucketSource,
		CloudWatchLogGroupArn: d.CloudWatchLogGroupArn,
		InputFormat:           d.InputFormat,
		StartTime:             tables.Timestamp(j.Started.Time()),
		EndTime:               d.EndTime,
	}
}

// pageTokenBytes is the length that a page token stands for: the model wants at least 112
// hexadecimal digits, and a multiple of 16.
const pageTokenBytes = 56

// pageTokenOf returns the token of the page after a job.
func pageTokenOf(j *Job) string {
	return hex.EncodeToString([]byte(j.ID + strings.Repeat("\x00", pageTokenBytes-len(j.ID))))
}

// jobOfPageToken returns the ID in a page token.
func jobOfPageToken(token string) (string, error) {
	text, err := hex.DecodeString(token)
	id := strings.TrimRight(string(text), "\x00")
	if err != nil || len(text) != pageTokenBytes || !isJobID(id) {
		return "", errPageToken(token)
	}
	return id, nil
}
