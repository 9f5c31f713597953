import { useState } from "react";
import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";
import type { OAuthProvider } from "#contract/auth.ts";
import { useLatest } from "../../lib/use-latest.ts";

/** Handlers for auth-ui-react's forms; errors they throw are shown. */
export interface AuthCalls {
  signInWith?: (provider: OAuthProvider) => Promise<void>;
  sendResetLink?: (email: string) => Promise<void>;
  changePassword?: (password: string) => Promise<void>;
}

type Auth = Pick<SupabaseClient["auth"], "onAuthStateChange" | "signInWithOAuth" | "resetPasswordForEmail" | "updateUser">;

/** The forms read only the error's message. */
type AuthResult = Promise<{ data: object; error: { message: string } | null }>;

/** Type-checked against the real client. */
interface AuthStub extends Pick<Auth, "onAuthStateChange"> {
  signInWithOAuth(...args: Parameters<Auth["signInWithOAuth"]>): AuthResult;
  resetPasswordForEmail(...args: Parameters<Auth["resetPasswordForEmail"]>): AuthResult;
  updateUser(...args: Parameters<Auth["updateUser"]>): AuthResult;
}

/** Supabase client stub that routes auth-ui-react's forms to our API. Stable: the forms reset when it changes. `problem`: error of the last call. */
export function useAuthClient(calls: AuthCalls): { client: SupabaseClient; problem: string | undefined } {
  const latest = useLatest(calls);
  const [problem, setProblem] = useState<string>();
  const [client] = useState(() => {
    async function run(call: (calls: AuthCalls) => Promise<void> | undefined): AuthResult {
      setProblem(undefined);
      try {
        await call(latest.current);
        return { data: {}, error: null };
      } catch (error) {
        setProblem(errorMessage(error));
        return { data: {}, error: { message: "" } };
      }
    }
    const auth: AuthStub = {
      onAuthStateChange: () => ({ data: { subscription: { id: "", callback: () => undefined, unsubscribe: () => undefined } } }),
      signInWithOAuth: ({ provider }: { provider: OAuthProvider }) => run(({ signInWith }) => signInWith?.(provider)),
      resetPasswordForEmail: (email: string) => run(({ sendResetLink }) => sendResetLink?.(email)),
      updateUser: ({ password }: { password: string }) => run(({ changePassword }) => changePassword?.(password)),
    };
    return { auth } as SupabaseClient; // the cast checks that the stub matches a client
  });
  return { client, problem };
}

function errorMessage(error: unknown): string {
  if (error instanceof z.ZodError) return error.issues[0]?.message ?? error.message;
  return error instanceof Error ? error.message : "Please try again later.";
}
