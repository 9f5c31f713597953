-- Resumes emails of a workspace paused for bounces, and of its owner's other workspaces. Earlier bounces no longer count; queued emails are sent.
-- The name must match, to catch wrong ids. Paused ones: select * from public.mail_settings where held_at is not null
--   psql "$SUPABASE_DB_URL" -v workspace=<id> -v name='<its name>' -f supabase/sql/release-mails.sql
with released as (
  update public.mail_settings m set held_at = null, held_reason = null, released_at = clock_timestamp()
  from public.workspaces w join public.members here on here.workspace_id = w.id and here.role = 'owner'
  join public.members theirs on theirs.user_id = here.user_id and theirs.role = 'owner'
  where w.id = :'workspace' and w.name = :'name' and m.workspace_id = theirs.workspace_id and m.held_at is not null
  returning m.workspace_id
), resumed as (
  update private.jobs j set run_at = now() from released r
  where j.workspace_id = r.workspace_id and j.task = 'send_emails' and j.locked_by is null
)
select r.workspace_id from released r;
