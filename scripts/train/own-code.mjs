// Ordinary code of our own making, for kinds of which pinned packages hold little: markup, queries, scripts of shells and
// editors, tables. Written for this project; every text is put together by a seeded choice.

const nouns =
  'account address album answer archive balance bank basket book branch bridge budget bundle calendar camera card catalog chapter city client cloud color column comment config contract counter country course customer date desk device document door draft driver edge editor email engine entry event field figure file filter flag folder font forest form frame garden gate graph group guest header height hotel icon image index invoice island item journal key kitchen label lake language layer layout ledger lesson letter level library limit line list location lock machine mail map market member memory menu message meter model module month mountain music name network node note number object office offer option order owner package page panel parser part path patient payment person phone photo picture pixel place plan plugin point policy port post price printer product profile project proxy queue range rate reader recipe record region report request result river role room route row rule sample scene schedule school score screen season section seat sensor server service session shape shelf shop signal size slot song source space stage station status step stock store stream street string student style subject summary system table tag target task teacher team template term test text theme thread ticket time title token tool topic track train tree trip unit user value vendor version video view village visit voice volume wallet water weather week weight width window winter word worker year zone'.split(
    ' ',
  );
const verbs =
  'add allow apply attach begin bind build cache call check choose clean clear close collect compare compile copy count create cut define delete deploy divide download draw drop edit emit enable end enter evaluate expand export fetch fill find finish flush fold format freeze get grow handle hide import include init insert install invoke join keep launch link list load lock log make map mark match measure merge mount move name normalize notify open order pack parse patch pause pick place plan play print push put quote read receive reduce register release reload remove rename render repeat replace reset resize resolve resume return rotate round run save scan search select send set share show shuffle skip sleep sort split start stop store strip switch sync take test toggle track trim turn type undo unload unlock update upload use validate visit wait walk wrap write'.split(
    ' ',
  );
const places = 'en de fr it es pt nl sv nb da fi pl cs sk hu ro ru uk el tr zh ja ko ar he vi id ms lt lv'.split(' ');
const licences = ['GPL-2+', 'MIT', 'Apache-2.0', 'BSD-3-Clause', 'the public domain', 'LGPL-2.1'];
const people = ['Mara Lind', 'Jonas Ek', 'Ines Prado', 'Tomoko Arai', 'Ola Berg', 'Ruth Vance', 'Ivan Petrov'];

