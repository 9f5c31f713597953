-- A worker that was killed in the middle of as many requests as a webhook may have at a time kept that webhook waiting for two minutes.
create or replace function public.work_webhooks(
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
    where d.state = 'sending' order by d.webhook_id, d.id -- the same order for everybody: nobody waits in a circle
  loop
    perform private.settle_webhook(
      told.delivery, told.outcome, told.status, told.ms, told.error, told.answer, told.after, coalesce(told.slower, false));
  end loop;
  if work_webhooks.room <= 0 then return; end if;
  moment := clock_timestamp();

  return query
    with recursive b as ( -- ordered as the index of what is to be sent is
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
      where w.off_at is null and (w.wait_until is null or w.wait_until <= moment)
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
      select d.id, e, w, k, v.version, case e.kind
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
        due_at = moment + interval '45 seconds', -- a try takes 15 at most, and recording it 8 where the database is away
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
