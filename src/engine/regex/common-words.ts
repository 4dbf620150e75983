/**
 * The commonest words of ordinary messages and documentation, by how rare they are: a word under `n` begins about once in
 * 2 ** n characters. Counted over 7.7 million characters of English and of technical documentation; only what decides
 * which of a pattern's literals is its gate.
 */
const wordsByBits: Readonly<Record<number, string>> = {
  7: 'the',
  8: 'and of to',
  9: 'for in is that',
  10: 'an are as be can from if it on or this type with you',
  11:
    'all at by code data de description file function get have how https information input la list more my name ' +
    'not number path return should string use user using what when will your',
  12:
    'about access also any api application but com create current date default directory do don each el en ' +
    'example files find following given has id include int into its key like make many may me need new ng no one ' +
    'only order org other output parameters python que query request required search security set some specific ' +
    'such system text their there these they time toolformer up used value was we where which would write',
  13:
    'account add after answer app array based been before best between card change check city class command ' +
    'commands const content could count day def dict different display docs does enabled end error es event ' +
    'events factorial false first format found he help her here his html http image import integer java ' +
    'javascript json just language last length let level line lines location log long los main message method ' +
    'model most must next nh num numbers object open our out over package para password people php please ' +
    'preamble print process program project properties provide public response result returns run same script se ' +
    'see self server service she shell show site size so specified start state std str suffix sum take takes tell ' +
    'test th than them then through token top total true two un una url useful version want weather web while who ' +
    'wikipedia world www year',
  14:
    'action additional address against age agent ai al allow always am amount another applications area around ' +
    'arr assert assertion attack attacker attacks authentication authorization available average back bar base ' +
    'because behavior being block body boolean both build business ca calculate call called car case certificate ' +
    'ch changes char character characters cheat client coffee color common como companies company con config ' +
    'configuration consider console container context control convert correct cost csrf csv database days del ' +
    'delete der details development device did die displays distance docker document documentation dontcare ' +
    'double during earth echo element elements else email energy engine ensure enum environment etc even every ' +
    'execute features field filename filter float folder form full functions game general generate github give go ' +
    'good great group guidance had hash header headers hello hi high historical history home host hours however ' +
    'human identify implement important including index install integers internet io ip items keys know known ' +
    'large las left len library life limit ll local look machine made making management math max md memory ' +
    'minutes mm mode module money movie much multiple names natural needs network never news node non none note ' +
    'now np null often ok options os owasp packages page parameter part party pattern payment per perform place ' +
    'places point points policy por possible potential power price private product provided py question questions ' +
    'random range rate re read ready red reference related remote remove requests resource resources results ' +
    'retrieve right risk running save second secret secrets secure send sensitive services session several sheet ' +
    'side simple single snippet software source space standard states static status step still storage store sudo ' +
    'summary support sure systems table target team technology tenant terminal third three times title tokens ' +
    'tool tools topic torch tr transaction transfer tree try txt types und under unique update us usage username ' +
    'users valid validation values various ve view void water way well were whether why within without word words ' +
    'work xml xss years',
};

/** Rarity of the commonest words, in bits. */
export const bitsOfWord: ReadonlyMap<string, number> = new Map(
  Object.entries(wordsByBits).flatMap(([bits, words]) =>
    words.split(' ').map((word): [string, number] => [word, Number(bits)]),
  ),
);
