# fanfare without Swift around it. It runs as a user without rights, and keeps its history in a
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
# The binary carries the Swift runtime.
RUN make install DESTDIR=/image PREFIX=/usr

# The C++ library, which Swift's runtime needs too, is there already, for apt needs it.
FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    ca-certificates libcurl4 libnghttp2-14 libsqlite3-0 libssl3 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --create-home --shell /usr/sbin/nologin fanfare \
  # Whoever `docker run --user` names may write here too; the history itself is its owner's alone.
  && install --directory --mode 1777 /history
COPY --from=build /image/usr /usr
ENV FANFARE_HISTORY=/history/history.sqlite
VOLUME /history
WORKDIR /work
USER 10001:10001
ENTRYPOINT ["fanfare"]
