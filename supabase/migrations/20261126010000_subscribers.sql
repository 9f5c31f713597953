-- Readers subscribe by mail: who they are, what leaves the house, and whether a public page offers it.

-- Readers who asked to be told by mail. Nobody is one before the owner of the address has said yes on the page that the first mail leads to;
-- only the functions below write here, and the one secret that a subscriber has is the token in every mail.
create type public.subscriber_status as enum ('pending', 'active', 'paused', 'left', 'suppressed');
create type public.subscriber_frequency as enum ('instant', 'daily', 'weekly');

-- An address as mail programs take it: one @, no blanks or signs that end a header, a domain of letters, digits and hyphens (a name in another
-- script is written xn--…; contract/mail.ts does that).
create function private.is_mail_address(address text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select char_length(address) <= 254
    and address ~ '^[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$'
    and char_length(split_part(address, '@', 1)) <= 64
$$;
grant execute on function private.is_mail_address(text) to service_role;

create table public.subscribers (
  id uuid constraint subscribers_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint subscribers_workspace_id_fkey references public.workspaces (id) on delete cascade,
  email extensions.citext not null constraint subscribers_email_address check (private.is_mail_address(email::text)),
  status public.subscriber_status not null default 'pending',
  frequency public.subscriber_frequency not null default 'instant',
  tags text[], -- null: whatever is published
  generation int not null default 1, -- raised, the links of earlier mails lead nowhere
  consent jsonb not null default '{}', -- to what, when and how: {text, at, by}
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  left_at timestamptz,
  last_digest_at timestamptz, -- what was published until then has been told
  constraint subscribers_email_key unique (workspace_id, email),
  constraint subscribers_active_have_confirmed check (status <> 'active' or confirmed_at is not null)
);
alter table public.subscribers enable row level security;
-- To whom a post goes, and when a digest is due.
create index subscribers_to_tell on public.subscribers (workspace_id, frequency, last_digest_at) where status = 'active';
-- Who never confirmed, for the removal.
create index subscribers_pending on public.subscribers (created_at) where status = 'pending';

create policy "owners and admins read their workspace's subscribers" on public.subscribers for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));
-- No insert, update, delete: the functions below.
grant select on public.subscribers to authenticated;
grant select, insert, update, delete on public.subscribers to service_role;

-- How a workspace mails. Without a row it does not, as all those that were there before there was mail.
create table public.mail_settings (
  workspace_id uuid constraint mail_settings_pkey primary key
    constraint mail_settings_workspace_id_fkey references public.workspaces (id) on delete cascade,
  enabled boolean not null default true,
  undo_minutes int not null default 5 constraint mail_settings_undo_minutes check (undo_minutes between 0 and 60),
  sender_name text constraint mail_settings_sender_name check (char_length(sender_name) between 1 and 80),
  reply_to text constraint mail_settings_reply_to check (private.is_mail_address(reply_to)),
  time_zone text not null default 'UTC', -- of nine o'clock, when digests go out
  updated_at timestamptz not null default now()
);
alter table public.mail_settings enable row level security;

create policy "members read how their workspace mails" on public.mail_settings for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- No insert, update, delete: public.save_mail_settings.
grant select on public.mail_settings to authenticated;
grant select, insert, update, delete on public.mail_settings to service_role;

create function private.begin_mail_settings() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.mail_settings (workspace_id) values (new.id);
  return null;
end $$;
create trigger workspaces_70_begin_mail_settings after insert on public.workspaces
for each row execute function private.begin_mail_settings();
-- The public page shows a form where there is mail.
create trigger mail_settings_60_raise_public_version after insert or update or delete on public.mail_settings
for each row execute function private.public_frame_changed();
alter table public.mail_settings enable always trigger mail_settings_60_raise_public_version;

