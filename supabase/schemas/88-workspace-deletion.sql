-- Export of a workspace as one JSON document, and its deletion. supabase/sql has both for operators.

-- Queues all files of a deleted workspace, also those no post showed.
create function private.discard_files() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.discarded_files (bucket, path)
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id in ('post-images', 'logos', 'link-pictures') and o.name like old.id || '/%'
  on conflict on constraint discarded_files_pkey do nothing;
  return old;
end $$;
create trigger workspaces_discard_their_files before delete on public.workspaces for each row execute function private.discard_files();

-- By the owner, confirmed by the name (product decision 18). The subdomain stays reserved for 30 days.
create function public.delete_workspace(workspace_id uuid, name text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked, '{owner}', true);
  if not exists (select from public.workspaces w where w.id = asked and w.name = private.clean_line(delete_workspace.name)) then
    perform private.refuse('validation_failed', '{"name": "Please type the workspace''s name"}');
  end if;
  delete from public.workspaces w where w.id = asked;
end $$;

-- The export by pages, since a value in Postgres holds at most a gigabyte (jsonb a quarter) and a statement takes seconds. /api joins the pages,
-- private.export_document does so for operators. Secrets are left out.

-- The query of a part: cursor and row. $1 workspace, $2 cursor or null, $3 limit. Content is fetched after sorting by key alone.
create function private.export_query(part text) returns text
language plpgsql stable set search_path = '' as $$
declare
  source constant regclass := coalesce(to_regclass('public.' || quote_ident(part)), to_regclass('private.' || quote_ident(part)));
  keys constant text[] := case part when 'post_slugs' then '{slug}' when 'post_redirects' then '{host,path}' when 'tags' then '{key}'
    when 'former_tags' then '{key}' when 'domains' then '{host}' when 'import_entries' then '{external_id,import_id}' when 'imports' then '{created_at,id}'
    when 'invites' then '{created_at,id}' when 'upgrade_requests' then '{created_at,id}' else '{id}' end;
  line constant text := case part when 'imports' then $r$ - 'activity_id'$r$ when 'invites' then $r$ - 'token_hash'$r$
    when 'domains' then $r$ - '{token,found}'::text[]$r$ when 'webhooks' then $r$ - '{sealed,sealed_before}'::text[]
      || jsonb_build_object('url', regexp_replace(t.url, '^(https?://[^/]+/).+(.{4})$', '\1…\2'))$r$ else '' end;
