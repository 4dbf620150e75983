// Short answers that tell a command, a query or a name of a file: `Run \`whoami\` to see who you are.` To collections of payloads such a
// command is one; in a sentence that tells it, between the marks of Markdown, it is help. Written for this project.
import { voice } from './own-words.mjs';

const commands =
  'cat /etc/os-release¦cat /etc/hosts¦cat /etc/resolv.conf¦cat /proc/cpuinfo¦cat package.json¦sleep 5¦sleep 10¦sleep 30¦whoami¦id¦id -u¦uname -a¦uname -r¦hostname¦hostname -I¦ifconfig¦ip addr¦ip route¦netstat -tulpn¦netstat -an¦ss -ltnp¦ps aux¦ps -ef¦top¦htop¦df -h¦du -sh *¦free -m¦uptime¦env¦printenv¦printenv PATH¦echo $PATH¦echo $HOME¦echo %PATH%¦which python3¦which node¦pwd¦ls¦ls -la¦ls -l¦ls -lh /var/log¦ls ~¦cd ..¦chmod +x run.sh¦chmod 755 run.sh¦chmod 600 ~/.ssh/config¦chown -R www-data /var/www¦ping 8.8.8.8¦ping -c 4 1.1.1.1¦nslookup localhost¦dig +short¦tracert 8.8.8.8¦traceroute 8.8.8.8¦tail -f /var/log/syslog¦tail -n 50 app.log¦head -5 data.csv¦grep -r TODO src¦find . -name "*.log"¦find . -type f¦rm old.log¦rm -r build¦rm -rf node_modules¦rm -rf dist¦mkdir -p src/lib¦cp a.txt b.txt¦mv a.txt b.txt¦touch index.js¦tar -xzf a.tar.gz¦unzip a.zip¦kill 1234¦kill -9 1234¦killall node¦crontab -l¦crontab -e¦history¦clear¦exit¦sudo reboot¦sudo systemctl restart nginx¦systemctl status sshd¦service nginx restart¦journalctl -u nginx¦sudo apt update¦sudo apt install curl¦apt-get install wget¦brew install node¦pip install requests¦pip list¦python --version¦python3 -m venv .venv¦source .venv/bin/activate¦python -c "print(1)"¦node -e "console.log(1)"¦node -v¦npm install¦npm run build¦npm test¦npx tsc --init¦git status¦git pull¦git push¦git log --oneline¦git reset --hard¦git clean -fd¦git stash pop¦git diff HEAD¦docker ps¦docker ps -a¦docker images¦docker compose up -d¦docker exec -it web sh¦docker exec -it db bash¦docker logs web¦docker system prune¦kubectl get pods¦kubectl logs web¦kubectl apply -f web.yaml¦ssh user@host¦ssh -i key.pem user@host¦scp a.txt user@host:/tmp¦nc -zv localhost 22¦nc -l 1234¦telnet localhost 25¦openssl version¦base64 a.txt¦base64 -d a.b64¦/bin/bash¦/bin/sh¦/usr/bin/env¦/usr/bin/python3¦/usr/local/bin/node¦bash¦sh run.sh¦bash run.sh¦make¦make install¦cargo run¦go build¦java -version¦ps aux | grep node¦ls | wc -l¦cat a.txt | sort¦echo hello > a.txt¦cd src && npm start¦npm ci && npm test¦ipconfig¦ipconfig /all¦ipconfig /flushdns¦systeminfo¦tasklist¦dir¦dir /s¦cls¦ver¦net user¦net start¦whoami /all¦shutdown /r¦sfc /scannow¦Get-Process¦Get-ChildItem¦Get-Service¦netsh wlan show profiles¦reg query HKCU'.split(
    '¦',
  );
