-- The life of a post (specification, section 4; product decisions 4–6), whoever changes it and by whatever call.
--   draft ⇄ scheduled → published;  any → archived → draft (restored).
-- A scheduled post whose minute has come IS published, whether or not the publisher has been by. Time is the
-- server's. contract/rules/post-status says the same for the client; one table of cases runs against both.
create function private.decide_post_state() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  grace constant interval := '1 minute'; -- a time picked to the minute may just have passed when it arrives
  was public.post_status := 'draft';
  had timestamptz; -- the time it was scheduled for
begin
  if tg_op = 'INSERT' or new.publish_at is distinct from old.publish_at then
    new.publish_at := date_trunc('milliseconds', new.publish_at); -- clients know no finer time, and send back what they got
  end if;
  if tg_op = 'UPDATE' then
    was := old.status;
    had := old.publish_at;
    new.published_at := old.published_at; -- set once, below
    if was = 'scheduled' and had <= moment then
      was := 'published';
      new.published_at := coalesce(old.published_at, had);
      if new.status = 'scheduled' and new.publish_at = had then new.status := 'published'; end if;
    end if;
  end if;

  if was = 'published' then
    if new.status in ('draft', 'scheduled') or new.publish_at is distinct from had and new.publish_at is not null then
      perform private.refuse('published_post_locked');
    end if;
    new.publish_at := had; -- when it was scheduled for stays on record
  elsif was = 'archived' then
    if new.status = 'draft' then
      new.publish_at := null;
    elsif new.status <> 'archived' or (new.title, new.tags, new.content_raw, new.slug, new.publish_at)
      is distinct from (old.title, old.tags, old.content_raw, old.slug, old.publish_at) then
      perform private.refuse('archived_post_locked');
    end if;
  elsif new.status = 'archived' then
    if tg_op = 'INSERT' then perform private.refuse('validation_failed', '{"status": "A new post cannot be archived"}'); end if;
    new.publish_at := null;
  elsif new.status = 'published' then
    new.publish_at := null;
    new.published_at := coalesce(new.published_at, moment);
  else
    -- A draft that gets a time is scheduled; a scheduled post that loses it, or is called a draft, is a draft.
    if new.status = 'draft' then
      if was = 'scheduled' then new.publish_at := null; end if;
      if new.publish_at is not null then new.status := 'scheduled'; end if;
    elsif new.publish_at is null and was = 'scheduled' then
      new.status := 'draft';
    end if;
    if new.status = 'scheduled' and (was <> 'scheduled' or new.publish_at is distinct from had) then
      if new.publish_at is null then
        perform private.refuse('validation_failed', '{"publish_at": "Please select a date and time"}');
      elsif new.publish_at <= moment - grace or not isfinite(new.publish_at) then
        perform private.refuse('validation_failed', '{"publish_at": "Please choose a time in the future"}');
      end if;
    end if;
  end if;

  new.archived_at := case when new.status = 'archived' then coalesce(case when was = 'archived' then old.archived_at end, moment) end;

  if new.status in ('scheduled', 'published') and (was not in ('scheduled', 'published') or new.content_raw is distinct from old.content_raw)
    and not private.says_something(new.content_raw) then
    perform private.refuse('validation_failed', '{"content_raw": "Content is required"}');
  end if;
  return new;
end $$;
create trigger posts_20_state before insert or update on public.posts for each row execute function private.decide_post_state();
