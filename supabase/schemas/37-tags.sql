-- Tags of a workspace beside the four default ones, whose keys are ignored here. Posts carry keys; a row says how a key is shown.
create table public.tags (
  workspace_id uuid not null constraint tags_workspace_id_fkey references public.workspaces (id) on delete cascade,
  key text not null constraint tags_key_shape check (key = lower(key) and key ~ '^\S+$' and char_length(key) <= {{tagMaxLength}}),
  label text not null constraint tags_label_length check (char_length(label) between 1 and {{tagMaxLength}}),
  colour text not null default 'blue'
    constraint tags_colour_known check (colour in ('blue', 'green', 'red', 'purple', 'orange', 'gray')),
  created_by uuid,
  created_at timestamptz not null default now(),
  constraint tags_pkey primary key (workspace_id, key)
);

create type public.tag as (key text, label text, colour text);

-- As in contract/tags.ts; a test compares them.
create function private.default_tags() returns setof public.tag
language sql immutable parallel safe set search_path = '' as $$
  values ('feature', 'Feature', 'green'), ('improvement', 'Improvement', 'blue'), ('fix', 'Fix', 'orange'), ('docs', 'Documentation', 'purple')
$$;

create function private.tag_key(label text) returns text
language sql immutable strict parallel safe set search_path = '' as $$ select replace(lower(private.clean_line(label)), ' ', '-') $$;

create function private.clean_tag() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.label := private.clean_line(new.label);
  if coalesce(new.label, '') = '' then perform private.refuse('validation_failed', '{"label": "A tag needs a name"}'); end if;
  if char_length(new.label) > {{tagMaxLength}} then perform private.refuse('validation_failed', '{"label": "A tag can have at most {{tagMaxLength}} characters"}'); end if;
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock_shared(hashtextextended('tags/' || new.workspace_id, 0)); -- or a tag is getting this name
    new.key := private.tag_key(new.label);
    new.created_by := auth.uid();
    if exists (select from private.default_tags() as d where d.key = new.key) then return null; end if;
  end if;
  perform private.revive_tag(new.workspace_id, new.key);
  return new;
end $$;
create trigger tags_are_tidy before insert or update on public.tags for each row execute function private.clean_tag();

create policy "members read their workspace's tags" on public.tags for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "writers add tags" on public.tags for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
-- Updated and deleted by the functions below, since posts carry keys.

grant select, insert (workspace_id, label, colour) on public.tags to authenticated;

-- Former keys: the present key of a renamed or merged tag, null if deleted. Later writes with a former key get the present one.
create table private.former_tags (
  workspace_id uuid not null constraint former_tags_workspace_id_fkey references public.workspaces (id) on delete cascade,
  key text not null,
  now_key text,
  constraint former_tags_pkey primary key (workspace_id, key)
);

-- Renames under way in posts: a call does a few hundred, the clock does the rest, and posts saved concurrently, half a minute later.
create table private.tag_moves (
  workspace_id uuid not null constraint tag_moves_workspace_id_fkey references public.workspaces (id) on delete cascade,
  from_key text not null,
  to_key text,
  begun_at timestamptz not null default clock_timestamp(),
  constraint tag_moves_pkey primary key (workspace_id, from_key)
);