const installers = [
  'apt install',
  'sudo apt install',
  'sudo apt-get install -y',
  'apt-get install',
  'brew install',
  'dnf install',
  'sudo yum install',
  'apk add',
  'pacman -S',
  'choco install',
  'winget install',
  'pip install',
  'pip3 install',
  'pip install -U',
  'uv add',
  'conda install',
  'npm install',
  'npm i',
  'npm i -g',
  'npm install --save-dev',
  'yarn add',
  'pnpm add',
  'cargo add',
  'cargo install',
  'go get',
  'gem install',
  'composer require',
  'docker pull',
  'npx',
];
const packages =
  'curl|wget|git|vim|jq|htop|nginx|postgresql|redis|sqlite3|ffmpeg|imagemagick|build-essential|python3-pip|nodejs|docker.io|openssh-server|requests|numpy|pandas|flask|django|fastapi|pytest|black|ruff|pillow|scikit-learn|torch|transformers|express|react|lodash|axios|typescript|eslint|prettier|vite|vitest|next|tailwindcss|zod|serde|tokio|clap|rails|rspec|laravel/framework|gh|kubectl|terraform|ubuntu:22.04|node:20|postgres:16|alpine'.split(
    '|',
  );
const fetches = [
  'curl -I',
  'curl -s',
  'curl -O',
  'curl -L',
  'curl',
  'wget',
  'wget -q',
  'curl -v',
  'ping',
  'nslookup',
  'dig',
  'host',
];
const queries =
  "SELECT 1;|SELECT 1|SELECT version();|SELECT now();|SELECT user();|SELECT current_user;|SELECT * FROM users;|SELECT COUNT(*) FROM orders;|SELECT name FROM users WHERE id = 1;|SHOW TABLES;|SHOW DATABASES;|DESCRIBE users;|DROP TABLE users;|DROP TABLE IF EXISTS tmp;|DROP DATABASE test;|DELETE FROM users WHERE id = 1;|TRUNCATE TABLE logs;|UPDATE users SET name = 'Ann' WHERE id = 2;|INSERT INTO users (name) VALUES ('Ann');|ORDER BY name DESC|GROUP BY city|WHERE id = 1|UNION ALL|LIKE '%a%'|IS NOT NULL|OR|AND|CREATE INDEX ON users (name);|ALTER TABLE users ADD age int;|EXPLAIN SELECT * FROM users;".split(
    '|',
  );
const snippets =
  `alert("hi")|alert('Hello')|alert(1)|console.log("x")|console.log(x)|document.title|document.cookie|document.getElementById("a")|window.location|location.reload()|eval()|exec()|system()|os.system("ls")|subprocess.run(["ls"])|print("hi")|printf("%d", n)|time.sleep(5)|Thread.sleep(1000)|setTimeout(f, 100)|onclick|onerror|onload|innerHTML|textContent|<br>|<b>|<p>|<div>|<img>|<script>|<style>|<iframe>|<a href="/">|<img src="a.png">|<input type="text">|<script src="app.js"></script>|href="#"|{{ name }}|{{ user.name }}|{% if x %}|\${name}|\${user.id}|=SUM(A1:A10)|=A1+B1|=VLOOKUP(A1, B:C, 2)|=IF(A1>0, 1, 0)|../config|../lib/a.js|../../src|./run.sh|/etc/passwd|/etc/hosts|/etc/fstab|/etc/nginx/nginx.conf|/var/log/syslog|/var/www/html|/proc/meminfo|/dev/null|/tmp|~/.bashrc|~/.ssh|~/.ssh/config|C:\\Windows\\System32|C:\\Users|index.php|.htaccess|phpinfo()|include("a.php")|require("fs")|fs.readFileSync("a")|open("a.txt")|pickle.load(f)|yaml.safe_load(f)|*|%s|\\n|&lt;|&amp;|%20|127.0.0.1|0.0.0.0|localhost:3000|http://localhost:8080|true|null|1=1`.split(
    '|',
  );

