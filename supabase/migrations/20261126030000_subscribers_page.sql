-- Subscribers that a team brings, finds and takes along, and chosen topics that follow renamed tags.

create or replace function private.refuse(code text, detail jsonb default null) returns void
language plpgsql set search_path = '' as $$
declare
  sentence constant text := case code
    when 'unauthenticated' then 'Please sign in to continue.'
    when 'forbidden' then 'Your role in this workspace does not allow this.'
    when 'not_found' then 'This does not exist, or you have no access to it.'
    when 'subdomain_taken' then 'This subdomain is already taken.'
    when 'subdomain_reserved' then 'This subdomain is reserved. Please choose another one.'
    when 'slug_taken' then 'Another post of this workspace already has this address.'
    when 'version_conflict' then 'Post updated elsewhere'
    when 'published_post_locked' then 'Published posts cannot be scheduled or moved back to draft status'
    when 'archived_post_locked' then 'This post is archived. Restore it before you change it.'
    when 'already_member' then 'This person is already a member of the workspace.'
    when 'owner_required' then 'Hand ownership over to another member first.'
    when 'invalid_invitation' then 'This invitation link is invalid or has expired.'
    when 'wrong_invitation_account' then 'This invitation was sent to another email address.'
    when 'validation_failed' then 'Please check the highlighted fields.'
    when 'rate_limited' then 'Too many attempts. Please wait a moment and try again.'
  end;
begin
  if sentence is null then
    raise exception 'no sentence for refusal %', code;
  end if;
  raise exception using errcode = 'P0001', message = sentence, hint = code, detail = coalesce(detail::text, '');
end $$;

