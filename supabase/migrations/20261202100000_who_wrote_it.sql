-- What a key or an assistant wrote is told as such wherever it is told who wrote: in a post's history, in what is newer, and in the activity.
create or replace function private.raise_version() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- Nobody acts when the publisher turns a due post to published.
  on_schedule constant boolean := tg_op = 'UPDATE' and old.status = 'scheduled' and new.status = 'published' and new.publish_at is not null;
begin
  if tg_op = 'INSERT' then
    new.version := 1;
    new.created_at := coalesce(new.created_at, now());
    new.created_by := coalesce(auth.uid(), new.created_by);
    new.created_by_name := coalesce(private.my_name(), new.created_by_name);
    new.author_name := coalesce(new.author_name, new.created_by_name);
    new.updated_at := clock_timestamp();
  elsif (new.title, new.summary, new.cover_image, new.author_id, new.content_raw, new.tags, new.publish_at, new.published_at, new.status, new.slug)
    is not distinct from
    (old.title, old.summary, old.cover_image, old.author_id, old.content_raw, old.tags, old.publish_at, old.published_at, old.status, old.slug) then
    new.version := old.version;
    new.updated_at := old.updated_at;
    return new;
  else
    new.version := old.version + 1;
    -- Published on time reads as edited when it appeared, so that feeds say the same before and after the publisher.
    new.updated_at := case when on_schedule and auth.uid() is null then greatest(old.updated_at, new.publish_at) else clock_timestamp() end;
  end if;
  new.updated_by := auth.uid();
  new.updated_by_name := coalesce(private.asker_name(), case when on_schedule then 'Scheduled publishing' else new.created_by_name end);
  return new;
end $$;

create or replace function private.record_activity(workspace uuid, kind text, title text, post uuid default null) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  if not exists (select from public.workspaces w where w.id = workspace) then return; end if; -- it is being deleted itself
  insert into public.activities (workspace_id, post_id, kind, actor_id, actor_name, title)
  values (workspace, post, kind, auth.uid(), private.asker_name(), title);
end $$;

create or replace function private.record_post_activity() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  what text;
begin
  if private.is_importing() then return null; end if; -- all of an import are one line
  if tg_op = 'DELETE' then
    perform private.record_activity(old.workspace_id, 'post_purged', old.title, old.id);
    return null;
  elsif tg_op = 'INSERT' then
    what := case new.status when 'published' then 'post_published' when 'scheduled' then 'post_scheduled' else 'post_created' end;
  elsif old.version = new.version then
    return null;
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
      else 'post_unscheduled'
    end;
  end if;
  if what = 'post_updated' then
    update public.activities a set created_at = clock_timestamp(), title = new.title
    where a.id = (
      select e.id from public.activities e
      where e.kind = 'post_updated' and e.post_id = new.id and e.actor_id = auth.uid() and e.created_at > now() - interval '1 hour'
        and e.actor_name is not distinct from private.asker_name() -- a person and what writes for them are two
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
