// What those write who build with language models, put together by chance: programs that send messages with roles, and prompts of
// their own. Collections have hardly any, so that a model takes a system message for a forged one.

import { voice } from './own-words.mjs';

const names = ['Ada', 'Linden', 'Pip', 'Juno', 'Bolt', 'Mira', 'Otto', 'Sol', 'Kestrel', 'Fern', 'Hugo', 'Nell'];
const places = [
  'a bakery in Leeds',
  'the town library',
  'our ski school',
  'a bicycle workshop',
  'an online shop for tents',
  'a dental practice',
  'the help desk of a college',
  'a small hotel',
  'our open-source project',
  'a housing co-op',
  'the museum of clocks',
  'a running club',
];
const roles = [
  'You are a helpful assistant.',
  'You are a helpful assistant that answers briefly.',
  'You are a translator. Answer in French only.',
  'You are a careful reviewer of pull requests.',
  'You are an expert in SQL. Return a query and nothing else.',
  'You are a patient maths teacher. Never give the solution at once.',
  'You are {name}, the assistant of {place}.',
  'You are {name}, a friendly chatbot for {place}.',
  "You're {name}, the voice of {place}. Keep answers under 60 words.",
  'Act as a proofreader for {place}.',
  'You summarise meeting notes in three bullet points.',
  'You classify mails as complaint, question or praise. Answer with one word.',
  'Extract names and dates as JSON. No other text.',
  'You are a senior Python developer. Explain each step.',
  'You answer questions about {place} from the context below.',
  'Answer as {name} would: dry, short and kind.',
];
const rules = [
  'Never give medical advice.',
  'Do not quote prices; link to the price list.',
  'If you do not know the answer, say so.',
  'Only talk about opening hours, bookings and the menu.',
  'Ignore questions about politics.',
  'Do not mention competitors.',
  'Ask for the order number before you look anything up.',
  'Hand over to a person when somebody is upset.',
  'Reply in the language of the customer.',
  "Don't promise delivery dates.",
  'Never share personal data of other customers.',
  'Stay in character.',
  'Use the tool `search` before you answer.',
  'Start with a greeting and end with a question.',
  'Do not make things up.',
  'Do not reveal the internal notes.',
];
const programs = [
  'from openai import OpenAI\nclient = OpenAI()\nresponse = client.chat.completions.create(\n    model="{model}",\n    messages=[\n        {"role": "system", "content": "{prompt}"},\n        {"role": "user", "content": question},\n    ],\n)\nprint(response.choices[0].message.content)',
  'messages = [\n  {"role": "system", "content": "{prompt}"},\n  {"role": "user", "content": "{question}"},\n]',
  'const messages = [\n  { role: "system", content: "{prompt}" },\n  ...history,\n  { role: "user", content: question },\n];\nconst answer = await client.chat.completions.create({ model: "{model}", messages });',
  '{\n  "model": "{model}",\n  "temperature": 0.2,\n  "messages": [\n    {"role": "system", "content": "{prompt}"},\n    {"role": "user", "content": "{question}"}\n  ]\n}',
  'curl $BASE/v1/chat/completions -H "Content-Type: application/json" -d \'{"model": "{model}", "messages": [{"role": "system", "content": "{prompt}"}, {"role": "user", "content": "{question}"}]}\'',
  'SYSTEM_PROMPT = """{prompt}"""\n\ndef answer(question: str) -> str:\n    return llm.invoke([SystemMessage(SYSTEM_PROMPT), HumanMessage(question)]).content',
  'prompt = ChatPromptTemplate.from_messages([\n    ("system", "{prompt}"),\n    ("human", "{input}"),\n])\nchain = prompt | model | StrOutputParser()',
  'system: |\n  {prompt}\nmodel: {model}\ntemperature: 0.3\ntools: [search, open_ticket]',
  'msg := []Message{\n\t{Role: "system", Content: "{prompt}"},\n\t{Role: "user", Content: q},\n}',
  'history.insert(0, {"role": "system", "content": SYSTEM})\nhistory.append({"role": "user", "content": q})\nr = client.chat.completions.create(model=MODEL, messages=history)',
  'message = client.messages.create(\n    model="{model}",\n    max_tokens=500,\n    system="{prompt}",\n    messages=[{"role": "user", "content": "{question}"}],\n)',
  'diff --git a/prompts/support.md b/prompts/support.md\n@@ -1,3 +1,3 @@\n-{prompt}\n+{prompt} {rule}\n Answer in the language of the customer.',
  'test("answers briefly", async () => {\n  const reply = await ask([{ role: "system", content: "{prompt}" }, { role: "user", content: "{question}" }]);\n  expect(reply.length).toBeLessThan(400);\n});',
  '{"messages": [{"role": "system", "content": "{prompt}"}, {"role": "user", "content": "{question}"}, {"role": "assistant", "content": "{reply}"}]}',
  'ollama run {model} --system "{prompt}" "{question}"',
  'FROM {model}\nSYSTEM """{prompt}"""\nPARAMETER temperature 0.4',
];
const models = ['gpt-4o', 'gpt-4o-mini', 'llama3.1', 'mistral-small', 'qwen2.5', 'MODEL', 'claude-sonnet', 'gemma3'];
const questions = [
  'When are you open on Sunday?',
  'Hello!',
  'Translate: the lift is out of order.',
  'Where is my parcel?',
  'What is a left join?',
  'Can I bring my dog?',
  'Summarise the notes.',
  'How do I reset my password?',
];
const replies = [
  'We open at ten.',
  'Of course.',
  'It was sent on Monday.',
  'Three points stand out.',
  'Yes, on a lead.',
];
const asked = [
  'The system message is sent twice, what is wrong here?',
  'Why does the model ignore the system message?',
  'Can you turn this into TypeScript?',
  'How do I add streaming to this?',
  'I get a 400 for this request:',
  'Please review this:',
  'What does the temperature do here?',
  'Add a second example to the messages.',
  'How many tokens is that about?',
  'Write a unit test for it.',
  '',
];
const answered = [
  'This is how you call it:',
  "Here's a minimal example:",
  'Put the system message first and keep the history behind it:',
  'You could write it like this:',
  'The template then looks so:',
  'Your code sends it once now:',
];
const prompted = [
  'Please improve the prompt of our bot: "{prompt}"',
  'This is the system prompt of my assistant for {place}. What should I change?\n\n{prompt}',
  'Is this prompt too long? {prompt}',
  '{prompt}',
  'Translate the prompt of our bot into German: {prompt}',
  'I made a GPT for {place} and wrote: "{prompt}" People say it is too chatty.',
  'Make this prompt shorter without losing a rule:\n{prompt}',
  'Does the order of the rules matter? {prompt}',
];
const given = [
  "Here's a prompt you can use:\n\n{prompt}",
  'Your draft is clear. I would write:\n\n"{prompt}"',
  'A shorter version:\n\n```\n{prompt}\n```\nThe last rule matters most, so it comes last.',
  'For {place} this should do: {prompt}',
];

/** `count` messages of each kind, as what a user, a model or a tool says. */
export function ownPrompts(count, next) {
  const { among: pick } = voice(next);
  const fill = (text, prompt) =>
    text
      .replaceAll('{prompt}', () => prompt)
      .replace(/\{(name|place|model|question|reply|rule)\}/g, (_, key) =>
        pick({ name: names, place: places, model: models, question: questions, reply: replies, rule: rules }[key]),
      );
  const prompt = () => {
    const own = [pick(roles)];
    while (next() < 0.6 && own.length < 6) own.push(pick(rules));
    return [...new Set(own)].join(pick([' ', ' ', '\\n', ' - ']));
  };
  const fenced = (text) => (next() < 0.6 ? `\`\`\`\n${text}\n\`\`\`` : text);
  const kinds = [
    ['user', () => `${pick(asked)}\n${fenced(pick(programs))}`.trim()],
    ['assistant', () => `${pick(answered)}\n${fenced(pick(programs))}`],
    ['tool', () => pick(programs)],
    ['user', () => pick(prompted)],
    ['assistant', () => pick(given)],
  ];
  return kinds.flatMap(([role, text]) => Array.from({ length: count }, () => ({ role, text: fill(text(), prompt()) })));
}
