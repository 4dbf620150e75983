/** Examples of people and their credentials for the OpenAPI document. They are checked against their schemas by a test. */

const userId = '0b0e6d2e-0d6f-4a57-9d1c-3b9f0a7e4d21';
const appUuid = '6f2b0c1e-8f5d-4a57-9d1c-3b9f0a7e4d21';
const createdAt = '2026-01-31T08:00:00.000Z';

const meta = { total: 1, next_cursor: null };

export const signInExamples = {
  person: { summary: 'E-mail and password', value: { email: 'ada@example.org', password: 'correct horse battery' } },
};

export const passwordExamples = {
  change: {
    summary: 'A new password',
    value: { current_password: 'correct horse battery', new_password: 'staple that battery' },
  },
};

export const sessionExample = {
  user: { id: userId, email: 'ada@example.org', role: 'viewer', profile_id: 'default' },
  organization: { id: 'a7f4b9f2-6c0d-4b3e-8a55-1f6f4f6f3f11', name: 'Example' },
  csrf_token: 'yHnUuQ0zq1vQkq0y8yqG2wq5k7j0uR5a5oY8mI3c1tE',
  expires_at: '2026-01-31T16:00:00.000Z',
  scopes: ['results:read', 'policies:read'],
  version: '1.2.3',
};

export const sessionsEndedExample = { ended: 1 };

export const tokenExamples = {
  scanner: {
    summary: 'For one application',
    value: {
      name: 'checkout',
      scopes: ['guard:scan'],
      expires_at: '2026-12-31T00:00:00Z',
      app_uuid: appUuid,
    },
  },
};

export const tokenRecordExample = {
  id: '4f0f7c1e-52b3-4b0e-9a55-1f6f4f6f3f11',
  name: 'checkout',
  prefix: 'mrl_pat_4gT1',
  kind: 'pat',
  scopes: ['guard:scan'],
  user_id: userId,
  user_email: 'ada@example.org',
  app_uuid: appUuid,
  created_at: createdAt,
  expires_at: '2026-12-31T00:00:00.000Z',
  revoked_at: null,
  last_used_at: null,
};

export const tokensExample = { data: [tokenRecordExample], meta };

export const userExamples = {
  person: {
    summary: 'A person',
    value: { email: 'ada@example.org', role: 'member', password: 'correct horse battery', profile_id: 'default' },
  },
  service: { summary: 'A service user', value: { email: 'agent@example.org', role: 'member', service: true } },
};

export const userPatchExamples = { role: { summary: 'Another role', value: { role: 'viewer' } } };

export const userRecordExample = {
  id: userId,
  email: 'ada@example.org',
  role: 'member',
  service: false,
  can_sign_in: true,
  profile_id: 'default',
  created_at: createdAt,
};

export const usersExample = { data: [userRecordExample], meta };

export const applicationExamples = {
  shop: { summary: 'An application', value: { name: 'Checkout bot', profile_id: 'strict' } },
};

export const applicationPatchExamples = { pause: { summary: 'Deactivate', value: { active: false } } };

export const applicationRecordExample = {
  id: appUuid,
  name: 'Checkout bot',
  profile_id: 'strict',
  active: true,
  created_at: createdAt,
};

export const applicationsExample = { data: [applicationRecordExample], meta };

export const organizationExamples = { rename: { summary: 'Another name', value: { name: 'Example Ltd' } } };

export const organizationExample = {
  id: 'a7f4b9f2-6c0d-4b3e-8a55-1f6f4f6f3f11',
  name: 'Example Ltd',
  created_at: createdAt,
};

export const auditExample = {
  data: [
    {
      id: '17',
      at: createdAt,
      actor: { user_id: userId, email: 'ada@example.org', via: 'session', token_id: null },
      action: 'application.update',
      target: { kind: 'application', id: appUuid, name: 'Checkout bot' },
      changes: { profile_id: { before: 'default', after: 'strict' } },
      request_id: '4f0f7c1e-52b3-4b0e-9a55-1f6f4f6f3f11',
    },
  ],
  meta: { next_cursor: null },
};
