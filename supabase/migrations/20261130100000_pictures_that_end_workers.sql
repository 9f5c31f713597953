-- A picture whose worker never comes back is given up.
create or replace function public.claim_link_pictures(batch int default 1) returns table (
  id uuid, wanted int, attempt int, workspace_id uuid, workspace_name text, logo_url text, logo_dark_url text, appearance jsonb,
  post_id uuid, title text, published_at timestamptz
)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  size constant int := least(greatest(coalesce(claim_link_pictures.batch, 1), 1), 20);
begin
  -- Of a workspace that is closed nobody sees any: they are drawn when it opens. One that was taken six times, and whose worker never came back from
  -- it, waits for the next change: it would end every worker that takes it, and keep those of others waiting.
  update private.link_pictures l set due_at = null where l.id = any (array(
    select h.id from private.link_pictures h join public.workspaces w on w.id = h.workspace_id
    where h.due_at <= statement_timestamp() and (not w.public_changelog_enabled or h.attempt >= 6) limit 1000 for update of h skip locked
  ));

  -- A new look: the newest hundred that were drawn in the old one, and those that never could be. Older ones keep theirs.
  with looked as (
    update private.link_pictures l set look_changed = false where l.id = any (array(
      select h.id from private.link_pictures h where h.look_changed and h.due_at <= statement_timestamp() limit 10 for update skip locked
    ))
    returning l.workspace_id
  ), old_looks as (
    select n.id from looked k, lateral (
      select l.id from private.link_pictures l join public.posts p on p.id = l.post_id
      where l.workspace_id = k.workspace_id and l.path is not null order by p.published_at desc nulls last limit 100
    ) as n
    union all
    select l.id from looked k join private.link_pictures l on l.workspace_id = k.workspace_id
    where l.path is null and l.due_at is null and l.post_id is not null
  ), held as (
    select l.id from private.link_pictures l where l.id in (select o.id from old_looks o) for update skip locked
  )
  update private.link_pictures l set due_at = statement_timestamp(), wanted = l.wanted + 1, attempt = 0, error = null from held h where l.id = h.id;

  return query
    with recursive b as ( -- ordered as the index of what waits is
      (select l.workspace_id from private.link_pictures l where l.due_at is not null order by l.workspace_id, l.due_at limit 1)
      union all
      select (select l.workspace_id from private.link_pictures l where l.due_at is not null and l.workspace_id > b.workspace_id
        order by l.workspace_id, l.due_at limit 1)
      from b where b.workspace_id is not null
    ), candidates as (
      select n.id from b, lateral (
        select l.id, l.due_at, row_number() over (order by l.due_at desc, l.id) as turn from private.link_pictures l
        where l.workspace_id = b.workspace_id and l.due_at <= statement_timestamp() order by l.due_at desc, l.id limit size
      ) as n
      order by n.turn, n.due_at limit size
    ), held as (
      select l.id from private.link_pictures l where l.id = any (array(select c.id from candidates c)) and l.due_at <= statement_timestamp()
      for update skip locked
    ), looked as (
      select h.id, w, v.title, v.published_at, l.post_id is null or v.id is not null as seen,
        p.status = 'scheduled' as comes -- its time has come for this statement, and not yet for this transaction
      from held h join private.link_pictures l on l.id = h.id join public.workspaces w on w.id = l.workspace_id
      left join public.posts p on p.id = l.post_id left join private.visible_posts v on v.id = l.post_id
    ), taken as (
      update private.link_pictures l set
        (due_at, attempt) = (select case when k.seen then clock_timestamp() + interval '2 minutes'
          when k.comes then clock_timestamp() + interval '5 seconds' end, l.attempt + k.seen::int)
      from looked k where l.id = k.id
      returning l.id, l.wanted, l.attempt, l.workspace_id, l.post_id
    )
    select t.id, t.wanted, t.attempt, t.workspace_id, (k.w).name, (k.w).logo_url, a.logo_dark_url, coalesce(a.settings, '{}'), t.post_id,
      k.title, k.published_at
    from taken t join looked k on k.id = t.id left join public.appearances a on a.workspace_id = t.workspace_id
    where k.seen;
end $$;
