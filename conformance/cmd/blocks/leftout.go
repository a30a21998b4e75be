package main

import (
	"os"
	"strings"
)

// leftOut lists what does not run, by a part of a command or of a block in another language.
var leftOut = []struct{ part, reason string }{
	{"docker ", "needs Docker; .ci/image tries the image"},
	{"testcontainers.", "needs Docker"},
	{"go test ", "the checks run the tests by themselves"},
	{"--endpoint aws", "needs an AWS account"},
	{"--from aws", "needs an AWS account"},
	{".amazonaws.com", "needs an AWS account"},
	{"@latest", "needs a release"},
	{"releases/latest", "needs a release"},
	{"kugiri_linux_amd64", "needs a release"},
	{"checksums.txt", "needs a release"},
	{"java -cp ", "needs DynamoDB Local"},
	{"npm install --save-dev", inClone},
	{"pip install ", inClone},
	{"mvn -f cmd/packages/maven", inClone},
	{"go mod edit -replace", inClone},
	{"kugiri_", inPackage},
	{"npx kugiri", inPackage},
	{`"kugiri"`, inPackage},
	{`"kugiri/`, inPackage},
	{`"vitest"`, inPackage},
	{`"@jest/globals"`, inPackage},
	{"io.github.kugiri", inPackage},
	{"amazon-dax", inClients},
	{"amazondax", inClients},
	{"software.amazon.dax", inClients},
	{"StreamConsumer", "the tests of conventions/design/render run generated code"},
	{"NewStoreWithDAX", "needs a client that the module proxy does not have"},
	{"npx tsx", "needs a registry of packages"},
	{"npx dynalite", "needs a registry of packages"},
	{"kinesalite", "needs a Kinesis endpoint"},
	{"aws kinesis ", "needs a Kinesis endpoint"},
	{".listen(9000)", "runs until it is stopped"},
	{"enable-kinesis-streaming-destination", "needs a Kinesis endpoint"},
	{"$" + localJars, otherEngine},
	{"$NEW", otherEngine},
	{"localhost:8002", otherEngine},
}

// localJars is the variable with the directory of DynamoDB Local's jars. What needs another engine
// runs if it is set.
const localJars = "DYNAMODB_LOCAL"

const otherEngine = "needs another engine; .ci/beyond runs it"

// inClients is the reason of code that needs a client of the accelerator.
const inClients = "conformance/clients/dax runs the client"

// inClone is the reason of commands that install a package from a clone.
const inClone = "needs a project beside a clone, and a registry for its other packages"

// inPackage is the reason of code that needs a package of cmd/packages.
const inPackage = "the check of the package in cmd/packages runs it"

// reasonToLeaveOut returns why a command or a block does not run, or "".
func reasonToLeaveOut(text string) string {
	for _, l := range leftOut {
		if l.reason == otherEngine && os.Getenv(localJars) != "" {
			continue
		}
		if strings.Contains(text, l.part) {
			return l.reason
		}
	}
	return ""
}
