-- Imports from other products: their history and each entry's result.

-- `finished_at`: every entry has a result. `undone_at`: undo began; nothing more is written.
create table public.imports (
  id uuid constraint imports_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint imports_workspace_id_fkey references public.workspaces (id) on delete cascade,
  source text not null constraint imports_source check (source in (
    'changelog', 'github', 'feed', 'headway', 'beamer', 'csv', 'announcekit', 'canny', 'launchnotes', 'quackback', 'changes-page', 'ghost', 'wordpress', 'markdown', 'tidings'
  )),
  name text not null constraint imports_name_length check (char_length(name) <= {{importNameMaxLength}}),
  total int not null constraint imports_total check (total between 1 and {{importMaxEntries}}),
  created_by uuid,
  created_by_name text,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  undone_at timestamptz,
  activity_id bigint
);
create index imports_of_workspace on public.imports (workspace_id, created_at desc, id desc);

create policy "owners and admins read their workspace's imports" on public.imports for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}', true))));
grant select on public.imports to authenticated;

-- An entry's result. `version`: the post's after the import; an equal one means unedited since. `before`: the replaced version. `undone`: of the undo.
create table private.import_entries (
  import_id uuid not null constraint import_entries_import_id_fkey references public.imports (id) on delete cascade,
  external_id text collate "C" not null,
  workspace_id uuid not null constraint import_entries_workspace_id_fkey references public.workspaces (id) on delete cascade,
  place int not null,
  title text not null,
  outcome text not null constraint import_entries_outcome check (outcome in ('made', 'replaced', 'failed')),
  problem text,
  post_id uuid, -- no foreign key: outlives the post
  fingerprint text not null constraint import_entries_fingerprint check (fingerprint ~ '^[0-9a-f]{64}$'),
  version int,
  before int,
  was_quiet boolean,
  undone text constraint import_entries_undone check (undone in ('gone', 'restored', 'left')),
  made_at timestamptz not null default clock_timestamp(),
  constraint import_entries_pkey primary key (import_id, external_id),
  constraint import_entries_post check ((outcome = 'failed') = (post_id is null) and (outcome = 'failed') = (version is null)
    and (outcome = 'failed') = (problem is not null) and (outcome = 'replaced') = (before is not null))
);
create index import_entries_by_name on private.import_entries (workspace_id, external_id, made_at desc);
create index import_entries_of_import on private.import_entries (import_id, outcome, undone) include (place);

-- Images of other sites: stored or failed.
create table private.import_images (
  import_id uuid not null constraint import_images_import_id_fkey references public.imports (id) on delete cascade,
  url_hash bytea not null, -- SHA-256, since URLs exceed the key size
  kept jsonb not null, -- {url, width, height} or {problem}
  made_at timestamptz not null default clock_timestamp(),
  constraint import_images_pkey primary key (import_id, url_hash)
);

-- Shape: workspaceImport in contract/imports.ts.
create function private.import_json(i public.imports) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('id', i.id, 'source', i.source, 'name', i.name, 'created_at', i.created_at, 'created_by_name', i.created_by_name,
      'total', i.total, 'made', count(*) filter (where e.outcome = 'made'), 'replaced', count(*) filter (where e.outcome = 'replaced'),
      'failed', count(*) filter (where e.outcome = 'failed'), 'finished_at', i.finished_at, 'undone_at', i.undone_at,
      'left', count(*) filter (where e.undone = 'left'))
    from private.import_entries e where e.import_id = i.id
  );
end $$;

-- The import, for owners and admins. `writes`: locked against other writes and undo.
create function private.import_of(workspace uuid, import uuid, writes boolean default false, even_suspended boolean default false)
returns public.imports
language plpgsql security definer set search_path = '' as $$
declare
  found_import public.imports;
begin
  perform private.person_id();
  perform private.require_role(workspace, '{owner,admin}', even_suspended);
  if writes then perform pg_advisory_xact_lock(hashtextextended('imports/' || workspace, 0)); end if;
  select i.* into found_import from public.imports i where i.id = import and i.workspace_id = workspace;
  if found_import.id is null then perform private.refuse('not_found'); end if;
  if writes and found_import.undone_at is not null then perform private.refuse('import_over'); end if;
  return found_import;
