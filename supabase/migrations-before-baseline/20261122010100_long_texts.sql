-- A post's text is gathered in one pass, however many pieces it has: joined one by one, the items of a list of a megabyte
-- took Postgres more than a minute, and jsonb_path_query, asked for many rows, moves all that are left for each.

-- As a JSON path reads it: what is no list is a list of one; null stays null.
create function private.as_list(value jsonb) returns jsonb
language sql immutable strict parallel safe set search_path = '' as $$
  select case when jsonb_typeof(value) = 'array' then value else '[]'::jsonb || value end
$$;
grant execute on function private.as_list(jsonb) to authenticated, service_role;

create or replace function private.list_text(items jsonb, depth int default 1) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  if depth > 8 then return ''; end if;
  return (
    select coalesce(string_agg(
      ' ' || coalesce(private.plain_text(case when jsonb_typeof(i.item) = 'string' then i.item #>> '{}'
        else coalesce(i.item ->> 'content', i.item ->> 'text') end), '')
      || case when jsonb_typeof(i.item) = 'object' and i.item ? 'items' then private.list_text(i.item -> 'items', depth + 1) else '' end,
      '' order by i.place), '')
    from jsonb_array_elements(private.as_list(items)) with ordinality as i (item, place)
  );
end $$;

create or replace function private.blocks_text(content jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(private.clean_line(string_agg(private.block_text(b.block), ' ' order by b.place)), '')
    from jsonb_array_elements(private.as_list(content -> 'blocks')) with ordinality as b (block, place)
  );
end $$;

create or replace function private.first_text(content jsonb, kinds text[], enough int) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  block jsonb;
  words text := '';
begin
  for block in select b.block from jsonb_array_elements(private.as_list(content -> 'blocks')) as b (block) loop
    if kinds is null or block ->> 'type' = any (kinds) then
      words := private.clean_line(words || ' ' || coalesce(private.block_text(block), ''));
    end if;
    exit when char_length(words) >= enough;
  end loop;
  return words;
end $$;

create or replace function private.text_array(list jsonb) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(array_agg(t.item #>> '{}' order by t.place), '{}')
    from jsonb_array_elements(private.as_list(list)) with ordinality as t (item, place)
  );
end $$;
