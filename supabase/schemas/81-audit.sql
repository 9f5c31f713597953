-- The audit log: who did what, when and from which network, for owners and admins. Written in the transaction of the change. Lines end after 400 days
-- or with the workspace; when an account is deleted, its name is removed.
create table private.audit_log (
  id bigint generated always as identity constraint audit_log_pkey primary key,
  workspace_id uuid not null constraint audit_log_workspace_id_fkey references public.workspaces (id) on delete cascade,
  happened_at timestamptz not null default clock_timestamp(),
  kind text not null constraint audit_log_kind check (kind in (
    'signed_in',
    'workspace_made', 'member_joined', 'member_left', 'member_removed', 'role_changed', 'ownership_handed_over',
    'invitation_made', 'invitation_changed', 'invitation_revoked',
    'key_made', 'key_used', 'key_rotated', 'key_revoked', 'assistant_connected', 'assistant_ended',
    'webhook_made', 'webhook_changed', 'webhook_on', 'webhook_off', 'webhook_secret_rotated', 'webhook_removed',
    'workspace_exported', 'subscribers_exported', 'audit_exported',
    'workspace_changed', 'changelog_opened', 'changelog_closed', 'access_changed', 'mail_changed', 'widget_changed', 'appearance_changed',
    'report_recipient_named', 'report_recipient_removed',
    'domain_added', 'domain_removed', 'domain_live', 'domain_lost',
    'backup_changed', 'backup_removed', 'backup_restored',
    'post_published', 'post_scheduled', 'post_archived', 'post_restored', 'post_purged', 'posts_imported', 'import_undone',
    'security_changed', 'email_domain_added', 'email_domain_proven', 'email_domain_lost', 'email_domain_removed', 'single_sign_on_tested',
    'break_glass_used', 'factor_reset_requested', 'factor_reset', 'review_rule_changed', 'review_asked', 'review_approved', 'review_refused', 'proposal_accepted', 'proposal_refused',
    'preview_link_made', 'preview_link_revoked', 'house_style_changed'
  )),
  actor_kind text not null constraint audit_log_actor_kind check (actor_kind in ('person', 'key', 'system')),
  actor_id uuid, -- no foreign keys: the line outlives them
  actor_name text,
  network cidr, -- IPv4 /24 or IPv6 /48; null: unknown
  subject_id uuid,
  subject text,
  details jsonb not null default '{}',
  -- The person an assistant acted for.
  person_id uuid,
  person_name text,
  constraint audit_log_actor check ((actor_kind = 'system') = (actor_id is null)),
  constraint audit_log_network check (masklen(network) = case family(network) when 4 then 24 else 48 end)
);
-- No grants, not even to the service role: only the functions below.
create index audit_log_of_workspace on private.audit_log (workspace_id, id desc);
create index audit_log_of_actor on private.audit_log (workspace_id, actor_id, id desc);
create index audit_log_actors on private.audit_log (actor_id); -- deleted accounts
create index audit_log_persons on private.audit_log (person_id) where person_id is not null;
create index audit_log_subjects on private.audit_log (subject_id);
create index audit_log_by_age on private.audit_log (happened_at);

-- Key for /api's signed network header (edge-functions/_shared/network-seal.ts): direct callers of PostgREST could claim any network.
create function public.network_key() returns text
language sql stable security definer set search_path = '' as $$
  select encode(extensions.hmac('network', k.key, 'sha256'), 'hex') from private.mail_key k
$$;

