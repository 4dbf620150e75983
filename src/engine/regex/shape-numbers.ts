import type { Shape } from './shape.js';

/** Numbers shapes, so that equal ones, wherever they come from, have one number. Cost: linear in what is new of a shape. */
export class ShapeNumbers {
  private readonly known = new WeakMap<Shape, number>();
  private readonly byKey = new Map<string, number>();

  of(shape: Shape): number {
    const known = this.known.get(shape);
    if (known !== undefined) return known;
    const key = this.keyOf(shape);
    const number = this.byKey.get(key) ?? this.byKey.size;
    this.byKey.set(key, number);
    this.known.set(shape, number);
    return number;
  }

  /** Of several in a row. */
  ofAll(shapes: readonly Shape[]): string {
    return shapes.map((shape) => this.of(shape)).join();
  }

  private keyOf(shape: Shape): string {
    const { kind } = shape;
    switch (kind) {
      case 'text':
        return `${kind} ${shape.folded === true} ${shape.text}`;
      case 'space':
        return `${kind} ${shape.optional}`;
      case 'set':
        return `${kind} ${shape.astral} ${shape.symbols.join('')}`;
      case 'unknown':
        return `${kind} ${shape.unitsMax}`;
      case 'sequence':
        return `${kind} ${this.ofAll(shape.parts)}`;
      case 'choice':
        return `${kind} ${this.ofAll(shape.options)}`;
      case 'repeat':
        return `${kind} ${shape.min} ${shape.max} ${this.of(shape.part)}`;
      case 'anchor':
        return `${kind} ${shape.at}`;
      case 'border':
        return kind;
    }
  }
}
