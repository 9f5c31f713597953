-- Restoring a workspace's copy (87-backups) as a new workspace.

-- Workspaces being restored, or restored. Until `done_at` they have no members, so no one sees half of one; abandoned ones are deleted. `keeps_ids`:
-- the original is gone, so ids stay and feed readers see no duplicates; otherwise rows get new ids.
create table private.restores (
  workspace_id uuid constraint restores_pkey primary key
    constraint restores_workspace_id_fkey references public.workspaces (id) on delete cascade,
  source_id uuid not null,
  asked_in uuid not null, -- whose bucket the copy is in
  key text not null,
  person uuid not null,
  keeps_ids boolean not null,
  alive_at timestamptz not null default clock_timestamp(),
  done_at timestamptz
);
create index restores_of_source on private.restores (source_id);
create index restores_unfinished on private.restores (alive_at) where done_at is null;

-- Ids in the copy that other workspaces have, also maliciously; their rows get new ids.
create table private.taken_ids (
  workspace_id uuid constraint taken_ids_workspace_id_fkey references public.workspaces (id) on delete cascade,
  id uuid,
  constraint taken_ids_pkey primary key (workspace_id, id)
);

-- Deletes restores without activity for ten minutes, in batches.
create function private.delete_abandoned_restores(most int default 500) returns void
language plpgsql security definer set search_path = '' as $$
declare
  dead record;
  part record;
  dropped int;
begin
  for dead in
    select r.workspace_id from private.restores r where r.done_at is null and r.alive_at < clock_timestamp() - interval '10 minutes'
    order by random() limit 3 for update skip locked
  loop
    begin
      dropped := 0;
      for part in
        select * from (values ('public.posts', most), ('public.subscribers', 10 * most), ('public.daily_counts', 40 * most), ('private.post_counts', 40 * most),
          ('private.import_entries', 10 * most)) as p (name, rows)
      loop
        exit when dropped > 0;
        execute format('delete from %1$s t where t.ctid = any (array(select d.ctid from %1$s d where d.workspace_id = $1 limit $2))', part.name)
        using dead.workspace_id, part.rows;
        get diagnostics dropped = row_count;
      end loop;
      if dropped = 0 then perform public.drop_restore(dead.workspace_id); end if;
    exception when others then
      raise warning 'the restore into % is not dropped: %', dead.workspace_id, sqlerrm;
    end;
  end loop;
end $$;
grant execute on function private.delete_abandoned_restores to service_role;

