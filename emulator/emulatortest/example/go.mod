module example.com/notes

go 1.24

require (
	github.com/aws/aws-sdk-go-v2 v1.36.3
	github.com/aws/aws-sdk-go-v2/service/dynamodb v1.43.0
	github.com/kugiri-db/kugiri v0.0.0
)

require (
	github.com/aws/aws-sdk-go-v2/internal/configsources v1.3.34 // indirect
	github.com/aws/aws-sdk-go-v2/internal/endpoints/v2 v2.6.34 // indirect
	github.com/aws/aws-sdk-go-v2/service/dynamodbstreams v1.25.3 // indirect
	github.com/aws/aws-sdk-go-v2/service/internal/accept-encoding v1.12.3 // indirect
	github.com/aws/aws-sdk-go-v2/service/internal/endpoint-discovery v1.10.15 // indirect
	github.com/aws/smithy-go v1.22.2 // indirect
	github.com/aymanbagabas/go-udiff v0.2.0 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/gorilla/mux v1.8.0 // indirect
	github.com/oklog/ulid/v2 v2.1.0 // indirect
	github.com/tidwall/btree v1.8.0 // indirect
	golang.org/x/sync v0.10.0 // indirect
)

// Only here, inside of Kugiri's own repository. Elsewhere: go get github.com/kugiri-db/kugiri
replace github.com/kugiri-db/kugiri => ../../..
