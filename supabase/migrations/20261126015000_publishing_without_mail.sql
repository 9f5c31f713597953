-- Publishing says who hears of it by mail, and can be told to nobody; a digest tells what became news in its period, once that can be taken back no more.

alter table private.events add column quiet boolean not null default false;

drop trigger posts_95_note_new_publication on public.posts;
drop trigger posts_95_note_publication on public.posts;
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
      actor = excluded.actor, happened_at = excluded.happened_at, due_at = excluded.due_at, told_at = null, quiet = false
    where e.quiet and wish = 'off';
  else
    delete from private.events e where e.post_id = new.id
      and (e.told_at is null or e.quiet and (new.status = 'draft' or new.status = 'scheduled' and wish = 'off'));
  end if;
  return null;
end $$;
create trigger posts_95_note_new_publication after insert on public.posts
for each row when (new.status in ('scheduled', 'published')) execute function private.note_publication();
create trigger posts_95_note_publication after update of status on public.posts
for each row when (old.status is distinct from new.status or new.status = 'scheduled') execute function private.note_publication();

create function private.news_of(workspace uuid, since timestamptz, until timestamptz) returns table (id uuid, tags text[], published_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select v.id, v.tags, v.published_at from private.events e join private.visible_posts v on v.id = e.post_id
  where e.workspace_id = workspace and e.kind = 'post.published' and not e.quiet and e.happened_at > since and e.happened_at <= until
$$;

create or replace function private.make_digests() returns int
language plpgsql security definer set search_path = '' as $$
declare
  made int;
begin
  with rhythms as (
    select m.workspace_id, r.rhythm,
      private.last_digest_time(m.time_zone, r.rhythm, now() - make_interval(mins => m.undo_minutes)) as nine
    from public.mail_settings m join public.workspaces w on w.id = m.workspace_id,
      (values ('daily'::public.subscriber_frequency), ('weekly')) as r (rhythm)
    where m.enabled and w.public_changelog_enabled
  ), due as (
    select s.id, s.workspace_id, s.last_digest_at as since, r.nine as until, s.tags
    from rhythms r join public.subscribers s on s.workspace_id = r.workspace_id and s.frequency = r.rhythm
    where s.status = 'active' and s.last_digest_at < r.nine
    for update of s skip locked
  ), told as (
    update public.subscribers s set last_digest_at = d.until from due d where s.id = d.id returning d.id, d.workspace_id, d.since, d.until, d.tags
  )
  insert into private.deliveries (workspace_id, channel, kind, target_id, data)
  select t.workspace_id, 'mail', 'digest', t.id, jsonb_build_object('from', t.since, 'to', t.until) from told t
  where exists (
    select from private.news_of(t.workspace_id, t.since, t.until) v where t.tags is null or t.tags && v.tags
  );
  get diagnostics made = row_count;
  return made;
end $$;

create or replace function public.claim_mails(batch int default 50) returns table (
  id uuid, kind text, attempt int, workspace_id uuid, workspace_name text, subdomain text, logo_url text, sender_name text, reply_to text,
  email text, token text, posts uuid[]
)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  size constant int := least(greatest(coalesce(claim_mails.batch, 50), 1), 500);
begin
  return query
    with recursive busy as (
      (select d.workspace_id from private.deliveries d where d.state = 'waiting' order by d.workspace_id limit 1)
      union all
      select (select d.workspace_id from private.deliveries d where d.state = 'waiting' and d.workspace_id > b.workspace_id
        order by d.workspace_id limit 1)
      from busy b where b.workspace_id is not null
    ), candidates as (
      select c.id from busy b, lateral (
        select d.id, d.due_at, row_number() over (order by d.due_at, d.id) as turn from (
          select d.id, d.due_at from private.deliveries d
          where d.workspace_id = b.workspace_id and d.state = 'waiting' and d.due_at <= clock_timestamp()
          order by d.due_at, d.id limit size
        ) as d
      ) as c
      order by c.turn, c.due_at limit size
    ), held as (
      select d.id from private.deliveries d where d.id in (select c.id from candidates c)
        and d.state = 'waiting' and d.due_at <= clock_timestamp() and d.channel = 'mail'
      for update skip locked
    ), looked as (
      select d.id, s.id is not null as still, s, w, m, p.posts
      from held h join private.deliveries d on d.id = h.id
      join public.workspaces w on w.id = d.workspace_id
      left join public.mail_settings m on m.workspace_id = d.workspace_id
      left join private.events e on e.id = d.event_id
      left join public.subscribers s on s.id = d.target_id and m.enabled and w.public_changelog_enabled
        and s.status = case d.kind when 'confirmation' then 'pending' else 'active' end::public.subscriber_status
      left join lateral (
        select array_agg(v.id order by v.published_at desc, v.id desc) as posts from (
          select v.id, v.published_at from private.visible_posts v where d.kind = 'post' and v.id = e.post_id
          union all
          (select v.id, v.published_at
          from private.news_of(d.workspace_id, (d.data ->> 'from')::timestamptz, (d.data ->> 'to')::timestamptz) v
          where d.kind = 'digest' and (s.tags is null or s.tags && v.tags) order by v.published_at desc, v.id desc limit 50)
        ) as v
      ) as p on true
    ), taken as (
      update private.deliveries d set
        (state, due_at, attempt, ended_at) = (
          select case when pointless then 'dropped' else 'waiting' end, clock_timestamp() + interval '2 minutes',
            d.attempt + (not pointless)::int, case when pointless then clock_timestamp() end
          from (select not l.still or d.kind in ('post', 'digest') and l.posts is null) as o (pointless)
        )
      from looked l where d.id = l.id
      returning d.id, d.state, d.kind, d.attempt
    )
    select t.id, t.kind, t.attempt, (l.w).id, (l.w).name, (l.w).subdomain::text, (l.w).logo_url, (l.m).sender_name, (l.m).reply_to,
      (l.s).email::text, private.subscription_token((l.s).id, (l.s).generation), coalesce(l.posts, '{}')
    from taken t join looked l on l.id = t.id where t.state = 'waiting';
end $$;

create function public.mail_audience(workspace_id uuid, tags text[] default '{}', post_id uuid default null) returns jsonb
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
      'told', exists (select from private.events e where e.post_id = post and e.workspace_id = asked and e.told_at is not null and not e.quiet))
    from public.subscribers s where s.workspace_id = asked and s.status = 'active' and (s.tags is null or s.tags && wanted)
  );