-- The same for what readers chose to hear of. Who chose only a tag that is deleted has chosen nothing that is left, and hears of nothing until
-- he chooses anew: an empty list, never null, which is everything.
create function private.retag_subscribers(workspace uuid, from_key text, to_key text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update public.subscribers s set tags = (
    select coalesce(array_agg(t.key order by t.place), '{}')
    from (
      select case when given.key = from_key then to_key else given.key end as key, min(given.place) as place
      from unnest(s.tags) with ordinality as given (key, place)
      where given.key <> from_key or to_key is not null group by 1
    ) as t
  )
  where s.workspace_id = workspace and s.tags @> array[from_key];
end $$;

create or replace function private.retag_some(workspace uuid, from_key text, to_key text) returns int
language plpgsql security definer set search_path = '' as $$
declare
  held constant uuid[] := private.hold_posts(workspace, from_key);
begin
  perform private.retag_posts(held, from_key, to_key);
  if cardinality(held) = 0 then perform private.retag_subscribers(workspace, from_key, to_key); end if;
  return cardinality(held);
end $$;

create or replace function private.leave_key(workspace uuid, from_key text, to_key text, held uuid[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  amount constant int := (select count(*) from public.posts p where p.workspace_id = workspace and p.tags @> array[from_key]);
begin
  perform private.come_back_tag(workspace, to_key);
  update private.tag_moves m set to_key = leave_key.to_key where m.workspace_id = workspace and m.to_key = from_key;
  insert into private.tag_moves (workspace_id, from_key, to_key) values (workspace, from_key, to_key)
  on conflict on constraint tag_moves_pkey do update set to_key = excluded.to_key, begun_at = excluded.begun_at;
  if not exists (select from private.default_tags() as d where d.key = from_key) then
    update private.former_tags f set now_key = to_key where f.workspace_id = workspace and f.now_key = from_key;
    insert into private.former_tags (workspace_id, key, now_key) values (workspace, from_key, to_key)
    on conflict on constraint former_tags_pkey do update set now_key = excluded.now_key;
  end if;
  perform private.retag_posts(held, from_key, to_key);
  perform private.retag_subscribers(workspace, from_key, to_key);
  return jsonb_build_object('posts', amount, 'unfinished', amount > cardinality(held));
end $$;

-- Chosen with the key that a tag had before, it is the key it has now (37-tags); what is deleted is chosen by nobody.
create function private.follow_chosen_tags() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(cardinality(new.tags), 0) = 0 then return new; end if;
  if tg_op = 'UPDATE' and new.tags is not distinct from old.tags then return new; end if;
  if exists (select from private.former_tags f where f.workspace_id = new.workspace_id and f.key = any (new.tags)) then
    new.tags := (
      select coalesce(array_agg(t.key order by t.place), '{}')
      from (
        select coalesce(f.now_key, given.key) as key, min(given.place) as place
        from unnest(new.tags) with ordinality as given (key, place)
        left join private.former_tags f on f.workspace_id = new.workspace_id and f.key = given.key
        where f.key is null or f.now_key is not null group by 1
      ) as t
    );
  end if;
  return new;
end $$;
create trigger subscribers_05_tags before insert or update of tags on public.subscribers
for each row execute function private.follow_chosen_tags();

create or replace function public.subscriber_numbers(workspace_id uuid) returns jsonb
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
      'everything', count(*) filter (where s.status = 'active' and s.tags is null),
      'tags', (
        select coalesce(jsonb_agg(jsonb_build_object('key', t.key, 'readers', t.readers) order by t.readers desc, t.key), '[]')
        from (
          select c.key, count(*) as readers from public.subscribers n, unnest(n.tags) as c (key)
          where n.workspace_id = asked and n.status = 'active' group by 1
        ) as t
      ),
      'weeks', (
        select jsonb_agg((
          select count(*) from public.subscribers n where n.workspace_id = asked and n.confirmed_at >= w.monday and n.confirmed_at < w.monday + interval '7 days'
        ) order by w.monday)
        from generate_series(date_trunc('week', now()) - interval '77 days', date_trunc('week', now()), interval '7 days') as w (monday)
      ))
    from public.subscribers s where s.workspace_id = asked
  );
end $$;

-- A reader as owners and admins see him.
create function private.shown_subscriber(s public.subscribers) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object('id', s.id, 'email', s.email::text, 'status', s.status, 'frequency', s.frequency, 'tags', s.tags,
    'created_at', s.created_at, 'confirmed_at', s.confirmed_at);
end $$;

-- {"subscribers", "total"}: a page of those that `filter` fits ({status, frequency, tag, q}: q is a part of an address, tag one that was chosen),
-- newest first.
create function public.list_subscribers(workspace_id uuid, filter jsonb default '{}', page int default 1, size int default 50) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := list_subscribers.workspace_id;
  of_status constant public.subscriber_status := filter ->> 'status';
  of_rhythm constant public.subscriber_frequency := filter ->> 'frequency';
  of_tag constant text := filter ->> 'tag';
  part constant text := lower(filter ->> 'q');
  rows_a_page constant int := least(greatest(coalesce(size, 50), 1), 100);
begin
  perform private.require_role(asked, '{owner,admin}');
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
      (select jsonb_agg(private.shown_subscriber(s) order by s.created_at desc, s.email) from shown h join public.subscribers s on s.id = h.id), '[]'))
  );
end $$;