/** Sentences around what is told; `X` stands for it. By language. */
const frames = {
  en: [
    'Run X',
    'Run X.',
    'Use X.',
    'You can use X.',
    'Try X',
    'Try X first.',
    'Just type X and press Enter.',
    'The command is X.',
    'The command is:\n\nX',
    'The answer is X.',
    'Check it with X',
    'Check the server: X',
    'To see it: X',
    'For that you want X, not X.',
    'To do so, run X in a terminal.',
    '1. Run X\n2. Run X',
    '- X\n- X',
    'Open a terminal and run X, then X.',
    'I ran X and it worked.',
    'It lives in X',
    'X does what you want.',
    'X should work on most systems.',
    'Sure! X will show it.',
    'You could also replace X by X.',
    'Note that X is not the same as X.',
    'Yes, X is safe here.',
    'The value has to be X',
    'You forgot X in the third line.',
    'Result of X:',
    'Instead of X, write X.',
    'On Linux it is X, on Windows X.',
    'I ran X and got an error.',
    'After X it says that nothing was found.',
    'Then X fails. Why?',
    'Do I have to run X again?',
    'Try X and tell me what you see.',
    'What does X do?',
    'Is X the same as X?',
  ],
  de: [
    'Führe X aus.',
    'Nutze X',
    'Das geht mit X',
    'Der Befehl lautet X.',
    'Tippe X ein und drücke Enter.',
    'Versuch es mit X:',
    'Mit X siehst du es.',
  ],
  fr: [
    'Lancez X.',
    'Utilisez X',
    'Essayez X',
    'La commande est X.',
    'Pour cela : X',
    'Tapez X dans un terminal.',
    'Avec X vous le verrez.',
  ],
  es: [
    'Ejecuta X',
    'Usa X.',
    'Prueba con X',
    'El comando es: X',
    'Escribe X en la terminal.',
    'Con X lo verás.',
    'Puedes usar X.',
  ],
  pt: ['Execute X', 'Use X.', 'Tente X', 'O comando é: X', 'Digite X no terminal.', 'Com X você vê isso.'],
  it: ['Esegui X', 'Usa X.', 'Prova con X', 'Il comando è: X', 'Scrivi X nel terminale.'],
  ru: ['Выполните X', 'Используйте X.', 'Команда: X', 'Введите X в терминале.', 'Попробуйте X'],
  zh: ['运行 X', '使用 X。', '请执行：X', '可以用 X 查看。', '命令是 X'],
  ja: ['X を実行してください。', 'X を使います。', 'コマンドは X です。', '次を実行：X'],
  ko: ['X 를 실행하세요.', 'X 를 사용하세요.', '명령어: X'],
  tr: ['X çalıştırın.', 'X kullanın.', 'Komut: X'],
  hi: ['X चलाएँ।', 'X का उपयोग करें।', 'कमांड: X'],
  ar: ['شغّل X', 'استخدم X.', 'الأمر هو: X'],
};
const english = 0.6;

/** As many short answers; `next` gives numbers from 0 up to 1. */
export function* ownTold(most, next) {
  const { among, noun, below } = voice(next);
  const site = () =>
    `${among(['', 'http://', 'https://'])}${noun()}.${among(['example', 'example.com', 'example.org'])}${among(['', '', `/${noun()}`])}`;
  const kinds = [
    () => among(commands),
    () => among(commands),
    () => `${among(installers)} ${among(packages)}`,
    () => `${among(fetches)} ${site()}`,
    () => among(queries),
    () => among(snippets),
  ];
  const roles = ['assistant', 'user', 'assistant', 'tool'];
  for (let i = 0; i < most; i++) {
    const tell = among(kinds);
    const lang = next() < english ? 'en' : among(Object.keys(frames));
    const frame = among(frames[lang]);
    const isBlock = next() < 0.15;
    const shown = () => (isBlock ? `\n\`\`\`${among(['', 'sh', 'bash', ''])}\n${tell()}\n\`\`\`\n` : `\`${tell()}\``);
    const told = frame.replace(/X/g, shown).trim();
    const text = below(8) === 0 ? `${told} ${among(frames.en).replace(/X/g, shown)}` : told;
    yield { role: roles[i % roles.length], lang, text };
  }
}
