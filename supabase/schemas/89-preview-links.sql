-- Preview links: anyone with the link reads one unpublished post and may comment. The 256-bit token is stored readable, so writers can copy it again;
-- a reader of this table reads the posts anyway. A link ends when it expires, is revoked, or its maker loses the right to write. While the post is
-- archived it is invalid; once it is public it redirects. All invalid links look alike.
create table private.post_previews (
  id uuid constraint post_previews_pkey primary key default gen_random_uuid(),
  post_id uuid not null constraint post_previews_post_id_fkey references public.posts (id) on delete cascade,
  token text not null constraint post_previews_token_shape check (token ~ '^[A-Za-z0-9_-]{43}$'),
  token_hash bytea not null generated always as (private.token_hash(token)) stored constraint post_previews_token_hash_key unique,
  allows_comments boolean not null,
  created_by uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  constraint post_previews_expire check (expires_at > created_at and expires_at <= created_at + interval '{{previewDaysMax}} days 1 hour')
);
create index post_previews_of_post on private.post_previews (post_id, created_at desc);
create index post_previews_by_maker on private.post_previews (created_by);
create index post_previews_by_end on private.post_previews (expires_at);

create type public.preview_link as (
  id uuid, created_at timestamptz, created_by_name text, expires_at timestamptz, allows_comments boolean, token text
);
comment on column public.preview_link.created_by_name is 'Null: without a name.';

-- The valid link of a token's hash for a post that isn't public, else null.
create function private.open_preview(token_hash bytea) returns private.post_previews
language plpgsql stable security definer set search_path = '' as $$
declare
  found private.post_previews;
begin
  select v.* into found from private.post_previews v join public.posts p on p.id = v.post_id
  where v.token_hash = open_preview.token_hash and v.expires_at > now() and p.status <> 'archived'
    and not exists (select from private.visible_posts s where s.id = p.id);
  return found;
end $$;

-- True if a closed changelog has a link. Its host needs a certificate then; others without one don't show that they exist.
create function private.has_preview_link(label text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.workspaces w join public.posts p on p.workspace_id = w.id join private.post_previews v on v.post_id = p.id
    where w.subdomain operator (extensions.=) label::extensions.citext and v.expires_at > now()
  )
$$;

create function public.list_preview_links(post_id uuid) returns setof public.preview_link
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role((select p.workspace_id from public.posts p where p.id = list_preview_links.post_id), '{owner,admin,editor}', true);
  return query
    select v.id, v.created_at, p.full_name, v.expires_at, v.allows_comments, v.token
    from private.post_previews v left join public.profiles p on p.user_id = v.created_by
    where v.post_id = list_preview_links.post_id and v.expires_at > now() order by v.created_at desc, v.id;
end $$;

-- `token`: 256 random bits from the caller.
create function public.create_preview_link(post_id uuid, token text, days int default 7, allows_comments boolean default false)
returns public.preview_link
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
  post constant public.posts := private.lock_post(create_preview_link.post_id, '{owner,admin,editor}');
  wrong jsonb := '{}';
  made private.post_previews;
begin
  if post.status = 'archived' then perform private.refuse('archived_post_locked'); end if;
  if create_preview_link.days between 1 and {{previewDaysMax}} is not true then wrong := wrong || '{"days": "Please choose 1 to {{previewDaysMax}} days"}'; end if;
  if create_preview_link.token !~ '^[A-Za-z0-9_-]{43}$' is not false then wrong := wrong || '{"token": "Send a token of 43 characters"}'; end if;
  if wrong = '{}' and exists (select from private.visible_posts s where s.id = post.id) then
    wrong := '{"post": "Readers can already see this post. Share its link instead."}';
  end if;
  if wrong = '{}' and (select count(*) >= 20 from private.post_previews v where v.post_id = post.id and v.expires_at > now()) then
    wrong := '{"days": "This post has 20 links. Revoke one first."}';
  end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  insert into private.post_previews (post_id, token, allows_comments, created_by, expires_at)
  values (post.id, create_preview_link.token, coalesce(create_preview_link.allows_comments, false), me,
    clock_timestamp() + make_interval(days => create_preview_link.days))
  returning * into made;
  perform private.audit(post.workspace_id, 'preview_link_made', post.id, post.title);
  return (select l from public.list_preview_links(post.id) as l where l.id = made.id);
