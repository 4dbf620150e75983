// Short answers full of figures: `Call 112 or 999.` To collections of payloads two numbers with `or` between them are a condition that always
// holds; in an answer they are helplines, releases, networks, dates. Written for this project.
import { voice } from './own-words.mjs';

/** What stands before figures, and what joins the last two, by language. */
const words = {
  en: {
    join: 'or|or|or|and|and|to|through|or else|as well as',
    lead: 'Call|Dial|Ring|Text|Helpline:|Crisis line:|Support:|Emergency:|Bus|Tram|Line|Platform|Gate|Room|Seat|Channel|Page|Pages|Chapter|Step|Option|Answer|Press|Enter|Choose|Pick|Ticket|Order|Invoice|Record|Row|Column|Case|Error|Status|Code|HTTP|RFC|ISO|Issue|Version|Release|Port|Ports|Rule|Article|Section|Verse|Psalm|Item|Items|Question|Size|Use|Try|See|Set it to|It is|About|Between|From|At|Of',
    tail: 'now|for help|in an emergency|to the station|again|instead|at most|per day|a week|each|as before|is fine|are free|should work|mean the same|came first|and then save|for adults',
  },
  de: {
    join: 'oder|oder|und|bis',
    lead: 'Rufen Sie|Notruf:|Bus|Linie|Gleis|Zimmer|Seite|Seiten|Kapitel|Schritt|Antwort|Version|Port|Artikel|Fehler|Drücken Sie|Um|Von|Etwa',
    tail: 'an|im Notfall|zum Bahnhof|pro Tag|reicht',
  },
  fr: {
    join: 'ou|ou|et|à',
    lead: 'Appelez le|Urgences :|Bus|Ligne|Quai|Chambre|Page|Chapitre|Étape|Réponse|Version|Port|Article|Tapez|À|De|Environ',
    tail: 'en cas de besoin|par jour|suffit',
  },
  es: {
    join: 'o|o|y|a',
    lead: 'Llame al|Emergencias:|Autobús|Línea|Andén|Habitación|Página|Capítulo|Paso|Respuesta|Versión|Puerto|Artículo|Pulse|A las|Entre|Unos',
    tail: 'si lo necesita|al día|basta',
  },
  it: {
    join: 'o|oppure|e|a',
    lead: 'Chiami il|Emergenze:|Autobus|Linea|Binario|Stanza|Pagina|Capitolo|Passo|Versione|Porta|Articolo|Premi|Alle|Circa',
    tail: 'al giorno|basta',
  },
  pt: {
    join: 'ou|ou|e|a',
    lead: 'Ligue para o|Emergência:|Ônibus|Linha|Quarto|Página|Capítulo|Passo|Versão|Porta|Artigo|Digite|Às|Entre',
    tail: 'por dia|basta',
  },
  nl: {
    join: 'of|of|en|tot',
    lead: 'Bel|Bus|Lijn|Spoor|Kamer|Pagina|Hoofdstuk|Stap|Versie|Poort|Kies|Om',
    tail: 'per dag|is goed',
  },
  pl: {
    join: 'lub|albo|i|do',
    lead: 'Zadzwoń pod|Autobus|Linia|Peron|Pokój|Strona|Rozdział|Krok|Wersja|Port|Wybierz|O',
    tail: 'dziennie',
  },
  cs: { join: 'nebo|a|až', lead: 'Volejte|Autobus|Linka|Pokoj|Strana|Kapitola|Krok|Verze|Port|V', tail: 'denně' },
  sv: { join: 'eller|och|till', lead: 'Ring|Buss|Spår|Rum|Sida|Kapitel|Steg|Version|Port|Klockan', tail: 'per dag' },
  da: { join: 'eller|og|til', lead: 'Ring til|Bus|Spor|Værelse|Side|Kapitel|Trin|Version|Klokken', tail: 'om dagen' },
  fi: { join: 'tai|ja', lead: 'Soita|Bussi|Raide|Huone|Sivu|Luku|Vaihe|Versio|Portti|Kello', tail: 'päivässä' },
  hu: { join: 'vagy|és', lead: 'Hívja a|Busz|Vágány|Szoba|Oldal|Fejezet|Lépés|Verzió|Port', tail: 'naponta' },
  ro: {
    join: 'sau|și|la',
    lead: 'Sunați la|Autobuz|Linia|Camera|Pagina|Capitolul|Pasul|Versiunea|Portul',
    tail: 'pe zi',
  },
  ru: { join: 'или|и|до', lead: 'Звоните|Автобус|Линия|Комната|Страница|Глава|Шаг|Версия|Порт|Ответ', tail: 'в день' },
  uk: { join: 'або|чи|та', lead: 'Телефонуйте|Автобус|Кімната|Сторінка|Розділ|Крок|Версія|Порт', tail: 'на день' },
  el: { join: 'ή|και', lead: 'Καλέστε το|Λεωφορείο|Σελίδα|Κεφάλαιο|Βήμα|Έκδοση', tail: 'την ημέρα' },
  tr: { join: 'veya|ya da|ve', lead: 'Arayın:|Otobüs|Hat|Oda|Sayfa|Bölüm|Adım|Sürüm|Port', tail: 'yeterli' },
  id: { join: 'atau|dan|sampai', lead: 'Hubungi|Bus|Kamar|Halaman|Bab|Langkah|Versi|Port', tail: 'per hari' },
  vi: { join: 'hoặc|và|đến', lead: 'Gọi|Xe buýt|Phòng|Trang|Chương|Bước|Phiên bản|Cổng', tail: 'mỗi ngày' },
  ar: { join: 'أو|و', lead: 'اتصل على|صفحة|الفصل|الخطوة|الإصدار|غرفة', tail: 'يوميا' },
  he: { join: 'או|ו', lead: 'התקשרו|עמוד|פרק|שלב|גרסה|חדר', tail: 'ביום' },
  hi: { join: 'या|और', lead: 'कॉल करें|पृष्ठ|अध्याय|चरण|संस्करण|कमरा', tail: 'प्रतिदिन' },
  zh: { join: '或|和|至', lead: '请拨打|第|版本|端口|房间', tail: '即可' },
  ja: { join: 'または|と|から', lead: '電話番号|第|バージョン|ポート|部屋', tail: 'です' },
  ko: { join: '또는|와|에서', lead: '전화|제|버전|포트|방', tail: '입니다' },
};
const english = 0.55;
const names = 'x y z n t a b k r age size count total length width price score year speed'.split(' ');
const units = 'cm|mm|m|km|kg|g|ml|l|px|pt|%|°C|°F|h|min|s|MB|GB|mph|V|W|kcal|€|inches'.split('|');

