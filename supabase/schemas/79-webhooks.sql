-- Webhooks and chat messages: subscriptions, events, deliveries and attempts. Separate from email (76-email), so neither delays the other.

-- `sealed`: the signing secret, or a chat's URL, encrypted for this row with a key that only the functions have (edge-functions/_shared/seal.ts).
create table private.webhooks (
  id uuid constraint webhooks_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint webhooks_workspace_id_fkey references public.workspaces (id) on delete cascade,
  kind text not null constraint webhooks_kind check (kind in ('webhook', 'slack', 'discord', 'teams')),
  name text not null default '' constraint webhooks_name_length check (char_length(name) <= {{webhookNameMaxLength}}),
  url text not null constraint webhooks_url_shape check (url ~ '^https?://' and char_length(url) <= {{webhookUrlMaxLength}}), -- of a chat without its secret part
  sealed text not null constraint webhooks_sealed_length check (char_length(sealed) between 20 and 4000),
  sealed_before text, -- previous secret,
  rotated_at timestamptz, -- which also signs for a day
  events text[] not null constraint webhooks_events check (cardinality(events) > 0 and events <@
    '{post.published,post.updated,post.unpublished,post.scheduled,subscriber.confirmed,subscriber.left}'::text[]),
  tags text[] constraint webhooks_tags check (cardinality(tags) between 1 and {{tagsPerPost}}), -- null: any
  off_at timestamptz,
  off_reason text constraint webhooks_off_reason check (off_reason in ('by_hand', 'gone', 'failing')),
  failing_since timestamptz, -- first of the failures in a row
  failed_tries int not null default 0, -- their number
  last_success_at timestamptz,
  last_try_at timestamptz,
  wait_until timestamptz, -- Retry-After
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  constraint webhooks_off check ((off_at is null) = (off_reason is null))
);
alter table private.webhooks enable row level security;
create index webhooks_of_workspace on private.webhooks (workspace_id, created_at);

-- Ids, and snapshots of what was deleted; the rest is read when it is sent.
create table private.webhook_events (
  id uuid constraint webhook_events_pkey primary key default gen_random_uuid(), -- the header webhook-id
  workspace_id uuid not null constraint webhook_events_workspace_id_fkey references public.workspaces (id) on delete cascade,
  kind text not null constraint webhook_events_kind check (kind in (
    'post.published', 'post.updated', 'post.unpublished', 'post.scheduled', 'subscriber.confirmed', 'subscriber.left', 'webhook.ping')),
  post_id uuid,
  subscriber_id uuid,
  data jsonb not null default '{}',
  happened_at timestamptz not null default clock_timestamp()
);
alter table private.webhook_events enable row level security;
create index webhook_events_of_workspace on private.webhook_events (workspace_id); -- deleting a workspace
create index webhook_events_of_post on private.webhook_events (post_id) where post_id is not null;
create index webhook_events_happened on private.webhook_events (happened_at); -- for the clean-up