end $$;

-- {"import"}: a new one; the same for the same idempotency key.
create function public.begin_import(workspace_id uuid, source text, name text, total int, idempotency_key text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  title constant text := coalesce(private.clean_line(name), '');
  earlier jsonb;
  made public.imports;
begin
  perform private.person_id();
  perform private.require_role(workspace_id, '{owner,admin}');
  earlier := private.claim_request(idempotency_key, jsonb_build_array('begin_import', workspace_id, source, name, total)::text);
  if earlier is not null then
    return jsonb_build_object('import', private.import_json(private.import_of(workspace_id, (earlier ->> 'id')::uuid)));
  end if;
  if source is null or source not in ('changelog', 'github', 'feed', 'headway', 'beamer', 'csv', 'announcekit', 'canny', 'launchnotes', 'quackback',
    'changes-page', 'ghost', 'wordpress', 'markdown', 'tidings') then
    perform private.refuse('validation_failed', '{"source": "Please choose a source"}');
  elsif char_length(title) > {{importNameMaxLength}} then
    perform private.refuse('validation_failed', '{"name": "Please use at most {{importNameMaxLength}} characters"}');
  elsif total is null or total < 1 then
    perform private.refuse('validation_failed', '{"total": "Please choose at least one post"}');
  elsif total > {{importMaxEntries}} then
    perform private.refuse('validation_failed', '{"total": "An import can have at most {{figure:importMaxEntries}} posts"}');
  end if;
  insert into public.imports (workspace_id, source, name, total, created_by, created_by_name)
  values (workspace_id, source, title, total, auth.uid(), private.my_name()) returning * into made;
  perform private.settle_request(idempotency_key, jsonb_build_object('id', made.id, 'workspace_id', workspace_id));
  return jsonb_build_object('import', private.import_json(made));
end $$;

create function public.list_imports(workspace_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.person_id();
  perform private.require_role(workspace_id, '{owner,admin}', true);
  return jsonb_build_object('imports', coalesce((
    select jsonb_agg(private.import_json(l.i) order by l.created_at desc, l.id desc)
    from (
      select i, i.created_at, i.id from public.imports i where i.workspace_id = list_imports.workspace_id
      order by i.created_at desc, i.id desc limit 50
    ) as l), '[]'));
end $$;

-- {"import", "entries"}: results so far, in order. Deleted posts have no id.
create function public.read_import(workspace_id uuid, import_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked public.imports;
begin
  asked := private.import_of(workspace_id, import_id, even_suspended => true);
  return jsonb_build_object('import', private.import_json(asked), 'entries', coalesce((
    select jsonb_agg(jsonb_build_object('external_id', e.external_id, 'title', e.title, 'outcome', e.outcome, 'post_id', p.id, 'problem', e.problem)
      order by e.place)
    from private.import_entries e left join public.posts p on p.id = e.post_id and p.workspace_id = e.workspace_id
    where e.import_id = asked.id), '[]'));
end $$;

-- {"import", "entries"}: writes up to 25 posts, each in its own subtransaction. Written ones stay; failed ones can be sent again.
create function public.write_entries(workspace_id uuid, import_id uuid, entries jsonb) returns jsonb
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
  line text;
  amount int;
  written int := 0;
  place int;
begin
  asked := private.import_of(workspace_id, import_id, true);
  if jsonb_typeof(entries) is distinct from 'array' or jsonb_array_length(entries) not between 1 and {{importBatchSize}} then
    perform private.refuse('validation_failed', '{"entries": "Please send between 1 and {{importBatchSize}} posts at once"}');
  elsif exists (
    select from jsonb_array_elements(entries) as e (entry)
    where (char_length(e.entry ->> 'external_id') between 1 and {{externalIdMaxLength}} and e.entry ->> 'fingerprint' ~ '^[0-9a-f]{64}$') is not true
  ) then perform private.refuse('validation_failed', '{"entries": "Send each post''s external id and fingerprint"}'); end if;
  select count(*), coalesce(max(e.place), 0) into amount, place from private.import_entries e where e.import_id = asked.id;
  if amount + (
    select count(distinct e.entry ->> 'external_id') from jsonb_array_elements(entries) as e (entry)
    where not exists (select from private.import_entries k where k.import_id = asked.id and k.external_id = e.entry ->> 'external_id')
  ) > asked.total then
    perform private.refuse('validation_failed', jsonb_build_object('entries', 'This import was started for fewer posts'));
  end if;

  -- Lock order: existing posts first, as in a save.
  perform private.lock_events(array(
    select p.id from public.posts p
    where p.id = any (array(select private.post_by_external_id(workspace_id, e.entry ->> 'external_id') from jsonb_array_elements(entries) as e (entry)))
    order by p.id for no key update
  ));
  perform private.set_importing(true);
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
      -- Only direct callers of the database get here.
      when data_exception or integrity_constraint_violation or program_limit_exceeded then
        problem := 'This post can''t be imported as it is';
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
  if written > 0 then -- one activity and one audit line per import, counting its posts
    select count(*) into amount from private.import_entries e where e.import_id = asked.id and e.outcome <> 'failed';
    line := amount || case amount when 1 then ' post from ' else ' posts from ' end || coalesce(nullif(asked.name, ''), asked.source);
    if amount = written then
      perform private.audit(workspace_id, 'posts_imported', asked.id, asked.name, jsonb_build_object('source', asked.source, 'total', asked.total));
    end if;
    update public.activities a set title = line, created_at = clock_timestamp() where a.id = asked.activity_id;
    if not found then
      insert into public.activities (workspace_id, kind, actor_id, actor_name, title)
      values (workspace_id, 'posts_imported', auth.uid(), private.my_name(), line) returning id into asked.activity_id;
    end if;
  end if;
  perform private.set_importing(false, case when written > 0 then workspace_id end);
  update public.imports i set activity_id = asked.activity_id, finished_at = coalesce(i.finished_at,
    case when i.total = (select count(*) from private.import_entries e where e.import_id = asked.id) then clock_timestamp() end)
  where i.id = asked.id returning i.* into asked;
  return jsonb_build_object('import', private.import_json(asked), 'entries', answers);
end $$;

-- {"import", "unfinished"}: undoes up to 200 posts: created ones are deleted, replaced ones restored, edited ones left. Call again while unfinished.
create function public.undo_import(workspace_id uuid, import_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked public.imports;
  posts int;
  chosen private.import_entries[];
  entry record;
  became text;
  batch int := 0;
begin
  perform private.import_of(workspace_id, import_id); -- strangers get no lock
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
  perform private.lock_events(array(
    select p.id from public.posts p -- a restored backup may name any
    where p.workspace_id = asked.workspace_id and p.id = any (array(select c.post_id from unnest(chosen) as c)) order by p.id for update
  ));
  perform private.set_importing(true);
  for entry in
    select c.*, h.id is not null as is_there, h.version = c.version as is_untouched
    from unnest(chosen) as c left join public.posts h on h.id = c.post_id and h.workspace_id = asked.workspace_id
    order by c.place desc -- latest first, as two may have replaced the same post
  loop
    batch := batch + 1;
    if not entry.is_there then became := 'gone';
    elsif not entry.is_untouched then became := 'left';
    elsif entry.outcome = 'made' then
      delete from public.posts p where p.id = entry.post_id;
      became := 'gone';
    else became := private.restore_replaced_post(entry.post_id, entry.before, entry.was_quiet); end if;
    update private.import_entries e set undone = became where e.import_id = asked.id and e.external_id = entry.external_id;
  end loop;
  perform private.set_importing(false, case when batch > 0 then workspace_id end);
  return jsonb_build_object('import', private.import_json(asked), 'unfinished', exists (
    select from private.import_entries e where e.import_id = asked.id and e.outcome in ('made', 'replaced') and e.undone is null));
end $$;

-- {"entries"}: how up to 500 entries relate to existing posts, in order.
create function public.compare_entries(workspace_id uuid, entries jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  perform private.person_id();
  perform private.require_role(workspace_id, '{owner,admin}');
  if jsonb_typeof(entries) is distinct from 'array' or jsonb_array_length(entries) not between 1 and {{compareBatchSize}} then
    perform private.refuse('validation_failed', '{"entries": "Please compare between 1 and {{compareBatchSize}} posts at once"}');
  end if;
  return jsonb_build_object('entries', (
    select jsonb_agg(jsonb_build_object('external_id', a.external_id, 'post_id', p.id, 'version', p.version, 'title', p.title, 'state', case
        when p.id is null then case when e.external_id is null then 'new' else 'gone' end
        when e.post_id is distinct from p.id then 'here'
        when e.version <> p.version then case when e.fingerprint = a.fingerprint then 'here' else 'both' end
        when e.fingerprint <> a.fingerprint then 'there'
        else 'same' end) order by a.place)
    from (
      select coalesce(g.entry ->> 'external_id', '') as external_id, coalesce(g.entry ->> 'fingerprint', '') as fingerprint, g.place
      from jsonb_array_elements(entries) with ordinality as g (entry, place)
    ) as a
    left join lateral (
      select k.external_id, k.post_id, k.version, k.fingerprint from private.import_entries k
      where k.workspace_id = compare_entries.workspace_id and k.external_id = a.external_id and k.outcome <> 'failed'
        and (k.undone is null or k.undone = 'left')
      order by k.made_at desc limit 1
    ) as e on true
    left join public.posts p on p.id = private.post_by_external_id(workspace_id, a.external_id)));
end $$;

-- Stores what came of fetching an image, {url, width, height} or {problem}, and returns it; the first of concurrent ones wins. Without `kept`: the stored
-- one, or null. Expires after three weeks, before unused files are deleted (96-clock).
create function public.keep_import_image(workspace_id uuid, import_id uuid, url text, kept jsonb default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  asked public.imports;
  stored jsonb;
  folder constant text := '/storage/v1/object/public/post-images/';
begin
  asked := private.import_of(workspace_id, import_id, kept is not null);
  if asked.undone_at is not null then perform private.refuse('import_over'); end if;
  select k.kept into stored from private.import_images k
  where k.import_id = asked.id and k.url_hash = sha256(convert_to(url, 'UTF8')) and k.made_at > now() - interval '21 days';
  if stored is null and (select count(*) from private.import_images k where k.import_id = asked.id) >= 5000 then
    stored := '{"problem": "An import can have at most 5,000 images"}';
  end if;
  if stored is not null or kept is null then return stored; end if;
  if (case
    when kept ? 'problem' then char_length(kept ->> 'problem') between 1 and 500
    else starts_with(kept ->> 'url', folder || workspace_id || '/') and private.is_image_path(substr(kept ->> 'url', char_length(folder) + 1))
      and (kept ->> 'width')::int > 0 and (kept ->> 'height')::int > 0
    end) is not true or char_length(url) between 1 and 2048 is not true then
    perform private.refuse('validation_failed', '{"kept": "Send the stored image, or the problem with it"}');
  end if;
  insert into private.import_images as k (import_id, url_hash, kept)
  values (asked.id, sha256(convert_to(url, 'UTF8')), case when kept ? 'problem' then jsonb_build_object('problem', kept -> 'problem')
    else jsonb_build_object('url', kept -> 'url', 'width', kept -> 'width', 'height', kept -> 'height') end)
  on conflict on constraint import_images_pkey do update set kept = excluded.kept, made_at = excluded.made_at
  returning k.kept into stored;
  return stored;
end $$;

grant execute on function public.begin_import, public.list_imports, public.read_import, public.write_entries, public.undo_import,
  public.compare_entries, public.keep_import_image to authenticated, service_role;