-- Addresses that nothing is sent to, kept without the address: of one workspace, or of the installation.
create table private.suppressions (
  id uuid constraint suppressions_pkey primary key default gen_random_uuid(),
  address bytea not null, -- sha256 of the address in small letters
  workspace_id uuid constraint suppressions_workspace_id_fkey references public.workspaces (id) on delete cascade,
  reason text not null constraint suppressions_reason check (reason in ('bounce', 'complaint', 'erased')),
  created_at timestamptz not null default now(),
  constraint suppressions_key unique nulls not distinct (address, workspace_id)
);
alter table private.suppressions enable row level security;
create index suppressions_of_workspace on private.suppressions (workspace_id); -- deleting a workspace

create function private.address_hash(email text) returns bytea
language sql immutable parallel safe set search_path = '' as $$
  select sha256(convert_to(lower(email), 'UTF8'))
$$;

-- With what the tokens of subscribers are made; whoever has it can write all of them.
create table private.mail_key (
  only_row boolean constraint mail_key_pkey primary key default true constraint mail_key_one check (only_row),
  key bytea not null default extensions.gen_random_bytes(32)
);
alter table private.mail_key enable row level security;
insert into private.mail_key default values;

-- What stands in the links of a subscriber's mails: who, which generation, and sixteen bytes that only this database can write.
create function private.subscription_token(subscriber uuid, generation int) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  who constant bytea := uuid_send(subscriber) || int4send(generation);
  seal constant bytea := substr(extensions.hmac(who, (select k.key from private.mail_key k), 'sha256'), 1, 16);
begin
  return translate(encode(who || seal, 'base64'), E'+/\n', '-_');
end $$;

-- Whose a token is; null where it is nobody's, of an earlier generation, or of another workspace than the address names.
create function private.subscriber_of(subdomain text, token text) returns public.subscribers
language plpgsql stable security definer set search_path = '' as $$
declare
  found public.subscribers;
  who uuid;
begin
  if token !~ '^[A-Za-z0-9_-]{48}$' then return null; end if;
  who := encode(substr(decode(translate(token, '-_', '+/'), 'base64'), 1, 16), 'hex')::uuid;
  select s.* into found from public.subscribers s join public.workspaces w on w.id = s.workspace_id
  where s.id = who and w.subdomain operator (extensions.=) subscriber_of.subdomain::extensions.citext;
  -- Hashes are compared: how long that takes says nothing of how much was right.
  if found.id is null or sha256(convert_to(private.subscription_token(found.id, found.generation), 'UTF8')) <> sha256(convert_to(token, 'UTF8')) then
    return null;
  end if;
  return found;
end $$;

-- Whether a workspace mails its readers now: its changelog is open and it has not switched mail off.
create function private.mails_readers(workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.workspaces w join public.mail_settings m on m.workspace_id = w.id
    where w.id = workspace and w.public_changelog_enabled and m.enabled
  );
end $$;

-- A reader's wish to be told. Answers whether this workspace takes wishes at all; of the address it says nothing: who is subscribed already,
-- who has left, and whose address nothing is sent to, hear the same, and the one mail there may be is written by the outbox later.
-- `limits` is how many tokens a network and an address have: {network, address}.
create function private.ask_subscription(
  subdomain text, email text, frequency text, tags text[], network text, limits jsonb
) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  workspace constant uuid := private.open_workspace(subdomain);
  wished constant text[] := nullif(private.clean_tags(ask_subscription.tags[1:20]), '{}');
  rhythm constant public.subscriber_frequency := ask_subscription.frequency::public.subscriber_frequency;
  consent constant jsonb := jsonb_build_object('text', 'public page, 1', 'by', 'page', 'at', now());
  known public.subscribers;
