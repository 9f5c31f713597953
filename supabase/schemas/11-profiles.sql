-- One row per account, with what teammates may see of it: auth.users isn't exposed. The name falls back to the email address before the @.
create table public.profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  full_name text not null constraint profiles_full_name_length check (char_length(full_name) between 1 and {{fullNameMaxLength}}),
  job_title text constraint profiles_job_title_length check (char_length(job_title) between 1 and {{jobTitleMaxLength}}),
  company_name text constraint profiles_company_name_length check (char_length(company_name) between 1 and {{companyNameMaxLength}}),
  avatar_url text constraint profiles_avatar_url_shape check (avatar_url ~ '^(/[^/]|https?://)' and char_length(avatar_url) <= 2048),
  created_at timestamptz not null default now()
);

create function private.display_name(full_name text, email text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select left(coalesce(nullif(private.clean_line(full_name), ''), nullif(split_part(email, '@', 1), ''), 'Someone'), {{fullNameMaxLength}})
$$;

-- Cut to size, since a sign-up must never fail because of its metadata.
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
    left(private.clean_line(coalesce(meta ->> 'company_name', '')), {{companyNameMaxLength}}),
    case when avatar ~ '^https://' and char_length(avatar) <= 2048 then avatar end
  )
  on conflict on constraint profiles_pkey do nothing;
  return null;
end $$;
create trigger users_get_a_profile after insert on auth.users for each row execute function private.create_profile();

create function private.clean_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  faults jsonb;
begin
  new.full_name := coalesce(nullif(private.clean_line(new.full_name), ''),
    private.display_name(null, (select u.email from auth.users u where u.id = new.user_id)));
  new.job_title := nullif(private.clean_line(new.job_title), '');
  new.company_name := nullif(private.clean_line(new.company_name), '');
  select coalesce(jsonb_object_agg(f.field, 'Please use at most {{fullNameMaxLength}} characters'), '{}') into faults
  from (values ('full_name', new.full_name), ('job_title', new.job_title), ('company_name', new.company_name)) as f (field, line)
  where char_length(f.line) > {{fullNameMaxLength}};
  if faults <> '{}' then perform private.refuse('validation_failed', faults); end if;
  return new;
end $$;
create trigger profiles_are_tidy before insert or update on public.profiles
for each row execute function private.clean_profile();

create function private.my_name() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select p.full_name from public.profiles p where p.user_id = auth.uid());
end $$;

create policy "people change their own profile" on public.profiles for update to authenticated
using (user_id = (select private.my_id())) with check (user_id = (select private.my_id()));
-- Readable by teammates (see memberships). Inserted by the account's trigger, deleted by cascade.

grant select on public.profiles to authenticated;
grant update (full_name, job_title, company_name, avatar_url) on public.profiles to authenticated;

-- Accounts older than Tidings.
insert into public.profiles (user_id, full_name)
select u.id, private.display_name(u.raw_user_meta_data ->> 'full_name', u.email) from auth.users u
on conflict on constraint profiles_pkey do nothing;

-- Anyone can sign up with another person's address and choose a password. So if the mailed link is opened in another browser than the one that signed
-- up, the password is replaced by a random one before the link is spent, and the person sets a new one. `browser` is the hash of that browser's
-- cookie. True: the password stays. False: set a new one. Null: no unconfirmed account has this link.
create function public.open_waiting_account(link text, browser text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  account uuid;
  is_known boolean;
begin
  select u.id, u.raw_user_meta_data ->> 'signup_browser' = browser into account, is_known
  from auth.users u
  where u.email_confirmed_at is null and link <> '' and (u.confirmation_token = link or u.recovery_token = link)
  for update;
  if account is null then return null; end if;
  update auth.users u set raw_user_meta_data = u.raw_user_meta_data - '{signup_browser,invitation}'::text[] where u.id = account; -- no longer needed
  if is_known then return true; end if;
  update auth.users u
  set encrypted_password = extensions.crypt(encode(extensions.gen_random_bytes(32), 'hex'), extensions.gen_salt('bf', 10))
  where u.id = account;
  delete from auth.sessions s where s.user_id = account; -- installations without confirmation have some
  return false;
end $$;

-- Queues the person's avatars for deletion, removes the address from invitations and ends open ones, which anyone could accept without it, and removes
-- the name from the audit log.
create function private.erase_person() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.discarded_files (bucket, path)
  select o.bucket_id, o.name from storage.objects o where o.bucket_id = 'avatars' and o.name like old.id || '/%'
  on conflict on constraint discarded_files_pkey do nothing;
  update public.invites i
  set email = null, revoked_at = case when i.accepted_at is null then coalesce(i.revoked_at, clock_timestamp()) end
  where lower(i.email::text) = lower(old.email);
  update private.audit_log a set actor_name = null where a.actor_id = old.id and a.actor_kind = 'person';
  update private.audit_log a set person_name = null where a.person_id = old.id;
  update private.audit_log a set subject = null where a.subject_id = old.id;
  return old;
end $$;
create trigger users_are_forgotten before delete on auth.users for each row execute function private.erase_person();

grant execute on function private.my_name to authenticated, service_role;
grant execute on function public.open_waiting_account to service_role;
