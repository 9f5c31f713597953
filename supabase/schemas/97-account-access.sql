-- What acts for a person without a session, for recovering an account: their API keys, assistants, open invitations and preview links. A rotated key
-- or renewed invitation counts from then, since the secret is new.
create type public.account_access as (
  kind text, id uuid, name text, workspace_id uuid, workspace_name text, made_at timestamptz, last_used_at timestamptz, expires_at timestamptz
);
comment on column public.account_access.last_used_at is 'Null: not yet, or not known.';
comment on column public.account_access.expires_at is 'Null: never.';

-- Revokes what a removed or demoted member has made and could no longer make.
create function private.revoke_access_of_member() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if old.role in ('owner', 'admin') then
    update public.invites i set revoked_at = clock_timestamp()
    where i.created_by = old.user_id and i.workspace_id = old.workspace_id and i.accepted_at is null and i.revoked_at is null
      and not private.may_invite(i.created_by, i.workspace_id, i.role);
  end if;
  if tg_op = 'DELETE' then
    update public.api_keys k set revoked_at = clock_timestamp()
    where k.created_by = old.user_id and k.workspace_id = old.workspace_id and k.revoked_at is null;
  end if;
  if tg_op = 'DELETE' or new.role = 'viewer' then
    delete from private.post_previews v using public.posts p
    where v.created_by = old.user_id and p.id = v.post_id and p.workspace_id = old.workspace_id;
  end if;
  return null;
end $$;
create trigger members_take_their_access_along after delete or update of role on public.members
for each row execute function private.revoke_access_of_member();

create function public.list_account_access(since timestamptz) returns setof public.account_access
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  return query
    select a.kind, a.id, a.name, w.id, w.name, a.made_at, a.last_used_at, a.expires_at
    from public.members m join public.workspaces w on w.id = m.workspace_id cross join lateral (
      select case when k.client_id is null then 'api_key' else 'assistant' end as kind, k.id, k.name,
        case when k.client_id is null then greatest(k.created_at, k.rotated_at) else k.created_at end as made_at, k.last_used_at, k.expires_at
      from public.api_keys k
      where k.created_by = me and k.workspace_id = w.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      union all
      select 'invitation', i.id, coalesce(i.email::text, 'Anyone with the link') || ' (' || i.role || ')',
        greatest(i.created_at, (select max(t.created_at) from private.more_invite_tokens t where t.invite_id = i.id)), null, i.expires_at
      from public.invites i
      where i.created_by = me and i.workspace_id = w.id and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
      union all
      select 'preview_link', v.id, coalesce(nullif(p.title, ''), 'Untitled'), v.created_at, null, v.expires_at
      from private.post_previews v join public.posts p on p.id = v.post_id
      where v.created_by = me and p.workspace_id = w.id and v.expires_at > now()
    ) as a
    where m.user_id = me and a.made_at >= list_account_access.since
    order by a.made_at desc, a.id;
end $$;

create function public.end_account_access(since timestamptz) returns int
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
  one record;
  post uuid;
  ended int := 0;
begin
  delete from private.assistant_codes c where c.person_id = me and c.used_at is null; -- would become connections
  for one in select a.* from public.list_account_access(end_account_access.since) a loop
    case one.kind
      when 'invitation' then update public.invites i set revoked_at = clock_timestamp() where i.id = one.id and i.accepted_at is null and i.revoked_at is null;
      when 'preview_link' then
        delete from private.post_previews v where v.id = one.id returning v.post_id into post;
        perform private.audit(one.workspace_id, 'preview_link_revoked', post, one.name);
      else update public.api_keys k set revoked_at = clock_timestamp() where k.id = one.id and k.revoked_at is null;
    end case;
    ended := ended + 1;
  end loop;
  return ended;
end $$;

grant execute on function public.list_account_access, public.end_account_access to authenticated;
