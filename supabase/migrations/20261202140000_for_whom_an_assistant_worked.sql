-- The audit log names for whom an assistant worked, as the history of posts does: "Ana (Claude)". What stands there already is told too, of
-- connections that are still kept and of people who still have an account.

alter table private.audit_log add column person_id uuid, add column person_name text;

update private.audit_log a set person_id = k.created_by, person_name = private.audited_name(k.created_by)
from public.api_keys k where a.actor_kind = 'key' and k.id = a.actor_id and k.client_id is not null;

-- squawk-ignore require-concurrent-index-creation -- a migration is one transaction; few lines are an assistant's
create index audit_log_persons on private.audit_log (person_id) where person_id is not null;

create or replace function private.audit(
  workspace uuid, kind text, subject_id uuid default null, subject text default null, details jsonb default '{}', of_key uuid default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  key constant uuid := coalesce(of_key, private.key_id());
  person constant uuid := auth.uid();
  in_place_of uuid;
begin
  if not exists (select from public.workspaces w where w.id = workspace) then return; end if; -- it is being deleted itself
  if key is not null then select k.created_by into in_place_of from public.api_keys k where k.id = key and k.client_id is not null; end if;
  insert into private.audit_log (workspace_id, kind, actor_kind, actor_id, actor_name, network, subject_id, subject, details, person_id, person_name)
  values (workspace, audit.kind, case when key is not null then 'key' when person is not null then 'person' else 'system' end,
    coalesce(key, person), case when key is null then private.my_name() else (select k.name from public.api_keys k where k.id = key) end,
    private.network(), audit.subject_id, audit.subject, audit.details, in_place_of, private.audited_name(in_place_of));
end $$;

create or replace function private.forget_person_in_audit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.audit_log a set actor_name = null where a.actor_id = old.user_id and a.actor_kind = 'person';
  update private.audit_log a set person_name = null where a.person_id = old.user_id;
  update private.audit_log a set subject = null where a.subject_id = old.user_id;
  return null;
end $$;

create function private.shown_actor(kind text, id uuid, name text, person_id uuid, person_name text) returns jsonb
language sql immutable parallel safe set search_path = '' as $$
  select jsonb_build_object('kind', kind, 'id', id, 'name', name,
    'person', case when person_id is not null then jsonb_build_object('id', person_id, 'name', person_name) end)
$$;

create or replace function private.shown_audit(a private.audit_log) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('id', a.id, 'happened_at', a.happened_at, 'kind', a.kind,
    'actor', private.shown_actor(a.actor_kind, a.actor_id, a.actor_name, a.person_id, a.person_name),
    'network', a.network::text, 'subject', a.subject, 'details', a.details)
$$;

create or replace function private.audit_actors(workspace uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  with recursive found as ( -- from one to the next in the index, not through all lines
    (select a.actor_id from private.audit_log a where a.workspace_id = workspace and a.actor_id is not null order by a.actor_id limit 1)
    union all
    select (select a.actor_id from private.audit_log a where a.workspace_id = workspace and a.actor_id > f.actor_id order by a.actor_id limit 1)
    from found f where f.actor_id is not null
  )
  select coalesce(jsonb_agg(private.shown_actor(l.actor_kind, f.actor_id, l.actor_name, l.person_id, l.person_name)
    order by l.actor_kind desc, lower(l.actor_name), lower(l.person_name)), '[]')
  from found f cross join lateral (
    select a.actor_kind, a.actor_name, a.person_id, a.person_name from private.audit_log a
    where a.workspace_id = workspace and a.actor_id = f.actor_id order by a.id desc limit 1
  ) as l
$$;
