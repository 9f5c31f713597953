-- A workspace says how it wants its posts written; assistants ask for it before they draft.
alter table private.audit_log drop constraint audit_log_kind;
-- squawk-ignore constraint-missing-not-valid
alter table private.audit_log add constraint audit_log_kind check (kind in (
    'signed_in',
    'workspace_made', 'member_joined', 'member_left', 'member_removed', 'role_changed', 'ownership_handed_over',
    'invitation_made', 'invitation_changed', 'invitation_revoked',
    'key_made', 'key_used', 'key_rotated', 'key_revoked', 'assistant_connected', 'assistant_ended',
    'webhook_made', 'webhook_changed', 'webhook_on', 'webhook_off', 'webhook_secret_rotated', 'webhook_removed',
    'workspace_exported', 'subscribers_exported', 'audit_exported',
    'workspace_changed', 'changelog_opened', 'changelog_closed', 'mail_changed', 'widget_changed', 'appearance_changed',
    'report_recipient_named', 'report_recipient_removed',
    'domain_added', 'domain_removed', 'domain_live', 'domain_lost',
    'backup_changed', 'backup_removed', 'backup_restored',
    'post_published', 'post_scheduled', 'post_archived', 'post_restored', 'post_purged', 'posts_imported', 'import_undone',
    'review_rule_changed', 'review_asked', 'review_approved', 'review_refused', 'proposal_accepted', 'proposal_refused',
    'preview_link_made', 'preview_link_revoked', 'house_style_changed'
  ));

-- How a workspace wants its posts written, in its own words (contract/house-style.ts). Members read it, owners and admins write it: what stands here,
-- assistants follow. And what an assistant is told before it drafts.
create table public.house_styles (
  workspace_id uuid constraint house_styles_pkey primary key
    constraint house_styles_workspace_id_fkey references public.workspaces (id) on delete cascade,
  text text not null constraint house_styles_text_length check (char_length(text) <= 4000), -- "": it was taken back
  updated_by uuid,
  updated_by_name text,
  updated_at timestamptz not null default clock_timestamp()
);
alter table public.house_styles enable row level security;

create policy "members read their workspace's house style" on public.house_styles for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "keys see nothing of this" on public.house_styles as restrictive for all to authenticated
using ((select private.key_workspace()) is null); -- but by public.release_notes_context
-- No insert, update, delete: public.save_house_style.
grant select on public.house_styles to authenticated;
grant select, insert, update, delete on public.house_styles to service_role;
create trigger house_styles_15_key before insert or update or delete on public.house_styles for each statement execute function private.keep_keys_out();

-- With the breaks of its lines. What stands there already is no change: no line in the audit log, and nobody's name in place of who wrote it.
create function public.save_house_style(workspace_id uuid, text text) returns public.house_styles
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := save_house_style.workspace_id;
  said constant text := btrim(replace(replace(coalesce(save_house_style.text, ''), E'\r\n', E'\n'), E'\r', E'\n'), E' \t\n\u00a0\ufeff');
  present public.house_styles;
  saved public.house_styles;
begin
  perform private.require_role(asked, '{owner,admin}');
  if char_length(said) > 4000 then perform private.refuse('validation_failed', '{"text": "Please use at most 4,000 characters"}'); end if;
  perform pg_advisory_xact_lock(hashtextextended('house style/' || asked, 0)); -- of two at once the second one changes what the first one wrote
  select h.* into present from public.house_styles h where h.workspace_id = asked;
  if present.text is not distinct from said then return present; end if;
  insert into public.house_styles as h (workspace_id, text, updated_by, updated_by_name) values (asked, said, auth.uid(), private.my_name())
  on conflict on constraint house_styles_pkey do update set text = excluded.text, updated_by = excluded.updated_by,
    updated_by_name = excluded.updated_by_name, updated_at = clock_timestamp()
  returning h.* into saved;
  perform private.audit(asked, 'house_style_changed', null, null,
    jsonb_build_object('characters', jsonb_build_array(char_length(coalesce(present.text, '')), char_length(said))));
  return saved;
end $$;

-- {"workspace", "language", "house_style", "tags", "carried", "published", "more_published", "unpublished", "more_unpublished"}: what is worth knowing
-- before a post is written. What was published since then, 50 posts at most, else the last 20, newest first; and of what is not out yet the next 20
-- that are scheduled and the 30 drafts that were edited last. Titles and summaries, no texts.
create function public.release_notes_context(workspace_id uuid, since timestamptz default null) returns json
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := release_notes_context.workspace_id;
  most constant int := case when since is null then 20 else 50 end;
  out_ids uuid[];
  scheduled_ids uuid[];
  draft_ids uuid[];
  tags json;
