import { compileKernel } from '../kernel-loader.js';
import { kernelBase64 } from './kernel.generated.js';

/** Both work with the parameters at an address; see `wasm/kernel.ts`. */
export interface Kernel {
  search(args: number): number;
  searchAround(args: number): number;
  survey(args: number): number;
  settle(args: number): number;
  repeatedSpace(args: number): number;
}

const kernelModule = compileKernel(kernelBase64);

/** The kernel over a program's memory, or undefined where the platform has no WebAssembly threads. */
export function loadKernel(memory: WebAssembly.Memory): Kernel | undefined {
  if (!kernelModule) return undefined;
  return new WebAssembly.Instance(kernelModule, { env: { memory } }).exports as unknown as Kernel;
}