-- Begins a restore: {workspace_id, state: "new", "running" or "done"}. The caller becomes the owner. Idempotent by key.
create function public.begin_restore(
  workspace_id uuid, source_id uuid, key text, name text, subdomain text, idempotency_key text default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  wrong jsonb;
  availability text;
  earlier jsonb;
  known private.restores;
  made uuid;
begin
  perform public.require_backup(workspace_id);
  earlier := private.claim_request(idempotency_key, jsonb_build_array('restore', workspace_id, key, name, subdomain)::text);
  if earlier is not null then
    select r.* into known from private.restores r where r.workspace_id = (earlier ->> 'id')::uuid;
    if known.workspace_id is null then perform private.refuse('not_found'); end if;
    return jsonb_build_object('workspace_id', known.workspace_id, 'state', case when known.done_at is null then 'running' else 'done' end);
  end if;
  wrong := private.workspace_faults(private.clean_line(name), null);
  availability := public.subdomain_status(subdomain);
  if availability = 'invalid' then
    wrong := wrong || '{"subdomain": "Please use {{subdomainMinLength}} to {{subdomainMaxLength}} letters, digits and hyphens, beginning and ending with a letter or digit"}';
  end if;
  -- An abandoned restore still holds ids for ten minutes.
  if exists (
    select from private.restores r join public.workspaces w on w.id = r.workspace_id
    where r.person = auth.uid() and r.done_at is null and r.alive_at < clock_timestamp() - interval '2 minutes'
      and (r.source_id = begin_restore.source_id and r.keeps_ids or lower(w.subdomain::text) = lower(btrim(begin_restore.subdomain)))
  ) then
    wrong := wrong || '{"subdomain": "A restore of yours is not done, or has broken off and is being cleared away. Please try again in a quarter of an hour"}';
  end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if availability <> 'free' then perform private.refuse(availability); end if;
  begin
    insert into public.workspaces (name, subdomain) values (name, lower(btrim(subdomain))) returning id into made;
  exception when unique_violation then
    perform private.refuse('subdomain_taken');
  end;
  insert into public.workspace_add_ons (workspace_id, add_on, granted_by) values (made, 'teams', auth.uid());
  perform pg_advisory_xact_lock(hashtextextended('restores/' || source_id, 0)); -- serialised per source
  insert into private.restores (workspace_id, source_id, asked_in, key, person, keeps_ids)
  values (made, source_id, workspace_id, key, auth.uid(),
    not exists (select from public.workspaces w where w.id = source_id)
      and not exists (select from private.restores r where r.source_id = begin_restore.source_id and r.person = auth.uid() and r.keeps_ids));
  if idempotency_key is not null then perform private.settle_request(idempotency_key, jsonb_build_object('id', made)); end if;
  return jsonb_build_object('workspace_id', made, 'state', 'new');
end $$;
grant execute on function public.begin_restore to authenticated, service_role;

-- A row's id in the restored workspace; stable.
create function private.restored_id(r private.restores, id uuid) returns uuid
language sql stable set search_path = '' as $$
  select case when r.keeps_ids and not exists (select from private.taken_ids t where t.workspace_id = r.workspace_id and t.id = restored_id.id) then id
    else overlay(overlay(md5(r.workspace_id || '/' || id) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid end
$$;

-- The last before-trigger on posts restores every column; derived ones (excerpt, search text) stay.
create function private.restore_columns() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  return jsonb_populate_record(new, current_setting('tidings.restored')::jsonb);
end $$;

-- One post. A past schedule becomes a draft; a future one notifies, unless the original workspace still exists.
create function private.restore_post(r private.restores, line jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  was constant public.posts := jsonb_populate_record(null::public.posts, line);
  is_due constant boolean := was.status = 'scheduled' and was.publish_at <= clock_timestamp();
begin
  perform private.set_notify_subscribers(case when was.status = 'scheduled' and r.keeps_ids then null else false end);
  perform set_config('tidings.restored', jsonb_build_object(
    'status', case when is_due then 'draft' else was.status end, 'publish_at', case when not is_due then was.publish_at end,
    'published_at', was.published_at, 'archived_at', was.archived_at, 'slug', was.slug,
    'version', case when was.version > 1000000000 then 1000000000 else was.version end, -- leaves room for later versions
    'created_by', case when was.created_by = r.person then was.created_by end, 'created_by_name', was.created_by_name,
    'author_id', case when was.author_id = r.person then was.author_id end, 'author_name', was.author_name,
    'updated_by', case when was.updated_by = r.person then was.updated_by end, 'updated_by_name', was.updated_by_name,
    'created_at', was.created_at, 'updated_at', was.updated_at, 'content_updated_at', was.content_updated_at,
    'external_id', was.external_id, 'imported_at', was.imported_at, 'requests', coalesce(was.requests, '{}'))::text, true);
  perform set_config('tidings.autosave', 'on', true); -- drafts can lack a title
  insert into public.posts select p.* from jsonb_populate_record(null::public.posts, private.content_of(line)
    || jsonb_build_object('id', private.restored_id(r, was.id), 'workspace_id', r.workspace_id, 'status', 'draft', 'requests', '[]'::jsonb)) as p;
  perform set_config('tidings.restored', '', true), set_config('tidings.autosave', '', true);
end $$;

-- Refuses dates outside years 1 to 9999, which break jobs.
create function private.require_finite_dates(shape regclass, rows jsonb) returns void
language plpgsql stable set search_path = '' as $$
declare
  field text;
begin
  for field in
    select a.attname from pg_catalog.pg_attribute a
    where a.attrelid = shape and not a.attisdropped and a.atttypid in ('timestamptz'::regtype, 'date'::regtype)
  loop
    if exists (
      select from jsonb_array_elements(rows) as e
      where (e.value ->> field)::timestamptz < '0001-01-01' or (e.value ->> field)::timestamptz >= '10000-01-01'
    ) then raise exception 'a date of the copy is out of range' using errcode = 'datetime_field_overflow'; end if;
  end loop;
end $$;

-- A restore in progress, marked as active; a refusal if it ended or was inactive too long.
create function private.live_restore(workspace uuid) returns private.restores
language plpgsql security definer set search_path = '' as $$
declare
  r private.restores;
begin
  update private.restores t set alive_at = clock_timestamp()
  where t.workspace_id = workspace and t.done_at is null and t.alive_at > clock_timestamp() - interval '10 minutes' returning t.* into r;
  if r.workspace_id is null then perform private.refuse('not_found'); end if;
  return r;
end $$;

-- Rows of one part (contract/workspace-export.ts), posts before what belongs to them. No members, invitations, report recipients, add-ons, domains.
create function public.restore_rows(workspace_id uuid, part text, rows jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  place constant regclass := coalesce(to_regclass('public.' || quote_ident(part)), to_regclass('private.' || quote_ident(part)));
  r constant private.restores := private.live_restore(workspace_id);
  line jsonb;
begin
  if r.keeps_ids and part in ('posts', 'imports', 'templates', 'comment_threads', 'comments', 'subscribers', 'suppressions') then
    perform pg_advisory_xact_lock(hashtextextended('restores/' || r.source_id, 0)); -- two people may restore the same copy
    execute format('insert into private.taken_ids (workspace_id, id) select $1, t.id from %s t
      where t.id = any (array(select (e.value ->> ''id'')::uuid from jsonb_array_elements($2) as e)) and t.workspace_id is distinct from $1
      on conflict on constraint taken_ids_pkey do nothing', place) using r.workspace_id, rows;
  end if;
  perform private.require_finite_dates(place, rows);
  perform private.set_importing(true);
  case part
    when 'posts' then
      for line in select e.value from jsonb_array_elements(rows) as e loop
        perform private.restore_post(r, line);
      end loop;
      perform private.set_notify_subscribers(false);
    when 'post_revisions' then
      -- Restoring the post recorded one.
      delete from public.post_revisions v using jsonb_populate_recordset(null::public.post_revisions, rows) as x
      where v.workspace_id = r.workspace_id and v.post_id = private.restored_id(r, x.post_id) and v.version = x.version;
      insert into public.post_revisions
      select v.* from jsonb_populate_recordset(null::public.post_revisions, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id
      cross join lateral jsonb_populate_record(x, jsonb_build_object('post_id', p.id, 'workspace_id', r.workspace_id,
        'author_id', case when x.author_id = r.person then x.author_id end)) as v
      where x.version <= p.version; -- saved while the copy was made
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
    when 'comments' then -- attributed to the restorer, since a copy can claim anything
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
      select r.workspace_id, private.restored_id(r, x.post_id), x.what, x.day, x.source, case when x.n > 1000000000 then 1000000000 else x.n end
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
  perform private.set_importing(false);
end $$;

-- Single rows: workspace, who can read it, widget, email, appearance and house style. The page stays off. A copy has no password, so only members can read
-- what needed one.
create function public.restore_objects(workspace_id uuid, document jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  r constant private.restores := private.live_restore(workspace_id);
  was constant public.workspaces := jsonb_populate_record(null::public.workspaces, document -> 'workspace');
  look constant public.appearances := jsonb_populate_record(null::public.appearances, document -> 'appearance');
  mails constant public.mail_settings := jsonb_populate_record(null::public.mail_settings, document -> 'mail_settings');
begin
  perform private.require_finite_dates('public.mail_settings', jsonb_build_array(document -> 'mail_settings'));
  perform private.require_finite_dates('public.house_styles', jsonb_build_array(document -> 'house_style'));
  update public.workspaces w set origin = was.origin, allowed_origins = coalesce(was.allowed_origins, '{}'), logo_url = was.logo_url
  where w.id = r.workspace_id;
  if document #>> '{reader_access,access}' in ('unlisted', 'link', 'password', 'token', 'members') then
    insert into private.reader_access (workspace_id, access, emails_content, remembers_readers)
    values (r.workspace_id, replace(document #>> '{reader_access,access}', 'password', 'members'),
      coalesce((document #>> '{reader_access,emails_content}')::boolean, false),
      coalesce((document #>> '{reader_access,remembers_readers}')::boolean, false))
    on conflict on constraint reader_access_pkey do nothing;
  end if;
  if jsonb_typeof(document -> 'widget_settings') = 'object' and document -> 'widget_settings' <> '{}' then
    insert into public.widget_settings (workspace_id, settings) values (r.workspace_id, document -> 'widget_settings')
    on conflict on constraint widget_settings_pkey do update set settings = excluded.settings;
  end if;
  if jsonb_typeof(document -> 'appearance') = 'object' and document -> 'appearance' <> '{}' then
    insert into public.appearances (workspace_id, settings, logo_dark_url, favicon_url)
    values (r.workspace_id, (document -> 'appearance') - '{logo_dark_url,favicon_url}'::text[], look.logo_dark_url, look.favicon_url)
    on conflict on constraint appearances_pkey do update set settings = excluded.settings, logo_dark_url = excluded.logo_dark_url,
      favicon_url = excluded.favicon_url;
  end if;
  if mails.workspace_id is null then
    delete from public.mail_settings m where m.workspace_id = r.workspace_id;
  else
    update public.mail_settings m set enabled = mails.enabled, undo_minutes = mails.undo_minutes, sender_name = mails.sender_name,
      reply_to = mails.reply_to, time_zone = case when private.is_time_zone(mails.time_zone) then mails.time_zone else 'UTC' end,
      held_at = mails.held_at, held_reason = mails.held_reason, released_at = case when mails.released_at > now() then now() else mails.released_at end
    where m.workspace_id = r.workspace_id;
  end if;
  if jsonb_typeof(document -> 'house_style') = 'object' and document -> 'house_style' <> '{}' then
    insert into public.house_styles (workspace_id, text, updated_by, updated_by_name, updated_at)
    select r.workspace_id, x.text, case when x.updated_by = r.person then x.updated_by end, x.updated_by_name, x.updated_at
    from jsonb_populate_record(null::public.house_styles, document -> 'house_style') as x
    on conflict on constraint house_styles_pkey do nothing;
  end if;
end $$;

-- Finishes. `ours`: this installation made the copy for the same owner, unchanged. Otherwise subscribers confirm again: a list can be forged.
create function public.finish_restore(workspace_id uuid, ours boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  r constant private.restores := private.live_restore(workspace_id);
  title text;
begin
  update private.restores t set done_at = clock_timestamp() where t.workspace_id = r.workspace_id;
  -- The caller may no longer own the source workspace.
  if not exists (select from public.members m where m.workspace_id = r.asked_in and m.user_id = r.person and m.role = 'owner') then
    perform private.refuse('forbidden');
  end if;
  perform private.set_importing(true);
  if not ours then
    delete from public.subscribers s where s.workspace_id = r.workspace_id;
    delete from private.suppressions s where s.workspace_id = r.workspace_id;
  else -- unsubscribed, erased, complained and bouncing since: no email (a deleted workspace: bounces only)
    insert into private.suppressions (address, workspace_id, reason)
    select x.address, r.workspace_id, x.reason from private.suppressions x where x.workspace_id = r.source_id
    on conflict on constraint suppressions_key do nothing;
    delete from public.subscribers s using private.suppressions x
    where s.workspace_id = r.workspace_id and x.workspace_id = r.source_id and x.reason = 'erased' and x.address = private.address_hash(s.email::text);
    update public.subscribers s set status = 'suppressed'
    where s.workspace_id = r.workspace_id and s.status <> 'suppressed' and exists (
      select from private.suppressions x where x.address = private.address_hash(s.email::text)
        and (x.workspace_id is null or x.workspace_id = r.source_id and x.reason <> 'erased')
    );
    update public.subscribers s set status = case n.status when 'pending' then 'left' else n.status end, left_at = n.left_at from public.subscribers n
    where s.workspace_id = r.workspace_id and s.status in ('pending', 'active', 'paused') and n.workspace_id = r.source_id
      and n.email operator (extensions.=) s.email and (n.status in ('left', 'paused', 'suppressed') or n.status = 'pending' and n.left_at is not null);
  end if;
  delete from private.taken_ids t where t.workspace_id = r.workspace_id;
  delete from private.count_queue q where q.workspace_id = r.workspace_id; -- not today's events
  insert into private.post_counts (workspace_id, span, first_day, post_id, views, widget_opens, clicks, mails_sent, mails_followed)
  select d.workspace_id, l.span, l.first_day, d.post_id,
    coalesce(sum(d.n) filter (where d.what = 'view'), 0), coalesce(sum(d.n) filter (where d.what = 'view' and d.source = 'widget'), 0),
    coalesce(sum(d.n) filter (where d.what = 'link_click'), 0), coalesce(sum(d.n) filter (where d.what = 'mail_sent'), 0),
    coalesce(sum(d.n) filter (where d.what = 'view' and d.source = 'mail'), 0)
  from public.daily_counts d, lateral (values ('day', d.day), ('month', date_trunc('month', d.day)::date)) as l (span, first_day)
  where d.workspace_id = r.workspace_id and d.post_id is not null group by 1, 2, 3, 4;
  insert into private.workspace_counts (workspace_id, day, views, readers, widget_opens, clicks, widget_shown, mails_sent, mails_followed, subscribed, "left")
  select d.workspace_id, d.day, coalesce(sum(d.n) filter (where d.what = 'view'), 0), coalesce(sum(d.n) filter (where d.what = 'reader'), 0),
    coalesce(sum(d.n) filter (where d.what = 'widget_open'), 0), coalesce(sum(d.n) filter (where d.what = 'link_click'), 0),
    coalesce(sum(d.n) filter (where d.what = 'widget_shown'), 0), coalesce(sum(d.n) filter (where d.what = 'mail_sent'), 0),
    coalesce(sum(d.n) filter (where d.what = 'view' and d.source = 'mail'), 0),
    coalesce(sum(d.n) filter (where d.what = 'subscribed'), 0), coalesce(sum(d.n) filter (where d.what = 'left'), 0)
  from public.daily_counts d
  where d.workspace_id = r.workspace_id and d.post_id is null and d.what not in ('referrer', 'search_none', 'country', 'language') group by 1, 2;
  insert into private.name_days (workspace_id, day)
  select distinct d.workspace_id, d.day from public.daily_counts d
  where d.workspace_id = r.workspace_id and d.post_id is null and d.what in ('referrer', 'search_none', 'country', 'language')
    and d.day >= (now() at time zone 'utc')::date
  on conflict on constraint name_days_pkey do nothing;
  insert into public.members (workspace_id, user_id, role) values (r.workspace_id, r.person, 'owner');
  perform private.set_importing(false, r.workspace_id);
  select w.name into title from public.workspaces w where w.id = r.workspace_id;
  perform private.audit(r.asked_in, 'backup_restored', r.workspace_id, title, jsonb_build_object('key', r.key));
end $$;

-- Deletes an unfinished workspace and frees its subdomain.
create function public.drop_restore(workspace_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  free text;
begin
  delete from public.workspaces w using private.restores r
  where w.id = drop_restore.workspace_id and r.workspace_id = w.id and r.done_at is null returning lower(w.subdomain::text) into free;
  delete from private.released_subdomains s where s.label = free;
end $$;

grant execute on function public.restore_rows, public.restore_objects, public.finish_restore, public.drop_restore to service_role;
