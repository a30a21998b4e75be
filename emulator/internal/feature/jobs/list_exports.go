package jobs

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// defaultJobs is the number of exports or imports in a page if a request does not say it
// (ack-api-quirks, DDB-IMPORT-016).
const defaultJobs = 10

// maxExportToken is the longest token of ListExports (service facts H.5).
const maxExportToken = 656

// ListExports lists exports, the latest first: "in reverse alphanumeric order of ExportArn" (API
// Reference, ListExports), whose last part begins with the time.
func ListExports(c *serve.Call, in *api.ListExportsInput) (*api.ListExportsOutput, error) {
	table, after := "", ""
	if in.NextToken != nil {
		if len(*in.NextToken) > maxExportToken {
			return nil, apierr.Invalid("Invalid Request: 1 validation error detected: Value '%s' at "+
				"'nextToken' failed to satisfy constraint: Member must have length less than or "+
				"equal to %d", *in.NextToken, maxExportToken)
		}
		if after = *in.NextToken; !isJobID(after) {
			return nil, errPageToken(after)
		}
	}
	if in.TableArn != nil {
		var err error
		if table, err = c.TableOfARN(string(*in.TableArn)); err != nil {
			return nil, err
		}
	}
	limit := defaultJobs
	if in.MaxResults != nil {
		limit = int(*in.MaxResults)
	}
	out := &api.ListExportsOutput{ExportSummaries: []api.ExportSummary{}}
	last := listJobs(c, exportJob, jobsOfTable{name: table, there: true}, after,
		limit, func(j *Job) {
			out.ExportSummaries = append(out.ExportSummaries, api.ExportSummary{
				ExportArn:    api.Ref(api.ExportArn(j.arn(c.Owner))),
				ExportStatus: api.Ref(api.ExportStatus(j.statusAt(c.Now()))),
				ExportType:   api.Ref(exportType(requestOf[api.ExportTableToPointInTimeInput](j))),
			})
		})
	if last != nil {
		out.NextToken = &last.ID
	}
	return out, nil
}

func ListExportsTargets(in *api.ListExportsInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableArn)})
}

// errPageToken returns the error of a token of no page (ack-api-quirks, DDB-EXPORT-006, a probe of
// the service).
func errPageToken(token string) error {
	return apierr.Invalid("Invalid Request: Provided nextToken is invalid: %s", token)
}

// isJobID reports whether a text has the form of a job's ID.
func isJobID(text string) bool {
	const form = "00000000000000-00000000"
	if len(text) != len(form) || text[14] != '-' {
		return false
	}
	for i := range len(text) {
		if b := text[i]; i != 14 && (b < '0' || b > '9') && (i < 14 || b < 'a' || b > 'f') {
			return false
		}
	}
	return true
}
