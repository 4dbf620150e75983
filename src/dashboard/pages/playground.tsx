import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useApp } from '../context.js';
import { scanCurl, type Target } from '../curl.js';
import { useApplications, useProfiles } from '../directory.js';
import { formatCount, formatUs } from '../format.js';
import { policyCodes } from '../policies.js';
import type { PageProps } from '../routes.js';
import { countCodePoints, countHidden, plainText } from '../text/hidden-characters.js';
import { editorUnitsMax, MarkedEditor } from '../text/marked-editor.js';
import { type MarkedSpan, MarkedText } from '../text/marked-text.js';
import { type Draft, useTrial } from '../trial.js';
import { ScoreBar } from '../ui/bars.js';
import { CopyBlock } from '../ui/copy-button.js';
import { Field } from '../ui/field.js';
import { focusHeading, PageHead } from '../ui/page-head.js';
import { ProblemNotice } from '../ui/states.js';
import { Verdict } from '../ui/tags.js';
import type { ExplainedMatch, Explanation, Message } from '../wire.js';
import { ExplainedMatches } from './explained-matches.js';
import { useExplanation } from './explanation.js';
import { profileName, profileOf } from './profile-name.js';

const hiddenReadUnits = 200_000;
const roles = ['user', 'assistant', 'system', 'tool', 'developer'] as const;

/** Try messages against a profile: what is found, where, through which reading, and how close it was. */
export function PlaygroundPage(_props: PageProps) {
  const { session } = useApp();
  const [trial, setTrial] = useTrial();
  const { drafts, choice } = trial;
  const setDrafts = (next: readonly Draft[]) => setTrial({ ...trial, drafts: next });
  const [active, setActive] = useState<number>();
  const profiles = useProfiles().value ?? [];
  const applications = useApplications().value ?? [];
  const messages = useMemo(() => drafts.map(({ role, content }) => ({ role, content })), [drafts]);
  const target = useMemo(() => targetOf(choice), [choice]);
  const explained = useExplanation(messages, target);
  const { explanation } = explained;

  const change = (key: number, part: Partial<Message>) => {
    setActive(undefined);
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...part } : draft)));
  };
  const remove = (key: number) => {
    // Picked matches are named by their place among all.
    setActive(undefined);
    setDrafts(drafts.filter((draft) => draft.key !== key));
    focusHeading();
  };
  const add = () => {
    const last = drafts.at(-1);
    setDrafts([
      ...drafts,
      { key: (last?.key ?? 0) + 1, role: last?.role === 'user' ? 'assistant' : 'user', content: '' },
    ]);
  };
  return (
    <>
      <PageHead
        title="Playground"
        intro="Type or paste messages; what a scan would find is marked in place. Nothing of this is recorded."
      />
      <div class="playground">
        <section class="card" aria-label="Messages">
          <Field label="Scan as">
            {(control) => (
              <select
                {...control}
                value={choice}
                onChange={(event) => setTrial({ ...trial, choice: event.currentTarget.value })}
              >
                <option value="">Your default: {profileName(profileOf(profiles, session.user.profile_id))}</option>
                <optgroup label="Profile">
                  {profiles.map((profile) => (
                    <option key={profile.id} value={`p:${profile.id}`}>
                      {profileName(profile)}
                    </option>
                  ))}
                </optgroup>
                <optgroup label="Application">
                  {applications
                    .filter(({ active: isActive }) => isActive)
                    .map((application) => (
                      <option key={application.id} value={`a:${application.id}`}>
                        {plainText(application.name)}
                      </option>
                    ))}
                </optgroup>
              </select>
            )}
          </Field>
          {drafts.map((draft, index) => (
            <DraftEditor
              key={draft.key}
              draft={draft}
              index={index}
              {...(explained.messages[index]?.content === draft.content ? { explanation } : {})}
              active={active}
              onChange={(part) => change(draft.key, part)}
              {...(drafts.length > 1 ? { onRemove: () => remove(draft.key) } : {})}
            />
          ))}
          <div class="actions">
            <button type="button" onClick={add}>
              Add a message
            </button>
          </div>
        </section>
        <section class="card result" aria-label="Result" aria-busy={explained.pending}>
          {!explained.pending && <ProblemNotice problem={explained.problem} />}
          {explanation !== undefined ? (
            <Result {...explained} explanation={explanation} active={active} onPick={setActive} />
          ) : explained.pending ? (
            <Scanning />
          ) : (
            explained.problem === undefined && <p class="quiet">Type something to see what is found in it.</p>
          )}
        </section>
      </div>
      <section class="card">
        <h2>The same over REST</h2>
        <CopyBlock text={scanCurl(location.origin, messages, target)} name="request as a curl command" />
        <p class="hint">
          {target.profile_id === undefined ? (
            <>
              This scan is recorded. <code>POST /api/v1/guard/explain</code> takes the same messages, answers what you
              see here, and records nothing.
            </>
          ) : (
            <>
              Only an explanation, of which nothing is recorded, can name a profile. <code>POST /api/v1/guard</code>{' '}
              goes by the profile of the application, or else of the user whose token asks.
            </>
          )}
        </p>
      </section>
    </>
  );
}

interface DraftProps {
  readonly draft: Draft;
  readonly index: number;
  /** Only while it is about this very text. */
  readonly explanation?: Explanation | undefined;
  readonly active: number | undefined;
  onChange(part: Partial<Message>): void;
  onRemove?(): void;
}

