import { Foreign } from '../text/foreign-text.js';
import { plainText } from '../text/hidden-characters.js';
import type { Profile } from '../wire.js';

/** A profile, or the id of one that is not in a list. */
type Named = Pick<Profile, 'id'> & Partial<Pick<Profile, 'title'>>;

/** A profile as people and commands call it, e.g. `Balanced (default)`; its id alone where nothing else is known. */
export function ProfileName({ profile: { id, title } }: { readonly profile: Named }) {
  if (title === undefined) return <Foreign text={id} />;
  return (
    <>
      <Foreign text={title} /> ({id})
    </>
  );
}

/** The same where no element can stand, as in a choice of a list. */
export function profileName({ id, title }: Named): string {
  return title === undefined ? id : `${plainText(title)} (${id})`;
}

/** What a list of profiles has of an id. */
export function profileOf(profiles: readonly Profile[], id: string): Named {
  return profiles.find((profile) => profile.id === id) ?? { id };
}
