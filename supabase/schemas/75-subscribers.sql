-- Email subscribers, with double opt-in. Only the functions below write here. A subscriber's only secret is the token in their emails.
create type public.subscriber_status as enum ('pending', 'active', 'paused', 'left', 'suppressed');
create type public.subscriber_frequency as enum ('instant', 'daily', 'weekly');

create table public.subscribers (
  id uuid constraint subscribers_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint subscribers_workspace_id_fkey references public.workspaces (id) on delete cascade,
  email extensions.citext not null constraint subscribers_email_address check (private.is_mail_address(email::text)),
  status public.subscriber_status not null default 'pending',
  frequency public.subscriber_frequency not null default 'instant',
  tags text[], -- null: all; empty: none, as all chosen tags were deleted
  generation int not null default 1, -- raising it invalidates earlier links
  consent jsonb not null default '{}', -- {text, at, by}
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  left_at timestamptz,
  last_digest_at timestamptz, -- already sent up to here
  constraint subscribers_email_key unique (workspace_id, email),
  constraint subscribers_active_have_confirmed check (status <> 'active' or confirmed_at is not null)
);
-- Recipients of a post, and due digests.
create index subscribers_to_tell on public.subscribers (workspace_id, frequency, last_digest_at) where status = 'active';
create index subscribers_told_at_once on public.subscribers (workspace_id, id) where status = 'active' and frequency = 'instant';
-- Bounces apply to the address everywhere.
create index subscribers_of_address on public.subscribers (email);
create index subscribers_pending on public.subscribers (created_at) where status = 'pending';

-- Former tag keys become the present ones (37-tags); deleted ones are dropped.
create function private.follow_chosen_tags() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(cardinality(new.tags), 0) = 0 then return new; end if;
  if tg_op = 'UPDATE' and new.tags is not distinct from old.tags then return new; end if;
  if exists (select from private.former_tags f where f.workspace_id = new.workspace_id and f.key = any (new.tags)) then
    new.tags := private.tags_now(new.workspace_id, new.tags);
  end if;
  return new;
end $$;
create trigger subscribers_05_tags before insert or update of tags on public.subscribers
for each row execute function private.follow_chosen_tags();

-- Counts new and lost subscribers by day (70-analytics-counts); one entry for a bulk insert or delete. A restored backup (90-restores) brings its own counts.
create function private.count_subscribers() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  if tg_op = 'UPDATE' then
    insert into private.count_queue (workspace_id, what, day, source)
    values (new.workspace_id, case new.status when 'active' then 'subscribed' else 'left' end, today, 'page');
  elsif tg_op = 'DELETE' or not private.has_option('importing') then
    insert into private.count_queue (workspace_id, what, day, source, n)
    select c.workspace_id, case tg_op when 'INSERT' then 'subscribed' else 'left' end, today, 'page', count(*) from changed c
    where c.status = 'active' or tg_op = 'DELETE' and c.status = 'paused' group by 1;
  end if;
  return null;
end $$;
create trigger subscribers_70_count_added after insert on public.subscribers
referencing new table as changed for each statement execute function private.count_subscribers();
create trigger subscribers_70_count_changed after update of status on public.subscribers for each row
when (new.status = 'active' and old.status in ('pending', 'left') or new.status = 'left' and old.status in ('active', 'paused'))
execute function private.count_subscribers();
create trigger subscribers_70_count_removed after delete on public.subscribers
referencing old table as changed for each statement execute function private.count_subscribers();

create policy "owners and admins read their workspace's subscribers" on public.subscribers for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}', true))));
grant select on public.subscribers to authenticated;

-- The token's subscriber; null if it is invalid, revoked or of another workspace than the subdomain's. subdomain null: any workspace.
create function private.subscriber_of(subdomain text, token text) returns public.subscribers
language plpgsql stable security definer set search_path = '' as $$
declare
  found public.subscribers;
begin
  select s.* into found from public.subscribers s join public.workspaces w on w.id = s.workspace_id
  where s.id = private.id_of_mail_token(token) and (subscriber_of.subdomain is null or w.subdomain operator (extensions.=) subscriber_of.subdomain::extensions.citext);
  return case when private.token_hash(private.mail_token('', found.id, found.generation)) = private.token_hash(token) then found end;
end $$;

