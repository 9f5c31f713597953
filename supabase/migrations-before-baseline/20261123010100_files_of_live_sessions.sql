-- Storage says no to a session that has ended, as it does to everybody without the right: its policies know yes and no, no refusals.
-- `case` decides in order, so that nothing is asked on behalf of nobody.
alter policy "people see their own and their workspaces' files" on storage.objects
using (
  case when not (select private.has_session()) then false
    when bucket_id in ('post-images', 'logos') then split_part(name, '/', 1) = any (array(select private.my_workspace_ids()::text))
    else bucket_id = 'avatars' and split_part(name, '/', 1) = (select auth.uid())::text
  end
);
alter policy "people add files where they may write" on storage.objects
with check (
  private.is_image_path(name) and case when not (select private.has_session()) then false else case bucket_id
    when 'post-images' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin,editor}')::text))
    when 'logos' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin}')::text))
    when 'avatars' then split_part(name, '/', 1) = (select auth.uid())::text
    else false
  end end
);
alter policy "people remove files where they may write" on storage.objects
using (
  case when not (select private.has_session()) then false else case bucket_id
    when 'post-images' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin,editor}')::text))
    when 'logos' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin}')::text))
    when 'avatars' then split_part(name, '/', 1) = (select auth.uid())::text
    else false
  end end
);
