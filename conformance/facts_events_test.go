package conformance

import (
	"strings"
	"testing"
)

// TestParametersOfTransfers checks what imports and exports refuse.
func TestParametersOfTransfers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("t", 657)
	run(t, defaults{src: "service facts H.3", op: "ImportTable"}, []kase{
		{name: "an ARN of no import", op: "DescribeImport", in: `{"ImportArn":"` +
			`arn:aws:dynamodb:us-east-1:000000000000:nothing/of/this/kind"}`,
			err: invalidText + "Invalid Import ARN"},
		{name: "an empty prefix", src: "service facts H.4", op: "ExportTableToPointInTime",
			in:  `{"TableArn":"@arn:hash","S3Bucket":"no-such-bucket","S3Prefix":""}`,
			err: one + "Value '' at 's3Prefix'*"},
		{name: "a name with an @", src: "service facts H.4", op: "ExportTableToPointInTime",
			in:  `{"TableArn":"@arn:hash@x","S3Bucket":"no-such-bucket"}`,
			err: "TableNotFoundException: *"},
		{name: "a long token", src: "service facts H.5", op: "ListExports",
			in: `{"NextToken":"` + long + `"}`,
			err: invalidText + "Invalid Request: 1 validation error detected: Value '" + long +
				"' at 'nextToken' failed to satisfy constraint: Member must have length less than or equal to 656"},
	})
}