-- Subscribes an address. Returns whether the workspace takes subscriptions, and nothing about the address: subscribed, unsubscribed and suppressed
-- ones look alike, and the email is sent later. `limits`: tokens per network and address, {network, address}.
create function private.ask_subscription(
  subdomain text, email text, frequency text, tags text[], network text, limits jsonb
) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  workspace constant uuid := private.open_workspace(subdomain);
  wished constant text[] := nullif(private.clean_tags(ask_subscription.tags[1:{{tagsPerPost}}]), '{}');
  rhythm constant public.subscriber_frequency := ask_subscription.frequency::public.subscriber_frequency;
  consent constant jsonb := jsonb_build_object('text', 'public page, 1', 'by', 'page', 'at', now());
  known public.subscribers;
begin
  if workspace is null or not private.sends_email(workspace) then return false; end if;
  if public.take_token('subscribe', network, (limits ->> 'network')::int, interval '1 hour') > 0
    or public.take_token('subscribeMail', lower(ask_subscription.email), (limits ->> 'address')::int, interval '1 day') > 0
    or exists (
      select from private.suppressions s where s.address = private.address_hash(ask_subscription.email)
        and (s.workspace_id is null or s.workspace_id = workspace) and s.reason <> 'erased'
    ) then return true; end if;

  insert into public.subscribers as s (workspace_id, email, frequency, tags, consent)
  values (workspace, ask_subscription.email, rhythm, wished, consent)
  -- Someone else who types the address can't change a confirmed subscription.
  on conflict on constraint subscribers_email_key do update set
    status = case s.status when 'left' then 'pending' else s.status end,
    frequency = case when s.status in ('pending', 'left') then excluded.frequency else s.frequency end,
    tags = case when s.status in ('pending', 'left') then excluded.tags else s.tags end,
    consent = case when s.status in ('pending', 'left') then excluded.consent else s.consent end,
    created_at = case when s.status in ('pending', 'left') then now() else s.created_at end
  returning s.* into known;
  perform private.enqueue_subscriber_email(known, case when known.status = 'pending' then 'confirmation' else 'reminder' end);
  return true;
end $$;

create function private.subscription(subdomain text, token text) returns table (
  email text, status text, frequency text, tags text[], created_at timestamptz, confirmed_at timestamptz, consent jsonb,
  workspace_id uuid, workspace_name text, workspace_subdomain text
)
language plpgsql stable security definer set search_path = '' as $$
declare
  s constant public.subscribers := private.subscriber_of(subscription.subdomain, subscription.token);
begin
  return query
    select s.email::text, s.status::text, s.frequency::text, s.tags, s.created_at, s.confirmed_at, s.consent, w.id, w.name, w.subdomain::text
    from public.workspaces w where w.id = s.workspace_id;
end $$;

-- Changing the frequency loses and repeats nothing: immediate subscribers get what their digest would have contained so far, and a first digest
-- contains what wasn't sent yet. Posts sent or published before subscribing are left out.
create function private.change_rhythm(subscriber uuid, rhythm public.subscriber_frequency) returns void
language plpgsql security definer set search_path = '' as $$
declare
  reader public.subscribers;
  untold timestamptz;
  until timestamptz;
begin
  select s.* into reader from public.subscribers s where s.id = subscriber;
  if reader.id is null or rhythm is null or rhythm = reader.frequency then return; end if;
  -- Waits for running deliveries. Lock order: workspace, events, subscribers, as in deletion.
  perform from public.workspaces w where w.id = reader.workspace_id for key share;
  perform from private.events e
  where e.workspace_id = reader.workspace_id and e.told_at is null and e.due_at <= clock_timestamp() + interval '1 minute' order by e.id for share;
  select s.* into reader from public.subscribers s where s.id = subscriber for update;
  if reader.id is null or rhythm is null or rhythm = reader.frequency then return; end if;
  select min(e.happened_at) - interval '1 microsecond' into untold from private.events e
  where e.workspace_id = reader.workspace_id and e.told_at is null and e.due_at < 'infinity' and not e.quiet and (e.reached is null or e.reached < reader.id);
  until := least(clock_timestamp(), untold);
  update public.subscribers t set frequency = rhythm,
    last_digest_at = case when rhythm <> 'instant' and t.frequency <> 'instant' then t.last_digest_at else until end
  where t.id = reader.id;
  if rhythm <> 'instant' or reader.status <> 'active' or reader.last_digest_at is null then return; end if;
  insert into private.deliveries (workspace_id, kind, target_id, data)
  select reader.workspace_id, 'digest', reader.id, jsonb_build_object('from', reader.last_digest_at, 'to', until)
  where exists (
    select from private.posts_to_announce(reader.workspace_id, reader.last_digest_at, until) n where reader.tags is null or reader.tags && n.tags
  );
  insert into private.deliveries (event_id, workspace_id, kind, target_id)
  select e.id, reader.workspace_id, 'post', reader.id from private.events e join private.visible_posts v on v.id = e.post_id
  where e.workspace_id = reader.workspace_id and not e.quiet and e.happened_at > greatest(until, reader.last_digest_at)
    and (e.told_at is not null or e.reached >= reader.id) and (reader.tags is null or reader.tags && v.tags)
  on conflict on constraint deliveries_once do nothing;
