-- One row for each person, made with the account. auth.users belongs to the auth service and is not exposed;
-- what teammates may see of a person is here. The name is never empty: the full name, else the part of the
-- e-mail address before the @ (specification, section 4).
create table public.profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  full_name text not null constraint profiles_full_name_length check (char_length(full_name) between 1 and 120),
  job_title text constraint profiles_job_title_length check (char_length(job_title) between 1 and 120),
  company_name text constraint profiles_company_name_length check (char_length(company_name) between 1 and 120),
  avatar_url text constraint profiles_avatar_url_shape check (avatar_url ~ '^(/[^/]|https?://)' and char_length(avatar_url) <= 2048),
  created_at timestamptz not null default now()
);
alter table public.profiles enable row level security;

create function private.display_name(full_name text, email text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select left(coalesce(nullif(private.clean_line(full_name), ''), nullif(split_part(email, '@', 1), ''), 'Someone'), 120)
$$;

-- A sign-up must never fail because of what stands in its metadata, so everything is cut to size here.
create function private.create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  meta constant jsonb := coalesce(new.raw_user_meta_data, '{}');
  avatar constant text := coalesce(meta ->> 'avatar_url', meta ->> 'picture');
begin
  insert into public.profiles (user_id, full_name, company_name, avatar_url)
  values (
    new.id,
    private.display_name(coalesce(meta ->> 'full_name', meta ->> 'name'), new.email),
    left(private.clean_line(coalesce(meta ->> 'company_name', '')), 120),
    case when avatar ~ '^https://' and char_length(avatar) <= 2048 then avatar end
  )
  on conflict on constraint profiles_pkey do nothing;
  return null;
end $$;
create trigger users_get_a_profile after insert on auth.users for each row execute function private.create_profile();

-- A name that is wiped out becomes the fallback again; blank optional fields become null.
create function private.tidy_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  faults jsonb;
begin
  new.full_name := coalesce(nullif(private.clean_line(new.full_name), ''),
    private.display_name(null, (select u.email from auth.users u where u.id = new.user_id)));
  new.job_title := nullif(private.clean_line(new.job_title), '');
  new.company_name := nullif(private.clean_line(new.company_name), '');
  select coalesce(jsonb_object_agg(f.field, 'Please use at most 120 characters'), '{}') into faults
  from (values ('full_name', new.full_name), ('job_title', new.job_title), ('company_name', new.company_name)) as f (field, line)
  where char_length(f.line) > 120;
  if faults <> '{}' then perform private.refuse('validation_failed', faults); end if;
  return new;
end $$;
create trigger profiles_are_tidy before insert or update on public.profiles
for each row execute function private.tidy_profile();

-- The name of whoever is acting, as it is written into posts, revisions and activities at that moment.
create function private.my_name() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select p.full_name from public.profiles p where p.user_id = auth.uid());
end $$;
grant execute on function private.my_name() to authenticated, service_role;

create policy "people change their own profile" on public.profiles for update to authenticated
using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
-- Reading: with the memberships, because teammates read each other's.
-- No insert: the account's trigger does it. No delete: it goes with the account.

grant select on public.profiles to authenticated;
grant update (full_name, job_title, company_name, avatar_url) on public.profiles to authenticated;
grant select, insert, update, delete on public.profiles to service_role;

-- Accounts that were there before this migration.
insert into public.profiles (user_id, full_name)
select u.id, private.display_name(u.raw_user_meta_data ->> 'full_name', u.email) from auth.users u
on conflict on constraint profiles_pkey do nothing;
