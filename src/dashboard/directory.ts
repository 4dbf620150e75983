import type { Client } from './client.js';
import { useApp } from './context.js';
import { type Resource, useResource } from './resource.js';
import type { Application, Page, Profile } from './wire.js';

/** Lists that are shown whole, and those of them that several pages need for their names and choices. */

const perPage = 100;
/** Items read of a list that is shown whole: as many applications, and as many users, as an organization may have. */
export const listedMax = 10_000;

/** The whole of a list, newest first. The service gives it oldest first: where it has more than `listedMax`, the oldest. */
export async function listAll<Item>(client: Client, path: string, signal: AbortSignal): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  while (items.length < listedMax) {
    const query = { per_page: perPage, cursor };
    const { data, meta }: Page<Item> = await client.get<Page<Item>>(path, { query, signal });
    items.push(...data);
    if (meta.next_cursor === null) break;
    cursor = meta.next_cursor;
  }
  return items.reverse();
}

export function useApplications(): Resource<readonly Application[]> {
  const { client } = useApp();
  return useResource('applications', (signal) => listAll<Application>(client, '/applications', signal));
}

export function useProfiles(): Resource<readonly Profile[]> {
  const { client } = useApp();
  return useResource('profiles', (signal) =>
    client.get<Page<Profile>>('/profiles', { signal }).then(({ data }) => data),
  );
}

/** The name of an application, or its id where it is unknown here. */
export function applicationName(applications: readonly Application[] | undefined, id: string): string {
  return applications?.find((application) => application.id === id)?.name ?? id;
}
