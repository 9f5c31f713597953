-- Seed of `supabase start` and `supabase db reset`: the user demo@tidings.example (password tidings-demo) with a workspace.
-- The embedded stack doesn't use it; it seeds through /api.
insert into auth.users (
  id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at,
  confirmation_token, recovery_token, email_change, email_change_token_new
) values (
  'd0000000-0000-4000-8000-000000000001', 'authenticated', 'authenticated', 'demo@tidings.example',
  extensions.crypt('tidings-demo', extensions.gen_salt('bf', 10)), now(), '{"provider": "email", "providers": ["email"]}',
  '{"full_name": "Dana Demo", "company_name": "Tidings"}', now(), now(), '', '', '', ''
);
insert into auth.identities (id, user_id, provider, provider_id, identity_data, created_at, updated_at, last_sign_in_at)
values (
  gen_random_uuid(), 'd0000000-0000-4000-8000-000000000001', 'email', 'd0000000-0000-4000-8000-000000000001',
  '{"sub": "d0000000-0000-4000-8000-000000000001", "email": "demo@tidings.example", "email_verified": true}', now(), now(), now()
);
do $$
begin
  if exists (select from information_schema.columns where table_schema = 'auth' and table_name = 'users' and column_name = 'instance_id') then
    update auth.users set instance_id = '00000000-0000-0000-0000-000000000000' where id = 'd0000000-0000-4000-8000-000000000001';
  end if;
end $$;

do $$
declare
  workspace uuid;
  session constant uuid := gen_random_uuid();
begin
  -- Calls need a session; this one lasts for this block.
  insert into auth.sessions (id, user_id, created_at, updated_at) values (session, 'd0000000-0000-4000-8000-000000000001', now(), now());
  perform set_config(
    'request.jwt.claims',
    json_build_object('sub', 'd0000000-0000-4000-8000-000000000001', 'role', 'authenticated', 'session_id', session)::text,
    true
  );
  set local role authenticated;

  workspace := (public.create_workspace('Tidings', 'demo', 'https://tidings.example', 'Product manager')).id;
  perform public.change_workspace(workspace, '{"public_changelog_enabled": true}');

  perform public.create_post(workspace, 'Write together, live', '{"blocks": [
    {"type": "paragraph", "data": {"text": "You now see <b>who else has a post open</b> and who is typing."}},
    {"type": "list", "data": {"style": "unordered", "meta": {}, "items": [
      {"content": "A colour for each person, the same for everyone", "meta": {}, "items": []},
      {"content": "Two tabs of one person count once", "meta": {}, "items": []}]}}]}', '{feature}', status => 'published');

  perform public.create_post(workspace, 'No more overwritten changes', '{"blocks": [
    {"type": "header", "data": {"text": "What changed", "level": 2}},
    {"type": "paragraph", "data": {"text": "When a post was updated elsewhere, saving asks first. Every version is kept and can be brought back."}}]}',
    '{improvement}', status => 'published');

  perform public.create_post(workspace, 'Scheduled posts appear on the minute', '{"blocks": [
    {"type": "paragraph", "data": {"text": "Pick a date and a time; readers see the post from then on."}}]}', '{feature}', now() + interval '1 day');

  perform public.create_post(workspace, 'Export your workspace', '{"blocks": [
    {"type": "paragraph", "data": {"text": "Draft: everything you wrote, in one file."}}]}', '{docs}');
  reset role;
  delete from auth.sessions where id = session;
end $$;
