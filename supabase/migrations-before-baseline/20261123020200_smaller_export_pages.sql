-- A page of an export is a quarter as long: whoever hands it on, as the embedded stack does, should not be busy with it for long.
create or replace function private.export_page(workspace uuid, part text, after jsonb, enough int default 1048576, out lines text, out next jsonb)
language plpgsql stable set search_path = '' as $$
declare
  most constant int := 5000;
  source refcursor;
  place jsonb;
  line text;
  page text[] := '{}';
  size bigint := 0;
begin
  open source for execute private.export_query(part) using workspace, after, most;
  loop
    fetch source into place, line;
    exit when not found;
    page := array_append(page, line);
    size := size + octet_length(line);
    if size >= enough or cardinality(page) = most then
      next := place;
      exit;
    end if;
  end loop;
  close source;
  lines := array_to_string(page, ',');
end $$;
