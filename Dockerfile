# fanfare in an image without Swift. It runs as an unprivileged user and keeps its history in a
# volume: docker run --rm -v fanfare-history:/history -v "$PWD:/work" fanfare help

ARG SWIFT=6.3
FROM swift:${SWIFT}-bookworm AS build
WORKDIR /source
COPY Scripts/install-dependencies Scripts/
RUN apt-get update \
  && apt-get install --yes --no-install-recommends make \
  && Scripts/install-dependencies \
  && rm -rf /var/lib/apt/lists/*
COPY . .
# The binary includes the Swift runtime.
RUN make install DESTDIR=/image PREFIX=/usr

# The C++ library, which Swift's runtime also needs, is already installed: apt uses it.
FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    ca-certificates libcurl4 libmicrohttpd12 libnghttp2-14 libpq5 libsqlite3-0 \
    libssl3 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --create-home --shell /usr/sbin/nologin fanfare \
  # A user set with `docker run --user` can write here too; only its owner can read the history.
  && install --directory --mode 1777 /history
COPY --from=build /image/usr /usr
ENV FANFARE_HISTORY=/history/history.sqlite
VOLUME /history
WORKDIR /work
USER 10001:10001
ENTRYPOINT ["fanfare"]
