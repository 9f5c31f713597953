-- Tags can be renamed, recoloured, merged and deleted, and posts follow; lists are filtered by a tag in the database; an archiving can be taken back.

-- Posts with a tag, last edited first, and which tags there are with how many posts: both read this index alone.
-- squawk-ignore require-concurrent-index-creation
create index posts_tags on public.posts (workspace_id, updated_at desc, id desc) include (status, publish_at, tags)
where status <> 'archived' and tags <> '{}';

drop policy "writers change tags" on public.tags;
drop policy "writers delete tags" on public.tags;
revoke update (label, colour), delete on public.tags from authenticated;

-- One tag of a workspace changes at a time, and none is made meanwhile.
create function private.tag_lock(workspace uuid) returns bigint
language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  return hashtextextended('tags/' || workspace, 0);
end $$;

create or replace function private.tidy_tag() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.label := private.clean_line(new.label);
  if coalesce(new.label, '') = '' then perform private.refuse('validation_failed', '{"label": "A tag needs a name"}'); end if;
  if char_length(new.label) > 40 then perform private.refuse('validation_failed', '{"label": "A tag can have at most 40 characters"}'); end if;
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock_shared(private.tag_lock(new.workspace_id)); -- no other tag is just getting this name
    new.key := private.tag_key(new.label);
    new.created_by := auth.uid();
    if exists (select from private.default_tags() as d where d.key = new.key) then return null; end if;
  end if;
  return new;
end $$;

-- Keys that tags had before: the key that a renamed or merged tag has now, null when it was deleted. Whatever is written with such a key later
-- (by an editor that was open meanwhile, a script, an earlier version that is restored) gets the present one.
create table private.former_tags (
  workspace_id uuid not null constraint former_tags_workspace_id_fkey references public.workspaces (id) on delete cascade,
  key text not null,
  now_key text,
  constraint former_tags_pkey primary key (workspace_id, key)
);
alter table private.former_tags enable row level security;

-- What is being replaced in posts: a call does some hundred, what a save wrote at the same moment is found half a minute later.
create table private.tag_moves (
  workspace_id uuid not null constraint tag_moves_workspace_id_fkey references public.workspaces (id) on delete cascade,
  from_key text not null,
  to_key text, -- null: nothing
  begun_at timestamptz not null default clock_timestamp(),
  constraint tag_moves_pkey primary key (workspace_id, from_key)
);
alter table private.tag_moves enable row level security;

