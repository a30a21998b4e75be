package endpoint

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTableNamesWithoutEnd: an endpoint whose list of tables has no end ends the command.
func TestTableNamesWithoutEnd(t *testing.T) {
	pages := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		pages++
		fmt.Fprintf(w, `{"TableNames":["t"%s],"LastEvaluatedTableName":"t"}`,
			strings.Repeat(`,"t"`, 9_999))
	}))
	defer server.Close()
	client := dynamodb.New(dynamodb.Options{Region: "us-east-1",
		BaseEndpoint: aws.String(server.URL), Credentials: aws.AnonymousCredentials{}})
	_, err := TableNames(t.Context(), client)
	require.EqualError(t, err, "the endpoint lists more than 100000 tables")
	assert.Equal(t, 11, pages)
}
