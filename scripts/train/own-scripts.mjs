// Ordinary scripts, commands and snippets: each function gives a text of its kind.
import { licences } from './own-words.mjs';

export const scripts = {
  shortCommands: ({ times, noun, verb, among, below, sentence, snake }) => {
    const path = () =>
      among([
        `/mnt`,
        `/srv/${noun()}`,
        `/var/log/${noun()}`,
        `/opt/${noun()}`,
        `~/${noun()}`,
        `./${noun()}`,
        '/tmp',
        `/etc/${noun()}`,
        '..',
      ]);
    const file = () =>
      `${among([`${path()}/`, ''])}${noun()}.${among(['txt', 'log', 'csv', 'conf', 'json', 'py', 'tar.gz'])}`;
    const command = () =>
      among([
        `ls ${among(['-l', '-la', '-lh', '-1', ''])} ${path()}`,
        `cd ${path()}`,
        `df -h ${among(['', path()])}`,
        `du -sh ${path()}${among(['', '/* | sort -h'])}`,
        `cat ${file()}`,
        `tail -${among(['f', 'n 50'])} ${file()}`,
        `head -n ${below(40)} ${file()}`,
        `wc -l ${file()}`,
        `grep -${among(['r', 'rn', 'i', 'c'])} "${noun()}" ${among([path(), file()])}`,
        `find ${path()} -name '*.${noun()}' -mtime -${below(30)}`,
        `ps aux | grep ${noun()}`,
        `${among(['systemctl status', 'journalctl -u', 'service'])} ${noun()}${among(['', ' -f', '.service'])}`,
        `${among(['cp -r', 'mv', 'rsync -av', 'ln -s', 'diff -u'])} ${file()} ${path()}`,
        `mkdir -p ${path()}/${noun()}`,
        `chmod ${among(['644', '755', 'u+x', 'go-w'])} ${file()}`,
        `chown ${noun()}:${noun()} ${file()}`,
        `tar ${among(['xzf', 'czf', 'tzf'])} ${noun()}.tar.gz ${path()}`,
        `${among(['mount /dev/sdb1', 'umount', 'lsblk', 'stat'])} ${path()}`,
        among([
          'free -m',
          'uname -a',
          'uptime',
          'whoami',
          'id',
          'pwd',
          'date',
          'top',
          'ip addr',
          'ss -tlnp',
          'netstat -tlnp',
          'crontab -l',
          'env | sort',
          'history | tail',
        ]),
        `docker ${among(['ps -a', `logs ${noun()}`, `exec -it ${noun()} sh`, 'images'])}`,
        `kubectl get ${among(['pods', 'svc', 'nodes'])} -n ${noun()}`,
        `git ${among(['status', `checkout -b ${noun()}`, 'pull --rebase', `commit -m "${verb()} ${noun()}"`, 'log --oneline'])}`,
        `${among(['apt install', 'pip install', 'npm install', 'brew install'])} ${noun()}`,
        `ping -c ${below(9)} ${noun()}.example.org`,
        `curl -${among(['I', 's', 'L'])} https://${noun()}.example.org/${noun()}`,
        `ssh ${noun()}@${noun()}.example.org`,
        `sed -i 's/${noun()}/${noun()}/g' ${file()}`,
        `awk '{print $${below(9)}}' ${file()}`,
        `export ${snake().toUpperCase()}=${noun()}`,
        `echo $${snake().toUpperCase()}`,
        `${among(['kill', 'kill -9'])} ${below(9999)}`,
      ]).trim();
    const lines = times(1, 2, command, '\n');
    return among([
      lines,
      lines,
      command(),
      `\`${command()}\``,
      `\`\`\`${among(['bash', 'sh', ''])}\n${lines}\n\`\`\``,
      `${sentence()}\n\n${lines}`,
      `$ ${command()}\n${noun()}  ${noun()}  ${noun()}`,
    ]);
  },
  servers: ({ times, noun, among, below }) => {
    const port = () => among([8080, 3000, 5000, 9000, 8000, 6379, 5432]);
    const lines = times(1, 4, () =>
      among([
        `location /${noun()}/ {\n    proxy_pass http://127.0.0.1:${port()}/;\n    proxy_set_header Host $host;\n    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;\n}`,
        `upstream ${noun()} {\n    server 127.0.0.1:${port()} max_fails=${below(5)};\n    server 10.0.0.${below(250)}:${port()} backup;\n}`,
        `<VirtualHost *:80>\n    ProxyPass /${noun()} http://localhost:${port()}/${noun()}\n    ProxyPassReverse /${noun()} http://localhost:${port()}/${noun()}\n</VirtualHost>`,
        `${noun()}.example.org {\n    reverse_proxy localhost:${port()}\n}`,
        `backend ${noun()}\n    balance roundrobin\n    server ${noun()}1 127.0.0.1:${port()} check`,
        `curl http://localhost:${port()}/health`,
        `docker run -d --name ${noun()} -p ${port()}:${port()} ${noun()}/${noun()}:latest`,
        `const client = connect("http://localhost:${port()}/${noun()}");`,
        `${noun()}:\n  url: http://127.0.0.1:${port()}\n  timeout: ${below(90)}s`,
      ]),
    );
    return among([lines, `\`\`\`${among(['nginx', 'bash', 'yaml', ''])}\n${lines}\n\`\`\``]);
  },
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