begin
  if part in ('post_slugs', 'post_redirects', 'imports', 'import_entries', 'tags', 'former_tags', 'templates', 'comment_threads', 'comments', 'reviews',
    'invites', 'domains', 'webhooks', 'upgrade_requests', 'activities', 'subscribers', 'report_recipients', 'suppressions') then
    return (
      select format($q$
        select jsonb_build_array(%1$s), to_jsonb(t)%2$s from %3$s t
        where t.workspace_id = $1 and ($2 is null or t.%4$I >= %5$s and (%1$s) > (%6$s)) order by %1$s limit $3 $q$,
        string_agg(format('t.%I', k.name), ', ' order by k.place), line, source, keys[1], min(c.value) filter (where k.place = 1),
        string_agg(c.value, ', ' order by k.place))
      from unnest(keys) with ordinality as k (name, place) join pg_catalog.pg_attribute a on a.attrelid = source and a.attname = k.name
        cross join lateral (select format('($2 ->> %s)::%s', k.place - 1, a.atttypid::regtype)) as c (value)
    );
  end if;
  return case part
    when 'workspace' then $q$ select '[]'::jsonb, to_jsonb(w) - '{is_open,suspension}'::text[] from public.workspaces w where w.id = $1 and $2 is null limit $3 $q$
    when 'reader_access' then $q$
      select '[]'::jsonb, to_jsonb(a) - '{password_hash,generation}'::text[]
      from private.reader_access a where a.workspace_id = $1 and $2 is null limit $3 $q$
    when 'widget_settings' then $q$
      select '[]'::jsonb, s.settings from public.widget_settings s where s.workspace_id = $1 and $2 is null limit $3 $q$
    when 'appearance' then $q$
      select '[]'::jsonb, a.settings || jsonb_build_object('logo_dark_url', a.logo_dark_url, 'favicon_url', a.favicon_url)
      from public.appearances a where a.workspace_id = $1 and $2 is null limit $3 $q$
    when 'mail_settings' then $q$
      select '[]'::jsonb, to_jsonb(s) from public.mail_settings s where s.workspace_id = $1 and $2 is null limit $3 $q$
    when 'house_style' then $q$
      select '[]'::jsonb, to_jsonb(h) from public.house_styles h where h.workspace_id = $1 and $2 is null limit $3 $q$
    when 'review_rules' then $q$
      select '[]'::jsonb, to_jsonb(r) from private.review_rules r where r.workspace_id = $1 and $2 is null limit $3 $q$
    when 'backup' then $q$
      select '[]'::jsonb, to_jsonb(b) - '{sealed_secret,sealed_passphrase,next_at,failing_since}'::text[]
      from private.backups b where b.workspace_id = $1 and $2 is null limit $3 $q$
    when 'members' then $q$
      select jsonb_build_array(m.created_at, m.user_id), to_jsonb(m) || jsonb_build_object('full_name', p.full_name, 'email', u.email)
      from public.members m join public.profiles p on p.user_id = m.user_id join auth.users u on u.id = m.user_id
      where m.workspace_id = $1 and ($2 is null or (m.created_at, m.user_id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
      order by m.created_at, m.user_id limit $3 $q$
    when 'posts' then $q$
      select jsonb_build_array(k.created_at, k.id), r.line from (
        select p.created_at, p.id from public.posts p
        where p.workspace_id = $1 and ($2 is null or (p.created_at, p.id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
        order by p.created_at, p.id limit $3
      ) as k, lateral (select to_jsonb(p) as line from public.posts p where p.id = k.id offset 0) as r order by k.created_at, k.id $q$
    when 'post_revisions' then $q$
      select jsonb_build_array(k.post_id, k.version), r.line from (
        select v.post_id, v.version from public.posts p join public.post_revisions v on v.post_id = p.id
        where p.workspace_id = $1
          and ($2 is null or p.id >= ($2 ->> 0)::uuid and (v.post_id, v.version) > (($2 ->> 0)::uuid, ($2 ->> 1)::int))
        order by v.post_id, v.version limit $3
      ) as k, lateral (
        select to_jsonb(v) as line from public.post_revisions v where v.post_id = k.post_id and v.version = k.version offset 0
      ) as r order by k.post_id, k.version $q$
    when 'proposals' then $q$
      select jsonb_build_array(k.id), r.line from (
        select p.id from private.proposals p where p.workspace_id = $1 and ($2 is null or p.id > ($2 ->> 0)::uuid) order by p.id limit $3
      ) as k, lateral (select to_jsonb(p) as line from private.proposals p where p.id = k.id offset 0) as r order by k.id $q$
    when 'add_ons' then $q$
      select jsonb_build_array(a.add_on), to_jsonb(a) from public.workspace_add_ons a
      where a.workspace_id = $1 and ($2 is null or a.add_on > $2 ->> 0) order by a.add_on limit $3 $q$
    -- The workspace's first, then the posts', by key, which is null for the workspace.
    when 'daily_counts' then $q$
      select jsonb_build_array(d.post_id, d.what, d.day, d.source), to_jsonb(d) from (
        (select d.* from public.daily_counts d
        where d.workspace_id = $1 and d.post_id is null and (d.what <> 'country' or d.n >= 5) -- fewer would identify people
          and ($2 is null or $2 ->> 0 is null and (d.what, d.day, d.source) > ($2 ->> 1, ($2 ->> 2)::date, $2 ->> 3))
        order by d.what, d.day, d.source limit $3)
        union all
        (select d.* from public.daily_counts d
        where d.workspace_id = $1 and d.post_id is not null and ($2 is null or $2 ->> 0 is null or d.post_id >= ($2 ->> 0)::uuid
          and (d.post_id, d.what, d.day, d.source) > (($2 ->> 0)::uuid, $2 ->> 1, ($2 ->> 2)::date, $2 ->> 3))
        order by d.post_id, d.what, d.day, d.source limit $3)
      ) as d order by d.post_id nulls first, d.what, d.day, d.source limit $3 $q$
    when 'files' then $q$
      select jsonb_build_array(o.bucket_id, o.name), jsonb_build_object('bucket', o.bucket_id, 'path', o.name) from storage.objects o
      where o.bucket_id in ('post-images', 'logos') and o.name like $1 || '/%'
        and ($2 is null or (o.bucket_id, o.name) > ($2 ->> 0, $2 ->> 1))
      order by o.bucket_id, o.name limit $3 $q$
  end;
end $$;

-- Rows as JSON, comma-separated, until `enough` bytes or 5,000 rows, and the next cursor or null. Small pages keep the server responsive.
create function private.export_page(workspace uuid, part text, after jsonb, enough int default 1048576, out lines text, out next jsonb)
language plpgsql stable set search_path = '' as $$
declare
  most constant int := 5000;
  source refcursor;
  place jsonb;
  line text;
  page text[] := '{}';
  size bigint := 0;
begin
  open source for execute private.export_query(part) using workspace, after, most;
  loop
    fetch source into place, line;
    exit when not found;
    page := array_append(page, line);
    size := size + octet_length(line);
    if size >= enough or cardinality(page) = most then
      next := place;
      exit;
    end if;
  end loop;
  close source;
  lines := array_to_string(page, ',');
end $$;

-- As a JSON array. The header x-next-rows is the next cursor.
create function private.page_of_export(workspace uuid, part text, after text) returns json
language plpgsql set search_path = '' as $$
declare
  page record;
begin
  select * into page from private.export_page(workspace, part, convert_from(decode(after, 'hex'), 'UTF8')::jsonb);
  if page.next is not null then
    perform set_config('response.headers',
      jsonb_build_array(jsonb_build_object('x-next-rows', encode(convert_to(page.next::text, 'UTF8'), 'hex')))::text, true);
  end if;
  return ('[' || page.lines || ']')::json;
end $$;

create function public.export_rows(workspace_id uuid, part text, after text default null) returns json
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner}', true);
  perform private.audit_export(workspace_id, 'workspace_exported', part = 'workspace' and after is null);
  return private.page_of_export(workspace_id, part, after);
end $$;

-- For /api: half a megabyte of posts and the next cursor or null; the first page has the header. For the owner, and keys that can read posts. `form`:
-- contract/workspace-export.ts; `markdown` has all posts in a stable order, the others visible posts, latest first.
create function public.export_posts(workspace_id uuid, form text, after jsonb default null) returns json
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  most constant int := 200;
  enough constant int := 524288; -- bytes
  of_all constant boolean := form = 'markdown';
  keys refcursor;
  place jsonb;
  found_id uuid;
  line json;
  lines json[] := '{}';
  size bigint := 0;
  next jsonb;
begin
  if private.key_id() is null then perform private.require_role(asked, '{owner}', true); else perform private.require_role(asked); end if;
  perform private.audit_export(asked, 'workspace_exported', after is null, jsonb_build_object('format', form));
  if of_all then
    open keys for select jsonb_build_object('id', p.id), p.id from public.posts p
      where p.workspace_id = asked and (after is null or p.id > (after ->> 'id')::uuid) order by p.id limit most;
  else
    open keys for select jsonb_build_object('at', coalesce(p.published_at, p.publish_at), 'id', p.id), p.id from public.posts p
      where p.workspace_id = asked and p.status in ('published', 'scheduled') and (p.status = 'published' or p.publish_at <= now())
        and p.details -> 'audience' is null
        and (after is null or (coalesce(p.published_at, p.publish_at), p.id) < ((after ->> 'at')::timestamptz, (after ->> 'id')::uuid))
      order by coalesce(p.published_at, p.publish_at) desc, p.id desc limit most;
  end if;
  loop
    fetch keys into place, found_id;
    exit when not found;
    select private.content_of(to_jsonb(p)) || jsonb_build_object('id', p.id, 'external_id', p.external_id, 'slug', p.slug, 'status', p.status,
      'excerpt', coalesce(p.summary, p.excerpt), 'author_name', p.author_name, 'publish_at', p.publish_at, 'published_at', p.published_at,
      'updated_at', p.content_updated_at, 'requests', p.requests)
    into line from public.posts p where p.id = found_id;
    lines := array_append(lines, line);
    size := size + octet_length(line::text);
    if size >= enough or cardinality(lines) = most then
      next := place;
      exit;
    end if;
  end loop;
  close keys;
  return json_build_object('posts', array_to_json(lines), 'next', next, 'workspace', case when after is null then (
    select json_build_object('id', w.id, 'name', w.name, 'subdomain', w.subdomain, 'open', w.public_changelog_enabled, 'logo_url', w.logo_url,
      'tags', coalesce((select json_agg(json_build_object('key', t.key, 'label', t.label, 'colour', t.colour) order by t.key)
        from public.tags t where t.workspace_id = asked), '[]'))
    from public.workspaces w where w.id = asked) end);
end $$;

-- The whole document in parts, in one snapshot.
create function private.export_document(workspace uuid, enough int default 4194304) returns setof text
language plpgsql stable set search_path = '' as $$
declare
  part text;
  page record;
begin
  if not exists (select from public.workspaces w where w.id = workspace) then return; end if;
  return next '{"format": "tidings-workspace-1", "exported_at": ' || to_jsonb(now())::text;
  foreach part in array '{workspace,reader_access,widget_settings,appearance,mail_settings,house_style,review_rules,backup}'::text[] loop
    return next ', "' || part || '": ' || coalesce(nullif((private.export_page(workspace, part, null)).lines, ''), '{}');
  end loop;
  foreach part in array
    '{members,posts,post_revisions,post_slugs,post_redirects,imports,import_entries,tags,former_tags,templates,comment_threads,comments,reviews,proposals,invites,add_ons,domains,webhooks,upgrade_requests,activities,daily_counts,subscribers,report_recipients,suppressions,files}'::text[]
  loop
    select * into page from private.export_page(workspace, part, null, enough);
    return next ', "' || part || '": [' || page.lines;
    while page.next is not null loop
      select * into page from private.export_page(workspace, part, page.next, enough);
      if page.lines <> '' then return next ',' || page.lines; end if;
    end loop;
    return next ']';
  end loop;
  return next '}';
end $$;

grant execute on function public.delete_workspace, public.export_rows, public.export_posts to authenticated, service_role;
