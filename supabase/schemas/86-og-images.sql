-- Open Graph images of posts and workspaces, drawn by the function `og` after publication, never in a reader's request, and stored in Storage.

-- `path`: null until drawn. `due_at`: next attempt or the lease's end; null: up to date. `wanted` counts changes, so an outdated drawing is
-- discarded.
create table private.link_pictures (
  id uuid constraint link_pictures_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint link_pictures_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid constraint link_pictures_post_id_fkey references public.posts (id) on delete cascade, -- null: the workspace's
  path text constraint link_pictures_path_length check (char_length(path) <= 200),
  due_at timestamptz default clock_timestamp(),
  wanted int not null default 1,
  attempt int not null default 0,
  error text constraint link_pictures_error_length check (char_length(error) <= 500), -- of the last attempt
  look_changed boolean not null default false, -- of the workspace's: redraw its posts' next
  drawn_at timestamptz,
  constraint link_pictures_once unique nulls not distinct (workspace_id, post_id)
);
alter table private.link_pictures enable row level security;
create index link_pictures_of_post on private.link_pictures (post_id); -- deleting a post
create index link_pictures_due on private.link_pictures (due_at) where due_at is not null;
create index link_pictures_due_of_workspace on private.link_pictures (workspace_id, due_at) where due_at is not null;

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('link-pictures', 'link-pictures', true, 1048576, '{image/png}')
on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- Deletes the file with its row or when it is replaced.
create function private.discard_link_picture() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.discarded_files (bucket, path) values ('link-pictures', old.path)
  on conflict on constraint discarded_files_pkey do nothing;
  return null;
end $$;
create trigger link_pictures_discard_their_former_file after update on private.link_pictures
for each row when (old.path is not null and old.path is distinct from new.path) execute function private.discard_link_picture();
create trigger link_pictures_discard_their_file after delete on private.link_pictures
for each row when (old.path is not null) execute function private.discard_link_picture();

-- A visible post's image. When the title changes, the workspace's image is used until it is redrawn. Frequent changes are debounced.
create function private.queue_og_image() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was constant boolean := tg_op = 'UPDATE' and old.status in ('published', 'scheduled');
  shown constant timestamptz := coalesce(new.published_at, new.publish_at);
begin
  if not was and new.status not in ('published', 'scheduled') then return null; end if;
  if new.status not in ('published', 'scheduled') then
    delete from private.link_pictures l where l.post_id = new.id;
  elsif not was or new.title is distinct from old.title or shown is distinct from coalesce(old.published_at, old.publish_at) then
    insert into private.link_pictures as l (workspace_id, post_id, due_at)
    values (new.workspace_id, new.id, greatest(clock_timestamp(), case when new.status = 'scheduled' then new.publish_at end))
    on conflict on constraint link_pictures_once do update set
      due_at = excluded.due_at + case when l.due_at is not null and l.wanted > 1 then interval '5 seconds' else interval '0' end,
      wanted = l.wanted + 1, attempt = 0, error = null,
      path = case when was and new.title = old.title then l.path end;
  end if;
  return null;
end $$;
-- The workspace's image, debounced, and then its newest posts'. One row, so that saving appearance stays fast.
create function private.queue_workspace_og_images(workspace uuid, wait interval) returns void
language sql security definer set search_path = '' as $$
  insert into private.link_pictures as l (workspace_id, due_at, look_changed) values (workspace, clock_timestamp() + wait, wait > '0')
  on conflict on constraint link_pictures_once do update set
    due_at = case when l.path is null then clock_timestamp() else excluded.due_at end,
    wanted = l.wanted + 1, attempt = 0, error = null, look_changed = true
$$;
revoke all on function private.queue_workspace_og_images(uuid, interval) from public, anon, authenticated;

create function private.workspace_og_images_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_workspace_og_images(new.id, case tg_op when 'INSERT' then '0' else '20 seconds' end::interval);
  return null;
end $$;
create trigger workspaces_50_want_first_picture after insert on public.workspaces
for each row execute function private.workspace_og_images_changed();
create trigger workspaces_50_want_pictures after update on public.workspaces
for each row when ((old.name, old.logo_url, old.is_open) is distinct from (new.name, new.logo_url, new.is_open))
execute function private.workspace_og_images_changed();

create function private.og_image_look_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_workspace_og_images(new.workspace_id, '20 seconds');
  return null;
end $$;
create trigger appearances_50_want_first_pictures after insert on public.appearances
for each row execute function private.og_image_look_changed();
-- Links and footer aren't drawn.
create trigger appearances_50_want_pictures after update on public.appearances
for each row when (
  (old.settings - '{layout,links,footer,branding}'::text[], old.logo_dark_url)
  is distinct from (new.settings - '{layout,links,footer,branding}'::text[], new.logo_dark_url)
)
execute function private.og_image_look_changed();

-- Files whose worker died before it recorded them.
create function private.discard_lost_pictures() returns void
language sql security definer set search_path = '' as $$
  insert into private.discarded_files (bucket, path)
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id = 'link-pictures' and o.created_at < now() - interval '1 day'
    and not exists (select from private.link_pictures l where l.workspace_id::text = split_part(o.name, '/', 1) and l.path = o.name)
  on conflict on constraint discarded_files_pkey do nothing
$$;

-- Asked by the clock before it wakes the worker.
create function public.link_pictures_due() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.link_pictures l where l.due_at <= statement_timestamp())
$$;

