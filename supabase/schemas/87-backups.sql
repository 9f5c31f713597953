-- The add-on backup: a daily copy to the owner's own bucket, made by the functions (edge-functions/api/backups). Restoring: 90-restores.

-- `sealed_*`: encrypted for this workspace and field with a key that only the functions have (edge-functions/_shared/seal.ts).
create table private.backups (
  workspace_id uuid constraint backups_pkey primary key
    constraint backups_workspace_id_fkey references public.workspaces (id) on delete cascade,
  endpoint text not null constraint backups_endpoint_shape check (endpoint ~ '^https?://[^/?#\s]' and char_length(endpoint) <= 2048),
  region text not null constraint backups_region_shape check (region ~ '^[a-z0-9-]{1,60}$'),
  bucket text not null constraint backups_bucket_shape check (bucket ~ '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$'),
  key_id text not null constraint backups_key_id_length check (char_length(key_id) between 1 and 256),
  sealed_secret text not null constraint backups_sealed_secret_length check (char_length(sealed_secret) between 20 and 4000),
  sealed_passphrase text constraint backups_sealed_passphrase_length check (char_length(sealed_passphrase) between 20 and 8000), -- null: not encrypted
  keep_days int not null constraint backups_keep_days check (keep_days between 1 and 365),
  next_at timestamptz not null, -- a random minute of the day, to spread the load
  failing_since timestamptz, -- since then every run failed; the owner was emailed
  created_at timestamptz not null default clock_timestamp()
);
create index backups_due on private.backups (next_at);

create table private.backup_runs (
  id uuid constraint backup_runs_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint backup_runs_workspace_id_fkey references public.workspaces (id) on delete cascade,
  state text not null default 'running' constraint backup_runs_state check (state in ('running', 'done', 'failed')),
  by_hand boolean not null default false, -- not retried: its owner is waiting
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  key text constraint backup_runs_key_length check (char_length(key) <= 1024),
  bytes bigint,
  posts int,
  images int,
  problem text constraint backup_runs_problem_length check (char_length(problem) <= 500),
  constraint backup_runs_ended check ((ended_at is null) = (state = 'running') and (problem is null) = (state <> 'failed')
    and (key is null) = (state <> 'done'))
);
create unique index backup_runs_one_at_a_time on private.backup_runs (workspace_id) where ended_at is null;
create index backup_runs_of_workspace on private.backup_runs (workspace_id, started_at desc, id desc);

-- For the owner in person, never by an API key. /api asks before the bucket is contacted.
create function public.require_backup(workspace_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner}');
  if not private.has_add_on(workspace_id, 'backup') then perform private.refuse('add_on_required'); end if;
end $$;