-- One event for one webhook; resending by hand makes another row. `due_at`: the next attempt, or the end of the lease.
create table private.webhook_deliveries (
  id uuid constraint webhook_deliveries_pkey primary key default gen_random_uuid(),
  event_id uuid not null constraint webhook_deliveries_event_id_fkey references private.webhook_events (id) on delete cascade,
  webhook_id uuid not null constraint webhook_deliveries_webhook_id_fkey references private.webhooks (id) on delete cascade,
  workspace_id uuid not null constraint webhook_deliveries_workspace_id_fkey references public.workspaces (id) on delete cascade,
  due_at timestamptz not null default clock_timestamp(),
  attempt int not null default 0,
  state text not null default 'waiting' constraint webhook_deliveries_state check (state in ('waiting', 'sending', 'done', 'failed', 'dropped')),
  again boolean not null default false,
  status int, -- the last answer
  error text constraint webhook_deliveries_error_length check (char_length(error) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint webhook_deliveries_ended check ((ended_at is null) = (state in ('waiting', 'sending')))
);
alter table private.webhook_deliveries enable row level security;
-- Due, by webhook.
create index webhook_deliveries_due on private.webhook_deliveries (webhook_id, due_at, id) where ended_at is null;
-- In flight, by webhook and workspace.
create index webhook_deliveries_under_way on private.webhook_deliveries (workspace_id, webhook_id) where state = 'sending';
create index webhook_deliveries_of_webhook on private.webhook_deliveries (webhook_id, created_at desc, id desc); -- the log
create index webhook_deliveries_of_event on private.webhook_deliveries (event_id);
create index webhook_deliveries_of_workspace on private.webhook_deliveries (workspace_id); -- deleting a workspace
create index webhook_deliveries_ended_at on private.webhook_deliveries (ended_at) where ended_at is not null; -- for the clean-up

create table private.delivery_attempts (
  delivery_id uuid not null constraint delivery_attempts_delivery_id_fkey references private.webhook_deliveries (id) on delete cascade,
  attempt int not null,
  at timestamptz not null default clock_timestamp(),
  status int,
  ms int not null,
  error text constraint delivery_attempts_error_length check (char_length(error) <= 500),
  answer text constraint delivery_attempts_answer_length check (octet_length(answer) <= 2100), -- its beginning
  constraint delivery_attempts_pkey primary key (delivery_id, attempt)
);
alter table private.delivery_attempts enable row level security;

-- Queues an event for every webhook that subscribes to it. `tags`: the post's, or null; `but`: webhooks to skip.
create function private.enqueue_webhooks(
  workspace uuid, kind text, post uuid, subscriber uuid, data jsonb, tags text[], due timestamptz default clock_timestamp(), but uuid[] default '{}'
) returns void
language sql security definer set search_path = '' as $$
  with targets as (
    select w.id from private.webhooks w join public.workspaces k on k.id = w.workspace_id
    where w.workspace_id = workspace and w.off_at is null and enqueue_webhooks.kind = any (w.events) and not w.id = any (but)
      and (w.tags is null or enqueue_webhooks.tags is null or private.tags_now(workspace, w.tags) && enqueue_webhooks.tags)
  ), event as (
    insert into private.webhook_events (workspace_id, kind, post_id, subscriber_id, data)
    select workspace, enqueue_webhooks.kind, post, subscriber, enqueue_webhooks.data where exists (select from targets)
    returning id
  )
  insert into private.webhook_deliveries (event_id, webhook_id, workspace_id, due_at)
  select e.id, t.id, workspace, due from event e, targets t
$$;

-- The first publication, once it can't be undone, unless it is quiet: as email (76-email).
create function private.enqueue_webhooks_of_publication() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from private.webhooks w where w.workspace_id = new.workspace_id) then
    perform private.enqueue_webhooks(new.workspace_id, 'post.published', new.post_id, null, '{}',
      (select p.tags from public.posts p where p.id = new.post_id), new.due_at,
      array(
        select d.webhook_id from private.webhook_events e join private.webhook_deliveries d on d.event_id = e.id
        where e.post_id = new.post_id and e.kind = 'post.published' and (d.attempt > 0 or d.ended_at is null)
      ));
  end if;
  return null;
end $$;
create trigger events_90_tell_webhooks after insert on private.events
for each row when (new.kind = 'post.published' and not new.quiet) execute function private.enqueue_webhooks_of_publication();
create trigger events_90_tell_webhooks_after_all after update of happened_at on private.events
for each row when (new.kind = 'post.published' and not new.quiet) execute function private.enqueue_webhooks_of_publication();

-- Other changes of published and scheduled posts.
create function private.enqueue_webhooks_of_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := coalesce(new, old);
  was constant boolean := tg_op <> 'INSERT' and old.status = 'published';
  is_one constant boolean := tg_op <> 'DELETE' and new.status = 'published';
  unheard uuid[]; -- they don't know of the publication yet, or will read the present state