/** `most` answers; role, language, and text. */
export function* ownFigures(most, next) {
  const { among, below, times, noun, cap } = voice(next);
  const number = () => below(among([10, 100, 100, 1000, 10_000]));
  const digits = (count) => times(count, count, () => below(10), '');
  const octets = () =>
    among([`10.${below(256)}.${below(256)}`, `192.168.${below(256)}`, `172.${16 + below(16)}.${below(256)}`]);
  /** Each makes figures of one kind, so that those of a text are alike. */
  const kinds = [
    () => number(),
    () => number(),
    () => `${number()} ${among(units)}`,
    () => `${below(30)}.${below(30)}${among(['', '', `.${below(20)}`, '.x'])}`,
    () => `${octets()}.${below(256)}${among(['', '', `/${8 + below(25)}`, `:${number()}`])}`,
    () =>
      among([
        `0800 ${digits(3)} ${digits(3)}`,
        `${digits(2)} ${digits(2)} ${digits(2)}`,
        digits(3),
        `1-800-555-01${digits(2)}`,
      ]),
    () => [1 + below(28), 1 + below(12), 2000 + below(30)].join(among(['.', '/', '-'])),
    () => `${2000 + below(30)}-0${1 + below(9)}-${10 + below(19)}`,
    () => `${below(24)}:${10 + below(50)}${among(['', '', ' pm', ' am', ' Uhr'])}`,
    () => `${1 + below(9)}/${2 + below(9)}`,
    () => `${below(10)}.${digits(among([1, 2, 3, 4]))}`,
    () => `${number()}-${number()}`,
    () => `${number()} x ${number()}`,
    () => `${among(['$', '€', '£'])}${number()}${among(['', `.${digits(2)}`])}`,
    () => `${among(['#', '§ ', 'No. ', 'Nr. ', ''])}${number()}`,
    () => `0x${digits(2)}`,
    () => `-${number()}`,
  ];
  const signs = ['=', '=', '=', '<', '>', '<=', '>=', '==', '!=', '≤', '≈'];
  const equation = (make) => `${among(names)} ${among(signs)} ${make()}`;
  const roles = ['assistant', 'tool', 'assistant', 'user'];
  for (let i = 0; i < most; i++) {
    const lang = next() < english ? 'en' : among(Object.keys(words));
    const [joins, leads, tails] = [words[lang].join, words[lang].lead, words[lang].tail].map((list) => list.split('|'));
    const make = among(kinds);
    const said = below(7) === 0 ? () => equation(make) : below(9) === 0 ? () => `${noun()} ${make()}` : make;
    const shapes = [
      () => `${said()} ${among(joins)} ${said()}`,
      () => `${said()} ${among(joins)} ${said()}`,
      () => `${said()}, ${said()} ${among(joins)} ${said()}`,
      () => `${said()}, ${said()}, ${said()}${among(['', ','])} ${among(joins)} ${said()}`,
      () => times(2, 7, said, among([', ', ' ', '; ', '\n', ' | '])),
      () => times(2, 4, () => times(2, 4, said, among([', ', '\t', ' '])), '\n'),
      () => `${said()} ${among(['+', '-', '*', '/', '×'])} ${said()} = ${said()}`,
      () => `${said()} (${said()} ${among(joins)} ${said()})`,
    ];
    const figures = among(shapes)();
    const before = among(['', `${among(leads)} `, `${among(leads)} `, `${cap(noun())}: `]);
    const after = among(['', '', '.', `, ${among(tails)}.`, ` ${among(tails)}`, '?']);
    yield { role: roles[i % roles.length], lang, text: `${before}${figures}${after}` };
  }
}
