import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import type { Clock } from '../telemetry/clock.js';

/**
 * What stands between the sockets and the work on one event loop. As long as turns of the loop are short and bring few
 * requests, each is worked on when it is read, at no cost. From then on requests wait in a queue of our own, which is worked
 * off in short slices between turns, and a request whose wait would be too long is refused at once. Without it the queue
 * would be in the kernel: as long as there are connections, and a refusal could come no sooner than a verdict.
 *
 * What a slice answers is sent together at its end: one answer wakes the client's side, the others find it awake.
 */
export interface Admission {
  /** Requests that were read and wait for their turn. */
  readonly waiting: number;
  /** Microseconds that the next one would wait, by what work has cost lately. */
  readonly waitUs: number;
  /** True where a request that has just been read must be refused. Asked once for each. */
  isFull(): boolean;
  /**
   * True where work may be done now; else it goes to `wait`. `readUs` is when the head of its request was read, which
   * saves a look at the clock where all of it came at once; `bytes` the size of its body, by which work is estimated.
   */
  mayRun(readUs: number, bytes: number): boolean;
  /** Works on a request in a later turn, after what was queued before it. */
  wait(request: WaitingRequest, bytes: number): void;
}

/** What waits. Neither part may throw. */
export interface WaitingRequest {
  /** Does what was asked for, and sends nothing. */
  work(): void;
  /** Sends what came of it, if there is anything yet. */
  finish(): void;
}

export interface AdmissionOptions {
  readonly clock: Clock;
  /** Longest wait that is admitted. */
  readonly waitMsMax?: number;
  /** Bytes of bodies that may wait however long it takes. */
  readonly freeBytes?: number;
  /** So many times the longest wait is admitted where all connections that are open would not have to wait longer. */
  readonly crowdWaits?: number;
  /** Work done in a turn before requests wait. */
  readonly turnUs?: number;
  /** Work done in one go of what waits. */
  readonly sliceUs?: number;
  /** Connections that are open. */
  readonly connections: () => number;
  /** False where answers have to wait for something else anyway: then requests are not put off to be answered together. */
  readonly together?: boolean;
  /** Calls back in the next turn of the event loop; tests hold the turns in their hands. */
  readonly nextTurn?: (callback: () => void) => void;
}

/** The refusal is one object: an error for each refused request would cost more than all the rest of it. */
export const overloaded: GuardError = new GuardError('overloaded', 'More requests wait than can be answered in time.');

