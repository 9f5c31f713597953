-- Whether a post, one of its revisions or a template shows it. Its address then keeps its picture: whoever may not change what readers see, as
-- somebody whose posts are approved first, does not put another one in its place.
create function private.is_shown_image(path text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.post_images i where i.path = is_shown_image.path)
    or exists (select from private.template_images i where i.path = is_shown_image.path);
end $$;
grant execute on function private.is_shown_image(text) to authenticated;

alter policy "people add files where they may write" on storage.objects
with check (
  private.is_image_path(name) and case when not (select private.has_session()) then false else case bucket_id
    when 'post-images' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin,editor}')::text))
      and not private.is_shown_image(name)
    when 'logos' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin}')::text))
    when 'avatars' then split_part(name, '/', 1) = (select auth.uid())::text
    else false
  end end
);
alter policy "people remove files where they may write" on storage.objects
using (
  case when not (select private.has_session()) then false else case bucket_id
    when 'post-images' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin,editor}')::text))
      and not private.is_shown_image(name)
    when 'logos' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin}')::text))
    when 'avatars' then split_part(name, '/', 1) = (select auth.uid())::text
    else false
  end end
);
