-- Posts of one workspace whose title, tags or text contain every word of a term, last edited first; archived posts are
-- out. Case, accents and punctuation do not matter. One or two letters find the words that begin with them (an index
-- of three letters knows no less); in scripts without spaces they are looked for anywhere.

-- The words of a term as patterns for private.search_words' text, the longest first, ten at most.
create function private.search_patterns(term text) returns text[]
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return array(
    select case when w.word ~ '^[a-z0-9]{1,2}$' then '% ' else '%' end || w.word || '%'
    from unnest(string_to_array(btrim(private.search_words(term)), ' ')) as w (word) where w.word <> ''
    order by char_length(w.word) desc limit 10
  );
end $$;

-- Substring conditions are not leakproof, so under row-level security they could not use their index: this function
-- runs as its owner and asks for the caller's role once, before it reads anything. A frequent term is found among the
-- latest posts; only when those do not suffice the index is asked, and then few posts of the workspace can match.
create function public.search_posts(workspace_id uuid, term text, max_rows int default 8) returns setof public.post_summary
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant int := least(greatest(coalesce(max_rows, 8), 1), 50);
  patterns constant text[] := private.search_patterns(term);
  -- The index takes no array: it is given the three longest words, the rest is compared afterwards.
  one constant text := patterns[1];
  two constant text := coalesce(patterns[2], '%');
  three constant text := coalesce(patterns[3], '%');
  latest constant int := 200;
  found_ids uuid[];
begin
  perform private.require_role(asked);
  if cardinality(patterns) = 0 then return; end if;
  found_ids := array(
    select r.id from (
      select p.id, p.search_text, p.updated_at from public.posts p
      where p.workspace_id = asked and p.status <> 'archived' order by p.updated_at desc, p.id desc limit latest
    ) as r
    where r.search_text like all (patterns) order by r.updated_at desc, r.id desc limit wanted
  );
  if cardinality(found_ids) < wanted then
    found_ids := array(
      with matching as materialized ( -- all of them by the index, then the order: never the other way round
        select p.id, p.updated_at from public.posts p
        where p.workspace_id = asked and p.status <> 'archived'
          and p.search_text like one and p.search_text like two and p.search_text like three and p.search_text like all (patterns)
      )
      select m.id from matching m order by m.updated_at desc, m.id desc limit wanted
    );
  end if;
  return query
    select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
      p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version
    from unnest(found_ids) with ordinality as f (id, place) join public.posts p on p.id = f.id
    order by f.place;
end $$;
revoke all on function public.search_posts(uuid, text, int) from public, anon;
grant execute on function public.search_posts(uuid, text, int) to authenticated, service_role;
