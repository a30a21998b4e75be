package front

import (
	"net/http"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// foreignService returns the service that the signature of a request is for, such as "s3", if it is
// neither DynamoDB nor its accelerator: then the client takes this server for all of AWS, as
// AWS_ENDPOINT_URL has it. It returns "" for requests without a signature in the headers.
func foreignService(r *http.Request) string {
	_, scope, _ := strings.Cut(httpd.First(r.Header["Authorization"]), "Credential=")
	scope, _, _ = strings.Cut(scope, ",")
	parts := strings.Split(scope, "/")
	if len(parts) != 5 || parts[3] == auth.SigningName || parts[3] == auth.AcceleratorName {
		return ""
	}
	return parts[3]
}

// onlyDynamoDB is the error for a request to another service.
func onlyDynamoDB(service string) *apierr.Error {
	return &apierr.Error{Type: apierr.UnknownOperation,
		Message: "this is Kugiri, which is DynamoDB only: the request is signed for " + service +
			". Set AWS_ENDPOINT_URL_DYNAMODB in place of AWS_ENDPOINT_URL"}
}

// answerForeign answers a request to another service in the form that its clients read: S3 and the
// services with forms have XML, all others JSON.
func (f *Front) answerForeign(w http.ResponseWriter, r *http.Request, service string) {
	e := onlyDynamoDB(service)
	body, contentType := e.Append(nil), jsonTypes["application/json"]
	text := "<Error><Code>" + e.Type.Name + "</Code><Message>" +
		xmlText.Replace(e.Message) + "</Message></Error>"
	form := strings.HasPrefix(httpd.First(r.Header["Content-Type"]),
		"application/x-www-form-urlencoded")
	switch {
	case form:
		body, contentType = []byte("<ErrorResponse>"+text+"</ErrorResponse>"), xmlType
	case service == "s3":
		body, contentType = []byte(text), xmlType
	}
	f.send(w, r, e.Type.Status, contentType, body, nil)
}

var (
	xmlType = []string{"application/xml"}
	xmlText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
)
