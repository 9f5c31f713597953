-- Creating, saving, archiving and purging posts as the caller: row-level security decides, triggers derive (99-post-triggers). These add a patch,
-- compare-and-swap on the version, idempotency, and a reason when no row was changed.

-- Raises why a write changed no row: not found, read-only, or a stale version.
create function private.explain_refusal(post uuid) returns void
language plpgsql stable set search_path = '' as $$
declare
  present public.posts;
begin
  select * into present from public.posts p where p.id = post;
  if present.id is null then perform private.refuse('not_found'); end if;
  perform private.require_role(present.workspace_id, '{owner,admin,editor}');
  perform private.refuse('version_conflict', jsonb_build_object('version', present.version, 'updated_at', present.updated_at,
    'updated_by_name', coalesce(present.updated_by_name, present.created_by_name, 'Someone')));
end $$;

create function private.text_array(list jsonb) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(array_agg(t.item #>> '{}' order by t.place), '{}')
    from jsonb_array_elements(private.as_list(list)) with ordinality as t (item, place)
  );
end $$;

-- Whether the next publication in this transaction notifies subscribers; null: unchanged, or yes.
create function private.set_notify_subscribers(notify boolean) returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('tidings.quiet', case notify when true then 'off' when false then 'on' else '' end, true);
end $$;

-- status: null = draft, or scheduled when publish_at is set. `autosaved`: a draft that can lack a title.
create function public.create_post(
  workspace_id uuid, title text, content_raw jsonb, tags text[] default '{}', publish_at timestamptz default null,
  status text default null, idempotency_key text default null, summary text default null, cover_image jsonb default null,
  published_at timestamptz default null, author_id uuid default null, notify boolean default null, slug text default null,
  public_changelog_enabled boolean default null, external_id text default null, autosaved boolean default false, details jsonb default null
) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  earlier jsonb;
  made uuid;
  answer public.post_details;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_post', workspace_id, title, content_raw - 'time', tags, publish_at, status, summary,
    cover_image, published_at, author_id, notify, slug, public_changelog_enabled, external_id, details)::text);
  if earlier is not null then return jsonb_populate_record(null::public.post_details, earlier); end if;
  if public_changelog_enabled then perform public.change_workspace(workspace_id, '{"public_changelog_enabled": true}'); end if;
  if notify is not null then perform private.set_notify_subscribers(notify); end if;
  perform set_config('tidings.slug', coalesce(slug, ''), true), set_config('tidings.autosave', case when autosaved then 'on' else '' end, true);
  insert into public.posts (workspace_id, title, content_raw, tags, publish_at, status, summary, cover_image, published_at, author_id, external_id, details)
  values (workspace_id, title, content_raw, coalesce(tags, '{}'),
    case when status = 'draft' then null else publish_at end, coalesce(status, 'draft')::public.post_status, summary,
    nullif(cover_image, 'null'), published_at, author_id, external_id, details)
  returning posts.id into made;
  perform set_config('tidings.slug', '', true), set_config('tidings.autosave', '', true);
  if notify is not null then perform private.set_notify_subscribers(null); end if;
  select d.* into answer from public.post_details d where d.id = made;
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

-- patch: title, summary, cover_image, details (merged; null removes one), content_raw, tags, publish_at, status, slug, published_at, author_id, notify, and for the owner
-- public_changelog_enabled; absent = unchanged. expected_version null = 'Save anyway'. `autosaved`: of a draft, which can lack a title.
create function public.save_post(
  post_id uuid, patch jsonb, expected_version int default null, idempotency_key text default null, autosaved boolean default false
) returns public.post_details
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
  if (patch ->> 'public_changelog_enabled')::boolean then -- lock order: workspace, then post
    perform public.change_workspace((select p.workspace_id from public.posts p where p.id = post_id), '{"public_changelog_enabled": true}');
  end if;
  if patch ? 'notify' then perform private.set_notify_subscribers((patch ->> 'notify')::boolean); end if;
  perform set_config('tidings.slug', coalesce(patch ->> 'slug', ''), true), set_config('tidings.autosave', case when autosaved then 'on' else '' end, true);
  update public.posts p set
    title = case when patch ? 'title' then patch ->> 'title' else p.title end,
    summary = case when patch ? 'summary' then patch ->> 'summary' else p.summary end,
    cover_image = case when patch ? 'cover_image' then nullif(patch -> 'cover_image', 'null') else p.cover_image end,
    details = case when patch ? 'details' then coalesce(p.details, '{}') || coalesce(nullif(patch -> 'details', 'null'), '{}') else p.details end,
    content_raw = case when patch ? 'content_raw' then patch -> 'content_raw' else p.content_raw end,
    tags = case when patch ? 'tags' then private.text_array(patch -> 'tags') else p.tags end,
    publish_at = case
      when patch ->> 'status' = 'draft' then null
      when patch ? 'publish_at' then (patch ->> 'publish_at')::timestamptz
      else p.publish_at end,
    status = coalesce((patch ->> 'status')::public.post_status, p.status),
    published_at = coalesce((patch ->> 'published_at')::timestamptz, p.published_at),
    author_id = case when patch ? 'author_id' then (patch ->> 'author_id')::uuid else p.author_id end
  where p.id = post_id and (expected_version is null or p.version = expected_version)
  returning p.id into saved;
  perform set_config('tidings.slug', '', true), set_config('tidings.autosave', '', true);
  if patch ? 'notify' then perform private.set_notify_subscribers(null); end if;
  if saved is null then perform private.explain_refusal(post_id); end if;
  select d.* into answer from public.post_details d where d.id = saved;
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

