-- What machines ask for by /api/v1: a post under the name that they know it by, lists that go on where they ended, numbers.

alter table public.posts
  add column external_id text collate "C" constraint posts_external_id_length check (char_length(external_id) between 1 and 200);
-- squawk-ignore require-concurrent-index-creation
create unique index posts_external_id on public.posts (workspace_id, external_id) where external_id is not null;
grant insert (external_id) on public.posts to authenticated;

create or replace view public.post_details with (security_invoker = true) as
select
  p.id, p.workspace_id, p.title, p.slug, coalesce(p.summary, p.excerpt) as excerpt, p.status, p.tags, p.publish_at, p.published_at,
  p.created_at, p.updated_at, p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, p.content_raw, p.updated_by_name,
  private.author_of(coalesce(p.author_id, p.created_by)) as author,
  private.shows_changelog(p.workspace_id) as public_changelog_enabled, p.summary, p.cover_image, coalesce(p.author_id, p.created_by) as author_id,
  p.external_id
from public.posts p;

create or replace function private.choose_slug() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  asked constant text := nullif(current_setting('tidings.slug', true), '');
begin
  new.slug := coalesce(asked, new.slug);
  if asked is not null or tg_op = 'UPDATE' and new.slug is distinct from old.slug then
    new.slug := lower(btrim(new.slug));
    if new.slug is null or new.slug !~ '^[a-z0-9]+(-[a-z0-9]+)*$' or char_length(new.slug) > 80 then
      perform private.refuse('validation_failed', '{"slug": "Please use letters, digits and single hyphens, 80 at most"}');
    elsif private.free_slug(new.workspace_id, new.slug, new.id) <> new.slug then
      perform private.refuse('slug_taken');
    end if;
  elsif tg_op = 'INSERT' or new.title <> old.title and old.published_at is null
    and not (old.status = 'scheduled' and old.publish_at <= clock_timestamp()) then
    new.slug := private.free_slug(new.workspace_id, private.slugify(new.title), new.id);
  end if;
  return new;
end $$;

create function public.subscribers_after(workspace_id uuid, filter jsonb default '{}', after text default null, size int default 1000) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := subscribers_after.workspace_id;
  of_status constant public.subscriber_status := filter ->> 'status';
  of_rhythm constant public.subscriber_frequency := filter ->> 'frequency';
  of_tag constant text := filter ->> 'tag';
  part constant text := lower(filter ->> 'q');
begin
  perform private.require_role(asked, '{owner,admin}');
  return (
    select coalesce(jsonb_agg(private.shown_subscriber(p) order by p.email), '[]') from (
      select s.* from public.subscribers s
      where s.workspace_id = asked
        and (subscribers_after.after is null or s.email operator (extensions.>) subscribers_after.after::extensions.citext)
        and (of_status is null or s.status = of_status) and (of_rhythm is null or s.frequency = of_rhythm)
        and (of_tag is null or s.tags @> array[of_tag]) and (part is null or strpos(lower(s.email::text), part) > 0)
      order by s.email limit least(greatest(coalesce(size, 1000), 1), 1000)
    ) as p
  );
end $$;

create or replace function public.export_subscribers(workspace_id uuid, filter jsonb default '{}', after text default null) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return public.subscribers_after(workspace_id, filter, after);
end $$;

revoke all on function public.subscribers_after(uuid, jsonb, text, int) from public, anon;
grant execute on function public.subscribers_after(uuid, jsonb, text, int) to authenticated, service_role;

-- Where a workspace's public page is, and whether it is open.
create function public.workspace_address(workspace_id uuid) returns json
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return (
    select json_build_object('name', w.name, 'subdomain', w.subdomain, 'open', w.public_changelog_enabled)
    from public.workspaces w where w.id = asked
  );
end $$;

