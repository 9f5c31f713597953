import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ManagementApi {
  url: string;
  requests: string[];
  functions: Map<string, Upload>;
  secrets: Map<string, string>;
  stop(): void;
}

export interface Upload {
  metadata: { entrypoint_path: string; import_map_path: string; verify_jwt: boolean };
  files: Map<string, string>;
}

export async function startManagementApi(): Promise<ManagementApi> {
  const requests: string[] = [];
  const functions = new Map<string, Upload>();
  const secrets = new Map<string, string>();

  async function takeUpload(slug: string, request: Request): Promise<unknown> {
    const form = await request.formData();
    const files = new Map<string, string>();
    for (const file of form.getAll("file")) if (file instanceof File) files.set(file.name, await file.text());
    functions.set(slug, { metadata: JSON.parse(String(form.get("metadata"))) as Upload["metadata"], files });
    return { id: slug, slug, name: slug, status: "ACTIVE", version: 1, created_at: 1, updated_at: 1, verify_jwt: false };
  }

  async function answer(path: string, request: Request): Promise<{ status?: number; body?: unknown }> {
    const { pathname, searchParams } = new URL(path, "http://x");
    switch (`${request.method} ${pathname.replace(/^\/v1\/projects\/[a-z]{20}\/?/, "")}`) {
      case "POST functions/deploy":
        return { status: 201, body: await takeUpload(searchParams.get("slug") ?? "", request) };
      case "PUT functions":
        return { body: { functions: await request.json() } };
      case "GET functions":
        return { body: [] };
      case "POST secrets":
        for (const { name, value } of (await request.json()) as { name: string; value: string }[]) secrets.set(name, value);
        return { status: 201 };
      case "GET secrets":
        return { body: [...secrets].map(([name, value]) => ({ name, value })) };
      case "DELETE secrets":
        for (const name of (await request.json()) as string[]) secrets.delete(name);
        return {};
      default:
        return { body: {} };
    }
  }

  const server = createServer(async (incoming, response) => {
    const path = incoming.url ?? "/";
    const method = incoming.method ?? "GET";
    requests.push(`${method} ${path.split("?")[0]}`);
    const content = Buffer.concat((await incoming.toArray()) as Buffer[]);
    const headers = { "content-type": incoming.headers["content-type"] ?? "application/json" };
    const request = new Request("http://x", { method, headers, body: content.length > 0 ? content : undefined });
    const { status = 200, body } = await answer(path, request);
    response.writeHead(status, { "content-type": "application/json" }).end(body === undefined ? "" : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    functions,
    secrets,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
