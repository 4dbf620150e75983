// Ordinary markup: each function gives a text of its kind.
import { people, places } from './own-words.mjs';

const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';

export const markup = {
  component: ({ times, noun, verb, camel, among, cap }) => {
    const item = camel();
    const lines = times(1, 5, () =>
      among([
        `<li v-for="${item} in ${noun()}" :key="${item}.id" @click="${verb()}(${item})">{{ ${item}.${noun()} }}</li>`,
        `<button @click.prevent="${verb()}" :disabled="!${camel()}">${cap(noun())}</button>`,
        `<input v-model="${camel()}" @keyup.enter="${verb()}" :class="{ active: ${camel()} }">`,
        `<div x-data="{ open: false }"><a @click="open = !open" x-show="open">${noun()}</a></div>`,
        `<app-${noun()} *ngFor="let ${item} of ${noun()}" (click)="${verb()}(${item})" [${noun()}]="${item}.${noun()}"></app-${noun()}>`,
        `{#each ${noun()} as ${item}}<p on:click={() => ${verb()}(${item}.id)}>{${item}.${noun()}}</p>{/each}`,
        `{% for ${item} in ${noun()} %}<td>{{ ${item}.${noun()}|upper }}</td>{% endfor %}`,
        `<form hx-post="/${noun()}" hx-target="#${noun()}" hx-swap="outerHTML"><slot name="${noun()}"/></form>`,
        `<li key={${item}.id} onClick={() => ${verb()}(${item})}>{${item}.${noun()}}</li>`,
      ]),
    );
    return among([
      `<template>\n${lines}\n</template>`,
      lines,
      `\`\`\`${among(['vue', 'html', 'jsx'])}\n${lines}\n\`\`\``,
    ]);
  },
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
};