-- {"posts", "next", "address"}: the posts behind `after` ({at, id}, as `next` of the piece before says; null: there are none left). Last edited
-- first and without archived ones, as the app lists them; with `updated_since` the other way round and archived ones too, so that who keeps a
-- copy misses nothing: what is edited while he reads stands behind what he has read. filter: {status, tag, updated_since}. A piece never counts
-- nor skips: it is as quick at the end of a long list as at its beginning.
create function public.posts_after(workspace_id uuid, filter jsonb default '{}', after jsonb default null, size int default 50) returns json
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant text := coalesce(filter ->> 'status', 'all');
  since constant timestamptz := filter ->> 'updated_since';
  most constant int := least(greatest(coalesce(size, 50), 1), 100);
  -- Each in the words of an index: posts_recent or posts_by_status.
  parts constant text[] := case wanted
    when 'all' then array['p.status <> ''archived'''] || case when since is null then '{}'::text[] else array['p.status = ''archived'''] end
    when 'published' then array['p.status <> ''archived'' and p.status <> ''draft'' and (p.status <> ''scheduled'' or p.publish_at <= now())']
    when 'scheduled' then array['p.status = ''scheduled'' and p.publish_at > now()']
    else array[format('p.status = %L', wanted)] end;
  direction constant text := case when since is null then 'desc' else 'asc' end;
  part text;
  pieces text[] := '{}';
  found_ids uuid[];
begin
  perform private.require_role(asked);
  perform private.list_status(wanted);
  foreach part in array parts loop
    pieces := pieces || format(
      '(select p.id, p.updated_at from public.posts p where p.workspace_id = $1 and %s and (p.updated_at, p.id) %s ($2, $3)%s order by p.updated_at %s, p.id %4$s limit $5)',
      part, case when since is null then '<' else '>' end, case when filter ? 'tag' then ' and p.tags @> array[$4]' else '' end, direction);
  end loop;
  execute format('select array(select f.id from (%s) as f order by f.updated_at %s, f.id %2$s limit $5)', array_to_string(pieces, ' union all '), direction)
  into found_ids
  using asked, coalesce((after ->> 'at')::timestamptz, since, 'infinity'),
    coalesce((after ->> 'id')::uuid, case when since is null then 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid else '00000000-0000-0000-0000-000000000000'::uuid end),
    filter ->> 'tag', most + 1;
  return json_build_object(
    'posts', coalesce((
      select json_agg(l order by l.place) from (
        select f.place, p.id, p.external_id, p.title, p.slug, coalesce(p.summary, p.excerpt) as excerpt, p.summary, p.status, p.tags, p.publish_at,
          p.published_at, p.created_at, p.updated_at, p.archived_at, p.author_name, p.version
        from unnest(found_ids[:most]) with ordinality as f (id, place) join public.posts p on p.id = f.id
      ) as l), '[]'),
    'next', case when cardinality(found_ids) > most then (
      select json_build_object('at', p.updated_at, 'id', p.id) from public.posts p where p.id = found_ids[most]) end,
    'address', public.workspace_address(asked)
  );
end $$;

-- create_post with an address by hand, in one step: nobody hears of the post under another one. post: the keys of save_post's patch.
create function public.new_post(workspace_id uuid, post jsonb, idempotency_key text default null) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  answer public.post_details;
begin
  perform set_config('tidings.slug', coalesce(post ->> 'slug', ''), true);
  answer := public.create_post(
    workspace_id => workspace_id, title => post ->> 'title', content_raw => post -> 'content_raw', tags => private.text_array(post -> 'tags'),
    publish_at => (post ->> 'publish_at')::timestamptz, status => post ->> 'status', idempotency_key => idempotency_key, summary => post ->> 'summary',
    published_at => (post ->> 'published_at')::timestamptz, notify => (post ->> 'notify')::boolean
  );
  perform set_config('tidings.slug', '', true);
  return answer;
end $$;

create function public.post_named(workspace_id uuid, external_id text) returns public.post_details
language plpgsql stable set search_path = '' as $$
declare
  answer public.post_details;
begin
  perform private.require_role(post_named.workspace_id);
  select d.* into answer from public.post_details d where d.workspace_id = post_named.workspace_id and d.external_id = post_named.external_id;
  if answer.id is null then perform private.refuse('not_found'); end if;
  return answer;
end $$;