end $$;

create function public.revoke_preview_link(post_id uuid, link_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := private.lock_post(post_id, '{owner,admin,editor}');
begin
  perform private.person_id();
  delete from private.post_previews v where v.id = link_id and v.post_id = post.id and v.expires_at > now();
  if not found then perform private.refuse('not_found'); end if;
  perform private.audit(post.workspace_id, 'preview_link_revoked', post.id, post.title);
end $$;

-- The preview page without its text, or no row if invalid. `wait` > 0: rate-limited. `moved_to`: the public URL. Also for private workspaces.
create function private.read_preview(subdomain text, token_hash bytea, network text, size int, period_seconds int) returns table (
  wait int, moved_to text, workspace jsonb, id uuid, slug text, title text, excerpt text, tags text[], own_tags jsonb, author_name text,
  published_at timestamptz, updated_at timestamptz, version int, cover_image jsonb, details jsonb, status text, is_open boolean, allows_comments boolean
)
language plpgsql security definer set search_path = '' as $$
declare
  v private.post_previews;
  p public.posts;
  w public.workspaces;
  here timestamptz;
begin
  wait := public.take_token('previewRead.address', read_preview.network, read_preview.size, make_interval(secs => read_preview.period_seconds));
  if wait > 0 then
    return next;
    return;
  end if;
  select l.* into v from private.post_previews l where l.token_hash = read_preview.token_hash and l.expires_at > now();
  if v.id is null then return; end if;
  select o.* into p from public.posts o where o.id = v.post_id and o.status <> 'archived';
  select s.* into w from public.workspaces s
  where s.id = p.workspace_id and s.subdomain operator (extensions.=) read_preview.subdomain::extensions.citext;
  if w.id is null then return; end if;
  moved_to := (select s.slug from private.visible_posts s where s.id = p.id);
  if moved_to is not null then
    return next;
    return;
  end if;
  here := coalesce(p.published_at, p.publish_at, now());
  return query
    select 0, null::text,
      jsonb_build_object(
        'id', w.id, 'name', w.name, 'subdomain', w.subdomain, 'origin', w.origin, 'logo_url', w.logo_url,
        'mails', private.sends_email(w.id), 'settings', (select s.settings from public.widget_settings s where s.workspace_id = w.id), 'domain', case when w.is_open then private.domain_of(w.id) end,
        'appearance', (select jsonb_build_object('settings', a.settings, 'logo_dark_url', a.logo_dark_url, 'favicon_url', a.favicon_url)
          from public.appearances a where a.workspace_id = w.id)),
      p.id, p.slug, p.title, coalesce(p.summary, p.excerpt), p.tags,
      (select coalesce(jsonb_agg(jsonb_build_object('key', t.key, 'label', t.label, 'colour', t.colour)), '[]')
        from public.tags t where t.workspace_id = w.id and t.key = any (p.tags)),
      p.author_name, here, greatest(p.content_updated_at, here), p.version, p.cover_image, p.details, p.status::text, w.public_changelog_enabled,
      v.allows_comments;
end $$;

-- The text, read only if this version isn't rendered yet.
create function private.preview_content(token_hash bytea) returns table (version int, content_raw jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select p.version, p.content_raw from public.posts p where p.id = (private.open_preview(preview_content.token_hash)).post_id;
end $$;

grant execute on function private.read_preview, private.preview_content, private.has_preview_link to anon, authenticated, service_role;
grant execute on function public.list_preview_links, public.create_preview_link, public.revoke_preview_link to authenticated, service_role;
