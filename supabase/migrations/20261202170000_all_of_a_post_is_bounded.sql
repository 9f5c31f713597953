-- Everything that is kept of a post is bounded, not only the text of its blocks. Posts that are there stay as they are until their text changes.
-- The characters, list items and table cells that contract/blocks/limits.ts allows (blockLimits), too: one person's longest posts must not
-- take the time of everybody. Text is every string of a block's data, however deep; what else is kept (names of fields, ids, numbers, signs,
-- whatever a client puts beside the data) counts as well, beyond the room that blockLimits leaves for it.
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
    -- Strings are gathered once for each block, because jsonb_path_query, asked for many rows, moves all that are left for each.
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
    select max(m.length) > 50000 or sum(m.length) > 300000
      or bool_or(m.length + m.beside > 50000 + 500 + 64 * least(m.strings, 1000))
      or coalesce(sum(m.length + m.beside), 0) + char_length((content - 'blocks')::text)
        > 300000 + 500 * (count(*) + 1) + 64 * least(coalesce(sum(m.strings), 0), 10000)
    from measured m
  );
end $$;

drop function private.string_length(jsonb);
