-- A save that says nothing of telling leaves it as the transaction has it, and costs nothing for it; what tags are called now is asked in one place.

create or replace function public.create_post(
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
  if notify is not null then perform private.tell_readers(notify); end if;
  insert into public.posts (workspace_id, title, content_raw, tags, publish_at, status, summary, cover_image, published_at, author_id)
  values (workspace_id, title, content_raw, coalesce(tags, '{}'),
    case when status = 'draft' then null else publish_at end, coalesce(status, 'draft')::public.post_status, summary,
    nullif(cover_image, 'null'), published_at, author_id)
  returning posts.id into made;
  if notify is not null then perform private.tell_readers(null); end if;
  select d.* into answer from public.post_details d where d.id = made;
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

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
  if patch ? 'notify' then perform private.tell_readers((patch ->> 'notify')::boolean); end if;
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
  if patch ? 'notify' then perform private.tell_readers(null); end if;
  if saved is null then perform private.explain_refusal(post_id); end if;
  select d.* into answer from public.post_details d where d.id = saved;
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

create function private.tags_now(workspace uuid, keys text[]) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(array_agg(t.key order by t.place), '{}')
    from (
      select coalesce(f.now_key, given.key) as key, min(given.place) as place
      from unnest(keys) with ordinality as given (key, place)
      left join private.former_tags f on f.workspace_id = workspace and f.key = given.key
      where f.key is null or f.now_key is not null group by 1
    ) as t
  );
end $$;

create or replace function private.follow_tags() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if cardinality(new.tags) not between 1 and 100 then return new; end if; -- more are too many in any case
  if tg_op = 'UPDATE' and new.tags is not distinct from old.tags then return new; end if;
  if exists (select from private.former_tags f where f.workspace_id = new.workspace_id) then
    new.tags := private.tags_now(new.workspace_id, private.clean_tags(new.tags));
  end if;
  return new;
end $$;

create or replace function private.follow_chosen_tags() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(cardinality(new.tags), 0) = 0 then return new; end if;
  if tg_op = 'UPDATE' and new.tags is not distinct from old.tags then return new; end if;
  if exists (select from private.former_tags f where f.workspace_id = new.workspace_id and f.key = any (new.tags)) then
    new.tags := private.tags_now(new.workspace_id, new.tags);
  end if;
  return new;
end $$;
