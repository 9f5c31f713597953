-- What a post's blocks say, as plain text: for search, for the excerpt, and to know whether a post says anything at
-- all. Derived here, so it is right whoever writes the blocks. Blocks come from outside: every step takes any JSON.

-- Named references are replaced one name after the other, &amp; last, so that "&amp;lt;" stays the text "&lt;"; numbered
-- ones in one pass, however many there are: NUL and halves of surrogate pairs become nothing.
create function private.decode_entities(html text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  words text := html;
begin
  if strpos(html, '&') = 0 then return html; end if;
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

-- Inline HTML as a reader sees it.
create function private.plain_text(html text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  if strpos(html, '<') = 0 then return private.decode_entities(html); end if;
  return private.decode_entities(regexp_replace(regexp_replace(html, '<br\s*/?>', ' ', 'gi'), '<[^>]*>', '', 'g'));
end $$;

-- Lists nest; eight levels are read, what lies deeper is not text anybody sees.
create function private.list_text(items jsonb, depth int default 1) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  item jsonb;
  words text := '';
begin
  if depth > 8 then return ''; end if;
  for item in select jsonb_path_query(items, '$[*]') loop
    words := words || ' ' || coalesce(private.plain_text(case when jsonb_typeof(item) = 'string' then item #>> '{}'
      else coalesce(item ->> 'content', item ->> 'text') end), '');
    if jsonb_typeof(item) = 'object' and item ? 'items' then
      words := words || private.list_text(item -> 'items', depth + 1);
    end if;
  end loop;
  return words;
end $$;

create function private.block_text(block jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  data constant jsonb := block -> 'data';
begin
  return case block ->> 'type'
    when 'list' then private.list_text(data -> 'items')
    when 'checklist' then private.list_text(data -> 'items')
    when 'table' then private.list_text(jsonb_path_query_array(data, '$.content[*][*]'))
    when 'code' then data ->> 'code'
    else private.plain_text(concat_ws(' ', data ->> 'text', data ->> 'caption'))
  end;
end $$;

-- The text of all blocks in reading order, blanks collapsed.
create function private.blocks_text(content jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(private.clean_line(string_agg(private.block_text(b.block), ' ' order by b.place)), '')
    from jsonb_path_query(content, '$.blocks[*]') with ordinality as b (block, place)
  );
end $$;

-- Its beginning, for which few blocks have to be read: at least `enough` characters, or all there are. `kinds` null: any.
create function private.first_text(content jsonb, kinds text[], enough int) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  block jsonb;
  words text := '';
begin
  for block in select jsonb_path_query(content, '$.blocks[*]') loop
    if kinds is null or block ->> 'type' = any (kinds) then
      words := private.clean_line(words || ' ' || coalesce(private.block_text(block), ''));
    end if;
    exit when char_length(words) >= enough;
  end loop;
  return words;
end $$;

-- The beginning of the running text (else of any text), about 160 characters, cut after a word: contract/blocks/excerpt.
create function private.blocks_excerpt(content jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  words text := private.first_text(content, '{paragraph,list,checklist,quote}', 400);
  cut text;
begin
  if words = '' then words := private.first_text(content, null, 400); end if;
  if char_length(words) <= 160 then return words; end if;
  cut := (regexp_match(left(words, 161), '^(.{81,160})\s\S*$'))[1]; -- null: one endless word, cut inside
  return regexp_replace(coalesce(cut, left(words, 160)), '[\s.,;:!?–—-]+$', '') || '…';
end $$;

-- The images of ours that blocks show: paths inside the bucket post-images, only those of the workspace itself, so
-- that quoting another tenant's image never gives power over it.
create function private.image_paths(content jsonb, workspace uuid) returns setof text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return query
    select distinct part[1]
    from jsonb_path_query(content, '$.blocks[*].data.**.url ? (@.type() == "string")') as url,
      regexp_match(url #>> '{}', '/storage/v1/object/public/post-images/(' || workspace || '/[0-9A-Za-z_-]+\.[a-z]+)$') as part
    where part is not null;
end $$;

-- Whether a reader would see anything: a word or an image.
create function private.says_something(content jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return jsonb_path_exists(content, '$.blocks[*] ? (@.type == "image" && @.data.file.url != "")') or private.first_text(content, null, 1) <> '';
end $$;

-- What search compares: small letters without accents, one space for everything that is neither letter nor digit, one
-- at either end, so that a word's beginning can be asked for.
create function private.search_words(words text) returns text
language plpgsql stable strict parallel safe set search_path = '' as $$
begin
  return regexp_replace(' ' || lower(extensions.unaccent('extensions.unaccent', words)) || ' ', '[^[:alnum:]]+', ' ', 'g');
end $$;
