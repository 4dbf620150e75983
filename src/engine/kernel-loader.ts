/** Memory page of WebAssembly, in bytes. */
export const pageBytes = 65_536;

/** A kernel, compiled; undefined where the platform has no WebAssembly threads. */
export function compileKernel(base64: string): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(Buffer.from(base64, 'base64'));
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return undefined;
    throw error;
  }
}

/**
 * A piece of the memory that no other thread uses, for good: growing is atomic. Its address, or undefined when the
 * memory is at its maximum.
 */
export function takeScratch(memory: WebAssembly.Memory, bytes: number): number | undefined {
  try {
    return memory.grow(Math.ceil(bytes / pageBytes)) * pageBytes;
  } catch {
    return undefined;
  }
}