begin
  if workspace is null or not private.mails_readers(workspace) then return false; end if;
  if private.take_token('subscribe', network, (limits ->> 'network')::int, interval '1 hour') > 0
    or private.take_token('subscribeMail', lower(ask_subscription.email), (limits ->> 'address')::int, interval '1 day') > 0
    or exists (
      select from private.suppressions s where s.address = private.address_hash(ask_subscription.email)
        and (s.workspace_id is null or s.workspace_id = workspace) and s.reason <> 'erased'
    ) then return true; end if;

  insert into public.subscribers as s (workspace_id, email, frequency, tags, consent)
  values (workspace, ask_subscription.email, rhythm, wished, consent)
  -- A stranger who knows the address changes nothing that somebody has confirmed.
  on conflict on constraint subscribers_email_key do update set
    status = case s.status when 'left' then 'pending' else s.status end,
    frequency = case when s.status in ('pending', 'left') then excluded.frequency else s.frequency end,
    tags = case when s.status in ('pending', 'left') then excluded.tags else s.tags end,
    consent = case when s.status in ('pending', 'left') then excluded.consent else s.consent end,
    created_at = case when s.status in ('pending', 'left') then now() else s.created_at end
  returning s.* into known;
  perform private.deliver_to(known, case when known.status = 'pending' then 'confirmation' else 'reminder' end);
  return true;
end $$;

