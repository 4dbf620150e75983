import { type Shape, unitsMax } from '../engine/regex/shape.js';

/**
 * Most collapsed units that RE2 looks at for a pattern whose every match stands at one end of the message; Infinity
 * where the pattern has no bound, or where a match may stand anywhere. RE2 leaves such a search where the bound is
 * reached (forwards from `^`, backwards from `$`), so that its cost does not grow with the message.
 */
export function anchoredStretchMax(shape: Shape): number {
  if (!isAnchored(shape, 'begin') && !isAnchored(shape, 'end')) return Number.POSITIVE_INFINITY;
  return unitsMax(withoutAnchors(shape));
}

/** True if every match begins (ends) at the message's begin (end). */
function isAnchored(shape: Shape, side: 'begin' | 'end'): boolean {
  switch (shape.kind) {
    case 'anchor':
      return true;
    case 'sequence': {
      const edge = side === 'begin' ? shape.parts[0] : shape.parts[shape.parts.length - 1];
      return edge !== undefined && isAnchored(edge, side);
    }
    case 'choice':
      return shape.options.every((option) => isAnchored(option, side));
    default:
      return false;
  }
}

function withoutAnchors(shape: Shape): Shape {
  switch (shape.kind) {
    case 'anchor':
      return { kind: 'sequence', parts: [] };
    case 'sequence':
      return { kind: 'sequence', parts: shape.parts.map(withoutAnchors) };
    case 'choice':
      return { kind: 'choice', options: shape.options.map(withoutAnchors) };
    case 'repeat':
      return { ...shape, part: withoutAnchors(shape.part) };
    default:
      return shape;
  }
}
