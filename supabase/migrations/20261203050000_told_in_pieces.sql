-- Who is told is told in pieces, workspaces in turns, so that no publication is too large to be told and none keeps others waiting; another rhythm
-- loses no post; what came out while nobody was mailed is no news later; addresses that strangers type hold no workspace's mails; what is left of a restore goes by the clock.

alter table private.events add column reached uuid, add column reached_at timestamptz;
-- squawk-ignore require-concurrent-index-creation
create index subscribers_told_at_once on public.subscribers (workspace_id, id) where status = 'active' and frequency = 'instant';
-- squawk-ignore require-concurrent-index-creation
create index deliveries_misused on private.deliveries (workspace_id, ended_at) where kind = 'confirmation' and bounce = 'hard';
drop function private.tell_events(int);

-- Makes runs of what is due, and takes one run for two minutes; null: there is nothing to do. One that was broken off three times has failed. A
-- workspace has one run at a time, and so have all of one owner together: none waits for the many of another.
create or replace function public.claim_backup() returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  taken private.backup_runs;
  due record;
begin
  for due in
    select b.workspace_id from private.backups b
    where b.next_at <= moment and (b.next_at <= moment - interval '1 day' or private.has_backup(b.workspace_id))
    order by b.next_at limit 50 for update skip locked
  loop
    update private.backups b set next_at = b.next_at + make_interval(days => ceil(extract(epoch from moment - b.next_at) / 86400)::int + (b.next_at = moment)::int)
    where b.workspace_id = due.workspace_id;
    if private.has_backup(due.workspace_id) then
      insert into private.backup_runs (workspace_id) values (due.workspace_id) on conflict (workspace_id) where ended_at is null do nothing;
      delete from private.backup_runs r where r.workspace_id = due.workspace_id and r.ended_at < moment - interval '100 days';
    end if;
  end loop;
  for due in
    select r.id from private.backup_runs r where r.ended_at is null and r.lease_until <= moment and r.attempt >= 3 for update skip locked
  loop
    perform private.settle_backup(due.id, '{"problem": "It was broken off three times: it takes longer, or needs more, than this installation allows"}');
  end loop;
  update private.backup_runs r set lease_until = moment + interval '2 minutes', attempt = r.attempt + 1
  where r.id = (
    select o.id from private.backup_runs o where o.ended_at is null and o.lease_until <= moment
      and not exists (
        select from private.backup_runs u join public.members m on m.workspace_id = u.workspace_id and m.role = 'owner'
        join public.members n on n.workspace_id = o.workspace_id and n.role = 'owner' and n.user_id = m.user_id
        where u.ended_at is null and u.lease_until > moment and u.workspace_id <> o.workspace_id
      )
    order by o.attempt, o.started_at limit 1 for update skip locked
  ) returning r.* into taken;
  if taken.id is null then return null; end if;
  return (
    select jsonb_build_object('run', taken.id, 'attempt', taken.attempt, 'workspace_id', w.id, 'name', w.name, 'subdomain', w.subdomain,
      'owner', (select m.user_id from public.members m where m.workspace_id = w.id and m.role = 'owner'),
      'endpoint', b.endpoint, 'region', b.region, 'bucket', b.bucket, 'key_id', b.key_id, 'sealed_secret', b.sealed_secret,
      'sealed_passphrase', b.sealed_passphrase, 'keep_days', b.keep_days)
    from private.backups b join public.workspaces w on w.id = b.workspace_id where b.workspace_id = taken.workspace_id
  );
end $$;

-- For the clock: restores that nobody has been at for ten minutes go, a part of each at a time, as one may have brought as much as a copy holds.
create or replace function private.drop_dead_restores(most int default 500) returns void
language plpgsql security definer set search_path = '' as $$
declare
  dead record;
  part record;
  dropped int;
