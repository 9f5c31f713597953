import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { type World, test } from "./support/world.ts";

const sql = connect();

interface Job {
  id: string;
  attempt: number;
  lease: string;
}
async function newTask({ tx }: World, { waits = [60, 300], max = 3 as number | null, perKey = 3 } = {}): Promise<string> {
  const task = `test_${randomUUID()}`;
  await tx`insert into private.job_tasks (task, retry_after, max_attempts, lease, per_key) values (${task}, ${waits}, ${max}, '1 minute', ${perKey})`;
  return task;
}
async function add({ tx, acme }: World, task: string, { key = acme, id = randomUUID() as string, priority = 0 } = {}): Promise<string> {
  await tx`select private.add_job(${task}, ${id}, ${acme}, key => ${key}, priority => ${priority})`;
  return id;
}
const work = ({ tx }: World, task: string, room = 100, ended: object[] = []) =>
  tx<Job[]>`select id, attempt, lease from public.work_jobs(${tx.json(ended as never)}, ${tx.json({ [task]: room })})`;
const timePasses = ({ tx }: World, task: string, seconds: number) =>
  tx`update private.jobs set run_at = run_at - make_interval(secs => ${seconds}) where task = ${task} and run_at < 'infinity'`;
const jobs = async ({ tx }: World, task: string) =>
  await tx<{ id: string; wait: number; attempts: number; last_error: string | null }[]>`
    select id, case when run_at < 'infinity' then round(extract(epoch from run_at - clock_timestamp()))::int end as wait, attempts, last_error
    from private.jobs where task = ${task} order by id`;

test("a done job is gone, and one whose worker died is leased again", async ({ world }) => {
  const task = await newTask(world);
  const [done, dead] = [await add(world, task), await add(world, task)];
  const leased = await work(world, task);
  expect(leased.map(({ id, attempt }) => [id, attempt]).toSorted()).toEqual(
    [
      [done, 1],
      [dead, 1],
    ].toSorted(),
  );
  expect(await work(world, task, 100, [leased.find(({ id }) => id === done)!])).toEqual([]);
  await timePasses(world, task, 61);
  expect(await work(world, task)).toMatchObject([{ id: dead, attempt: 2 }]);
});

test("a failing job is retried by the schedule, and then failed", async ({ world }) => {
  const task = await newTask(world);
  const id = await add(world, task);
  const waits: (number | null)[] = [];
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const [job] = await work(world, task);
    expect(job).toMatchObject({ id, attempt });
    await work(world, task, 0, [{ ...job, error: "x".repeat(600) }]);
    waits.push((await jobs(world, task))[0]!.wait);
    await timePasses(world, task, 330);
  }
  expect(waits.slice(0, 2).map((wait, at) => wait! >= [60, 300][at]! && wait! <= [66, 330][at]!)).toEqual([true, true]);
  expect(waits[2]).toBeNull();
  expect(await work(world, task)).toEqual([]);
  expect((await jobs(world, task))[0]!.last_error).toHaveLength(500);
});

test("a job that kills its workers is failed in the end, unless it may always be retried", async ({ world }) => {
  for (const max of [2, null]) {
    const task = await newTask(world, { max });
    await add(world, task);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      expect(await work(world, task)).toMatchObject([{ attempt }]);
      await timePasses(world, task, 61);
    }
    expect(await work(world, task)).toHaveLength(max === null ? 1 : 0);
  }
});

test("a job that is added again while it runs isn't ended by its former worker", async ({ world }) => {
  const task = await newTask(world);
  const id = await add(world, task);
  const [former] = await work(world, task);
  await add(world, task, { id });
  const [now] = await work(world, task, 100, [former!]);
  expect(now).toMatchObject({ id, attempt: 1 });
  await work(world, task, 0, [{ ...former, error: "late" }]);
  expect(await jobs(world, task)).toMatchObject([{ id, last_error: null }]);
  await work(world, task, 0, [{ ...now, again: 3_600 }]);
  expect(await jobs(world, task)).toMatchObject([{ id, wait: 3_600, attempts: 0 }]);
});

test("keys take turns, up to their limit, by priority", async ({ world }) => {
  const task = await newTask(world, { perKey: 2 });
  const [one, other] = [randomUUID(), randomUUID()];
  const many = [
    await add(world, task, { key: one, priority: 1 }),
    await add(world, task, { key: one }),
    await add(world, task, { key: one }),
  ];
  const single = await add(world, task, { key: other });
  const ids = async (room: number) => (await work(world, task, room)).map(({ id }) => id).toSorted();
  expect(await ids(2)).toEqual([many[1], single].toSorted());
  expect(await ids(100)).toEqual([many[2]]);
  expect(await ids(100)).toEqual([]);
});

test("a workspace has no more jobs under way than its task allows, over all its keys", async ({ world }) => {
  const task = await newTask(world, { perKey: 2 });
  await world.tx`update private.job_tasks set per_workspace = 3 where task = ${task}`;
  for (const key of [randomUUID(), randomUUID()]) for (let count = 0; count < 3; count += 1) await add(world, task, { key });
  const first = await work(world, task, 2);
  const rest = await work(world, task);
  expect([first.length, rest.length]).toEqual([2, 1]);
  expect(await work(world, task)).toEqual([]);
  expect(await work(world, task, 100, [rest[0]!])).toHaveLength(1);
});

test("jobs of a failing key run one at a time, and those of a suspended workspace wait where the task says so", async ({ world }) => {
  const task = await newTask(world);
  for (let count = 0; count < 3; count += 1) await add(world, task);
  const [first, ...others] = await work(world, task);
  await work(world, task, 0, [{ ...first, error: "no" }, ...others]);
  for (let count = 0; count < 3; count += 1) await add(world, task);
  expect(await work(world, task)).toHaveLength(1);
  await world.tx`update private.jobs set run_at = now(), last_error = null, locked_by = null where task = ${task}`;
  await world.tx`update private.job_tasks set while_suspended = false where task = ${task}`;
  await world.tx`update public.workspaces set suspension = '{}' where id = ${world.acme}`;
  expect(await work(world, task)).toEqual([]);
  await world.tx`update private.job_tasks set while_suspended = true where task = ${task}`;
  expect(await work(world, task)).toHaveLength(3);
});

test("jobs are leased to only one of many concurrent workers", async () => {
  await withWorkspace(sql, 0, async ({ workspace }) => {
    const task = `test_${randomUUID()}`;
    await sql`insert into private.job_tasks (task, retry_after, lease, per_key) values (${task}, '{1}', '1 minute', 100)`;
    await sql`select private.add_job(${task}, gen_random_uuid(), ${workspace}) from generate_series(1, 60)`;
    const workers = connect(6);
    const claim = () => workers<Job[]>`select id from public.work_jobs('[]', ${workers.json({ [task]: 10 })})`;
    const ids: string[] = [];
    while (ids.length < 60) ids.push(...(await Promise.all(Array.from({ length: 6 }, claim))).flat().map(({ id }) => id));
    expect(new Set(ids).size).toBe(60);
    await sql`delete from private.jobs where task = ${task}`;
    await sql`delete from private.job_tasks where task = ${task}`;
  });
});
