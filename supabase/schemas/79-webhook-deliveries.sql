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
  failing_since timestamptz,
  failed_tries int not null default 0,
  last_success_at timestamptz,
  last_try_at timestamptz,
  wait_until timestamptz, -- Retry-After
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  constraint webhooks_off check ((off_at is null) = (off_reason is null))
);
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
create index webhook_events_of_workspace on private.webhook_events (workspace_id);
create index webhook_events_of_post on private.webhook_events (post_id) where post_id is not null;
create index webhook_events_happened on private.webhook_events (happened_at);

-- One event for one webhook, sent by the job with its id; resending by hand makes another row.
create table private.webhook_deliveries (
  id uuid constraint webhook_deliveries_pkey primary key default gen_random_uuid(),
  event_id uuid not null constraint webhook_deliveries_event_id_fkey references private.webhook_events (id) on delete cascade,
  webhook_id uuid not null constraint webhook_deliveries_webhook_id_fkey references private.webhooks (id) on delete cascade,
  workspace_id uuid not null constraint webhook_deliveries_workspace_id_fkey references public.workspaces (id) on delete cascade,
  attempt int not null default 0,
  state text not null default 'waiting' constraint webhook_deliveries_state check (state in ('waiting', 'sending', 'done', 'failed', 'dropped')),
  again boolean not null default false,
  status int,
  error text constraint webhook_deliveries_error_length check (char_length(error) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint webhook_deliveries_ended check ((ended_at is null) = (state in ('waiting', 'sending')))
);
create index webhook_deliveries_open on private.webhook_deliveries (webhook_id) where ended_at is null;
create index webhook_deliveries_of_webhook on private.webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_of_event on private.webhook_deliveries (event_id);
create index webhook_deliveries_of_workspace on private.webhook_deliveries (workspace_id);
create index webhook_deliveries_ended_at on private.webhook_deliveries (ended_at) where ended_at is not null;

create table private.delivery_attempts (
  delivery_id uuid not null constraint delivery_attempts_delivery_id_fkey references private.webhook_deliveries (id) on delete cascade,
  attempt int not null,
  at timestamptz not null default clock_timestamp(),
  status int,
  ms int not null,
  error text constraint delivery_attempts_error_length check (char_length(error) <= 500),
  answer text constraint delivery_attempts_answer_length check (octet_length(answer) <= 2100),
  constraint delivery_attempts_pkey primary key (delivery_id, attempt)
);

-- Queues an event for every webhook that subscribes to it. `tags`: the post's, or null; `but`: webhooks to skip.
create function private.enqueue_webhooks(
  workspace uuid, kind text, post uuid, subscriber uuid, data jsonb, tags text[], due timestamptz default clock_timestamp(), but uuid[] default '{}'
) returns void
language sql security definer set search_path = '' as $$
  with targets as (
    select w.id, w.wait_until from private.webhooks w
    where w.workspace_id = workspace and w.off_at is null and enqueue_webhooks.kind = any (w.events) and not w.id = any (but)
      and (w.tags is null or enqueue_webhooks.tags is null or private.tags_now(workspace, w.tags) && enqueue_webhooks.tags)
  ), event as (
    insert into private.webhook_events (workspace_id, kind, post_id, subscriber_id, data)
    select workspace, enqueue_webhooks.kind, post, subscriber, enqueue_webhooks.data where exists (select from targets)
    returning id
  ), made as (
    insert into private.webhook_deliveries (event_id, webhook_id, workspace_id) select e.id, t.id, workspace from event e, targets t
    returning id, webhook_id
  )
  insert into private.jobs (id, task, workspace_id, key, run_at, priority)
  select d.id, 'send_webhook', workspace, t.id, greatest(due, t.wait_until), 0 from made d join targets t on t.id = d.webhook_id
$$;

create function private.queue_delivery(event uuid, webhook private.webhooks, again boolean) returns private.webhook_deliveries
language plpgsql security definer set search_path = '' as $$
declare
  delivery private.webhook_deliveries;
begin
  insert into private.webhook_deliveries (event_id, webhook_id, workspace_id, again)
  values (queue_delivery.event, webhook.id, webhook.workspace_id, queue_delivery.again) returning * into delivery;
  perform private.add_job('send_webhook', delivery.id, webhook.workspace_id, key => webhook.id);
  return delivery;
end $$;

-- Changes of published and scheduled posts, other than the first publication (76-email).
create function private.enqueue_webhooks_of_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := coalesce(new, old);
  was constant boolean := tg_op <> 'INSERT' and private.public_status(old) = 'published';
  is_one constant boolean := tg_op <> 'DELETE' and private.public_status(new) = 'published';
  waits constant boolean := tg_op <> 'DELETE' and private.public_status(new) = 'scheduled';
  unheard uuid[]; -- they don't know of the publication yet, or will read the present state
begin
  if not (was or is_one or waits)
    or coalesce(current_setting('tidings.tag_from', true), '') <> '' -- not an edit
    or private.has_option('importing') or not exists (select from private.webhooks w where w.workspace_id = post.workspace_id) then return null; end if;
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
    if (new.content_updated_at, new.slug, new.author_name) is distinct from (old.content_updated_at, old.slug, old.author_name) then
      perform private.enqueue_webhooks(post.workspace_id, 'post.updated', post.id, null, jsonb_strip_nulls(jsonb_build_object(
        'title', nullif(old.title, new.title), 'slug', nullif(old.slug, new.slug),
        'tags', case when old.tags <> new.tags then to_jsonb(old.tags) end)), old.tags || new.tags, but => unheard);
    end if;
  elsif is_one and tg_op = 'UPDATE' and old.published_at is not null then
    -- Published again: an update for those who know of it.
    perform private.enqueue_webhooks(post.workspace_id, 'post.updated', post.id, null, '{}', new.tags, but => unheard);
  elsif waits then
    if tg_op = 'INSERT' or private.public_status(old) <> 'scheduled' or old.publish_at is distinct from new.publish_at then
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
  where d.webhook_id = webhook and d.state = 'waiting';
  if reason <> 'by_hand' then
    insert into private.deliveries (workspace_id, kind, target_id)
    select m.workspace_id, case reason when 'gone' then 'webhook_gone' else 'webhook_failing' end, m.user_id
    from public.members m where m.workspace_id = workspace and m.role = 'owner';
  end if;
end $$;

-- The event that a job's delivery sends, with the post as it is now and `own_tags`; no row once it has ended, is pointless or its webhook is off.
create function public.webhook_to_send(delivery uuid) returns table (
  event_id uuid, type text, happened_at timestamptz, webhook_id uuid, kind text, url text, sealed text, sealed_before text,
  workspace_id uuid, workspace_name text, subdomain text, domain text, post jsonb, facts jsonb
)
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  d private.webhook_deliveries;
  e private.webhook_events;
  w private.webhooks;
  k public.workspaces;
  v private.visible_posts;
  p public.posts;
  s public.subscribers;
  r text[];
  is_pointless boolean;
begin
  select x.* into d from private.webhook_deliveries x where x.id = delivery and x.ended_at is null for update;
  if d.id is null then return; end if;
  select x.* into e from private.webhook_events x where x.id = d.event_id;
  select x.* into w from private.webhooks x where x.id = d.webhook_id;
  select x.* into k from public.workspaces x where x.id = d.workspace_id;
  select x.* into v from private.visible_posts x where x.id = e.post_id;
  select x.* into p from public.posts x where x.id = e.post_id and e.kind = 'post.scheduled' and private.public_status(x) = 'scheduled' and x.publish_at > moment;
  select x.* into s from public.subscribers x where x.id = e.subscriber_id;
  select x.requests into r from public.posts x where x.id = e.post_id;
  is_pointless := e.kind <> all (w.events || 'webhook.ping'::text) or case e.kind
    when 'post.published' then v.id is null
    when 'post.updated' then v.id is null
    when 'post.unpublished' then v.id is not null or not k.public_changelog_enabled
    when 'post.scheduled' then p.id is null
    when 'webhook.ping' then false
    else s.id is null
  end;
  if is_pointless or w.off_at is not null then
    update private.webhook_deliveries x set state = case when is_pointless then 'dropped' else 'failed' end, ended_at = moment,
      error = case when is_pointless then x.error else coalesce(x.error, 'The webhook was switched off before this was sent') end
    where x.id = d.id;
    return;
  end if;
  update private.webhook_deliveries x set state = 'sending', attempt = x.attempt + 1 where x.id = d.id;
  return query select e.id, e.kind, e.happened_at, w.id, w.kind, w.url, w.sealed,
    case when w.rotated_at > moment - interval '24 hours' then w.sealed_before end, k.id, k.name, k.subdomain::text, private.domain_of(k.id),
    case when v.id is not null then to_jsonb(v) - '{workspace_id,version,imported}'::text[] || jsonb_build_object('requests', to_jsonb(r), 'own_tags', coalesce((
      select jsonb_agg(jsonb_build_object('key', t.key, 'label', t.label, 'colour', t.colour)) from public.tags t
      where t.workspace_id = k.id and t.key = any (v.tags)
    ), '[]')) end,
    case
      when e.kind = 'post.updated' then e.data
      when e.kind = 'post.unpublished' then e.data || jsonb_build_object('id', e.post_id)
      when e.kind = 'post.scheduled' then jsonb_build_object('id', p.id, 'title', p.title, 'tags', to_jsonb(p.tags), 'scheduled_for', p.publish_at)
      when s.id is not null then jsonb_build_object('id', s.id, 'email', s.email, 'frequency', s.frequency, 'tags', to_jsonb(s.tags))
      else '{}'
    end;
end $$;

-- Records an attempt and ends its job: {outcome: done|again|failed|gone (410), status, ms, error, answer, after, slower}. `again` is retried by the
-- task's schedule, or `after` seconds (Retry-After, at most a day), then fails. `slower` (429, 503): pauses the webhook for at least half a minute.
-- Lock order: webhook, delivery, jobs.
create function public.settle_webhook(delivery uuid, lease uuid, result jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  outcome constant text := result ->> 'outcome';
  problem constant text := left(result ->> 'error', 500);
  ms constant int := coalesce((result ->> 'ms')::int, 0);
  asked constant numeric := least(greatest(coalesce((result ->> 'after')::numeric, 0), 0), 86400);
  pause constant interval := case when outcome <> 'done' and (asked > 0 or (result ->> 'slower')::boolean) then interval '1 second' * greatest(asked, 30) end;
  present private.webhook_deliveries;
  target private.webhooks;
  once_more boolean;
begin
  select w.* into target from private.webhooks w
  where w.id = (select d.webhook_id from private.webhook_deliveries d where d.id = delivery) for no key update;
  select d.* into present from private.webhook_deliveries d where d.id = delivery and d.state = 'sending' for update;
  select outcome = 'again' and j.attempts <= cardinality(t.retry_after) and target.off_at is null into once_more
  from private.jobs j join private.job_tasks t on t.task = j.task where j.id = present.id and j.locked_by = settle_webhook.lease;
  if once_more is null then return; end if;
  update private.webhook_deliveries d set
    state = case when once_more then 'waiting' when outcome = 'done' then 'done' else 'failed' end,
    ended_at = case when not once_more then moment end, status = (result ->> 'status')::int, error = problem
  where d.id = present.id;
  insert into private.delivery_attempts (delivery_id, attempt, at, status, ms, error, answer)
  values (present.id, present.attempt, moment - make_interval(secs => ms / 1000.0), (result ->> 'status')::int, ms, problem, result ->> 'answer');
  update private.webhooks w set
    last_try_at = moment,
    last_success_at = case when outcome = 'done' then moment else w.last_success_at end,
    failing_since = case when outcome <> 'done' then coalesce(w.failing_since, moment) end,
    failed_tries = case when outcome = 'done' then 0 else w.failed_tries + 1 end,
    wait_until = coalesce(moment + pause, w.wait_until)
  where w.id = target.id;
  perform private.end_job(present.id, lease, case when once_more then coalesce(problem, '') end, case when once_more then extract(epoch from coalesce(pause, '0')) end);
  if pause is not null then
    update private.jobs j set run_at = moment + pause where j.task = 'send_webhook' and j.key = target.id and j.locked_by is null and j.run_at < moment + pause;
  elsif outcome = 'done' and target.failing_since is not null then
    update private.jobs j set last_error = null where j.task = 'send_webhook' and j.key = target.id and j.last_error is not null;
  end if;
  if outcome = 'gone' then
    perform private.disable_webhook(target.id, 'gone');
  elsif outcome <> 'done' and target.failing_since < moment - interval '3 days' and target.failed_tries >= 19 then
    perform private.disable_webhook(target.id, 'failing');
  end if;
end $$;
grant execute on function public.webhook_to_send(uuid), public.settle_webhook(uuid, uuid, jsonb) to service_role;
