-- A title that changes again before its picture is drawn waits for five seconds without a change: who changes it ten times a second had one picture
-- after the other drawn, none of which was kept.
create or replace function private.want_post_picture() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was constant boolean := tg_op = 'UPDATE' and old.status in ('published', 'scheduled');
  shown constant timestamptz := coalesce(new.published_at, new.publish_at);
begin
  if new.status not in ('published', 'scheduled') then
    delete from private.link_pictures l where l.post_id = new.id;
  elsif not was or new.title is distinct from old.title or shown is distinct from coalesce(old.published_at, old.publish_at) then
    insert into private.link_pictures as l (workspace_id, post_id, due_at)
    values (new.workspace_id, new.id, greatest(clock_timestamp(), case when new.status = 'scheduled' then new.publish_at end))
    on conflict on constraint link_pictures_once do update set
      due_at = excluded.due_at + case when l.due_at is not null and l.wanted > 1 then interval '5 seconds' else interval '0' end,
      wanted = l.wanted + 1, attempt = 0, error = null,
      path = case when was and new.title = old.title then l.path end;
  end if;
  return null;
end $$;
