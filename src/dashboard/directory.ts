import { useApp } from './context.js';
import { type Resource, useResource } from './resource.js';
import type { Application, List, Profile } from './wire.js';

/** Lists that several pages need for their names and choices. */

export function useApplications(): Resource<readonly Application[]> {
  const { client } = useApp();
  return useResource('applications', (signal) =>
    client.get<List<Application>>('/applications', { signal }).then(({ data }) => data),
  );
}

export function useProfiles(): Resource<readonly Profile[]> {
  const { client } = useApp();
  return useResource('profiles', (signal) =>
    client.get<List<Profile>>('/profiles', { signal }).then(({ data }) => data),
  );
}

/** The name of an application, or its id where it is unknown here. */
export function applicationName(applications: readonly Application[] | undefined, id: string): string {
  return applications?.find((application) => application.id === id)?.name ?? id;
}
