-- Plain text of a post's blocks, for search, excerpt and the check that a post has content. Blocks come from outside, so every step accepts any JSON.

-- &amp; is decoded last, so that "&amp;lt;" stays "&lt;". Numeric references are replaced in one pass; NUL and surrogates become nothing.
create function private.plain_text(html text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  words text := html;
begin
  if strpos(words, '<') > 0 then words := regexp_replace(regexp_replace(words, '<br\s*/?>', ' ', 'gi'), '<[^>]*>', '', 'g'); end if;
  if strpos(words, '&') = 0 then return words; end if;
  words := replace(replace(replace(replace(replace(words, '&nbsp;', ' '), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&apos;', '''');
  if strpos(words, '&#') > 0 then
    words := (
      select string_agg(piece.words || case when n.code is null or n.code = 0 or n.code between 55296 and 57343 then '' else chr(n.code) end, '' order by piece.place)
      from unnest(
        regexp_split_to_array(words, '&#(?:[0-9]{1,6}|x[0-9a-fA-F]{1,5});'),
        array(select r from regexp_matches(words, '&#((?:[0-9]{1,6}|x[0-9a-fA-F]{1,5}));', 'g') as m (found), unnest(m.found) as r)
      ) with ordinality as piece (words, reference, place),
      lateral (
        select case when piece.reference like 'x%' then ('x' || lpad(substr(piece.reference, 2), 8, '0'))::bit(32)::int else piece.reference::int end as code
      ) as n
    );
  end if;
  return replace(words, '&amp;', '&');
end $$;

-- Lists stay, other values become a list of one, null stays null. plpgsql, because sql functions are planned at each call (20 times slower).
create function private.as_list(value jsonb) returns jsonb
language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  return case when jsonb_typeof(value) = 'array' then value else '[]'::jsonb || value end;
end $$;

-- Text inside a block's data in reading order, whatever the field is called, so new block types are indexed without a change here. An object's own
-- text comes before nested text; nine steps are eight list levels. Settings, ids and URLs have reserved field names (contract/blocks/block-type.ts);
-- a value that is one URL is skipped too. One aggregate per list: appending took more than a minute for a megabyte.
create function private.text_of(value jsonb, depth int default 1) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  if depth > 9 or value in ('[]', '{}') then return null; end if;
  -- Fast path: most blocks are this, and it takes a twentieth of the time.
  if coalesce(jsonb_typeof(value -> 'text') = 'string', false)
    and value - '{text,id,type,meta,style,kind,alignment,language}'::text[] in ('{}', '{"level": 2}', '{"level": 3}', '{"level": 4}')
  then return private.plain_text(value ->> 'text'); end if;
  return (
    select string_agg(case
      when jsonb_typeof(i.item) = 'string' then private.plain_text(i.item #>> '{}')
      when jsonb_typeof(i.item) = 'array' then private.text_of(i.item, depth + 1)
      when jsonb_typeof(f.value) in ('array', 'object') then private.text_of(f.value, depth + 1)
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

create function private.blocks_text(content jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(private.clean_line(string_agg(case when jsonb_typeof(b.block -> 'data') = 'object' then private.text_of(b.block -> 'data') end, ' ' order by b.place)), '')
    from jsonb_array_elements(private.as_list(content -> 'blocks')) with ordinality as b (block, place)
  );
end $$;

-- The first line of text in a value: a list's first item, a quote's text. Reads like private.text_of.
create function private.first_line(value jsonb, depth int default 1) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  piece record;
  words text;
begin
  if depth > 9 then return ''; end if;
  for piece in
    select i.item, f.name, f.value
    from jsonb_array_elements(private.as_list(value)) with ordinality as i (item, place)
      left join lateral jsonb_each(case when jsonb_typeof(i.item) = 'object' then i.item end) with ordinality as f (name, value, place)
        on f.name not in ('id', 'type', 'meta', 'style', 'kind', 'alignment', 'language', 'service', 'file', 'url', 'source', 'href', 'src')
    order by i.place, (jsonb_typeof(f.value) = 'string') desc, f.place
  loop
    words := private.clean_line(case
      when jsonb_typeof(piece.item) = 'string' then private.plain_text(piece.item #>> '{}')
      when jsonb_typeof(piece.item) = 'array' then private.first_line(piece.item, depth + 1)
      when jsonb_typeof(piece.value) in ('array', 'object') then private.first_line(piece.value, depth + 1)
      when jsonb_typeof(piece.value) <> 'string' then null
      when piece.name = 'code' then piece.value #>> '{}'
      when piece.name in ('text', 'content', 'caption') or piece.value #>> '{}' !~ '^(?:[a-z]+:/)?/\S*$' then private.plain_text(piece.value #>> '{}')
    end);
    if words <> '' then return words; end if;
  end loop;
  return '';
end $$;

-- The first text of any block, or of running text only: paragraphs and lists, not headings.
create function private.first_text(content jsonb, is_running boolean) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  block jsonb;
  words text := '';
begin
  for block in select b.block from jsonb_array_elements(private.as_list(content -> 'blocks')) as b (block) loop
    if jsonb_typeof(block -> 'data') = 'object'
      and (not is_running or (block -> 'data') ?| '{text,items}' and not (block -> 'data') ? 'level') then
      words := private.first_line(block -> 'data');
    end if;
    exit when words <> '';
  end loop;
  return words;
end $$;

-- About 160 characters of whole sentences from one block; a longer sentence is cut after a word (contract/blocks/excerpt).
create function private.blocks_excerpt(content jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  words text := private.first_text(content, true);
  cut text;
begin
  if words = '' then words := private.first_text(content, false); end if;
  if char_length(words) <= {{excerptLength}} then return words; end if;
  cut := (regexp_match(left(words, {{excerptLength}} + 2), '^(.{39,}(?:[.!?…]["''”’»)\]]*(?= [^a-z])|[。！？]))'))[1];
  if cut is not null then return cut; end if;
  cut := (regexp_match(left(words, {{excerptLength}} + 1), '^(.{81,{{excerptLength}}})\s\S*$'))[1];
  return regexp_replace(coalesce(cut, left(words, {{excerptLength}})), '[\s.,;:!?–—-]+$', '') || '…';
end $$;

-- Paths in the bucket post-images that blocks name. Only the workspace's own folder counts, so quoting another tenant's file gives no power over it.
create function private.image_paths(content jsonb, workspace uuid) returns setof text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return query
    select distinct part[1]
    from regexp_matches(content::text, '/storage/v1/object/public/post-images/(' || workspace || '/[0-9A-Za-z_-]+\.[a-z]+)', 'g') as part;
end $$;

-- True if readers would see anything: text, an image or a video.
create function private.has_content(content jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return jsonb_path_exists(content, '$.blocks[*].data ? (@.url != "" || @.file.url != "")') or private.first_text(content, false) <> '';
end $$;

-- Lower case without accents, one space for everything else and at both ends, so that a prefix of a word can be searched.
create function private.search_words(words text) returns text
language plpgsql stable strict parallel safe set search_path = '' as $$
begin
  return regexp_replace(' ' || lower(extensions.unaccent('extensions.unaccent', words)) || ' ', '[^[:alnum:]]+', ' ', 'g');
end $$;

-- The API drops what exceeds contract/blocks/limits.ts; this refuses it for direct writes, before anything is parsed further. `items` is a list and
-- `content` a table in every block type. Every string of a block's data counts, at any depth; so do field names, ids, numbers and unknown fields
-- beyond the room that blockLimits leaves for them.
create function private.is_long_post(content jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  -- Strings are shorter than their JSON, so this decides for nearly every post.
  json constant text := content::text;
begin
  if octet_length(json) > 4194304 or jsonb_array_length(content -> 'blocks') > {{blockLimits.blocks}} then return true; end if;
  if exists (
    select from jsonb_array_elements(content -> 'blocks') as b (block)
    where case
      when (b.block -> 'data') ? 'items' then (
        with recursive entry (item, depth) as (
          select first.item, 1 from jsonb_array_elements(private.as_list(b.block #> '{data,items}')) as first (item)
          union all
          select below.item, e.depth + 1 from entry e, jsonb_array_elements(private.as_list(e.item -> 'items')) as below (item)
          where e.depth <= {{blockLimits.listDepth}}
        )
        select count(*) > {{blockLimits.listItems}} or coalesce(max(few.depth), 0) > {{blockLimits.listDepth}}
        from (select e.depth from entry e limit {{blockLimits.listItems}} + 1) as few)
      when (b.block -> 'data') ? 'content' then exists (
        select from jsonb_array_elements(private.as_list(b.block #> '{data,content}')) with ordinality as r (cells, place)
        where r.place > {{blockLimits.tableRows}}
          or case when jsonb_typeof(r.cells) = 'array' then jsonb_array_length(r.cells) > {{blockLimits.tableColumns}} end) end
  ) then return true; end if;
  -- Upper bounds per block, to skip the exact count.
  if (
    select coalesce(sum(case
      when (b.block -> 'data') ? 'items' then {{blockLimits.listItems}}
      when (b.block -> 'data') ? 'content' then {{blockLimits.tableRows}} * {{blockLimits.tableColumns}} end), 0) > {{blockLimits.pieces}}
    from jsonb_array_elements(content -> 'blocks') as b (block)
  ) and (
    -- List items, and table cells counted by the widest row.
    select sum(case
      when (b.block -> 'data') ? 'items' then (
        with recursive entry (item) as (
          select first.item from jsonb_array_elements(private.as_list(b.block #> '{data,items}')) as first (item)
          union all
          select below.item from entry e, jsonb_array_elements(private.as_list(e.item -> 'items')) as below (item)
        )
        select count(*) from entry)
      when (b.block -> 'data') ? 'content' then (
        select coalesce(count(*) * max(case when jsonb_typeof(r.cells) = 'array' then jsonb_array_length(r.cells) end), 0)
        from jsonb_array_elements(private.as_list(b.block #> '{data,content}')) as r (cells)) end) > {{blockLimits.pieces}}
    from jsonb_array_elements(content -> 'blocks') as b (block)
  ) then return true; end if;
  return char_length(json) > {{blockLimits.blockLength}} and (
    -- Strings are gathered once per block: jsonb_path_query copies the remaining rows for each row.
    with gathered as materialized (
      select e.block::text as whole, coalesce(jsonb_path_query_array(e.block -> 'data', 'strict $.** ? (@.type() == "string")'), '[]') as strings
      from jsonb_array_elements(content -> 'blocks') as e (block)
    ), measured as materialized (
      select
        (select coalesce(sum(char_length(s.words)), 0) from jsonb_array_elements_text(g.strings) as s (words)) as length,
        char_length(g.whole) - char_length(g.strings::text) as beside,
        jsonb_array_length(g.strings) as strings
      from gathered g
    )
    select max(m.length) > {{blockLimits.blockLength}} or sum(m.length) > {{blockLimits.postLength}}
      or bool_or(m.length + m.beside > {{blockLimits.blockLength}} + {{blockLimits.roomOfBlock}}
        + {{blockLimits.roomOfPiece}} * least(m.strings, {{blockLimits.listItems}}))
      or coalesce(sum(m.length + m.beside), 0) + char_length((content - 'blocks')::text)
        > {{blockLimits.postLength}} + {{blockLimits.roomOfBlock}} * (count(*) + 1)
          + {{blockLimits.roomOfPiece}} * least(coalesce(sum(m.strings), 0), {{blockLimits.pieces}})
    from measured m
  );
end $$;

grant execute on function private.as_list to authenticated, service_role;
