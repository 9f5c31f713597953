-- Open Graph images of posts and workspaces, drawn by the function `og` after publication, never in a reader's request, and stored in Storage.

-- `path`: null until drawn. Drawn by the job with its id.
create table private.link_pictures (
  id uuid constraint link_pictures_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint link_pictures_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid constraint link_pictures_post_id_fkey references public.posts (id) on delete cascade, -- null: the workspace's
  path text constraint link_pictures_path_length check (char_length(path) <= 200),
  look_changed boolean not null default false, -- of the workspace's: redraw its posts' next
  constraint link_pictures_once unique nulls not distinct (workspace_id, post_id)
);
create index link_pictures_of_post on private.link_pictures (post_id);

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('link-pictures', 'link-pictures', true, 1048576, '{image/png}')
on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create trigger link_pictures_discard_their_former_file after update of path on private.link_pictures
for each row when (old.path is distinct from new.path) execute function private.discard_former_file('link-pictures', 'path', 'workspace_id');
create trigger link_pictures_discard_their_file after delete on private.link_pictures
for each row execute function private.discard_former_file('link-pictures', 'path', 'workspace_id');

-- A visible post's image. When the title changes, the workspace's image is used until it is redrawn. Frequent changes are debounced.
create function private.queue_og_image() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was constant boolean := tg_op = 'UPDATE' and private.public_status(old) in ('published', 'scheduled');
  is_one constant boolean := private.public_status(new) in ('published', 'scheduled');
  shown constant timestamptz := coalesce(new.published_at, new.publish_at);
  image uuid;
begin
  if not was and not is_one then return null; end if;
  if not is_one then
    delete from private.link_pictures l where l.post_id = new.id;
  elsif not was or new.title is distinct from old.title or shown is distinct from coalesce(old.published_at, old.publish_at) then
    insert into private.link_pictures as l (workspace_id, post_id) values (new.workspace_id, new.id)
    on conflict on constraint link_pictures_once do update set path = case when was and new.title = old.title then l.path end
    returning l.id into image;
    perform private.add_job('draw_og_image', image, new.workspace_id, priority => private.has_option('importing')::int,
      run_at => greatest(clock_timestamp(), case when new.status = 'scheduled' then new.publish_at end)
        + case when exists (select from private.jobs j where j.id = image and j.locked_by is null and j.run_at < 'infinity') then interval '5 seconds' else '0' end);
  end if;
  return null;
end $$;

-- The workspace's image, debounced, and then its newest posts'. One row, so that saving appearance stays fast.
create function private.queue_workspace_og_image() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_new constant boolean := tg_table_name = 'workspaces' and tg_op = 'INSERT';
  workspace constant uuid := coalesce(to_jsonb(new) ->> 'workspace_id', to_jsonb(new) ->> 'id');
  image private.link_pictures;
begin
  insert into private.link_pictures as l (workspace_id, look_changed) values (workspace, not is_new)
  on conflict on constraint link_pictures_once do update set look_changed = true returning * into image;
  perform private.add_job('draw_og_image', image.id, workspace,
    run_at => clock_timestamp() + case when is_new or image.path is null then '0' else '20 seconds' end::interval);
  return null;
end $$;
create trigger workspaces_50_want_first_picture after insert on public.workspaces
for each row execute function private.queue_workspace_og_image();
create trigger workspaces_50_want_pictures after update on public.workspaces
for each row when ((old.name, old.logo_url, old.is_open) is distinct from (new.name, new.logo_url, new.is_open))
execute function private.queue_workspace_og_image();

create trigger appearances_50_want_first_pictures after insert on public.appearances
for each row execute function private.queue_workspace_og_image();
-- Links and footer aren't drawn.
create trigger appearances_50_want_pictures after update on public.appearances
for each row when (
  (old.settings - '{layout,links,footer,branding}'::text[], old.logo_dark_url)
  is distinct from (new.settings - '{layout,links,footer,branding}'::text[], new.logo_dark_url)
)
execute function private.queue_workspace_og_image();

-- Content of a job's image; no row if readers can't see it now. After a change of appearance the newest hundred posts follow, and undrawn ones.
create function public.og_image_to_draw(id uuid) returns table (
  workspace_name text, logo_url text, logo_dark_url text, appearance jsonb, title text, published_at timestamptz
)
language plpgsql security definer set search_path = '' as $$
declare
  image private.link_pictures;
begin
  update private.link_pictures l set look_changed = false where l.id = og_image_to_draw.id and l.look_changed returning l.* into image;
  insert into private.jobs as j (id, task, workspace_id, key, run_at, priority)
  select l.id, 'draw_og_image', l.workspace_id, l.workspace_id, clock_timestamp(), 1
  from private.link_pictures l
  where l.workspace_id = image.workspace_id and l.post_id is not null and (l.path is null or l.post_id in (
    select p.id from public.posts p where p.workspace_id = image.workspace_id order by p.published_at desc nulls last limit 100))
  on conflict on constraint jobs_pkey do update set run_at = excluded.run_at, attempts = 0 where j.run_at = 'infinity';
  return query
    select w.name, w.logo_url, a.logo_dark_url, coalesce(a.settings, '{}'), v.title, v.published_at
    from private.link_pictures l join public.workspaces w on w.id = l.workspace_id and w.is_open
    left join public.appearances a on a.workspace_id = l.workspace_id left join private.visible_posts v on v.id = l.post_id
    where l.id = og_image_to_draw.id and (l.post_id is null or v.id is not null);
end $$;

-- Records a drawing, and ends its job. One that is outdated is discarded. True if it is now shown.
create function public.settle_og_image(id uuid, lease uuid, path text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform from private.link_pictures l where l.id = settle_og_image.id for update;
  if found and private.end_job(settle_og_image.id, lease) then
    update private.link_pictures l set path = settle_og_image.path where l.id = settle_og_image.id;
    return true;
  end if;
  insert into private.discarded_files (bucket, path) values ('link-pictures', settle_og_image.path)
  on conflict on constraint discarded_files_pkey do nothing;
  return false;
end $$;

grant execute on function public.og_image_to_draw, public.settle_og_image to service_role;

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
grant execute on function private.og_image_path to anon, authenticated, service_role;
