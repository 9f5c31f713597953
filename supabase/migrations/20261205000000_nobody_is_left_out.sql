-- Imported lists that bounce hold a workspace's mails again; another rhythm waits for who is just telling; a post taken back while it is told
-- reaches the rest later; a restore that was silent for too long ends, and one that broke off keeps its names until it is gone.

drop function private.change_rhythm(public.subscribers, public.subscriber_frequency);

-- Another rhythm loses nothing and tells nothing twice: who is told at once from now on gets what his digest would have said until now, and whose
-- digests begin hears in the first of what is published and was not told yet. What was told, or published before anybody asked, is no news. Of the
-- posts since the first that is still to be told to him, those that others were told already come by themselves.
create or replace function private.change_rhythm(subscriber uuid, rhythm public.subscriber_frequency) returns void
language plpgsql security definer set search_path = '' as $$
declare
  reader public.subscribers;
  untold timestamptz;
  until timestamptz;
begin
  select s.* into reader from public.subscribers s where s.id = subscriber;
  if reader.id is null or rhythm is null or rhythm = reader.frequency then return; end if;
  -- Who tells of posts or makes digests just now is waited for; in the order of a deletion: the workspace, its events, its readers.
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
  insert into private.deliveries (workspace_id, channel, kind, target_id, data)
  select reader.workspace_id, 'mail', 'digest', reader.id, jsonb_build_object('from', reader.last_digest_at, 'to', until)
  where exists (
    select from private.news_of(reader.workspace_id, reader.last_digest_at, until) n where reader.tags is null or reader.tags && n.tags
  );
  insert into private.deliveries (event_id, workspace_id, channel, kind, target_id)
  select e.id, reader.workspace_id, 'mail', 'post', reader.id from private.events e join private.visible_posts v on v.id = e.post_id
  where e.workspace_id = reader.workspace_id and not e.quiet and e.happened_at > greatest(until, reader.last_digest_at)
    and (e.told_at is not null or e.reached >= reader.id) and (reader.tags is null or reader.tags && v.tags)
  on conflict on constraint deliveries_once do nothing;
end $$;
revoke all on function private.change_rhythm(uuid, public.subscriber_frequency) from public, anon, authenticated;

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
      perform private.change_rhythm(s.id, change_subscription.frequency::public.subscriber_frequency);
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

