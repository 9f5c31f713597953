-- As 20261120100300 has it, but a port is at most 65535, as every URL parser wants it.
create or replace function private.url_origin(url text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(regexp_replace(part[1], '^(http://[^:]+):80$', '\1'), '^(https://[^:]+):443$', '\1')
  from regexp_match(lower(btrim(url)), '^(https?://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?)(?:[/?#]|$)') as part
  where coalesce(substring(part[1] from ':([0-9]+)$')::integer, 0) <= 65535
$$;
