-- A file is in use wherever its address stands in a post: as an image, behind a question mark, or as the target of a link. Only
-- addresses inside the workspace's own folder count, so that quoting another tenant's file never gives power over it.
create or replace function private.image_paths(content jsonb, workspace uuid) returns setof text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return query
    select distinct part[1]
    from regexp_matches(content::text, '/storage/v1/object/public/post-images/(' || workspace || '/[0-9A-Za-z_-]+\.[a-z]+)', 'g') as part;
end $$;

insert into private.post_images (post_id, path) select p.id, private.image_paths(p.content_raw, p.workspace_id) from public.posts p
on conflict on constraint post_images_pkey do nothing;
insert into private.post_images (post_id, path) select r.post_id, private.image_paths(r.content_raw, r.workspace_id) from public.post_revisions r
on conflict on constraint post_images_pkey do nothing;
