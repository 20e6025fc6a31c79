# An image with heddle and what a program needs to be compiled for it. It is built from the repository's root:
#
#   docker build -t heddle .
#   docker run --rm -v "$PWD":/src heddle check queue_test.cpp
#
# The first stage has compilers and LLVM; only the package goes into the second.
FROM debian:12-slim AS build
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends make git ca-certificates dpkg-dev file && rm -rf /var/lib/apt/lists/*
WORKDIR /heddle
COPY . .
RUN make package && mv build/packages/heddle_*_amd64.deb /heddle.deb

FROM debian:12-slim
COPY --from=build /heddle.deb /tmp/heddle.deb
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends /tmp/heddle.deb \
  && rm -rf /var/lib/apt/lists/* /tmp/heddle.deb
WORKDIR /src
ENTRYPOINT ["heddle"]
