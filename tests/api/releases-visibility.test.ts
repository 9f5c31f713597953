import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostAnswer, hostQuestion } from "#contract/rules/host-question.ts";
import { newPerson, newWorkspace, type Person } from "./support/people.ts";
import {
  isVisible,
  newPost,
  ownName,
  postStates,
  type PostState,
  type Reply,
  setPublic,
  suspend,
  visit,
  visitHost,
} from "./support/public.ts";

interface Tenant {
  id: string;
  subdomain: string;
  owner: Person;
  slugs: Record<PostState, string>;
}

const states = Object.keys(postStates) as PostState[];
const titleOf = (tenant: string, state: PostState): string => `${tenant}'s ${state} post`;

async function newTenant(name: string): Promise<Tenant> {
  const owner = await newPerson(name);
  const workspace = await newWorkspace(owner);
  const posts = await Promise.all(
    states.map((state) => newPost(owner, workspace.id, { title: titleOf(name, state), tags: ["fix"], state })),
  );
  return { ...workspace, owner, slugs: Object.fromEntries(states.map((state, index) => [state, posts[index]!.slug])) as Tenant["slugs"] };
}

let acme: Tenant;
let globex: Tenant;
beforeAll(async () => {
  [acme, globex] = await Promise.all([newTenant("Acme"), newTenant("Globex")]);
  await setPublic(globex.id, true);
});

const collections = [
  "/releases",
  "/releases?tag=fix",
  "/releases?q=post",
  "/releases?month=2020-01",
  "/releases.json",
  "/releases.json?tag=fix",
  "/releases.json?q=post",
  "/releases.json?month=2020-01",
  "/releases.md",
  "/releases.md?tag=fix",
  "/releases.md?q=post",
  "/releases.md?month=2020-01",
  "/releases/llms.txt",
  "/llms.txt",
  "/releases/rss.xml?tag=fix",
  "/releases/rss.xml",
  "/releases/atom.xml",
  "/releases.feed.json",
  "/sitemap.xml",
  "/releases/widget.json",
];
const endings = ["", ".json", ".md", ".widget.json"];

const onBareHost = (path: string, subdomain: string): string => `${path}${path.includes("?") ? "&" : "?"}workspace=${subdomain}`;
const visits = (subdomain: string, path: string): Promise<Reply>[] =>
  path.startsWith("/releases") ? [visit(subdomain, path), visit(null, onBareHost(path, subdomain))] : [visit(subdomain, path)];

const mentions = (body: string, tenant: string, state: PostState, slug: string): boolean =>
  body.includes(titleOf(tenant, state)) ||
  body.includes(titleOf(tenant, state).replaceAll("'", "&#x27;")) ||
  body.includes(titleOf(tenant, state).replaceAll("'", "&#39;")) ||
  body.includes(`/releases/${slug}`);

describe("with the public changelog on", () => {
  beforeAll(() => setPublic(acme.id, true));

  test.each(collections)("%s shows exactly the published posts, and no other tenant's", async (path) => {
    for (const reply of await Promise.all(visits(acme.subdomain, path))) {
      expect(reply.status).toBe(200);
      for (const state of states) {
        expect([state, mentions(reply.body, "Acme", state, acme.slugs[state])]).toEqual([state, isVisible(state)]);
        expect([state, mentions(reply.body, "Globex", state, globex.slugs[state])]).toEqual([state, false]);
      }
    }
  });

  test.each(states.flatMap((state) => endings.map((ending) => [state, ending] as const)))(
    "a post that is %s is shown or hidden accordingly, read as '%s'",
    async (state, ending) => {
      for (const reply of await Promise.all(visits(acme.subdomain, `/releases/${acme.slugs[state]}${ending}`))) {
        expect(reply.status).toBe(isVisible(state) ? 200 : 404);
        expect(reply.body.includes(`All about Acme`)).toBe(isVisible(state));
      }
    },
  );

  test.each(endings)("another tenant's post is a 404, read as '%s'", async (ending) => {
    for (const reply of await Promise.all(visits(acme.subdomain, `/releases/${globex.slugs.published}${ending}`)))
      expect(reply.status).toBe(404);
  });

  test("a hidden post and an unknown one get identical responses", async () => {
    for (const ending of endings) {
      const never = await visit(acme.subdomain, `/releases/never-was${ending}`);
      for (const state of states.filter((one) => !isVisible(one))) {
        expect((await visit(acme.subdomain, `/releases/${acme.slugs[state]}${ending}`)).body).toBe(never.body);
      }
    }
  });
});

