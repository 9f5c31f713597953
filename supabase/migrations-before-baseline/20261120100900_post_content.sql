-- First trigger on a post: what was written is tidied and checked, and excerpt and search text are derived from it.
-- Sentences are those of the specification, section 5.

-- Trimmed, without blanks and repeats, in the order given.
create function private.clean_tags(tags text[]) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(array_agg(t.tag order by t.place), '{}')
    from (
      select private.clean_line(given.tag) as tag, min(given.place) as place
      from unnest(tags) with ordinality as given (tag, place)
      where private.clean_line(given.tag) <> '' group by 1
    ) as t
  );
end $$;

-- The editor stamps the time of every save into its output; only a difference elsewhere is a difference.
create function private.same_content(a jsonb, b jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return a - 'time' is not distinct from b - 'time';
end $$;

create function private.tidy_post() returns trigger
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
    elsif octet_length(new.content_raw::text) > 4194304 then wrong := wrong || '{"content_raw": "This post is too long"}';
    else
      new.excerpt := private.blocks_excerpt(new.content_raw);
    end if;
  end if;

  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if tg_op = 'INSERT' or (new.title, new.tags, new.content_raw) is distinct from (old.title, old.tags, old.content_raw) then
    new.search_text := private.search_words(new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || private.blocks_text(new.content_raw));
  end if;
  return new;
end $$;
create trigger posts_10_tidy before insert or update on public.posts for each row execute function private.tidy_post();
