import { useEffect, useState } from 'preact/hooks';
import { isAbort, type Problem } from '../client.js';
import { useApp } from '../context.js';
import { asProblem } from '../resource.js';
import type { CheckedRules, RuleSet } from '../wire.js';

const typingMs = 400;

export interface RulesCheck {
  /** Undefined while nothing is known of these rules. */
  readonly checked: CheckedRules | undefined;
  readonly problem: Problem | undefined;
  readonly pending: boolean;
  /** A pattern or a phrase is still empty: nothing is asked before something is written there. */
  readonly unwritten: boolean;
  retry(): void;
}

const idle = { checked: undefined, problem: undefined, pending: false };

/** What the service's compiler says of these rules, asked a moment after the last change. */
export function useRulesCheck(rules: RuleSet, changed: boolean): RulesCheck {
  const { client } = useApp();
  const [state, setState] = useState<Omit<RulesCheck, 'unwritten' | 'retry'>>(idle);
  const [round, setRound] = useState(0);
  const text = JSON.stringify(rules);
  const unwritten = isUnwritten(rules);
  useEffect(() => {
    if (!changed || unwritten) {
      setState(idle);
      return;
    }
    const abort = new AbortController();
    const ask = async () => {
      try {
        const checked = await client.send<CheckedRules>(
          'POST',
          '/organization/rules/check',
          JSON.parse(text),
          abort.signal,
        );
        setState({ checked, problem: undefined, pending: false });
      } catch (error) {
        if (isAbort(error) && abort.signal.aborted) return;
        setState({ ...idle, problem: asProblem(error) });
      }
    };
    setState((old) => ({ ...old, pending: true }));
    const timer = setTimeout(ask, typingMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, changed, unwritten, round]);
  return { ...state, unwritten, retry: () => setRound(round + 1) };
}

function isUnwritten({ rules, allow }: RuleSet): boolean {
  const patterns = rules.flatMap((rule) => rule.patterns.map(({ phrase, regex }) => regex ?? phrase));
  return [...patterns, ...allow.map(({ phrase }) => phrase)].includes('');
}
