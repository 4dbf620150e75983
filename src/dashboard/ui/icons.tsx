/** Drawings of this page; they carry no meaning of their own, so screen readers pass over them. */

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 5h4.5v4.5h2.25V5h4.5v4.5h2.25V5H21v14H3z" />
    </svg>
  );
}

const drawings = {
  '': 'M3 20V11m6 9V4m6 16v-7m6 7V8',
  scans: 'M4 6h16M4 12h16M4 18h10',
  playground: 'M5 4l14 8-14 8z',
  profiles: 'M5 4v9m0 4v3M12 4v3m0 4v9M19 4v11m0 4v1M3 15h4M10 9h4M17 17h4',
  'own-rules': 'M4 20l4-1L19 8l-3-3L5 16zM14 7l3 3',
  rules: 'M5 4h11a3 3 0 013 3v13H8a3 3 0 01-3-3zM9 8h6M9 12h6',
  applications: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  tokens: 'M14.5 9.5a4.5 4.5 0 10-4 4.47L12 15.5h2V18h2v2h4v-3z M8.5 8.5v.01',
  users: 'M12 11a4 4 0 100-8 4 4 0 000 8zM4 21a8 8 0 0116 0',
  audit: 'M12 7v5l3 2M12 3a9 9 0 11-9 9 9 9 0 019-9z',
  account: 'M12 3l8 4v5c0 4.5-3.5 8-8 9-4.500-1-8-4.500-8-9V7z',
  menu: 'M4 6h16M4 12h16M4 18h16',
} as const;

export type IconName = keyof typeof drawings;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  );
}

export function isIconName(name: string): name is IconName {
  return Object.hasOwn(drawings, name);
}
