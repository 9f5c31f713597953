-- A post with more blocks, list items or table cells than contract/blocks/schema.ts allows is refused before anything of it
-- is read. The API leaves the rest out itself; this is for who writes past it.

-- Whether a list has more than a thousand items on all its levels together, or more than eight levels.
create function private.is_long_list(items jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    with recursive entry (item, depth) as (
      select first.item, 1 from jsonb_array_elements(private.as_list(items)) as first (item)
      union all
      select below.item, e.depth + 1 from entry e, jsonb_array_elements(private.as_list(e.item -> 'items')) as below (item) where e.depth <= 8
    )
    select count(*) > 1000 or coalesce(max(few.depth), 0) > 8 from (select e.depth from entry e limit 1001) as few
  );
end $$;

-- More than 200 rows, or 30 cells in one of them.
create function private.is_long_table(content jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return exists (
    select from jsonb_array_elements(private.as_list(content)) with ordinality as r (cells, place)
    where r.place > 200 or case when jsonb_typeof(r.cells) = 'array' then jsonb_array_length(r.cells) > 30 end
  );
end $$;

create function private.is_long_post(content jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return octet_length(content::text) > 4194304 or jsonb_array_length(content -> 'blocks') > 1000 or exists (
    select from jsonb_array_elements(content -> 'blocks') as b (block)
    where case b.block ->> 'type'
      when 'list' then private.is_long_list(b.block #> '{data,items}')
      when 'checklist' then private.is_long_list(b.block #> '{data,items}')
      when 'table' then private.is_long_table(b.block #> '{data,content}') end
  );
end $$;

create or replace function private.tidy_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wrong jsonb := '{}';
begin
  if tg_op = 'INSERT' or new.title is distinct from old.title then
    new.title := private.clean_line(new.title);
    if coalesce(new.title, '') = '' then wrong := wrong || '{"title": "Title is required"}';
    elsif char_length(new.title) > 119 then wrong := wrong || '{"title": "The title can have at most 119 characters"}'; end if;
  end if;

  if tg_op = 'INSERT' or new.tags is distinct from old.tags then
    new.tags := private.clean_tags(new.tags);
    if cardinality(new.tags) > 20 then wrong := wrong || '{"tags": "A post can have at most 20 tags"}';
    elsif exists (select from unnest(new.tags) as t (tag) where char_length(t.tag) > 40) then
      wrong := wrong || '{"tags": "A tag can have at most 40 characters"}'; end if;
  end if;

  if tg_op = 'INSERT' or new.content_raw is distinct from old.content_raw then
    if jsonb_typeof(new.content_raw -> 'blocks') is distinct from 'array' then wrong := wrong || '{"content_raw": "Content is required"}';
    elsif tg_op = 'UPDATE' and private.same_content(new.content_raw, old.content_raw) then new.content_raw := old.content_raw;
    elsif private.is_long_post(new.content_raw) then wrong := wrong || '{"content_raw": "This post is too long"}';
    else
      new.excerpt := private.blocks_excerpt(new.content_raw);
    end if;
  end if;

  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if tg_op = 'INSERT' or (new.title, new.tags, new.content_raw) is distinct from (old.title, old.tags, old.content_raw) then
    new.search_text := private.search_words(new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || private.blocks_text(new.content_raw));
  end if;
  return new;
end $$;
