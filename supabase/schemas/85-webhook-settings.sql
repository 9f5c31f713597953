-- Webhooks, managed by owners and admins (79-webhook-deliveries sends). Secrets arrive encrypted and are never returned.

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

-- A webhook, locked, for owners and admins.
create function private.webhook_of(workspace uuid, webhook uuid) returns private.webhooks
language plpgsql security definer set search_path = '' as $$
declare
  found_one private.webhooks;
begin
  perform private.require_role(workspace, '{owner,admin}');
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
  present := private.webhook_of(change_webhook.workspace_id, webhook);
  former := present;
  perform private.require_event_scopes(former.events);
  if present.kind <> 'webhook' and private.text_array(changes -> 'events') && '{subscriber.confirmed,subscriber.left}'::text[] then
    perform private.refuse('validation_failed', '{"events": "Chats only get post events"}');
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
  perform private.webhook_of(remove_webhook.workspace_id, webhook);
  delete from private.webhooks w where w.id = webhook;
end $$;

-- Replaces the secret; the previous one also signs for a day.
create function public.rotate_webhook(workspace_id uuid, webhook uuid, sealed text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  present private.webhooks;
begin
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
    'created_at', delivery.created_at, 'next_try_at', case when delivery.state = 'waiting' then (select j.run_at from private.jobs j where j.id = delivery.id) end, 'ended_at', delivery.ended_at);
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

-- Refuses for a disabled webhook; ends its pause (Retry-After).
create function private.resume_webhook(webhook private.webhooks) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if webhook.off_at is not null then perform private.refuse('webhook_off'); end if;
  if webhook.wait_until is null then return; end if;
  update private.webhooks w set wait_until = null where w.id = webhook.id;
  update private.jobs j set run_at = clock_timestamp() where j.task = 'send_webhook' and j.key = webhook.id and j.locked_by is null and j.run_at = webhook.wait_until;
end $$;

create function public.ping_webhook(workspace_id uuid, webhook uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  present private.webhooks;
  event uuid;
begin
  present := private.webhook_of(ping_webhook.workspace_id, webhook);
  perform private.resume_webhook(present);
  insert into private.webhook_events (workspace_id, kind) values (present.workspace_id, 'webhook.ping') returning id into event;
  return private.delivery_json(private.queue_delivery(event, present, false));
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
    update private.jobs j set run_at = least(j.run_at, clock_timestamp()) where j.id = made.id and j.locked_by is null and made.attempt > 0;
  else
    made := private.queue_delivery(former.event_id, present, true);
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
  present := private.webhook_of(resend_failed.workspace_id, webhook);
  perform private.require_event_scopes(present.events);
  perform private.resume_webhook(present);
  perform private.queue_delivery(f.event_id, present, true) from (
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

grant execute on function public.list_webhooks, public.create_webhook, public.change_webhook, public.remove_webhook, public.rotate_webhook,
  public.webhook_deliveries, public.ping_webhook, public.resend_delivery, public.resend_failed to authenticated, service_role;
