import { kernelBase64 } from './kernel.generated.js';

/** Memory page of WebAssembly, in bytes. */
export const pageBytes = 65_536;

/** Both work with the parameters at an address; see `wasm/kernel.ts`. */
export interface Kernel {
  search(args: number): number;
  survey(args: number): number;
}

const kernelModule = compileKernel();

/** The kernel over a program's memory, or undefined where the platform has no WebAssembly threads. */
export function loadKernel(memory: WebAssembly.Memory): Kernel | undefined {
  if (!kernelModule) return undefined;
  return new WebAssembly.Instance(kernelModule, { env: { memory } }).exports as unknown as Kernel;
}

function compileKernel(): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(Buffer.from(kernelBase64, 'base64'));
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return undefined;
    throw error;
  }
}
