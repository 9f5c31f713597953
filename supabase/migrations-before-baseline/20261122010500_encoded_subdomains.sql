-- A label that begins with "xn--" is one of another script in disguise: a browser may show it as somebody else's name in
-- letters that only look alike. Nobody gets a new one; the column's own check stays, so that a workspace that has one works on.
create or replace function public.subdomain_status(subdomain text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted constant text := lower(btrim(subdomain));
begin
  if not private.is_subdomain(wanted) or wanted like 'xn--%' then return 'invalid'; end if;
  if exists (select from private.reserved_subdomains r where r.label = wanted) then return 'subdomain_reserved'; end if;
  if exists (select from public.workspaces w where w.subdomain operator (extensions.=) wanted::extensions.citext)
    or exists (select from private.released_subdomains r where r.label = wanted and r.released_at > now() - interval '30 days')
  then return 'subdomain_taken'; end if;
  return 'free';
end $$;
