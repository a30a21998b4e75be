module github.com/kugiri-db/kugiri

go 1.24

require (
	github.com/VictoriaMetrics/metrics v1.35.1
	github.com/amazon-ion/ion-go v1.5.0
	github.com/anishathalye/porcupine v1.0.2
	github.com/aws/aws-sdk-go-v2 v1.36.3
	github.com/aws/aws-sdk-go-v2/credentials v1.17.67
	github.com/aws/aws-sdk-go-v2/service/dynamodb v1.43.0
	github.com/aws/aws-sdk-go-v2/service/dynamodbstreams v1.25.3
	github.com/aws/smithy-go v1.22.2
	github.com/aymanbagabas/go-udiff v0.2.0
	github.com/cespare/xxhash/v2 v2.3.0
	github.com/gofrs/flock v0.12.1
	github.com/gorilla/mux v1.8.0
	github.com/klauspost/compress v1.17.11
	github.com/oklog/ulid/v2 v2.1.0
	github.com/prometheus/client_model v0.5.0
	github.com/prometheus/common v0.48.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.0
	github.com/stretchr/testify v1.10.0
	github.com/tidwall/btree v1.8.0
	go.etcd.io/bbolt v1.4.0
	go.yaml.in/yaml/v3 v3.0.3
	golang.org/x/sync v0.10.0
	pgregory.net/rapid v1.2.0
)

require (
	github.com/aws/aws-sdk-go-v2/internal/configsources v1.3.34 // indirect
	github.com/aws/aws-sdk-go-v2/internal/endpoints/v2 v2.6.34 // indirect
	github.com/aws/aws-sdk-go-v2/service/internal/accept-encoding v1.12.3 // indirect
	github.com/aws/aws-sdk-go-v2/service/internal/endpoint-discovery v1.10.15 // indirect
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/kr/text v0.2.0 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	github.com/valyala/fastrand v1.1.0 // indirect
	github.com/valyala/histogram v1.2.0 // indirect
	golang.org/x/sys v0.29.0 // indirect
	golang.org/x/text v0.14.0 // indirect
	google.golang.org/protobuf v1.32.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)
