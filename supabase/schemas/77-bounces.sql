-- Bounces and complaints: suppressed addresses, and paused workspaces.

-- `key` is the provider's id, so duplicates count once.
create table private.mail_events (
  key text constraint mail_events_pkey primary key constraint mail_events_key_length check (char_length(key) between 1 and 300),
  kind text not null constraint mail_events_kind check (kind in ('hard', 'soft', 'complaint', 'left')),
  workspace_id uuid constraint mail_events_workspace_id_fkey references public.workspaces (id) on delete cascade,
  subscriber_id uuid constraint mail_events_subscriber_id_fkey references public.subscribers (id) on delete cascade,
  delivery_id uuid,
  happened_at timestamptz not null,
  noted_at timestamptz not null default clock_timestamp()
);
create index mail_events_of_workspace on private.mail_events (workspace_id);
create index mail_events_of_subscriber on private.mail_events (subscriber_id);
create index mail_events_noted on private.mail_events (noted_at);

-- Pauses a workspace, and its owner's others, when too many of its last thousand emails bounced, until the operator releases it
-- (supabase/sql/release-mails.sql): all share one sender address. A small number decides nothing, and neither do confirmations asked for on the
-- public page (private.enqueue_subscriber_email).
create function private.pause_harmful_sender(workspace uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  mails int;
  complaints int;
  bounces int;
  reason text;
begin
  select count(*), count(*) filter (where l.bounce = 'complaint'), count(*) filter (where l.bounce = 'hard') into mails, complaints, bounces from (
    select d.bounce from private.deliveries d
    where d.workspace_id = workspace and d.state in ('done', 'failed') and (d.state = 'done' or d.bounce is not null)
      and private.email_audience(d.kind) in ('subscriber', 'recipient')
      -- one row each: exists() would read all subscribers first
      and (d.kind <> 'confirmation' or (select s.consent ->> 'by' is distinct from 'page' from public.subscribers s where s.id = d.target_id))
      and d.ended_at > coalesce((select m.released_at from public.mail_settings m where m.workspace_id = workspace), '-infinity')
    order by d.ended_at desc limit 1000
  ) as l;
  reason := case when complaints >= 3 and complaints > mails * 0.003 then 'complaints' when bounces >= 10 and bounces > mails * 0.05 then 'bounces' end;
  if reason is null then return; end if;
  if not exists (select from public.mail_settings m where m.workspace_id = workspace and m.held_at is null) then return; end if;
  update public.mail_settings m set held_at = clock_timestamp(), held_reason = reason
  where m.held_at is null and m.workspace_id in (
    select theirs.workspace_id from public.members here join public.members theirs on theirs.user_id = here.user_id and theirs.role = 'owner'
    where here.workspace_id = workspace and here.role = 'owner'
  );
  insert into private.deliveries (workspace_id, kind, target_id)
  select m.workspace_id, 'held', m.user_id from public.members m where m.workspace_id = workspace and m.role = 'owner';
end $$;

-- Pauses a new workspace of a paused owner, also a restored one.
create function private.pause_new_workspace() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.mail_settings as m (workspace_id, enabled, held_at, held_reason)
  select new.workspace_id, false, s.held_at, s.held_reason from public.members o join public.mail_settings s on s.workspace_id = o.workspace_id
  where o.user_id = new.user_id and o.role = 'owner' and s.held_at is not null order by s.held_at limit 1
  on conflict on constraint mail_settings_pkey do update set held_at = excluded.held_at, held_reason = excluded.held_reason;
  return null;
end $$;
create trigger members_70_hold_new_workspace after insert on public.members
for each row when (new.role = 'owner') execute function private.pause_new_workspace();

-- Records a bounce or complaint once. An unknown address is suppressed everywhere, a complaint in this workspace; a mailbox that refused three times
-- in fourteen days is paused. True if it was new.
create function private.record_mail_event(key text, kind text, mail private.deliveries, email text, happened timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  reader public.subscribers;
  recipient uuid;
  address text;
begin
  if private.email_audience(mail.kind) in ('owner', 'member') then return false; end if;
  select s.* into reader from public.subscribers s
  where s.id = mail.target_id and s.workspace_id = mail.workspace_id and private.email_audience(mail.kind) = 'subscriber';
  if mail.kind in ('report', 'report_question') then
    select r.id, coalesce(r.email::text, u.email) into recipient, address
    from private.report_recipients r left join auth.users u on u.id = r.user_id where r.id = mail.target_id;
  end if;
  -- Our own record of the recipient is more reliable.
  address := coalesce(reader.email::text, address, case when private.is_mail_address(record_mail_event.email) then record_mail_event.email end);
  insert into private.mail_events (key, kind, workspace_id, subscriber_id, delivery_id, happened_at)
  values (record_mail_event.key, record_mail_event.kind, mail.workspace_id, reader.id, mail.id, least(happened, clock_timestamp()))
  on conflict on constraint mail_events_pkey do nothing;
  if not found then return false; end if;
  update private.deliveries d set bounce = record_mail_event.kind
  where d.id = mail.id and array_position('{soft,hard,complaint}'::text[], record_mail_event.kind)
      > coalesce(array_position('{soft,hard,complaint}'::text[], d.bounce), 0);
  case record_mail_event.kind
    when 'hard' then
      if address is not null then
        insert into private.suppressions (address, reason) values (private.address_hash(address), 'bounce')
        on conflict on constraint suppressions_key do update set reason = 'bounce';
        update public.subscribers s set status = 'suppressed' where s.email operator (extensions.=) address::extensions.citext and s.status <> 'suppressed';
      end if;
    when 'complaint' then
      if address is not null and mail.workspace_id is not null then
        insert into private.suppressions (address, workspace_id, reason) values (private.address_hash(address), mail.workspace_id, 'complaint')
        on conflict on constraint suppressions_key do update set reason = 'complaint';
      end if;
      update public.subscribers s set status = 'suppressed' where s.id = reader.id and s.status <> 'suppressed';
    when 'soft' then
      update public.subscribers s set status = 'paused' where s.id = reader.id and s.status = 'active' and 3 <= (
        select count(distinct coalesce(e.delivery_id::text, e.key)) from private.mail_events e
        where e.subscriber_id = reader.id and e.kind = 'soft' and e.happened_at > clock_timestamp() - interval '14 days'
      );
    else
      update public.subscribers s set status = 'left', left_at = clock_timestamp() where s.id = reader.id and s.status not in ('left', 'suppressed');
  end case;
  if record_mail_event.kind <> 'soft' then
    perform private.stop_reports(r) from private.report_recipients r where r.id = recipient;
  end if;
  if mail.workspace_id is not null and record_mail_event.kind in ('hard', 'complaint') then perform private.pause_harmful_sender(mail.workspace_id); end if;
  return true;
end $$;

-- Providers' reports: [{key, kind: hard|soft|complaint|left, delivery, remote, email, at}]. Returns how many were new.
create function public.note_mail_events(events jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare
  told record;
  mail private.deliveries;
  noted int := 0;
begin
  for told in
    select * from jsonb_to_recordset(events) as e (key text, kind text, delivery uuid, remote text, email text, at timestamptz) order by e.key limit 200
  loop
    -- By our id, the provider's id, or the last one to the address.
    select d.* into mail from private.deliveries d where d.id = told.delivery;
    if mail.id is null then
      select d.* into mail from private.deliveries d where d.remote_id = told.remote order by d.created_at desc limit 1;
    end if;
    if mail.id is null then
      select d.* into mail from public.subscribers s join private.deliveries d on d.target_id = s.id and d.workspace_id = s.workspace_id
      where s.email operator (extensions.=) told.email::extensions.citext and d.attempt > 0
      order by coalesce(d.ended_at, d.due_at) desc limit 1;
    end if;
    noted := noted + private.record_mail_event(told.key, told.kind, mail, told.email, coalesce(told.at, clock_timestamp()))::int;
  end loop;
  return noted;
end $$;

grant execute on function public.note_mail_events to service_role;
