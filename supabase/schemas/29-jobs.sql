-- The queue: work that runs later, written in the transaction of its cause and claimed by the workers of the functions (edge-functions/_shared/jobs.ts).

-- `retry_after`: seconds after the first, second … failed attempt; the last one repeats until `max_attempts` (null: forever). `per_key`: how many jobs
-- of one key run at once; after a failure one. `per_workspace` (null: any) bounds those of a workspace.
create table private.job_tasks (
  task text constraint job_tasks_pkey primary key,
  retry_after int[] not null,
  max_attempts int,
  lease interval not null,
  per_key int not null,
  per_workspace int,
  while_suspended boolean not null default true
);
insert into private.job_tasks (task, retry_after, max_attempts, lease, per_key, per_workspace, while_suspended) values
  ('backup', '{600,3600}', null, '2 minutes', 1, null, true),
  ('check_domain', '{600}', null, '10 minutes', 5, null, true),
  ('check_email_domain', '{600}', null, '2 minutes', 5, null, true),
  ('draw_og_image', '{60,300,1800,7200,43200}', 6, '2 minutes', 2, null, true),
  ('enqueue_digests', '{60}', null, '2 minutes', 1, null, true),
  ('enqueue_reports', '{60}', null, '2 minutes', 1, null, true),
  ('send_account_email', '{120,240,480,960,1920,3840,7680}', 8, '2 minutes', 1, null, true),
  ('send_emails', '{60,300,1800,7200,21600,86400}', null, '2 minutes', 4, null, true), -- of each email
  ('send_webhook', '{5,300,1800,7200,18000,36000,50400,72000,86400}', null, '45 seconds', 16, 32, false); -- an attempt takes 15 s

-- `id`: of what it is about. `key`: what shares `per_key`, mostly the workspace. `run_at`: when it is due, or the end of its lease; infinity: failed.
create table private.jobs (
  id uuid constraint jobs_pkey primary key,
  task text not null constraint jobs_task_fkey references private.job_tasks (task),
  workspace_id uuid constraint jobs_workspace_id_fkey references public.workspaces (id) on delete cascade,
  key uuid not null,
  run_at timestamptz not null,
  priority int not null, -- lower first
  attempts int not null default 0,
  locked_at timestamptz,
  locked_by uuid, -- the lease
  last_error text constraint jobs_last_error_length check (char_length(last_error) <= 500)
);
create index jobs_of_workspace on private.jobs (workspace_id);
create index jobs_due on private.jobs (task, run_at);
create index jobs_due_of_key on private.jobs (task, key, priority, run_at);
create index jobs_under_way on private.jobs (task, key) where locked_by is not null;
create index jobs_failing on private.jobs (task, key) where last_error is not null;

alter table private.account_mails add constraint account_mails_id_fkey foreign key (id) references private.jobs (id) on delete cascade;

-- Adds a job, or starts it anew: a worker that has it loses its lease.
create function private.add_job(
  task text, id uuid, workspace uuid, run_at timestamptz default clock_timestamp(), key uuid default null, priority int default 0
) returns void
language sql security definer set search_path = '' as $$
  insert into private.jobs (id, task, workspace_id, key, run_at, priority)
  values (add_job.id, add_job.task, workspace, coalesce(add_job.key, workspace, add_job.id), add_job.run_at, add_job.priority)
  on conflict on constraint jobs_pkey do update set
    run_at = excluded.run_at, priority = excluded.priority, attempts = 0, locked_by = null, last_error = null
$$;

-- Ends a job that `lease` holds: it is done, or with `error` tried again until it has failed, or with `again` runs again after so many seconds,
-- which isn't counted as an attempt (with both: not sooner). Retries have jitter. False if the lease is lost. Lock order: what the job is about, then the job.
create function private.end_job(id uuid, lease uuid, error text default null, again numeric default null) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(error, again::text) is null then
    delete from private.jobs j where j.id = end_job.id and j.locked_by = end_job.lease;
  else
    update private.jobs j set locked_by = null, last_error = left(error, 500), attempts = j.attempts - (error is null)::int,
      run_at = case when error is not null and j.attempts >= t.max_attempts then 'infinity' else clock_timestamp() + interval '1 second'
        * greatest(again, case when error is not null then t.retry_after[least(j.attempts, cardinality(t.retry_after))] * (1 + random() / 10) end) end
    from private.job_tasks t where t.task = j.task and j.id = end_job.id and j.locked_by = end_job.lease;
  end if;
  return found;
