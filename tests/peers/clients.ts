import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { StackFile } from "../support/stack.ts";
import { newSession } from "./session.ts";
import { stepsIn } from "./steps.ts";

/**
 * Lints the public API's OpenAPI document, generates clients from it with three generators, compiles them, and publishes a post with each. A string: skipped, and why.
 */
export async function generateClients(cache: string, stack: StackFile): Promise<boolean | string> {
  if (spawnSync("python3", ["-m", "venv", "--help"]).status !== 0) return "Python with venv is missing.";
  const folder = path.join(cache, "clients");
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  const step = stepsIn(folder, { TIDINGS_URL: stack.url, TIDINGS_KEY: (await newSession(stack)).key });
  const npx = (...args: string[]) => ["npx", "--no-install", ...args] as const;

  if (!fs.existsSync(path.join(folder, "python/bin/openapi-python-client"))) {
    const installed =
      step("npm packages", "npm", "install", "--no-audit", "--no-fund", "--silent") &&
      step("Python", "python3", "-m", "venv", "python") &&
      step("Python packages", "python/bin/pip", "install", "--quiet", "openapi-python-client==0.29.1");
    if (!installed) return "Couldn't install the generators.";
  }
  const document = await fetch(`${stack.url}/api/v1/openapi.json`);
  fs.writeFileSync(path.join(folder, "openapi.json"), await document.text());

  const steps: (() => boolean)[] = [
    () => step("redocly lint", ...npx("redocly", "lint", "openapi.json", "--max-problems", "20")),
    () => step("spectral lint", ...npx("spectral", "lint", "openapi.json", "--fail-severity", "warn")),
    () => step("openapi-typescript generates", ...npx("openapi-typescript", "openapi.json", "-o", "schema.d.ts")),
    () => step("@hey-api/openapi-ts generates", ...npx("openapi-ts", "-i", "openapi.json", "-o", "sdk")),
    () => step("TypeScript compiles both", ...npx("tsc")),
    () => step("openapi-fetch publishes a post", process.execPath, "out/with-fetch.js"),
    () => step("the generated SDK publishes a post", process.execPath, "out/with-sdk.js"),
    () =>
      step(
        "openapi-python-client generates",
        "python/bin/openapi-python-client",
        ...["generate", "--path", "openapi.json", "--output-path", "tidings", "--meta", "none", "--overwrite"],
      ),
    () => step("the Python client publishes a post", "python/bin/python", "publish.py"),
  ];
  return steps.map((one) => one()).every(Boolean);
}

const files = {
  "package.json": JSON.stringify({
    private: true,
    type: "module",
    dependencies: {
      "@hey-api/openapi-ts": "0.99.0",
      "@redocly/cli": "2.77.0",
      "@stoplight/spectral-cli": "6.16.3",
      "openapi-fetch": "0.17.0",
      "openapi-typescript": "7.13.0",
      typescript: "5.9.3",
    },
  }),
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      ...{ strict: true, target: "es2023", module: "nodenext", lib: ["es2023", "dom", "dom.iterable"] },
      ...{ outDir: "out", rootDir: ".", skipLibCheck: true, types: [] },
    },
    include: ["with-fetch.ts", "with-sdk.ts"],
  }),
  "redocly.yaml": `extends: [recommended-strict]
rules:
  no-server-example.com: off # a test installation
  no-ambiguous-paths: off # by-external-id isn't an id
`,
  ".spectral.yaml": "extends: ['spectral:oas']\n",
  "with-fetch.ts": `import createClient from "openapi-fetch";
import type { paths } from "./schema.d.ts";

declare const process: { env: Record<string, string> };
const { TIDINGS_URL, TIDINGS_KEY } = process.env;
const client = createClient<paths>({ baseUrl: TIDINGS_URL, headers: { authorization: \`Bearer \${TIDINGS_KEY}\` } });
const { data, error } = await client.POST("/api/v1/posts", { body: { title: "From openapi-fetch", markdown: "Hello" } });
if (error) throw new Error(error.error);
const published = await client.POST("/api/v1/posts/{id}/publish", { params: { path: { id: data.post.id } } });
if (published.data?.post.status !== "published") throw new Error("not published");
`,
  "with-sdk.ts": `import { client } from "./sdk/client.gen.js";
import { v1PostsCreate, v1PostsPublish } from "./sdk/index.js";

declare const process: { env: Record<string, string> };
const { TIDINGS_URL, TIDINGS_KEY } = process.env;
client.setConfig({ baseUrl: TIDINGS_URL as never, auth: () => TIDINGS_KEY, throwOnError: true });
const { data } = await v1PostsCreate({ body: { title: "From the SDK", markdown: "Hello" }, throwOnError: true });
const published = await v1PostsPublish({ path: { id: data.post.id }, throwOnError: true });
if (published.data.post.status !== "published") throw new Error("not published");
`,
  "publish.py": `import os
from tidings import AuthenticatedClient
from tidings.api.posts import v_1_posts_create, v_1_posts_publish
from tidings.models import NewPost

client = AuthenticatedClient(base_url=os.environ["TIDINGS_URL"], token=os.environ["TIDINGS_KEY"])
created = v_1_posts_create.sync(client=client, body=NewPost(title="From Python", markdown="Hello"))
published = v_1_posts_publish.sync(id=created.post.id, client=client)
assert published.post.status == "published", published
`,
};
