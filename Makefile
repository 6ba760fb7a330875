# make demo   the built-in incident, diagnosed live
# make test   everything that CI tests
# make lint   formatting, vet, staticcheck
# make build  bin/capdoctor

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS := -s -w -X main.version=$(VERSION)
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: build demo test lint generate screenshots accuracy bench fuzz clean

build:
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/capdoctor ./cmd/capdoctor

demo: build
	@bin/capdoctor demo

test:
	go test -parallel 4 ./...

lint:
	@test -z "$$(gofmt -l .)" || { echo "gofmt needed:"; gofmt -l .; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...

# Everything that is made by a program and kept in the tree.
generate: build
	go generate ./...

# The pictures in docs: the dashboard on a recorded incident, and a drill.
screenshots:
	go test -parallel 4 ./.../capdoctor -run TestScreenshots -update

# Hits, misses and false alarms of every diagnosis over all cases at hand.
accuracy: build
	bin/capdoctor check --matrix fixtures $(wildcard ../shared/cases)

bench:
	go test -run '^$$' -bench . -benchmem ./...
	cd scrape/internal/bench && go test -run '^$$' -bench . -benchmem

clean:
	rm -rf bin
