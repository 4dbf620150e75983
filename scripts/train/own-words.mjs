// The words that ordinary code of our own making is put together of.

const nouns =
  'account address album answer archive balance bank basket book branch bridge budget bundle calendar camera card catalog chapter city client cloud color column comment config contract counter country course customer date desk device document door draft driver edge editor email engine entry event field figure file filter flag folder font forest form frame garden gate graph group guest header height hotel icon image index invoice island item journal key kitchen label lake language layer layout ledger lesson letter level library limit line list location lock machine mail map market member memory menu message meter model module month mountain music name network node note number object office offer option order owner package page panel parser part path patient payment person phone photo picture pixel place plan plugin point policy port post price printer product profile project proxy queue range rate reader recipe record region report request result river role room route row rule sample scene schedule school score screen season section seat sensor server service session shape shelf shop signal size slot song source space stage station status step stock store stream street string student style subject summary system table tag target task teacher team template term test text theme thread ticket time title token tool topic track train tree trip unit user value vendor version video view village visit voice volume wallet water weather week weight width window winter word worker year zone'.split(
    ' ',
  );
const verbs =
  'add allow apply attach begin bind build cache call check choose clean clear close collect compare compile copy count create cut define delete deploy divide download draw drop edit emit enable end enter evaluate expand export fetch fill find finish flush fold format freeze get grow handle hide import include init insert install invoke join keep launch link list load lock log make map mark match measure merge mount move name normalize notify open order pack parse patch pause pick place plan play print push put quote read receive reduce register release reload remove rename render repeat replace reset resize resolve resume return rotate round run save scan search select send set share show shuffle skip sleep sort split start stop store strip switch sync take test toggle track trim turn type undo unload unlock update upload use validate visit wait walk wrap write'.split(
    ' ',
  );
export const places = 'en de fr it es pt nl sv nb da fi pl cs sk hu ro ru uk el tr zh ja ko ar he vi id ms lt lv'.split(
  ' ',
);
export const licences = ['GPL-2+', 'MIT', 'Apache-2.0', 'BSD-3-Clause', 'the public domain', 'LGPL-2.1'];
export const people = ['Mara Lind', 'Jonas Ek', 'Ines Prado', 'Tomoko Arai', 'Ola Berg', 'Ruth Vance', 'Ivan Petrov'];

/** Choices by one seeded generator: the words that all kinds of code are made of. */
export function voice(next) {
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
