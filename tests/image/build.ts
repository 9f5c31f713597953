import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { ensureCaddy } from "../support/caddy.ts";
import { cache, imageExists, podman, root, run, show } from "./podman.ts";

/** Stand-ins for registries' images, built from Debian's packages and this machine's Node, Go and Caddy. */
const images = { base: "localhost/debian:12-slim", node: "localhost/node:24-bookworm-slim", go: "localhost/golang:1.26-bookworm" };
export const caddyImage = "localhost/caddy:2";
/** This machine's certificate authorities, for a proxy that intercepts TLS. */
const authorities = "/etc/ssl/certs/ca-certificates.crt";

const leftOut = ["var/cache/apt", "var/lib/apt/lists", "var/log", "usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/info"];

export function build(target: "tidings" | "supabase", tag: string): void {
  makeStandIns();
  const source = process.env.GOTRUE_SOURCE;
  const isFolder = source !== undefined && fs.existsSync(source);
  const args = { BASE: images.base, NODE: images.node, GO: images.go, ...(source && { GOTRUE_SOURCE: isFolder ? "/gotrue" : source }) };
  const buildArgs = Object.entries(args).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]);
  const volumes = isFolder ? ["--volume", `${path.resolve(source)}:/gotrue:ro`] : [];
  const how = ["--isolation", "chroot", "--layers", "--format", "docker"]; // OCI's format has no HEALTHCHECK
  show("buildah", ["bud", ...how, ...volumes, ...buildArgs, "--target", target, "--tag", tag, "."]);
}

export function buildNext(image: string, tag: string, next: string, migrations: Record<string, string>, change = ""): void {
  const context = path.join(cache, "context");
  remove(context);
  fs.mkdirSync(path.join(context, "migrations"), { recursive: true });
  for (const [name, text] of Object.entries(migrations)) fs.writeFileSync(path.join(context, "migrations", name), text);
  const lines = [
    `FROM ${image}`,
    "USER 0",
    `RUN sed -i 's/"[0-9.]*"/"${next}"/' /app/contract/version.ts`,
    "COPY migrations /app/supabase/migrations",
    change,
    "USER 10001",
  ];
  fs.writeFileSync(path.join(context, "Dockerfile"), `${lines.join("\n")}\n`);
  show("buildah", ["bud", "--isolation", "chroot", "--format", "docker", "--tag", tag, context]);
  remove(context);
}

function makeStandIns(): void {
  if (!imageExists(images.base)) makeBase();
  if (!imageExists(images.node)) {
    const npm = path.join(run("npm", ["root", "--global"]), "npm");
    make(images.node, { node: path.join(root, "node_modules/node/bin/node"), npm, "ca.crt": authorities }, [
      "COPY node /usr/local/bin/node",
      "COPY npm /usr/local/lib/node_modules/npm",
      "RUN for name in npm npx; do ln -s ../lib/node_modules/npm/bin/$name-cli.js /usr/local/bin/$name; done",
      "COPY ca.crt /etc/ssl/build-ca.crt",
      "ENV NODE_EXTRA_CA_CERTS=/etc/ssl/build-ca.crt",
    ]);
  }
  if (!imageExists(images.go))
    make(images.go, { go: run("go", ["env", "GOROOT"]), "ca.crt": authorities }, [
      "RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends git",
      "COPY go /usr/local/go",
      "COPY ca.crt /etc/ssl/build-ca.crt",
      "ENV PATH=/usr/local/go/bin:$PATH SSL_CERT_FILE=/etc/ssl/build-ca.crt",
    ]);
  if (!imageExists(caddyImage)) {
    const caddy = run("which", [ensureCaddy()]);
    make(caddyImage, { caddy }, ["COPY caddy /usr/bin/caddy", "ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data"]);
  }
}

function makeBase(): void {
  const folder = path.join(cache, "debian");
  fs.rmSync(folder, { recursive: true, force: true });
  show("debootstrap", ["--variant=minbase", "bookworm", folder, mirror()]);
  for (const name of leftOut) for (const each of fs.readdirSync(path.join(folder, name))) remove(path.join(folder, name, each));
  const archive = `${folder}.tar`;
  run("tar", ["-C", folder, "-cf", archive, "."]);
  podman("import", archive, images.base);
  for (const each of [folder, archive]) remove(each);
}

const remove = (place: string): void => fs.rmSync(place, { recursive: true, force: true });

function mirror(): string {
  const sources = spawnSync("sh", ["-c", "cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources 2>/dev/null"], { encoding: "utf8" });
  const [, address] = /^(?:URIs:|deb)\s+(https?:\S+debian\S*)/m.exec(sources.stdout) ?? [];
  if (address === undefined) throw new Error("The sources of apt name no mirror of Debian.");
  return address;
}

function make(tag: string, files: Record<string, string>, lines: string[]): void {
  const context = path.join(cache, "context");
  remove(context);
  fs.mkdirSync(context, { recursive: true });
  for (const [name, from] of Object.entries(files)) run("cp", ["--recursive", "--dereference", from, path.join(context, name)]);
  fs.writeFileSync(path.join(context, "Dockerfile"), `${[`FROM ${images.base}`, ...lines].join("\n")}\n`);
  show("buildah", ["bud", "--isolation", "chroot", "--tag", tag, context]);
  remove(context);
}
