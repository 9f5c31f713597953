-- Published posts are listed by the index of their order: a page reads as many posts as it skips and shows, not all there are, and its plan
-- is kept. With 50,000 posts beside, a page took 1.8 times as long as with few.
create or replace function public.list_posts(workspace_id uuid, status text default 'all', page int default 1, page_size int default 10) returns json
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  total constant bigint := public.count_posts(workspace_id, status);
  size constant int := least(greatest(coalesce(page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(page, 1), 1)::bigint - 1) * size;
  listed json;
begin
  if status = 'all' then
    select json_agg(l) into listed from (
      select s.* from public.post_summaries s where s.workspace_id = asked and s.status <> 'archived'
      order by s.updated_at desc, s.id desc limit size offset skip
    ) as l;
  elsif status = 'published' then
    -- In words that fit posts_recent alone, whose order this is: posts_public would be read whole and sorted, with a new plan each time.
    select json_agg(l) into listed from (
      select s.* from public.post_summaries s
      where s.workspace_id = asked and s.status <> 'archived' and s.status <> 'draft' and (s.status <> 'scheduled' or s.publish_at <= now())
      order by s.updated_at desc, s.id desc limit size offset skip
    ) as l;
  else
    select json_agg(l) into listed from (
      select s.* from public.post_summaries s
      where s.workspace_id = asked and s.status = list_posts.status::public.post_status and (s.status <> 'scheduled' or s.publish_at > now())
      order by s.updated_at desc, s.id desc limit size offset skip
    ) as l;
  end if;
  return json_build_object('total', total, 'posts', coalesce(listed, '[]'));
end $$;
