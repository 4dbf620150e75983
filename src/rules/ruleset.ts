import type { PolicyCode } from '../domain/policy.js';
import type { RuleSource } from './pack-schema.js';
import type { YamlFile } from './yaml-file.js';
import type { YamlPath } from './yaml-path.js';

/** A rule with its policy and with the place it was written at. */
export interface LocatedRule {
  readonly policy: PolicyCode;
  readonly source: RuleSource;
  readonly pack: YamlFile<unknown>;
  /** Path of the rule in its pack. */
  readonly path: YamlPath;
}
