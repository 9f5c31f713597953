import type { z } from "zod";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import type { RowOf } from "#contract/database.ts";
import { templateEndpoints, type Template, type TemplateSummary } from "#contract/templates.ts";
import type { Database } from "../_shared/clients.ts";
import type { Binder } from "../_shared/handle.ts";
import { requireContentText } from "./posts/content.ts";
import { presentPost } from "./posts/presenter.ts";
import type { PostRow } from "./posts/queries.ts";
import { rows } from "./result.ts";
import { requireRole } from "./workspaces/queries.ts";

interface Params {
  workspaceId: string;
  templateId: string;
}
const targetOf = ({ workspaceId, templateId }: Params) => ({ workspace_id: workspaceId, template_id: templateId });
type TemplateInput = z.output<NonNullable<typeof templateEndpoints.create.body>>;

export function bindTemplates({ signedIn }: Binder): void {
  signedIn(templateEndpoints.list, async ({ db, params }) => ({ templates: await listTemplates(db, params.workspaceId) }));

  signedIn(templateEndpoints.read, async ({ db, params }) => {
    return { template: await presentTemplate(await rows(db.rpc("read_template", targetOf(params)))) };
  });

  signedIn(templateEndpoints.create, async ({ db, params, body }) => {
    const { content, values } = await valuesOf(body);
    const createdRow = await rows(db.rpc("save_template", { workspace_id: params.workspaceId, ...values }));
    return { template: await presentTemplate(createdRow, content) };
  });

  signedIn(templateEndpoints.update, async ({ db, params, body }) => {
    const { content, values } = await valuesOf(body);
    const saved = await rows(db.rpc("save_template", { ...targetOf(params), ...values }));
    return { template: await presentTemplate(saved, content) };
  });

  signedIn(templateEndpoints.remove, async ({ db, params }) => {
    await rows(db.rpc("delete_template", targetOf(params)));
    return { success: true as const };
  });

  signedIn(templateEndpoints.duplicate, async ({ db, params, idempotencyKey }) => {
    const copy: PostRow = await rows(db.rpc("duplicate_post", { post_id: params.id, idempotency_key: idempotencyKey }));
    return { post: await presentPost(copy) };
  });
}

async function listTemplates(db: Database, workspaceId: string): Promise<TemplateSummary[]> {
  const [templates] = await Promise.all([
    rows(db.from("templates").select("id, name, updated_at, updated_by_name").eq("workspace_id", workspaceId)),
    requireRole(db, workspaceId),
  ]);
  return templates.toSorted((a, b) => a.name.localeCompare(b.name));
}

async function valuesOf({ content_raw, summary, ...texts }: TemplateInput) {
  const content = await requireContentText(content_raw, true);
  return { content, values: { ...texts, summary: summary ?? null, content_raw: content } };
}

async function presentTemplate(row: RowOf<"templates">, content?: CleanedContent): Promise<Template> {
  return { ...row, content_raw: JSON.stringify(content ?? cleanBlocks(row.content_raw)) };
}