end $$;
revoke all on function public.mail_audience(uuid, text[], uuid) from public, anon;
grant execute on function public.mail_audience(uuid, text[], uuid) to authenticated, service_role;

create function private.tell_readers(notify boolean) returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('tidings.quiet', case notify when true then 'off' when false then 'on' else '' end, true);
end $$;
grant execute on function private.tell_readers(boolean) to authenticated, service_role;

drop function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text, text, jsonb, timestamptz, uuid);
create function public.create_post(
  workspace_id uuid, title text, content_raw jsonb, tags text[] default '{}', publish_at timestamptz default null,
  status text default null, idempotency_key text default null, summary text default null, cover_image jsonb default null,
  published_at timestamptz default null, author_id uuid default null, notify boolean default null
) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  earlier jsonb;
  made uuid;
  answer public.post_details;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_post', workspace_id, title, content_raw - 'time', tags, publish_at, status, summary,
    cover_image, published_at, author_id, notify)::text);
  if earlier is not null then return jsonb_populate_record(null::public.post_details, earlier); end if;
  perform private.tell_readers(notify);
  insert into public.posts (workspace_id, title, content_raw, tags, publish_at, status, summary, cover_image, published_at, author_id)
  values (workspace_id, title, content_raw, coalesce(tags, '{}'),
    case when status = 'draft' then null else publish_at end, coalesce(status, 'draft')::public.post_status, summary,
    nullif(cover_image, 'null'), published_at, author_id)
  returning posts.id into made;
  perform private.tell_readers(null);
  select d.* into answer from public.post_details d where d.id = made;
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;
revoke all on function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text, text, jsonb, timestamptz, uuid, boolean) from public, anon;
grant execute on function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text, text, jsonb, timestamptz, uuid, boolean) to authenticated, service_role;

create or replace function public.save_post(post_id uuid, patch jsonb, expected_version int default null, idempotency_key text default null) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  earlier jsonb;
  saved uuid;
  answer public.post_details;
begin
  earlier := private.claim_request(idempotency_key, jsonb_build_array('save_post', post_id, patch #- '{content_raw,time}', expected_version)::text);
  if earlier is not null then
    perform private.require_role((earlier ->> 'workspace_id')::uuid, '{owner,admin,editor}');
    return jsonb_populate_record(null::public.post_details, earlier);
  end if;
  perform private.tell_readers((patch ->> 'notify')::boolean);
  update public.posts p set
    title = case when patch ? 'title' then patch ->> 'title' else p.title end,
    summary = case when patch ? 'summary' then patch ->> 'summary' else p.summary end,
    cover_image = case when patch ? 'cover_image' then nullif(patch -> 'cover_image', 'null') else p.cover_image end,
    content_raw = case when patch ? 'content_raw' then patch -> 'content_raw' else p.content_raw end,
    tags = case when patch ? 'tags' then private.text_array(patch -> 'tags') else p.tags end,
    publish_at = case
      when patch ->> 'status' = 'draft' then null -- a draft asked for by name keeps no time
      when patch ? 'publish_at' then (patch ->> 'publish_at')::timestamptz
      else p.publish_at end,
    status = coalesce((patch ->> 'status')::public.post_status, p.status),
    slug = coalesce(patch ->> 'slug', p.slug),
    published_at = coalesce((patch ->> 'published_at')::timestamptz, p.published_at),
    author_id = case when patch ? 'author_id' then (patch ->> 'author_id')::uuid else p.author_id end
  where p.id = post_id and (expected_version is null or p.version = expected_version)
  returning p.id into saved;
  perform private.tell_readers(null);
  if saved is null then perform private.explain_refusal(post_id); end if;
  select d.* into answer from public.post_details d where d.id = saved;
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;
