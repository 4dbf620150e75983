import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../context.js';
import { applicationName, useApplications } from '../directory.js';
import { formatCount, formatNumber, formatUs } from '../format.js';
import { useResource } from '../resource.js';
import { href } from '../router.js';
import { Foreign } from '../text/foreign-text.js';
import { MarkedText } from '../text/marked-text.js';
import { SpanStrip } from '../text/span-strip.js';
import { CopyButton } from '../ui/copy-button.js';
import { PageHead } from '../ui/page-head.js';
import { Empty, Loaded } from '../ui/states.js';
import { PolicyTag, SeverityTag, Time, Verdict } from '../ui/tags.js';
import type { Page, ScanDetail, StoredMatch } from '../wire.js';
import { RuleReasons } from './rule-reasons.js';

const matchesShownMax = 200;
/** A conversation of no more messages is shown whole. */
const messagesWholeMax = 20;
const messagesShownMax = 100;

/** One scan: where it matched, why, and the text where it was kept. */
export function ScanDetailPage({ id }: { readonly id: string }) {
  const { client } = useApp();
  const scan = useResource(`scan ${id}`, (signal) =>
    client
      .get<Page<ScanDetail>>('/guard/results', { query: { scan_id: id }, signal })
      .then(({ data }) => data[0] ?? null),
  );
  return (
    <>
      <p class="crumb">
        <a href={href('scans')}>← Scans</a>
      </p>
      <PageHead title="Scan" />
      <p class="id-line">
        <code>
          <Foreign text={id} />
        </code>
        <CopyButton text={id} name="scan id" />
      </p>
      <Loaded resource={scan} what="the scan">
        {(found) =>
          found === null ? (
            <Empty title="There is no such scan.">
              <p>It may have been older than what is kept.</p>
            </Empty>
          ) : (
            <Detail scan={found} />
          )
        }
      </Loaded>
    </>
  );
}

function Detail({ scan }: { readonly scan: ScanDetail }) {
  const [active, setActive] = useState<number>();
  const list = useRef<HTMLOListElement>(null);
  // The mark of a match that is picked may be far from the list of matches.
  useEffect(() => list.current?.querySelector('.active')?.scrollIntoView({ block: 'nearest' }), [active]);
  const { messages, matches, stored_text: stored } = scan;
  const listed = listedMessages(scan);
  return (
    <>
      <Facts scan={scan} />
      <section class="card">
        <h2>{formatCount(messages.count, 'message')}</h2>
        {stored === 'redacted' && <p class="note">Sensitive information was covered (█) before this text was kept.</p>}
        {stored === undefined && (
          <p class="note">
            The text was not kept: the profile of this scan stores none. Each bar is one message, with its matches where
            they were.
          </p>
        )}
        <ol class="messages" ref={list}>
          {listed.map((index) => {
            const length = messages.lengths[index] ?? 0;
            const own = matches.flatMap((match, at) => (match.message_id === index ? [{ match, at }] : []));
            const spans = own.map(({ match }) => spanOf(match));
            const activeHere = own.findIndex(({ at }) => at === active);
            const kept = messages.text?.[index];
            const unread = index < messages.scanned_from;
            return (
              <li key={index}>
                <p class="message-head">
                  Message {index + 1}
                  {kept !== undefined && (
                    <>
                      , <Foreign text={kept.role} max={60} />
                    </>
                  )}{' '}
                  <span class="quiet">
                    {formatCount(length, 'character')}
                    {unread
                      ? ', not scanned: before the latest turn'
                      : kept?.cut && ', of which only the beginning was kept'}
                  </span>
                </p>
                {!unread && kept !== undefined && <MarkedText text={kept.content} spans={spans} active={activeHere} />}
                {!unread && (kept === undefined || spans.some(({ end }) => end > kept.content.length)) && (
                  <SpanStrip length={length} spans={spans} active={activeHere} />
                )}
              </li>
            );
          })}
        </ol>
        {listed.length < messages.count && (
          <p class="quiet">{formatCount(messages.count - listed.length, 'further message')} not shown.</p>
        )}
      </section>
      <section class="card">
        <h2>{formatCount(scan.summary.matches, 'match', 'matches')}</h2>
        {matches.length === 0 && <p class="quiet">Nothing matched.</p>}
        <ul class="match-list">
          {matches.slice(0, matchesShownMax).map((match, at) => (
            <li key={at} class={at === active ? 'active' : ''}>
              <button
                type="button"
                class="plain match-button"
                aria-pressed={at === active}
                onClick={() => setActive(at)}
              >
                <PolicyTag code={match.detector_type} />
                <span class="labels">
                  <Foreign text={match.labels.join(', ')} />
                </span>
                <SeverityTag severity={match.severity} />
                <span class="quiet number">
                  message {match.message_id + 1}, {formatNumber(match.start)}–{formatNumber(match.end)}
                </span>
              </button>
            </li>
          ))}
        </ul>
        {scan.summary.matches > Math.min(matches.length, matchesShownMax) && (
          <p class="quiet">
            {formatCount(
              scan.summary.matches - Math.min(matches.length, matchesShownMax),
              'further match',
              'further matches',
            )}{' '}
            not kept with the record.
          </p>
        )}
      </section>
      <RuleReasons ids={[...new Set(matches.flatMap((match) => match.rule_ids))]} />
    </>
  );
}

/** Indexes of the messages that are shown: of a long conversation those with matches before all, then those with a text to read. */
function listedMessages({ messages, matches }: ScanDetail): readonly number[] {
  if (messages.count <= messagesWholeMax) return [...messages.lengths.keys()];
  const kept = [...(messages.text?.keys() ?? [])].filter((index) => index >= messages.scanned_from);
  const listed = new Set([...matches.map(({ message_id }) => message_id), ...kept]);
  return [...listed].slice(0, messagesShownMax).sort((a, b) => a - b);
}

function Facts({ scan }: { readonly scan: ScanDetail }) {
  const applications = useApplications().value;
  return (
    <dl class="facts card">
      <Fact name="Verdict">
        <Verdict flagged={scan.flagged} />
      </Fact>
      <Fact name="Time">
        <Time iso={scan.created_at} />
      </Fact>
      <Fact name="Took">{formatUs(scan.duration_us)}</Fact>
      <Fact name="Application">
        {scan.app_uuid === null ? 'none' : <Foreign text={applicationName(applications, scan.app_uuid)} />}
      </Fact>
      <Fact name="Project">{scan.project_id === null ? 'none' : <Foreign text={scan.project_id} />}</Fact>
      <Fact name="Source">{scan.source.toUpperCase()}</Fact>
      <Fact name="Request">
        <code>
          <Foreign text={scan.request_id} />
        </code>
      </Fact>
      <Fact name="Rules and profile">
        <code>{scan.policy_version}</code>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function spanOf(match: StoredMatch) {
  return {
    start: match.start,
    end: match.end,
    policy: match.detector_type,
    label: `${match.detector_type} ${match.labels.join(', ')}`,
  };
}
