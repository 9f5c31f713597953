create type public.my_workspace as (
  id uuid, name text, subdomain text, origin text, allowed_origins text[], logo_url text, public_changelog_enabled boolean,
  created_at timestamptz, role public.member_role, suspension jsonb
);
comment on column public.my_workspace.origin is 'Null: no website.';
comment on column public.my_workspace.logo_url is 'Null: no logo.';
comment on column public.my_workspace.suspension is 'Null: it is not suspended.';

create function public.my_workspaces() returns setof public.my_workspace
language plpgsql stable set search_path = '' as $$
begin
  return query
    select w.id, w.name, w.subdomain::text, w.origin, w.allowed_origins, w.logo_url, w.public_changelog_enabled, w.created_at, m.role, w.suspension
    from public.members m join public.workspaces w on w.id = m.workspace_id
    where m.user_id = private.my_id()
    order by lower(w.name), w.created_at;
end $$;

create function public.workspace_role(workspace_id uuid) returns text
language sql stable set search_path = '' as $$ select private.my_role(workspace_id)::text $$;

-- Before a key stores an image with the service role.
create function public.require_writer(workspace_id uuid) returns void
language sql stable set search_path = '' as $$ select private.require_role(workspace_id, '{owner,admin,editor}') $$;

-- The caller becomes the owner, the job title goes to the profile, and the website becomes an allowed origin of the widget.
create function public.create_workspace(name text, subdomain text, origin text, job_title text, idempotency_key text default null)
returns public.my_workspace
language plpgsql security definer set search_path = '' as $$
declare
  wrong jsonb := '{}';
  availability constant text := public.subdomain_status(subdomain);
  earlier jsonb;
  made public.workspaces;
  answer public.my_workspace;
begin
  if private.my_id() is null then perform private.refuse('unauthenticated'); end if;
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_workspace', name, subdomain, origin, job_title)::text);
  if earlier is not null then return jsonb_populate_record(null::public.my_workspace, earlier); end if;

  wrong := private.workspace_faults(private.clean_line(name), nullif(btrim(origin), ''));
  if coalesce(btrim(origin), '') = '' then wrong := wrong || '{"origin": "Website URL is required"}'; end if;
  if coalesce(btrim(subdomain), '') = '' then wrong := wrong || '{"subdomain": "Subdomain is required"}';
  elsif availability = 'invalid' then
    wrong := wrong || '{"subdomain": "Please use {{subdomainMinLength}} to {{subdomainMaxLength}} letters, digits and hyphens, beginning and ending with a letter or digit"}'; end if;
  if coalesce(private.clean_line(job_title), '') = '' then wrong := wrong || '{"jobTitle": "Your job title is required"}';
  elsif char_length(private.clean_line(job_title)) > {{jobTitleMaxLength}} then wrong := wrong || '{"jobTitle": "Please use at most {{jobTitleMaxLength}} characters"}'; end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if availability <> 'free' then perform private.refuse(availability); end if;

  begin
    insert into public.workspaces (name, subdomain, origin, allowed_origins)
    values (name, lower(btrim(subdomain)), btrim(origin), array[private.url_origin(origin)]) returning * into made;
  exception when unique_violation then
    perform private.refuse('subdomain_taken');
  end;
  insert into public.members (workspace_id, user_id, role) values (made.id, private.my_id(), 'owner');
  insert into public.workspace_add_ons (workspace_id, add_on, granted_by) values (made.id, 'teams', private.my_id());
  update public.profiles p set job_title = create_workspace.job_title where p.user_id = private.my_id();

  answer := row(made.id, made.name, made.subdomain, made.origin, made.allowed_origins, made.logo_url, made.public_changelog_enabled,
    made.created_at, 'owner', null);
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

-- Changes the given fields as the caller; null removes an origin or a logo. Only the owner opens or closes the public page.
create function public.change_workspace(workspace_id uuid, changes jsonb) returns public.my_workspace
language plpgsql set search_path = '' as $$
declare
  mine constant public.member_role := private.require_role(workspace_id,
    case when changes ? 'public_changelog_enabled' then '{owner}' else '{owner,admin}' end::public.member_role[]);
  now_is public.workspaces;
begin
  update public.workspaces w set
    name = case when changes ? 'name' then changes ->> 'name' else w.name end,
    origin = case when changes ? 'origin' then changes ->> 'origin' else w.origin end,
    allowed_origins = case when changes ? 'allowed_origins' then array(select jsonb_array_elements_text(changes -> 'allowed_origins'))
      else w.allowed_origins end,
    logo_url = case when changes ? 'logo_url' then changes ->> 'logo_url' else w.logo_url end,
    public_changelog_enabled = case when changes ? 'public_changelog_enabled' then (changes ->> 'public_changelog_enabled')::boolean
      else w.public_changelog_enabled end
  where w.id = change_workspace.workspace_id returning w.* into now_is;
  if now_is.id is null then perform private.refuse('not_found'); end if;
  return row(now_is.id, now_is.name, now_is.subdomain::text, now_is.origin, now_is.allowed_origins, now_is.logo_url, now_is.public_changelog_enabled,
    now_is.created_at, mine, now_is.suspension);
end $$;

-- Readers of the old one are redirected for 30 days, in which only this workspace can take it back.
create function public.change_subdomain(workspace_id uuid, subdomain text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant text := lower(btrim(subdomain));
  status text;
begin
  perform private.require_role(asked, '{owner}');
  perform from public.workspaces w where w.id = asked for no key update;
  if wanted = (select w.subdomain::text from public.workspaces w where w.id = asked) then return wanted; end if;
  if 3 <= (
    select count(*) from private.released_subdomains r
    where r.workspace_id = asked and r.label <> wanted and r.released_at > now() - interval '30 days'
  ) then
    perform private.refuse('validation_failed', '{"subdomain": "You can change it three times in 30 days"}');
  end if;
  delete from private.released_subdomains r where r.label = wanted and r.workspace_id = asked;
  status := public.subdomain_status(wanted);
  if status = 'invalid' then
    perform private.refuse('validation_failed', '{"subdomain": "Please use {{subdomainMinLength}} to {{subdomainMaxLength}} letters, digits and hyphens, beginning and ending with a letter or digit"}');
  elsif status <> 'free' then
    perform private.refuse(status);
  end if;
  update public.workspaces w set subdomain = wanted where w.id = asked;
  return wanted;
exception when unique_violation then
  perform private.refuse('subdomain_taken');
end $$;

grant execute on function public.my_workspaces, public.workspace_role, public.require_writer, public.create_workspace, public.change_workspace,
  public.change_subdomain to authenticated, service_role;