-- The caller's network, from /api's header (valid five minutes for one person) or the transaction's setting (API keys); else null.
create function private.network() returns cidr
language plpgsql stable security definer set search_path = '' as $$
declare
  told text := nullif(current_setting('tidings.network', true), '');
  sealed constant text[] := regexp_match(
    nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-tidings-network', '^([0-9a-f.:/]{4,49}) ([0-9]{10}) ([0-9a-f]{64})$');
begin
  if told is null and sealed is not null and abs(extract(epoch from clock_timestamp()) - sealed[2]::bigint) < 300 then
    -- Compares hashes, against timing attacks.
    if sha256(convert_to(sealed[3], 'UTF8')) = sha256(convert_to(encode(extensions.hmac(
      convert_to(concat_ws(' ', sealed[1], sealed[2], auth.uid()), 'UTF8'), convert_to(public.network_key(), 'UTF8'), 'sha256'), 'hex'), 'UTF8'))
    then told := sealed[1]; end if;
  end if;
  return case when masklen(told::cidr) = case family(told::cidr) when 4 then 24 else 48 end then told::cidr end;
exception when invalid_text_representation then
  return null;
end $$;

-- Writes a line for the current actor: a key, an assistant with its person, a person, or the system.
create function private.audit(
  workspace uuid, kind text, subject_id uuid default null, subject text default null, details jsonb default '{}', of_key uuid default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  key constant uuid := coalesce(of_key, private.key_id());
  person constant uuid := auth.uid();
  in_place_of uuid;
begin
  if not exists (select from public.workspaces w where w.id = workspace) then return; end if; -- the workspace is being deleted
  if key is not null then select k.created_by into in_place_of from public.api_keys k where k.id = key and k.client_id is not null; end if;
  insert into private.audit_log (workspace_id, kind, actor_kind, actor_id, actor_name, network, subject_id, subject, details, person_id, person_name)
  values (workspace, audit.kind, case when key is not null then 'key' when person is not null then 'person' else 'system' end,
    coalesce(key, person), case when key is null then private.my_name() else (select k.name from public.api_keys k where k.id = key) end,
    private.network(), audit.subject_id, audit.subject, audit.details, in_place_of, private.audited_name(in_place_of));
end $$;

-- {"column": [before, after]} of changed columns; absent is null.
create function private.changes(before jsonb, after jsonb) returns jsonb
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(jsonb_object_agg(n.key, jsonb_build_array(before -> n.key, n.value)), '{}')
  from jsonb_each(after) as n where n.value is distinct from coalesce(before -> n.key, 'null')
$$;

-- Null for an account being deleted.
create function private.audited_name(person uuid) returns text
language sql stable security definer set search_path = '' as $$
  select p.full_name from public.profiles p join auth.users u on u.id = p.user_id where p.user_id = person
$$;

-- Also for deleted accounts. On member-left { user_id } servers close that person's sockets.
create function private.record_member_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  what constant text := case when tg_op = 'INSERT' then 'member_joined' when tg_op = 'UPDATE' and new.role = 'owner' then 'ownership_handed_over'
    when tg_op = 'UPDATE' then 'role_changed' when old.user_id = auth.uid() then 'member_left' else 'member_removed' end;
  member constant public.members := coalesce(new, old);
begin
  perform private.audit(member.workspace_id, what, member.user_id, private.audited_name(member.user_id), jsonb_build_object('role',
    case tg_op when 'UPDATE' then jsonb_build_array(old.role, new.role) else to_jsonb(member.role) end));
  if tg_op = 'DELETE' then
    perform private.record_activity(old.workspace_id, what, coalesce((select p.full_name from public.profiles p where p.user_id = old.user_id), 'Someone'));
    perform private.announce(old.workspace_id, 'member-left', jsonb_build_object('user_id', old.user_id));
  end if;
  return null;
end $$;
create trigger members_85_record after insert or delete on public.members for each row execute function private.record_member_change();
create trigger members_85_record_role after update of role on public.members
for each row when (old.role is distinct from new.role) execute function private.record_member_change();

-- Without the invitation's address, which public.list_audit reads while it exists.
create function private.audit_invite() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.audit(new.workspace_id, 'invitation_made', new.id, null, jsonb_build_object('role', new.role));
  elsif new.revoked_at is not null and old.revoked_at is null then
    perform private.audit(new.workspace_id, 'invitation_revoked', new.id, null, jsonb_build_object('role', new.role));
  elsif new.role is distinct from old.role then
    perform private.audit(new.workspace_id, 'invitation_changed', new.id, null, jsonb_build_object('role', jsonb_build_array(old.role, new.role)));
  end if;
  return null;
end $$;
create trigger invites_85_audit after insert or update of role, revoked_at on public.invites
for each row execute function private.audit_invite();

create function private.record_workspace_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  settings constant text[] := '{name,subdomain,origin,allowed_origins,logo_url}';
  switch constant text := case when new.public_changelog_enabled then 'changelog_opened' else 'changelog_closed' end;
  changed jsonb;
begin
  if tg_op = 'INSERT' then
    perform private.audit(new.id, 'workspace_made', new.id, new.name);
    return null;
  end if;
  select private.changes(jsonb_object_agg(s.name, to_jsonb(old) -> s.name), jsonb_object_agg(s.name, to_jsonb(new) -> s.name))
  into changed from unnest(settings) as s (name);
  if changed <> '{}' then perform private.audit(new.id, 'workspace_changed', new.id, new.name, changed); end if;
  if old.public_changelog_enabled is distinct from new.public_changelog_enabled then
    perform private.audit(new.id, switch, new.id, new.name);
    perform private.record_activity(new.id, switch, new.name);
  end if;
  return null;
end $$;
create trigger workspaces_85_record after insert or update on public.workspaces for each row execute function private.record_workspace_change();

-- Changed settings of email, widget (as "group.field") or appearance; the argument is the kind of line.
create function private.audit_settings() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  before constant jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  changed jsonb := private.changes(before, to_jsonb(new) - '{workspace_id,updated_at,held_at,held_reason,released_at,settings}'::text[]);
begin
  if tg_table_name = 'widget_settings' then
    select coalesce(jsonb_object_agg(g.key || '.' || f.key, f.value), '{}') into changed
    from jsonb_each(new.settings) as g, jsonb_each(private.changes(coalesce(before #> array['settings', g.key], '{}'), g.value)) as f;
  elsif tg_table_name = 'appearances' then
    changed := changed || private.changes(coalesce(before -> 'settings', '{}'), new.settings);
  end if;
  if changed <> '{}' then perform private.audit(new.workspace_id, tg_argv[0], null, null, changed); end if;
  return null;
end $$;
create trigger mail_settings_85_audit after update on public.mail_settings
for each row execute function private.audit_settings('mail_changed');
create trigger widget_settings_85_audit after insert or update on public.widget_settings
for each row execute function private.audit_settings('widget_changed');
create trigger appearances_85_audit after insert or update on public.appearances
for each row execute function private.audit_settings('appearance_changed');

-- API keys: created, first used, rotated, revoked. Not the hourly refresh of assistants, nor their creation, which is audited in 80-assistants.
create function private.audit_key() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.client_id is not null then
    if tg_op = 'UPDATE' and old.revoked_at is distinct from new.revoked_at then
      perform private.audit(new.workspace_id, 'assistant_ended', new.id, new.name, jsonb_build_object('host', private.host_of(new.client_id)),
        case when auth.uid() is null then new.id end);
    end if;
  elsif tg_op = 'INSERT' then
    perform private.audit(new.workspace_id, 'key_made', new.id, new.name, jsonb_build_object('scopes', new.scopes, 'expires_at', new.expires_at));
  elsif old.revoked_at is distinct from new.revoked_at then
    perform private.audit(new.workspace_id, 'key_revoked', new.id, new.name);
  elsif old.hash is distinct from new.hash then
    perform private.audit(new.workspace_id, 'key_rotated', new.id, new.name);
  else
    perform private.audit(new.workspace_id, 'key_used', new.id, new.name, '{}', new.id);
  end if;
  return null;
end $$;
create trigger api_keys_85_audit after insert on public.api_keys for each row execute function private.audit_key();
create trigger api_keys_85_audit_changes after update on public.api_keys for each row when (
  old.revoked_at is null and new.revoked_at is not null or old.hash is distinct from new.hash or old.last_used_at is null and new.last_used_at is not null
) execute function private.audit_key();

-- The host only: the path may be a secret.
create function private.host_of(url text) returns text
language sql immutable parallel safe set search_path = '' as $$ select substring(url from '^https?://([^/?#]+)') $$;

create function private.audit_webhook() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  webhook constant private.webhooks := case tg_op when 'DELETE' then old else new end;
  title constant text := coalesce(nullif(webhook.name, ''), private.host_of(webhook.url));
  changed jsonb;
begin
  if tg_op = 'INSERT' then
    perform private.audit(webhook.workspace_id, 'webhook_made', webhook.id, title, jsonb_strip_nulls(jsonb_build_object(
      'kind', webhook.kind, 'url', private.host_of(webhook.url), 'events', webhook.events, 'tags', webhook.tags)));
    return null;
  elsif tg_op = 'DELETE' then
    perform private.audit(webhook.workspace_id, 'webhook_removed', webhook.id, title);
    return null;
  end if;
  changed := private.changes(jsonb_build_object('name', old.name, 'url', private.host_of(old.url), 'events', old.events, 'tags', old.tags),
    jsonb_build_object('name', new.name, 'url', private.host_of(new.url), 'events', new.events, 'tags', new.tags));
  if old.rotated_at is distinct from new.rotated_at then
    perform private.audit(webhook.workspace_id, 'webhook_secret_rotated', webhook.id, title);
  elsif not changed ? 'url' and (old.url, old.sealed) is distinct from (new.url, new.sealed) then
    changed := changed || '{"url": "changed"}';
  end if;
  if changed <> '{}' then perform private.audit(webhook.workspace_id, 'webhook_changed', webhook.id, title, changed); end if;
  if old.off_at is null and new.off_at is not null then
    perform private.audit(webhook.workspace_id, 'webhook_off', webhook.id, title, jsonb_build_object('reason', new.off_reason));
  elsif old.off_at is not null and new.off_at is null then
    perform private.audit(webhook.workspace_id, 'webhook_on', webhook.id, title);
  end if;
  return null;
end $$;
create trigger webhooks_85_audit after insert or delete on private.webhooks for each row execute function private.audit_webhook();
-- Not the columns that each delivery updates.
create trigger webhooks_85_audit_changes after update on private.webhooks for each row when (
  (old.name, old.url, old.sealed, old.events, old.tags, old.rotated_at, old.off_at)
    is distinct from (new.name, new.url, new.sealed, new.events, new.tags, new.rotated_at, new.off_at)
) execute function private.audit_webhook();

-- A sign-in, in each of the person's workspaces, once per session.
create function private.audit_sign_in(person uuid, session uuid, began timestamptz, network cidr) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.audit_log (workspace_id, happened_at, kind, actor_kind, actor_id, actor_name, network, subject_id)
  select m.workspace_id, began, 'signed_in', 'person', person, private.audited_name(person), audit_sign_in.network, session
  from public.members m where m.user_id = person and m.created_at <= began
    and not exists (select from private.audit_log a where a.subject_id = session and a.kind = 'signed_in');
end $$;

-- For /api, which knows the network, right after sign-in.
create function public.note_sign_in() returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.my_id() is null then perform private.refuse('unauthenticated'); end if;
  perform pg_advisory_xact_lock(hashtextextended(private.session_id()::text, 0)); -- serialised
  perform private.join_by_domain(private.my_id());
  perform private.audit_sign_in(private.my_id(), s.id, s.created_at, private.network()) from auth.sessions s where s.id = private.session_id();
end $$;

-- Audits an export: its first page, and a later one if none was audited in the last ten minutes.
create function private.audit_export(workspace uuid, kind text, first_page boolean, details jsonb default '{}') returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not first_page and exists (
    select from private.audit_log a where a.workspace_id = workspace and a.actor_id = coalesce(private.key_id(), auth.uid()) and a.kind = audit_export.kind
      and a.happened_at > now() - interval '10 minutes'
  ) then return; end if;
  perform private.audit(workspace, audit_export.kind, null, null, audit_export.details);
end $$;

-- {"lines", "next", "actors"}: lines that match {actor: id or "system", kinds, from, until}, newest first, after `before`; the cursor or null; with the
-- first page all actors. With `exported` up to 1,000 lines without actors, which is audited.
create function public.list_audit(
  workspace_id uuid, filter jsonb default '{}', before bigint default null, size int default 50, exported boolean default false
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant int := case when exported then 1000 else least(greatest(coalesce(size, 50), 1), 200) end;
  of_actor constant uuid := nullif(filter ->> 'actor', 'system');
  by_system constant boolean := coalesce(filter ->> 'actor' = 'system', false);
  of_kinds constant text[] := case when filter ? 'kinds' then array(select jsonb_array_elements_text(filter -> 'kinds')) end;
  from_when constant timestamptz := filter ->> 'from';
  until_when constant timestamptz := filter ->> 'until';
  lines jsonb;
  actors jsonb := '[]';
begin
  perform private.require_role(asked, '{owner,admin}', true);
  if exported then
    perform private.audit_export(asked, 'audit_exported', before is null, jsonb_strip_nulls(jsonb_build_object('filter', nullif(filter, '{}'))));
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'happened_at', l.happened_at, 'kind', l.kind,
    'actor', jsonb_build_object('kind', l.actor_kind, 'id', l.actor_id, 'name', l.actor_name, 'person', l.person), 'network', l.network::text,
    'subject', case when l.kind in ('invitation_made', 'invitation_changed', 'invitation_revoked') then ( -- by link or deleted: null
      select case when i.accepted_by is not null then private.audited_name(i.accepted_by) else i.email::text end
      from public.invites i where i.id = l.subject_id) else l.subject end,
    'details', l.details) order by l.id desc), '[]') into lines
  from (
    select a.*, case when a.person_id is not null then jsonb_build_object('id', a.person_id, 'name', a.person_name) end as person
    from private.audit_log a
    where a.workspace_id = asked and (before is null or a.id < before) and (of_actor is null or a.actor_id = of_actor)
      and (not by_system or a.actor_id is null) and (of_kinds is null or a.kind = any (of_kinds))
      and (from_when is null or a.happened_at >= from_when) and (until_when is null or a.happened_at < until_when)
    order by a.id desc limit wanted + 1
  ) as l;
  if before is null and not exported then
    with recursive found as ( -- loose index scan
      (select a.actor_id from private.audit_log a where a.workspace_id = asked and a.actor_id is not null order by a.actor_id limit 1)
      union all
      select (select a.actor_id from private.audit_log a where a.workspace_id = asked and a.actor_id > f.actor_id order by a.actor_id limit 1)
      from found f where f.actor_id is not null
    )
    select coalesce(jsonb_agg(jsonb_build_object('kind', l.actor_kind, 'id', f.actor_id, 'name', l.actor_name, 'person',
      case when l.person_id is not null then jsonb_build_object('id', l.person_id, 'name', l.person_name) end)
      order by l.actor_kind desc, lower(l.actor_name), lower(l.person_name)), '[]') into actors
    from found f cross join lateral (
      select a.actor_kind, a.actor_name, a.person_id, a.person_name from private.audit_log a
      where a.workspace_id = asked and a.actor_id = f.actor_id order by a.id desc limit 1
    ) as l;
  end if;
  return jsonb_build_object(
    'lines', case when jsonb_array_length(lines) > wanted then lines - wanted else lines end,
    'next', case when jsonb_array_length(lines) > wanted then lines #> array[(wanted - 1)::text, 'id'] end,
    'actors', actors);
end $$;

grant execute on function public.note_sign_in, public.list_audit to authenticated, service_role;
grant execute on function public.network_key to service_role;
