# The whole image is one static binary: docker build -t kugiri . && docker run -p 8000:8000 kugiri
ARG GO_IMAGE=docker.io/library/golang:1.26
# The builder's own platform compiles for the requested one.
FROM --platform=$BUILDPLATFORM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.work go.work.sum go.mod go.sum ./
COPY cmd/kugiri/go.mod cmd/kugiri/go.sum cmd/kugiri/
COPY conformance/go.mod conformance/go.sum conformance/
RUN go mod download
COPY . .
# The builder sets these to the requested platform; empty means its own platform.
ARG TARGETOS
ARG TARGETARCH
# If the repository is present, "kugiri version" prints its commit.
RUN vcs=false; if git rev-parse HEAD >/dev/null 2>&1; then vcs=true; fi; \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -buildvcs=$vcs -ldflags='-s -w' -o /out/bin/kugiri ./cmd/kugiri
# Tools that replace the entrypoint of amazon/dynamodb-local call java.
RUN ln -s kugiri /out/bin/java && mkdir -p /out/data /out/home/data

FROM scratch
COPY --from=build /out/bin/ /usr/local/bin/
# A new volume takes the owner of its directory. amazon/dynamodb-local keeps its database in the
# second one.
COPY --from=build --chown=65532:65532 /out/data/ /data/
COPY --from=build --chown=65532:65532 /out/home/ /home/dynamodblocal/
# Listen on all addresses: a container has its own, and clients reach only its published ports.
# The console is for those who have the token that the server prints at its start. Scripts of all
# origins may call the server, as with amazon/dynamodb-local.
ENV PATH=/usr/local/bin KUGIRI_HOST=0.0.0.0 KUGIRI_CONSOLE=true KUGIRI_CORS=*
WORKDIR /home/dynamodblocal
USER 65532:65532
EXPOSE 8000
HEALTHCHECK --interval=5s --timeout=4s --retries=3 CMD ["/usr/local/bin/kugiri", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/kugiri"]
# Tools that start amazon/dynamodb-local wait for that image's answers; the flag gives them.
CMD ["serve", "--dynamodb-local"]