-- Whether it was the public page where somebody gave this address, as anybody can: not a member, nor an import.
create or replace function private.asked_on_page(consent jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(consent ->> 'by' = 'page', false)
$$;

-- A mail to one subscriber that no event causes; a second wish while the first waits is the same wish. Where fifty questions whether somebody wants
-- mails on the public page have come back within a day, the next ones of that page wait for six hours: somebody types addresses that are none.
create or replace function private.deliver_to(subscriber public.subscribers, kind text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  is_misused constant boolean := kind = 'confirmation' and private.asked_on_page(subscriber.consent) and 50 <= (
    select count(*) from private.deliveries d join public.subscribers s on s.id = d.target_id and private.asked_on_page(s.consent)
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
-- never told; published again, it is news again. Of one that is taken back while it is being told the rest hears once it is there again (until then
-- it is due never), unless somebody says that nobody is to be told. Who makes it a draft is asked anew.
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
    update private.events e set due_at = clock_timestamp(), told_at = case when wish = 'on' then clock_timestamp() end, quiet = coalesce(wish = 'on', false)
    where e.post_id = new.id and e.told_at is null and e.due_at = 'infinity';
  else
    update private.events e set due_at = 'infinity' where e.post_id = new.id and e.told_at is null and e.reached is not null;
    delete from private.events e where e.post_id = new.id
      and (e.told_at is null and e.reached is null or e.quiet and (new.status = 'draft' or new.status = 'scheduled' and wish = 'off'));
  end if;
  return null;
end $$;

-- What is due becomes deliveries: one for each who is to hear of it now, `most` of them at a time, of one event its workspace's share of that or two
-- thousand, workspaces in turns: one post to half a million keeps nobody else's waiting, nor its own from being sent. Any number of callers share
-- the work, each for two seconds at most. What is not visible by then is told to nobody, and what comes out while a workspace mails nothing is no
-- news later.
create or replace function private.tell_events(most int default 10000) returns int
language plpgsql security definer set search_path = '' as $$
declare
  -- Workspaces are held before their events, in the order in which a deletion locks them; one that is just being deleted is passed over.
  held constant uuid[] := array(
    select w.id from public.workspaces w
    where w.id in (select d.workspace_id from private.events d where d.told_at is null and d.due_at <= clock_timestamp())
    for key share skip locked);
  share constant int := greatest(2000, most / greatest(1, cardinality(held)));
  until constant timestamptz := clock_timestamp() + interval '2 seconds'; -- far from where the whole call would be ended, and nothing done
  event private.events;
  told int := 0;
  piece int;
  reached_now uuid;
  written int;
begin
  for event in
    select e.* from private.events e join (
      select d.id, d.reached_at, row_number() over (partition by d.workspace_id order by d.reached_at nulls first, d.due_at, d.id) as turn
      from private.events d where d.told_at is null and d.due_at <= clock_timestamp() and d.workspace_id = any (held)
    ) as d on d.id = e.id
    where e.told_at is null and e.due_at <= clock_timestamp() -- also of one that is taken back in this moment
    order by d.turn, d.reached_at nulls first, e.due_at, e.id for update of e skip locked
  loop
    piece := least(share, most - told);
    exit when piece <= 0 or clock_timestamp() > until;
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

-- A workspace of whose last thousand mails too many came back sends nothing more until the operator has looked at it
-- (supabase/sql/release-mails.sql): everybody else's mails come from the same sender. A few say nothing yet, however few mails there were, and the
-- questions that anybody can cause who types addresses into the public page say nothing of the workspace: of these, see private.deliver_to.
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
      and d.kind <> all (private.kinds_for_owners() || private.kinds_for_members())
      and (d.kind <> 'confirmation' or exists (select from public.subscribers s where s.id = d.target_id and not private.asked_on_page(s.consent)))
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

-- How deliveries went: [{id, attempt, outcome: done|again|failed|dropped|back, status, error, after, bounce: hard|soft, remote}]. What comes back was
-- never begun: it is due again at once, and was no try, unless another worker has it by now. What is to be tried again waits `after` seconds, or longer each time: a minute, five, thirty, two
-- hours, six, a day; then it has failed. What the reader's own server refused has come back, too.
create or replace function public.settle_deliveries(outcomes jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare
  waits constant int[] := '{60,300,1800,7200,21600,86400}';
  told record;
  settled int := 0;
  sent uuid[] := '{}';
begin
  for told in
    update private.deliveries d set
      state = case o.outcome when 'again' then case when d.attempt > cardinality(waits) then 'failed' else 'waiting' end
        when 'back' then 'waiting' else o.outcome end,
      due_at = case o.outcome when 'again'
        then clock_timestamp() + make_interval(secs => greatest(least(coalesce(o.after, 0), 86400), waits[least(d.attempt, cardinality(waits))]))
        when 'back' then clock_timestamp() else d.due_at end,
      ended_at = case when o.outcome = 'back' or o.outcome = 'again' and d.attempt <= cardinality(waits) then null else clock_timestamp() end,
      attempt = case when o.outcome = 'back' then greatest(d.attempt - 1, 1) else d.attempt end, -- the first is counted (private.mail_days) and stays
      status = o.status, error = left(o.error, 500), remote_id = coalesce(left(o.remote, 200), d.remote_id)
    from jsonb_to_recordset(outcomes) as o (id uuid, attempt int, outcome text, status int, error text, after numeric, bounce text, remote text)
    where d.id = o.id and d.state = 'waiting' and (o.outcome <> 'back' or d.attempt = o.attempt)
    returning d as mail, o.bounce
  loop
    settled := settled + 1;
    if (told.mail).state = 'done' then sent := sent || (told.mail).id; end if;
    if told.bounce in ('hard', 'soft') then
      perform private.note_mail_event('sent:' || (told.mail).id, told.bounce, told.mail, null, clock_timestamp());
    end if;
  end loop;
  -- Counted (70-counts): a mail of one post as the post's, a digest as the workspace's.
  insert into private.count_queue (workspace_id, post_id, what, day, source, n)
  select d.workspace_id, e.post_id, 'mail_sent', (now() at time zone 'utc')::date, 'mail', count(*)
  from private.deliveries d left join private.events e on e.id = d.event_id
  where d.id = any (sent) and d.kind in ('post', 'digest') group by 1, 2;
  return settled;
end $$;

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
  -- What came of one that broke off holds names, and is only cleared away after ten minutes: what begins now would have others for good.
  if exists (
    select from private.restores r join public.workspaces w on w.id = r.workspace_id
    where r.person = auth.uid() and r.done_at is null and r.alive_at < clock_timestamp() - interval '2 minutes'
      and (r.source_id = begin_restore.source_id and r.keeps_ids or lower(w.subdomain::text) = lower(btrim(begin_restore.subdomain)))
  ) then
    wrong := wrong || '{"subdomain": "A restore of yours is not done, or has broken off and is being cleared away. Please try again in a quarter of an hour"}';
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

-- A restore that is under way, which is alive by being asked for; no row for one that has ended, or was silent for so long that it may have been
-- dropped in part (private.drop_dead_restores).
create or replace function private.live_restore(workspace uuid) returns private.restores
language sql security definer set search_path = '' as $$
  update private.restores t set alive_at = clock_timestamp()
  where t.workspace_id = workspace and t.done_at is null and t.alive_at > clock_timestamp() - interval '10 minutes' returning t.*
$$;

-- Rows of one part of a copy (contract/workspace-export.ts), up to a few hundred; those that belong to a post after the posts. Parts that are
-- people's (members, invitations, who gets reports) or the installation's (add-ons, names of its own) do not come back.
create or replace function public.restore_rows(workspace_id uuid, part text, rows jsonb) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  r private.restores;
  line jsonb;
begin
  r := private.live_restore(workspace_id);
  if r.workspace_id is null then perform private.refuse('not_found'); end if;
  perform private.begin_importing();
  case part
    when 'posts' then
      for line in select e.value from jsonb_array_elements(rows) as e loop
        perform private.restore_post(r, line);
      end loop;
      perform private.tell_readers(false);
    when 'post_revisions' then
      insert into public.post_revisions as v (post_id, workspace_id, version, status, title, tags, content_raw, publish_at, author_id, author_name,
        created_at, summary, cover_image, published_at, post_author_name, autosaves_since)
      select p.id, r.workspace_id, x.version, x.status, x.title, x.tags, x.content_raw, x.publish_at,
        case when x.author_id = r.person then x.author_id end, x.author_name, x.created_at, x.summary, nullif(x.cover_image, 'null'), x.published_at,
        x.post_author_name, x.autosaves_since
      from jsonb_populate_recordset(null::public.post_revisions, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id
      where x.version <= p.version -- who saved while the copy was made: the version after that of the post's own row is not what came back
      on conflict on constraint post_revisions_pkey do update set status = excluded.status, title = excluded.title, tags = excluded.tags,
        content_raw = excluded.content_raw, publish_at = excluded.publish_at, author_id = excluded.author_id, author_name = excluded.author_name,
        created_at = excluded.created_at, summary = excluded.summary, cover_image = excluded.cover_image, published_at = excluded.published_at,
        post_author_name = excluded.post_author_name, autosaves_since = excluded.autosaves_since;
    when 'post_slugs' then
      insert into public.post_slugs (workspace_id, slug, post_id, created_at)
      select r.workspace_id, x.slug, p.id, x.created_at from jsonb_populate_recordset(null::public.post_slugs, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id
      on conflict on constraint post_slugs_pkey do update set created_at = excluded.created_at, post_id = excluded.post_id;
    when 'post_redirects' then
      insert into public.post_redirects (workspace_id, host, path, post_id)
      select r.workspace_id, x.host, x.path, p.id from jsonb_populate_recordset(null::public.post_redirects, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id;
    when 'imports' then
      insert into public.imports (id, workspace_id, source, name, total, created_by, created_by_name, created_at, finished_at, undone_at)
      select private.restored_id(r, x.id), r.workspace_id, x.source, x.name, x.total, case when x.created_by = r.person then x.created_by end,
        x.created_by_name, x.created_at, x.finished_at, x.undone_at
      from jsonb_populate_recordset(null::public.imports, rows) as x;
    when 'import_entries' then
      insert into private.import_entries (import_id, external_id, workspace_id, place, title, outcome, problem, post_id, fingerprint, version, before,
        was_quiet, undone, made_at)
      select i.id, x.external_id, r.workspace_id, x.place, x.title, x.outcome, x.problem, private.restored_id(r, x.post_id), x.fingerprint, x.version,
        x.before, x.was_quiet, x.undone, x.made_at
      from jsonb_populate_recordset(null::private.import_entries, rows) as x
      join public.imports i on i.id = private.restored_id(r, x.import_id) and i.workspace_id = r.workspace_id;
    when 'tags' then
      insert into public.tags (workspace_id, label, colour, created_at)
      select r.workspace_id, x.label, x.colour, x.created_at from jsonb_populate_recordset(null::public.tags, rows) as x;
    when 'former_tags' then
      insert into private.former_tags (workspace_id, key, now_key)
      select r.workspace_id, x.key, x.now_key from jsonb_populate_recordset(null::private.former_tags, rows) as x;
    when 'templates' then
      insert into public.templates (id, workspace_id, name, title, summary, tags, content_raw, updated_by, updated_by_name, created_at, updated_at)
      select private.restored_id(r, x.id), r.workspace_id, x.name, x.title, x.summary, x.tags, x.content_raw,
        case when x.updated_by = r.person then x.updated_by end, x.updated_by_name, x.created_at, x.updated_at
      from jsonb_populate_recordset(null::public.templates, rows) as x;
    when 'comment_threads' then
      insert into private.comment_threads (id, workspace_id, post_id, block_id, quote, by_visitor, created_at, resolved_at, resolved_by_name)
      select private.restored_id(r, x.id), r.workspace_id, p.id, x.block_id, x.quote, x.by_visitor, x.created_at, x.resolved_at, x.resolved_by_name
      from jsonb_populate_recordset(null::private.comment_threads, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id;
    when 'comments' then -- by nobody who is here, but for who has the copy put back: a copy may say anything
      insert into private.comments (id, workspace_id, thread_id, user_id, name, text, mentions, created_at, edited_at)
      select private.restored_id(r, x.id), r.workspace_id, t.id,
        case when x.user_id = r.person then x.user_id when x.user_id is not null then gen_random_uuid() end, x.name, x.text, coalesce((
          select jsonb_agg(jsonb_build_object('user_id', gen_random_uuid(), 'name', m.person ->> 'name'))
          from jsonb_array_elements(private.as_list(x.mentions)) as m (person) where m.person ->> 'name' <> ''), '[]'), x.created_at, x.edited_at
      from jsonb_populate_recordset(null::private.comments, rows) as x
      join private.comment_threads t on t.id = private.restored_id(r, x.thread_id) and t.workspace_id = r.workspace_id;
    when 'activities' then
      insert into public.activities (workspace_id, post_id, kind, actor_id, actor_name, title, created_at)
      select r.workspace_id, private.restored_id(r, x.post_id), x.kind, case when x.actor_id = r.person then x.actor_id end, x.actor_name, x.title,
        x.created_at
      from jsonb_populate_recordset(null::public.activities, rows) with ordinality as x order by x.ordinality;
    when 'daily_counts' then
      insert into public.daily_counts (workspace_id, post_id, what, day, source, n)
      select r.workspace_id, private.restored_id(r, x.post_id), x.what, x.day, x.source, case when x.n > 1000000000 then 1000000000 else x.n end
      from jsonb_populate_recordset(null::public.daily_counts, rows) as x;
    when 'subscribers' then
      insert into public.subscribers (id, workspace_id, email, status, frequency, tags, generation, consent, created_at, confirmed_at, left_at,
        last_digest_at)
      select private.restored_id(r, x.id), r.workspace_id, x.email, x.status, x.frequency, x.tags, x.generation, x.consent, x.created_at,
        x.confirmed_at, x.left_at, x.last_digest_at
      from jsonb_populate_recordset(null::public.subscribers, rows) as x;
    when 'suppressions' then
      insert into private.suppressions (id, address, workspace_id, reason, created_at)
      select private.restored_id(r, x.id), x.address, r.workspace_id, x.reason, x.created_at
      from jsonb_populate_recordset(null::private.suppressions, rows) as x;
    else perform private.refuse('validation_failed', '{"part": "This does not come back"}');
  end case;
  perform private.end_importing(r.workspace_id, false);
end $$;

-- What there is once: the workspace's own row, how its widget, its mails and its pages are set, and how it wants posts written. The page is closed until the owner opens it.
create or replace function public.restore_objects(workspace_id uuid, document jsonb) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  r private.restores;
  was constant public.workspaces := jsonb_populate_record(null::public.workspaces, document -> 'workspace');
  look constant public.appearances := jsonb_populate_record(null::public.appearances, document -> 'appearance');
  mails constant public.mail_settings := jsonb_populate_record(null::public.mail_settings, document -> 'mail_settings');
begin
  r := private.live_restore(workspace_id);
  if r.workspace_id is null then perform private.refuse('not_found'); end if;
  update public.workspaces w set origin = was.origin, allowed_origins = coalesce(was.allowed_origins, '{}'), logo_url = was.logo_url
  where w.id = r.workspace_id;
  if jsonb_typeof(document -> 'widget_settings') = 'object' and document -> 'widget_settings' <> '{}' then
    insert into public.widget_settings (workspace_id, settings) values (r.workspace_id, document -> 'widget_settings')
    on conflict on constraint widget_settings_pkey do update set settings = excluded.settings;
  end if;
  if jsonb_typeof(document -> 'appearance') = 'object' and document -> 'appearance' <> '{}' then
    insert into public.appearances (workspace_id, settings, logo_dark_url, favicon_url)
    values (r.workspace_id, (document -> 'appearance') - '{logo_dark_url,favicon_url}'::text[], look.logo_dark_url, look.favicon_url)
    on conflict on constraint appearances_pkey do update set settings = excluded.settings, logo_dark_url = excluded.logo_dark_url,
      favicon_url = excluded.favicon_url;
  end if;
  if mails.workspace_id is null then
    delete from public.mail_settings m where m.workspace_id = r.workspace_id; -- it did not mail
  else
    update public.mail_settings m set enabled = mails.enabled, undo_minutes = mails.undo_minutes, sender_name = mails.sender_name,
      reply_to = mails.reply_to, time_zone = case when private.is_time_zone(mails.time_zone) then mails.time_zone else 'UTC' end,
      held_at = mails.held_at, held_reason = mails.held_reason, released_at = case when mails.released_at > now() then now() else mails.released_at end
    where m.workspace_id = r.workspace_id;
  end if;
  if jsonb_typeof(document -> 'house_style') = 'object' and document -> 'house_style' <> '{}' then
    insert into public.house_styles (workspace_id, text, updated_by, updated_by_name, updated_at)
    select r.workspace_id, x.text, case when x.updated_by = r.person then x.updated_by end, x.updated_by_name, x.updated_at
    from jsonb_populate_record(null::public.house_styles, document -> 'house_style') as x
    on conflict on constraint house_styles_pkey do nothing; -- it was told twice
  end if;
end $$;

-- Everything is there. `ours`: the copy is one that this installation has made for the same owner and nobody has changed. Only then its subscribers
-- have said yes as it says; else anybody could write himself a list of people who never did.
create or replace function public.finish_restore(workspace_id uuid, ours boolean) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  r private.restores;
  title text;
begin
  r := private.live_restore(workspace_id);
  update private.restores t set done_at = clock_timestamp() where t.workspace_id = r.workspace_id;
  if r.workspace_id is null then perform private.refuse('not_found'); end if;
  -- Whoever asked may own no workspace there any more: then nobody gets anything of it.
  if not exists (select from public.members m where m.workspace_id = r.asked_in and m.user_id = r.person and m.role = 'owner') then
    perform private.refuse('forbidden');
  end if;
  perform private.begin_importing();
  if not ours then
    delete from public.subscribers s where s.workspace_id = r.workspace_id;
    delete from private.suppressions s where s.workspace_id = r.workspace_id;
  else
    perform private.heed_what_was_said_since(r);
  end if;
  delete from private.count_queue q where q.workspace_id = r.workspace_id; -- nothing of this has happened today
  insert into private.post_counts (workspace_id, span, first_day, post_id, views, widget_opens, clicks, mails_sent, mails_followed)
  select d.workspace_id, l.span, l.first_day, d.post_id,
    coalesce(sum(d.n) filter (where d.what = 'view'), 0), coalesce(sum(d.n) filter (where d.what = 'view' and d.source = 'widget'), 0),
    coalesce(sum(d.n) filter (where d.what = 'link_click'), 0), coalesce(sum(d.n) filter (where d.what = 'mail_sent'), 0),
    coalesce(sum(d.n) filter (where d.what = 'view' and d.source = 'mail'), 0)
  from public.daily_counts d, lateral (values ('day', d.day), ('month', date_trunc('month', d.day)::date)) as l (span, first_day)
  where d.workspace_id = r.workspace_id and d.post_id is not null group by 1, 2, 3, 4;
  insert into private.workspace_counts (workspace_id, day, views, readers, widget_opens, clicks, widget_shown, mails_sent, mails_followed, subscribed, "left")
  select d.workspace_id, d.day, coalesce(sum(d.n) filter (where d.what = 'view'), 0), coalesce(sum(d.n) filter (where d.what = 'reader'), 0),
    coalesce(sum(d.n) filter (where d.what = 'widget_open'), 0), coalesce(sum(d.n) filter (where d.what = 'link_click'), 0),
    coalesce(sum(d.n) filter (where d.what = 'widget_shown'), 0), coalesce(sum(d.n) filter (where d.what = 'mail_sent'), 0),
    coalesce(sum(d.n) filter (where d.what = 'view' and d.source = 'mail'), 0),
    coalesce(sum(d.n) filter (where d.what = 'subscribed'), 0), coalesce(sum(d.n) filter (where d.what = 'left'), 0)
  from public.daily_counts d
  where d.workspace_id = r.workspace_id and d.post_id is null and d.what not in ('referrer', 'search_none', 'country', 'language') group by 1, 2;
  insert into private.name_days (workspace_id, day)
  select distinct d.workspace_id, d.day from public.daily_counts d
  where d.workspace_id = r.workspace_id and d.post_id is null and d.what in ('referrer', 'search_none', 'country', 'language')
    and d.day >= (now() at time zone 'utc')::date
  on conflict on constraint name_days_pkey do nothing;
  insert into public.members (workspace_id, user_id, role) values (r.workspace_id, r.person, 'owner');
  perform private.end_importing(r.workspace_id, true);
  select w.name into title from public.workspaces w where w.id = r.workspace_id;
  perform private.audit(r.asked_in, 'backup_restored', r.workspace_id, title, jsonb_build_object('key', r.key));
end $$;
