/** Node versions with binaries of everything that Merlon needs: 20.20 or newer of 20, and 22. */
export function platformProblem(version: string, platform: string, arch: string): string | undefined {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  if (!((major === 20 && minor >= 20) || major === 22)) {
    return `Merlon runs on Node.js 20.20 or newer of 20, and on 22; this is ${version}.`;
  }
  const supported = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];
  const here = `${platform}-${arch}`;
  if (!supported.includes(here)) return `Merlon runs on ${supported.join(', ')}; this is ${here}.`;
  return undefined;
}
