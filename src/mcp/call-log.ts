import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import type { ScanRequest, ScanResult } from '../guard/guard.js';
import type { Redact } from '../guard/redactor.js';
import { describeError, LoggedText, type Logger } from '../telemetry/log.js';
import type { ScanArguments } from './schemas.js';

/** Who calls, and under which id: what both log entries of a call carry. */
export interface CallIdentity {
  /** A UUID. */
  readonly requestId: string;
  /** Undefined where there are no users: in a server over standard input. */
  readonly userId: string | undefined;
  /** Whose own rules redact the previews, too; undefined where there are no organizations. */
  readonly organizationId?: string;
  /** The application that the token is bound to. */
  readonly appUuid?: string;
}

/**
 * The first of the two entries of a call. `request` and `metadata` are undefined where the arguments were not valid:
 * then nothing of them is logged. Messages of a scan that has shown them to be free of secrets (`hasNoSecrets`) are not looked
 * at again.
 */
export function logRequest(
  log: Logger,
  redact: Redact,
  caller: CallIdentity,
  request?: ScanRequest,
  metadata?: ScanArguments['metadata'],
  { hasNoSecrets }: Pick<ScanResult, 'hasNoSecrets'> = {},
): void {
  if (!log.writes('info')) return;
  const redactOwn: Redact = (text, end) => redact(text, end, caller.organizationId);
  // What is undefined is not written. One shape for all calls: with parts spread into it this took longer than the rest.
  log.info('MCP Guard scan request', {
    request_id: caller.requestId,
    user_id: caller.userId,
    app_uuid: request && (request.appUuid ?? caller.appUuid ?? null),
    count: request?.messages.length,
    previews: request && previewsOf(hasNoSecrets ? unredacted : redactOwn, request.messages),
    metadata: metadata && loggedMetadata(redactOwn, metadata),
  });
}

/** The second entry, of a verdict. */
export function logVerdict(log: Logger, caller: CallIdentity, { flagged, payload, scanId }: ScanResult): void {
  if (!log.writes('info')) return;
  log.info('MCP Guard scan response', {
    request_id: caller.requestId,
    user_id: caller.userId,
    scan_id: scanId,
    flagged,
    payload_count: payload?.length,
  });
}

/** The second entry, of a call without a verdict: no `flagged`, but why. */
export function logFailure(log: Logger, caller: CallIdentity, thrown: unknown): void {
  const why = thrown instanceof GuardError ? { code: thrown.code } : { error: describeError(thrown) };
  log.info('MCP Guard scan response', { request_id: caller.requestId, user_id: caller.userId, ...why });
}

const unredacted: Redact = (text, end) => text.slice(0, end);

/** Beginnings of the first messages, free of secrets; reading ends at a budget, whatever the number of messages. */
function previewsOf(redact: Redact, messages: ScanRequest['messages']): readonly LoggedText[] {
  const previews: LoggedText[] = [];
  let budget: number = limits.previewReadUnitsTotalMax;
  for (const { content } of messages) {
    if (previews.length === limits.previewsMax || budget <= 0) break;
    // A secret may begin in the preview and end far behind it, so more is read than is shown.
    const read = content.length > limits.previewReadUnitsMax ? content.slice(0, limits.previewReadUnitsMax) : content;
    budget -= read.length;
    const shown = redact(read, limits.previewUnitsMax);
    previews.push(new LoggedText(content.length > limits.previewUnitsMax ? `${shown}…` : shown, shownUnitsMax));
  }
  return previews;
}

/** Redaction may make a preview longer than the text it stands for, never longer than this. */
const shownUnitsMax = limits.previewUnitsMax * 12;

/**
 * As JSON text: a bounded string cannot make up fields of its own in the log. Texts inside are redacted one by one,
 * because escapes could hide a secret in the whole, and the whole again, for numbers and keys. What stands behind all that is
 * shown is not looked at, however much there is of it.
 */
function loggedMetadata(redact: Redact, metadata: object): LoggedText {
  let left: number = limits.metadataUnitsMax;
  const json = JSON.stringify(metadata, (_key, value: unknown) => {
    if (left <= 0) return '';
    if (typeof value !== 'string') {
      left--;
      return Array.isArray(value) ? value.slice(0, left) : value;
    }
    const shown = redact(value.slice(0, limits.previewReadUnitsMax), limits.metadataUnitsMax);
    left -= shown.length + '""'.length;
    return shown;
  });
  const read = json.slice(0, limits.previewReadUnitsMax);
  return new LoggedText(redact(read, limits.metadataUnitsMax), limits.metadataUnitsMax);
}
