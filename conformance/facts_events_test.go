package conformance

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHealthPaths: service facts H.8.
func TestHealthPaths(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/health", "/health/x", "/healthy"} {
		r, err := http.NewRequest(http.MethodGet, target.url+path, http.NoBody)
		require.NoError(t, err)
		got := do(r)
		require.NoError(t, got.err)
		assert.Equal(t, http.StatusOK, got.status, path)
		assert.Empty(t, got.body, path)
	}
}

// TestParametersOfTransfers checks what imports and exports refuse.
func TestParametersOfTransfers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("t", 657)
	run(t, defaults{src: "service facts H.3", op: "ImportTable"}, []kase{
		{name: "an import without a token", raw: true,
			in: `{"S3BucketSource":{"S3Bucket":"no-such-bucket"},"InputFormat":"CSV",` +
				`"TableCreationParameters":{"TableName":"new",` + keys("pk:S") + `}}`,
			err: one + "Value null at 'clientToken' failed to satisfy constraint: Member must not be null"},
		{name: "an ARN of no import", op: "DescribeImport", in: `{"ImportArn":"` +
			`arn:aws:dynamodb:us-east-1:000000000000:nothing/of/this/kind"}`,
			err: invalidText + "Invalid Import ARN"},
		{name: "an empty prefix", src: "service facts H.4", op: "ExportTableToPointInTime",
			in:  `{"TableArn":"@arn:hash","S3Bucket":"no-such-bucket","S3Prefix":""}`,
			err: one + "Value '' at 's3Prefix' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "an ARN of another account that is no export's", src: "service facts H.4",
			op:  "DescribeExport",
			in:  `{"ExportArn":"arn:aws:dynamodb:us-east-1:111122223333:nothing/of/this/kind"}`,
			err: "AccessDeniedException: Access is denied"},
		{name: "a name with an @", src: "service facts H.4", op: "ExportTableToPointInTime",
			in:  `{"TableArn":"@arn:hash@x","S3Bucket":"no-such-bucket"}`,
			err: "TableNotFoundException: Table not found: @arn:hash@x"},
		{name: "a long token", src: "service facts H.5", op: "ListExports",
			in: `{"NextToken":"` + long + `"}`,
			err: invalidText + "Invalid Request: 1 validation error detected: Value '" + long +
				"' at 'nextToken' failed to satisfy constraint: Member must have length less than or equal to 656"},
	})
}
