-- A look of its own for every workspace: colour, typeface, layout, language and pictures of page, widget and mails.
-- What is wrong with choices of a look, field by field, in the sentences of contract/appearance.ts; {} when nothing is. Only values: a colour is six
-- digits, a link an address of three kinds, everything else one of a list or plain text. A test compares the lists with the contract.
create function private.appearance_faults(settings jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  choices constant jsonb := '{
    "theme": ["system", "light", "dark"],
    "layout": ["posts", "excerpts"],
    "font": ["inter", "geist", "source-serif", "system"],
    "date_format": ["long", "medium", "short", "iso"],
    "locale": ["en", "de", "fr", "es", "pt", "ja", "ar"],
    "branding": [true, false]
  }';
  faults jsonb := '{}';
  field record;
  link jsonb;
begin
  if jsonb_typeof(settings) is distinct from 'object' then return '{"settings": "Please check the look"}'; end if;
  for field in select s.key, s.value from jsonb_each(settings) as s loop
    if choices ? field.key then
      if not choices -> field.key @> jsonb_build_array(field.value) or jsonb_typeof(field.value) in ('array', 'object') then
        faults := faults || jsonb_build_object(field.key, 'Please choose from the list');
      end if;
    elsif field.key = 'accent' then
      if field.value <> 'null' and (jsonb_typeof(field.value) <> 'string' or field.value #>> '{}' !~ '^#[0-9a-f]{6}$') then
        faults := faults || '{"accent": "Please enter a colour as #rrggbb, e.g. #0b6b62"}';
      end if;
    elsif field.key = 'footer' then
      if jsonb_typeof(field.value) <> 'string' or char_length(field.value #>> '{}') > 200 or field.value #>> '{}' ~ '[[:cntrl:]]' then
        faults := faults || '{"footer": "Please use at most 200 characters"}';
      end if;
    elsif field.key = 'links' then
      if jsonb_typeof(field.value) <> 'array' or jsonb_array_length(field.value) > 6 then
        faults := faults || '{"links": "Please use at most 6 links"}';
        continue;
      end if;
      for link in select l.value from jsonb_array_elements(field.value) as l loop
        if jsonb_typeof(link) <> 'object' or link - '{label,url}'::text[] <> '{}'
          or jsonb_typeof(link -> 'label') is distinct from 'string' or char_length(link ->> 'label') not between 1 and 40
          or link ->> 'label' ~ '[[:cntrl:]]'
        then
          faults := faults || '{"links": "Please enter what the link says"}';
        elsif jsonb_typeof(link -> 'url') is distinct from 'string' or char_length(link ->> 'url') > 2048
          or link ->> 'url' !~ '^(https?://[^/[:space:]]|mailto:[^[:space:]@]+@[^[:space:]@])' or link ->> 'url' ~ '[[:cntrl:]]'
        then
          faults := faults || '{"links": "Please enter an address that begins with https://, http:// or mailto:"}';
        end if;
      end loop;
    else
      faults := faults || jsonb_build_object(field.key, 'Please leave this out');
    end if;
  end loop;
  return faults;
end $$;
grant execute on function private.appearance_faults(jsonb) to authenticated, service_role;

-- How a workspace's page, widget and mails look. What is absent, and a workspace without a row, has the defaults of the contract.
create table public.appearances (
  workspace_id uuid constraint appearances_pkey primary key
    constraint appearances_workspace_id_fkey references public.workspaces (id) on delete cascade,
  settings jsonb not null default '{}' constraint appearances_known check (private.appearance_faults(settings) = '{}'),
  logo_dark_url text constraint appearances_logo_dark_url_shape check (logo_dark_url ~ '^(/[^/]|https?://)' and char_length(logo_dark_url) <= 2048),
  favicon_url text constraint appearances_favicon_url_shape check (favicon_url ~ '^(/[^/]|https?://)' and char_length(favicon_url) <= 2048),
  updated_at timestamptz not null default now()
);
alter table public.appearances enable row level security;

create function private.stamp_appearance() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end $$;
create trigger appearances_are_stamped before insert or update on public.appearances
for each row execute function private.stamp_appearance();
-- Readers see it: 40-public.sql.
create trigger appearances_60_raise_public_version after insert or update or delete on public.appearances
for each row execute function private.public_frame_changed();
alter table public.appearances enable always trigger appearances_60_raise_public_version;
create trigger appearances_discard_their_former_logo after update of logo_dark_url on public.appearances
for each row when (old.logo_dark_url is distinct from new.logo_dark_url)
execute function private.discard_former_picture('logos', 'logo_dark_url', 'workspace_id');
create trigger appearances_discard_their_former_favicon after update of favicon_url on public.appearances
for each row when (old.favicon_url is distinct from new.favicon_url)
execute function private.discard_former_picture('logos', 'favicon_url', 'workspace_id');

create policy "members read their workspace's look" on public.appearances for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "owners and admins make their workspace's look" on public.appearances for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));
create policy "owners and admins change their workspace's look" on public.appearances for update to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))))
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));
-- No delete: it goes with the workspace.

grant select, insert (workspace_id, settings, logo_dark_url, favicon_url), update (settings, logo_dark_url, favicon_url)
  on public.appearances to authenticated;
grant select, insert, update, delete on public.appearances to service_role;

