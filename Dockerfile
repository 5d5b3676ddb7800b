# An image with infer, check and crash, and what they need: Go, gcc and libz3. The tree is in /opt/dsd.
#
#	docker build -t dsd .
#	docker run --rm -v "$PWD:/module:ro" -v "$PWD/out:/out" dsd pipeline.sh -C /module -o /out
ARG BASE=golang:1.26-bookworm
FROM $BASE
COPY . /opt/dsd
WORKDIR /opt/dsd
RUN make && go clean -cache
ENV PATH=/opt/dsd:/opt/dsd/bin:$PATH
WORKDIR /module
CMD ["check", "--help"]