begin
  for dead in
    select r.workspace_id from private.restores r where r.done_at is null and r.alive_at < clock_timestamp() - interval '10 minutes'
    order by random() limit 3 for update skip locked
  loop
    begin
      dropped := 0;
      for part in
        select * from (values ('public.posts', most), ('public.subscribers', 10 * most), ('public.daily_counts', 40 * most), ('private.post_counts', 40 * most),
          ('private.import_entries', 10 * most)) as p (name, rows)
      loop
        exit when dropped > 0;
        execute format('delete from %1$s t where t.ctid = any (array(select d.ctid from %1$s d where d.workspace_id = $1 limit $2))', part.name)
        using dead.workspace_id, part.rows;
        get diagnostics dropped = row_count;
      end loop;
      if dropped = 0 then perform private.drop_restored(dead.workspace_id); end if;
    exception when others then
      raise warning 'the restore into % is not dropped: %', dead.workspace_id, sqlerrm;
    end;
  end loop;
end $$;
grant execute on function private.drop_dead_restores(int) to service_role;
select private.schedule('drop-dead-restores', '* * * * *', 'select private.drop_dead_restores()');

-- Begins a workspace that a copy is put into: {workspace_id, state: "new", "running" or "done"}. As the person, who is to own it. The same key again
-- answers with the same workspace.
create or replace function public.begin_restore(
  workspace_id uuid, source_id uuid, key text, name text, subdomain text, idempotency_key text default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  wrong jsonb;
  availability text;
  earlier jsonb;
  known private.restores;
  made uuid;
begin
  perform private.require_backup(workspace_id);
  earlier := private.claim_request(idempotency_key, jsonb_build_array('restore', workspace_id, key, name, subdomain)::text);
  if earlier is not null then
    select r.* into known from private.restores r where r.workspace_id = (earlier ->> 'id')::uuid;
    if known.workspace_id is null then perform private.refuse('not_found'); end if;
    return jsonb_build_object('workspace_id', known.workspace_id, 'state', case when known.done_at is null then 'running' else 'done' end);
  end if;
  wrong := private.workspace_faults(private.clean_line(name), null);
  availability := public.subdomain_status(subdomain);
  if availability = 'invalid' then
    wrong := wrong || '{"subdomain": "Please use 3 to 63 letters, digits and hyphens, beginning and ending with a letter or digit"}';
  end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if availability <> 'free' then perform private.refuse(availability); end if;
  begin
    insert into public.workspaces (name, subdomain) values (name, lower(btrim(subdomain))) returning id into made;
  exception when unique_violation then
    perform private.refuse('subdomain_taken'); -- someone else was faster by a moment
  end;
  insert into public.workspace_add_ons (workspace_id, add_on, granted_by) values (made, 'teams', auth.uid());
  perform pg_advisory_xact_lock(hashtextextended('restores/' || source_id, 0)); -- of two at once one takes the names
  insert into private.restores (workspace_id, source_id, asked_in, key, person, keeps_ids)
  values (made, source_id, workspace_id, key, auth.uid(),
    not exists (select from public.workspaces w where w.id = source_id) and not exists (select from private.restores r where r.source_id = begin_restore.source_id and r.keeps_ids));
  if idempotency_key is not null then perform private.settle_request(idempotency_key, jsonb_build_object('id', made)); end if;
  return jsonb_build_object('workspace_id', made, 'state', 'new');
end $$;

-- Another rhythm loses nothing and tells nothing twice: who is told at once from now on gets what his digest would have said until now, and whose
-- digests begin hears in the first of what is published and was not told yet. What was told, or published before anybody asked, is no news.
create or replace function private.change_rhythm(reader public.subscribers, rhythm public.subscriber_frequency) returns void
language plpgsql security definer set search_path = '' as $$
declare
  untold constant timestamptz := (
    select min(e.happened_at) - interval '1 microsecond' from private.events e
    where e.workspace_id = reader.workspace_id and e.told_at is null and not e.quiet and (e.reached is null or e.reached < reader.id)
  );
  until constant timestamptz := least(clock_timestamp(), untold);
begin
  if rhythm is null or rhythm = reader.frequency then return; end if;
  update public.subscribers t set frequency = rhythm,
    last_digest_at = case when rhythm <> 'instant' and t.frequency <> 'instant' then t.last_digest_at else until end
  where t.id = reader.id;
  if rhythm <> 'instant' or reader.status <> 'active' or reader.last_digest_at is null then return; end if;
  insert into private.deliveries (workspace_id, channel, kind, target_id, data)
  select reader.workspace_id, 'mail', 'digest', reader.id, jsonb_build_object('from', reader.last_digest_at, 'to', until)
  where exists (
    select from private.news_of(reader.workspace_id, reader.last_digest_at, until) n where reader.tags is null or reader.tags && n.tags
  );
end $$;
revoke all on function private.change_rhythm(public.subscribers, public.subscriber_frequency) from public, anon, authenticated;

-- What the owner of a token wants: confirm, save (rhythm and tags), leave, return, erase. Answers whether there is such a token. Done twice, it
-- is the same.
create or replace function private.change_subscription(
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
      perform private.change_rhythm(s, change_subscription.frequency::public.subscriber_frequency);
      update public.subscribers t set tags = nullif(private.clean_tags(change_subscription.tags[1:20]), '{}') where t.id = s.id;
    when 'leave' then
      update public.subscribers t set status = 'left', left_at = now() where t.id = s.id and t.status not in ('left', 'suppressed');
    when 'erase' then
      insert into private.suppressions (address, workspace_id, reason)
      values (private.address_hash(s.email::text), s.workspace_id, 'erased') on conflict on constraint suppressions_key do nothing;
      delete from private.deliveries d where d.target_id = s.id and d.workspace_id = s.workspace_id;
      delete from public.subscribers t where t.id = s.id;
    else perform private.refuse('validation_failed', '{"action": "Nothing of that name can be done"}');
  end case;
  return true;
end $$;

-- A mail to one subscriber that no event causes; a second wish while the first waits is the same wish. Where fifty questions whether somebody wants
-- mails have come back within a day, the next ones wait for six hours: somebody types addresses that are none.
create or replace function private.deliver_to(subscriber public.subscribers, kind text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  is_misused constant boolean := kind = 'confirmation' and 50 <= (
    select count(*) from private.deliveries d
    where d.workspace_id = subscriber.workspace_id and d.kind = 'confirmation' and d.bounce = 'hard' and d.ended_at > clock_timestamp() - interval '1 day'
  );
begin
  if exists (
    select from private.deliveries d where d.target_id = subscriber.id and d.kind = deliver_to.kind and d.state = 'waiting'
  ) then return; end if;
  insert into private.deliveries (workspace_id, channel, kind, target_id, due_at)
  values (subscriber.workspace_id, 'mail', deliver_to.kind, subscriber.id, clock_timestamp() + case when is_misused then interval '6 hours' else interval '0' end);
end $$;

-- A post that is published for the first time is news, unless somebody said that it is not (set local tidings.quiet to 'on': imports, and who
-- publishes or schedules without telling; 'off' takes that back; otherwise what was said before counts). Archived before it was told, it was
-- never told; published again, it is news again. Who makes it a draft is asked anew.
create or replace function private.note_publication() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wish constant text := current_setting('tidings.quiet', true);
begin
  if new.status = 'published' or new.status = 'scheduled' and wish = 'on' then
    insert into private.events as e (workspace_id, kind, post_id, actor, due_at, told_at, quiet)
    select new.workspace_id, 'post.published', new.id, auth.uid(), clock_timestamp() + make_interval(mins => coalesce(
      (select m.undo_minutes from public.mail_settings m where m.workspace_id = new.workspace_id), 5)),
      case when wish = 'on' then clock_timestamp() end, coalesce(wish = 'on', false)
    on conflict (post_id, kind) do update set
      actor = excluded.actor, happened_at = excluded.happened_at, due_at = excluded.due_at, told_at = null, quiet = false,
      reached = null, reached_at = null
    where e.quiet and wish = 'off';
  else
    delete from private.events e where e.post_id = new.id
      and (e.told_at is null and e.reached is null or e.quiet and (new.status = 'draft' or new.status = 'scheduled' and wish = 'off'));
  end if;
  return null;
end $$;

-- What is due becomes deliveries: one for each who is to hear of it now, `most` of them at a time, of one event its workspace's share of that or two
-- thousand, workspaces in turns: one post to half a million keeps nobody else's waiting, nor its own from being sent. Any number of callers share
-- the work. What is not visible by then is told to nobody, and what comes out while a workspace mails nothing is no news later.
create or replace function private.tell_events(most int default 10000) returns int
language plpgsql security definer set search_path = '' as $$
declare
  share constant int := greatest(2000, most / greatest(1, (
    select count(distinct d.workspace_id)::int from private.events d where d.told_at is null and d.due_at <= clock_timestamp())));
  event private.events;
  told int := 0;
  piece int;
  reached_now uuid;
  written int;
begin
  for event in
    select e.* from private.events e join (
      select d.id, d.reached_at, row_number() over (partition by d.workspace_id order by d.reached_at nulls first, d.due_at, d.id) as turn
      from private.events d where d.told_at is null and d.due_at <= clock_timestamp()
    ) as d on d.id = e.id
    where e.told_at is null
    order by d.turn, d.reached_at nulls first, e.due_at, e.id for update of e skip locked
  loop
    piece := least(share, most - told);
    exit when piece <= 0;
    if not private.mails_readers(event.workspace_id) then
      update private.events e set told_at = clock_timestamp(), quiet = true where e.id = event.id;
      continue;
    end if;
    with next as (
      select s.id from public.subscribers s join private.visible_posts v on v.id = event.post_id
      where s.workspace_id = event.workspace_id and s.status = 'active' and s.frequency = 'instant' and (s.tags is null or s.tags && v.tags)
        and (event.reached is null or s.id > event.reached)
      order by s.id limit piece
    ), deliveries as (
      insert into private.deliveries (event_id, workspace_id, channel, kind, target_id)
      select event.id, event.workspace_id, 'mail', 'post', n.id from next n
      on conflict on constraint deliveries_once do nothing
    )
    select count(*), (array_agg(n.id order by n.id desc))[1] into written, reached_now from next n;
    told := told + written;
    update private.events e set reached = coalesce(reached_now, e.reached), reached_at = clock_timestamp(),
      told_at = case when written < piece then clock_timestamp() end
    where e.id = event.id;
  end loop;
  return told;
end $$;

-- One delivery for each whose digest is due and has something in it. The period ends where the next begins: nothing is told twice. It is made
-- once what was published until its end can be taken back no more, and a minute at least after it, when whatever was saved before is seen. Ten
-- thousand at a time, of one workspace and rhythm a thousand, whosever turn chance makes it.
create or replace function private.make_digests() returns int
language plpgsql security definer set search_path = '' as $$
declare
  made int;
begin
  -- A time zone and what is news are each worked out once for all who share them: every few seconds somebody asks, mostly for nothing.
  with nines as materialized (
    select k.time_zone, k.undo_minutes, r.rhythm,
      private.last_digest_time(case when private.is_time_zone(k.time_zone) then k.time_zone else 'UTC' end, r.rhythm,
        now() - make_interval(mins => greatest(k.undo_minutes, 1))) as nine
    from (select distinct m.time_zone, m.undo_minutes from public.mail_settings m where m.enabled) as k,
      (values ('daily'::public.subscriber_frequency), ('weekly')) as r (rhythm)
  ), turns as materialized (
    select m.workspace_id, n.rhythm, n.nine from nines n
    join public.mail_settings m on m.enabled and m.time_zone = n.time_zone and m.undo_minutes = n.undo_minutes
    join public.workspaces w on w.id = m.workspace_id and w.public_changelog_enabled
    order by random()
  ), due as (
    select s.id, t.workspace_id, s.last_digest_at as since, t.nine as until, s.tags from turns t,
      lateral ( -- with a limit by the index: what it costs is a matter of workspaces, not of subscribers
        select d.id, d.last_digest_at, d.tags from public.subscribers d
        where d.workspace_id = t.workspace_id and d.frequency = t.rhythm and d.status = 'active' and d.last_digest_at < t.nine
        order by d.last_digest_at limit 1000 for update skip locked
      ) as s
    limit 10000
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

-- A workspace of whose last thousand mails too many came back sends nothing more until the operator has looked at it
-- (supabase/sql/release-mails.sql): everybody else's mails come from the same sender. A few say nothing yet, however few mails there were, and what
-- anybody can cause who types addresses into a form says nothing of the workspace: of these, see private.deliver_to.
create or replace function private.hold_harmful(workspace uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  mails int;
  complaints int;
  bounces int;
  reason text;
begin
  select count(*), count(*) filter (where l.bounce = 'complaint'), count(*) filter (where l.bounce = 'hard') into mails, complaints, bounces from (
    select d.bounce from private.deliveries d
    where d.workspace_id = workspace and d.state in ('done', 'failed') and (d.state = 'done' or d.bounce is not null)
      and d.kind <> all (private.kinds_for_owners() || private.kinds_for_members() || '{confirmation}')
      and d.ended_at > coalesce((select m.released_at from public.mail_settings m where m.workspace_id = workspace), '-infinity')
    order by d.ended_at desc limit 1000
  ) as l;
  reason := case when complaints >= 3 and complaints > mails * 0.003 then 'complaints' when bounces >= 10 and bounces > mails * 0.05 then 'bounces' end;
  if reason is null then return; end if;
  update public.mail_settings m set held_at = clock_timestamp(), held_reason = reason where m.workspace_id = workspace and m.held_at is null;
  if not found then return; end if;
  insert into private.deliveries (workspace_id, channel, kind, target_id)
  select m.workspace_id, 'mail', 'held', m.user_id from public.members m where m.workspace_id = workspace and m.role = 'owner';
end $$;

-- For the worker: what is due now, before it takes any. What is wrong with one keeps the other from nothing.
create or replace function public.prepare_deliveries() returns void
language plpgsql security definer set search_path = '' as $$
begin
  begin
    perform private.tell_events();
  exception when others then
    raise warning 'events are not told: %', sqlerrm;
  end;
  begin
    perform private.make_digests();
  exception when others then
    raise warning 'digests are not made: %', sqlerrm;
  end;
end $$;

-- Who hears of a post with these tags: {enabled, now, digests, undo_minutes, quiet, told}; `quiet`: it was scheduled to be told to nobody, `told`:
-- readers heard of it before. For every member: numbers name nobody.
create or replace function public.mail_audience(workspace_id uuid, tags text[] default '{}', post_id uuid default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := mail_audience.workspace_id;
  wanted constant text[] := private.clean_tags(mail_audience.tags[1:20]);
  post constant uuid := mail_audience.post_id;
begin
  perform private.require_role(asked, '{owner,admin,editor,viewer}');
  return (
    select jsonb_build_object(
      'enabled', private.mails_readers(asked),
      'now', count(*) filter (where s.frequency = 'instant'), 'digests', count(*) filter (where s.frequency <> 'instant'),
      'undo_minutes', coalesce((select m.undo_minutes from public.mail_settings m where m.workspace_id = asked), 5),
      'quiet', exists (select from private.events e where e.post_id = post and e.workspace_id = asked and e.quiet),
      'told', exists (select from private.events e where e.post_id = post and e.workspace_id = asked and (e.told_at is not null or e.reached is not null) and not e.quiet))
    from public.subscribers s where s.workspace_id = asked and s.status = 'active' and (s.tags is null or s.tags && wanted)
  );
end $$;
