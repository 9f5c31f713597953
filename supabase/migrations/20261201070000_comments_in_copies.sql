-- Comments are part of what a workspace takes along, and come back with a copy (supabase/schemas/84-backups.sql, 85-leaving.sql).

create or replace function private.export_query(part text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case part
    when 'workspace' then $q$ select '[]'::jsonb, to_jsonb(w) from public.workspaces w where w.id = $1 and $2 is null limit $3 $q$
    when 'widget_settings' then $q$
      select '[]'::jsonb, s.settings from public.widget_settings s where s.workspace_id = $1 and $2 is null limit $3 $q$
    when 'appearance' then $q$
      select '[]'::jsonb, a.settings || jsonb_build_object('logo_dark_url', a.logo_dark_url, 'favicon_url', a.favicon_url)
      from public.appearances a where a.workspace_id = $1 and $2 is null limit $3 $q$
    when 'mail_settings' then $q$
      select '[]'::jsonb, to_jsonb(s) from public.mail_settings s where s.workspace_id = $1 and $2 is null limit $3 $q$
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
    when 'post_slugs' then $q$
      select jsonb_build_array(s.slug), to_jsonb(s) from public.post_slugs s
      where s.workspace_id = $1 and ($2 is null or s.slug > $2 ->> 0) order by s.slug limit $3 $q$
    when 'post_redirects' then $q$
      select jsonb_build_array(r.host, r.path), to_jsonb(r) from public.post_redirects r
      where r.workspace_id = $1 and ($2 is null or (r.host, r.path) > ($2 ->> 0, $2 ->> 1)) order by r.host, r.path limit $3 $q$
    when 'imports' then $q$
      select jsonb_build_array(i.created_at, i.id), to_jsonb(i) - 'activity_id' from public.imports i
      where i.workspace_id = $1 and ($2 is null or (i.created_at, i.id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
      order by i.created_at, i.id limit $3 $q$
    when 'import_entries' then $q$
      select jsonb_build_array(e.external_id, e.import_id), to_jsonb(e) from private.import_entries e
      where e.workspace_id = $1 and ($2 is null or e.external_id >= $2 ->> 0 and (e.external_id, e.import_id) > ($2 ->> 0, ($2 ->> 1)::uuid))
      order by e.external_id, e.import_id limit $3 $q$
    when 'tags' then $q$
      select jsonb_build_array(t.key), to_jsonb(t) from public.tags t
      where t.workspace_id = $1 and ($2 is null or t.key > $2 ->> 0) order by t.key limit $3 $q$
    when 'former_tags' then $q$
      select jsonb_build_array(t.key), to_jsonb(t) from private.former_tags t
      where t.workspace_id = $1 and ($2 is null or t.key > $2 ->> 0) order by t.key limit $3 $q$
    when 'templates' then $q$
      select jsonb_build_array(t.id), to_jsonb(t) from public.templates t
      where t.workspace_id = $1 and ($2 is null or t.id > ($2 ->> 0)::uuid) order by t.id limit $3 $q$
    when 'comment_threads' then $q$
      select jsonb_build_array(t.id), to_jsonb(t) from private.comment_threads t
      where t.workspace_id = $1 and ($2 is null or t.id > ($2 ->> 0)::uuid) order by t.id limit $3 $q$
    when 'comments' then $q$
      select jsonb_build_array(c.id), to_jsonb(c) from private.comments c
      where c.workspace_id = $1 and ($2 is null or c.id > ($2 ->> 0)::uuid) order by c.id limit $3 $q$
    when 'invites' then $q$
      select jsonb_build_array(i.created_at, i.id), to_jsonb(i) - 'token_hash' from public.invites i
      where i.workspace_id = $1 and ($2 is null or (i.created_at, i.id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
      order by i.created_at, i.id limit $3 $q$
    when 'add_ons' then $q$
      select jsonb_build_array(a.add_on), to_jsonb(a) from public.workspace_add_ons a
      where a.workspace_id = $1 and ($2 is null or a.add_on > $2 ->> 0) order by a.add_on limit $3 $q$
    when 'domains' then $q$
      select jsonb_build_array(d.host), to_jsonb(d) - '{token,found}'::text[] from public.domains d
      where d.workspace_id = $1 and ($2 is null or d.host > $2 ->> 0) order by d.host limit $3 $q$
    when 'upgrade_requests' then $q$
      select jsonb_build_array(r.created_at, r.id), to_jsonb(r) from public.upgrade_requests r
      where r.workspace_id = $1 and ($2 is null or (r.created_at, r.id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
      order by r.created_at, r.id limit $3 $q$
    when 'activities' then $q$
      select jsonb_build_array(a.id), to_jsonb(a) from public.activities a
      where a.workspace_id = $1 and ($2 is null or a.id > ($2 ->> 0)::bigint) order by a.id limit $3 $q$
    -- Of the whole workspace first, then of its posts: each in the order of its key, which is null for a workspace.
    when 'daily_counts' then $q$
      select jsonb_build_array(d.post_id, d.what, d.day, d.source), to_jsonb(d) from (
        (select d.* from public.daily_counts d
        where d.workspace_id = $1 and d.post_id is null and (d.what <> 'country' or d.n >= 5) -- fewer tell who it was
          and ($2 is null or $2 ->> 0 is null and (d.what, d.day, d.source) > ($2 ->> 1, ($2 ->> 2)::date, $2 ->> 3))
        order by d.what, d.day, d.source limit $3)
        union all
        (select d.* from public.daily_counts d
        where d.workspace_id = $1 and d.post_id is not null and ($2 is null or $2 ->> 0 is null or d.post_id >= ($2 ->> 0)::uuid
          and (d.post_id, d.what, d.day, d.source) > (($2 ->> 0)::uuid, $2 ->> 1, ($2 ->> 2)::date, $2 ->> 3))
        order by d.post_id, d.what, d.day, d.source limit $3)
      ) as d order by d.post_id nulls first, d.what, d.day, d.source limit $3 $q$
    when 'subscribers' then $q$
      select jsonb_build_array(s.id), to_jsonb(s) from public.subscribers s
      where s.workspace_id = $1 and ($2 is null or s.id > ($2 ->> 0)::uuid) order by s.id limit $3 $q$
    when 'report_recipients' then $q$
      select jsonb_build_array(r.id), to_jsonb(r) from private.report_recipients r
      where r.workspace_id = $1 and ($2 is null or r.id > ($2 ->> 0)::uuid) order by r.id limit $3 $q$
    when 'suppressions' then $q$
      select jsonb_build_array(x.id), to_jsonb(x) from private.suppressions x
      where x.workspace_id = $1 and ($2 is null or x.id > ($2 ->> 0)::uuid) order by x.id limit $3 $q$
    when 'files' then $q$
      select jsonb_build_array(o.bucket_id, o.name), jsonb_build_object('bucket', o.bucket_id, 'path', o.name) from storage.objects o
      where o.bucket_id in ('post-images', 'logos') and o.name like $1 || '/%'
        and ($2 is null or (o.bucket_id, o.name) > ($2 ->> 0, $2 ->> 1))
      order by o.bucket_id, o.name limit $3 $q$
  end
$$;

create or replace function private.export_document(workspace uuid, enough int default 4194304) returns setof text
language plpgsql stable set search_path = '' as $$
declare
  part text;
  page record;
begin
  if not exists (select from public.workspaces w where w.id = workspace) then return; end if;
  return next '{"format": "tidings-workspace-1", "exported_at": ' || to_jsonb(now())::text;
  foreach part in array '{workspace,widget_settings,appearance,mail_settings}'::text[] loop
    return next ', "' || part || '": ' || coalesce(nullif((private.export_page(workspace, part, null)).lines, ''), '{}');
  end loop;
  foreach part in array
    '{members,posts,post_revisions,post_slugs,post_redirects,imports,import_entries,tags,former_tags,templates,comment_threads,comments,invites,add_ons,domains,upgrade_requests,activities,daily_counts,subscribers,report_recipients,suppressions,files}'::text[]
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

create or replace function public.restore_rows(workspace_id uuid, part text, rows jsonb) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  r private.restores;
  line jsonb;
begin
  update private.restores t set alive_at = clock_timestamp() where t.workspace_id = restore_rows.workspace_id and t.done_at is null returning t.* into r;
  if r.workspace_id is null then perform private.refuse('not_found'); end if;
  perform private.begin_importing();
  case part
    when 'posts' then
      for line in select e.value from jsonb_array_elements(rows) as e loop
        perform private.restore_post(r, line);
      end loop;
      perform private.tell_readers(false);
    when 'post_revisions' then
      insert into public.post_revisions as v (post_id, workspace_id, version, status, title, tags, content_raw, publish_at, author_id, author_name,
        created_at, summary, cover_image, published_at, post_author_name, autosaves_since)
      select p.id, r.workspace_id, x.version, x.status, x.title, x.tags, x.content_raw, x.publish_at,
        case when x.author_id = r.person then x.author_id end, x.author_name, x.created_at, x.summary, nullif(x.cover_image, 'null'), x.published_at,
        x.post_author_name, x.autosaves_since
      from jsonb_populate_recordset(null::public.post_revisions, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id
      on conflict on constraint post_revisions_pkey do update set status = excluded.status, title = excluded.title, tags = excluded.tags,
        content_raw = excluded.content_raw, publish_at = excluded.publish_at, author_id = excluded.author_id, author_name = excluded.author_name,
        created_at = excluded.created_at, summary = excluded.summary, cover_image = excluded.cover_image, published_at = excluded.published_at,
        post_author_name = excluded.post_author_name, autosaves_since = excluded.autosaves_since;
    when 'post_slugs' then
      insert into public.post_slugs (workspace_id, slug, post_id, created_at)
      select r.workspace_id, x.slug, p.id, x.created_at from jsonb_populate_recordset(null::public.post_slugs, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id
      on conflict on constraint post_slugs_pkey do update set created_at = excluded.created_at, post_id = excluded.post_id;
    when 'post_redirects' then
      insert into public.post_redirects (workspace_id, host, path, post_id)
      select r.workspace_id, x.host, x.path, p.id from jsonb_populate_recordset(null::public.post_redirects, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id;
    when 'imports' then
      insert into public.imports (id, workspace_id, source, name, total, created_by, created_by_name, created_at, finished_at, undone_at)
      select private.restored_id(r, x.id), r.workspace_id, x.source, x.name, x.total, case when x.created_by = r.person then x.created_by end,
        x.created_by_name, x.created_at, x.finished_at, x.undone_at
      from jsonb_populate_recordset(null::public.imports, rows) as x;
    when 'import_entries' then
      insert into private.import_entries (import_id, external_id, workspace_id, place, title, outcome, problem, post_id, fingerprint, version, before,
        was_quiet, undone, made_at)
      select i.id, x.external_id, r.workspace_id, x.place, x.title, x.outcome, x.problem, private.restored_id(r, x.post_id), x.fingerprint, x.version,
        x.before, x.was_quiet, x.undone, x.made_at
      from jsonb_populate_recordset(null::private.import_entries, rows) as x
      join public.imports i on i.id = private.restored_id(r, x.import_id) and i.workspace_id = r.workspace_id;
    when 'tags' then
      insert into public.tags (workspace_id, label, colour, created_at)
      select r.workspace_id, x.label, x.colour, x.created_at from jsonb_populate_recordset(null::public.tags, rows) as x;
    when 'former_tags' then
      insert into private.former_tags (workspace_id, key, now_key)
      select r.workspace_id, x.key, x.now_key from jsonb_populate_recordset(null::private.former_tags, rows) as x;
    when 'templates' then
      insert into public.templates (id, workspace_id, name, title, summary, tags, content_raw, updated_by, updated_by_name, created_at, updated_at)
      select private.restored_id(r, x.id), r.workspace_id, x.name, x.title, x.summary, x.tags, x.content_raw,
        case when x.updated_by = r.person then x.updated_by end, x.updated_by_name, x.created_at, x.updated_at
      from jsonb_populate_recordset(null::public.templates, rows) as x;
    when 'comment_threads' then
      insert into private.comment_threads (id, workspace_id, post_id, block_id, quote, by_visitor, created_at, resolved_at, resolved_by_name)
      select private.restored_id(r, x.id), r.workspace_id, p.id, x.block_id, x.quote, x.by_visitor, x.created_at, x.resolved_at, x.resolved_by_name
      from jsonb_populate_recordset(null::private.comment_threads, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id;
    when 'comments' then -- by nobody who is here, but for who has the copy put back: a copy may say anything
      insert into private.comments (id, workspace_id, thread_id, user_id, name, text, mentions, created_at, edited_at)
      select private.restored_id(r, x.id), r.workspace_id, t.id,
        case when x.user_id = r.person then x.user_id when x.user_id is not null then gen_random_uuid() end, x.name, x.text, coalesce((
          select jsonb_agg(jsonb_build_object('user_id', gen_random_uuid(), 'name', m.person ->> 'name'))
          from jsonb_array_elements(private.as_list(x.mentions)) as m (person) where m.person ->> 'name' <> ''), '[]'), x.created_at, x.edited_at
      from jsonb_populate_recordset(null::private.comments, rows) as x
      join private.comment_threads t on t.id = private.restored_id(r, x.thread_id) and t.workspace_id = r.workspace_id;
    when 'activities' then
      insert into public.activities (workspace_id, post_id, kind, actor_id, actor_name, title, created_at)
      select r.workspace_id, private.restored_id(r, x.post_id), x.kind, case when x.actor_id = r.person then x.actor_id end, x.actor_name, x.title,
        x.created_at
      from jsonb_populate_recordset(null::public.activities, rows) with ordinality as x order by x.ordinality;
    when 'daily_counts' then
      insert into public.daily_counts (workspace_id, post_id, what, day, source, n)
      select r.workspace_id, private.restored_id(r, x.post_id), x.what, x.day, x.source, x.n
      from jsonb_populate_recordset(null::public.daily_counts, rows) as x;
    when 'subscribers' then
      insert into public.subscribers (id, workspace_id, email, status, frequency, tags, generation, consent, created_at, confirmed_at, left_at,
        last_digest_at)
      select private.restored_id(r, x.id), r.workspace_id, x.email, x.status, x.frequency, x.tags, x.generation, x.consent, x.created_at,
        x.confirmed_at, x.left_at, x.last_digest_at
      from jsonb_populate_recordset(null::public.subscribers, rows) as x;
    when 'suppressions' then
      insert into private.suppressions (id, address, workspace_id, reason, created_at)
      select private.restored_id(r, x.id), x.address, r.workspace_id, x.reason, x.created_at
      from jsonb_populate_recordset(null::private.suppressions, rows) as x;
    else perform private.refuse('validation_failed', '{"part": "This does not come back"}');
  end case;
  perform private.end_importing(r.workspace_id, false);
end $$;
