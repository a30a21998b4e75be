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
# The repository, if it is there, tells "kugiri version" the commit.
RUN vcs=false; if git rev-parse HEAD >/dev/null 2>&1; then vcs=true; fi; \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -buildvcs=$vcs -ldflags='-s -w' -o /out/bin/kugiri ./cmd/kugiri
# What replaces the entrypoint of amazon/dynamodb-local calls java.
RUN ln -s kugiri /out/bin/java && mkdir -p /out/data /out/home/data

FROM scratch
COPY --from=build /out/bin/ /usr/local/bin/
# Volumes that are new take over the owner. The second is where amazon/dynamodb-local has its database.
COPY --from=build --chown=65532:65532 /out/data/ /data/
COPY --from=build --chown=65532:65532 /out/home/ /home/dynamodblocal/
# A container has an address of its own, to which only what it publishes leads.
ENV PATH=/usr/local/bin KUGIRI_HOST=0.0.0.0
WORKDIR /home/dynamodblocal
USER 65532:65532
EXPOSE 8000
HEALTHCHECK --interval=5s --timeout=4s --retries=3 CMD ["/usr/local/bin/kugiri", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/kugiri"]
# Tools that start amazon/dynamodb-local wait for its answers.
CMD ["serve", "--dynamodb-local"]
