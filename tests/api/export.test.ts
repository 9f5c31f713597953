import { beforeAll, describe, expect, test, vi } from "vitest";
import { workspaceExport } from "#contract/workspace-export.ts";
import { Database } from "../../edge-functions/_shared/clients.ts";
import type { Env } from "../../edge-functions/_shared/env.ts";
import { exportWorkspace } from "../../edge-functions/api/workspaces/export.ts";
import { newInvite, newPost, newTeam, signedInBrowser, type Team } from "./support/people.ts";

let team: Team;
let path: string;
beforeAll(async () => {
  team = await newTeam();
  path = `/api/workspaces/${team.workspaceId}/export`;
  await newPost(team.editor, team.workspaceId, { title: "Öffentlich", status: "published" });
});

test("the owner exports the workspace as a file, by token and by cookie", async () => {
  const { token } = await newInvite(team.owner, team.workspaceId);
  for (const owner of [team.owner.api, await signedInBrowser(team.owner)]) {
    const answer = await owner.get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    const today = new Date().toISOString().slice(0, 10);
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="tidings-${team.subdomain}-${today}.json"`);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const data = workspaceExport.parse(answer.body);
    expect(data.workspace).toMatchObject({ id: team.workspaceId, subdomain: team.subdomain });
    expect(data.posts.map(({ title }) => title)).toEqual(["Öffentlich"]);
    expect(data.members).toHaveLength(4);
    expect(JSON.stringify(data)).not.toMatch(new RegExp(`token|hash|${token}`));
  }
});

describe("an export in pages", () => {
  const env = { supabaseUrl: "https://database.example", publishableKey: "key" } as Env;
  const page = (rows: unknown[], next?: string) => new Response(JSON.stringify(rows), { headers: next ? { "x-next-rows": next } : {} });

  async function exported(read: (part: string, after: string | null) => Response | undefined) {
    vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => {
      const { part, after } = JSON.parse(body) as { part: string; after: string | null };
      return Promise.resolve(read(part, after) ?? page([]));
    });
    return await new Response(await exportWorkspace(env, new Database(env, "token"), team.workspaceId))
      .text()
      .finally(() => vi.unstubAllGlobals());
  }

  test("is one list, also when the last page is empty", async () => {
    const pages: Record<string, Response> = { null: page([{ n: 1 }, { n: "][" }], "a"), a: page([{ n: [3] }], "b"), b: page([]) };
    const document = JSON.parse(await exported((part, after) => (part === "posts" ? pages[String(after)] : undefined)));
    expect(document).toMatchObject({ workspace: {}, posts: [{ n: 1 }, { n: "][" }, { n: [3] }], members: [] });
  });

  test("is aborted when the last pages fail, so that it can't be taken for complete", async () => {
    const broken = exported((part) =>
      part === "files" ? Response.json({ code: "57014", message: "canceled" }, { status: 500 }) : undefined,
    );
    await expect(broken).rejects.toThrow();
  });
});