/** Choices by one seeded generator: the words that all kinds of code are made of. */
function voice(next) {
  const among = (list) => list[Math.floor(next() * list.length)];
  const below = (end) => Math.floor(next() * end);
  const noun = () => among(nouns);
  const verb = () => among(verbs);
  const cap = (word) => word[0].toUpperCase() + word.slice(1);
  const times = (least, most, make, between = '\n') =>
    Array.from({ length: least + below(most - least + 1) }, (_, place) => make(place)).join(between);
  const camel = () => `${among([noun, verb])()}${cap(noun())}`;
  const snake = () => `${noun()}_${noun()}`;
  const dotted = () => `org.${noun()}.${noun()}`;
  const release = () => `${below(12)}.${below(30)}.${below(20)}`;
  const sentence = () =>
    among([
      `${cap(verb())} the ${noun()} of each ${noun()}.`,
      `The ${noun()} is ${among(['kept', 'sorted', 'made', 'read', 'closed'])} before the ${noun()} ${verb()}s.`,
      `${cap(noun())} ${noun()} (${noun()} or ${noun()})`,
      `See the ${noun()} for how to ${verb()} a ${noun()}.`,
    ]);
  return { among, below, noun, verb, cap, times, camel, snake, dotted, release, sentence };
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';

const kinds = {
  pom: ({ times, dotted, noun, release, sentence, among, cap }) =>
    `${among([xmlHead, ''])}<project xmlns="http://maven.apache.org/POM/4.0.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <modelVersion>4.0.0</modelVersion>
  <groupId>${dotted()}</groupId>
  <artifactId>${noun()}-${noun()}</artifactId>
  <version>${release()}</version>
  <name>\${project.artifactId}</name>
  <description>${sentence()}</description>
  <properties>
${times(1, 4, () => `    <${noun()}.version>${release()}</${noun()}.version>`)}
  </properties>
  <dependencies>
${times(1, 5, () => `    <dependency>\n      <groupId>${dotted()}</groupId>\n      <artifactId>${noun()}-${noun()}</artifactId>\n      <version>\${${noun()}.version}</version>\n      <scope>${among(['test', 'compile', 'provided'])}</scope>\n    </dependency>`)}
  </dependencies>
  <developers><developer><name>${among(people)}</name><role>${cap(noun())}</role></developer></developers>
</project>`,
  translations: ({ times, noun, cap, among }) => {
    const tag = among(['comment', 'summary', 'name', 'string', 'label']);
    return `${among([xmlHead, ''])}<${noun()}-type xmlns="http://www.example.org/standards/${noun()}" type="application/x-${noun()}">
${times(6, 26, () => `  <${tag} xml:lang="${among(places)}">${among([cap, String])(noun())} ${noun()}${among([' dokument', '-bestand', ' документ', ' ドキュメント', ' belgesi', 'fil', ' dokumentas', ''])}</${tag}>`)}
  <glob pattern="*.${noun()}"/>
  <alias type="${noun()}/${noun()}"/>
</${noun()}-type>`;
  },
  settings: ({ times, noun, camel, among, below, sentence }) => {
    const root = noun();
    return `${among([xmlHead, '<?xml version="1.0"?>\n', ''])}<${root} ${noun()}="${noun()}">
  <!-- ${sentence()} -->
${times(3, 14, () =>
  among([
    () => `  <${noun()} id="${camel()}" enabled="${among(['true', 'false'])}"/>`,
    () => `  <property name="${noun()}.${noun()}" value="${below(900)}"/>`,
    () => `  <entry>\n    <key>${camel()}</key>\n    <string>${noun()} ${noun()}</string>\n  </entry>`,
    () => `  <xsd:element name="${camel()}" type="xsd:string" minOccurs="0"/>`,
    () => `  <item android:id="@+id/${camel()}" android:title="@string/${noun()}" />`,
  ])(),
)}
</${root}>`;
  },
  drawing: ({ times, below, noun, among }) => {
    const point = () => `${below(500)}.${below(9)} ${below(500)}`;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${below(512)} ${below(512)}" width="${below(64)}" height="${below(64)}" aria-hidden="true">
${times(1, 6, () =>
  among([
    () =>
      `  <path d="M${point()}c${times(3, 16, () => `${below(30)}.${below(9)}-${below(20)} ${point()}`, 's')}z" fill="#${100 + below(800)}"/>`,
    () => `  <g id="${noun()}"><circle cx="${below(90)}" cy="${below(90)}" r="${below(20)}"/></g>`,
    () => `  <rect x="${below(90)}" y="${below(90)}" width="${below(90)}" height="8" class="${noun()}"/>`,
    () => `  <use href="#${noun()}" transform="translate(${below(90)},${below(90)})"/>`,
  ])(),
)}
</svg>`;
  },
  page: ({ times, noun, verb, cap, among, camel, sentence, below }) =>
    `${among(['<!DOCTYPE html>\n<html lang="en">\n', ''])}<head>
  <meta charset="utf-8">
  <title>${cap(noun())} ${noun()}</title>
  <link rel="stylesheet" href="${noun()}/${noun()}.css">
  ${among([`<script src="${noun()}.js"></script>`, `<script>\n    var ${camel()} = "${noun()}";\n    window.${camel()} = window.${camel()} || [];\n  </script>`, ''])}
</head>
<body class="${noun()}">
${times(2, 9, () =>
  among([
    () =>
      `<p>${sentence()} <a class="reference internal" href="#${noun()}">${noun()}</a> &amp; <code>${camel()}()</code>.</p>`,
    () =>
      `<pre><code class="language-${noun()}"><span class="k">fn</span> ${camel()}() { ${noun()}::<span class="n">${verb()}</span>(); }</code></pre>`,
    () => `<tr><td>${noun()}</td><td align="right">${below(999)}</td><td>&lt;${noun()}&gt;</td></tr>`,
    () =>
      `<li class="chapter-item"><a href="${noun()}-${below(20)}.html"><strong aria-hidden="true">${below(20)}.</strong> ${cap(noun())}</a></li>`,
    () =>
      `<input type="${among(['text', 'email', 'number'])}" id="${camel()}" name="${noun()}" placeholder="${cap(noun())}" required>`,
    () => `<button type="button" onclick="${camel()}(${below(50)})">${cap(noun())}</button>`,
    () => `<img src="${noun()}/${noun()}.png" alt="${sentence()}" onerror="this.style.display='none'">`,
    () => `<div id="${noun()}" data-${noun()}="${below(40)}"><span>${noun()}</span></div><!-- ${noun()} -->`,
  ])(),
)}
</body>`,
  tables: ({ times, snake, noun, among, below, camel }) =>
    times(
      1,
      4,
      () =>
        among([
          () =>
            `CREATE TABLE ${among(['IF NOT EXISTS ', ''])}${snake()} (\n  id ${among(['SERIAL', 'INTEGER', 'BIGINT UNSIGNED'])} PRIMARY KEY,\n${times(2, 6, () => `  ${snake()} ${among(['VARCHAR(64) NOT NULL', 'TEXT', 'INTEGER DEFAULT 0 CHECK (id > 0)', 'TIMESTAMP DEFAULT CURRENT_TIMESTAMP', 'NUMERIC(10,2)', 'BOOLEAN'])}`, ',\n')}\n);`,
          () =>
            `INSERT INTO ${snake()} (${snake()}, ${noun()}) VALUES\n  (${below(90)}, '${noun()}'),\n  (${below(90)}, 'the ${noun()}''s ${noun()}');`,
          () => `CREATE ${among(['UNIQUE ', ''])}INDEX ${snake()}_idx ON ${snake()} (${noun()}, ${snake()});`,
          () => `ALTER TABLE ${snake()} ADD COLUMN ${snake()} INTEGER; -- ${noun()} ${noun()}`,
          () => `GRANT SELECT, INSERT ON ${snake()} TO '${noun()}'@'localhost';`,
          () =>
            `CREATE FUNCTION ${camel()}(${noun()} text) RETURNS integer\nAS 'MODULE_PATHNAME', '${snake()}'\nLANGUAGE C STRICT;`,
          () => `BEGIN;\nUPDATE ${snake()} SET ${noun()} = ${noun()} + 1 WHERE id = ${below(900)};\nCOMMIT;`,
        ])(),
      '\n\n',
    ),
  queries: ({ times, snake, noun, among, below, sentence }) =>
    times(
      1,
      3,
      () =>
        `${among([`-- ${sentence()}\n`, ''])}SELECT ${among(['DISTINCT ', ''])}${times(1, 4, () => among([`a.${snake()}`, `COUNT(*) AS ${noun()}`, `COALESCE(${noun()}, 0)`, `CASE WHEN ${noun()} > ${below(90)} THEN '${noun()}' ELSE '${noun()}' END AS ${noun()}`, `SUBSTRING(${noun()} FROM 1 FOR 3)`, `CAST(${noun()} AS integer)`]), ', ')}
FROM ${snake()} a
${among([`LEFT JOIN ${snake()} b ON b.${noun()}_id = a.id`, `JOIN ${snake()} USING (${noun()})`, ''])}
WHERE ${times(1, 3, () => among([`a.${noun()} = '${noun()}'`, `${noun()} LIKE '%${noun()}%'`, `${noun()} IS NOT NULL`, `${noun()} IN (SELECT ${noun()} FROM ${snake()})`, `${noun()} BETWEEN ${below(9)} AND ${below(99)}`, `EXISTS (SELECT 1 FROM ${snake()} c WHERE c.id = a.id)`]), among(['\n  AND ', '\n  OR ']))}
${among([`GROUP BY ${among(['1, 2', noun()])} HAVING COUNT(*) > ${below(9)}`, `UNION ALL SELECT ${noun()} FROM ${snake()}`, ''])}
${among(['ORDER BY 2 DESC', `ORDER BY ${noun()}`, ''])}${among([` LIMIT ${below(90)}`, ''])};`,
      '\n\n',
    ),
  shell: ({ times, noun, verb, among, below, sentence, snake }) =>
    `${among(['#!/bin/sh\nset -e\n', '#!/usr/bin/env bash\nset -euo pipefail\n', ''])}# ${sentence()}
${times(
  2,
  7,
  () =>
    among([
      () =>
        `if [ -d "/var/lib/${noun()}" ] && [ -z "$${snake().toUpperCase()}" ]; then\n    rm -rf "/var/lib/${noun()}/${noun()}" || true\nfi`,
      () =>
        `case "$1" in\n    ${verb()}|${verb()})\n        ${noun()}-${verb()} --${noun()} "$2" >/dev/null 2>&1 || true\n        ;;\n    *)\n        echo "$0: unknown argument '$1'" >&2\n        exit 1\n        ;;\nesac`,
      () => `for ${noun()} in \`ls /etc/${noun()}.d | sort\`; do\n    . "/etc/${noun()}.d/$${noun()}"\ndone`,
      () =>
        `${snake()}() {\n    local ${noun()}=\${1:-${noun()}}\n    sed -e "s/@${noun()}@/$${noun()}/g" < ${noun()}.in > ${noun()}.out\n}`,
      () =>
        `while read -r ${noun()} ${noun()}; do printf '%s\\n' "$${noun()}"; done < <(grep -v '^#' ${noun()}.conf | awk '{print $${below(5)}}')`,
      () => `trap 'rm -f "$tmp"; exit $?' EXIT INT TERM\ntmp=$(mktemp -d)`,
      () => `cat <<EOF\nUsage: \`basename $0\` [--${noun()} DIR] [--${verb()}]\n  --${noun()}   ${sentence()}\nEOF`,
      () => `eval "$(${noun()} --${noun()}-env)" && export ${snake().toUpperCase()}="\${PATH%%:*}/${noun()}"`,
      () =>
        `curl -fsSL "https://example.org/${noun()}.tar.gz" | tar xz -C /opt/${noun()} && systemctl restart ${noun()}`,
    ])(),
  '\n\n',
)}`,
  perl: ({ times, noun, cap, among, below, camel, snake, sentence, verb }) =>
    `package ${cap(noun())}::${cap(noun())};
use strict;
use warnings;
our $VERSION = "${below(9)}.${below(90)}";
${times(
  2,
  6,
  () =>
    among([
      () =>
        `sub ${snake()} {\n    my ($self, %args) = @_;\n    return unless defined $args{${noun()}};\n    $self->{${noun()}} =~ s/^\\s+|\\s+$//g;\n    return wantarray ? @{ $self->{${noun()}} } : $self->{${noun()}}[0];\n}`,
      () =>
        `use constant ${snake().toUpperCase()} => do { !$ENV{'${snake().toUpperCase()}'} and eval { require ${cap(noun())}::${cap(noun())}; 1 } };`,
      () => `=head1 ${noun().toUpperCase()}\n\n${sentence()} L<${cap(noun())}::${cap(noun())}>, C<${camel()}>\n\n=cut`,
      () =>
        `open(my $fh, '<', "$dir/${noun()}") or die "cannot open: $!";\nwhile (<$fh>) {\n    next if /^#/;\n    push @${noun()}, [split /\\t/];\n}\nclose($fh);`,
      () => `BEGIN { *${verb()} = \\&${cap(noun())}::${verb()}; }\neval 'exec /usr/bin/perl -S $0 \${1+"$@"}' if 0;`,
    ])(),
  '\n\n',
)}
1;`,
  editor: ({ times, noun, cap, below, among, camel }) =>
    times(4, 16, () =>
      among([
        () => `syn match   ${camel()}\t"\\<${noun()}\\%(\\s\\|$\\)\\@="`,
        () => `syn region ${camel()} start=+"+ skip=+\\\\\\\\\\|\\\\"+ end=+"+ contains=@Spell,${camel()}`,
        () => `hi def link ${noun()}${cap(noun())}\t${cap(noun())}`,
        () => `menutrans &${cap(noun())}\\ ${noun()}<Tab>:${noun()}\t&${cap(noun())}<Tab>:${noun()}`,
        () => `let s:${noun()} = '\\(^\\|[^\\\\]\\)' . s:${noun()} . '[{([][^)}]*$'`,
        () => `if exists("b:${noun()}") || has("gui_${noun()}")\n  finish\nendif`,
        () =>
          `[${below(99)}] = { ${times(2, 7, () => among(['false', 'nil', `"${noun()}"`, `map_${noun()}`]), ', ')} },`,
        () =>
          `macro(${camel()} ${noun()})\n  set(\${${noun()}} "\${CMAKE_${noun().toUpperCase()}_DIR}/${noun()}")\nendmacro()`,
        () => `"######## ${noun()} ########"`,
        () => `proc ${noun()}::${noun()} {args} { upvar 1 $args a; return [lindex $a ${below(9)}] }`,
      ])(),
    ),
  commands: ({ times, noun, verb, among, below, snake }) =>
    times(1, 3, () =>
      among([
        () => `${among(['sudo ', ''])}systemctl ${among(['restart', 'status', 'enable --now'])} ${noun()}.service`,
        () =>
          `find /${noun()} -type f -name '*.${noun()}' -mtime +${below(30)} -exec ${among(['rm', 'ls -l', 'gzip'])} {} \\;`,
        () => `ps aux | grep '[${noun()[0]}]${noun()}' | awk '{print $2}' | xargs kill -${below(15)}`,
        () => `cat ${noun()}.txt | sort | uniq -c | sort -rn | head -n ${below(30)}`,
        () =>
          `curl -s -X POST http://localhost:${8000 + below(900)}/${noun()} -H 'Content-Type: application/json' -d '{"${noun()}": ${below(90)}}'`,
        () => `docker exec -it ${noun()} ${among(['bash', 'sh -c "env | sort"', 'ls -la /etc'])}`,
        () => `ssh ${noun()}@${noun()}.example.org 'cd /srv/${noun()} && git pull; ls; whoami'`,
        () => `for ${noun()} in $(seq 1 ${below(90)}); do echo "$${noun()}"; sleep ${below(9)}; done`,
        () => `tar czf - ${noun()} | ssh ${noun()} "cat > /tmp/${noun()}.tgz"`,
        () => `ping -c ${below(9)} ${noun()}.example.org && echo up || echo down`,
        () => `awk -F: '$3 >= ${below(900)} {print $1}' /etc/${among(['passwd', 'group', noun()])}`,
        () => `openssl s_client -connect ${noun()}.example.org:443 </dev/null | openssl x509 -noout -dates`,
        () =>
          `Get-${among(['Process', 'Service', 'ChildItem'])} | Where-Object { $_.Name -like '*${noun()}*' } | ${verb()}-Object`,
        () => `export ${snake().toUpperCase()}="$(cat ~/.${noun()})"; echo $?`,
        () => `mysql -u ${noun()} -p -e "SELECT COUNT(*) FROM ${snake()};"`,
        () => `iptables -A INPUT -p tcp --dport ${below(9999)} -j ACCEPT`,
      ])(),
    ),
  calls: ({ times, noun, cap, camel, among, below, sentence, snake }) =>
    times(1, 3, () =>
      among([
        () => `document.getElementById('${noun()}').innerHTML = '<b>' + ${camel()}.length + '</b>';`,
        () => `window.location.href = '/${noun()}?${noun()}=' + encodeURIComponent(${camel()});`,
        () => `alert('${sentence()}');`,
        () => `const ${noun()} = prompt('${cap(noun())}?');`,
        () => `document.cookie = '${noun()}=${noun()}; path=/; max-age=${below(90_000)}';`,
        () => `<a href="javascript:void(0)" onclick="${camel()}(this); return false;">${cap(noun())}</a>`,
        () => `<button onclick="${among(['alert', 'confirm'])}('${sentence()}')">${cap(noun())}</button>`,
        () => `<svg onclick="${camel()}()" viewBox="0 0 9 9"><circle cx="${below(9)}" cy="5" r="4"/></svg>`,
        () =>
          `<div @click="${camel()}(${noun()})" :class="{ ${noun()}: is${cap(noun())} }">{{ ${noun()}.${noun()} }}</div>`,
        () =>
          `<iframe src="https://${noun()}.example.org/embed/${below(900)}" title="${cap(noun())}" allowfullscreen></iframe>`,
        () => `<script>\n  const ${camel()} = () => { console.log('${noun()}'); };\n</script>`,
        () => `db.${noun()}.find({ ${noun()}: { $gt: ${below(90)} }, ${noun()}: { $ne: null } })`,
        () =>
          `db.${noun()}.aggregate([{ $match: { ${noun()}: '${noun()}' } }, { $group: { _id: '$${noun()}', n: { $sum: 1 } } }])`,
        () => `setTimeout(() => ${camel()}(), ${below(9000)}); // ${noun()}`,
        () => `const ${noun()} = \`<li onclick="${camel()}(\${${noun()}.id})">\${${noun()}.${noun()}}</li>\`;`,
        () => `cursor.execute("SELECT * FROM ${snake()} WHERE ${noun()} = %s", (${noun()},))`,
        () => `os.system('${among(['clear', 'ls -la', `mkdir ${noun()}`])}')`,
        () => `eval("${below(9)} + ${below(9)}")`,
        () => `{% for ${noun()} in ${camel()} %}<li>{{ loop.index }}. {{ ${noun()}|e }}</li>{% endfor %}`,
        () => `<?php echo htmlspecialchars($_GET['${noun()}'], ENT_QUOTES); ?>`,
        () => `subprocess.run(['${noun()}', '--${noun()}'], check=True)`,
        () =>
          `SELECT ${among(['version()', 'current_user', 'NOW()', `'${noun()}' AS ${noun()}, ${below(9)} AS n UNION ALL SELECT '${noun()}', ${below(9)}`])};`,
      ])(),
    ),
  rows: ({ times, noun, below, among, release, sentence }) => {
    const make = among([
      () =>
        `    '\\x${(16 + below(239)).toString(16)}'     #  0x${(16 + below(239)).toString(16).toUpperCase()} -> <control> ${noun().toUpperCase()}`,
      () =>
        `0x${below(65_536).toString(16)}\t0x${below(65_536).toString(16)}\t# ${noun().toUpperCase()} WITH ${noun().toUpperCase()}`,
      () =>
        `- Updated dependencies [${below(9_999_999).toString(16)}]\n  - @${noun()}/${noun()}-${noun()}@${release()}`,
      () => `## ${release()}\n\n### Patch Changes\n\n- ${below(9_999_999).toString(16)}: fix(${noun()}): ${sentence()}`,
      () => `  self.assertEqual(${noun()}("<${noun()}>&${noun()};</${noun()}>"), [("${noun()}", ${below(9)})])`,
      () => `# <${noun()}@${noun()}.example> http://www.example.org/licenses/${noun()}.txt # ${among(licences)}`,
      () => `| \`--${noun()}\` | ${noun()} \\| ${noun()} | ${sentence()} |`,
      () => `  { ${below(99)}, ${below(99)}, "${noun()}" }, /* ${noun()} */ { -1, 0, NULL },`,
      () => `<link rel="${noun()}" title="${noun()}" href="${noun()}.html#id${below(500)}">[${below(90)}]</a>`,
    ]);
    return times(4, 24, make);
  },
};

/** Texts of each kind; `next` gives numbers from 0 up to 1. */
export function* ownCode(most, next) {
  const voiceOf = voice(next);
  const roles = ['assistant', 'tool', 'user'];
  for (const make of Object.values(kinds)) {
    for (let i = 0; i < most; i++) {
      const role = roles[i % roles.length];
      const text = make(voiceOf);
      yield { role, text };
      // A few lines out of a query are what injections look like.
      const few = make === kinds.queries ? text : fewLines(text, next);
      if (few !== text) yield { role, text: few };
    }
  }
}

/** One to four lines of a text: what a short answer shows. */
function fewLines(text, next) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const from = Math.floor(next() * lines.length);
  return lines
    .slice(from, from + 1 + Math.floor(next() * 4))
    .join('\n')
    .trim();
}