end $$;

-- A token's actions: confirm, save (frequency and tags), leave, return, erase. False for an invalid token. Idempotent.
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
      update public.subscribers t set status = 'active', left_at = null,
        confirmed_at = case when t.status = 'pending' then now() else coalesce(t.confirmed_at, now()) end,
        last_digest_at = case when t.status = 'active' then t.last_digest_at else now() end
      where t.id = s.id and t.status in ('pending', 'left', 'paused');
      delete from private.suppressions x
      where x.address = private.address_hash(s.email::text) and x.workspace_id = s.workspace_id and x.reason = 'erased';
    when 'save' then
      perform private.change_rhythm(s.id, change_subscription.frequency::public.subscriber_frequency);
      update public.subscribers t set tags = nullif(private.clean_tags(change_subscription.tags[1:{{tagsPerPost}}]), '{}') where t.id = s.id;
    when 'leave' then
      update public.subscribers t set status = 'left', left_at = now() where t.id = s.id and t.status not in ('left', 'suppressed');
    when 'erase' then
      insert into private.suppressions (address, workspace_id, reason)
      values (private.address_hash(s.email::text), s.workspace_id, 'erased') on conflict on constraint suppressions_key do nothing;
      delete from private.deliveries d where d.target_id = s.id and d.workspace_id = s.workspace_id;
      delete from public.subscribers t where t.id = s.id;
    else perform private.refuse('validation_failed', '{"action": "This isn''t a valid action"}');
  end case;
  return true;
end $$;

-- Subscribers by status, frequency and tag, and new ones in the last twelve weeks, the current one last. For every member: they identify no one.
create function public.subscriber_numbers(workspace_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
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
      'everything', count(*) filter (where s.status = 'active' and s.tags is null),
      'tags', (
        select coalesce(jsonb_agg(jsonb_build_object('key', t.key, 'readers', t.readers) order by t.readers desc, t.key), '[]')
        from (
          select c.key, count(*) as readers from public.subscribers n, unnest(n.tags) as c (key)
          where n.workspace_id = asked and n.status = 'active' group by 1
        ) as t
      ),
      'weeks', (
        select jsonb_agg(coalesce(c.readers, 0) order by w.monday)
        from generate_series(date_trunc('week', now()) - interval '77 days', date_trunc('week', now()), interval '7 days') as w (monday)
        left join (
          select date_trunc('week', n.confirmed_at) as monday, count(*) as readers from public.subscribers n where n.workspace_id = asked group by 1
        ) as c using (monday)
      ))
    from public.subscribers s where s.workspace_id = asked
  );
end $$;

create function public.remove_subscriber(workspace_id uuid, subscriber uuid, erase boolean default false) returns void
language plpgsql security definer set search_path = '' as $$
declare
  s public.subscribers;
begin
  perform private.require_role(remove_subscriber.workspace_id, '{owner,admin}', true);
  select t.* into s from public.subscribers t where t.id = subscriber and t.workspace_id = remove_subscriber.workspace_id;
  if s.id is null then perform private.refuse('not_found'); end if;
  if erase then
    insert into private.suppressions (address, workspace_id, reason) values (private.address_hash(s.email::text), s.workspace_id, 'erased')
    on conflict on constraint suppressions_key do nothing;
  end if;
  delete from private.deliveries d where d.target_id = s.id and d.workspace_id = s.workspace_id;
  delete from public.subscribers t where t.id = s.id;
end $$;

create function private.subscriber_json(s public.subscribers) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object('id', s.id, 'email', s.email::text, 'status', s.status, 'frequency', s.frequency, 'tags', s.tags,
    'created_at', s.created_at, 'confirmed_at', s.confirmed_at);
end $$;

