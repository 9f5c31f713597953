-- What a webhook is told, a key that connects it hears. What anybody may read needs no more; titles that are not out yet and readers' addresses
-- need what reading them needs.
create function private.require_hearing(events text[]) returns void
language plpgsql stable set search_path = '' as $$
begin
  if 'post.scheduled' = any (events) and not private.key_has('posts:read') then
    perform private.refuse('scope_missing', '{"scope": "posts:read"}');
  end if;
  if events && '{subscriber.confirmed,subscriber.left}' and not private.key_has('subscribers:read') then
    perform private.refuse('scope_missing', '{"scope": "subscribers:read"}');
  end if;
end $$;

create or replace function public.create_webhook(workspace_id uuid, webhook jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := create_webhook.workspace_id;
  made private.webhooks;
begin
  perform private.require_role(asked, '{owner,admin}');
  perform from public.workspaces w where w.id = asked for no key update; -- one after the other, so that a hundred are a hundred
  if (select count(*) from private.webhooks w where w.workspace_id = asked) >= 100 then perform private.refuse('too_many_webhooks'); end if;
  insert into private.webhooks (id, workspace_id, kind, name, url, sealed, events, tags, created_by)
  values (coalesce((webhook ->> 'id')::uuid, gen_random_uuid()), asked, webhook ->> 'kind', coalesce(private.clean_line(webhook ->> 'name'), ''), webhook ->> 'url',
    webhook ->> 'sealed', private.text_array(webhook -> 'events'),
    case when jsonb_typeof(webhook -> 'tags') = 'array' then private.text_array(webhook -> 'tags') end, private.my_id())
  returning * into made;
  perform private.require_hearing(made.events);
  return private.shown_webhook(made);
end $$;

create or replace function public.change_webhook(workspace_id uuid, webhook uuid, changes jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  present private.webhooks;
begin
  perform private.require_role(change_webhook.workspace_id, '{owner,admin}');
  present := private.webhook_of(change_webhook.workspace_id, webhook);
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
  perform private.require_hearing(present.events);
  if (changes ->> 'enabled')::boolean then
    update private.webhooks w set off_at = null, off_reason = null, failing_since = null, failed_tries = 0, wait_until = null
    where w.id = webhook and w.off_at is not null;
  elsif not (changes ->> 'enabled')::boolean then
    perform private.switch_off_webhook(webhook, 'by_hand');
  end if;
  return (select private.shown_webhook(w) from private.webhooks w where w.id = webhook);
end $$;