-- {"created", "post"}: the post that a machine outside calls `external_id`, made or changed to what it says: the keys of save_post's patch; absent
-- ones stay. The same again changes nothing, and two at once are one after the other: a release that is sent twice is one post and is told once.
-- `only_new`: refused where there is one.
create function public.put_post(
  workspace_id uuid, external_id text, post jsonb, expected_version int default null, only_new boolean default false
) returns json
language plpgsql set search_path = '' as $$
#variable_conflict use_variable
declare
  present public.posts;
  patch jsonb := post;
  saved uuid;
  answer public.post_details;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  perform pg_advisory_xact_lock(hashtextextended(workspace_id || '/by-external-id/' || external_id, 0));
  select p.* into present from public.posts p where p.workspace_id = put_post.workspace_id and p.external_id = put_post.external_id;
  if present.id is null and expected_version is not null then perform private.refuse('not_found'); end if;
  if present.id is not null and only_new then perform private.explain_refusal(present.id); end if;
  perform set_config('tidings.slug', coalesce(post ->> 'slug', ''), true);
  if present.id is null then
    perform private.tell_readers((post ->> 'notify')::boolean);
    insert into public.posts (workspace_id, external_id, title, content_raw, tags, publish_at, status, summary, published_at)
    values (workspace_id, external_id, post ->> 'title', post -> 'content_raw', private.text_array(post -> 'tags'), (post ->> 'publish_at')::timestamptz,
      coalesce(post ->> 'status', 'draft')::public.post_status, post ->> 'summary', (post ->> 'published_at')::timestamptz)
    returning posts.id into saved;
    perform private.tell_readers(null);
    select d.* into answer from public.post_details d where d.id = saved;
  else
    -- It was scheduled for then and has come out: nothing is left to be done about it.
    if present.status = 'published' and patch ->> 'status' = 'scheduled'
      and date_trunc('milliseconds', (patch ->> 'publish_at')::timestamptz) = present.publish_at then patch := patch - 'status' - 'publish_at'; end if;
    answer := public.save_post(present.id, patch, expected_version);
  end if;
  perform set_config('tidings.slug', '', true);
  return json_build_object('created', present.id is null, 'post', to_jsonb(answer));
end $$;

-- {"posts", "views"}: how many posts there are of each status, and how often they were read in the last 30 days, most read first, a hundred at
-- most; null without the analytics add-on.
create function public.workspace_stats(workspace_id uuid) returns json
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return json_build_object(
    'posts', json_build_object('draft', public.count_posts(asked, 'draft'), 'scheduled', public.count_posts(asked, 'scheduled'),
      'published', public.count_posts(asked, 'published'), 'archived', public.count_posts(asked, 'archived')),
    'views', case when private.has_analytics(asked) then json_build_object(
      'total', (select coalesce(sum(v.views), 0) from public.post_views(asked) as v),
      'posts', coalesce((
        select json_agg(l order by l.views desc, l.id) from (
          select v.post_id as id, p.title, v.views from public.post_views(asked) as v join public.posts p on p.id = v.post_id
          order by v.views desc, v.post_id limit 100
        ) as l), '[]')
    ) end
  );
end $$;
grant execute on function private.has_analytics(uuid) to authenticated, service_role;

revoke all on function public.workspace_address(uuid), public.posts_after(uuid, jsonb, jsonb, int), public.new_post(uuid, jsonb, text),
  public.post_named(uuid, text), public.put_post(uuid, text, jsonb, int, boolean), public.workspace_stats(uuid) from public, anon;
grant execute on function public.workspace_address(uuid), public.posts_after(uuid, jsonb, jsonb, int), public.new_post(uuid, jsonb, text),
  public.post_named(uuid, text), public.put_post(uuid, text, jsonb, int, boolean), public.workspace_stats(uuid) to authenticated, service_role;

-- What of it a key may call. Whoever names tags needs to know which there are.
insert into private.key_calls (call, scopes) values
  ('workspace_address', null), ('posts_after', '{posts:read}'), ('post_named', '{posts:read}'), ('new_post', '{posts:write}'),
  ('put_post', '{posts:write}'), ('subscribers_after', '{subscribers:read}'), ('workspace_stats', '{stats:read}'),
  ('workspace_role', '{media:write}');
update private.key_calls set scopes = '{posts:read,posts:write,tags:write}' where call = 'list_tags';