-- A key that a tag has is no former one.
create function private.come_back_tag(workspace uuid, tag_key text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.former_tags f where f.workspace_id = workspace and f.key = tag_key;
  delete from private.tag_moves m where m.workspace_id = workspace and m.from_key = tag_key;
end $$;
create function private.welcome_tag() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.come_back_tag(new.workspace_id, new.key);
  return null;
end $$;
create trigger tags_have_their_keys after insert or update of key on public.tags
for each row execute function private.welcome_tag();

-- Tags of a post with the keys that they have now. Before anything else looks at them (posts_10): a key that only follows is no change.
create function private.follow_tags() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if cardinality(new.tags) not between 1 and 100 then return new; end if; -- more are too many in any case
  if tg_op = 'UPDATE' and new.tags is not distinct from old.tags then return new; end if;
  if exists (select from private.former_tags f where f.workspace_id = new.workspace_id) then
    new.tags := (
      select coalesce(array_agg(coalesce(f.now_key, given.key) order by given.place), '{}')
      from unnest(private.clean_tags(new.tags)) with ordinality as given (key, place)
      left join private.former_tags f on f.workspace_id = new.workspace_id and f.key = given.key
      where f.key is null or f.now_key is not null
    );
  end if;
  return new;
end $$;
create trigger posts_05_tags before insert or update of tags on public.posts for each row execute function private.follow_tags();

-- A tag that changes is no edit of the posts that carry it: their versions, dates and revisions stay, nobody who has one open meets a conflict,
-- and archived posts change as well. So this comes after every trigger that looks for a change; private.retag_some says what becomes of what.
create function private.retag_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  gone constant text := current_setting('tidings.tag_from');
  present constant text := nullif(current_setting('tidings.tag_to'), '');
begin
  new.tags := (
    select coalesce(array_agg(t.key order by t.place), '{}')
    from (
      select case when given.key = gone then present else given.key end as key, min(given.place) as place
      from unnest(old.tags) with ordinality as given (key, place)
      where given.key <> gone or present is not null group by 1
    ) as t
  );
  -- The beginning of the text as private.tidy_post made it; where that was otherwise, all of it anew.
  new.search_text := case
    when starts_with(old.search_text, private.search_words(old.title || ' ' || array_to_string(old.tags, ' '))) then
      private.search_words(new.title || ' ' || array_to_string(new.tags, ' '))
      || substr(old.search_text, char_length(private.search_words(old.title || ' ' || array_to_string(old.tags, ' '))) + 1)
    else private.search_words(new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || left(private.blocks_text(new.content_raw), 100000))
  end;
  return new;
end $$;
create trigger posts_47_retag before update on public.posts
for each row when (coalesce(current_setting('tidings.tag_from', true), '') <> '') execute function private.retag_post();

-- The first posts with a tag, locked. Before anything else of a transaction is: whoever saves a post holds it and then waits for the workspace's
-- public version, which every change of a tag raises.
create function private.hold_posts(workspace uuid, tag_key text) returns uuid[]
language plpgsql security definer set search_path = '' as $$
begin
  return array(
    select p.id from public.posts p where p.workspace_id = workspace and p.tags @> array[tag_key] order by p.id limit 300 for no key update
  );
end $$;

-- `to_key` in the place of `from_key`, or nothing, in these posts.
create function private.retag_posts(posts uuid[], from_key text, to_key text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform set_config('tidings.tag_from', from_key, true), set_config('tidings.tag_to', coalesce(to_key, ''), true);
  update public.posts p set updated_at = p.updated_at where p.id = any (posts) and p.tags @> array[from_key];
  perform set_config('tidings.tag_from', '', true), set_config('tidings.tag_to', '', true);
end $$;

-- Goes on with a move; how many posts that were.
create function private.retag_some(workspace uuid, from_key text, to_key text) returns int
language plpgsql security definer set search_path = '' as $$
declare
  held constant uuid[] := private.hold_posts(workspace, from_key);
begin
  perform private.retag_posts(held, from_key, to_key);
  return cardinality(held);
end $$;

-- For the clock: some posts of a move that is half a minute old; one without posts is done. A move a call, for the sake of the locks.
create function private.settle_tags() returns void
language plpgsql security definer set search_path = '' as $$
declare
  move private.tag_moves;
begin
  for move in select * from private.tag_moves m where m.begun_at < clock_timestamp() - interval '30 seconds' order by m.begun_at limit 20 loop
    exit when private.retag_some(move.workspace_id, move.from_key, move.to_key) > 0;
    delete from private.tag_moves m where m.workspace_id = move.workspace_id and m.from_key = move.from_key;
  end loop;
end $$;
grant execute on function private.settle_tags() to service_role;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    perform cron.schedule('settle-tags', '* * * * *', 'select private.settle_tags()');
  end if;
end $$;

-- The default tags, then the workspace's own by label.
create function private.tags_of(workspace uuid) returns setof public.tag
language plpgsql stable set search_path = '' as $$
begin
  return query select d.key, d.label, d.colour from private.default_tags() as d;
  return query select t.key, t.label, t.colour from public.tags t where t.workspace_id = workspace order by lower(t.label), t.key;
end $$;
grant execute on function private.tags_of(uuid) to authenticated, service_role;

-- The tags that posts carry, with how many; archived posts do not count.
create function private.carried_tags(workspace uuid) returns table (key text, posts int)
language plpgsql stable set search_path = '' as $$
begin
  return query
    select c.key, count(*)::int
    from public.posts p, unnest(p.tags) as c (key)
    where p.workspace_id = workspace and p.status <> 'archived' and p.tags <> '{}' group by 1;
end $$;

drop function public.list_tags(uuid);
-- {"tags", "carried", "former"}: what the workspace offers; which keys its posts carry and how many posts each, those included that it does not
-- offer; which keys tags had before: key → present key, null when deleted. As its owner, after asking for the caller's role.
create function public.list_tags(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return json_build_object(
    'tags', (select json_agg(t) from private.tags_of(asked) as t),
    'carried', (select coalesce(json_agg(c order by c.key), '[]') from private.carried_tags(asked) as c),
    'former', (select coalesce(json_object_agg(f.key, f.now_key), '{}') from private.former_tags f where f.workspace_id = asked)
  );
end $$;

-- The new tag; the one that is there already when its key is taken or a default one.
create or replace function public.create_tag(workspace_id uuid, label text, colour text default 'blue') returns public.tag
language plpgsql set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant text := private.tag_key(label);
  made public.tag;
begin
  perform private.require_role(asked, '{owner,admin,editor}');
  insert into public.tags (workspace_id, label, colour) values (asked, label, coalesce(colour, 'blue'))
  on conflict on constraint tags_pkey do nothing;
  select found_tag.key, found_tag.label, found_tag.colour into made from private.tags_of(asked) as found_tag where found_tag.key = wanted;
  return made;
end $$;

-- A tag, with nobody else changing one for the rest of the transaction; one that only posts carry has its key as its label.
create function private.hold_tag(workspace uuid, tag_key text) returns public.tag
language plpgsql security definer set search_path = '' as $$
declare
  held public.tag;
begin
  perform pg_advisory_xact_lock(private.tag_lock(workspace));
  select t.* into held from private.tags_of(workspace) as t where t.key = tag_key;
  if held.key is null and exists (select from public.posts p where p.workspace_id = workspace and p.tags @> array[tag_key]) then
    held := (tag_key, tag_key, 'gray');
  end if;
  return held;
end $$;

-- The tag's key is another one from now on, or none; `held` are the first posts with it. {"posts", "unfinished"}: how many have it, and whether
-- public.settle_tags has to go on.
create function private.leave_key(workspace uuid, from_key text, to_key text, held uuid[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  amount constant int := (select count(*) from public.posts p where p.workspace_id = workspace and p.tags @> array[from_key]);
begin
  perform private.come_back_tag(workspace, to_key);
  update private.tag_moves m set to_key = leave_key.to_key where m.workspace_id = workspace and m.to_key = from_key;
  insert into private.tag_moves (workspace_id, from_key, to_key) values (workspace, from_key, to_key)
  on conflict on constraint tag_moves_pkey do update set to_key = excluded.to_key, begun_at = excluded.begun_at;
  if not exists (select from private.default_tags() as d where d.key = from_key) then
    update private.former_tags f set now_key = to_key where f.workspace_id = workspace and f.now_key = from_key;
    insert into private.former_tags (workspace_id, key, now_key) values (workspace, from_key, to_key)
    on conflict on constraint former_tags_pkey do update set now_key = excluded.now_key;
  end if;
  perform private.retag_posts(held, from_key, to_key);
  return jsonb_build_object('posts', amount, 'unfinished', amount > cardinality(held));
end $$;

create function private.keep_default_tag(tag_key text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from private.default_tags() as d where d.key = tag_key) then
    perform private.refuse('validation_failed', '{"key": "Every workspace has this tag. It can be merged into another one, not changed or deleted."}');
  end if;
end $$;

-- Another name or colour; null: as it was. The key follows the name, in posts as well. A name that another tag has is refused: the two can be
-- merged. {"tag", "posts", "unfinished"}: the tag as it is now, how many posts get the new key, and whether some still wait for settle_tags.
create function public.change_tag(workspace_id uuid, key text, label text default null, colour text default null) returns json
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  role constant public.member_role := private.require_role(workspace_id, '{owner,admin,editor}');
  was constant public.tag := private.hold_tag(workspace_id, key);
  new_label constant text := coalesce(private.clean_line(label), was.label);
  new_colour constant text := coalesce(colour, was.colour);
  new_key constant text := private.tag_key(new_label);
  moves constant boolean := new_key <> key;
  held constant uuid[] := case when moves then private.hold_posts(workspace_id, key) end;
  done jsonb := '{"posts": 0, "unfinished": false}';
begin
  if was.key is null then perform private.refuse('not_found'); end if;
  perform private.keep_default_tag(key);
  if new_label = '' then perform private.refuse('validation_failed', '{"label": "A tag needs a name"}'); end if;
  if moves and (private.hold_tag(workspace_id, new_key)).key is not null then
    perform private.refuse('validation_failed', '{"label": "Another tag has this name. Merge the two, or choose another name."}');
  end if;
  update public.tags t set key = new_key, label = new_label, colour = new_colour where t.workspace_id = workspace_id and t.key = key;
  if not found then insert into public.tags (workspace_id, label, colour) values (workspace_id, new_label, new_colour); end if;
  if moves then done := private.leave_key(workspace_id, key, new_key, held); end if;
  perform private.announce(workspace_id, 'tags-changed', jsonb_build_object('workspace_id', workspace_id));
  return done || jsonb_build_object('tag', jsonb_build_object('key', new_key, 'label', new_label, 'colour', new_colour));
end $$;

-- Posts with the one tag have the other instead, and the one is gone; a default one only leaves the posts. Answers as change_tag, with the tag
-- that stays.
create function public.merge_tags(workspace_id uuid, key text, into_key text) returns json
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  role constant public.member_role := private.require_role(workspace_id, '{owner,admin,editor}');
  was constant public.tag := private.hold_tag(workspace_id, key);
  stays constant public.tag := private.hold_tag(workspace_id, into_key);
  held constant uuid[] := private.hold_posts(workspace_id, key);
  done jsonb;
begin
  if was.key is null or stays.key is null then perform private.refuse('not_found'); end if;
  if key = into_key then perform private.refuse('validation_failed', '{"into": "Please choose another tag"}'); end if;
  delete from public.tags t where t.workspace_id = workspace_id and t.key = key;
  done := private.leave_key(workspace_id, key, into_key, held);
  perform private.announce(workspace_id, 'tags-changed', jsonb_build_object('workspace_id', workspace_id));
  return done || jsonb_build_object('tag', to_jsonb(stays));
end $$;

-- The tag is gone, from posts as well. {"posts", "unfinished"}: as change_tag.
create function public.delete_tag(workspace_id uuid, key text) returns json
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  role constant public.member_role := private.require_role(workspace_id, '{owner,admin,editor}');
  was constant public.tag := private.hold_tag(workspace_id, key);
  held constant uuid[] := private.hold_posts(workspace_id, key);
  done jsonb;
begin
  if was.key is null then perform private.refuse('not_found'); end if;
  perform private.keep_default_tag(key);
  delete from public.tags t where t.workspace_id = workspace_id and t.key = key;
  done := private.leave_key(workspace_id, key, null, held);
  perform private.announce(workspace_id, 'tags-changed', jsonb_build_object('workspace_id', workspace_id));
  return done;
end $$;

-- Goes on with the workspace's moves; whether there are more posts after these.
create function public.settle_tags(workspace_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  move private.tag_moves;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  for move in select * from private.tag_moves m where m.workspace_id = workspace_id order by m.begun_at loop
    if private.retag_some(workspace_id, move.from_key, move.to_key) > 0 then return true; end if;
  end loop;
  perform private.announce(workspace_id, 'tags-changed', jsonb_build_object('workspace_id', workspace_id));
  return false;
end $$;

revoke all on function public.list_tags(uuid), public.create_tag(uuid, text, text), public.change_tag(uuid, text, text, text),
  public.merge_tags(uuid, text, text), public.delete_tag(uuid, text), public.settle_tags(uuid) from public, anon;
grant execute on function public.list_tags(uuid), public.create_tag(uuid, text, text), public.change_tag(uuid, text, text, text),
  public.merge_tags(uuid, text, text), public.delete_tag(uuid, text), public.settle_tags(uuid) to authenticated, service_role;

drop function public.find_posts(uuid, text, text, text, text, int, int);
-- {"total", "posts"}: the posts that a search finds, one page of them. `term` stands in the title or the creator's name,
-- `owner` is the whole name, both whatever the case; `tag` is a tag's key; null or blank: not asked. `sort`: most_viewed_last_month
-- or recent_activity. Each post has its views of the last 30 days, null without the analytics add-on. As its owner, after
-- asking for the caller's role once: lower() and strpos() could use no index under the policies. The statement is put
-- together of the fixed parts below, so that each search is planned with its own index; values are parameters only.
create function public.find_posts(
  workspace_id uuid, term text default null, owner text default null, status text default 'all',
  sort text default 'recent_activity', page int default 1, page_size int default 10, tag text default null
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  words constant text := lower(nullif(btrim(term), ''));
  creator constant text := lower(nullif(btrim(owner), ''));
  size constant int := least(greatest(coalesce(page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(page, 1), 1)::bigint - 1) * size;
  analytics constant boolean := private.has_analytics(asked);
  by_name constant text := 'lower(private.creator_name(p.author_name, p.created_by_name))';
  filter text := 'p.workspace_id = $1';
  ranked text := 'public.posts p';
  ranking text := '';
  found_posts json;
  total bigint;
begin
  perform private.require_role(asked);
  perform private.list_status(status);
  if sort is null or sort not in ('most_viewed_last_month', 'recent_activity') then
    perform private.refuse('validation_failed', '{"sort": "Please use most_viewed_last_month or recent_activity"}');
  end if;
  filter := filter || case status
    when 'all' then $f$ and p.status <> 'archived'$f$
    when 'published' then $f$ and (p.status = 'published' or p.status = 'scheduled' and p.publish_at <= now())$f$
    when 'scheduled' then $f$ and p.status = 'scheduled' and p.publish_at > now()$f$
    when 'draft' then $f$ and p.status = 'draft'$f$
    else $f$ and p.status = 'archived'$f$ end;
  -- The indexes hold what is not archived: the condition has to say so to use them.
  if status not in ('all', 'archived') then filter := filter || $f$ and p.status <> 'archived'$f$; end if;
  if creator is not null then filter := filter || ' and ' || by_name || ' = $3'; end if;
  if find_posts.tag <> '' then filter := filter || $f$ and p.tags <> '{}' and p.tags @> array[$7]$f$; end if; -- the first in the words of posts_tags
  if words is not null then -- spelled out: calling creator_name for every post would take most of the time
    filter := filter || $f$ and (strpos(lower(p.title), $2) > 0
      or strpos(lower(coalesce(nullif(btrim(p.author_name), ''), nullif(btrim(p.created_by_name), ''), 'Unknown')), $2) > 0)$f$;
  end if;
  if sort = 'most_viewed_last_month' then
    ranking := case when analytics then 'coalesce(v.views, 0) desc, ' else 'private.placeholder_views(p.id, p.title) desc, ' end;
    if analytics then ranked := 'public.posts p left join (
      select d.post_id, sum(d.views) as views from public.daily_views d where d.workspace_id = $1 and d.day > private.month_ago() group by d.post_id
    ) as v on v.post_id = p.id'; end if;
  end if;

  execute 'select count(*) from public.posts p where ' || filter into total using asked, words, creator, size, skip, analytics, find_posts.tag;
  execute 'select coalesce(json_agg(s order by s.place), ''[]'') from (
      select s.*, f.place,
        case when $6 then coalesce((
          select sum(d.views) from public.daily_views d where d.post_id = s.id and d.day > private.month_ago()), 0) end as views
      from (
        select row_number() over () as place, o.id from (
          select p.id from ' || ranked || ' where ' || filter || ' order by ' || ranking || 'p.updated_at desc, p.id desc limit $4 offset $5
        ) as o
      ) as f join public.post_summaries s on s.id = f.id
    ) as s'
  into found_posts using asked, words, creator, size, skip, analytics, find_posts.tag;
  return json_build_object('total', total, 'posts', found_posts);
end $$;
revoke all on function public.find_posts(uuid, text, text, text, text, int, int, text) from public, anon;
grant execute on function public.find_posts(uuid, text, text, text, text, int, int, text) to authenticated, service_role;

-- What a post was before it was archived, while an archiving is taken back.
create function private.bring_back() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.status := current_setting('tidings.former_status')::public.post_status;
  new.publish_at := case new.status when 'draft' then null when 'scheduled' then (
    select r.publish_at from public.post_revisions r where r.post_id = old.id and r.version = old.version - 1
  ) else old.publish_at end;
  return new;
end $$;
create trigger posts_25_bring_back before update on public.posts
for each row when (old.status = 'archived' and coalesce(current_setting('tidings.former_status', true), '') <> '') execute function private.bring_back();

-- Takes an archiving back: the post is what it was before, if nothing has happened since (its version is the one that the archiving made) and
-- no more than a quarter of an hour has passed. Later, and where the time it was scheduled for has come meanwhile, it is a draft: nothing
-- appears that nobody expects any more.
create function public.undo_archive(post_id uuid, expected_version int) returns public.post_details
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present public.posts;
  before public.post_revisions;
  answer public.post_details;
begin
  select * into present from public.posts p where p.id = post_id for update;
  if present.id is null then perform private.refuse('not_found'); end if;
  perform private.require_role(present.workspace_id, '{owner,admin,editor}');
  if present.version <> expected_version then perform private.explain_refusal(post_id); end if;
  if present.status = 'archived' then
    if present.archived_at > now() - interval '15 minutes' then
      select * into before from public.post_revisions r where r.post_id = post_id and r.version = present.version - 1;
    end if;
    perform set_config('tidings.former_status', case
      when before.status = 'published' or before.status = 'scheduled' and present.published_at is not null then 'published' -- it was due
      when before.status = 'scheduled' and before.publish_at > now() then 'scheduled'
      else 'draft' end, true);
    update public.posts p set status = 'draft' where p.id = post_id;
    perform set_config('tidings.former_status', '', true);
    -- One line of what happened, whatever the post is now.
    update public.activities a set kind = 'post_restored' where a.id = (
      select l.id from public.activities l where l.workspace_id = present.workspace_id and l.post_id = post_id order by l.created_at desc, l.id desc limit 1
    );
  end if;
  select d.* into answer from public.post_details d where d.id = post_id;
  return answer;
end $$;

revoke all on function public.undo_archive(uuid, int) from public, anon;
grant execute on function public.undo_archive(uuid, int) to authenticated, service_role;
