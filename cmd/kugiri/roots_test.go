package main

import (
	"crypto/x509"
	"encoding/pem"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
)

// amazonRoot is the authority that certificates of DynamoDB's endpoints come from.
const amazonRoot = `-----BEGIN CERTIFICATE-----
MIIDQTCCAimgAwIBAgITBmyfz5m/jAo54vB4ikPmljZbyjANBgkqhkiG9w0BAQsF
ADA5MQswCQYDVQQGEwJVUzEPMA0GA1UEChMGQW1hem9uMRkwFwYDVQQDExBBbWF6
b24gUm9vdCBDQSAxMB4XDTE1MDUyNjAwMDAwMFoXDTM4MDExNzAwMDAwMFowOTEL
MAkGA1UEBhMCVVMxDzANBgNVBAoTBkFtYXpvbjEZMBcGA1UEAxMQQW1hem9uIFJv
b3QgQ0EgMTCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBALJ4gHHKeNXj
ca9HgFB0fW7Y14h29Jlo91ghYPl0hAEvrAIthtOgQ3pOsqTQNroBvo3bSMgHFzZM
9O6II8c+6zf1tRn4SWiw3te5djgdYZ6k/oI2peVKVuRF4fn9tBb6dNqcmzU5L/qw
IFAGbHrQgLKm+a/sRxmPUDgH3KKHOVj4utWp+UhnMJbulHheb4mjUcAwhmahRWa6
VOujw5H5SNz/0egwLX0tdHA114gk957EWW67c4cX8jJGKLhD+rcdqsq08p8kDi1L
93FcXmn/6pUCyziKrlA4b9v7LWIbxcceVOF34GfID5yHI9Y/QCB/IIDEgEw+OyQm
jgSubJrIqg0CAwEAAaNCMEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMC
AYYwHQYDVR0OBBYEFIQYzIU07LwMlJQuCFmcx7IQTgoIMA0GCSqGSIb3DQEBCwUA
A4IBAQCY8jdaQZChGsV2USggNiMOruYou6r4lK5IpDB/G/wkjUu0yKGX9rbxenDI
U5PMCCjjmCXPI6T53iHTfIUJrU6adTrCC2qJeHZERxhlbI1Bjjt/msv0tadQ1wUs
N+gDS63pYaACbvXy8MWy7Vu33PqUXHeeE6V/Uq2V8viTO96LXFvKWlJbYK8U90vv
o/ufQJVtMVT8QtPHRh8jrdkPSHCa2XV4cdFyQzR1bldZwgJcJmApzyMZFo6IQ6XU
5MsI+yMRQ+hDKXJioaldXgjUkK642M4UwtBV8ob2xJNDd2ZhwLnoQdeXeGADbkpy
rqXRfboQnoZsG4q5WTP468SQvvG5
-----END CERTIFICATE-----
`

// rootless is the variable of the environment that tells TestPublicRoots that this machine has no
// certificates.
const rootless = "KUGIRI_TEST_ROOTLESS"

// TestPublicRoots: commands that connect to DynamoDB trust it, also where there is no /etc/ssl. A
// process reads the machine's certificates once, so the test runs in one of its own; .ci/image runs
// it in the image.
func TestPublicRoots(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system verifies certificates")
	}
	if os.Getenv(rootless) == "" {
		program, err := os.Executable()
		require.NoError(t, err)
		own := exec.Command(program, "-test.run=^TestPublicRoots$")
		own.Env = append(os.Environ(), rootless+"=1", "SSL_CERT_FILE=/nowhere",
			"SSL_CERT_DIR=/nowhere")
		out, err := own.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	withoutAWS(t)
	block, _ := pem.Decode([]byte(amazonRoot))
	certificate, err := x509.ParseCertificate(block.Bytes)
	require.NoError(t, err)
	_, err = certificate.Verify(x509.VerifyOptions{})
	require.ErrorAs(t, err, new(x509.UnknownAuthorityError), "the machine has certificates")

	_, err = endpoint.ConfigFor(t.Context(), "localhost")
	require.NoError(t, err)
	_, err = certificate.Verify(x509.VerifyOptions{})
	assert.Error(t, err, "this machine's servers have no certificates of public authorities")
	_, err = endpoint.ConfigFor(t.Context(), "dynamodb.eu-central-1.amazonaws.com")
	require.NoError(t, err)
	_, err = certificate.Verify(x509.VerifyOptions{})
	assert.NoError(t, err)
}