-- A partial save: what is not named keeps its value; of the pictures, null takes one away. Answers the row.
create function public.save_appearance(workspace_id uuid, settings jsonb default '{}', pictures jsonb default '{}') returns public.appearances
language plpgsql set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  given constant jsonb := settings;
  faults constant jsonb := private.appearance_faults(given);
  saved public.appearances;
begin
  perform private.require_role(asked, '{owner,admin}');
  if faults <> '{}' then perform private.refuse('validation_failed', faults); end if;
  insert into public.appearances as a (workspace_id, settings, logo_dark_url, favicon_url)
  values (asked, given, pictures ->> 'logo_dark_url', pictures ->> 'favicon_url')
  on conflict on constraint appearances_pkey do update set
    settings = a.settings || excluded.settings,
    logo_dark_url = case when pictures ? 'logo_dark_url' then excluded.logo_dark_url else a.logo_dark_url end,
    favicon_url = case when pictures ? 'favicon_url' then excluded.favicon_url else a.favicon_url end
  returning a.* into saved;
  return saved;
end $$;
revoke all on function public.save_appearance(uuid, jsonb, jsonb) from public, anon;
grant execute on function public.save_appearance(uuid, jsonb, jsonb) to authenticated, service_role;

-- Keys neither see nor change it.
create trigger appearances_15_key before insert or update or delete on public.appearances
for each statement execute function private.keep_keys_out();
create policy "keys see nothing of this" on public.appearances as restrictive for all to authenticated
using ((select private.key_workspace()) is null);

-- Nobody who has readers gets another page by himself: what is there keeps its excerpts, a new workspace shows whole posts.
insert into public.appearances (workspace_id, settings) select w.id, '{"layout": "excerpts"}' from public.workspaces w;

-- Who changed it stands in the audit log.
alter table private.audit_log drop constraint audit_log_kind;
-- squawk-ignore constraint-missing-not-valid
alter table private.audit_log add constraint audit_log_kind check (kind in (
  'signed_in',
  'workspace_made', 'member_joined', 'member_left', 'member_removed', 'role_changed', 'ownership_handed_over',
  'invitation_made', 'invitation_changed', 'invitation_revoked',
  'key_made', 'key_used', 'key_rotated', 'key_revoked',
  'webhook_made', 'webhook_changed', 'webhook_on', 'webhook_off', 'webhook_secret_rotated', 'webhook_removed',
  'workspace_exported', 'subscribers_exported', 'audit_exported',
  'workspace_changed', 'changelog_opened', 'changelog_closed', 'mail_changed', 'widget_changed', 'appearance_changed',
  'report_recipient_named', 'report_recipient_removed',
  'post_published', 'post_scheduled', 'post_archived', 'post_restored', 'post_purged', 'posts_imported', 'import_undone'
));

create function private.audit_appearance() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  after constant jsonb := new.settings || jsonb_build_object('logo_dark_url', new.logo_dark_url, 'favicon_url', new.favicon_url);
  before constant jsonb := case tg_op
    when 'UPDATE' then old.settings || jsonb_build_object('logo_dark_url', old.logo_dark_url, 'favicon_url', old.favicon_url)
    else '{"logo_dark_url": null, "favicon_url": null}' end;
  changed constant jsonb := private.changes(before, after);
begin
  if changed <> '{}' then perform private.audit(new.workspace_id, 'appearance_changed', null, null, changed); end if;
  return null;
end $$;
create trigger appearances_85_audit after insert or update on public.appearances
for each row execute function private.audit_appearance();

-- Readers see it: one column more.
drop function private.find_workspace(text);
create function private.find_workspace(label text) returns table (
  id uuid, name text, subdomain text, origin text, logo_url text, allowed_origins text[], settings jsonb, version_tag text, mails boolean,
  appearance jsonb
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select w.id, w.name, w.subdomain::text, w.origin, w.logo_url, w.allowed_origins, coalesce(s.settings, '{}'), private.public_version(label),
      private.mails_readers(w.id),
      jsonb_build_object('settings', coalesce(a.settings, '{}'), 'logo_dark_url', a.logo_dark_url, 'favicon_url', a.favicon_url)
    from public.workspaces w
      left join public.widget_settings s on s.workspace_id = w.id
      left join public.appearances a on a.workspace_id = w.id
    where w.id = private.open_workspace(label);
end $$;
grant execute on function private.find_workspace(text) to anon, authenticated, service_role;

-- It goes along with everything else.
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
    when 'invites' then $q$
      select jsonb_build_array(i.created_at, i.id), to_jsonb(i) - 'token_hash' from public.invites i
      where i.workspace_id = $1 and ($2 is null or (i.created_at, i.id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
      order by i.created_at, i.id limit $3 $q$
    when 'add_ons' then $q$
      select jsonb_build_array(a.add_on), to_jsonb(a) from public.workspace_add_ons a
      where a.workspace_id = $1 and ($2 is null or a.add_on > $2 ->> 0) order by a.add_on limit $3 $q$
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
    '{members,posts,post_revisions,post_slugs,post_redirects,imports,import_entries,tags,former_tags,invites,add_ons,upgrade_requests,activities,daily_counts,subscribers,report_recipients,suppressions,files}'::text[]
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
