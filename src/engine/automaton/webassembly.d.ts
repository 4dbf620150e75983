// The part of WebAssembly's JavaScript interface that the engine uses; TypeScript ships it only with the DOM.
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum: number; shared: true });
    readonly buffer: SharedArrayBuffer;
    /** Gives the size before, in pages. Throws `RangeError` at the maximum. */
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: { env: { memory: Memory } });
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class CompileError extends Error {}
  class LinkError extends Error {}
}