export function createAdmission(options: AdmissionOptions): Admission {
  const { clock, connections, together = true } = options;
  const waitUsMax = (options.waitMsMax ?? limits.inlineWaitMs) * 1_000;
  const crowdUsMax = waitUsMax * (options.crowdWaits ?? limits.crowdWaits);
  const freeWeight = options.freeBytes ?? limits.inlineFreeBytes;
  const turnUs = options.turnUs ?? limits.turnUs;
  const sliceUs = options.sliceUs ?? limits.sliceUs;
  const nextTurn = options.nextTurn ?? setImmediate;
  let queue: Waiting[] = [];
  let first = 0;
  let queuedWeight = 0;
  let usPerWeight = firstUsPerWeight;
  let workUsPerWeight = firstUsPerWeight;
  let turnBeganUs = noTurn;
  let turnWeight = 0;
  let turnRequests = 0;
  let isBusy = false;
  let sliceEndedUs = 0;
  /** Of the slice that was worked last. */
  let sliceLengthUs = sliceUs;
  let windowBeganUs = 0;
  let refused = 0;
  let admitted = 0;
  let isFlooded = false;

  /** Where most are refused anyway, those that are admitted shall not wait long: there will always be others. */
  const look = (nowUs: number) => {
    if (nowUs - windowBeganUs < limits.floodWindowUs) return;
    isFlooded = refused > (isFlooded ? admitted / 2 : admitted);
    windowBeganUs = nowUs;
    refused = 0;
    admitted = 0;
  };

  /**
   * True where the requests of all connections together, each as large as those that wait, would be worked off soon. They cannot become
   * more, and whoever is refused only asks again; so what refusing takes does not count here, or it would go on for ever.
   */
  const isSmallCrowd = () => {
    const weight = queuedWeight / (queue.length - first);
    return weight * workUsPerWeight * connections() < crowdUsMax;
  };

  const isTooMuch = () => {
    const waitUs = queuedWeight * usPerWeight;
    if (queue.length > first && isSmallCrowd()) return false;
    if (isFlooded) {
      return waitUs > Math.min(waitUsMax, limits.floodWaitUs) && queuedWeight * workUsPerWeight >= sliceLengthUs;
    }
    return waitUs > waitUsMax && queuedWeight > freeWeight;
  };

  /**
   * Where a turn brings several requests the next one will, too, and they are put off to be answered together. Not where
   * a connection sends several in one go: behind a request that waits the front end takes no other.
   */
  const countTurn = () => {
    isBusy = together && turnRequests >= limits.busyRequestsMin && turnRequests <= connections();
    turnRequests = 0;
  };

  const endTurn = () => {
    const nowUs = clock.nowUs();
    usPerWeight = learned(usPerWeight, nowUs - turnBeganUs, turnWeight);
    look(nowUs);
    countTurn();
    turnBeganUs = noTurn;
    turnWeight = 0;
    if (queue.length === first) return;
    sliceEndedUs = nowUs;
    workOff();
  };

  /**
   * How long a flood's slice is, after that much reading and refusing: half of it, up to a turn, so that refusing never takes more than
   * two thirds of the time. What one slice works off is admitted, however long the wait is made by refusals.
   */
  const shareOf = (outsideUs: number) => Math.max(sliceUs, Math.min(turnUs, outsideUs / 2));

  /** A slice of what waits. How long a wait is, is learned from it and from the reading and refusing before it. */
  const workOff = () => {
    const beganUs = clock.nowUs();
    sliceLengthUs = isFlooded ? shareOf(beganUs - sliceEndedUs) : sliceUs;
    const untilUs = beganUs + sliceLengthUs;
    const begin = first;
    let weight = 0;
    let nowUs = beganUs;
    while (first < queue.length && nowUs < untilUs) {
      const next = queue[first++];
      queuedWeight -= next.weight;
      weight += next.weight;
      next.request.work();
      nowUs = clock.nowUs();
    }
    for (let place = begin; place < first; place++) queue[place].request.finish();
    nowUs = clock.nowUs();
    usPerWeight = learned(usPerWeight, nowUs - sliceEndedUs, weight);
    workUsPerWeight = learned(workUsPerWeight, nowUs - beganUs, weight);
    look(nowUs);
    sliceEndedUs = nowUs;
    if (first === queue.length) {
      queue = [];
      first = 0;
      return;
    }
    if (first >= compactFrom) {
      queue = queue.slice(first);
      first = 0;
    }
    nextTurn(workOffMore);
  };

  const workOffMore = () => {
    countTurn();
    workOff();
  };

  return {
    get waiting() {
      return queue.length - first;
    },
    get waitUs() {
      return queuedWeight * usPerWeight;
    },
    isFull: () => {
      const isFull = isTooMuch() || queue.length - first >= limits.inlineQueueMax;
      if (isFull) refused++;
      else admitted++;
      return isFull;
    },
    mayRun: (readUs, bytes) => {
      turnRequests++;
      if (queue.length > first) return false;
      if (turnBeganUs === noTurn) {
        turnBeganUs = clock.nowUs();
        nextTurn(endTurn);
        if (isBusy) return false;
      } else if ((readUs > turnBeganUs ? readUs : clock.nowUs()) - turnBeganUs > (isFlooded ? sliceUs : turnUs)) {
        return false;
      }
      turnWeight += weightOf(bytes);
      return true;
    },
    wait: (request, bytes) => {
      const weight = weightOf(bytes);
      queue.push({ request, weight });
      queuedWeight += weight;
    },
  };
}

interface Waiting {
  readonly request: WaitingRequest;
  readonly weight: number;
}

const noTurn = -1;

/** What a request costs whatever its size, as so many bytes of body. */
const requestWeight = 512;

/** Of the order of what is measured, so that the first turns are judged soundly, too. */
const firstUsPerWeight = 0.1;

/** Small enough, together with a bound on one turn's say, that a thread which lost the processor is not taken for slow. */
const learningRate = 0.05;
const surpriseMax = 10;

/** What is known of a cost, a sample later. */
function learned(known: number, elapsedUs: number, weight: number): number {
  if (weight === 0) return known;
  return known + (Math.min(elapsedUs / weight, known * surpriseMax) - known) * learningRate;
}

/** The queue's array lets go of what was worked off when that is so much. */
const compactFrom = 256;

/** Bodies that are only parsed here, because the pool scans them, weigh as much as this many bytes that are scanned. */
const parsedWeight = 8 * 1_024;

function weightOf(bytes: number): number {
  return (bytes > limits.inlineUnitsMax ? parsedWeight : bytes) + requestWeight;
}