begin
  if not (was or is_one or tg_op <> 'DELETE' and new.status = 'scheduled')
    or coalesce(current_setting('tidings.tag_from', true), '') <> '' -- not an edit
    or private.is_importing() or not exists (select from private.webhooks w where w.workspace_id = post.workspace_id) then return null; end if;
  if was or is_one then
    unheard := array(
      select d.webhook_id from private.webhook_events e join private.webhook_deliveries d on d.event_id = e.id
      where e.post_id = post.id and e.kind in ('post.published', 'post.updated') group by 1
      having max(d.attempt) filter (where e.kind = 'post.published') = 0
          and bool_or(e.kind = 'post.published' and d.state in ('waiting', 'dropped'))
        or is_one and bool_or(d.state = 'waiting'));
  end if;
  if was and not is_one then
    update private.webhook_deliveries d set state = 'dropped', ended_at = clock_timestamp()
    from private.webhook_events e
    where e.post_id = post.id and e.kind in ('post.published', 'post.updated') and d.event_id = e.id and d.state = 'waiting';
    if exists (select from public.workspaces w where w.id = post.workspace_id and w.public_changelog_enabled) then
      perform private.enqueue_webhooks(post.workspace_id, 'post.unpublished', post.id, null,
        jsonb_build_object('title', old.title, 'slug', old.slug, 'tags', to_jsonb(old.tags)), old.tags, but => unheard);
    end if;
  elsif was then
    if (new.title, new.summary, new.slug, new.tags, new.content_raw, new.cover_image, new.author_name, new.published_at)
      is distinct from (old.title, old.summary, old.slug, old.tags, old.content_raw, old.cover_image, old.author_name, old.published_at) then
      perform private.enqueue_webhooks(post.workspace_id, 'post.updated', post.id, null, jsonb_strip_nulls(jsonb_build_object(
        'title', nullif(old.title, new.title), 'slug', nullif(old.slug, new.slug),
        'tags', case when old.tags <> new.tags then to_jsonb(old.tags) end)), old.tags || new.tags, but => unheard);
    end if;
  elsif is_one and tg_op = 'UPDATE' and old.published_at is not null then
    -- Published again: an update for those who know of it.
    perform private.enqueue_webhooks(post.workspace_id, 'post.updated', post.id, null, '{}', new.tags, but => unheard);
  elsif tg_op <> 'DELETE' and new.status = 'scheduled' then
    if tg_op = 'INSERT' or old.status <> 'scheduled' or old.publish_at is distinct from new.publish_at then
      perform private.enqueue_webhooks(post.workspace_id, 'post.scheduled', post.id, null, '{}', new.tags);
    end if;
  end if;
  return null;
end $$;

-- Confirmed and lost subscribers, except by import.
create function private.enqueue_webhooks_of_subscriber() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from private.webhooks w where w.workspace_id = new.workspace_id) then
    perform private.enqueue_webhooks(new.workspace_id, case new.status when 'left' then 'subscriber.left' else 'subscriber.confirmed' end,
      null, new.id, '{}', null);
  end if;
  return null;
end $$;
create trigger subscribers_90_tell_webhooks after update of status on public.subscribers
for each row when (old.status <> new.status and (new.status = 'left' and old.status <> 'pending' or new.status = 'active' and old.status in ('pending', 'left')))
execute function private.enqueue_webhooks_of_subscriber();

