import type { z } from "zod";
import { templateEndpoints, type Template, type TemplateSummary } from "#contract/templates.ts";
import type { Post } from "#contract/posts.ts";
import { type ApiError, call } from "../../../lib/api-client.ts";
import { useCall } from "../../../lib/use-call.ts";
import type { Writing } from "../../session/write.ts";

type TemplateInput = z.input<NonNullable<typeof templateEndpoints.create.body>>;

export async function readTemplate(workspaceId: string, templateId: string): Promise<Template> {
  return (await call(templateEndpoints.read, { params: { workspaceId, templateId } })).template;
}

export async function duplicatePost(id: string, key: string): Promise<Post> {
  return (await call(templateEndpoints.duplicate, { params: { id }, headers: { "idempotency-key": key } })).post;
}

export interface WorkspaceTemplates {
  templates: readonly TemplateSummary[] | undefined;
  error: ApiError | undefined;
  reload(): Promise<unknown>;
  create(input: TemplateInput): Promise<unknown>;
  replace(templateId: string, input: TemplateInput): Promise<unknown>;
  rename(templateId: string, name: string): Promise<unknown>;
  remove(templateId: string): Promise<unknown>;
}

export function useTemplates(workspaceId: string): WorkspaceTemplates {
  const { data, error, mutate } = useCall(templateEndpoints.list, { params: { workspaceId } });

  async function thenReload<Answer>(change: Promise<Answer>): Promise<Answer> {
    try {
      return await change;
    } finally {
      await mutate().catch(() => {}); // also after a failure: a colleague may have changed it
    }
  }
  const replace = (templateId: string, body: TemplateInput) =>
    thenReload(call(templateEndpoints.update, { params: { workspaceId, templateId }, body }));
  return {
    templates: data?.templates,
    error,
    reload: () => mutate(),
    create: (body) => thenReload(call(templateEndpoints.create, { params: { workspaceId }, body })),
    replace,
    rename: async (templateId, name) => {
      const { title, summary, tags, content_raw } = await readTemplate(workspaceId, templateId);
      return replace(templateId, { name, title, summary, tags, content_raw });
    },
    remove: (templateId) => thenReload(call(templateEndpoints.remove, { params: { workspaceId, templateId } })),
  };
}

export const templateOf = ({ title, summary, tags, content }: Writing): Omit<TemplateInput, "name"> => ({
  title,
  summary,
  tags: [...tags],
  content_raw: JSON.stringify(content),
});
