-- Gives a token back that take_token took, for calls that count only when they fail: a right password is no guess.
create function public.give_back_token(bucket text, key text, size int) returns void
language sql security definer set search_path = '' as $$
  update private.rate_limits r set tokens = least(give_back_token.size, r.tokens + 1)
  where r.bucket = give_back_token.bucket and r.key = sha256(convert_to(give_back_token.key, 'UTF8'))
$$;
revoke all on function public.give_back_token(text, text, int) from public, anon, authenticated;
grant execute on function public.give_back_token(text, text, int) to service_role;
