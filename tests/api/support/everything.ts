import { sql } from "./people.ts";

export async function everythingOf(workspaceId: string): Promise<string> {
  const [row] = await sql<{ everything: string }[]>`
    select json_build_array(
      (select json_agg(t) from (select * from public.workspaces where id = ${workspaceId}) t),
      (select json_agg(t) from (select * from public.members where workspace_id = ${workspaceId} order by user_id) t),
      (select json_agg(t) from (select * from public.posts where workspace_id = ${workspaceId} order by id) t),
      (select json_agg(t) from (select id, name, scopes, hash, former_hash, expires_at, revoked_at, refresh_hash from public.api_keys where workspace_id = ${workspaceId} order by id) t),
      (select json_agg(t) from (select * from private.assistant_codes where workspace_id = ${workspaceId} order by hash) t),
      (select json_agg(t) from (select * from public.invites where workspace_id = ${workspaceId} order by id) t),
      (select json_agg(t) from (select * from public.tags where workspace_id = ${workspaceId} order by key) t),
      (select json_agg(t) from (select * from public.subscribers where workspace_id = ${workspaceId} order by id) t),
      (select json_agg(t) from (select * from private.reader_access where workspace_id = ${workspaceId}) t),
      (select json_agg(t) from (select * from public.mail_settings where workspace_id = ${workspaceId}) t),
      (select json_agg(t) from (select * from public.widget_settings where workspace_id = ${workspaceId}) t),
      (select json_agg(t) from (select * from public.house_styles where workspace_id = ${workspaceId}) t),
      (select json_agg(t) from (select * from public.appearances where workspace_id = ${workspaceId}) t),
      (select json_agg(t) from (select * from public.workspace_add_ons where workspace_id = ${workspaceId} order by add_on) t),
      (select json_agg(t) from (select * from public.upgrade_requests where workspace_id = ${workspaceId} order by id) t),
      (select json_agg(t) from (select * from private.report_recipients where workspace_id = ${workspaceId} order by id) t),
      (select json_agg(t) from (select * from private.webhooks where workspace_id = ${workspaceId} order by id) t),
      (select json_agg(t) from (select * from private.webhook_deliveries where workspace_id = ${workspaceId} order by id) t),
      (select json_agg(t) from (select * from private.audit_log where workspace_id = ${workspaceId} and kind not in ('signed_in', 'key_used') order by id) t),
      (select json_agg(t) from (select * from public.imports where workspace_id = ${workspaceId} order by id) t),
      (select json_agg(t) from (select * from private.import_entries where workspace_id = ${workspaceId} order by import_id, external_id) t),
      (select json_agg(t) from (select * from public.post_redirects where workspace_id = ${workspaceId} order by host, path) t),
      (select json_agg(t) from (select * from private.review_rules where workspace_id = ${workspaceId}) t),
      (select json_agg(t) from (select * from private.reviews where workspace_id = ${workspaceId} order by id) t),
      (select json_agg(t) from (select * from private.proposals where workspace_id = ${workspaceId} order by id) t),
      (select json_agg(t) from (select * from private.comment_threads where workspace_id = ${workspaceId} order by id) t),
      (select json_agg(t) from (select * from private.comments where workspace_id = ${workspaceId} order by id) t),
      (select json_agg(t) from (select name from storage.objects where name like ${`${workspaceId}/%`} and bucket_id <> 'link-pictures' order by name) t) -- drawn when there is time
    )::text as everything`;
  return row!.everything;
}