-- Leases up to `batch` due images for two minutes, fairly between workspaces, the latest change first. Skips locked rows.
create function public.claim_link_pictures(batch int default 1) returns table (
  id uuid, wanted int, attempt int, workspace_id uuid, workspace_name text, logo_url text, logo_dark_url text, appearance jsonb,
  post_id uuid, title text, published_at timestamptz
)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  size constant int := least(greatest(coalesce(claim_link_pictures.batch, 1), 1), 20);
begin
  -- Skips private workspaces until they open. After six attempts that killed the worker, waits for the next change.
  update private.link_pictures l set due_at = null where l.id = any (array(
    select h.id from private.link_pictures h join public.workspaces w on w.id = h.workspace_id
    where h.due_at <= statement_timestamp() and (not w.is_open or h.attempt >= 6) limit 1000 for update of h skip locked
  ));

  -- New appearance: redraws the newest hundred and the failed ones.
  with looked as (
    update private.link_pictures l set look_changed = false where l.id = any (array(
      select h.id from private.link_pictures h where h.look_changed and h.due_at <= statement_timestamp() limit 10 for update skip locked
    ))
    returning l.workspace_id
  ), old_looks as (
    select n.id from looked k, lateral (
      select l.id from private.link_pictures l join public.posts p on p.id = l.post_id
      where l.workspace_id = k.workspace_id and l.path is not null order by p.published_at desc nulls last limit 100
    ) as n
    union all
    select l.id from looked k join private.link_pictures l on l.workspace_id = k.workspace_id
    where l.path is null and l.due_at is null and l.post_id is not null
  ), held as (
    select l.id from private.link_pictures l where l.id in (select o.id from old_looks o) for update skip locked
  )
  update private.link_pictures l set due_at = statement_timestamp(), wanted = l.wanted + 1, attempt = 0, error = null from held h where l.id = h.id;

  return query
    with recursive b as ( -- index order
      (select l.workspace_id from private.link_pictures l where l.due_at is not null order by l.workspace_id, l.due_at limit 1)
      union all
      select (select l.workspace_id from private.link_pictures l where l.due_at is not null and l.workspace_id > b.workspace_id
        order by l.workspace_id, l.due_at limit 1)
      from b where b.workspace_id is not null
    ), candidates as (
      select n.id from b, lateral (
        select l.id, l.due_at, row_number() over (order by l.due_at desc, l.id) as turn from private.link_pictures l
        where l.workspace_id = b.workspace_id and l.due_at <= statement_timestamp() order by l.due_at desc, l.id limit size
      ) as n
      order by n.turn, n.due_at limit size
    ), held as (
      select l.id from private.link_pictures l where l.id = any (array(select c.id from candidates c)) and l.due_at <= statement_timestamp()
      for update skip locked
    ), looked as (
      select h.id, w, v.title, v.published_at, l.post_id is null or v.id is not null as seen,
        p.status = 'scheduled' as comes -- due by the statement's clock, not yet by the transaction's
      from held h join private.link_pictures l on l.id = h.id join public.workspaces w on w.id = l.workspace_id
      left join public.posts p on p.id = l.post_id left join private.visible_posts v on v.id = l.post_id
    ), taken as (
      update private.link_pictures l set
        (due_at, attempt) = (select case when k.seen then clock_timestamp() + interval '2 minutes'
          when k.comes then clock_timestamp() + interval '5 seconds' end, l.attempt + k.seen::int)
      from looked k where l.id = k.id
      returning l.id, l.wanted, l.attempt, l.workspace_id, l.post_id
    )
    select t.id, t.wanted, t.attempt, t.workspace_id, (k.w).name, (k.w).logo_url, a.logo_dark_url, coalesce(a.settings, '{}'), t.post_id,
      k.title, k.published_at
    from taken t join looked k on k.id = t.id left join public.appearances a on a.workspace_id = t.workspace_id
    where k.seen;
end $$;

-- Records a drawing. An outdated one is discarded. Failures are retried after 1, 5, 30 minutes, 2 and 12 hours. True if it is now shown.
create function public.settle_link_picture(id uuid, wanted int, path text, error text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  waits constant int[] := '{60,300,1800,7200,43200}';
  kept boolean;
begin
  update private.link_pictures l set
    path = coalesce(settle_link_picture.path, l.path),
    drawn_at = case when settle_link_picture.path is not null then clock_timestamp() else l.drawn_at end,
    error = left(settle_link_picture.error, 500),
    due_at = case when settle_link_picture.path is null and l.attempt <= cardinality(waits)
      then clock_timestamp() + waits[l.attempt] * interval '1 second' end
  where l.id = settle_link_picture.id and l.wanted = settle_link_picture.wanted;
  kept := found and settle_link_picture.path is not null;
  if not kept and settle_link_picture.path is not null then
    insert into private.discarded_files (bucket, path) values ('link-pictures', settle_link_picture.path)
    on conflict on constraint discarded_files_pkey do nothing;
  end if;
  return kept;
end $$;

revoke all on function public.link_pictures_due(), public.claim_link_pictures(int), public.settle_link_picture(uuid, int, text, text)
  from public, anon, authenticated;
grant execute on function public.link_pictures_due(), public.claim_link_pictures(int), public.settle_link_picture(uuid, int, text, text)
  to service_role;

-- The file of a visible post's image, else the workspace's, else null.
create function private.og_image_path(subdomain text, post uuid default null) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  workspace constant uuid := private.open_workspace(og_image_path.subdomain);
begin
  return coalesce(
    (select l.path from private.link_pictures l join private.visible_posts v on v.id = l.post_id
      where l.post_id = og_image_path.post and l.workspace_id = workspace),
    (select l.path from private.link_pictures l where l.workspace_id = workspace and l.post_id is null)
  );
end $$;
grant execute on function private.og_image_path(text, uuid) to anon, authenticated, service_role;
