import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";

/**
 * A client that was written only from section 7 of the specification, with nothing but fetch and WebSocket: no contract, no helpers.
 * It plays a team's day. What happens outside of section 7 is the mail that a person reads and the button of the page it leads to.
 */
const { publicUrl } = inject("stack");
const run = randomUUID().slice(0, 8);

class Browser {
  cookies = new Map<string, string>();

  async call(method: string, path: string, body?: object): Promise<any> {
    const { status, json } = await this.ask(method, path, body);
    if (status !== 200 && status !== 201) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  }

  async ask(method: string, path: string, body?: object): Promise<{ status: number; json: any }> {
    const form = body instanceof FormData;
    const answer = await fetch(publicUrl + path, {
      method,
      headers: { ...(form ? {} : { "content-type": "application/json" }), cookie: this.cookie, origin: publicUrl },
      body: form ? body : body && JSON.stringify(body),
      redirect: "manual",
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      this.cookies.set(name!, value!);
    }
    return { status: answer.status, json: await answer.json().catch(() => null) };
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** The presence socket of a post; `heard` is what came last. */
  async present(workspaceId: string, postId: string, who: { id: string; full_name: string }) {
    const address = `${publicUrl.replace("http", "ws")}/ws/presence/${workspaceId}/${postId}`;
    const socket = new WebSocket(address, { headers: { cookie: this.cookie, origin: publicUrl } } as never);
    const state = { socket, participants: null as any, pong: false };
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "presence-update") state.participants = message.participants;
      if (message.type === "pong") state.pong = true;
    });
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    socket.send(JSON.stringify({ type: "join", userId: who.id, fullName: who.full_name, avatarUrl: null }));
    return state;
  }
}

/** Signs up, reads the mail, presses the button of the page it leads to, signs in. */
async function newPerson(fullName: string, more: object = {}) {
  const email = `${fullName.split(" ")[0]!.toLowerCase()}-${run}@example.com`;
  const password = "a good long password";
  const browser = new Browser();
  await browser.call("POST", "/api/auth/signup", { email, password, fullName, captchaToken: "", ...more });
  const mails = await (await fetch(`${publicUrl}/dev/mail.json`)).json();
  const link = new URL(mails.find((mail: any) => mail.to === email).links[0]);
  await browser.call("POST", "/api/auth/verify", Object.fromEntries(link.searchParams));
  const { user, workspaceId } = await browser.call("POST", "/api/auth/login", { email, password, captchaToken: "" });
  return { browser, user, workspaceId, email };
}

