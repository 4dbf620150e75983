import { Foreign } from '../text/foreign-text.js';
import { plainText } from '../text/hidden-characters.js';
import type { Profile } from '../wire.js';

interface Props {
  readonly profiles: readonly Profile[];
  readonly id: string;
}

/** A profile as people and commands call it, e.g. `Balanced (default)`; its id alone where it is not in the list. */
export function ProfileName({ profiles, id }: Props) {
  const title = titleOf(profiles, id);
  if (title === undefined) return <Foreign text={id} />;
  return (
    <>
      <Foreign text={title} /> ({id})
    </>
  );
}

/** The same where no element can stand, as in a choice of a list. */
export function profileName(profiles: readonly Profile[], id: string): string {
  const title = titleOf(profiles, id);
  return title === undefined ? id : `${plainText(title)} (${id})`;
}

function titleOf(profiles: readonly Profile[], id: string): string | undefined {
  return profiles.find((profile) => profile.id === id)?.title;
}
