package gateway

import "strings"

// awsDomains are the domains of AWS's endpoints.
var awsDomains = [...]string{".amazonaws.com", ".amazonaws.com.cn", ".api.aws",
	".api.amazonwebservices.com.cn"}

// searchHost returns the host of the endpoint that serves SearchVectors beside a host of DynamoDB
// (Developer Guide, "Creating and searching vector indexes", "SearchVectors endpoints"). Any other
// host serves all operations itself.
func searchHost(host string) string {
	first, rest, _ := strings.Cut(host, ".")
	switch {
	case !isAWS(host):
		return host
	case first == "dynamodb" || first == "dynamodb-fips":
		return "search-" + host
	case strings.HasPrefix(rest, "ddb."): // the first part is an account
		return first + ".search-" + rest
	}
	return host
}

func isAWS(host string) bool {
	for _, domain := range awsDomains {
		if strings.HasSuffix(host, domain) {
			return true
		}
	}
	return false
}
