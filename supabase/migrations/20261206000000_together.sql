-- Posts that go out, or away, together wait for nobody in a circle; who changes a due post publishes it as the clock does; what a forged copy holds
-- keeps nobody's workspace from coming back; a bounce reads no other workspace's subscribers.

-- First what takes a lock on the posts: a save holds a post and then wants its event. Whatever was written: what is due is published by any change of it.
create or replace trigger posts_95_note_publication after update on public.posts
for each row when (old.status is distinct from new.status or new.status = 'scheduled') execute function private.note_publication();

-- The events of some posts, held in the order in which private.change_rhythm holds them. Who changes several posts of a workspace in one transaction
-- holds first these posts, then this: nobody waits in a circle.
create or replace function private.hold_events(posts uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from private.events e where e.post_id = any (posts) order by e.id for no key update;
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
    update private.events e set due_at = 'infinity'
    where e.post_id = new.id and e.told_at is null and e.reached is not null and e.due_at < 'infinity';
    delete from private.events e where e.post_id = new.id
      and (e.told_at is null and e.reached is null or e.quiet and (new.status = 'draft' or new.status = 'scheduled' and wish = 'off'));
  end if;
  return null;
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
      -- one reader's row each: for an exists() Postgres reads all subscribers first
      and (d.kind <> 'confirmation' or (select not private.asked_on_page(s.consent) from public.subscribers s where s.id = d.target_id))
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

-- `to_key` in the place of `from_key`, or nothing, in these posts.
create or replace function private.retag_posts(posts uuid[], from_key text, to_key text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.hold_events(posts); -- what is due is published by this
  perform set_config('tidings.tag_from', from_key, true), set_config('tidings.tag_to', coalesce(to_key, ''), true);
  update public.posts p set updated_at = p.updated_at where p.id = any (posts) and p.tags @> array[from_key];
  perform set_config('tidings.tag_from', '', true), set_config('tidings.tag_to', '', true);
end $$;

-- Turns posts whose time has come from scheduled to published. Readers see them without it (private.visible_posts);
-- it makes the rows say so, with one activity and one announcement each. One that cannot be published keeps none of the others. Any number of callers share the work:
-- each takes rows nobody else holds, and none of a workspace that is just being deleted. A ticker calls it on the embedded stack, pg_cron where there is one.
create or replace function private.publish_due_posts(batch int default 200) returns int
language plpgsql security definer set search_path = '' as $$
declare
  due uuid[];
  published int := 0;
  post uuid;
begin
  begin
    due := array(
      select p.id from public.posts p join public.workspaces w on w.id = p.workspace_id
      where p.status = 'scheduled' and p.publish_at <= clock_timestamp()
      order by p.publish_at limit batch for key share of w skip locked for update of p skip locked
    );
    perform private.hold_events(due);
    update public.posts p set status = 'published' from unnest(due) as d (id) where p.id = d.id;
    get diagnostics published = row_count;
    return published;
  exception when others then
    null; -- one of them cannot be published, and the others are not to wait for it
  end;
  due := array(
    select p.id from public.posts p join public.workspaces w on w.id = p.workspace_id
    where p.status = 'scheduled' and p.publish_at <= clock_timestamp()
    order by p.publish_at for key share of w skip locked for update of p skip locked
  );
  perform private.hold_events(due);
  foreach post in array due loop
    exit when published >= batch;
    begin
      update public.posts p set status = 'published' where p.id = post;
      published := published + 1;
    exception when others then
      raise warning 'post % is due and cannot be published: %', post, sqlerrm;
    end;
  end loop;
  return published;
end $$;

-- {"import", "entries"}: writes posts, 25 at most, each by itself: what one of them lacks keeps none of the others back. What was written before
-- stays as it is, and what failed may be sent again.
create or replace function public.write_entries(workspace_id uuid, import_id uuid, entries jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  asked public.imports;
  entry jsonb;
  known private.import_entries;
  answers jsonb := '[]';
  done record;
  problem text;
  code text;
  details text;
  amount int;
  written int := 0;
  place int;
begin
  perform private.require_role(workspace_id, '{owner,admin}');
  asked := private.import_of(workspace_id, import_id, true);
  if jsonb_typeof(entries) is distinct from 'array' or jsonb_array_length(entries) not between 1 and 25 then
    perform private.refuse('validation_failed', '{"entries": "Please send between 1 and 25 posts at once"}');
  elsif exists (
    select from jsonb_array_elements(entries) as e (entry)
    where (char_length(e.entry ->> 'external_id') between 1 and 200 and e.entry ->> 'fingerprint' ~ '^[0-9a-f]{64}$') is not true
  ) then perform private.refuse('validation_failed', '{"entries": "Please send of each post what it is called there, and its fingerprint"}'); end if;
  select count(*), coalesce(max(e.place), 0) into amount, place from private.import_entries e where e.import_id = asked.id;
  if amount + (
    select count(distinct e.entry ->> 'external_id') from jsonb_array_elements(entries) as e (entry)
    where not exists (select from private.import_entries k where k.import_id = asked.id and k.external_id = e.entry ->> 'external_id')
  ) > asked.total then
    perform private.refuse('validation_failed', jsonb_build_object('entries', 'This import was begun for fewer posts'));
  end if;

  -- Those that are there already are held in one order, before anything else is: who saves one of them holds it and then waits for what this holds.
  perform private.hold_events(array(
    select p.id from public.posts p
    where p.id = any (array(select private.called_post(workspace_id, e.entry ->> 'external_id') from jsonb_array_elements(entries) as e (entry)))
    order by p.id for no key update
  ));
  perform private.begin_importing();
  for entry in select e.entry from jsonb_array_elements(entries) with ordinality as e (entry, place) order by e.place loop
    select k.* into known from private.import_entries k where k.import_id = asked.id and k.external_id = entry ->> 'external_id';
    if known.outcome <> 'failed' then
      answers := answers || jsonb_build_object('external_id', known.external_id, 'title', known.title, 'outcome', 'there',
        'post_id', (select p.id from public.posts p where p.id = known.post_id and p.workspace_id = known.workspace_id), 'problem', null);
      continue;
    end if;
    begin
      select f.* into done from private.import_post(workspace_id, entry) as f;
      problem := null;
      written := written + 1;
    exception
      when raise_exception then
        get stacked diagnostics problem = message_text, code = pg_exception_hint, details = pg_exception_detail;
        if code in ('unauthenticated', 'forbidden', 'not_found', '') then raise; end if;
        if code = 'validation_failed' then problem := (select d.value from jsonb_each_text(details::jsonb) as d limit 1); end if;
      -- What no field of ours takes, and who wrote past /api knows what he sent.
      when data_exception or integrity_constraint_violation or program_limit_exceeded then
        problem := 'This post cannot be kept as it is';
    end;
    if problem is not null then
      select 'failed' as outcome, null::uuid as post_id, null::int as version, null::int as before, null::boolean as was_quiet into done;
    end if;
    place := place + 1;
    insert into private.import_entries as k (import_id, external_id, workspace_id, place, title, outcome, problem, post_id, fingerprint, version, before,
      was_quiet)
    values (asked.id, entry ->> 'external_id', workspace_id, place, left(coalesce(private.clean_line(entry ->> 'title'), ''), 200), done.outcome, problem,
      done.post_id, entry ->> 'fingerprint', done.version, done.before, done.was_quiet)
    on conflict on constraint import_entries_pkey do update set title = excluded.title, outcome = excluded.outcome, problem = excluded.problem,
      post_id = excluded.post_id, fingerprint = excluded.fingerprint, version = excluded.version, before = excluded.before,
      was_quiet = excluded.was_quiet, made_at = excluded.made_at;
    answers := answers || jsonb_build_object('external_id', entry ->> 'external_id', 'title', left(coalesce(private.clean_line(entry ->> 'title'), ''), 200),
      'outcome', done.outcome, 'post_id', done.post_id, 'problem', problem);
  end loop;
  perform private.note_import(asked, written);
  perform private.end_importing(workspace_id, written > 0);
  update public.imports i set finished_at = clock_timestamp()
  where i.id = asked.id and i.finished_at is null and i.total = (select count(*) from private.import_entries e where e.import_id = asked.id);
  select i.* into asked from public.imports i where i.id = asked.id;
  return jsonb_build_object('import', private.shown_import(asked), 'entries', answers);
end $$;

-- {"import", "unfinished"}: takes some 200 of its posts back, those that it made for good, those whose place it took to what they were. What anybody
-- has touched since stays. As long as it is unfinished, the next call goes on.
create or replace function public.undo_import(workspace_id uuid, import_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  asked public.imports;
  posts int;
  chosen private.import_entries[];
  entry record;
  became text;
  batch int := 0;
begin
  perform private.require_role(workspace_id, '{owner,admin}');
  perform private.person_id();
  perform pg_advisory_xact_lock(hashtextextended('imports/' || workspace_id, 0));
  asked := private.import_of(workspace_id, import_id);
  if asked.undone_at is null then
    update public.imports i set undone_at = clock_timestamp() where i.id = asked.id returning i.* into asked;
    select count(*) into posts from private.import_entries e where e.import_id = asked.id and e.outcome <> 'failed';
    if posts > 0 then
      perform private.audit(workspace_id, 'import_undone', asked.id, asked.name, jsonb_build_object('source', asked.source));
      perform private.record_activity(workspace_id, 'import_undone',
        posts || case posts when 1 then ' post from ' else ' posts from ' end || coalesce(nullif(asked.name, ''), asked.source));
    end if;
  end if;

  chosen := array(
    select e from private.import_entries e
    where e.import_id = asked.id and e.outcome in ('made', 'replaced') and e.undone is null order by e.outcome, e.place limit 200
  );
  perform private.hold_events(array(
    select p.id from public.posts p -- of this workspace: a copy that came back may name any
    where p.workspace_id = asked.workspace_id and p.id = any (array(select c.post_id from unnest(chosen) as c)) order by p.id for update
  ));
  perform private.begin_importing();
  for entry in
    select c.*, h.id is not null as is_there, h.version = c.version as is_untouched
    from unnest(chosen) as c left join public.posts h on h.id = c.post_id and h.workspace_id = asked.workspace_id
    order by c.place desc -- the last first: of two that took one's place after each other
  loop
    batch := batch + 1;
    if not entry.is_there then became := 'gone';
    elsif not entry.is_untouched then became := 'left';
    elsif entry.outcome = 'made' then
      delete from public.posts p where p.id = entry.post_id;
      became := 'gone';
    else became := private.put_post_back(entry.post_id, entry.before, entry.was_quiet); end if;
    update private.import_entries e set undone = became where e.import_id = asked.id and e.external_id = entry.external_id;
  end loop;
  perform private.end_importing(workspace_id, batch > 0);
  return jsonb_build_object('import', private.shown_import(asked), 'unfinished', exists (
    select from private.import_entries e where e.import_id = asked.id and e.outcome in ('made', 'replaced') and e.undone is null));
end $$;

-- Ids of a copy, while it comes back, that rows of other workspaces have: these rows get names of their own. Anybody may write a copy with the ids
-- of somebody else's posts and have it put back first.
create table private.taken_ids (
  workspace_id uuid constraint taken_ids_workspace_id_fkey references public.workspaces (id) on delete cascade,
  id uuid,
  constraint taken_ids_pkey primary key (workspace_id, id)
);
alter table private.taken_ids enable row level security;

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
  perform pg_advisory_xact_lock(hashtextextended('restores/' || source_id, 0)); -- of two of one person at once one takes the names
  insert into private.restores (workspace_id, source_id, asked_in, key, person, keeps_ids)
  values (made, source_id, workspace_id, key, auth.uid(),
    not exists (select from public.workspaces w where w.id = source_id)
      and not exists (select from private.restores r where r.source_id = begin_restore.source_id and r.person = auth.uid() and r.keeps_ids));
  if idempotency_key is not null then perform private.settle_request(idempotency_key, jsonb_build_object('id', made)); end if;
  return jsonb_build_object('workspace_id', made, 'state', 'new');
end $$;

-- What a row is called in the restored workspace: the same name for the same row, however often it is asked.
create or replace function private.restored_id(r private.restores, id uuid) returns uuid
language sql stable set search_path = '' as $$
  select case when r.keeps_ids and not exists (select from private.taken_ids t where t.workspace_id = r.workspace_id and t.id = restored_id.id) then id
    else overlay(overlay(md5(r.workspace_id || '/' || id) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid end
$$;

-- Before rows of a part are written: which of their ids are taken. Rows that name these come later.
create or replace function private.note_taken_ids(r private.restores, part text, rows jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  place constant text := '{"posts": "public.posts", "imports": "public.imports", "templates": "public.templates",
    "comment_threads": "private.comment_threads", "comments": "private.comments", "subscribers": "public.subscribers",
    "suppressions": "private.suppressions"}'::jsonb ->> part;
begin
  if not r.keeps_ids or place is null then return; end if;
  perform pg_advisory_xact_lock(hashtextextended('restores/' || r.source_id, 0)); -- two persons may put back the same copy at once
  execute format('insert into private.taken_ids (workspace_id, id) select $1, t.id from %s t
    where t.id = any (array(select (e.value ->> ''id'')::uuid from jsonb_array_elements($2) as e)) and t.workspace_id is distinct from $1
    on conflict on constraint taken_ids_pkey do nothing', place) using r.workspace_id, rows;
end $$;

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
  perform private.note_taken_ids(r, part, rows);
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
  delete from private.taken_ids t where t.workspace_id = r.workspace_id;
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