function DraftEditor({ draft, index, explanation, active, onChange, onRemove }: DraftProps) {
  const own = useMemo(
    () => allMatches(explanation).flatMap((match, at) => (match.message_id === index ? [{ match, at }] : [])),
    [explanation, index],
  );
  const spans = useMemo(
    () =>
      own.map(({ match, at }) => ({
        start: match.start,
        end: match.end,
        policy: match.detector_type,
        label: `${match.detector_type} ${match.labels.join(', ')}`,
        faint: at >= (explanation?.matches.length ?? 0),
      })),
    [own, explanation],
  );
  const activeHere = own.findIndex(({ at }) => at === active);
  const characters = useMemo(() => countCodePoints(draft.content), [draft.content]);
  const hidden = useMemo(() => countHidden(draft.content, hiddenReadUnits), [draft.content]);
  const isLong = draft.content.length > editorUnitsMax;
  const box = useRef<HTMLDivElement>(null);
  const wasLong = useRef(isLong);
  // What had the focus is gone, be it the field or the button that has cleared it.
  useEffect(() => {
    if (wasLong.current !== isLong)
      box.current?.querySelector<HTMLElement>('textarea, .marked + .actions button')?.focus();
    wasLong.current = isLong;
  }, [isLong]);
  return (
    <div class="draft" ref={box}>
      <div class="draft-head">
        <label>
          <span class="visually-hidden">Role of message {index + 1}</span>
          <select class="small" value={draft.role} onChange={(event) => onChange({ role: event.currentTarget.value })}>
            {roles.map((role) => (
              <option key={role}>{role}</option>
            ))}
          </select>
        </label>
        <span class="quiet number">{formatCount(characters, 'character')}</span>
        {onRemove !== undefined && (
          <button type="button" class="small plain" aria-label={`Remove message ${index + 1}`} onClick={onRemove}>
            Remove
          </button>
        )}
      </div>
      {isLong ? (
        <LongMessage
          text={draft.content}
          spans={spans}
          active={activeHere}
          number={index + 1}
          onClear={() => onChange({ content: '' })}
        />
      ) : (
        <Field label={`Message ${index + 1}`} class="label-hidden">
          {(control) => (
            <MarkedEditor
              control={control}
              text={draft.content}
              spans={spans}
              active={activeHere}
              onInput={(content) => onChange({ content })}
            />
          )}
        </Field>
      )}
      {index < (explanation?.scanned_from ?? 0) && <p class="note">Not scanned: it is before the latest turn.</p>}
      {hidden.length > 0 && (
        <p class="note">
          Characters that cannot be seen:{' '}
          {hidden
            .slice(0, 8)
            .map(({ name, count }) => `${name} (${count})`)
            .join(', ')}
          {hidden.length > 8 && ' …'}
        </p>
      )}
    </div>
  );
}

interface LongProps {
  readonly text: string;
  readonly spans: readonly MarkedSpan[];
  readonly active: number;
  readonly number: number;
  onClear(): void;
}

/** A message that is too long to be edited here: it is scanned whole, and what matters of it is shown. */
function LongMessage({ text, spans, active, number, onClear }: LongProps) {
  return (
    <section aria-label={`Message ${number}, too long to edit`}>
      <MarkedText text={text} spans={spans} active={active} />
      <div class="actions">
        <button type="button" class="small" onClick={onClear}>
          Clear to type again
        </button>
      </div>
    </section>
  );
}

interface ResultProps {
  readonly explanation: Explanation;
  readonly roundTripMs: number | undefined;
  /** It is of what the messages were before. */
  readonly pending: boolean;
  readonly active: number | undefined;
  onPick(match: number): void;
}

function Result({ explanation, roundTripMs, pending, active, onPick }: ResultProps) {
  const { flagged, policies, scores, matches, hints, truncated, timing } = explanation;
  const scored = policyCodes.flatMap((code) => {
    const score = scores[code];
    return score === undefined || score.mode === 'off' ? [] : [{ code, score }];
  });
  const hit = scored.filter(({ score }) => score.score > 0);
  return (
    <div class={pending ? 'past' : ''}>
      {pending ? (
        <Scanning />
      ) : (
        <p class="verdict-line" role="status">
          <Verdict flagged={flagged} />
          <span>{flagged ? policies.join(', ') : formatCount(matches.length, 'match', 'matches')}</span>
          <span class="quiet number">
            {formatUs(timing.scan_us)} scan
            {roundTripMs !== undefined && `, ${formatUs(roundTripMs * 1_000)} there and back`}
          </span>
        </p>
      )}
      <h3>Scores against thresholds</h3>
      {hit.length === 0 && <p class="quiet">No policy has a score above 0.</p>}
      {hit.map(({ code, score }) => (
        <ScoreBar key={code} code={code} score={score} />
      ))}
      <h3>{formatCount(matches.length, 'match', 'matches')}</h3>
      <ExplainedMatches matches={matches} from={0} active={active} onPick={onPick} />
      {hints.length > 0 && (
        <>
          <h3>{formatCount(hints.length, 'hint')} that no scan reports</h3>
          <ExplainedMatches matches={hints} from={matches.length} active={active} onPick={onPick} />
        </>
      )}
      {truncated && <p class="note">There are more matches than are told. Scores and verdict are complete.</p>}
    </div>
  );
}

/** Stands where the verdict will. */
function Scanning() {
  return (
    <p class="verdict-line" role="status">
      Scanning …
    </p>
  );
}

/** What a choice of the list stands for: `p:` and a profile's id, `a:` and an application's, or nothing. */
function targetOf(choice: string): Target {
  const id = choice.slice(2);
  if (choice === '') return {};
  return choice.startsWith('a:') ? { app_uuid: id } : { profile_id: id };
}

/** Matches and, after them, hints: their positions name them on this page. */
function allMatches(explanation: Explanation | undefined): readonly ExplainedMatch[] {
  return explanation === undefined ? [] : [...explanation.matches, ...explanation.hints];
}
