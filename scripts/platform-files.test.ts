import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { version } from "#contract/version.ts";
import { readFrontDoor } from "../supabase/local/service/front-door.ts";
import { readService } from "../supabase/local/service/serve.ts";

/** Files for other platforms can only be read here, not run. */
const root = path.resolve(import.meta.dirname, "..");
const read = (name: string): string => readFileSync(path.join(root, name), "utf8");
const dockerfile = read("Dockerfile");
const volume = /^VOLUME (.*)$/m.exec(dockerfile)![1]!;
const port = Number(/^EXPOSE (.*)$/m.exec(dockerfile)![1]);

interface Values {
  [name: string]: string | number | Values;
}
type Manifest = Record<string, Values> & { kind: string };

/** The chart's templates use only values, quoted or as JSON, so Helm isn't needed. */
function renderChart(): Manifest[] {
  const chart = parseYaml(read("deploy/helm/Chart.yaml")) as Values;
  const values = parseYaml(read("deploy/helm/values.yaml")) as Values;
  const scope: Values = { Values: values, Chart: chart, Release: { Name: "tidings" } };
  const valueAt = (keys: string) =>
    keys.split(".").reduce<Values[string] | undefined>((value, key) => (typeof value === "object" ? value[key] : undefined), scope);
  const folder = "deploy/helm/templates";
  return readdirSync(path.join(root, folder)).map((name) => {
    const text = read(`${folder}/${name}`).replace(/\{\{ \.([\w.]+)(?: \| (quote|toJson))? \}\}/g, (_, keys: string, how?: string) => {
      const value = valueAt(keys);
      if (value === undefined) throw new Error(`${name} names ${keys}, which has no value.`);
      return how === "quote" ? JSON.stringify(String(value)) : how === "toJson" ? JSON.stringify(value) : String(value);
    });
    expect(text).not.toContain("{{");
    return parseYaml(text) as Manifest;
  });
}

interface Container {
  image: string;
  env: { name: string; value: string }[];
  ports: { containerPort: number }[];
  volumeMounts: { mountPath: string }[];
}
const manifests = renderChart();
const ofKind = <Spec>(kind: string) => manifests.find((each) => each.kind === kind)!.spec as unknown as Spec;
const set = ofKind<{ replicas: number; template: { spec: { containers: [Container]; securityContext: Values } } }>("StatefulSet");
const [container] = set.template.spec.containers;
const fly = parseToml(read("deploy/fly.toml")) as unknown as {
  build: { dockerfile: string };
  env: Record<string, string>;
  mounts: { destination: string }[];
  http_service: { internal_port: number; force_https: boolean };
};
const render = (
  parseYaml(read("deploy/render.yaml")) as {
    services: [
      {
        dockerfilePath: string;
        numInstances: number;
        disk: { mountPath: string };
        envVars: { key: string; value?: string; sync?: false }[];
      },
    ];
  }
).services[0];
const railway = JSON.parse(read("deploy/railway.json")) as { build: { dockerfilePath: string }; deploy: { numReplicas: number } };

const environments: Record<string, Record<string, string>> = {
  Kubernetes: Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
  Fly: fly.env,
  Render: Object.fromEntries(render.envVars.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value]]))),
};

describe.each(Object.entries(environments))("%s", (_, environment) => {
  test("has an environment that the image accepts, with a trusted network", () => {
    const service = readService({ HOST: "0.0.0.0", TIDINGS_SERVICE: "1", ...environment });
    expect(service).toMatchObject({ publicUrl: "https://tidings.example", frontDoor: readFrontDoor(environment.TIDINGS_FRONT_DOOR!) });
    expect(service!.frontDoor!.every((entry) => entry.includes("/"))).toBe(true);
    expect(service!.trustedProxies).toBe(Number(environment.TIDINGS_TRUSTED_PROXIES));
  });

  test("uses only known variables", () => {
    const known = new Set([...`${read(".env.example")}\n${read("compose.yml")}`.matchAll(/^[# ]*([A-Z_]+)[=:]/gm)].map(([, name]) => name));
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
  });
});

test("each mounts the image's volume and forwards to its port", () => {
  expect([container.volumeMounts[0]!.mountPath, fly.mounts[0]!.destination, render.disk.mountPath]).toEqual([volume, volume, volume]);
  expect([container.ports[0]!.containerPort, fly.http_service.internal_port, Number(environments.Render!.PORT)]).toEqual([
    port,
    port,
    port,
  ]);
  const service = ofKind<{ ports: { port: number }[] }>("Service");
  expect(service.ports.map((each) => each.port)).toEqual([port]);
});

test("each runs once, since the data has one owner", () => {
  expect([set.replicas, render.numInstances, railway.deploy.numReplicas]).toEqual([1, 1, 1]);
});

test("platforms whose volumes belong to root build the image that starts as root, from this version", () => {
  expect([`deploy/${fly.build.dockerfile}`, path.normalize(render.dockerfilePath), railway.build.dockerfilePath]).toEqual(
    Array.from({ length: 3 }, () => "deploy/root.Dockerfile"),
  );
  expect(read("deploy/root.Dockerfile")).toContain(`tidings:${version}\n`);
});

test("the chart runs the image of this version as its user, behind an ingress for the domain and every workspace", () => {
  expect(container.image).toMatch(new RegExp(`:${version}$`));
  expect(set.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, runAsGroup: 0 });
  const ingress = ofKind<{ rules: { host: string }[]; tls: { hosts: string[] }[] }>("Ingress");
  const hosts = ["tidings.example", "*.tidings.example"];
  expect([ingress.rules.map(({ host }) => host), ingress.tls[0]!.hosts]).toEqual([hosts, hosts]);
});
