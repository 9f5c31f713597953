-- Every slug a post has had, so that old links still find it and no other post of the workspace takes it (product decision 5).
create table public.post_slugs (
  workspace_id uuid not null constraint post_slugs_workspace_id_fkey references public.workspaces (id) on delete cascade,
  slug text collate "C" not null,
  post_id uuid not null constraint post_slugs_post_id_fkey references public.posts (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint post_slugs_pkey primary key (workspace_id, slug)
);
create index post_slugs_by_post on public.post_slugs (post_id);

create policy "members read their posts' older addresses" on public.post_slugs for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
grant select on public.post_slugs to authenticated;

create function private.slugify(title text) returns text
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return coalesce(nullif(btrim(left(btrim(regexp_replace(
    lower(extensions.unaccent('extensions.unaccent', replace(title, '''', ''))), '[^a-z0-9]+', '-', 'g'), '-'), {{slugMaxLength}}), '-'), ''), 'post');
end $$;

-- `wanted`, or wanted-2, wanted-3 …: the first that no other post has or had. The advisory lock serialises posts that want the same one.
create function private.free_slug(workspace uuid, wanted text, post uuid) returns text
language plpgsql volatile set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(workspace || '/' || regexp_replace(wanted, '(-[0-9]+)+$', ''), 0));
  if not exists (select from public.post_slugs s where s.workspace_id = workspace and s.slug = wanted and s.post_id <> post) then
    return wanted;
  end if;
  return (
    select wanted || '-' || n
    from generate_series(2, 2 + (
      select count(*) from public.post_slugs s
      where s.workspace_id = workspace and s.slug >= wanted || '-' and s.slug < wanted || '.' -- "." follows "-" in the C collation
    )) as n
    where not exists (
      select from public.post_slugs s where s.workspace_id = workspace and s.slug = wanted || '-' || n and s.post_id <> post
    )
    order by n limit 1
  );
end $$;

-- Follows the title until the first publication, unless it was changed by hand. tidings.slug sets one.
create function private.choose_slug() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  asked constant text := nullif(current_setting('tidings.slug', true), '');
begin
  new.slug := coalesce(asked, new.slug);
  if asked is not null or tg_op = 'UPDATE' and new.slug is distinct from old.slug then
    new.slug := lower(btrim(new.slug));
    if new.slug is null or new.slug !~ '^[a-z0-9]+(-[a-z0-9]+)*$' or char_length(new.slug) > {{slugMaxLength}} then
      perform private.refuse('validation_failed', '{"slug": "Please use letters, digits and single hyphens, {{slugMaxLength}} at most"}');
    elsif private.free_slug(new.workspace_id, new.slug, new.id) <> new.slug then
      perform private.refuse('slug_taken');
    end if;
  elsif tg_op = 'INSERT' or new.title <> old.title and old.published_at is null
    and not (old.status = 'scheduled' and old.publish_at <= clock_timestamp())
    and old.slug ~ ('^' || private.slugify(old.title) || '(-[0-9]+)?$') then
    new.slug := private.free_slug(new.workspace_id, private.slugify(new.title), new.id);
  end if;
  return new;
end $$;

-- Every change raises the version by one and keeps a revision (product decision 7). With a clock two saves within its resolution would both win.
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
  summary text,
  cover_image jsonb,
  published_at timestamptz,
  post_author_name text, -- the author shown to readers; author_name is who saved
  details jsonb,
  autosaves_since timestamptz, -- when this run of autosaves began; null once saved by hand
  constraint post_revisions_pkey primary key (post_id, version)
);

create policy "members read their posts' revisions" on public.post_revisions for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- Written by a trigger, deleted by cascade.
grant select on public.post_revisions to authenticated;

create function private.raise_version() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- the publisher has no user
  on_schedule constant boolean := tg_op = 'UPDATE' and old.status = 'scheduled' and new.status = 'published' and new.publish_at is not null;
begin
  if tg_op = 'INSERT' then
    new.version := 1;
    new.created_at := coalesce(new.created_at, now());
    new.created_by := coalesce(auth.uid(), new.created_by);
    new.created_by_name := coalesce(private.my_name(), new.created_by_name);
    new.author_name := coalesce(new.author_name, new.created_by_name);
    new.updated_at := clock_timestamp();
  elsif (new.title, new.summary, new.cover_image, new.details, new.author_id, new.content_raw, new.tags, new.publish_at, new.published_at, new.status, new.slug)
    is not distinct from
    (old.title, old.summary, old.cover_image, old.details, old.author_id, old.content_raw, old.tags, old.publish_at, old.published_at, old.status, old.slug) then
    new.version := old.version;
    new.updated_at := old.updated_at;
    new.content_updated_at := old.content_updated_at;
    if new.status in ('draft', 'scheduled') then new.imported_at := null; end if;
    return new;
  else
    new.version := old.version + 1;
    -- A post published on time was last edited at that time, so feeds say the same before and after the publisher runs.
    new.updated_at := case when on_schedule and auth.uid() is null then greatest(old.updated_at, new.publish_at) else clock_timestamp() end;
  end if;
  new.updated_by := auth.uid();
  new.updated_by_name := coalesce(private.actor_name(), case when on_schedule then 'Scheduled publishing' else new.created_by_name end);

  -- The date of an edit in feeds: moves with what readers see. An imported post keeps its own date.
  if private.has_option('importing') and new.status = 'published' and (tg_op = 'INSERT' or old.status <> 'published') then
    new.content_updated_at := new.published_at;
    new.imported_at := clock_timestamp();
  else
    new.content_updated_at := case
      when tg_op = 'INSERT' or (new.title, new.summary, new.cover_image, new.details, new.author_id, new.content_raw, new.tags)
        is distinct from (old.title, old.summary, old.cover_image, old.details, old.author_id, old.content_raw, old.tags)
        or new.published_at <> old.published_at
        then new.updated_at
      else old.content_updated_at end;
    if new.status in ('draft', 'scheduled') then new.imported_at := null; end if;
  end if;
  return new;
end $$;

-- Writes the revision, the slug and the images. Autosaves raise the version every few seconds, so that conflicts are exact; of one person's autosaves
-- within ten minutes only the newest revision is kept. The first version and versions saved by hand are always kept.
create function private.record_post_history() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_new constant boolean := tg_op = 'INSERT';
  since timestamptz;
begin
  if is_new or old.version <> new.version then
    insert into public.post_revisions
      (post_id, workspace_id, version, status, title, tags, content_raw, publish_at, author_id, author_name, created_at, summary,
       cover_image, published_at, post_author_name, details)
    values
      (new.id, new.workspace_id, new.version, new.status, new.title, new.tags, new.content_raw, new.publish_at,
       new.updated_by, new.updated_by_name, new.updated_at, new.summary, new.cover_image, new.published_at, new.author_name, new.details);
  end if;
  if not is_new and not private.has_option('autosave') then
    if new.version = old.version then -- an autosaved version, now saved by hand
      update public.post_revisions r set autosaves_since = null
      where r.post_id = new.id and r.version = new.version and r.autosaves_since is not null;
    end if;
  elsif new.version > old.version then
    delete from public.post_revisions r
    where r.post_id = new.id and r.version = old.version and r.version > 1 and r.author_id = new.updated_by
      and r.autosaves_since > new.updated_at - interval '10 minutes'
    returning r.autosaves_since into since;
    update public.post_revisions r set autosaves_since = coalesce(since, new.updated_at) where r.post_id = new.id and r.version = new.version;
  end if;
  if is_new or old.slug <> new.slug then
    insert into public.post_slugs (workspace_id, slug, post_id) values (new.workspace_id, new.slug, new.id)
    on conflict on constraint post_slugs_pkey do nothing;
  end if;
  if is_new or old.content_raw <> new.content_raw or old.cover_image is distinct from new.cover_image then
    insert into private.post_images (post_id, path)
    select new.id, private.image_paths(jsonb_build_array(new.content_raw, new.cover_image), new.workspace_id)
    on conflict on constraint post_images_pkey do nothing;
  end if;
  return null;
end $$;
