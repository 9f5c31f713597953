-- Posts as files that others read: Markdown, a CHANGELOG.md, a feed.
-- For /api: posts to be written in a form that others read, half a megabyte of them, and what to send as `after` for those
-- behind them, null when there are none; with the first ones what stands above them. `form` is one of contract/workspace-export.ts: `markdown`
-- is of all posts, in an order that nothing changes, the others of those that readers see, latest first. Of people the owner takes them along;
-- a key that reads posts reads these.
create function public.export_posts(workspace_id uuid, form text, after jsonb default null) returns json
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
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
  if private.key_id() is null then perform private.require_role(asked, '{owner}'); else perform private.require_role(asked); end if;
  perform private.audit_export(asked, 'workspace_exported', after is null, jsonb_build_object('format', form));
  if of_all then
    open keys for select jsonb_build_object('id', p.id), p.id from public.posts p
      where p.workspace_id = asked and (after is null or p.id > (after ->> 'id')::uuid) order by p.id limit most;
  else
    open keys for select jsonb_build_object('at', coalesce(p.published_at, p.publish_at), 'id', p.id), p.id from public.posts p
      where p.workspace_id = asked and p.status in ('published', 'scheduled') and (p.status = 'published' or p.publish_at <= now())
        and (after is null or (coalesce(p.published_at, p.publish_at), p.id) < ((after ->> 'at')::timestamptz, (after ->> 'id')::uuid))
      order by coalesce(p.published_at, p.publish_at) desc, p.id desc limit most;
  end if;
  loop
    fetch keys into place, found_id;
    exit when not found;
    select json_build_object('id', p.id, 'external_id', p.external_id, 'title', p.title, 'slug', p.slug, 'status', p.status, 'tags', p.tags,
      'summary', p.summary, 'excerpt', coalesce(p.summary, p.excerpt), 'cover_image', p.cover_image, 'author_name', p.author_name,
      'publish_at', p.publish_at, 'published_at', p.published_at, 'updated_at', p.content_updated_at, 'content_raw', p.content_raw)
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
revoke all on function public.export_posts(uuid, text, jsonb) from public, anon;
grant execute on function public.export_posts(uuid, text, jsonb) to authenticated, service_role;
insert into private.key_calls (call, scopes) values ('export_posts', '{posts:read}');
