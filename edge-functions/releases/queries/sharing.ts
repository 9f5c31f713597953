interface Round<Answer> {
  running: Promise<Answer>;
  /** Begins when `running` has ended; whoever asks until then waits for it. */
  next: Promise<Answer> | null;
}

/**
 * Lets equal questions that are asked at the same time share one. Nobody hears an answer that was begun before he asked, so it is
 * as fresh as his own would be; under load any number of readers cost the database one question after the other.
 */
export function sharing<Answer>(ask: (about: string) => Promise<Answer>): (about: string) => Promise<Answer> {
  const rounds = new Map<string, Round<Answer>>();

  function begin(about: string): Promise<Answer> {
    const round: Round<Answer> = { running: ask(about), next: null };
    rounds.set(about, round);
    const end = (): void => void (round.next === null && rounds.delete(about));
    round.running.then(end, end);
    return round.running;
  }

  return (about) => {
    const round = rounds.get(about);
    if (round === undefined) return begin(about);
    const again = (): Promise<Answer> => begin(about);
    return (round.next ??= round.running.then(again, again));
  };
}
