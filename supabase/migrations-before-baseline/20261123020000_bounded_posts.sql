-- A post has at most as many characters, list items and table cells as contract/blocks/schema.ts says (blockLimits). What is too much is refused
-- before any of its text is read: one person's longest posts must not take the time of everybody.

-- The characters of all strings in a value, however deep. Gathered first, because jsonb_path_query, asked for many rows, moves all that are left for each.
create function private.string_length(value jsonb) returns bigint
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(sum(char_length(s.words)), 0)
  from jsonb_array_elements_text(jsonb_path_query_array(value, 'strict $.** ? (@.type() == "string")')) as s (words)
$$;

-- The items of a list on all its levels, the cells of a table whose rows are all as wide as the widest. For lists and tables that are not long.
create function private.count_pieces(block jsonb) returns bigint
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return case
    when block ->> 'type' in ('list', 'checklist') then (
      with recursive entry (item) as (
        select first.item from jsonb_array_elements(private.as_list(block #> '{data,items}')) as first (item)
        union all
        select below.item from entry e, jsonb_array_elements(private.as_list(e.item -> 'items')) as below (item)
      )
      select count(*) from entry
    )
    when block ->> 'type' = 'table' then (
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
    where case b.block ->> 'type'
      when 'list' then private.is_long_list(b.block #> '{data,items}')
      when 'checklist' then private.is_long_list(b.block #> '{data,items}')
      when 'table' then private.is_long_table(b.block #> '{data,content}') end
  ) then return true; end if;
  -- A list that is not long has a thousand items at most, such a table 6,000 cells.
  if (
    select coalesce(sum(case b.block ->> 'type' when 'table' then 6000 when 'list' then 1000 when 'checklist' then 1000 end), 0) > 10000
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