-- Disables a webhook and fails what waits, so it can be resent by hand. Owners are emailed unless a person did it.
create function private.disable_webhook(webhook uuid, reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  workspace uuid;
begin
  update private.webhooks w set off_at = clock_timestamp(), off_reason = reason where w.id = webhook and w.off_at is null
  returning w.workspace_id into workspace;
  if workspace is null then return; end if;
  update private.webhook_deliveries d set state = 'failed', ended_at = clock_timestamp(),
    error = coalesce(d.error, 'The webhook was switched off before this was sent')
  where d.webhook_id = webhook and (d.state = 'waiting' or d.state = 'sending' and d.due_at <= clock_timestamp()); -- no worker will finish it
  if reason <> 'by_hand' then
    insert into private.deliveries (workspace_id, channel, kind, target_id)
    select m.workspace_id, 'mail', case reason when 'gone' then 'webhook_gone' else 'webhook_failing' end, m.user_id
    from public.members m where m.workspace_id = workspace and m.role = 'owner';
  end if;
end $$;

-- Records an attempt: done, again, failed, gone (410), dropped (nothing left to send). Retries after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h
-- with jitter, or `after` (Retry-After, at most a day), then fails. `slower` (429, 503): pauses the webhook for at least half a minute.
create function private.settle_webhook(
  delivery private.webhook_deliveries, outcome text, status int, ms int, error text, answer text, after numeric, slower boolean
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  waits constant int[] := '{5,300,1800,7200,18000,36000,50400,72000,86400}';
  moment constant timestamptz := clock_timestamp();
  asked constant numeric := least(greatest(coalesce(after, 0), 0), 86400);
  -- A disabled webhook has nothing waiting.
  once_more constant boolean := outcome = 'again' and delivery.attempt <= cardinality(waits)
    and exists (select from private.webhooks w where w.id = delivery.webhook_id and w.off_at is null);
  target private.webhooks;
begin
  update private.webhook_deliveries d set
    state = case when once_more then 'waiting' when outcome in ('done', 'dropped') then outcome else 'failed' end,
    ended_at = case when not once_more then moment end,
    attempt = d.attempt - (outcome = 'dropped')::int,
    due_at = case when once_more then moment + make_interval(secs => greatest(asked, waits[d.attempt] * (1 + random() / 10))) else d.due_at end,
    status = coalesce(settle_webhook.status, case when outcome = 'dropped' then d.status end), error = left(settle_webhook.error, 500)
  where d.id = delivery.id;
  if outcome = 'dropped' then return; end if;
  insert into private.delivery_attempts (delivery_id, attempt, at, status, ms, error, answer)
  values (delivery.id, delivery.attempt, moment - make_interval(secs => coalesce(settle_webhook.ms, 0) / 1000.0), settle_webhook.status,
    coalesce(settle_webhook.ms, 0), left(settle_webhook.error, 500), settle_webhook.answer)
  on conflict on constraint delivery_attempts_pkey do nothing;
  update private.webhooks w set
    last_try_at = moment,
    last_success_at = case when outcome = 'done' then moment else w.last_success_at end,
    failing_since = case when outcome <> 'done' then coalesce(w.failing_since, moment) end,
    failed_tries = case when outcome = 'done' then 0 else w.failed_tries + 1 end,
    wait_until = case when outcome <> 'done' and (asked > 0 or slower) then moment + make_interval(secs => greatest(asked, 30)) else w.wait_until end
  where w.id = delivery.webhook_id returning w.* into target;
  if outcome = 'gone' then
    perform private.disable_webhook(target.id, 'gone');
  elsif target.failing_since < moment - interval '3 days' and target.failed_tries >= 20 then
    perform private.disable_webhook(target.id, 'failing');
  end if;
end $$;

-- For the worker: records attempts ([{id, outcome, status, ms, error, answer, after, slower}]) and leases up to `room` due deliveries for 45 seconds.
-- Fair between workspaces, with a limit in flight per webhook and workspace, so that a hanging one delays no other; one at a time after a failure.
-- Drops pointless ones.
create function public.work_webhooks(
  outcomes jsonb default '[]', room int default 0, per_webhook int default 16, per_workspace int default 32
) returns table (
  id uuid, event_id uuid, type text, happened_at timestamptz, attempt int, webhook_id uuid, kind text, url text, sealed text, sealed_before text,
  workspace_id uuid, workspace_name text, subdomain text, post_id uuid, post_version int, facts jsonb
)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  told record;
  moment timestamptz;
begin
  for told in
    select d as delivery, o.* from jsonb_to_recordset(outcomes) as o (
      id uuid, outcome text, status int, ms int, error text, answer text, after numeric, slower boolean
    ) join private.webhook_deliveries d on d.id = o.id
    where d.state = 'sending' order by d.webhook_id, d.id -- Lock order. Prevents deadlocks.
  loop
    perform private.settle_webhook(
      told.delivery, told.outcome, told.status, told.ms, told.error, told.answer, told.after, coalesce(told.slower, false));
  end loop;
  if work_webhooks.room <= 0 then return; end if;
  moment := clock_timestamp();

  return query
    with recursive b as ( -- index order
      (select d.webhook_id from private.webhook_deliveries d where d.ended_at is null order by d.webhook_id, d.due_at limit 1)
      union all
      select (select d.webhook_id from private.webhook_deliveries d where d.ended_at is null and d.webhook_id > b.webhook_id
        order by d.webhook_id, d.due_at limit 1)
      from b where b.webhook_id is not null
    ), under_way as (
      select d.workspace_id, d.webhook_id, count(*) as amount from private.webhook_deliveries d
      where d.state = 'sending' and d.due_at > moment group by 1, 2
    ), open as (
      select w.id, w.workspace_id, greatest(case when w.failing_since is null then work_webhooks.per_webhook else 1 end
        - coalesce((select u.amount from under_way u where u.webhook_id = w.id), 0), 0) as places
      from b join private.webhooks w on w.id = b.webhook_id
      where w.off_at is null and (w.wait_until is null or w.wait_until <= moment) and not private.is_suspended(w.workspace_id)
    ), candidates as (
      select c.id from (
        select n.id, n.due_at, row_number() over (partition by o.workspace_id order by n.turn, n.due_at, n.id)
          + coalesce((select sum(u.amount) from under_way u where u.workspace_id = o.workspace_id), 0) as place
        from open o, lateral (
          select t.id, t.due_at, row_number() over (order by t.due_at, t.id) as turn from (
            select d.id, d.due_at from private.webhook_deliveries d
            where d.webhook_id = o.id and d.ended_at is null and d.due_at <= moment order by d.due_at, d.id limit o.places
          ) as t
        ) as n
      ) as c
      where c.place <= work_webhooks.per_workspace order by c.place, c.due_at limit least(work_webhooks.room, 500)
    ), held as (
      select d.id from private.webhook_deliveries d where d.id = any (array(select c.id from candidates c))
        and d.ended_at is null and d.due_at <= moment for update skip locked
    ), looked as (
      select d.id, e, w, k, v.version, e.kind <> all (w.events || 'webhook.ping'::text) or case e.kind
          when 'post.published' then v.id is null
          when 'post.updated' then v.id is null
          when 'post.unpublished' then v.id is not null or not k.public_changelog_enabled
          when 'post.scheduled' then p.id is null
          when 'webhook.ping' then false
          else s.id is null
        end as pointless,
        case e.kind
          when 'post.updated' then e.data
          when 'post.unpublished' then e.data || jsonb_build_object('id', e.post_id)
          when 'post.scheduled' then jsonb_build_object('id', p.id, 'title', p.title, 'tags', to_jsonb(p.tags), 'scheduled_for', p.publish_at)
          when 'subscriber.confirmed' then private.told_subscriber(s)
          when 'subscriber.left' then private.told_subscriber(s)
          else '{}'
        end as facts
      from held h join private.webhook_deliveries d on d.id = h.id
      join private.webhook_events e on e.id = d.event_id
      join private.webhooks w on w.id = d.webhook_id
      join public.workspaces k on k.id = d.workspace_id
      left join private.visible_posts v on v.id = e.post_id
      left join public.posts p on p.id = e.post_id and e.kind = 'post.scheduled' and p.status = 'scheduled' and p.publish_at > moment
      left join public.subscribers s on s.id = e.subscriber_id
    ), taken as (
      update private.webhook_deliveries d set
        state = case when l.pointless then 'dropped' else 'sending' end,
        due_at = moment + interval '45 seconds', -- an attempt takes 15 s, recording it 8 s without a database
        attempt = d.attempt + (not l.pointless)::int,
        ended_at = case when l.pointless then moment end
      from looked l where d.id = l.id
      returning d.id, d.attempt, d.state
    )
    select t.id, (l.e).id, (l.e).kind, (l.e).happened_at, t.attempt, (l.w).id, (l.w).kind, (l.w).url, (l.w).sealed,
      case when (l.w).rotated_at > moment - interval '24 hours' then (l.w).sealed_before end,
      (l.k).id, (l.k).name, (l.k).subdomain::text, (l.e).post_id, l.version, l.facts
    from taken t join looked l on l.id = t.id where t.state = 'sending';
end $$;

create function private.told_subscriber(subscriber public.subscribers) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('id', subscriber.id, 'email', subscriber.email, 'frequency', subscriber.frequency, 'tags', to_jsonb(subscriber.tags))
$$;

-- Posts for payloads, read when sent; those no longer visible are missing. `own_tags` are the workspace's.
create function public.webhook_posts(ids uuid[]) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], own_tags jsonb, author_name text, published_at timestamptz, updated_at timestamptz,
  version int, cover_image jsonb, content_raw jsonb
)
language sql stable security definer set search_path = '' as $$
  select v.id, v.slug, v.title, v.excerpt, v.tags, coalesce((
      select jsonb_agg(jsonb_build_object('key', t.key, 'label', t.label, 'colour', t.colour)) from public.tags t
      where t.workspace_id = v.workspace_id and t.key = any (v.tags)
    ), '[]'), v.author_name, v.published_at, v.updated_at, v.version, v.cover_image, v.content_raw
  from private.visible_posts v where v.id = any (webhook_posts.ids[1:50])
