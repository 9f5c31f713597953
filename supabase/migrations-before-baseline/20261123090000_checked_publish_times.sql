-- 20261120104800 set every time right and left the check of old rows out. With it, a database that took all these steps is the one that the
-- baseline makes.
alter table public.posts validate constraint posts_publish_at_in_reach;
