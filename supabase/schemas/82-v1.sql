-- Calls that only /api/v1 makes (contract/v1), as the caller.

-- The public page's address and whether it is public.
create function public.workspace_address(workspace_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_role(workspace_address.workspace_id);
  return (
    select json_build_object('name', w.name, 'subdomain', w.subdomain, 'open', w.public_changelog_enabled, 'domain', private.domain_of(w.id))
    from public.workspaces w where w.id = workspace_address.workspace_id
  );
end $$;

-- {"posts", "next", "address"}: posts after a cursor {at, id}; next null: the end. Last edited first, without archived ones; with `updated_since`
-- oldest first and with archived ones, so a sync misses nothing that is edited meanwhile. filter: {status, tag, updated_since, total}.
-- With `total`, the answer has the number of posts on all pages.
create function public.posts_after(workspace_id uuid, filter jsonb default '{}', after jsonb default null, size int default 50) returns json
language plpgsql stable set search_path = '' as $$
declare
  wanted constant text := coalesce(filter ->> 'status', 'all');
  since constant timestamptz := filter ->> 'updated_since';
  most constant int := least(greatest(coalesce(size, 50), 1), 100);
  -- Worded to match posts_recent or posts_by_status.
  parts constant text[] := case wanted
    when 'all' then array['p.status <> ''archived'''] || case when since is null then '{}'::text[] else array['p.status = ''archived'''] end
    when 'published' then array['p.status <> ''archived'' and p.status <> ''draft'' and (p.status <> ''scheduled'' or p.publish_at <= now())']
    when 'scheduled' then array['p.status = ''scheduled'' and p.publish_at > now()']
    else array[format('p.status = %L', wanted)] end;
  direction constant text := case when since is null then 'desc' else 'asc' end;
  part text;
  pieces text[] := '{}';
  total bigint;
  found_ids uuid[];
begin
  perform private.require_role(posts_after.workspace_id);
  perform private.list_status(wanted);
  foreach part in array parts loop
    pieces := pieces || format(
      '(select p.id, p.updated_at from public.posts p where p.workspace_id = $1 and %s and (p.updated_at, p.id) %s ($2, $3)%s order by p.updated_at %s, p.id %4$s limit $5)',
      part, case when since is null then '<' else '>' end, case when filter ? 'tag' then ' and p.tags @> array[$4]' else '' end, direction);
  end loop;
  execute format('select array(select f.id from (%s) as f order by f.updated_at %s, f.id %2$s limit $5)', array_to_string(pieces, ' union all '), direction)
  into found_ids
  using posts_after.workspace_id, coalesce((after ->> 'at')::timestamptz, since, 'infinity'),
    coalesce((after ->> 'id')::uuid, case when since is null then 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid else '00000000-0000-0000-0000-000000000000'::uuid end),
    filter ->> 'tag', most + 1;
  if filter ? 'total' then
    execute format('select count(*) from public.posts p where p.workspace_id = $1 and (%s) and ($2 is null or p.updated_at >= $2)%s',
      array_to_string(parts, ' or '), case when filter ? 'tag' then ' and p.tags @> array[$3]' else '' end)
    into total using posts_after.workspace_id, since, filter ->> 'tag';
  end if;
  return json_build_object(
    'total', total,
    'posts', coalesce((
      select json_agg(l order by l.place) from (
        select f.place, p.id, p.external_id, p.title, p.slug, coalesce(p.summary, p.excerpt) as excerpt, p.summary, p.status, p.tags, p.publish_at,
          p.published_at, p.created_at, p.updated_at, p.archived_at, p.author_name, p.version, p.requests, p.details
        from unnest(found_ids[:most]) with ordinality as f (id, place) join public.posts p on p.id = f.id
      ) as l), '[]'),
    'next', case when cardinality(found_ids) > most then (
      select json_build_object('at', p.updated_at, 'id', p.id) from public.posts p where p.id = found_ids[most]) end,
    'address', public.workspace_address(posts_after.workspace_id)
  );
end $$;

-- Upsert by external_id: {"created", "post"}. Absent keys of the patch stay. Idempotent, and concurrent calls are serialised, so a release sent twice
-- is one post and one notification. `only_new`: refused if it exists.
create function public.put_post(
  workspace_id uuid, external_id text, post jsonb, expected_version int default null, only_new boolean default false
) returns json
language plpgsql set search_path = '' as $$
declare
  present public.posts;
  patch jsonb := post;
  answer public.post_details;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  perform pg_advisory_xact_lock(hashtextextended(workspace_id || '/by-external-id/' || external_id, 0));
  select p.* into present from public.posts p where p.workspace_id = put_post.workspace_id and p.external_id = put_post.external_id;
  if present.id is null and expected_version is not null then perform private.refuse('not_found'); end if;
  if present.id is not null and only_new then perform private.explain_refusal(present.id); end if;
  if present.id is null then
    answer := public.create_post(workspace_id => workspace_id, external_id => external_id, title => post ->> 'title',
      content_raw => post -> 'content_raw', tags => private.text_array(post -> 'tags'), publish_at => (post ->> 'publish_at')::timestamptz,
      status => post ->> 'status', summary => post ->> 'summary', published_at => (post ->> 'published_at')::timestamptz,
      notify => (post ->> 'notify')::boolean, slug => post ->> 'slug', details => post -> 'details');
  else
    -- Already published on schedule.
    if present.status = 'published' and patch ->> 'status' = 'scheduled'
      and date_trunc('milliseconds', (patch ->> 'publish_at')::timestamptz) = present.publish_at then patch := patch - 'status' - 'publish_at'; end if;
    answer := public.save_post(present.id, patch, expected_version);
  end if;
  return json_build_object('created', present.id is null, 'post', to_jsonb(answer));
end $$;

-- {"posts", "views"}: posts by status, and views of the last 30 days by post, most first, at most a hundred; null without the analytics add-on.
create function public.workspace_stats(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return json_build_object(
    'posts', (
      select json_build_object(
        'draft', count(*) filter (where p.status = 'draft'),
        'scheduled', count(*) filter (where p.status = 'scheduled' and p.publish_at > now()),
        'published', count(*) filter (where p.status = 'published' or p.status = 'scheduled' and p.publish_at <= now()),
        'archived', count(*) filter (where p.status = 'archived'))
      from public.posts p where p.workspace_id = asked),
    'views', case when private.has_add_on(asked, 'analytics') then json_build_object(
      'total', (
        select coalesce(sum(d.n), 0) from public.daily_counts d
        where d.workspace_id = asked and d.post_id is null and d.what = 'view' and d.day > (now() at time zone 'utc')::date - 30),
      'posts', coalesce((
        select json_agg(l order by l.views desc, l.id) from (
          select p.id, p.title, sum(c.views) as views from private.post_counts c join public.posts p on p.id = c.post_id
          where c.workspace_id = asked and p.workspace_id = asked and c.span = 'day' and c.first_day > (now() at time zone 'utc')::date - 30 and c.views > 0
          group by p.id order by 3 desc, p.id limit 100
        ) as l), '[]')
    ) end
  );
end $$;

-- {"address", "total", "releases"}: search of the public page, newest first; nothing while it is private. For assistants.
create function public.search_public(workspace_id uuid, term text, size int default 10) returns json
language plpgsql stable set search_path = '' as $$
declare
  place constant json := public.workspace_address(workspace_id);
begin
  return (
    select json_build_object('address', place, 'total', coalesce(max(r.total), 0), 'releases', coalesce(
      json_agg(json_build_object('id', r.id, 'slug', r.slug, 'title', r.title, 'excerpt', r.excerpt, 'tags', r.tags, 'published_at', r.published_at)
        order by r.published_at desc, r.id desc), '[]'))
    from private.search_releases(place ->> 'subdomain', term, 1, least(greatest(coalesce(size, 10), 1), 50)) as r
  );
end $$;

-- A post's versions, newest first, below `before`; without who saved them.
create function public.post_versions(post_id uuid, before int default null, size int default 50) returns json
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_role((select p.workspace_id from public.posts p where p.id = post_versions.post_id));
  return (
    select coalesce(json_agg(v order by v.version desc), '[]') from (
      select r.version, r.title, r.summary, r.status, r.tags, r.post_author_name as author, r.published_at, r.created_at
      from public.post_revisions r
      where r.post_id = post_versions.post_id and (post_versions.before is null or r.version < post_versions.before)
      order by r.version desc limit least(greatest(coalesce(size, 50), 1), 101)
    ) as v
  );
end $$;

create function public.post_version(post_id uuid, version int) returns json
language plpgsql stable set search_path = '' as $$
declare
  found_one public.post_revisions;
begin
  select * into found_one from public.post_revisions r where r.post_id = post_version.post_id and r.version = post_version.version;
  if found_one.post_id is null then perform private.refuse('not_found'); end if;
  return json_build_object('version', found_one.version, 'title', found_one.title, 'summary', found_one.summary, 'status', found_one.status,
    'tags', found_one.tags, 'author', found_one.post_author_name, 'published_at', found_one.published_at, 'created_at', found_one.created_at,
    'content_raw', found_one.content_raw);
end $$;

-- Readers may know other posts, so those are archived.
create function public.delete_draft(post_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  delete from public.posts p where p.id = delete_draft.post_id and p.status = 'draft';
  if found then return; end if;
  perform private.require_role((select p.workspace_id from public.posts p where p.id = delete_draft.post_id), '{owner,admin,editor}');
  perform private.refuse('validation_failed', '{"status": "Only a draft can be deleted. Archive this post."}');
end $$;

grant execute on function public.search_public, public.workspace_address, public.posts_after, public.post_versions, public.post_version,
  public.delete_draft, public.put_post, public.workspace_stats to authenticated, service_role;
