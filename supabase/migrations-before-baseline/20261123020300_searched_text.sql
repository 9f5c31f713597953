-- Search reads the first 100,000 characters of a post. Three times as many of different words kept the index busy for half a second a save.
create or replace function private.tidy_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wrong jsonb := '{}';
begin
  if tg_op = 'INSERT' or new.title is distinct from old.title then
    new.title := private.clean_line(new.title);
    if coalesce(new.title, '') = '' then wrong := wrong || '{"title": "Title is required"}';
    elsif char_length(new.title) > 119 then wrong := wrong || '{"title": "The title can have at most 119 characters"}'; end if;
  end if;

  if tg_op = 'INSERT' or new.tags is distinct from old.tags then
    new.tags := private.clean_tags(new.tags);
    if cardinality(new.tags) > 20 then wrong := wrong || '{"tags": "A post can have at most 20 tags"}';
    elsif exists (select from unnest(new.tags) as t (tag) where char_length(t.tag) > 40) then
      wrong := wrong || '{"tags": "A tag can have at most 40 characters"}'; end if;
  end if;

  if tg_op = 'INSERT' or new.content_raw is distinct from old.content_raw then
    if jsonb_typeof(new.content_raw -> 'blocks') is distinct from 'array' then wrong := wrong || '{"content_raw": "Content is required"}';
    elsif tg_op = 'UPDATE' and private.same_content(new.content_raw, old.content_raw) then new.content_raw := old.content_raw;
    elsif private.is_long_post(new.content_raw) then wrong := wrong || '{"content_raw": "This post is too long"}';
    else
      new.excerpt := private.blocks_excerpt(new.content_raw);
    end if;
  end if;

  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if tg_op = 'INSERT' or (new.title, new.tags, new.content_raw) is distinct from (old.title, old.tags, old.content_raw) then
    new.search_text := private.search_words(new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || left(private.blocks_text(new.content_raw), 100000));
  end if;
  return new;
end $$;
