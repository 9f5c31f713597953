-- What was under way to a webhook while it was switched off waited for its next try, and went out when it was switched on again.
create or replace function private.settle_webhook(
  delivery private.webhook_deliveries, outcome text, status int, ms int, error text, answer text, after numeric, slower boolean
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  waits constant int[] := '{5,300,1800,7200,18000,36000,50400,72000,86400}';
  moment constant timestamptz := clock_timestamp();
  asked constant numeric := least(greatest(coalesce(after, 0), 0), 86400);
  -- Of one that was switched off meanwhile nothing waits: it would be sent when it is switched on again.
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
    perform private.switch_off_webhook(target.id, 'gone');
  elsif target.failing_since < moment - interval '3 days' and target.failed_tries >= 20 then
    perform private.switch_off_webhook(target.id, 'failing');
  end if;
end $$;