-- What the page of one subscriber shows; no row where the token is nobody's.
create function private.subscription(subdomain text, token text) returns table (
  email text, status text, frequency text, tags text[], created_at timestamptz, confirmed_at timestamptz, consent jsonb,
  workspace_id uuid, workspace_name text
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  s constant public.subscribers := private.subscriber_of(subscription.subdomain, subscription.token);
begin
  return query
    select s.email::text, s.status::text, s.frequency::text, s.tags, s.created_at, s.confirmed_at, s.consent, w.id, w.name
    from public.workspaces w where w.id = s.workspace_id;
end $$;

-- What the owner of a token wants: confirm, save (rhythm and tags), leave, return, erase. Answers whether there is such a token. Done twice, it
-- is the same.
create function private.change_subscription(
  subdomain text, token text, action text, frequency text default null, tags text[] default null
) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  s constant public.subscribers := private.subscriber_of(change_subscription.subdomain, change_subscription.token);
begin
  if s.id is null then return false; end if;
  case action
    when 'confirm', 'return' then
      update public.subscribers t set status = 'active', confirmed_at = coalesce(t.confirmed_at, now()), left_at = null,
        last_digest_at = case when t.status = 'active' then t.last_digest_at else now() end
      where t.id = s.id and t.status in ('pending', 'left', 'paused');
      delete from private.suppressions x
      where x.address = private.address_hash(s.email::text) and x.workspace_id = s.workspace_id and x.reason = 'erased';
    when 'save' then
      update public.subscribers t set
        frequency = coalesce(change_subscription.frequency::public.subscriber_frequency, t.frequency),
        tags = nullif(private.clean_tags(change_subscription.tags[1:20]), '{}'),
        -- What was published before a digest was wished for is no news.
        last_digest_at = case when t.frequency::text is distinct from change_subscription.frequency then now() else t.last_digest_at end
      where t.id = s.id;
    when 'leave' then
      update public.subscribers t set status = 'left', left_at = now() where t.id = s.id and t.status not in ('left', 'suppressed');
    when 'erase' then
      insert into private.suppressions (address, workspace_id, reason)
      values (private.address_hash(s.email::text), s.workspace_id, 'erased') on conflict on constraint suppressions_key do nothing;
      delete from private.deliveries d where d.target_id = s.id;
      delete from public.subscribers t where t.id = s.id;
    else perform private.refuse('validation_failed', '{"action": "Nothing of that name can be done"}');
  end case;
  return true;
end $$;

grant execute on function private.ask_subscription(text, text, text, text[], text, jsonb), private.subscription(text, text),
  private.change_subscription(text, text, text, text, text[]) to anon, authenticated, service_role;

-- A partial save of how a workspace mails: what is not named keeps its value; null takes the sender's name or the reply address away.
create function public.save_mail_settings(workspace_id uuid, settings jsonb) returns public.mail_settings
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := save_mail_settings.workspace_id;
  given constant jsonb := settings;
  wrong jsonb := '{}';
  saved public.mail_settings;
begin
  perform private.require_role(asked, '{owner,admin}');
  if given ? 'undo_minutes' and (given ->> 'undo_minutes')::numeric is distinct from trunc(least(greatest((given ->> 'undo_minutes')::numeric, 0), 60)) then
    wrong := wrong || '{"undo_minutes": "Please choose 0 to 60 minutes"}';
  end if;
  if char_length(private.clean_line(given ->> 'sender_name')) > 80 then
    wrong := wrong || '{"sender_name": "Please use at most 80 characters"}';
  end if;
  if not private.is_mail_address(given ->> 'reply_to') then wrong := wrong || '{"reply_to": "Please enter a valid email address"}'; end if;
  if given ? 'time_zone' and not exists (select from pg_catalog.pg_timezone_names z where z.name = given ->> 'time_zone') then
    wrong := wrong || '{"time_zone": "This is no time zone"}';
  end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  insert into public.mail_settings as m (workspace_id, enabled) values (asked, coalesce((given ->> 'enabled')::boolean, false))
  on conflict on constraint mail_settings_pkey do nothing;
  update public.mail_settings m set
    enabled = coalesce((given ->> 'enabled')::boolean, m.enabled),
    undo_minutes = coalesce((given ->> 'undo_minutes')::int, m.undo_minutes),
    sender_name = case when given ? 'sender_name' then nullif(private.clean_line(given ->> 'sender_name'), '') else m.sender_name end,
    reply_to = case when given ? 'reply_to' then given ->> 'reply_to' else m.reply_to end,
    time_zone = coalesce(given ->> 'time_zone', m.time_zone),
    updated_at = clock_timestamp()
  where m.workspace_id = asked returning m.* into saved;
  return saved;
end $$;
revoke all on function public.save_mail_settings(uuid, jsonb) from public, anon;
grant execute on function public.save_mail_settings(uuid, jsonb) to authenticated, service_role;

-- How many subscribers a workspace has, by what they are and how often they hear, and how many were new in each of the last twelve weeks, the
-- present one last. For every member: numbers name nobody.
create function public.subscriber_numbers(workspace_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := subscriber_numbers.workspace_id;
begin
  perform private.require_role(asked, '{owner,admin,editor,viewer}');
  return (
    select jsonb_build_object(
      'active', count(*) filter (where s.status = 'active'), 'pending', count(*) filter (where s.status = 'pending'),
      'paused', count(*) filter (where s.status = 'paused'), 'left', count(*) filter (where s.status = 'left'),
      'suppressed', count(*) filter (where s.status = 'suppressed'),
      'instant', count(*) filter (where s.status = 'active' and s.frequency = 'instant'),
      'daily', count(*) filter (where s.status = 'active' and s.frequency = 'daily'),
      'weekly', count(*) filter (where s.status = 'active' and s.frequency = 'weekly'),
      'weeks', (
        select jsonb_agg((
          select count(*) from public.subscribers n where n.workspace_id = asked and n.confirmed_at >= w.monday and n.confirmed_at < w.monday + interval '7 days'
        ) order by w.monday)
        from generate_series(date_trunc('week', now()) - interval '77 days', date_trunc('week', now()), interval '7 days') as w (monday)
      ))
    from public.subscribers s where s.workspace_id = asked
  );
end $$;
revoke all on function public.subscriber_numbers(uuid) from public, anon;
grant execute on function public.subscriber_numbers(uuid) to authenticated, service_role;

-- Takes a subscriber off the list; with `erase`, so that no import can bring the address back.
create function public.remove_subscriber(workspace_id uuid, subscriber uuid, erase boolean default false) returns void
language plpgsql security definer set search_path = '' as $$
declare
  s public.subscribers;
begin
  perform private.require_role(remove_subscriber.workspace_id, '{owner,admin}');
  select t.* into s from public.subscribers t where t.id = subscriber and t.workspace_id = remove_subscriber.workspace_id;
  if s.id is null then perform private.refuse('not_found'); end if;
  if erase then
    insert into private.suppressions (address, workspace_id, reason) values (private.address_hash(s.email::text), s.workspace_id, 'erased')
    on conflict on constraint suppressions_key do nothing;
  end if;
  delete from private.deliveries d where d.target_id = s.id;
  delete from public.subscribers t where t.id = s.id;
end $$;
revoke all on function public.remove_subscriber(uuid, uuid, boolean) from public, anon;
grant execute on function public.remove_subscriber(uuid, uuid, boolean) to authenticated, service_role;

-- Whatever leaves the house (mail; webhooks and chat the same way): what happened is written down in the transaction in which it happens, and
-- delivered later, so that nothing is lost, and nothing told of what was rolled back.

-- `due_at` is when it is told: for a publication after the time in which it can be taken back. Until then it has no deliveries.
create table private.events (
  id uuid constraint events_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint events_workspace_id_fkey references public.workspaces (id) on delete cascade,
  kind text not null constraint events_kind check (kind in ('post.published')),
  post_id uuid,
  actor uuid,
  happened_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  told_at timestamptz
);
alter table private.events enable row level security;
create unique index events_once on private.events (post_id, kind); -- a post is published for the first time once
create index events_due on private.events (due_at) where told_at is null;
create index events_of_workspace on private.events (workspace_id, happened_at desc);

-- One thing for one target. `due_at` is when it may be tried next: a worker that takes it moves that to the end of its lease, so that what a
-- worker did not live to finish is taken again, under the same id.
create table private.deliveries (
  id uuid constraint deliveries_pkey primary key default gen_random_uuid(),
  event_id uuid constraint deliveries_event_id_fkey references private.events (id) on delete cascade,
  workspace_id uuid not null constraint deliveries_workspace_id_fkey references public.workspaces (id) on delete cascade,
  channel text not null constraint deliveries_channel check (channel in ('mail')),
  kind text not null constraint deliveries_kind check (kind in ('confirmation', 'reminder', 'post', 'digest')),
  target_id uuid not null, -- the subscriber
  data jsonb not null default '{}', -- of a digest: {from, to}, the times between which what it tells was published
  due_at timestamptz not null default clock_timestamp(),
  attempt int not null default 0,
  state text not null default 'waiting' constraint deliveries_state check (state in ('waiting', 'done', 'failed', 'dropped')),
  status int, -- what the other side answered
  error text constraint deliveries_error_length check (char_length(error) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint deliveries_once unique (event_id, channel, target_id)
);
alter table private.deliveries enable row level security;
-- What is due, workspace by workspace.
create index deliveries_due on private.deliveries (workspace_id, due_at, id) where state = 'waiting';
create index deliveries_of_workspace on private.deliveries (workspace_id); -- deleting a workspace
create index deliveries_of_target on private.deliveries (target_id);
create index deliveries_ended on private.deliveries (ended_at) where state <> 'waiting'; -- for the removal

-- A mail to one subscriber that no event causes; a second wish while the first waits is the same wish.
create function private.deliver_to(subscriber public.subscribers, kind text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from private.deliveries d where d.target_id = subscriber.id and d.kind = deliver_to.kind and d.state = 'waiting'
  ) then return; end if;
  insert into private.deliveries (workspace_id, channel, kind, target_id) values (subscriber.workspace_id, 'mail', deliver_to.kind, subscriber.id);
end $$;

-- A post that is published for the first time is news, unless somebody said that it is not (set local tidings.quiet: imports, restores, and who
-- publishes without telling). Archived before it was told, it was never told; published again, it is news again.
create function private.note_publication() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status = 'published' then
    if current_setting('tidings.quiet', true) = 'on' then return null; end if;
    insert into private.events (workspace_id, kind, post_id, actor, due_at)
    select new.workspace_id, 'post.published', new.id, auth.uid(), clock_timestamp() + make_interval(mins => coalesce(
      (select m.undo_minutes from public.mail_settings m where m.workspace_id = new.workspace_id), 5))
    on conflict (post_id, kind) do nothing;
  else
    delete from private.events e where e.post_id = new.id and e.told_at is null;
  end if;
  return null;
end $$;
create trigger posts_95_note_new_publication after insert on public.posts
for each row when (new.status = 'published') execute function private.note_publication();
create trigger posts_95_note_publication after update of status on public.posts
for each row when (old.status is distinct from new.status and (old.status = 'published' or new.status = 'published'))
execute function private.note_publication();
create function private.forget_events() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.events e where e.post_id = old.id;
  return null;
end $$;
create trigger posts_95_forget_events after delete on public.posts for each row execute function private.forget_events();

-- What is due becomes deliveries: one for each who is to hear of it now. Any number of callers share the work. What is not visible by then is
-- told to nobody.
create function private.tell_events(batch int default 50) returns int
language plpgsql security definer set search_path = '' as $$
declare
  event private.events;
  told int := 0;
begin
  for event in
    select e.* from private.events e where e.told_at is null and e.due_at <= clock_timestamp()
    order by e.due_at limit batch for update skip locked
  loop
    if private.mails_readers(event.workspace_id) then
      insert into private.deliveries (event_id, workspace_id, channel, kind, target_id)
      select event.id, event.workspace_id, 'mail', 'post', s.id
      from public.subscribers s join private.visible_posts v on v.id = event.post_id
      where s.workspace_id = event.workspace_id and s.status = 'active' and s.frequency = 'instant' and (s.tags is null or s.tags && v.tags)
      on conflict on constraint deliveries_once do nothing;
    end if;
    update private.events e set told_at = clock_timestamp() where e.id = event.id;
    told := told + 1;
  end loop;
  return told;
end $$;

-- The last nine o'clock of a workspace's day, or of its Monday, that has been.
create function private.last_digest_time(time_zone text, rhythm public.subscriber_frequency, moment timestamptz default now()) returns timestamptz
language plpgsql stable set search_path = '' as $$
declare
  here constant timestamp := moment at time zone time_zone;
  nine timestamp := date_trunc(case rhythm when 'weekly' then 'week' else 'day' end, here) + interval '9 hours';
begin
  if nine > here then nine := nine - case rhythm when 'weekly' then interval '7 days' else interval '1 day' end; end if;
  return nine at time zone time_zone;
end $$;

-- One delivery for each whose digest is due and has something in it. The period ends where the next begins: nothing is told twice.
create function private.make_digests() returns int
language plpgsql security definer set search_path = '' as $$
declare
  made int;
begin
  with rhythms as (
    select m.workspace_id, r.rhythm, private.last_digest_time(m.time_zone, r.rhythm) as nine
    from public.mail_settings m join public.workspaces w on w.id = m.workspace_id,
      (values ('daily'::public.subscriber_frequency), ('weekly')) as r (rhythm)
    where m.enabled and w.public_changelog_enabled
  ), due as (
    select s.id, s.workspace_id, s.last_digest_at as since, r.nine as until, s.tags
    from rhythms r join public.subscribers s on s.workspace_id = r.workspace_id and s.frequency = r.rhythm
    where s.status = 'active' and s.last_digest_at < r.nine
    for update of s skip locked
  ), told as (
    update public.subscribers s set last_digest_at = d.until from due d where s.id = d.id returning d.id, d.workspace_id, d.since, d.until, d.tags
  )
  insert into private.deliveries (workspace_id, channel, kind, target_id, data)
  select t.workspace_id, 'mail', 'digest', t.id, jsonb_build_object('from', t.since, 'to', t.until) from told t
  where exists (
    select from private.visible_posts v where v.workspace_id = t.workspace_id and v.published_at > t.since and v.published_at <= t.until
      and (t.tags is null or t.tags && v.tags)
  );
  get diagnostics made = row_count;
  return made;
end $$;

-- Takes up to `batch` deliveries that are due, for two minutes; in turns between workspaces, so that one with fifty thousand mails keeps nobody
-- else's waiting. What has become pointless meanwhile (the reader left, the post is gone, the workspace closed) is dropped here and not taken.
-- Answers what a mail is made of, but for the posts.
create function public.claim_mails(batch int default 50) returns table (
  id uuid, kind text, attempt int, workspace_id uuid, workspace_name text, subdomain text, logo_url text, sender_name text, reply_to text,
  email text, token text, posts uuid[]
)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  size constant int := least(greatest(coalesce(claim_mails.batch, 50), 1), 500);
begin
  return query
    with recursive busy as (
      (select d.workspace_id from private.deliveries d where d.state = 'waiting' order by d.workspace_id limit 1)
      union all
      select (select d.workspace_id from private.deliveries d where d.state = 'waiting' and d.workspace_id > b.workspace_id
        order by d.workspace_id limit 1)
      from busy b where b.workspace_id is not null
    ), candidates as (
      select c.id from busy b, lateral (
        select d.id, d.due_at, row_number() over (order by d.due_at, d.id) as turn from (
          select d.id, d.due_at from private.deliveries d
          where d.workspace_id = b.workspace_id and d.state = 'waiting' and d.due_at <= clock_timestamp()
          order by d.due_at, d.id limit size
        ) as d
      ) as c
      order by c.turn, c.due_at limit size
    ), held as (
      select d.id from private.deliveries d where d.id in (select c.id from candidates c)
        and d.state = 'waiting' and d.due_at <= clock_timestamp() and d.channel = 'mail'
      for update skip locked
    ), looked as (
      select d.id, s.id is not null as still, s, w, m, p.posts
      from held h join private.deliveries d on d.id = h.id
      join public.workspaces w on w.id = d.workspace_id
      left join public.mail_settings m on m.workspace_id = d.workspace_id
      left join private.events e on e.id = d.event_id
      left join public.subscribers s on s.id = d.target_id and m.enabled and w.public_changelog_enabled
        and s.status = case d.kind when 'confirmation' then 'pending' else 'active' end::public.subscriber_status
      left join lateral (
        select array_agg(v.id order by v.published_at desc, v.id desc) as posts from (
          select v.id, v.published_at from private.visible_posts v
          where d.kind = 'post' and v.id = e.post_id
            or d.kind = 'digest' and v.workspace_id = d.workspace_id and v.published_at > (d.data ->> 'from')::timestamptz
              and v.published_at <= (d.data ->> 'to')::timestamptz and (s.tags is null or s.tags && v.tags)
          order by v.published_at desc, v.id desc limit 50
        ) as v
      ) as p on true
    ), taken as (
      update private.deliveries d set
        (state, due_at, attempt, ended_at) = (
          select case when pointless then 'dropped' else 'waiting' end, clock_timestamp() + interval '2 minutes',
            d.attempt + (not pointless)::int, case when pointless then clock_timestamp() end
          from (select not l.still or d.kind in ('post', 'digest') and l.posts is null) as o (pointless)
        )
      from looked l where d.id = l.id
      returning d.id, d.state, d.kind, d.attempt
    )
    select t.id, t.kind, t.attempt, (l.w).id, (l.w).name, (l.w).subdomain::text, (l.w).logo_url, (l.m).sender_name, (l.m).reply_to,
      (l.s).email::text, private.subscription_token((l.s).id, (l.s).generation), coalesce(l.posts, '{}')
    from taken t join looked l on l.id = t.id where t.state = 'waiting';
end $$;

-- What mails tell of: asked for at the moment of sending, so what is no longer visible is not there.
create function public.mail_posts(ids uuid[]) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz, version int
)
language sql stable security definer set search_path = '' as $$
  select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.version
  from private.visible_posts v where v.id = any (mail_posts.ids[1:50])
$$;

-- How deliveries went: [{id, outcome: done|again|failed|dropped, status, error, after}]. What is to be tried again waits `after` seconds, or
-- longer each time: a minute, five, thirty, two hours, six, a day; then it has failed.
create function public.settle_deliveries(outcomes jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare
  waits constant int[] := '{60,300,1800,7200,21600,86400}';
  settled int;
begin
  update private.deliveries d set
    state = case o.outcome when 'again' then case when d.attempt > cardinality(waits) then 'failed' else 'waiting' end else o.outcome end,
    due_at = case when o.outcome = 'again'
      then clock_timestamp() + make_interval(secs => greatest(coalesce(o.after, 0), waits[least(d.attempt, cardinality(waits))])) else d.due_at end,
    ended_at = case when o.outcome = 'again' and d.attempt <= cardinality(waits) then null else clock_timestamp() end,
    status = o.status, error = left(o.error, 500)
  from jsonb_to_recordset(outcomes) as o (id uuid, outcome text, status int, error text, after int)
  where d.id = o.id and d.state = 'waiting';
  get diagnostics settled = row_count;
  return settled;
end $$;

-- For the worker: what is due now, before it takes any.
create function public.prepare_deliveries() returns void
language sql security definer set search_path = '' as $$
  select private.tell_events();
  select private.make_digests();
$$;

revoke all on function public.claim_mails(int), public.mail_posts(uuid[]), public.settle_deliveries(jsonb), public.prepare_deliveries()
  from public, anon, authenticated;
grant execute on function public.claim_mails(int), public.mail_posts(uuid[]), public.settle_deliveries(jsonb), public.prepare_deliveries()
  to service_role;

-- The public page offers mail where there is mail: one column more.
drop function private.find_workspace(text);
create function private.find_workspace(label text) returns table (
  id uuid, name text, subdomain text, origin text, logo_url text, allowed_origins text[], settings jsonb, version_tag text, mails boolean
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select w.id, w.name, w.subdomain::text, w.origin, w.logo_url, w.allowed_origins, coalesce(s.settings, '{}'), private.public_version(label),
      private.mails_readers(w.id)
    from public.workspaces w left join public.widget_settings s on s.workspace_id = w.id
    where w.id = private.open_workspace(label);
end $$;
grant execute on function private.find_workspace(text) to anon, authenticated, service_role;

create or replace function private.tidy_up() returns void
language sql security definer set search_path = '' as $$
  delete from private.request_keys k where k.created_at < now() - interval '1 day';
  delete from private.rate_limits r where r.full_at < now();
  delete from private.view_salts s where s.day < (now() at time zone 'utc')::date;
  delete from private.view_readers r where r.day < (now() at time zone 'utc')::date;
  delete from private.released_subdomains r where r.released_at < now() - interval '30 days';
  delete from public.invites i where i.accepted_at is null and least(i.revoked_at, i.expires_at) < now() - interval '30 days';
  update public.invites i set email = null where i.email is not null and i.accepted_at < now() - interval '7 days';
  delete from public.subscribers s where s.status = 'pending' and s.created_at < now() - interval '7 days';
  delete from private.deliveries d where d.state <> 'waiting' and d.ended_at < now() - interval '30 days';
  select private.discard_unused_images();
$$;

-- An export holds whom a workspace mails and whom it never may, and what became of tags that were renamed.
create or replace function private.export_query(part text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case part
    when 'workspace' then $q$ select '[]'::jsonb, to_jsonb(w) from public.workspaces w where w.id = $1 and $2 is null limit $3 $q$
    when 'widget_settings' then $q$
      select '[]'::jsonb, s.settings from public.widget_settings s where s.workspace_id = $1 and $2 is null limit $3 $q$
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
    when 'daily_views' then $q$
      select jsonb_build_array(d.day, d.post_id), to_jsonb(d) from public.daily_views d
      where d.workspace_id = $1 and ($2 is null or (d.day, d.post_id) > (($2 ->> 0)::date, ($2 ->> 1)::uuid))
      order by d.day, d.post_id limit $3 $q$
    when 'subscribers' then $q$
      select jsonb_build_array(s.id), to_jsonb(s) from public.subscribers s
      where s.workspace_id = $1 and ($2 is null or s.id > ($2 ->> 0)::uuid) order by s.id limit $3 $q$
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
  foreach part in array '{workspace,widget_settings,mail_settings}'::text[] loop
    return next ', "' || part || '": ' || coalesce(nullif((private.export_page(workspace, part, null)).lines, ''), '{}');
  end loop;
  foreach part in array
    '{members,posts,post_revisions,post_slugs,tags,former_tags,invites,add_ons,upgrade_requests,activities,daily_views,subscribers,suppressions,files}'::text[]
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
