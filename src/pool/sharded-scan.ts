import type { Message } from '../domain/message.js';
import type { Profile } from '../engine/judge/profile.js';
import { callHelpersBack, endSharing, shareText } from '../engine/shard/shared-text.js';
import type { HelpTask, NumberedText, ScanTask } from './protocol.js';

/** A scan whose large texts lie in shared memory, as the thread that asked for it sees it. */
interface ShardedScan {
  readonly program: ScanTask['program'];
  readonly profile: Profile;
  readonly texts: readonly NumberedText[];
  readonly signal: AbortSignal;
  /** True once a helper found nothing left to do. */
  isExhausted: boolean;
}

/** Sends threads that would be idle to help with large scans, and calls them back when somebody waits for a thread. */
export interface Helpers {
  /** Threads that help now. */
  readonly helping: number;
  /** Leads a scan with help; settles as `run` of the given task does. */
  lead<T>(
    task: ScanTask,
    texts: readonly NumberedText[],
    signal: AbortSignal,
    run: (task: ScanTask) => Promise<T>,
  ): Promise<T>;
  /** To be called whenever a scan was admitted or answered. */
  balance(): void;
}

/**
 * @param idle threads that neither scan nor help; negative when scans wait
 * @param send gives a worker a task; helpers are stopped with the scan that they help with
 */
export function createHelpers(
  idle: () => number,
  send: (task: HelpTask, signal: AbortSignal) => Promise<unknown>,
): Helpers {
  const underWay = new Set<ShardedScan>();
  let helping = 0;
  let isCalledBack = false;

  const help = async (scan: ShardedScan) => {
    helping++;
    try {
      const { program, profile, texts } = scan;
      await send({ kind: 'help', ...(program && { program }), profile, shared: texts }, scan.signal);
      if (!isCalledBack) scan.isExhausted = true;
    } catch {
      // What it had claimed will never be done: the leader must not wait for it, and must not answer without it.
      for (const { text } of scan.texts) endSharing(text, true);
    } finally {
      helping--;
      balance();
    }
  };

  const balance = () => {
    const isNeeded = idle() < 0;
    if (isNeeded !== isCalledBack) {
      isCalledBack = isNeeded;
      for (const { texts } of underWay) for (const { text } of texts) callHelpersBack(text, isNeeded);
    }
    for (const scan of underWay) while (idle() > 0 && !scan.isExhausted) void help(scan);
  };

  return {
    get helping() {
      return helping;
    },
    lead: async (task, texts, signal, run) => {
      const { program, profile } = task;
      const scan: ShardedScan = { program, profile, texts, signal, isExhausted: false };
      const answer = run({ ...task, shared: texts });
      underWay.add(scan);
      balance();
      try {
        return await answer;
      } finally {
        underWay.delete(scan);
        for (const { text } of texts) endSharing(text, false);
      }
    },
    balance,
  };
}

/** The messages of at least `unitsMin`, copied into shared memory, and the scan without their contents. */
export function shareLargeTexts(
  messages: readonly Message[],
  unitsMin: number,
): { readonly messages: readonly Message[]; readonly texts: readonly NumberedText[] } {
  const texts = messages.flatMap(({ role, content }, messageId) =>
    content.length >= unitsMin ? [{ messageId, role, text: shareText(content) }] : [],
  );
  const isShared = new Set(texts.map(({ messageId }) => messageId));
  return { messages: messages.map((message, id) => (isShared.has(id) ? { ...message, content: '' } : message)), texts };
}