-- {"subscribers", "total"}: a page of matches, newest first. filter: {status, frequency, tag, q}, q part of an address.
create function public.list_subscribers(workspace_id uuid, filter jsonb default '{}', page int default 1, size int default 50) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := list_subscribers.workspace_id;
  of_status constant public.subscriber_status := filter ->> 'status';
  of_rhythm constant public.subscriber_frequency := filter ->> 'frequency';
  of_tag constant text := filter ->> 'tag';
  part constant text := lower(filter ->> 'q');
  rows_a_page constant int := least(greatest(coalesce(size, 50), 1), 100);
begin
  perform private.require_role(asked, '{owner,admin}', true);
  return (
    with found as materialized (
      select s.id, s.created_at, s.email from public.subscribers s
      where s.workspace_id = asked and (of_status is null or s.status = of_status) and (of_rhythm is null or s.frequency = of_rhythm)
        and (of_tag is null or s.tags @> array[of_tag]) and (part is null or strpos(lower(s.email::text), part) > 0)
    ), shown as (
      select f.id from found f order by f.created_at desc, f.email
      limit rows_a_page offset (greatest(coalesce(page, 1), 1) - 1)::bigint * rows_a_page
    )
    select jsonb_build_object('total', (select count(*) from found), 'subscribers', coalesce(
      (select jsonb_agg(private.subscriber_json(s) order by s.created_at desc, s.email) from shown h join public.subscribers s on s.id = h.id), '[]'))
  );
end $$;

-- The next subscribers after an address, in order, at most 1,000. filter: as in list_subscribers. Audited (81-audit); for API keys every ten minutes.
create function public.subscribers_after(workspace_id uuid, filter jsonb default '{}', after text default null, size int default 1000) returns jsonb
-- Reads in index order; sorting would read all the rest for each batch.
language plpgsql security definer set search_path = '' set enable_sort = off as $$
declare
  of_status constant public.subscriber_status := filter ->> 'status';
  of_rhythm constant public.subscriber_frequency := filter ->> 'frequency';
  of_tag constant text := filter ->> 'tag';
  part constant text := lower(filter ->> 'q');
begin
  perform private.require_role(subscribers_after.workspace_id, '{owner,admin}', true);
  perform private.audit_export(subscribers_after.workspace_id, 'subscribers_exported', subscribers_after.after is null and private.key_id() is null,
    jsonb_strip_nulls(jsonb_build_object('status', of_status, 'frequency', of_rhythm, 'tag', of_tag)));
  return (
    select coalesce(jsonb_agg(private.subscriber_json(p) order by p.email), '[]') from (
      select s.* from public.subscribers s
      where s.workspace_id = subscribers_after.workspace_id
        and (subscribers_after.after is null or s.email operator (extensions.>) subscribers_after.after::extensions.citext)
        and (of_status is null or s.status = of_status) and (of_rhythm is null or s.frequency = of_rhythm)
        and (of_tag is null or s.tags @> array[of_tag]) and (part is null or strpos(lower(s.email::text), part) > 0)
      order by s.email limit least(greatest(coalesce(size, 1000), 1), 1000)
    ) as p
  );
end $$;

