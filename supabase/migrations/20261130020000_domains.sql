-- Names of a workspace's own, to which readers are led.
-- Names of a workspace's own (add-on custom-domain): which it has, what their records are, and whether readers are led there. Who may have a name is
-- proven by a TXT record with this row's token alone: that a name leads to us proves nothing, a CNAME may be left over from a former customer.

create function private.is_domain(host text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  -- `_tidings.` stands before it in the DNS, whose names have at most 253 characters. The last part is no number, so this is no address.
  select coalesce(char_length(host) between 4 and 244 and host ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$', false)
$$;

-- `state` is what is known of it (contract/domains.ts); `leads`: readers are led there, as it is live, or was until `grace_until` is over.
create table public.domains (
  host text constraint domains_pkey primary key constraint domains_host_shape check (private.is_domain(host)),
  workspace_id uuid not null constraint domains_workspace_id_fkey references public.workspaces (id) on delete cascade,
  shown text not null constraint domains_shown_shape check (char_length(shown) between 1 and 253 and shown !~ '[[:cntrl:][:space:]]'),
  token text not null default encode(extensions.gen_random_bytes(16), 'hex'),
  state text not null default 'dns' constraint domains_state check (state in ('dns', 'certificate', 'live', 'lost')),
  leads boolean not null default false,
  found jsonb not null default '{}', -- what stood in the DNS when it was looked at last
  problem text constraint domains_problem_length check (char_length(problem) <= 500),
  failing_since timestamptz, -- of one that is live: nobody got through to it since then
  checked_at timestamptz,
  next_check_at timestamptz not null default clock_timestamp() + interval '1 minute', -- nobody has made its records yet
  live_at timestamptz,
  grace_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  constraint domains_grace check ((state = 'lost') = (grace_until is not null))
);
alter table public.domains enable row level security;
create index domains_of_workspace on public.domains (workspace_id);
create index domains_due on public.domains (next_check_at);

create policy "members read their workspace's own names" on public.domains for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "keys see nothing of this" on public.domains as restrictive for all to authenticated using ((select private.key_workspace()) is null);
-- No insert, update, delete: the calls below.
grant select on public.domains to authenticated;
grant select, insert, update, delete on public.domains to service_role;
create trigger domains_15_key before insert or update or delete on public.domains for each statement execute function private.keep_keys_out();

create function private.has_domains(workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.workspace_add_ons a where a.workspace_id = workspace and a.add_on = 'custom-domain');
end $$;

create function private.tidy_domain() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.leads := new.state = 'live' or new.state = 'lost' and new.grace_until > clock_timestamp();
  return new;
end $$;
create trigger domains_are_tidy before insert or update on public.domains for each row execute function private.tidy_domain();

-- Where readers are led changes what they read: every link on the page. The same goes for the add-on.
create trigger domains_60_raise_public_version after insert or delete on public.domains
for each row execute function private.public_frame_changed();
create trigger domains_60_raise_public_version_after_look after update on public.domains
for each row when (old.state <> new.state or old.leads <> new.leads) execute function private.public_frame_changed();
alter table public.domains enable always trigger domains_60_raise_public_version;
alter table public.domains enable always trigger domains_60_raise_public_version_after_look;
create trigger workspace_add_ons_60_lead_to_domains after insert on public.workspace_add_ons
for each row when (new.add_on = 'custom-domain') execute function private.public_frame_changed();
create trigger workspace_add_ons_60_lead_to_domains_no_more after delete on public.workspace_add_ons
for each row when (old.add_on = 'custom-domain') execute function private.public_frame_changed();
alter table public.workspace_add_ons enable always trigger workspace_add_ons_60_lead_to_domains;
alter table public.workspace_add_ons enable always trigger workspace_add_ons_60_lead_to_domains_no_more;

-- The name that readers of a workspace are led to: the first that became live; null for none.
create function private.domain_of(workspace uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select d.host from public.domains d
    where d.workspace_id = workspace and d.leads and (d.state = 'live' or d.grace_until > now()) and private.has_domains(workspace)
    order by d.state <> 'live', d.live_at, d.host limit 1
  );
end $$;

-- The subdomain of the open workspace whose page stands at a name: one that is live, was until a while ago, or whose records are proven, so that its
-- first certificate can be asked for. Null: there is none.
create function private.workspace_of_host(host text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select w.subdomain::text from public.domains d join public.workspaces w on w.id = d.workspace_id
    where d.host = lower(workspace_of_host.host) and w.public_changelog_enabled
      and (d.state in ('certificate', 'live') or d.grace_until > now()) and private.has_domains(w.id)
  );
end $$;
grant execute on function private.workspace_of_host(text) to anon, authenticated, service_role;

-- Whether a name may be had by another workspace: nobody has proven within a day that it is his, or it was lost and its grace is over.
create function private.gives_way(domain public.domains) returns boolean
language sql stable set search_path = '' as $$
  select domain.state = 'dns' and domain.created_at < now() - interval '24 hours' or domain.state = 'lost' and domain.grace_until <= now()
$$;

create function public.add_domain(workspace_id uuid, host text, shown text) returns public.domains
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := add_domain.workspace_id;
  made public.domains;
begin
  perform private.require_role(asked, '{owner,admin}');
  if not private.has_domains(asked) then perform private.refuse('add_on_required'); end if;
  if not private.is_domain(add_domain.host) then
    perform private.refuse('validation_failed', '{"host": "Please enter a name such as changelog.example.com"}');
  end if;
  -- One of a workspace at a time: the row of its tokens is held until this one is done.
  if private.take_token('addDomain', asked::text, 30, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;
  select d.* into made from public.domains d where d.host = add_domain.host and d.workspace_id = asked;
  if made.host is not null then return made; end if; -- asked twice, it is the same
  if (select count(*) from public.domains d where d.workspace_id = asked) >= 3 then
    perform private.refuse('validation_failed', '{"host": "A workspace can have 3 names of its own. Remove one first"}');
  end if;
  delete from public.domains d where d.host = add_domain.host and private.gives_way(d);
  insert into public.domains (host, workspace_id, shown) values (add_domain.host, asked, coalesce(nullif(left(add_domain.shown, 253), ''), add_domain.host))
  on conflict on constraint domains_pkey do nothing returning * into made;
  if made.host is null then perform private.refuse('domain_taken'); end if;
  return made;
end $$;

create function public.remove_domain(workspace_id uuid, host text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_role(remove_domain.workspace_id, '{owner,admin}');
  delete from public.domains d where d.workspace_id = remove_domain.workspace_id and d.host = remove_domain.host;
  if not found then perform private.refuse('not_found'); end if;
end $$;

-- A look at it was asked for: whether one may, and how often. Answers the row.
create function public.look_at_domain(workspace_id uuid, host text) returns public.domains
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := look_at_domain.workspace_id;
  present public.domains;
begin
  perform private.require_role(asked, '{owner,admin}');
  select d.* into present from public.domains d where d.workspace_id = asked and d.host = look_at_domain.host;
  if present.host is null then perform private.refuse('not_found'); end if;
  if private.take_token('lookAtDomain', asked::text, 30, interval '15 minutes') > 0 then perform private.refuse('rate_limited'); end if;
  return present;
end $$;

revoke all on function public.add_domain(uuid, text, text), public.remove_domain(uuid, text), public.look_at_domain(uuid, text) from public, anon;
grant execute on function public.add_domain(uuid, text, text), public.remove_domain(uuid, text), public.look_at_domain(uuid, text)
  to authenticated, service_role;

-- Takes names whose look is due, for ten minutes; then another worker may. Of a workspace that has the add-on no more none is taken.
create function public.claim_domains(batch int default 10) returns setof public.domains
language sql security definer set search_path = '' as $$
  update public.domains d set next_check_at = clock_timestamp() + interval '10 minutes'
  where d.host in (
    select n.host from public.domains n
    where n.next_check_at <= clock_timestamp() and private.has_domains(n.workspace_id)
    order by n.next_check_at limit least(greatest(coalesce(batch, 10), 1), 50) for update skip locked
  )
  returning d.*
$$;

-- What a look found: {state, found, problem, failing_since, grace_until, after: in so many seconds it is looked at again}. It counts only where the
-- row is as it was then (`token`, `was`): a look that took longer than another one changes nothing. Owners hear of what became live or was lost.
create function public.settle_domain(host text, token text, was text, outcome jsonb) returns public.domains
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  former public.domains;
  present public.domains;
  told text;
begin
  select d.* into former from public.domains d where d.host = settle_domain.host and d.token = settle_domain.token and d.state = was for update;
  if former.host is null then return null; end if;
  update public.domains d set
    state = outcome ->> 'state', found = outcome -> 'found', problem = left(outcome ->> 'problem', 500),
    failing_since = (outcome ->> 'failing_since')::timestamptz, grace_until = (outcome ->> 'grace_until')::timestamptz,
    live_at = case when outcome ->> 'state' = 'live' and not former.leads then clock_timestamp() else d.live_at end,
    checked_at = clock_timestamp(),
    next_check_at = clock_timestamp() + make_interval(secs => greatest((outcome ->> 'after')::float8, 1))
  where d.host = former.host returning d.* into present;
  told := case when present.state = former.state then null when present.state = 'live' then 'domain_live' when former.state = 'live' then 'domain_lost' end;
  if told is not null then
    insert into private.deliveries (workspace_id, channel, kind, target_id, data)
    select m.workspace_id, 'mail', told, m.user_id, jsonb_build_object('about', present.shown)
    from public.members m where m.workspace_id = present.workspace_id and m.role = 'owner';
  end if;
  return present;
end $$;

revoke all on function public.claim_domains(int), public.settle_domain(text, text, text, jsonb) from public, anon, authenticated;
grant execute on function public.claim_domains(int), public.settle_domain(text, text, text, jsonb) to service_role;

-- Who entered and removed a name, and what became of it.
create function private.audit_domain() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit(coalesce(new.workspace_id, old.workspace_id),
    case when tg_op = 'INSERT' then 'domain_added' when tg_op = 'DELETE' then 'domain_removed' when new.state = 'live' then 'domain_live' else 'domain_lost' end,
    null, coalesce(new.shown, old.shown));
  return null;
end $$;
create trigger domains_85_audit after insert or delete on public.domains for each row execute function private.audit_domain();
create trigger domains_85_audit_state after update on public.domains
for each row when (old.state <> new.state and (new.state = 'live' or old.state = 'live')) execute function private.audit_domain();

-- Another workspace's name is refused.
create or replace function private.refuse(code text, detail jsonb default null) returns void
language plpgsql set search_path = '' as $$
declare
  sentence constant text := case code
    when 'unauthenticated' then 'Please sign in to continue.'
    when 'forbidden' then 'Your role in this workspace does not allow this.'
    when 'scope_missing' then 'This API key is not allowed to do this.'
    when 'not_found' then 'This does not exist, or you have no access to it.'
    when 'subdomain_taken' then 'This subdomain is already taken.'
    when 'subdomain_reserved' then 'This subdomain is reserved. Please choose another one.'
    when 'domain_taken' then 'Another workspace uses this name already.'
    when 'slug_taken' then 'Another post of this workspace already has this address.'
    when 'version_conflict' then 'Post updated elsewhere'
    when 'published_post_locked' then 'Published posts cannot be scheduled or moved back to draft status'
    when 'archived_post_locked' then 'This post is archived. Restore it before you change it.'
    when 'already_member' then 'This person is already a member of the workspace.'
    when 'too_many_webhooks' then 'A workspace can have 100 webhooks. Delete one first.'
    when 'webhook_off' then 'This webhook is switched off. Switch it on first.'
    when 'import_over' then 'This import was taken back. Begin a new one.'
    when 'owner_required' then 'Hand ownership over to another member first.'
    when 'invalid_invitation' then 'This invitation link is invalid or has expired.'
    when 'wrong_invitation_account' then 'This invitation was sent to another email address.'
    when 'add_on_required' then 'This workspace does not have the add-on that this needs.'
    when 'validation_failed' then 'Please check the highlighted fields.'
    when 'rate_limited' then 'Too many attempts. Please wait a moment and try again.'
  end;
begin
  if sentence is null then
    raise exception 'no sentence for refusal %', code;
  end if;
  raise exception using errcode = 'P0001', message = sentence, hint = code, detail = coalesce(detail::text, '');
end $$;

-- What happens to names stands in the audit log.
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
  'domain_added', 'domain_removed', 'domain_live', 'domain_lost',
  'post_published', 'post_scheduled', 'post_archived', 'post_restored', 'post_purged', 'posts_imported', 'import_undone'
));

-- Readers are led there: one column more.
drop function private.find_workspace(text);
create function private.find_workspace(label text) returns table (
  id uuid, name text, subdomain text, origin text, logo_url text, allowed_origins text[], settings jsonb, version_tag text, mails boolean,
  appearance jsonb, domain text
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select w.id, w.name, w.subdomain::text, w.origin, w.logo_url, w.allowed_origins, coalesce(s.settings, '{}'), private.public_version(label),
      private.mails_readers(w.id),
      jsonb_build_object('settings', coalesce(a.settings, '{}'), 'logo_dark_url', a.logo_dark_url, 'favicon_url', a.favicon_url),
      private.domain_of(w.id)
    from public.workspaces w
      left join public.widget_settings s on s.workspace_id = w.id
      left join public.appearances a on a.workspace_id = w.id
    where w.id = private.open_workspace(label);
end $$;
grant execute on function private.find_workspace(text) to anon, authenticated, service_role;

-- Owners hear of it by mail; mails know the workspace's look, and where its page is.
alter table private.deliveries drop constraint deliveries_kind;
-- squawk-ignore constraint-missing-not-valid
alter table private.deliveries add constraint deliveries_kind check (kind in (
  'confirmation', 'reminder', 'post', 'digest', 'held', 'webhook_gone', 'webhook_failing', 'domain_live', 'domain_lost',
  'report', 'report_question'));
-- squawk-ignore require-concurrent-index-deletion
drop index private.deliveries_to_owners;
-- squawk-ignore require-concurrent-index-creation
create index deliveries_to_owners on private.deliveries (due_at)
where kind in ('held', 'webhook_gone', 'webhook_failing', 'domain_live', 'domain_lost') and state = 'waiting';
create function private.kinds_for_owners() returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select '{held,webhook_gone,webhook_failing,domain_live,domain_lost}'::text[]
$$;
create or replace function private.hold_harmful(workspace uuid) returns void
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
      and d.kind <> all (private.kinds_for_owners())
      and d.ended_at > coalesce((select m.released_at from public.mail_settings m where m.workspace_id = workspace), '-infinity')
    order by d.ended_at desc limit 1000
  ) as l;
  reason := case when complaints >= 3 and complaints > mails * 0.003 then 'complaints' when bounces >= 10 and bounces > mails * 0.05 then 'bounces' end;
  if reason is null then return; end if;
  update public.mail_settings m set held_at = clock_timestamp(), held_reason = reason where m.workspace_id = workspace and m.held_at is null;
  if not found then return; end if;
  insert into private.deliveries (workspace_id, channel, kind, target_id)
  select m.workspace_id, 'mail', 'held', m.user_id from public.members m where m.workspace_id = workspace and m.role = 'owner';
end $$;
create or replace function private.note_mail_event(key text, kind text, mail private.deliveries, email text, happened timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  reader public.subscribers;
  recipient uuid; -- of reports
  address text;
begin
  if mail.kind = any (private.kinds_for_owners()) then return false; end if;
  select s.* into reader from public.subscribers s where s.id = mail.target_id;
  if mail.kind in ('report', 'report_question') then
    select r.id, coalesce(r.email::text, u.email) into recipient, address
    from private.report_recipients r left join auth.users u on u.id = r.user_id where r.id = mail.target_id;
  end if;
  -- A mail of ours goes to one reader: who that is, we know better.
  address := coalesce(reader.email::text, address, case when private.is_mail_address(note_mail_event.email) then note_mail_event.email end);
  insert into private.mail_events (key, kind, workspace_id, subscriber_id, delivery_id, happened_at)
  values (note_mail_event.key, note_mail_event.kind, mail.workspace_id, reader.id, mail.id, least(happened, clock_timestamp()))
  on conflict on constraint mail_events_pkey do nothing;
  if not found then return false; end if;
  update private.deliveries d set bounce = note_mail_event.kind
  where d.id = mail.id and array_position('{soft,hard,complaint}'::text[], note_mail_event.kind)
      > coalesce(array_position('{soft,hard,complaint}'::text[], d.bounce), 0);
  case note_mail_event.kind
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
  if note_mail_event.kind <> 'soft' then
    perform private.stop_reports(r) from private.report_recipients r where r.id = recipient;
  end if;
  if mail.workspace_id is not null and note_mail_event.kind in ('hard', 'complaint') then perform private.hold_harmful(mail.workspace_id); end if;
  return true;
end $$;
drop function public.claim_mails(int, int, boolean);
create function public.claim_mails(batch int default 50, first_week int default 500, reports boolean default false) returns table (
  id uuid, kind text, attempt int, workspace_id uuid, workspace_name text, subdomain text, logo_url text, sender_name text, reply_to text,
  email text, token text, posts uuid[], month date, appearance jsonb, domain text, about text
)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  size constant int := least(greatest(coalesce(claim_mails.batch, 50), 1), 500);
  today constant date := (clock_timestamp() at time zone 'utc')::date;
  busy uuid[];
  young uuid[];
begin
  with recursive b as ( -- ordered as the index of what waits is
    (select d.workspace_id from private.deliveries d where d.state = 'waiting' order by d.workspace_id, d.due_at limit 1)
    union all
    select (select d.workspace_id from private.deliveries d where d.state = 'waiting' and d.workspace_id > b.workspace_id
      order by d.workspace_id, d.due_at limit 1)
    from b where b.workspace_id is not null
  )
  select array_agg(b.workspace_id), array_agg(b.workspace_id) filter (where w.created_at > now() - interval '7 days') into busy, young
  from b join public.workspaces w on w.id = b.workspace_id;
  if busy is null then return; end if;

  -- Of a new workspace one worker takes after the other, so that no two of them take the same rest of its day.
  if young is not null then
    insert into private.mail_days (workspace_id, day) select y.id, today from unnest(young) as y (id) order by 1
    on conflict on constraint mail_days_pkey do nothing;
    perform from private.mail_days m where m.workspace_id = any (young) and m.day = today order by m.workspace_id for update;
  end if;

  return query
    with open as (
      select b.id, least(size, case when b.id = any (young) then greatest(claim_mails.first_week - (
        select t.mails from private.mail_days t where t.workspace_id = b.id and t.day = today
      ), 0) else size end) as room
      from unnest(busy) as b (id)
      where not exists (select from public.mail_settings m where m.workspace_id = b.id and m.held_at is not null)
    ), candidates as (
      select c.id from (
        select d.id, d.due_at, d.turn from open o, lateral (
          select n.id, n.due_at, row_number() over (order by n.due_at, n.id) as turn from (
            select d.id, d.due_at from private.deliveries d
            where d.workspace_id = o.id and d.state = 'waiting' and d.due_at <= clock_timestamp()
            order by d.due_at, d.id limit o.room
          ) as n
        ) as d
        union -- what an owner is told goes out, too, where nothing else does
        select d.id, d.due_at, 1 from private.deliveries d
        where d.kind = any (private.kinds_for_owners()) and d.state = 'waiting' and d.due_at <= clock_timestamp()
      ) as c
      order by c.turn, c.due_at limit size
    ), held as (
      -- as an array, so that each is looked up by its id, however many wait
      select d.id from private.deliveries d where d.id = any (array(select c.id from candidates c))
        and d.state = 'waiting' and d.due_at <= clock_timestamp() and d.channel = 'mail'
        and (claim_mails.reports or d.kind not in ('report', 'report_question'))
      for update skip locked
    ), looked as (
      select d.id, s, w, m, p.posts, (d.data ->> 'month')::date as month, d.data ->> 'about' as about,
        r.id as recipient,
        coalesce(s.email::text, o.email::text, case when r.id is not null then private.report_address(r) end) as email
      from held h join private.deliveries d on d.id = h.id
      join public.workspaces w on w.id = d.workspace_id
      left join public.mail_settings m on m.workspace_id = d.workspace_id
      left join private.events e on e.id = d.event_id
      left join public.subscribers s on s.id = d.target_id and m.enabled and w.public_changelog_enabled
        and s.status = case d.kind when 'confirmation' then 'pending' else 'active' end::public.subscriber_status
      left join auth.users o on o.id = d.target_id and d.kind = any (private.kinds_for_owners())
        and (d.kind <> 'held' or m.held_at is not null)
      left join private.report_recipients r on r.id = d.target_id
        and r.state = case d.kind when 'report' then 'active' when 'report_question' then 'asked' end
      left join lateral (
        select array_agg(v.id order by v.published_at desc, v.id desc) as posts from (
          select v.id, v.published_at from private.visible_posts v where d.kind = 'post' and v.id = e.post_id
          union all
          (select v.id, v.published_at
          from private.news_of(d.workspace_id, (d.data ->> 'from')::timestamptz, (d.data ->> 'to')::timestamptz) v
          where d.kind = 'digest' and (s.tags is null or s.tags && v.tags) order by v.published_at desc, v.id desc limit 50)
        ) as v
      ) as p on true
    ), taken as (
      update private.deliveries d set
        (state, due_at, attempt, ended_at) = (
          select case when pointless then 'dropped' else 'waiting' end, clock_timestamp() + interval '2 minutes',
            d.attempt + (not pointless)::int, case when pointless then clock_timestamp() end
          from (select l.email is null or d.kind in ('post', 'digest') and l.posts is null) as o (pointless)
        )
      from looked l where d.id = l.id
      returning d.id, d.state, d.kind, d.attempt, d.workspace_id
    ), counted as (
      update private.mail_days c set mails = c.mails + n.mails
      from (select t.workspace_id, count(*) as mails from taken t where t.state = 'waiting' and t.attempt = 1 group by 1) as n
      where c.workspace_id = n.workspace_id and c.day = today
    )
    select t.id, t.kind, t.attempt, (l.w).id, (l.w).name, (l.w).subdomain::text, (l.w).logo_url, (l.m).sender_name, (l.m).reply_to,
      l.email, coalesce(private.subscription_token((l.s).id, (l.s).generation), private.report_token(l.recipient), ''), coalesce(l.posts, '{}'),
      l.month, (select jsonb_build_object('settings', a.settings, 'logo_dark_url', a.logo_dark_url, 'favicon_url', a.favicon_url)
        from public.appearances a where a.workspace_id = t.workspace_id),
      private.domain_of(t.workspace_id), l.about
    from taken t join looked l on l.id = t.id where t.state = 'waiting';
end $$;
revoke all on function public.claim_mails(int, int, boolean) from public, anon, authenticated;
grant execute on function public.claim_mails(int, int, boolean) to service_role;

-- They go along with everything else.
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
    '{members,posts,post_revisions,post_slugs,post_redirects,imports,import_entries,tags,former_tags,invites,add_ons,domains,upgrade_requests,activities,daily_counts,subscribers,report_recipients,suppressions,files}'::text[]
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