-- A key in use isn't a former one.
create function private.revive_tag(workspace uuid, tag_key text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.former_tags f where f.workspace_id = workspace and f.key = tag_key;
  delete from private.tag_moves m where m.workspace_id = workspace and m.from_key = tag_key;
end $$;

-- Present keys, deduplicated, without deleted ones.
create function private.tags_now(workspace uuid, keys text[]) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return private.clean_tags(array(
    select case when f.key is null then given.key else f.now_key end
    from unnest(keys) with ordinality as given (key, place) left join private.former_tags f on f.workspace_id = workspace and f.key = given.key
    order by given.place
  ));
end $$;

-- A renamed tag isn't an edit: versions, dates and revisions stay, open editors see no conflict, archived posts change too.
create function private.retag_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.tags := private.clean_tags(array_replace(old.tags, current_setting('tidings.tag_from'), nullif(current_setting('tidings.tag_to'), '')));
  -- Replaces the search text's beginning as private.clean_post built it, or rebuilds it.
  new.search_text := case
    when starts_with(old.search_text, private.search_words(old.title || ' ' || array_to_string(old.tags, ' '))) then
      private.search_words(new.title || ' ' || array_to_string(new.tags, ' '))
      || substr(old.search_text, char_length(private.search_words(old.title || ' ' || array_to_string(old.tags, ' '))) + 1)
    else private.search_words(new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || left(private.blocks_text(new.content_raw), 100000))
  end;
  return new;
end $$;

-- Locks the first posts with a tag. Lock order: posts, then the public version, as in a save.
create function private.lock_posts(workspace uuid, tag_key text) returns uuid[]
language plpgsql security definer set search_path = '' as $$
begin
  return array(
    select p.id from public.posts p where p.workspace_id = workspace and p.tags @> array[tag_key] order by p.id limit 300 for no key update
  );
end $$;

-- Replaces a tag in the posts that `held` names, or else the first with it, or removes it; returns their number. Then, or after the last post of a
-- rename that continues, also in subscribers' choices: an empty list means no email, null all tags.
create function private.retag(workspace uuid, from_key text, to_key text, held uuid[] default null) returns int
language plpgsql security definer set search_path = '' as $$
declare
  posts constant uuid[] := coalesce(held, private.lock_posts(workspace, from_key));
begin
  perform private.lock_events(posts); -- publishes due posts
  perform set_config('tidings.tag_from', from_key, true), set_config('tidings.tag_to', coalesce(to_key, ''), true);
  update public.posts p set updated_at = p.updated_at where p.id = any (posts) and p.tags @> array[from_key];
  perform set_config('tidings.tag_from', '', true), set_config('tidings.tag_to', '', true);
  if held is not null or cardinality(posts) = 0 then
    update public.subscribers s set tags = private.clean_tags(array_replace(s.tags, from_key, to_key))
    where s.workspace_id = workspace and s.tags @> array[from_key];
  end if;
  return cardinality(posts);
end $$;

-- The clock continues renames older than half a minute, one per call to hold few locks.
create function private.settle_tags() returns void
language plpgsql security definer set search_path = '' as $$
declare
  move private.tag_moves;
begin
  for move in select * from private.tag_moves m where m.begun_at < clock_timestamp() - interval '30 seconds' order by m.begun_at limit 20 loop
    exit when private.retag(move.workspace_id, move.from_key, move.to_key) > 0;
    -- unless the tag was made and renamed again meanwhile
    delete from private.tag_moves m where m.workspace_id = move.workspace_id and m.from_key = move.from_key and m.begun_at = move.begun_at;
  end loop;
end $$;

create function private.tags_of(workspace uuid) returns setof public.tag
language plpgsql stable set search_path = '' as $$
begin
  return query select d.key, d.label, d.colour from private.default_tags() as d;
  return query select t.key, t.label, t.colour from public.tags t where t.workspace_id = workspace order by lower(t.label), t.key;
end $$;

-- {"tags", "carried", "former"}: the workspace's tags; keys in use with counts; former key → present key, null if deleted.
create function public.list_tags(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(list_tags.workspace_id);
  return json_build_object(
    'tags', (select json_agg(t) from private.tags_of(list_tags.workspace_id) as t),
    'carried', (
      select coalesce(json_agg(c order by c.key), '[]') from (
        select t.key, count(*)::int as posts from public.posts p, unnest(p.tags) as t (key)
        where p.workspace_id = list_tags.workspace_id and p.status <> 'archived' and p.tags <> '{}' group by 1
      ) as c),
    'former', (select coalesce(json_object_agg(f.key, f.now_key), '{}') from private.former_tags f where f.workspace_id = list_tags.workspace_id)
  );
end $$;

-- Returns the existing tag if the key is taken or a default one.
create function public.create_tag(workspace_id uuid, label text, colour text default 'blue') returns public.tag
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

-- A tag, locked; one that only posts carry has its key as label.
create function private.lock_tag(workspace uuid, tag_key text) returns public.tag
language plpgsql security definer set search_path = '' as $$
declare
  held public.tag;
begin
  perform pg_advisory_xact_lock(hashtextextended('tags/' || workspace, 0));
  select t.* into held from private.tags_of(workspace) as t where t.key = tag_key;
  if held.key is null and exists (select from public.posts p where p.workspace_id = workspace and p.tags @> array[tag_key]) then
    held := (tag_key, tag_key, 'gray');
  end if;
  return held;
end $$;

-- Replaces a key, or removes it; `held`: the first posts with it. {"posts", "unfinished"}: how many carry it, and whether settle_tags continues.
create function private.replace_tag_key(workspace uuid, from_key text, to_key text, held uuid[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  amount constant int := (select count(*) from public.posts p where p.workspace_id = workspace and p.tags @> array[from_key]);
begin
  perform private.revive_tag(workspace, to_key);
  update private.tag_moves m set to_key = replace_tag_key.to_key where m.workspace_id = workspace and m.to_key = from_key;
  insert into private.tag_moves (workspace_id, from_key, to_key) values (workspace, from_key, to_key)
  on conflict on constraint tag_moves_pkey do update set to_key = excluded.to_key, begun_at = excluded.begun_at;
  if not exists (select from private.default_tags() as d where d.key = from_key) then
    update private.former_tags f set now_key = to_key where f.workspace_id = workspace and f.now_key = from_key;
    insert into private.former_tags (workspace_id, key, now_key) values (workspace, from_key, to_key)
    on conflict on constraint former_tags_pkey do update set now_key = excluded.now_key;
  end if;
  perform private.retag(workspace, from_key, to_key, held);
  return jsonb_build_object('posts', amount, 'unfinished', amount > cardinality(held));
end $$;

-- Renames or recolours a tag; null: unchanged. The key follows the name. A taken name is refused. {"tag", "posts", "unfinished"}.
create function public.change_tag(workspace_id uuid, key text, label text default null, colour text default null) returns json
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  role constant public.member_role := private.require_role(workspace_id, '{owner,admin,editor}');
  was constant public.tag := private.lock_tag(workspace_id, key);
  new_label constant text := coalesce(private.clean_line(label), was.label);
  new_colour constant text := coalesce(colour, was.colour);
  new_key constant text := private.tag_key(new_label);
  moves constant boolean := new_key <> key;
  held constant uuid[] := case when moves then private.lock_posts(workspace_id, key) end;
  done jsonb := '{"posts": 0, "unfinished": false}';
begin
  if was.key is null then perform private.refuse('not_found'); end if;
  if exists (select from private.default_tags() as d where d.key = key) then
    perform private.refuse('validation_failed', '{"key": "You can''t change or delete a default tag. Merge it into another one instead."}');
  end if;
  if new_label = '' then perform private.refuse('validation_failed', '{"label": "A tag needs a name"}'); end if;
  if moves and (private.lock_tag(workspace_id, new_key)).key is not null then
    perform private.refuse('validation_failed', '{"label": "Another tag has this name. Merge the two, or choose another name."}');
  end if;
  update public.tags t set key = new_key, label = new_label, colour = new_colour where t.workspace_id = workspace_id and t.key = key;
  if not found then insert into public.tags (workspace_id, label, colour) values (workspace_id, new_label, new_colour); end if;
  if moves then done := private.replace_tag_key(workspace_id, key, new_key, held); end if;
  perform private.announce(workspace_id, 'tags-changed');
  return done || jsonb_build_object('tag', jsonb_build_object('key', new_key, 'label', new_label, 'colour', new_colour));
end $$;

-- Deletes a tag, or merges it into another, which posts get instead; a default tag is only merged. Returns what change_tag does.
create function public.delete_tag(workspace_id uuid, key text, into_key text default null) returns json
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  role constant public.member_role := private.require_role(workspace_id, '{owner,admin,editor}');
  was constant public.tag := private.lock_tag(workspace_id, key);
  stays constant public.tag := case when into_key is not null then private.lock_tag(workspace_id, into_key) end;
  held constant uuid[] := private.lock_posts(workspace_id, key);
  done jsonb;
begin
  if was.key is null or into_key is not null and stays.key is null then perform private.refuse('not_found'); end if;
  if key = into_key then perform private.refuse('validation_failed', '{"into": "Please choose another tag"}'); end if;
  if into_key is null and exists (select from private.default_tags() as d where d.key = key) then
    perform private.refuse('validation_failed', '{"key": "You can''t change or delete a default tag. Merge it into another one instead."}');
  end if;
  delete from public.tags t where t.workspace_id = workspace_id and t.key = key;
  done := private.replace_tag_key(workspace_id, key, into_key, held);
  perform private.announce(workspace_id, 'tags-changed');
  return done || case when into_key is null then '{}' else jsonb_build_object('tag', to_jsonb(stays)) end;
end $$;

-- Continues the workspace's renames; true if there is more to do.
create function public.settle_tags(workspace_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  move private.tag_moves;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  for move in select * from private.tag_moves m where m.workspace_id = workspace_id order by m.begun_at loop
    if private.retag(workspace_id, move.from_key, move.to_key) > 0 then return true; end if;
  end loop;
  perform private.announce(workspace_id, 'tags-changed');
  return false;
end $$;

grant execute on function private.default_tags, private.tag_key, private.tags_of, public.list_tags, public.create_tag, public.change_tag,
  public.delete_tag, public.settle_tags to authenticated, service_role;
grant execute on function private.settle_tags to service_role;