$$;

revoke all on function public.work_webhooks(jsonb, int, int, int), public.webhook_posts(uuid[]) from public, anon, authenticated;
grant execute on function public.work_webhooks(jsonb, int, int, int), public.webhook_posts(uuid[]) to service_role;

-- For owners and admins. Secrets arrive encrypted and are never returned.

create function private.webhook_json(webhook private.webhooks) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', webhook.id, 'kind', webhook.kind, 'name', webhook.name, 'url', webhook.url, 'events', to_jsonb(webhook.events),
    'tags', case when webhook.tags is not null then to_jsonb(private.tags_now(webhook.workspace_id, webhook.tags)) end,
    'enabled', webhook.off_at is null, 'off_reason', webhook.off_reason, 'off_at', webhook.off_at,
    'old_secret_until', case when webhook.sealed_before is not null and webhook.rotated_at > now() - interval '24 hours'
      then webhook.rotated_at + interval '24 hours' end,
    'failing_since', webhook.failing_since, 'last_success_at', webhook.last_success_at, 'last_try_at', webhook.last_try_at,
    'waiting', (select count(*) from private.webhook_deliveries d where d.webhook_id = webhook.id and d.ended_at is null),
    'created_at', webhook.created_at);
end $$;

-- A webhook, locked; the caller has checked rights.
create function private.webhook_of(workspace uuid, webhook uuid) returns private.webhooks
language plpgsql security definer set search_path = '' as $$
declare
  found_one private.webhooks;
