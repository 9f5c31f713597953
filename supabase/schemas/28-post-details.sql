-- A post's details: facts about the product, and where and to whom the post is shown.

-- Normalises a post's placement (contract/rules/placement.ts); null for anything invalid.
create function private.clean_placement(placement jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  surface constant text := placement ->> 'surface';
  selector constant text := case when surface in ('spotlight', 'inline') then left(private.clean_line(placement ->> 'selector'), {{selectorMaxLength}}) end;
  starts constant text := private.iso_time((placement ->> 'from')::timestamptz);
  ends constant text := private.iso_time((placement ->> 'until')::timestamptz);
begin
  if surface in ('banner-top', 'banner-bottom', 'modal', 'toast') or surface in ('spotlight', 'inline') and selector <> '' then
    if starts >= ends then perform private.refuse('validation_failed', '{"placement.until": "Please choose a time after the start"}'); end if;
    return jsonb_build_object('surface', surface, 'selector', selector, 'push', surface = 'banner-top' and placement -> 'push' = 'true',
      'from', starts, 'until', ends, 'again', case
        when placement ->> 'again' = 'session' then placement -> 'again'
        when jsonb_typeof(placement -> 'again') = 'number' then to_jsonb(least(greatest((placement ->> 'again')::numeric::int, 1), {{againMaxDays}}))
        else '"never"' end);
  end if;
  return null;
end $$;

-- Normalises details (contract/rules/post-details.ts); fields that are invalid are left out, null if none is left.
create function private.clean_details(details jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  button constant jsonb := jsonb_build_object('text', left(private.clean_line(details #>> '{button,text}'), {{buttonTextMaxLength}}),
    'url', details #>> '{button,url}');
  audience constant jsonb := nullif(details -> 'audience', 'null');
  kept jsonb;
begin
  -- Left out, it would show the post to everyone. A rule that is invalid otherwise matches no one (contract/rules/audience.ts).
  if (audience = '"internal"' or jsonb_typeof(audience) = 'object' and octet_length(audience::text) <= 50000) is false then
    perform private.refuse('validation_failed', '{"audience": "This audience isn''t valid"}');
  end if;
  if jsonb_typeof(details) is distinct from 'object' then return null; end if;
  kept := jsonb_strip_nulls(jsonb_build_object(
    'pinned_until', private.iso_time((details ->> 'pinned_until')::timestamptz),
    'expires_at', private.iso_time((details ->> 'expires_at')::timestamptz),
    'button', case when button ->> 'text' <> '' and button ->> 'url' ~* '^https?://[^[:space:][:cntrl:]]+$'
      and char_length(button ->> 'url') <= {{blockLimits.urlLength}} then button end,
    'version', case when details ->> 'version' ~ '^[0-9]{1,15}([.][0-9]{1,15}){0,3}(-[0-9A-Za-z.-]+)?([+][0-9A-Za-z.-]+)?$'
      and char_length(details ->> 'version') <= {{versionMaxLength}} then details -> 'version' end,
    'component', nullif(left(private.clean_line(details ->> 'component'), {{componentMaxLength}}), ''),
    'breaking', case when details -> 'breaking' = 'true' then true end,
    'security', case when details -> 'security' = 'true' then true end,
    'placement', private.clean_placement(details -> 'placement')));
  if audience is not null then kept := kept || jsonb_build_object('audience', audience); end if;
  if kept ->> 'pinned_until' >= kept ->> 'expires_at' then
    perform private.refuse('validation_failed', '{"pinned_until": "Please choose a time before the post expires"}');
  end if;
  return nullif(kept, '{}');
end $$;