-- By its id, or by its id in another system.
create function public.read_post(post_id uuid default null, workspace_id uuid default null, external_id text default null) returns public.post_details
language plpgsql stable set search_path = '' as $$
declare
  wanted constant uuid := coalesce(post_id, (
    select p.id from public.posts p where p.workspace_id = read_post.workspace_id and p.external_id = read_post.external_id));
  answer public.post_details;
begin
  select d.* into answer from public.post_details d where d.id = wanted;
  if answer.id is null then perform private.refuse('not_found'); end if;
  return answer;
end $$;

-- Merges, so two people who link requests at once keep both.
create function public.link_requests(post_id uuid, added text[] default '{}', removed text[] default '{}') returns public.post_details
language plpgsql set search_path = '' as $$
declare
  answer public.post_details;
begin
  update public.posts p set requests = array(
    select r.url from unnest(p.requests || added) with ordinality as r (url, place)
    where r.url <> all (removed) group by r.url order by min(r.place))
  where p.id = post_id;
  if not found then perform private.explain_refusal(post_id); end if;
  select d.* into answer from public.post_details d where d.id = post_id;
  return answer;
exception when check_violation then
  perform private.refuse('validation_failed', '{"add": "Link at most {{requestsPerPost}} requests of Linear, Jira or GitHub"}');
end $$;

-- Undoes archiving within 15 minutes if the version is still the same; otherwise, or if its time has passed meanwhile, the post becomes a draft.
create function public.undo_archive(post_id uuid, expected_version int) returns public.post_details
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present public.posts;
  before public.post_revisions;
  answer public.post_details;
begin
  if private.my_role((select p.workspace_id from public.posts p where p.id = post_id)) is null then perform private.refuse('not_found'); end if; -- strangers get no lock
  select * into present from public.posts p where p.id = post_id for update;
  if present.id is null then perform private.refuse('not_found'); end if;
  perform private.require_role(present.workspace_id, '{owner,admin,editor}');
  if present.version <> expected_version then perform private.explain_refusal(post_id); end if;
  if present.status = 'archived' then
    if present.archived_at > now() - interval '15 minutes' then
      select * into before from public.post_revisions r where r.post_id = post_id and r.version = present.version - 1;
    end if;
    perform set_config('tidings.former_status', case
      when before.status = 'published' or before.status = 'scheduled' and before.publish_at <= present.archived_at
        and present.published_at is not null then 'published'
      when before.status = 'scheduled' and before.publish_at > now() then 'scheduled'
      else 'draft' end, true);
    update public.posts p set status = 'draft' where p.id = post_id;
    perform set_config('tidings.former_status', '', true);
    -- One activity, whatever the status is now.
    update public.activities a set kind = 'post_restored' where a.id = (
      select l.id from public.activities l where l.workspace_id = present.workspace_id and l.post_id = post_id order by l.created_at desc, l.id desc limit 1
    );
  end if;
  select d.* into answer from public.post_details d where d.id = post_id;
  return answer;
end $$;

-- Restores a revision's content as the newest version; status stays, and so does the title if the revision had none.
create function public.restore_revision(post_id uuid, version int, expected_version int default null) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  wanted public.post_revisions;
begin
  select * into wanted from public.post_revisions r where r.post_id = restore_revision.post_id and r.version = restore_revision.version;
  if wanted.post_id is null then perform private.refuse('not_found'); end if;
  return public.save_post(post_id, private.content_of(to_jsonb(wanted)) - case when wanted.title = '' then 'title' else '' end, expected_version);
end $$;

create function public.purge_post(post_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  delete from public.posts p where p.id = post_id;
  if not found then perform private.explain_refusal(post_id); end if;
end $$;

grant execute on function private.explain_refusal, private.text_array, private.set_notify_subscribers, public.create_post, public.save_post,
  public.read_post, public.link_requests, public.undo_archive, public.restore_revision, public.purge_post to authenticated, service_role;