begin
  select w.* into found_one from private.webhooks w where w.id = webhook and w.workspace_id = workspace for no key update;
  if found_one.id is null then perform private.refuse('not_found'); end if;
  return found_one;
end $$;

create function public.list_webhooks(workspace_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(list_webhooks.workspace_id, '{owner,admin}', true);
  return coalesce((
    select jsonb_agg(private.webhook_json(w) order by w.created_at, w.id) from private.webhooks w where w.workspace_id = list_webhooks.workspace_id
  ), '[]');
end $$;

-- Keys need the scopes to read what the events contain (subscribers, unpublished titles).
create function private.require_event_scopes(events text[]) returns void
language plpgsql stable set search_path = '' as $$
begin
  if 'post.scheduled' = any (events) and not private.key_has('posts:read') then
    perform private.refuse('scope_missing', '{"scope": "posts:read"}');
  end if;
  if events && '{subscriber.confirmed,subscriber.left}' and not private.key_has('subscribers:read') then
    perform private.refuse('scope_missing', '{"scope": "subscribers:read"}');
  end if;
end $$;

-- `webhook`: {id, kind, name, url, sealed, events, tags}.
create function public.create_webhook(workspace_id uuid, webhook jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := create_webhook.workspace_id;
  made private.webhooks;
begin
  perform private.require_role(asked, '{owner,admin}');
  perform from public.workspaces w where w.id = asked for no key update; -- serialised for the limit
  if (select count(*) from private.webhooks w where w.workspace_id = asked) >= 100 then perform private.refuse('too_many_webhooks'); end if;
  insert into private.webhooks (id, workspace_id, kind, name, url, sealed, events, tags, created_by)
  values (coalesce((webhook ->> 'id')::uuid, gen_random_uuid()), asked, webhook ->> 'kind', coalesce(private.clean_line(webhook ->> 'name'), ''), webhook ->> 'url',
    webhook ->> 'sealed', private.text_array(webhook -> 'events'),
    case when jsonb_typeof(webhook -> 'tags') = 'array' then private.text_array(webhook -> 'tags') end, private.my_id())
  returning * into made;
  perform private.require_event_scopes(made.events);
  return private.webhook_json(made);
end $$;

-- Merges the given fields. `sealed` comes with a chat's URL.
create function public.change_webhook(workspace_id uuid, webhook uuid, changes jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  former private.webhooks;
  present private.webhooks;
begin
  perform private.require_role(change_webhook.workspace_id, '{owner,admin}');
  present := private.webhook_of(change_webhook.workspace_id, webhook);
  former := present;
  perform private.require_event_scopes(former.events);
  if present.kind <> 'webhook' and private.text_array(changes -> 'events') && '{subscriber.confirmed,subscriber.left}'::text[] then
    perform private.refuse('validation_failed', '{"events": "A chat is told of posts only"}');
  end if;
  if present.kind <> 'webhook' and (changes ? 'url') <> (changes ? 'sealed') then
    perform private.refuse('validation_failed', '{"url": "Please enter an address"}');
  end if;
  update private.webhooks w set
    url = coalesce(changes ->> 'url', w.url),
    sealed = case when w.kind = 'webhook' then w.sealed else coalesce(changes ->> 'sealed', w.sealed) end,
    name = coalesce(private.clean_line(changes ->> 'name'), w.name),
    events = case when changes ? 'events' then private.text_array(changes -> 'events') else w.events end,
    tags = case jsonb_typeof(changes -> 'tags') when 'array' then private.text_array(changes -> 'tags') when 'null' then null else w.tags end
  where w.id = webhook returning * into present;
  perform private.require_event_scopes(present.events);
  if (present.url, present.kind <> 'webhook' and present.sealed <> former.sealed) is distinct from (former.url, false) then
    -- Also those in flight: a retry would go to the new URL.
    update private.webhook_deliveries d set state = 'dropped', ended_at = clock_timestamp(), error = 'The URL was changed before this was sent'
    where d.webhook_id = webhook and d.ended_at is null;
  end if;
  if (changes ->> 'enabled')::boolean then
    update private.webhooks w set off_at = null, off_reason = null, failing_since = null, failed_tries = 0, wait_until = null
    where w.id = webhook and w.off_at is not null;
  elsif not (changes ->> 'enabled')::boolean then
    perform private.disable_webhook(webhook, 'by_hand');
  end if;
  return (select private.webhook_json(w) from private.webhooks w where w.id = webhook);
end $$;

create function public.remove_webhook(workspace_id uuid, webhook uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_role(remove_webhook.workspace_id, '{owner,admin}');
  perform private.webhook_of(remove_webhook.workspace_id, webhook);
  delete from private.webhooks w where w.id = webhook;
end $$;

-- Replaces the secret; the previous one also signs for a day.
create function public.rotate_webhook(workspace_id uuid, webhook uuid, sealed text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  present private.webhooks;
begin
  perform private.require_role(rotate_webhook.workspace_id, '{owner,admin}');
  present := private.webhook_of(rotate_webhook.workspace_id, webhook);
  if present.kind <> 'webhook' then perform private.refuse('validation_failed', '{"id": "A chat has no secret of ours: change its address instead"}'); end if;
  update private.webhooks w set sealed_before = w.sealed, sealed = rotate_webhook.sealed, rotated_at = clock_timestamp()
  where w.id = webhook returning * into present;
  return private.webhook_json(present);
end $$;

create function private.delivery_json(delivery private.webhook_deliveries) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  event private.webhook_events;
  reads_posts boolean;
  reads_answers boolean;
begin
  select e.* into event from private.webhook_events e where e.id = delivery.event_id;
  reads_posts := private.key_has('posts:read');
  reads_answers := reads_posts and private.key_has('subscribers:read'); -- an answer may echo the payload
  return jsonb_build_object(
    'id', delivery.id,
    'event', jsonb_build_object('id', event.id, 'type', event.kind, 'post_id', event.post_id, 'happened_at', event.happened_at,
      'about', case
        when reads_posts then coalesce((select p.title from public.posts p where p.id = event.post_id), event.data ->> 'title')
        else (select v.title from private.visible_posts v where v.id = event.post_id)
      end),
    'state', delivery.state, 'again', delivery.again, 'status', delivery.status, 'error', delivery.error,
    'tries', coalesce((
      select jsonb_agg(jsonb_build_object('at', a.at, 'status', a.status, 'ms', a.ms, 'error', a.error,
        'answer', case when reads_answers then a.answer end) order by a.attempt)
      from private.delivery_attempts a where a.delivery_id = delivery.id
    ), '[]'),
    'created_at', delivery.created_at, 'next_try_at', case when delivery.state = 'waiting' then delivery.due_at end, 'ended_at', delivery.ended_at);
end $$;

-- Newest first, before {at, id}.
create function public.webhook_deliveries(
  workspace_id uuid, webhook uuid, state text default null, before jsonb default null, size int default 50
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := webhook_deliveries.workspace_id;
begin
  perform private.require_role(asked, '{owner,admin}', true);
  if not exists (select from private.webhooks w where w.id = webhook and w.workspace_id = asked) then perform private.refuse('not_found'); end if;
  return coalesce((
    select jsonb_agg(private.delivery_json(s.delivery) order by (s.delivery).created_at desc, (s.delivery).id desc) from (
      select d as delivery from private.webhook_deliveries d
      where d.webhook_id = webhook and (webhook_deliveries.state is null or d.state = webhook_deliveries.state)
        and (before is null or (d.created_at, d.id) < ((before ->> 'at')::timestamptz, (before ->> 'id')::uuid))
      order by d.created_at desc, d.id desc limit least(greatest(size, 1), 101)
    ) as s
  ), '[]');
end $$;

-- Refuses for a disabled webhook; clears Retry-After.
create function private.resume_webhook(webhook private.webhooks) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if webhook.off_at is not null then perform private.refuse('webhook_off'); end if;
  update private.webhooks w set wait_until = null where w.id = webhook.id and w.wait_until is not null;
end $$;

create function public.ping_webhook(workspace_id uuid, webhook uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  present private.webhooks;
  event uuid;
  made private.webhook_deliveries;
begin
  perform private.require_role(ping_webhook.workspace_id, '{owner,admin}');
  present := private.webhook_of(ping_webhook.workspace_id, webhook);
  perform private.resume_webhook(present);
  insert into private.webhook_events (workspace_id, kind) values (present.workspace_id, 'webhook.ping') returning id into event;
  insert into private.webhook_deliveries (event_id, webhook_id, workspace_id) values (event, present.id, present.workspace_id) returning * into made;
  return private.delivery_json(made);
end $$;

-- Resends a finished delivery as another of the same event; one that waits becomes due now. `webhook`: restricts it to one.
create function public.resend_delivery(workspace_id uuid, delivery uuid, webhook uuid default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := resend_delivery.workspace_id;
  former private.webhook_deliveries;
  present private.webhooks;
  made private.webhook_deliveries;
begin
  perform private.require_role(asked, '{owner,admin}');
  select d.* into former from private.webhook_deliveries d
  where d.id = delivery and d.workspace_id = asked and (resend_delivery.webhook is null or d.webhook_id = resend_delivery.webhook);
  if former.id is null then perform private.refuse('not_found'); end if;
  perform private.require_event_scopes(array(select e.kind from private.webhook_events e where e.id = former.event_id));
  present := private.webhook_of(asked, former.webhook_id); -- lock: two clicks resend once
  perform private.resume_webhook(present);
  select d.* into made from private.webhook_deliveries d
  where d.event_id = former.event_id and d.webhook_id = former.webhook_id and d.ended_at is null limit 1;
  if made.id is not null then
    update private.webhook_deliveries d set due_at = least(d.due_at, clock_timestamp()) where d.id = made.id and d.state = 'waiting' and d.attempt > 0;
    select d.* into made from private.webhook_deliveries d where d.id = made.id;
  else
    insert into private.webhook_deliveries (event_id, webhook_id, workspace_id, again)
    values (former.event_id, former.webhook_id, asked, true) returning * into made;
  end if;
  return private.delivery_json(made);
end $$;

-- Resends what failed since, hasn't arrived otherwise and is still subscribed. Returns the number.
create function public.resend_failed(workspace_id uuid, webhook uuid, since timestamptz) returns int
language plpgsql security definer set search_path = '' as $$
declare
  present private.webhooks;
  amount int;
begin
  perform private.require_role(resend_failed.workspace_id, '{owner,admin}');
  present := private.webhook_of(resend_failed.workspace_id, webhook);
  perform private.require_event_scopes(present.events);
  perform private.resume_webhook(present);
  insert into private.webhook_deliveries (event_id, webhook_id, workspace_id, again)
  select f.event_id, present.id, present.workspace_id, true from (
    select d.event_id, max(d.ended_at) as ended_at from private.webhook_deliveries d join private.webhook_events e on e.id = d.event_id
    where d.webhook_id = present.id and d.state = 'failed' and d.ended_at >= since and e.kind = any (present.events || 'webhook.ping'::text)
    group by 1
  ) as f
  where not exists (
    select from private.webhook_deliveries o
    where o.event_id = f.event_id and o.webhook_id = present.id and (o.state = 'done' or o.ended_at is null)
  )
  order by f.ended_at limit 1000;
  get diagnostics amount = row_count;
  return amount;
end $$;

revoke all on function public.list_webhooks(uuid), public.create_webhook(uuid, jsonb), public.change_webhook(uuid, uuid, jsonb),
  public.remove_webhook(uuid, uuid), public.rotate_webhook(uuid, uuid, text), public.webhook_deliveries(uuid, uuid, text, jsonb, int),
  public.ping_webhook(uuid, uuid), public.resend_delivery(uuid, uuid, uuid), public.resend_failed(uuid, uuid, timestamptz) from public, anon;
grant execute on function public.list_webhooks(uuid), public.create_webhook(uuid, jsonb), public.change_webhook(uuid, uuid, jsonb),
  public.remove_webhook(uuid, uuid), public.rotate_webhook(uuid, uuid, text), public.webhook_deliveries(uuid, uuid, text, jsonb, int),
  public.ping_webhook(uuid, uuid), public.resend_delivery(uuid, uuid, uuid), public.resend_failed(uuid, uuid, timestamptz) to authenticated, service_role;

insert into private.key_calls (call, scopes) values
  ('list_webhooks', '{webhooks:write}'), ('create_webhook', '{webhooks:write}'), ('change_webhook', '{webhooks:write}'),
  ('remove_webhook', '{webhooks:write}'), ('rotate_webhook', '{webhooks:write}'), ('webhook_deliveries', '{webhooks:write}'),
  ('ping_webhook', '{webhooks:write}'), ('resend_delivery', '{webhooks:write}'), ('resend_failed', '{webhooks:write}');