end $$;

-- For workers: ends jobs ([{id, lease, error, again}]), then leases due ones, at most {task: number}. Keys and workspaces take turns.
create function public.work_jobs(ended jsonb default '[]', capacity jsonb default '{}')
returns table (id uuid, task text, workspace_id uuid, attempt int, lease uuid)
language plpgsql security definer set search_path = '' as $$
declare
  moment timestamptz;
  holder constant uuid := gen_random_uuid();
begin
  perform private.end_job(e.id, e.lease, e.error, e.again)
  from (select * from jsonb_to_recordset(ended) as e (id uuid, lease uuid, error text, again numeric) order by e.id) as e;
  moment := clock_timestamp();
  return query
    with recursive tasks as (
      select t.*, c.value::int as capacity from jsonb_each_text(work_jobs.capacity) c join private.job_tasks t on t.task = c.key
      where c.value::int > 0 and exists (select from private.jobs j where j.task = t.task and j.run_at <= moment)
    ), keys as ( -- index order
      select t.task, (select j.key from private.jobs j where j.task = t.task order by j.key limit 1) as key from tasks t
      union all
      select k.task, (select j.key from private.jobs j where j.task = k.task and j.key > k.key order by j.key limit 1) from keys k where k.key is not null
    ), of_workspaces as (
      select j.task, j.workspace_id, count(*) as amount from private.jobs j where j.locked_by is not null and j.run_at > moment group by 1, 2
    ), waiting as (
      select n.*, t.task, t.capacity, t.per_workspace,
        row_number() over (partition by t.task, n.workspace_id order by n.turn, n.priority, n.run_at)
          + coalesce((select w.amount from of_workspaces w where w.task = t.task and w.workspace_id = n.workspace_id), 0) as turn_of_workspace
      from keys k join tasks t on t.task = k.task,
        lateral (
          select count(*) as amount, case when not t.while_suspended and private.is_suspended( -- all jobs of a key are of one workspace
            (select s.workspace_id from private.jobs s where s.task = k.task and s.key = k.key limit 1)
          ) then 0 when exists (
            select from private.jobs f where f.task = k.task and f.key = k.key and f.last_error is not null and f.run_at < 'infinity'
          ) then 1 else t.per_key end as most
          from private.jobs j where j.task = k.task and j.key = k.key and j.locked_by is not null and j.run_at > moment
        ) as u,
        lateral (
          select j.id, j.workspace_id, j.priority, j.run_at, u.amount + row_number() over (order by j.priority, j.run_at, j.id) as turn from private.jobs j
          where j.task = k.task and j.key = k.key and j.run_at <= moment
          order by j.priority, j.run_at, j.id limit greatest(least(u.most - u.amount, t.capacity), 0)
        ) as n
    ), candidates as (
      select c.id from (
        select w.id, w.capacity, row_number() over (
          partition by w.task order by greatest(w.turn, w.turn_of_workspace), w.turn, w.priority, w.run_at
        ) as place
        from waiting w where w.turn_of_workspace <= coalesce(w.per_workspace, w.turn_of_workspace)
      ) as c where c.place <= c.capacity
    ), held as (
      select j.id from private.jobs j where j.id = any (array(select c.id from candidates c)) and j.run_at <= moment for update skip locked
    ), taken as (
      update private.jobs j set
        run_at = case when j.attempts >= t.max_attempts then 'infinity' else moment + t.lease end, -- interrupted too often
        attempts = j.attempts + 1, locked_at = moment, locked_by = case when j.attempts >= t.max_attempts then null else holder end
      from held h, private.job_tasks t where j.id = h.id and t.task = j.task returning j.*
    )
    select t.id, t.task, t.workspace_id, t.attempts, t.locked_by from taken t where t.locked_by is not null;
end $$;
grant execute on function public.work_jobs to service_role;
