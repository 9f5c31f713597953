-- A block's words are found in whatever fields its type keeps them in; the type is named nowhere.

drop function private.first_text(jsonb, text[], int);

-- The words of a value inside a block's data, in reading order: a type of block keeps them in fields of any name, so that a new one is found
-- without a change here. What stands in an object itself comes before what stands deeper; nine steps are eight levels of a list, and what lies
-- deeper is not text anybody sees. Settings, ids and addresses have names of their own (contract/blocks/block-type.ts), and a field of another
-- name that is one address from end to end is an address. A list is gathered in one pass, however many pieces it has: joined one by one, those of
-- a megabyte took Postgres more than a minute.
create function private.words_of(value jsonb, depth int default 1) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  if depth > 9 then return null; end if;
  return (
    select string_agg(case
      when jsonb_typeof(i.item) = 'string' then private.plain_text(i.item #>> '{}')
      when jsonb_typeof(i.item) = 'array' then private.words_of(i.item, depth + 1)
      when jsonb_typeof(f.value) in ('array', 'object') then private.words_of(f.value, depth + 1)
      when jsonb_typeof(f.value) <> 'string' then null
      when f.name = 'code' then f.value #>> '{}'
      when f.name in ('text', 'content', 'caption') then private.plain_text(f.value #>> '{}')
      when f.value #>> '{}' !~ '^(?:[a-z]+:/)?/\S*$' then private.plain_text(f.value #>> '{}')
    end, ' ' order by i.place, (jsonb_typeof(f.value) = 'string') desc, f.place)
    from jsonb_array_elements(private.as_list(value)) with ordinality as i (item, place)
      left join lateral jsonb_each(case when jsonb_typeof(i.item) = 'object' then i.item end) with ordinality as f (name, value, place)
        on f.name not in ('id', 'type', 'meta', 'style', 'kind', 'alignment', 'language', 'service', 'file', 'url', 'source', 'href', 'src')
  );
end $$;

create or replace function private.block_text(block jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return case when jsonb_typeof(block -> 'data') = 'object' then private.words_of(block -> 'data') end;
end $$;

-- Running text is what a block keeps as `text` or as `items`; a heading has a level.
create function private.is_running_text(block jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select (block -> 'data') ?| '{text,items}' and not (block -> 'data') ? 'level'
$$;
grant execute on function private.is_running_text(jsonb) to authenticated, service_role;

-- Its beginning, for which few blocks have to be read: at least `enough` characters, or all there are; of the running text only, or of any.
create function private.first_text(content jsonb, is_running boolean, enough int) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  block jsonb;
  words text := '';
begin
  for block in select b.block from jsonb_array_elements(private.as_list(content -> 'blocks')) as b (block) loop
    if not is_running or private.is_running_text(block) then
      words := private.clean_line(words || ' ' || coalesce(private.block_text(block), ''));
    end if;
    exit when char_length(words) >= enough;
  end loop;
  return words;
end $$;

create or replace function private.blocks_excerpt(content jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  words text := private.first_text(content, true, 400);
  cut text;
begin
  if words = '' then words := private.first_text(content, false, 400); end if;
  if char_length(words) <= 160 then return words; end if;
  cut := (regexp_match(left(words, 161), '^(.{81,160})\s\S*$'))[1]; -- null: one endless word, cut inside
  return regexp_replace(coalesce(cut, left(words, 160)), '[\s.,;:!?–—-]+$', '') || '…';
end $$;

create or replace function private.says_something(content jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return jsonb_path_exists(content, '$.blocks[*].data ? (@.url != "" || @.file.url != "")') or private.first_text(content, false, 1) <> '';
end $$;

create or replace function private.count_pieces(block jsonb) returns bigint
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return case
    when (block -> 'data') ? 'items' then (
      with recursive entry (item) as (
        select first.item from jsonb_array_elements(private.as_list(block #> '{data,items}')) as first (item)
        union all
        select below.item from entry e, jsonb_array_elements(private.as_list(e.item -> 'items')) as below (item)
      )
      select count(*) from entry
    )
    when (block -> 'data') ? 'content' then (
      select coalesce(count(*) * max(case when jsonb_typeof(r.cells) = 'array' then jsonb_array_length(r.cells) end), 0)
      from jsonb_array_elements(private.as_list(block #> '{data,content}')) as r (cells)
    )
    else 0
  end;
end $$;

create or replace function private.is_long_post(content jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  -- No string is longer than the JSON it stands in: for nearly every post that is all there is to know.
  json constant text := content::text;
begin
  if octet_length(json) > 4194304 or jsonb_array_length(content -> 'blocks') > 1000 then return true; end if;
  if exists (
    select from jsonb_array_elements(content -> 'blocks') as b (block)
    where case
      when (b.block -> 'data') ? 'items' then private.is_long_list(b.block #> '{data,items}')
      when (b.block -> 'data') ? 'content' then private.is_long_table(b.block #> '{data,content}') end
  ) then return true; end if;
  -- A list that is not long has a thousand items at most, such a table 6,000 cells.
  if (
    select coalesce(sum(case when (b.block -> 'data') ? 'items' then 1000 when (b.block -> 'data') ? 'content' then 6000 end), 0) > 10000
    from jsonb_array_elements(content -> 'blocks') as b (block)
  ) and (
    select sum(private.count_pieces(b.block)) > 10000 from jsonb_array_elements(content -> 'blocks') as b (block)
  ) then return true; end if;
  return char_length(json) > 50000 and (
    select max(b.length) > 50000 or sum(b.length) > 300000
    from (
      select private.string_length(e.block -> 'data') as length from jsonb_array_elements(content -> 'blocks') as e (block)
    ) as b
  );
end $$;

drop function private.list_text(jsonb, int);
