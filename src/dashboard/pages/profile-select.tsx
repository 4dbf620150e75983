import { Field } from '../ui/field.js';
import type { Profile } from '../wire.js';
import { profileName } from './profile-name.js';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly profiles: readonly Profile[];
  readonly error?: string | undefined;
  onChange(id: string): void;
}

/** Chooses a profile; one that is not in the list any more stays chosen by its id. */
export function ProfileSelect({ label, value, profiles, error, onChange }: Props) {
  const known = profiles.some(({ id }) => id === value);
  return (
    <Field label={label} error={error}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {!known && <option value={value}>{value}</option>}
          {profiles.map((profile) => (
            <option key={profile.id} value={profile.id}>
              {profileName(profile)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