-- Shape: backup in contract/backups.ts, without secrets.
create function public.read_backup(workspace_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(read_backup.workspace_id, '{owner}', true);
  return jsonb_build_object(
    'settings', (
      select jsonb_build_object('endpoint', b.endpoint, 'region', b.region, 'bucket', b.bucket, 'key_id', b.key_id,
        'encrypted', b.sealed_passphrase is not null, 'keep_days', b.keep_days, 'next_at', b.next_at)
      from private.backups b where b.workspace_id = read_backup.workspace_id),
    'runs', coalesce((
      select jsonb_agg(to_jsonb(l.r) - '{workspace_id,by_hand}'::text[] order by l.started_at desc, l.id desc)
      from (
        select r, r.started_at, r.id from private.backup_runs r where r.workspace_id = read_backup.workspace_id
        order by r.started_at desc, r.id desc limit 30
      ) as l), '[]'));
end $$;

-- {endpoint, region, bucket, key_id, keep_days, sealed_secret, sealed_passphrase}: absent secrets stay; null removes the passphrase.
create function public.save_backup(workspace_id uuid, settings jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  was private.backups;
  moment constant timestamptz := clock_timestamp();
begin
  perform public.require_backup(workspace_id);
  perform from public.workspaces w where w.id = workspace_id for no key update; -- serialised
  select b.* into was from private.backups b where b.workspace_id = save_backup.workspace_id;
  if coalesce(settings ->> 'sealed_secret', was.sealed_secret) is null then
    perform private.refuse('validation_failed', '{"secret": "Please enter the key''s secret"}');
  end if;
  begin
    insert into private.backups as b (workspace_id, endpoint, region, bucket, key_id, sealed_secret, sealed_passphrase, keep_days, next_at)
    values (workspace_id, settings ->> 'endpoint', settings ->> 'region', settings ->> 'bucket', settings ->> 'key_id',
      coalesce(settings ->> 'sealed_secret', was.sealed_secret),
      case when settings ? 'sealed_passphrase' then settings ->> 'sealed_passphrase' else was.sealed_passphrase end,
      (settings ->> 'keep_days')::int, moment + random() * interval '1 day')
    on conflict on constraint backups_pkey do update set endpoint = excluded.endpoint, region = excluded.region, bucket = excluded.bucket,
      key_id = excluded.key_id, sealed_secret = excluded.sealed_secret, sealed_passphrase = excluded.sealed_passphrase, keep_days = excluded.keep_days;
  exception when check_violation or not_null_violation or data_exception then -- direct callers
    perform private.refuse('validation_failed', '{"settings": "Please check where the copies go"}');
  end;
  perform private.audit(workspace_id, 'backup_changed', null, private.host_of(settings ->> 'endpoint'),
    jsonb_build_object('bucket', settings ->> 'bucket', 'keep_days', settings -> 'keep_days'));
  return public.read_backup(workspace_id);
end $$;

-- A running copy notices and stops.
create function public.remove_backup(workspace_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  host text;
begin
  perform private.require_role(workspace_id, '{owner}');
  delete from private.backups b where b.workspace_id = remove_backup.workspace_id returning private.host_of(b.endpoint) into host;
  if host is null then return; end if;
  update private.backup_runs r set state = 'failed', ended_at = clock_timestamp(), problem = 'Backups were switched off meanwhile'
  where r.workspace_id = remove_backup.workspace_id and r.ended_at is null;
  perform private.audit(workspace_id, 'backup_removed', null, host);
end $$;

-- Starts a copy, or a waiting one now. An owner's copies are made one after the other.
create function private.start_backup(workspace uuid, by_hand boolean) returns private.backup_runs
language plpgsql security definer set search_path = '' as $$
declare
  run private.backup_runs;
begin
  insert into private.backup_runs as r (workspace_id, by_hand) values (workspace, start_backup.by_hand)
  on conflict (workspace_id) where ended_at is null do update set by_hand = r.by_hand or excluded.by_hand returning * into run;
  if not exists (select from private.jobs j where j.id = run.id and j.locked_by is not null) then
    perform private.add_job('backup', run.id, workspace,
      key => (select m.user_id from public.members m where m.workspace_id = workspace and m.role = 'owner'));
  end if;
  return run;
end $$;

-- {"run"}: a new one, or the one in progress.
create function public.run_backup(workspace_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  perform public.require_backup(run_backup.workspace_id);
  if not exists (select from private.backups b where b.workspace_id = run_backup.workspace_id) then
    perform private.refuse('validation_failed', '{"endpoint": "Please say first where the copies go"}');
  end if;
  return jsonb_build_object('run', to_jsonb(private.start_backup(run_backup.workspace_id, true)) - '{workspace_id,by_hand}'::text[]);
end $$;

grant execute on function public.read_backup, public.require_backup, public.save_backup, public.remove_backup, public.run_backup
  to authenticated, service_role;

-- Records a run's end by the worker that holds it. The owner is emailed about the first failure and the recovery.
create function private.settle_backup(run uuid, outcome jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  why constant text := left(outcome ->> 'problem', 500);
  workspace uuid;
  was timestamptz;
  is_on boolean;
begin
  -- Lock order: backup, then run.
  select b.failing_since into was from private.backups b
  where b.workspace_id = (select r.workspace_id from private.backup_runs r where r.id = run) for update;
  is_on := found;
  update private.backup_runs r set state = case when why is null then 'done' else 'failed' end, ended_at = moment,
    problem = why, key = case when why is null then outcome ->> 'key' end, bytes = (outcome ->> 'bytes')::bigint,
    posts = (outcome ->> 'posts')::int, images = (outcome ->> 'images')::int
  where r.id = run and r.ended_at is null returning r.workspace_id into workspace;
  if not is_on or workspace is null or (why is null) = (was is null) then return; end if;
  update private.backups b set failing_since = case when why is not null then moment end where b.workspace_id = workspace;
  insert into private.deliveries (workspace_id, kind, target_id, data)
  select m.workspace_id, case when why is null then 'backup_works' else 'backup_failed' end, m.user_id, jsonb_build_object('about', coalesce(why, ''))
  from public.members m where m.workspace_id = workspace and m.role = 'owner';
end $$;

create function private.start_due_backups() returns void
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  due record;
begin
  for due in
    update private.backups b set next_at = b.next_at + make_interval(days => ceil(extract(epoch from moment - b.next_at) / 86400)::int + (b.next_at = moment)::int)
    where b.next_at <= moment and (b.next_at <= moment - interval '1 day' or private.has_add_on(b.workspace_id, 'backup')) returning b.workspace_id
  loop
    if private.has_add_on(due.workspace_id, 'backup') then
      perform private.start_backup(due.workspace_id, false);
      delete from private.backup_runs r where r.workspace_id = due.workspace_id and r.ended_at < moment - interval '100 days';
    end if;
  end loop;
end $$;

-- Settings for a job's copy; null if it has ended, or fails because it was interrupted three times.
create function public.backup_to_make(run uuid, attempt int) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if backup_to_make.attempt > 3 then
    perform private.settle_backup(run, '{"problem": "It was broken off three times: it takes longer, or needs more, than this installation allows"}');
  end if;
  return (
    select jsonb_build_object('workspace_id', w.id, 'name', w.name, 'subdomain', w.subdomain,
      'owner', (select m.user_id from public.members m where m.workspace_id = w.id and m.role = 'owner'),
      'endpoint', b.endpoint, 'region', b.region, 'bucket', b.bucket, 'key_id', b.key_id, 'sealed_secret', b.sealed_secret,
      'sealed_passphrase', b.sealed_passphrase, 'keep_days', b.keep_days)
    from private.backup_runs r join private.backups b on b.workspace_id = r.workspace_id join public.workspaces w on w.id = r.workspace_id
    where r.id = run and r.ended_at is null
  );
end $$;

-- Extends the lease by two minutes. The workspace; null: the lease, the run or the add-on has ended.
create function public.keep_backup(run uuid, lease uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  workspace uuid;
begin
  update private.jobs j set run_at = clock_timestamp() + interval '2 minutes' from private.backup_runs r
  where j.id = run and j.locked_by = lease and r.id = j.id and r.ended_at is null and private.has_add_on(r.workspace_id, 'backup')
  returning r.workspace_id into workspace;
  return workspace;
end $$;

-- A page of a part, as public.export_rows.
create function public.backup_rows(run uuid, lease uuid, part text, after text default null) returns json
language plpgsql security definer set search_path = '' as $$
declare
  workspace constant uuid := public.keep_backup(run, lease);
begin
  if workspace is null then perform private.refuse('not_found'); end if;
  return private.page_of_export(workspace, part, after);
end $$;

-- {key, bytes, posts, images} or {problem, retry}: `retry` tries a daily copy again, twice.
create function public.end_backup(run uuid, lease uuid, outcome jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  by_hand constant boolean := (select r.by_hand from private.backup_runs r where r.id = run and r.ended_at is null for update);
  attempt constant int := (select j.attempts from private.jobs j where j.id = run and j.locked_by = end_backup.lease);
begin
  if attempt is null then return; end if;
  if (outcome ->> 'retry')::boolean and not by_hand and attempt < 3 then
    perform private.end_job(run, lease, outcome ->> 'problem');
  else
    perform private.settle_backup(run, outcome);
    perform private.end_job(run, lease);
  end if;
end $$;

-- With secrets, for callers already checked.
create function public.backup_settings(workspace_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select to_jsonb(b) from private.backups b where b.workspace_id = backup_settings.workspace_id
$$;

grant execute on function public.backup_to_make, public.keep_backup, public.backup_rows, public.end_backup, public.backup_settings to service_role;