-- Adds a subscriber, who is asked by email to confirm. An existing one stays unchanged; an unconfirmed one is asked again. {"added", "subscriber"}.
create function public.add_subscriber(workspace_id uuid, email text, frequency text default 'instant', tags text[] default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := add_subscriber.workspace_id;
  address constant text := add_subscriber.email;
  rhythm constant public.subscriber_frequency := add_subscriber.frequency;
  reader public.subscribers;
  added boolean := false;
begin
  perform private.require_role(asked, '{owner,admin}');
  if not coalesce(private.is_mail_address(address), false) then
    perform private.refuse('validation_failed', '{"email": "Please enter a valid email address"}');
  end if;
  if not private.sends_email(asked) then
    perform private.refuse('validation_failed',
      '{"email": "Turn on email to readers and make the changelog public first, so that we can ask by email"}');
  end if;
  select s.* into reader from public.subscribers s where s.workspace_id = asked and s.email operator (extensions.=) address::extensions.citext;
  if reader.id is null then
    if private.is_suppressed(address, asked) then
      perform private.refuse('validation_failed', '{"email": "We can''t send email to this address. Its owner opted out, or emails bounced."}');
    end if;
    insert into public.subscribers as s (workspace_id, email, frequency, tags, consent)
    values (asked, address, rhythm, nullif(private.clean_tags(add_subscriber.tags[1:{{tagsPerPost}}]), '{}'),
      jsonb_build_object('text', 'asked by a member, 1', 'by', 'member', 'actor', auth.uid(), 'at', now()))
    on conflict on constraint subscribers_email_key do nothing returning s.* into reader;
    added := reader.id is not null;
    if not added then
      select s.* into reader from public.subscribers s where s.workspace_id = asked and s.email operator (extensions.=) address::extensions.citext;
    end if;
  end if;
  if reader.status = 'pending' then
    if public.take_token('subscribeMail', lower(address), 4, interval '1 day') > 0 then perform private.refuse('rate_limited'); end if;
    perform private.enqueue_subscriber_email(reader, 'confirmation');
  end if;
  return jsonb_build_object('added', added, 'subscriber', private.subscriber_json(reader));
end $$;

-- Imports up to a thousand: [{email, frequency, tags, confirmed_at}]. Existing ones stay unchanged, so it is idempotent; suppressed ones and those
-- asked four times today are counted, never named. `declared`: the importer's statement of consent; without it each is asked by email. `trial`: no change.
create function public.import_subscribers(
  workspace_id uuid, readers jsonb, declared text default null, trial boolean default false
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := import_subscribers.workspace_id;
  consent constant jsonb := jsonb_build_object('text', coalesce(declared, 'import, to be confirmed, 1'), 'by', 'import', 'actor', auth.uid(), 'at', now());
  given int;
  there int;
  refused int;
  added int := 0;
  reader public.subscribers;
begin
  perform private.require_role(asked, '{owner,admin}');
  if jsonb_typeof(readers) is distinct from 'array' or jsonb_array_length(readers) > {{importBatch}} or char_length(declared) > 500 then
    perform private.refuse('validation_failed', '{"readers": "Please send at most {{figure:importBatch}} at once"}');
  end if;
  if declared is null and not trial and not private.sends_email(asked) then
    perform private.refuse('validation_failed',
      '{"readers": "Turn on email to readers and make the changelog public first, so that we can ask by email"}');
  end if;
  -- Serialises a workspace's imports by its rate limit's row.
  if public.take_token('importSubscribers', asked::text, 600, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;

  select count(*), count(*) filter (where g.is_there), count(*) filter (where not g.is_there and private.is_suppressed(g.email, asked))
  into given, there, refused
  from (
    select e.email, exists (
      select from public.subscribers s where s.workspace_id = asked and s.email operator (extensions.=) e.email::extensions.citext
    ) as is_there
    from (select distinct on (lower(r.email)) r.email from jsonb_to_recordset(readers) as r (email text)) as e
  ) as g;

  if trial then return jsonb_build_object('added', given - there - refused, 'known', there, 'refused', refused); end if;

  for reader in
    insert into public.subscribers as s (workspace_id, email, status, frequency, tags, confirmed_at, last_digest_at, consent)
    select asked, g.email, case when declared is null then 'pending' else 'active' end::public.subscriber_status,
      coalesce(g.frequency, 'instant')::public.subscriber_frequency,
      case when g.tags is not null then private.clean_tags(g.tags[1:{{tagsPerPost}}]) end,
      case when declared is not null then least(coalesce(g.confirmed_at, now()), now()) end,
      case when declared is not null then now() end, consent
    from (
      select distinct on (lower(r.email)) r.* from rows from (
        jsonb_to_recordset(readers) as (email text, frequency text, tags text[], confirmed_at timestamptz)
      ) with ordinality as r (email, frequency, tags, confirmed_at, place)
      order by lower(r.email), r.place
    ) as g
    where case
      when private.is_suppressed(g.email, asked) then false
      when declared is not null then true
      when exists (select from public.subscribers s where s.workspace_id = asked and s.email operator (extensions.=) g.email::extensions.citext) then false
      else public.take_token('subscribeMail', lower(g.email), 4, interval '1 day') = 0 end
    on conflict on constraint subscribers_email_key do nothing
    returning s.*
  loop
    added := added + 1;
    if reader.status = 'pending' then perform private.enqueue_subscriber_email(reader, 'confirmation'); end if;
  end loop;
  return jsonb_build_object('added', added, 'known', there, 'refused', given - there - added);
end $$;

grant execute on function private.ask_subscription, private.subscription, private.change_subscription to anon, authenticated, service_role;
grant execute on function public.subscriber_numbers, public.remove_subscriber, public.list_subscribers, public.subscribers_after,
  public.add_subscriber, public.import_subscribers to authenticated, service_role;
