-- The dashboard's activity feed, written by triggers. One person's plain edits of a post within an hour are one line.
create table public.activities (
  id bigint generated always as identity constraint activities_pkey primary key,
  workspace_id uuid not null constraint activities_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid, -- no foreign key: the line outlives the post
  kind text not null constraint activities_kind_known check (kind in (
    'post_created', 'post_updated', 'post_scheduled', 'post_unscheduled', 'post_published', 'post_archived', 'post_restored', 'post_purged',
    'post_date_changed', 'post_author_changed', 'posts_imported', 'import_undone',
    'post_unapproved', 'review_asked', 'review_refused', 'proposal_made', 'proposal_accepted', 'proposal_refused',
    'member_joined', 'member_left', 'member_removed', 'role_changed', 'ownership_handed_over', 'changelog_opened', 'changelog_closed'
  )),
  actor_id uuid,
  actor_name text,
  title text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index activities_recent on public.activities (workspace_id, created_at desc, id desc);
create index activities_edits on public.activities (post_id, actor_id, created_at desc) where kind = 'post_updated';

create policy "members read their workspace's activities" on public.activities for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
grant select on public.activities to authenticated;

create function private.record_activity(workspace uuid, kind text, title text, post uuid default null) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  if not exists (select from public.workspaces w where w.id = workspace) then return; end if; -- the workspace is being deleted
  insert into public.activities (workspace_id, post_id, kind, actor_id, actor_name, title)
  values (workspace, post, kind, auth.uid(), private.actor_name(), title);
end $$;

-- Writes the activity feed and the audit log, and broadcasts post-upserted { post_id, version, autosaved } or post-removed { post_id }: clients then
-- read the post with their present rights, and lists can ignore `autosaved` ones. An import is one line and one event (84-imports).
create function private.record_post_activity() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  what text;
begin
  if private.has_option('importing') then return null; end if;
  if tg_op = 'DELETE' then
    if not exists (select from public.workspaces w where w.id = old.workspace_id) then return null; end if;
    perform private.announce(old.workspace_id, 'post-removed', jsonb_build_object('post_id', old.id));
    perform private.record_activity(old.workspace_id, 'post_purged', old.title, old.id);
    perform private.audit(old.workspace_id, 'post_purged', old.id, old.title, jsonb_build_object('status', old.status));
    return null;
  elsif tg_op = 'UPDATE' and old.version = new.version then
    return null;
  end if;
  perform private.announce(new.workspace_id, 'post-upserted',
    jsonb_build_object('post_id', new.id, 'version', new.version, 'autosaved', private.has_option('autosave')));
  if tg_op = 'INSERT' then
    what := case new.status when 'published' then 'post_published' when 'scheduled' then 'post_scheduled' else 'post_created' end;
  else
    what := case
      when new.status = old.status and new.status = 'scheduled' and new.publish_at <> old.publish_at then 'post_scheduled'
      when new.status = old.status and new.published_at <> old.published_at then 'post_date_changed'
      when new.status = old.status and new.author_id is distinct from old.author_id then 'post_author_changed'
      when new.status = old.status then 'post_updated'
      when new.status = 'published' then 'post_published'
      when new.status = 'scheduled' then 'post_scheduled'
      when new.status = 'archived' then 'post_archived'
      when old.status = 'archived' then 'post_restored'
      when current_setting('tidings.unapproved', true) = new.id::text then 'post_unapproved'
      else 'post_unscheduled'
    end;
    if what = 'post_unapproved' then perform set_config('tidings.unapproved', '', true); end if;
  end if;
  -- The audit log has what readers see or will see; saves are in the post's history.
  if what in ('post_published', 'post_archived', 'post_restored') or new.status = 'scheduled' and (tg_op = 'INSERT' or old.status <> 'scheduled') then
    perform private.audit(new.workspace_id, what, new.id, new.title,
      case when new.status = 'scheduled' then jsonb_build_object('publish_at', new.publish_at) else '{}' end);
  end if;
  if what = 'post_updated' then
    update public.activities a set created_at = clock_timestamp(), title = new.title
    where a.id = (
      select e.id from public.activities e
      where e.kind = 'post_updated' and e.post_id = new.id and e.actor_id = auth.uid() and e.created_at > now() - interval '1 hour'
        and e.actor_name is not distinct from private.actor_name() -- a person and their assistant are two
      order by e.created_at desc limit 1
    );
    if found then return null; end if;
  end if;
  perform private.record_activity(new.workspace_id, what, new.title, new.id);
  if what = 'post_date_changed' and new.author_id is distinct from old.author_id then
    perform private.record_activity(new.workspace_id, 'post_author_changed', new.title, new.id);
  end if;
  return null;
end $$;
