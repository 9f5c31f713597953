import { readFileSync } from "node:fs";
import path from "node:path";
import { type AuthSettings, authSettings } from "./auth-settings.ts";
import { type Deployable, deployable, secretNames } from "./deploy-plan.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const where = "volumes/functions";
const templates = "mail-templates";

/** Files for Supabase's Docker setup, by path: functions, one that serves mail templates to the auth service, and settings. */
export function selfHostedFiles(root: string, env: Environment): Map<string, string> {
  const settings = authSettings(root, env);
  const functions = deployable(root);
  const sources = [...new Set(functions.flatMap(({ sources: files }) => files))];
  return new Map([
    ...sources.map((file): [string, string] => [`${where}/tidings/${file}`, readFileSync(path.join(root, file), "utf8")]),
    ...functions.flatMap((each) => folderOf(root, each)),
    [`${where}/${templates}/index.ts`, templateFunction(settings)],
    ["docker-compose.tidings.yml", `${JSON.stringify(override(settings, env), null, 2)}\n`], // JSON is YAML
  ]);
}

function folderOf(root: string, { name, entrypoint, importMap }: Deployable): [string, string][] {
  const map = JSON.parse(readFileSync(path.join(root, importMap), "utf8")) as { imports: Record<string, string> };
  const moved = (target: string) => (target.startsWith(".") ? `../tidings/${path.join(path.dirname(importMap), target)}` : target);
  const imports = Object.fromEntries(Object.entries(map.imports).map(([from, to]) => [from, moved(to)]));
  return [
    [`${where}/${name}/index.ts`, `import "../tidings/${entrypoint}";\n`],
    [`${where}/${name}/deno.json`, `${JSON.stringify({ ...map, imports }, null, 2)}\n`],
  ];
}

const templateSetting = /^mailer_templates_(\w+)_content$/;

function templateFunction(settings: AuthSettings): string {
  const pages = Object.entries(settings).flatMap(([name, text]) => {
    const kind = templateSetting.exec(name)?.[1];
    return kind ? [[kind, text]] : [];
  });
  return `const pages = new Map(Object.entries(${JSON.stringify(Object.fromEntries(pages))}));

Deno.serve((request) => {
  const page = pages.get(new URL(request.url).pathname.split("/").at(-1) ?? "");
  return new Response(page ?? null, { status: page === undefined ? 404 : 200, headers: { "content-type": "text/html; charset=utf-8" } });
});
`;
}

/** The auth service's names: GOTRUE_ and the Management API's in capitals; templates are URLs. */
function override(settings: AuthSettings, env: Environment) {
  const auth = Object.entries(settings).map(([name, value]): [string, string] => {
    const kind = templateSetting.exec(name)?.[1];
    if (kind) return [`GOTRUE_MAILER_TEMPLATES_${kind.toUpperCase()}`, `http://functions:9000/${templates}/${kind}`];
    return [`GOTRUE_${name.toUpperCase()}`, name === "smtp_max_frequency" ? `${value}s` : String(value)];
  });
  const back = (["google", "github"] as const)
    .filter((name) => settings[`external_${name}_enabled`] === true)
    .map((name): [string, string] => [`GOTRUE_EXTERNAL_${name.toUpperCase()}_REDIRECT_URI`, `${settings.site_url}/auth/v1/callback`]);
  const ours = secretNames.flatMap((name): [string, string][] => (env[name] && name !== "JWT_SECRET" ? [[name, env[name]]] : []));
  return {
    services: {
      auth: { environment: written([...auth, ...back]) },
      functions: { environment: written([["NODE_ENV", "production"], ...ours]) },
    },
  };
}

/** Compose reads $ as the beginning of a variable. */
const written = (values: [string, string][]) => Object.fromEntries(values.map(([name, value]) => [name, value.replaceAll("$", "$$$$")]));
