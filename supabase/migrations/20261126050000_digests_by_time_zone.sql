-- Looking for digests that are due took a call for each workspace and rhythm, every few seconds; now one for each time zone.
create or replace function private.make_digests() returns int
language plpgsql security definer set search_path = '' as $$
declare
  made int;
begin
  -- A time zone and what is news are each worked out once for all who share them: every few seconds somebody asks, mostly for nothing.
  with nines as materialized (
    select k.time_zone, k.undo_minutes, r.rhythm,
      private.last_digest_time(k.time_zone, r.rhythm, now() - make_interval(mins => k.undo_minutes)) as nine
    from (select distinct m.time_zone, m.undo_minutes from public.mail_settings m where m.enabled) as k,
      (values ('daily'::public.subscriber_frequency), ('weekly')) as r (rhythm)
  ), due as (
    select s.id, s.workspace_id, s.last_digest_at as since, n.nine as until, s.tags
    from nines n join public.mail_settings m on m.enabled and m.time_zone = n.time_zone and m.undo_minutes = n.undo_minutes
    join public.workspaces w on w.id = m.workspace_id and w.public_changelog_enabled
    join public.subscribers s on s.workspace_id = m.workspace_id and s.frequency = n.rhythm
    where s.status = 'active' and s.last_digest_at < n.nine
    for update of s skip locked
  ), told as (
    update public.subscribers s set last_digest_at = d.until from due d where s.id = d.id returning d.id, d.workspace_id, d.since, d.until, d.tags
  ), news as materialized (
    select k.workspace_id, k.since, k.until, v.tags
    from (select distinct t.workspace_id, t.since, t.until from told t) as k, private.news_of(k.workspace_id, k.since, k.until) v
  )
  insert into private.deliveries (workspace_id, channel, kind, target_id, data)
  select t.workspace_id, 'mail', 'digest', t.id, jsonb_build_object('from', t.since, 'to', t.until) from told t
  where exists (
    select from news n where n.workspace_id = t.workspace_id and n.since = t.since and n.until = t.until and (t.tags is null or t.tags && n.tags)
  );
  get diagnostics made = row_count;
  return made;
end $$;