const until = async (check: () => boolean) => {
  for (let round = 0; round < 400 && !check(); round++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(check()).toBe(true);
};
const blocks = (words: string) => ({ time: 1, blocks: [{ type: "paragraph", data: { text: words } }], version: "2.28.2" });

test("a day of a team", async () => {
  // Morning: Olive founds the workspace.
  const olive = await newPerson("Olive Owner", { companyName: "Acme" });
  expect(olive.workspaceId).toBe(null);
  const { success, profile } = await olive.browser.call("GET", "/api/profiles/me");
  expect([success, profile.full_name, profile.user_id]).toEqual([true, "Olive Owner", olive.user.id]);
  const founding = { name: "Acme", subdomain: `day-${run}`, origin: "https://acme.example", jobTitle: "Founder" };
  const { workspace } = await olive.browser.call("POST", "/api/workspaces/create", founding);
  const { workspaces } = await olive.browser.call("GET", "/api/workspaces");
  expect(workspaces).toMatchObject([{ id: workspace.id, name: "Acme", subdomain: `day-${run}` }]);

  // She invites Edda by a link and Vera by mail.
  const { accountId } = await olive.browser.call("GET", `/api/team/workspace/${workspace.id}/account`);
  const { invite } = await olive.browser.call("POST", `/api/team/${accountId}/invite`, { role: "editor", workspaceId: workspace.id });
  const token = new URL(invite.url).searchParams.get("token")!;
  const stranger = new Browser();
  expect(await stranger.call("GET", `/api/team/invites/${token}`)).toMatchObject({ workspace_name: "Acme", invited_role: "editor" });
  await stranger.call("GET", `/api/team/invite/validate/${token}`);
  const edda = await newPerson("Edda Editor", { token });
  expect(await edda.browser.call("POST", "/api/team/join/session")).toMatchObject({ success: true, workspaceId: workspace.id });
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const vera = await newPerson("Vera Viewer");
  await olive.browser.call("POST", `/api/team/${accountId}/invites`, { role: "viewer", email: vera.email, expires_at });
  const mails = await (await fetch(`${publicUrl}/dev/mail.json`)).json();
  const mailed = new URL(mails.find((mail: any) => mail.to === vera.email).links[0]).searchParams.get("token")!;
  expect((await vera.browser.call("POST", `/api/team/invites/${mailed}/accept`)).workspace_id).toBe(workspace.id);
  expect((await vera.browser.ask("POST", "/api/team/join", { token: mailed })).json.success).toBe(true);
  const { members } = await olive.browser.call("GET", `/api/team/${accountId}/team`);
  expect(members.map((member: any) => [member.full_name, member.role])).toEqual([
    ["Olive Owner", "owner"],
    ["Edda Editor", "editor"],
    ["Vera Viewer", "viewer"],
  ]);
  for (const path of [`/api/team/role/${workspace.id}`, `/api/team/${accountId}/role`])
    expect((await vera.browser.call("GET", path)).role).toBe("viewer");

  // Edda writes; Vera may only read.
  const picture = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
  const form = new FormData();
  form.set("image", new File([picture], "dot.gif", { type: "image/gif" }));
  const upload = await edda.browser.call("POST", `/api/workspaces/${workspace.id}/editor/image-upload`, form);
  expect(upload.success).toBe(1);
  expect((await fetch(new URL(upload.file.url, publicUrl))).status).toBe(200);
  const writing = {
    title: "Dark mode",
    blocks: blocks("It is dark."),
    html: "<p>It is dark.</p>",
    publish_at: null,
    workspace_id: workspace.id,
    status: "draft",
  };
  const { post } = await edda.browser.call("POST", "/api/posts", writing);
  expect([post.status, post.title]).toEqual(["draft", "Dark mode"]);
  expect((await vera.browser.ask("POST", "/api/posts", writing)).status).toBe(403);
  const content_raw = JSON.stringify(blocks("It is dark, at last."));
  const saving = { title: "Dark mode", content_raw, content_md: "<p>It is dark, at last.</p>", publish_at: null, status: "draft" };
  const saved = (await edda.browser.call("PUT", `/api/posts/${post.id}`, saving)).post;
  expect(saved.content_md).toContain("at last");

  // Olive opens it too: they see each other, and she saves first.
  const [atOlive, atEdda] = [
    await olive.browser.present(workspace.id, post.id, olive.user),
    await edda.browser.present(workspace.id, post.id, edda.user),
  ];
  atEdda.socket.send(JSON.stringify({ type: "editing-state", isEditing: true }));
  await until(() => atOlive.participants?.[0]?.isEditing === true && atOlive.participants[0].userId === edda.user.id);
  await until(() => atEdda.participants?.length === 1); // each hears of the other by itself
  expect(atEdda.participants).toMatchObject([{ userId: olive.user.id, fullName: "Olive Owner", isEditing: false }]);
  atEdda.socket.send(JSON.stringify({ type: "ping" }));
  await until(() => atEdda.pong);
  await olive.browser.call("PUT", `/api/posts/${post.id}`, { ...saving, title: "Dark mode is here" });
  const stale = await edda.browser.call("GET", `/api/posts/${post.id}/version?version=${saved.version}`);
  expect(stale).toEqual({ isCurrent: false });
  const current = (await edda.browser.call("GET", `/api/posts/${post.id}`)).post;
  expect(current.title).toBe("Dark mode is here");
  expect((await edda.browser.call("GET", `/api/posts/${post.id}/version?version=${current.version}`)).isCurrent).toBe(true);
  for (const { socket } of [atOlive, atEdda]) socket.close();

  // Noon: scheduled, unscheduled, published.
  const publish_at = new Date(Date.now() + 86_400_000).toISOString();
  await edda.browser.call("PUT", `/api/posts/${post.id}`, { ...saving, status: "scheduled", publish_at });
  const upcoming = (await vera.browser.call("GET", "/api/posts/upcoming")).posts;
  expect(upcoming).toMatchObject([{ id: post.id, status: "scheduled", publish_at }]);
  expect((await edda.browser.call("PUT", `/api/posts/${post.id}`, { ...saving, status: "draft" })).post.publish_at).toBe(null);
  const live = (await edda.browser.call("PUT", `/api/posts/${post.id}`, { ...saving, status: "published" })).post;
  expect(live.status).toBe("published");
  expect((await edda.browser.ask("PUT", `/api/posts/${post.id}`, { ...saving, status: "draft" })).status).toBe(409);
  expect((await edda.browser.ask("POST", "/api/public/changelog/toggle", { isPublic: true, workspaceId: workspace.id })).status).toBe(403);
  const opened = await olive.browser.call("POST", "/api/public/changelog/toggle", { isPublic: true, workspaceId: workspace.id });
  expect(opened.enabled).toBe(true);

  // The lists agree.
  const second = { ...writing, title: "Light mode", blocks: blocks("It is bright.").blocks };
  const { post: other } = await edda.browser.call("POST", "/api/posts", second);
  const list = await vera.browser.call("GET", `/api/workspaces/${workspace.id}/posts?page=1&limit=1&status=all`);
  expect([list.posts.length, list.pagination.page, list.pagination.pages]).toEqual([1, 1, 2]);
  const drafts = await vera.browser.call("GET", `/api/workspaces/${workspace.id}/posts?page=1&limit=10&status=draft`);
  expect(drafts.posts.map((item: any) => item.id)).toEqual([other.id]);
  const found = await vera.browser.call("GET", `/api/workspaces/${workspace.id}/posts/search?q=bright&limit=8`);
  expect(found.posts.map((item: any) => item.id)).toEqual([other.id]);
  const dashboard = await vera.browser.call("GET", `/api/dashboard/${workspace.id}/all`);
  expect([dashboard.count, dashboard.memberCount, dashboard.public_changelog_enabled]).toEqual([2, 3, true]);
  expect(dashboard.recentPosts).toHaveLength(2);

  // Afternoon: the widget.
  const widget = `/api/widget-settings/${workspace.id}`;
  expect((await olive.browser.call("GET", widget)).settings).toEqual({});
  const settings = { appearance: { theme: "dark" }, contentSettings: { maxPosts: 3 } };
  await olive.browser.call("POST", widget, { settings });
  expect((await olive.browser.call("GET", widget)).settings).toMatchObject(settings);

  // Evening: tidying up, changing roles, saying goodbye.
  await edda.browser.call("DELETE", `/api/posts/${other.id}`);
  expect((await vera.browser.call("GET", `/api/workspaces/${workspace.id}/posts?page=1&limit=10&status=all`)).posts).toHaveLength(1);
  await edda.browser.call("DELETE", `/api/posts/${other.id}`, { purge: true });
  expect((await edda.browser.ask("GET", `/api/posts/${other.id}`)).status).toBe(404);
  await olive.browser.call("PATCH", `/api/team/${accountId}/members/${vera.user.id}/role`, { role: "editor" });
  expect((await vera.browser.call("GET", `/api/team/role/${workspace.id}`)).role).toBe("editor");
  await olive.browser.call("DELETE", `/api/team/${accountId}/members/${edda.user.id}`);
  expect((await edda.browser.ask("GET", `/api/posts/${post.id}`)).status).toBe(404);
  await olive.browser.call("POST", "/api/auth/logout");
  expect((await olive.browser.ask("GET", "/api/profiles/me")).status).toBe(401);
});
