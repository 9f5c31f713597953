-- The next thousand readers are read in the order of the key: sorting would read all who are left for every thousand of them.
alter function public.subscribers_after(uuid, jsonb, text, int) set enable_sort = off;