describe("with the public changelog off", () => {
  beforeAll(() => setPublic(acme.id, false));

  const everything = [...collections, "/robots.txt", "/favicon.ico", "/releases/icon.svg", "/releases/none", "/releases?page=2"];

  test.each(everything)("%s answers like an unknown workspace", async (path) => {
    const known = await Promise.all(visits(acme.subdomain, path));
    const unknown = await Promise.all(visits("nobody-has-this-name", path));
    for (const [index, reply] of known.entries()) {
      expect(reply.status).toBe(404);
      expect(reply.body).toBe(unknown[index]?.body);
      const without = ({ "x-request-id": _id, date: _date, ...rest }: Reply["headers"]) => rest;
      expect(without(reply.headers)).toEqual(without(unknown[index]!.headers));
    }
  });

  test.each(states.flatMap((state) => endings.map((ending) => [state, ending] as const)))(
    "a post that is %s is a 404, read as '%s'",
    async (state, ending) => {
      for (const reply of await Promise.all(visits(acme.subdomain, `/releases/${acme.slugs[state]}${ending}`)))
        expect(reply.status).toBe(404);
    },
  );

  test("other tenants aren't affected", async () => {
    expect((await visit(globex.subdomain, "/releases")).status).toBe(200);
  });

  test("turning it on restores it immediately", async () => {
    await setPublic(acme.id, true);
    expect((await visit(acme.subdomain, "/releases")).status).toBe(200);
    await setPublic(acme.id, false);
    expect((await visit(acme.subdomain, "/releases")).status).toBe(404);
  });
});

describe("while the operator has suspended the workspace", () => {
  let own: string;
  beforeAll(async () => {
    own = await ownName(acme.id, "live");
    await Promise.all([setPublic(acme.id, true), setPublic(globex.id, true)]);
    await suspend(acme.id, true);
  });
  afterAll(() => suspend(acme.id, false));

  const everything = [
    ...[...collections, "/robots.txt", "/favicon.ico", "/releases/icon.svg", "/releases/none", "/releases?page=2", "/releases.png"],
    ...["/an-old-address", "/releases/subscribe.html", `/releases/preview/${"p".repeat(43)}`],
  ];

  test.each(everything)("%s answers 410, at its own domain too, and reveals nothing of the workspace", async (path) => {
    const replies = await Promise.all([...visits(acme.subdomain, path), visitHost(own, path)]);
    for (const { status, body, headers } of replies) {
      expect([status, headers["cache-control"]]).toEqual([410, expect.stringMatching(/^no-store\b/)]);
      expect(body).toContain("changelog isn");
      for (const secret of ["Acme", acme.subdomain, own]) expect(body).not.toContain(secret);
    }
  });

  test.each(states.flatMap((state) => endings.map((ending) => [state, ending] as const)))(
    "a post that is %s answers 410, read as '%s'",
    async (state, ending) => {
      for (const reply of await Promise.all(visits(acme.subdomain, `/releases/${acme.slugs[state]}${ending}`)))
        expect(reply.status).toBe(410);
    },
  );

  test("a cached page is gone immediately, and back immediately", async () => {
    for (const suspended of [false, true, false, true]) {
      await suspend(acme.id, suspended);
      expect((await visit(acme.subdomain, "/releases")).status).toBe(suspended ? 410 : 301);
      expect((await visitHost(own, "/releases")).status).toBe(suspended ? 410 : 200);
    }
  });

  test("its domain keeps its certificate", async () => {
    expect((await visitHost(own, hostQuestion)).headers[hostAnswer.header]).toBe(hostAnswer.known);
  });

  test("other tenants aren't affected", async () => {
    expect((await visit(globex.subdomain, "/releases")).status).toBe(200);
  });
});