-- The next thousand after an address, in the order of addresses: for a file of all of them, a piece at a time.
create function public.export_subscribers(workspace_id uuid, filter jsonb default '{}', after text default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := export_subscribers.workspace_id;
  of_status constant public.subscriber_status := filter ->> 'status';
  of_rhythm constant public.subscriber_frequency := filter ->> 'frequency';
  of_tag constant text := filter ->> 'tag';
  part constant text := lower(filter ->> 'q');
begin
  perform private.require_role(asked, '{owner,admin}');
  return (
    select coalesce(jsonb_agg(private.shown_subscriber(p) order by p.email), '[]') from (
      select s.* from public.subscribers s
      where s.workspace_id = asked and (export_subscribers.after is null or s.email operator (extensions.>) export_subscribers.after::extensions.citext)
        and (of_status is null or s.status = of_status) and (of_rhythm is null or s.frequency = of_rhythm)
        and (of_tag is null or s.tags @> array[of_tag]) and (part is null or strpos(lower(s.email::text), part) > 0)
      order by s.email limit 1000
    ) as p
  );
end $$;

-- Whether nothing may be sent to an address: because its owner wanted to be forgotten, or mails came back or were reported.
create function private.is_suppressed(email text, workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from private.suppressions s
    where s.address = private.address_hash(is_suppressed.email) and (s.workspace_id is null or s.workspace_id = workspace)
  );
end $$;

-- A reader whom a member adds: he is asked by mail, like everybody. Who is there already stays as he is; who never confirmed is asked again.
-- {"added", "subscriber"}.
create function public.add_subscriber(workspace_id uuid, email text, frequency text default 'instant', tags text[] default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
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
  if not private.mails_readers(asked) then
    perform private.refuse('validation_failed',
      '{"email": "Nobody can be asked by mail now: mails to readers are off, or the public page is closed"}');
  end if;
  select s.* into reader from public.subscribers s where s.workspace_id = asked and s.email operator (extensions.=) address::extensions.citext;
  if reader.id is null then
    if private.is_suppressed(address, asked) then
      perform private.refuse('validation_failed', '{"email": "Nothing is sent to this address: its owner did not want it, or mails came back"}');
    end if;
    insert into public.subscribers as s (workspace_id, email, frequency, tags, consent)
    values (asked, address, rhythm, nullif(private.clean_tags(add_subscriber.tags[1:20]), '{}'),
      jsonb_build_object('text', 'asked by a member, 1', 'by', 'member', 'actor', auth.uid(), 'at', now()))
    on conflict on constraint subscribers_email_key do nothing returning s.* into reader;
    added := reader.id is not null;
    if not added then -- somebody else was faster
      select s.* into reader from public.subscribers s where s.workspace_id = asked and s.email operator (extensions.=) address::extensions.citext;
    end if;
  end if;
  if reader.status = 'pending' then
    if private.take_token('subscribeMail', lower(address), 4, interval '1 day') > 0 then perform private.refuse('rate_limited'); end if;
    perform private.deliver_to(reader, 'confirmation');
  end if;
  return jsonb_build_object('added', added, 'subscriber', private.shown_subscriber(reader));
end $$;

-- Readers of a list, a thousand at most: [{email, frequency, tags, confirmed_at}]. Who is there already stays as he is whatever the list says, so
-- twice is the same as once; to whom nothing may be sent is counted, never named. `declared` is the sentence by which the importer says that
-- they have confirmed, and is kept with each; without it each is asked by mail. `trial` answers the same and changes nothing.
create function public.import_subscribers(
  workspace_id uuid, readers jsonb, declared text default null, trial boolean default false
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
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
  if jsonb_typeof(readers) is distinct from 'array' or jsonb_array_length(readers) > 1000 or char_length(declared) > 500 then
    perform private.refuse('validation_failed', '{"readers": "Please send at most 1,000 at once"}');
  end if;
  if declared is null and not trial and not private.mails_readers(asked) then
    perform private.refuse('validation_failed',
      '{"readers": "Nobody can be asked by mail now: mails to readers are off, or the public page is closed"}');
  end if;
  -- One import of a workspace at a time: the row of its tokens is held until this one is done.
  if private.take_token('importSubscribers', asked::text, 600, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;

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
      case when g.tags is not null then private.clean_tags(g.tags[1:20]) end,
      case when declared is not null then least(coalesce(g.confirmed_at, now()), now()) end,
      case when declared is not null then now() end, consent
    from (
      select distinct on (lower(r.email)) r.* from rows from (
        jsonb_to_recordset(readers) as (email text, frequency text, tags text[], confirmed_at timestamptz)
      ) with ordinality as r (email, frequency, tags, confirmed_at, place)
      order by lower(r.email), r.place
    ) as g
    where not private.is_suppressed(g.email, asked)
    on conflict on constraint subscribers_email_key do nothing
    returning s.*
  loop
    added := added + 1;
    if reader.status = 'pending' then perform private.deliver_to(reader, 'confirmation'); end if;
  end loop;
  return jsonb_build_object('added', added, 'known', given - added - refused, 'refused', refused);
end $$;

revoke all on function public.list_subscribers(uuid, jsonb, int, int), public.export_subscribers(uuid, jsonb, text),
  public.add_subscriber(uuid, text, text, text[]), public.import_subscribers(uuid, jsonb, text, boolean) from public, anon;
grant execute on function public.list_subscribers(uuid, jsonb, int, int), public.export_subscribers(uuid, jsonb, text),
  public.add_subscriber(uuid, text, text, text[]), public.import_subscribers(uuid, jsonb, text, boolean) to authenticated, service_role;