begin
  perform private.require_role(asked);
  tags := public.list_tags(asked);
  -- Each in the words of an index, and one more than is shown: posts_public, posts_upcoming, posts_by_status.
  out_ids := array(
    select p.id from public.posts p
    where p.workspace_id = asked and p.status in ('published', 'scheduled') and (p.status = 'published' or p.publish_at <= now())
      and coalesce(p.published_at, p.publish_at) >= coalesce(since, '-infinity')
    order by coalesce(p.published_at, p.publish_at) desc, p.id desc limit most + 1
  );
  scheduled_ids := array(
    select p.id from public.posts p where p.workspace_id = asked and p.status = 'scheduled' and p.publish_at > now() order by p.publish_at, p.id limit 21
  );
  draft_ids := array(
    select p.id from public.posts p where p.workspace_id = asked and p.status = 'draft' order by p.updated_at desc, p.id desc limit 31
  );
  return json_build_object(
    'workspace', public.workspace_address(asked),
    'language', coalesce((select a.settings ->> 'locale' from public.appearances a where a.workspace_id = asked), 'en'),
    'house_style', (select nullif(h.text, '') from public.house_styles h where h.workspace_id = asked),
    'tags', tags -> 'tags',
    'carried', tags -> 'carried',
    'published', coalesce((
      select json_agg(l order by l.place) from (
        select f.place, p.id, p.title, p.slug, coalesce(p.summary, p.excerpt) as summary, p.tags, coalesce(p.published_at, p.publish_at) as published_at
        from unnest(out_ids[:most]) with ordinality as f (id, place) join public.posts p on p.id = f.id
      ) as l), '[]'),
    'more_published', cardinality(out_ids) > most,
    'unpublished', coalesce((
      select json_agg(l order by l.place) from (
        select f.place, p.id, p.external_id, p.title, coalesce(p.summary, p.excerpt) as summary, p.tags, p.status, p.publish_at, p.updated_at, p.version
        from unnest(scheduled_ids[:20] || draft_ids[:30]) with ordinality as f (id, place) join public.posts p on p.id = f.id
      ) as l), '[]'),
    'more_unpublished', cardinality(scheduled_ids) > 20 or cardinality(draft_ids) > 30
  );
end $$;
insert into private.key_calls (call, scopes) values ('release_notes_context', '{posts:read}');

revoke all on function public.save_house_style(uuid, text), public.release_notes_context(uuid, timestamptz) from public, anon;
grant execute on function public.save_house_style(uuid, text), public.release_notes_context(uuid, timestamptz) to authenticated, service_role;

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
    when 'house_style' then $q$
      select '[]'::jsonb, to_jsonb(h) from public.house_styles h where h.workspace_id = $1 and $2 is null limit $3 $q$
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
  foreach part in array '{workspace,widget_settings,appearance,mail_settings,house_style}'::text[] loop
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

create or replace function public.restore_objects(workspace_id uuid, document jsonb) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  r private.restores;
  was constant public.workspaces := jsonb_populate_record(null::public.workspaces, document -> 'workspace');
  look constant public.appearances := jsonb_populate_record(null::public.appearances, document -> 'appearance');
  mails constant public.mail_settings := jsonb_populate_record(null::public.mail_settings, document -> 'mail_settings');
begin
  update private.restores t set alive_at = clock_timestamp()
  where t.workspace_id = restore_objects.workspace_id and t.done_at is null returning t.* into r;
  if r.workspace_id is null then perform private.refuse('not_found'); end if;
  update public.workspaces w set origin = was.origin, allowed_origins = coalesce(was.allowed_origins, '{}'), logo_url = was.logo_url
  where w.id = r.workspace_id;
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
    delete from public.mail_settings m where m.workspace_id = r.workspace_id; -- it did not mail
  else
    update public.mail_settings m set enabled = mails.enabled, undo_minutes = mails.undo_minutes, sender_name = mails.sender_name,
      reply_to = mails.reply_to, time_zone = mails.time_zone, held_at = mails.held_at, held_reason = mails.held_reason, released_at = mails.released_at
    where m.workspace_id = r.workspace_id;
  end if;
  if jsonb_typeof(document -> 'house_style') = 'object' and document -> 'house_style' <> '{}' then
    insert into public.house_styles (workspace_id, text, updated_by, updated_by_name, updated_at)
    select r.workspace_id, x.text, case when x.updated_by = r.person then x.updated_by end, x.updated_by_name, x.updated_at
    from jsonb_populate_record(null::public.house_styles, document -> 'house_style') as x
    on conflict on constraint house_styles_pkey do nothing; -- it was told twice
  end if;
end $$;
