import { formatCount, formatNumber } from '../format.js';
import { href } from '../router.js';
import { Foreign } from '../text/foreign-text.js';
import { PolicyTag, SeverityTag } from '../ui/tags.js';
import type { ExplainedMatch } from '../wire.js';

const shownMax = 100;

interface Props {
  readonly matches: readonly ExplainedMatch[];
  /** Position of the first of them among everything that can be picked. */
  readonly from: number;
  readonly active: number | undefined;
  onPick(match: number): void;
}

/** Matches with their rules and reasons; picking one shows it stronger in the text. */
export function ExplainedMatches({ matches, from, active, onPick }: Props) {
  return (
    <>
      <ul class="match-list">
        {matches.slice(0, shownMax).map((match, index) => (
          <li key={index} class={from + index === active ? 'active' : ''}>
            <button
              type="button"
              class="plain match-button"
              aria-pressed={from + index === active}
              onClick={() => onPick(from + index)}
            >
              <PolicyTag code={match.detector_type} />
              <span class="labels">
                <Foreign text={match.labels.join(', ')} />
              </span>
              {match.via.length > 0 && (
                <span class="tag via">
                  found through <Foreign text={match.via.join(' → ')} />
                </span>
              )}
              <span class="quiet number">
                message {match.message_id + 1}, {formatNumber(match.start)}–{formatNumber(match.end)}
              </span>
            </button>
            <ul class="match-rules">
              {match.rules.map((rule) => (
                <li key={rule.id}>
                  <a href={href('rules', rule.id)}>{rule.id}</a> <Foreign text={rule.title} />{' '}
                  <SeverityTag severity={rule.severity} /> <span class="quiet number">{rule.score.toFixed(2)}</span>
                  <p class="quiet">
                    <Foreign text={rule.why} max={400} prose />
                  </p>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {matches.length > shownMax && (
        <p class="quiet">{formatCount(matches.length - shownMax, 'further match', 'further matches')} not listed.</p>
      )}
    </>
  );
}
