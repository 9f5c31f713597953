-- Versions: an integer that every change of title, content, tags, time, status or address raises by one, and that a
-- save which changes nothing leaves alone; each version stays as a revision, written in the same transaction
-- (product decision 7). A clock would not do: two saves within its grain would both win.
create table public.post_revisions (
  post_id uuid not null constraint post_revisions_post_id_fkey references public.posts (id) on delete cascade,
  workspace_id uuid not null,
  version int not null,
  status public.post_status not null,
  title text not null,
  tags text[] not null,
  content_raw jsonb not null,
  publish_at timestamptz,
  author_id uuid,
  author_name text,
  created_at timestamptz not null,
  constraint post_revisions_pkey primary key (post_id, version)
);
alter table public.post_revisions enable row level security;

create policy "members read their posts' revisions" on public.post_revisions for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- No insert, update, delete: the trigger below writes it, a purge takes it along.
grant select on public.post_revisions to authenticated;
grant select, insert, update, delete on public.post_revisions to service_role;

create function private.raise_version() returns trigger
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
  elsif (new.title, new.content_raw, new.tags, new.publish_at, new.status, new.slug)
    is not distinct from (old.title, old.content_raw, old.tags, old.publish_at, old.status, old.slug) then
    new.version := old.version;
    new.updated_at := old.updated_at;
    return new;
  else
    new.version := old.version + 1;
    -- Published on time reads as edited when it appeared, so that feeds say the same before and after the publisher.
    new.updated_at := case when on_schedule and auth.uid() is null then greatest(old.updated_at, new.publish_at) else clock_timestamp() end;
  end if;
  new.updated_by := auth.uid();
  new.updated_by_name := coalesce(private.my_name(), case when on_schedule then 'Scheduled publishing' else new.created_by_name end);
  return new;
end $$;
create trigger posts_40_version before insert or update on public.posts for each row execute function private.raise_version();

create function private.record_revision() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.post_revisions
    (post_id, workspace_id, version, status, title, tags, content_raw, publish_at, author_id, author_name, created_at)
  values
    (new.id, new.workspace_id, new.version, new.status, new.title, new.tags, new.content_raw, new.publish_at,
     new.updated_by, new.updated_by_name, new.updated_at);
  return null;
end $$;
create trigger posts_50_first_revision after insert on public.posts for each row execute function private.record_revision();
create trigger posts_50_new_revision after update on public.posts
for each row when (old.version is distinct from new.version) execute function private.record_revision();
