# The whole image is one static binary: docker build -t kugiri . && docker run -p 8000:8000 kugiri
ARG GO_IMAGE=docker.io/library/golang:1.26
FROM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# Set by the builder for the platform asked for; empty means the builder's own.
ARG TARGETOS
ARG TARGETARCH
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -buildvcs=false -ldflags='-s -w' -o /out/kugiri ./cmd/kugiri

FROM scratch
COPY --from=build /out/kugiri /kugiri
USER 65532:65532
EXPOSE 8000
ENTRYPOINT ["/kugiri"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
