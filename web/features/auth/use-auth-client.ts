import { useState } from "react";
import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";
import type { OAuthProvider } from "#contract/auth.ts";
import { useLatest } from "../../lib/use-latest.ts";

/** What a page does when a form of auth-ui-react asks for it; what it throws is shown to the person. */
export interface AuthCalls {
  signInWith?: (provider: OAuthProvider) => Promise<void>;
  sendResetLink?: (email: string) => Promise<void>;
  changePassword?: (password: string) => Promise<void>;
}

type Auth = Pick<SupabaseClient["auth"], "onAuthStateChange" | "signInWithOAuth" | "resetPasswordForEmail" | "updateUser">;

/** Of an answer the forms read the sentence of its error alone. */
type Answer = Promise<{ data: object; error: { message: string } | null }>;

/** What the forms call, asked as the real ones are and with the part of their answers that the forms read. */
interface AuthStub extends Pick<Auth, "onAuthStateChange"> {
  signInWithOAuth(...asked: Parameters<Auth["signInWithOAuth"]>): Answer;
  resetPasswordForEmail(...asked: Parameters<Auth["resetPasswordForEmail"]>): Answer;
  updateUser(...asked: Parameters<Auth["updateUser"]>): Answer;
}

/**
 * The part of a Supabase client that auth-ui-react's SocialAuth, ForgottenPassword and UpdatePassword use, in front of our own API: they
 * share its rate limits, its answers and its sentences. The client stays the same for as long as the page stands, because these forms
 * forget what was typed when it changes. `problem` is why the last call failed: the page shows it, and what comes after success too.
 */
export function useAuthClient(calls: AuthCalls): { client: SupabaseClient; problem: string | undefined } {
  const latest = useLatest(calls);
  const [problem, setProblem] = useState<string>();
  const [client] = useState(() => {
    async function answer(call: (calls: AuthCalls) => Promise<void> | undefined): Answer {
      setProblem(undefined);
      try {
        await call(latest.current);
        return { data: {}, error: null };
      } catch (error) {
        setProblem(sentence(error));
        return { data: {}, error: { message: "" } };
      }
    }
    const auth: AuthStub = {
      onAuthStateChange: () => ({ data: { subscription: { id: "", callback: () => undefined, unsubscribe: () => undefined } } }),
      signInWithOAuth: ({ provider }: { provider: OAuthProvider }) => answer(({ signInWith }) => signInWith?.(provider)),
      resetPasswordForEmail: (email: string) => answer(({ sendResetLink }) => sendResetLink?.(email)),
      updateUser: ({ password }: { password: string }) => answer(({ changePassword }) => changePassword?.(password)),
    };
    return { auth } as SupabaseClient; // the forms take a whole client; that the stub fits one is checked by this cast
  });
  return { client, problem };
}

function sentence(error: unknown): string {
  if (error instanceof z.ZodError) return error.issues[0]?.message ?? error.message;
  return error instanceof Error ? error.message : "Please try again later.";
}
