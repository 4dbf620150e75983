import { kernelBase64 } from './kernel.generated.js';

/** Memory page of WebAssembly, in bytes. */
export const pageBytes = 65_536;

/** Searches with the parameters at an address; see `wasm/kernel.ts`. */
export type Kernel = (args: number) => number;

const kernelModule = compileKernel();

/** The kernel over a program's memory, or undefined where the platform has no WebAssembly threads. */
export function loadKernel(memory: WebAssembly.Memory): Kernel | undefined {
  if (!kernelModule) return undefined;
  return new WebAssembly.Instance(kernelModule, { env: { memory } }).exports.search as Kernel;
}

function compileKernel(): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(Buffer.from(kernelBase64, 'base64'));
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return undefined;
    throw error;
  }
}
