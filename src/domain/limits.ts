/**
 * Every bound of the service, in one place. Each name ends in its unit; each comment says what happens
 * when the bound is reached. Nothing that grows with foreign input may lack a line here.
 */
export const limits = {
  /** Largest request body. One byte more is answered 413. Operators may lower or raise it (`MERLON_BODY_BYTES_MAX`). */
  bodyBytesMax: 4 * 1024 * 1024,
  /**
   * Request bodies, and answers of 64 KiB and more, that one thread of the front end holds at once. Beyond it new ones are
   * answered 503.
   */
  bodiesInFlightBytesMax: 256 * 1024 * 1024,
  /**
   * Bytes of a body that nobody wants which are read and dropped before the answer, where its connection is to be closed.
   * Sixteen times the largest body; beyond it the answer is sent over unread bytes, and may be lost.
   */
  unreadBodyBytesMax: 64 * 1024 * 1024,
  /** Time without a byte of such a body after which it is no longer waited for: longer than to the other side of the world and back. */
  unreadBodyPauseMs: 500,
  /** Deepest nesting of arrays and objects in a request body. The contract needs 3; deeper is answered 400. */
  jsonDepthMax: 32,
  /** Most messages in one scan; more is answered 422. */
  messagesMax: 1000,
  /** Longest `role`, in code points; longer is answered 422. */
  roleLengthMax: 256,
  /** Longest `project_id`, in code points; longer is answered 422. */
  projectIdLengthMax: 128,
  /** Most invalid fields named in one problem document, and diagnostics of one organization's rules; the rest is counted in its `detail`. */
  problemErrorsMax: 100,
  /** Most invalid fields that are counted; looking for more would keep other requests waiting, and the `detail` says that there are more. */
  problemErrorsCountedMax: 1_000,
  /** Longest request id taken over from a client; a longer one is replaced by a new UUID. */
  requestIdLengthMax: 128,

  /** Longest preview of a message in the log of an MCP call, in UTF-16 units; longer ones are cut. */
  previewUnitsMax: 80,
  /** Text of one message that is searched for secrets before its preview is cut; longer than any bounded match. */
  previewReadUnitsMax: 4_096,
  /** Text of all messages of one MCP call that is read for previews; messages beyond it are counted, not previewed. */
  previewReadUnitsTotalMax: 32 * 1024,
  /** Most previews in the log entry of one MCP call; further messages are counted. */
  previewsMax: 100,
  /** Longest `metadata` of an MCP call in the log, in UTF-16 units of its JSON; longer ones are cut. */
  metadataUnitsMax: 1_024,
  /** Announced body up to which a refused MCP caller gets the id of its request back; the id of a longer one is null. */
  refusedBodyBytesMax: 64 * 1024,
  /** Longest message that `merlon mcp` reads from standard input; a longer one is answered with an error. */
  stdioMessageBytesMax: 10 * 1024 * 1024,
  /** Longest time that the MCP library may take to answer one request; beyond it the answer is 503. */
  mcpAnswerMs: 15_000,

  /** So much of a text that comes in pieces is new, in UTF-16 units, before it is scanned again; of a long one more. */
  streamStepUnits: 64,
  /** The end of such a text that is not passed on before there is more behind it, where the caller names no other length. */
  streamHeldBackUnits: 128,
  /** So much more of it is read before what its scans flag is believed, unless it ends. */
  streamConfirmUnits: 512,

  /** Total content, in UTF-16 units, that is scanned on the thread that read the request; more goes to the pool. */
  inlineUnitsMax: 32 * 1024,
  /**
   * Time that the serving thread works on what it reads, in one turn of its event loop; requests read after it wait for
   * theirs. Long enough for what 64 connections ask at once: a request that waits ends the connection of a client that has
   * sent another one behind it.
   */
  turnUs: 10_000,
  /**
   * Time that it then works before it reads again. Short, because a refusal is late by it; shorter starves the work. While more requests
   * are refused than admitted it is longer, up to a turn.
   */
  sliceUs: 1_000,
  /** Requests in one turn from which on those of the next one are answered together. */
  busyRequestsMin: 3,
  /** Longest wait for that turn, by what requests have cost lately; one more is answered 503 at once (`MERLON_QUEUE_MS`). */
  inlineWaitMs: 25,
  /**
   * So many times that wait is admitted where not even all open connections together would have to wait longer: some 350 clients with
   * 8 KB, or 2,000 with 500 bytes, that ask again as soon as they are answered.
   */
  crowdWaits: 2.5,
  /**
   * Bodies that may wait for it however long that takes, with half a KiB for each request: as many as 256 connections with
   * 500 bytes, or 32 with 8 KB, have to ask at once. So many clients are no overload, however slow the machine is.
   */
  inlineFreeBytes: 288 * 1024,
  /** Longest wait for that turn while more requests are refused than admitted, in microseconds. */
  floodWaitUs: 3_000,
  /** Time over which those are counted, in microseconds. */
  floodWindowUs: 20_000,
  /** Requests that wait for it; one more is answered 503 at once. */
  inlineQueueMax: 4_096,
  /** Messages that are remembered as clean, 16 bytes each (`MERLON_REMEMBERED_MESSAGES`); of a bucket of four the one seen longest ago goes first. */
  rememberedMessages: 256 * 1024,
  /** Total content, in UTF-16 units, of which the serving thread looks up how much of it is known, before it asks the pool: 0.3 ms. */
  recallUnitsMax: 256 * 1024,
  /**
   * Smallest message, in UTF-16 units, that idle pool workers help with. Two did 64 Ki units in 0.8 of the time of one for
   * an eighth more work, 128 Ki in 0.7 for a twentieth more (`merlon bench engine`, "threads").
   */
  shardUnitsMin: 128 * 1024,
  /** Scans waiting for a pool worker. One more is answered 503 at once. */
  poolQueueMax: 64,
  /** Longest time from admission to verdict; a scan that misses it is answered 503. */
  scanDeadlineMs: 10_000,
  /** `Retry-After` of every 503, in seconds. */
  retryAfterSeconds: 1,

  /** Evidence of one policy counts together where it begins within so many UTF-16 units: a page of text. */
  evidenceUnits: 1_024,
  /** Matches kept for one rule in one message; further ones set `truncated`. */
  matchesPerRuleMax: 1_000,
  /** Findings of one scan; further ones set `truncated`. */
  matchesPerScanMax: 10_000,

  /** Decodings inside of one another that are followed; a deeper one stays undecoded. */
  viewDepthMax: 3,
  /** Units that all views of a message may have together, as a multiple of its length; then no more are made, which is a finding (LLM01-0906). */
  viewUnitsFactorMax: 4,
  /** Units that the views of a message may have however short it is. */
  viewUnitsMin: 16_384,
  /** Cells of the tables of a text that are read with the names of their columns; all further ones only as they stand. */
  tableCellsMax: 16_384,
  /** Letters of one run without gaps that are cut into known words; those behind them stay together. */
  splitLettersMax: 2_048,
  /** Text around a part that reads differently which is scanned with it, in UTF-16 units each side. */
  viewContextUnits: 256,

  /** Needles one pattern may put into the automaton; a pattern that needs more is confirmed by RE2 behind a shorter gate. */
  needlesPerPatternMax: 64,
  /** Longest spelling of a phrase with few of them that is a needle, in UTF-16 units; a phrase with longer ones is matched behind its gate. */
  needleUnitsMax: 64,
  /** Longest other needle, in UTF-16 units; longer required literals are cut, which keeps the gate sound. */
  gateUnitsMax: 12,
  /** Longest regex or phrase source in a rule file, in UTF-16 units. */
  patternSourceMax: 4_096,
  /** Bounded regexes longer than this, in UTF-16 units, run on the whole text instead of in windows. */
  windowUnitsMax: 2_048,

  /** Learned models in a rules folder: the six shipped ones and as many of each of two people. With more the rules do not load. */
  modelsMax: 18,
  /** Size of one model file; with a larger one the rules do not load. */
  modelBytesMax: 4 * 1024 * 1024,

  /** Rules of one organization; more are refused when they are saved, as everything else in this group. */
  customRulesMax: 200,
  /** How far beyond the last number given an id may be that others follow; one further off is 422 where a rule wants an id. */
  customIdLeapMax: 1_000,
  /** Patterns of one custom rule. */
  customRulePatternsMax: 1_000,
  /** Patterns of all custom rules of one organization. */
  customPatternsMax: 5_000,
  /** Entries of one organization's allow-list. */
  customAllowedMax: 200,
  /** Policies, rules, roles, validators, references or examples that one entry may name. */
  customNamesMax: 100,
  /** Longest title, reason, example and the like, in UTF-16 units. */
  customTextUnitsMax: 4_096,
  /** Rules and allow-list of one organization as JSON, in UTF-16 units. */
  customSourceUnitsMax: 512 * 1024,
  /** Needles of an organization's program. */
  customNeedlesMax: 40_000,
  /** Patterns that run on every message because they require no literal. */
  customUngatedMax: 16,
  /** Estimated time that RE2 takes to compile one regex, in microseconds: the serving thread does it, too. */
  customRegexCostUsMax: 40_000,
  /** The same of all regexes of one organization. */
  customRegexCostTotalUsMax: 200_000,
  /** Size of an organization's program. */
  customProgramBytesMax: 16 * 1024 * 1024,
  /** Rows of an organization's automaton; where they are more they are paged, which is smaller and a little slower. */
  customRowBytesMax: 1024 * 1024,
  /** Longest time that an organization's rules may take to compile; then they are refused, or the scan that waits is answered 503. */
  customCompileMs: 8_000,
  /** Times that rules are compiled for one save where another process changes them meanwhile; then it is 409. */
  customSaveTriesMax: 3,
  /** Compilations that wait for the compiling thread; one more is answered 503. */
  customCompileQueueMax: 32,
  /** Longest time that a start or a reload may take to compile rules, waiting included; then there is no start, or nothing changes. */
  compileMs: 600_000,
  /** Former generations of the rules that running scans may still use; with more, a reload waits for them. */
  generationsBeforeMax: 2,
  /** Programs of a thread, the current one and those that are not collected yet, with which another one is not opened before garbage is. */
  openProgramsMax: 2,
  /** Programs of organizations in memory; the one used longest ago goes first and is opened again when needed. */
  overlaysMax: 64,
  /** The same, by their bytes. */
  overlayBytesMax: 256 * 1024 * 1024,
  /** Programs of organizations on disk; the ones written longest ago go first. */
  overlayFilesMax: 256,
  /** Longest time that a scan waits for rules that are opened for the first time; then it is answered 503. */
  overlayWaitMs: 8_000,
  /** Scans that wait so, all together; one more is answered 503. */
  overlayWaitersMax: 256,
  /** After rules could not be opened, this long nobody tries again. */
  overlayRetryMs: 1_000,
  /** Longest time until the expiry of allowed phrases follows a time of day that was set anew; otherwise it is met to the millisecond. */
  allowReviewMs: 60_000,

  /** Examples of each kind that the API shows of a rule; the packs hold them all. */
  ruleExamplesMax: 5,
  /** Longest example shown, in UTF-16 units; longer ones are cut. */
  ruleExampleUnitsMax: 2_000,
  /** Oldest counts of rule hits that the list of rules shows; older ones are counted anew. */
  ruleHitsAgeMs: 30_000,
  /** Organizations whose counts of rule hits are remembered for that long. */
  ruleHitsMax: 256,

  /** Profiles of one organization; one more is refused when it is saved. */
  profilesMax: 100,
  /** Texts that one preview of a change takes. */
  replaySamplesMax: 200,
  /** Recent scans that one preview replays. */
  replayRecentMax: 500,
  /** Scans that one preview looks at for those whose text is stored: where few have one, they lie far back. */
  replayWalkMax: 10_000,
  /** Stored text that one preview replays, in UTF-16 units; scans beyond it are counted. */
  replayUnitsMax: 4 * 1024 * 1024,
  /** Changes that one preview names; further ones are counted. */
  replayChangedMax: 100,
  /** Former states kept of a profile, or of an organization's rules; the oldest goes first. */
  historyMax: 50,
  /** The same, by the bytes of their JSON; the newest is kept whatever its size. */
  historyBytesMax: 4 * 1024 * 1024,

  /** Scan records waiting for the store. Beyond it records are dropped and counted; verdicts go on. */
  recordQueueMax: 10_000,
  /** Longest time that results wait for records that are being written; after it they answer without them. */
  recordWaitMs: 1_000,
  /** Longest time that a scan waits for its record where the durability asks for it; then it is answered and says so. */
  recordConfirmMs: 2_000,
  /** Matches stored with one scan record; `summary.matches` keeps the true number. */
  recordMatchesMax: 200,
  /** Text kept beside one scan record, in UTF-16 units over all its messages; the rest is cut off. */
  storedTextUnitsMax: 16 * 1024,
  /** Text that waits for the store, in bytes; records beyond it are stored without theirs, which is counted. */
  storedTextQueueBytesMax: 64 * 1024 * 1024,
  /** `per_page` of the results. */
  perPageMax: 100,
  /** Records looked at by one filtered results query before it answers with a cursor to go on from. */
  resultsWalkMax: 2_000_000,
  /** Days a scan record is kept. Operators may change it (`MERLON_RETENTION_DAYS`). */
  retentionDays: 30,
  /** Projects that the counts of an organization name in an hour, those with the most scans; the others are counted together there. */
  rollupProjectsMax: 64,
  /** The same of its applications. */
  rollupApplicationsMax: 64,
  /** Rules that have counts of their own in an hour of an organization, project or application; the others share one. */
  rollupRulesMax: 256,
  /** Longest name, in UTF-16 units, that counts hold: a project's may have two for each code point. */
  rollupNameUnitsMax: 256,
  /** Hours that one overview covers; a longer one is answered 422. */
  overviewHoursMax: 92 * 24,
  /** Projects, applications and rules that an overview names, those with the most scans; the others are counted together. */
  overviewNamesMax: 20,
  /** Tokens whose requests are counted against a rate; the one used longest ago is forgotten first, and may begin anew. */
  rateLimitedTokensMax: 20_000,
  /** Verified tokens remembered until anything changes in the store; as many organizations, and applications with their profile. */
  principalCacheMax: 10_000,
  /** `last_used_at` of a token is written at most this often. */
  tokenLastUseMs: 60_000,

  /** A session that is not used for this long has ended. */
  sessionIdleMs: 8 * 60 * 60 * 1_000,
  /** A session ends after this time, however much it is used. */
  sessionLifetimeMs: 7 * 24 * 60 * 60 * 1_000,
  /** Sessions of one user; the oldest one ends when one more begins. */
  sessionsPerUserMax: 20,
  /** `lastUsedAt` of a session is written at most this often. */
  sessionLastUseMs: 60_000,
  /** Ended sessions that one purge removes; the next one goes on. */
  sessionsPurgedMax: 10_000,
  /** Passwords that are hashed or checked at once: each takes 19 MiB and a core for 25 ms, which scans would miss. */
  passwordsRunningMax: 1,
  /** Passwords that wait for that; one more is answered 503. */
  passwordsWaitingMax: 16,
  /** Failed attempts to sign in with one e-mail in `signInWindowMs`; further ones are answered 429. */
  signInsPerEmailMax: 10,
  /** The same from one address (IPv6: one /64 network). */
  signInsPerAddressMax: 50,
  signInWindowMs: 15 * 60 * 1_000,
  /** E-mails and addresses whose attempts are counted; the one seen longest ago is forgotten first. */
  signInKeysMax: 20_000,
  /** Users of one organization; one more is answered 409, as in the next lines. */
  usersPerOrganizationMax: 10_000,
  applicationsPerOrganizationMax: 10_000,
  /** Valid tokens of one user. */
  tokensPerUserMax: 200,
  /** Revoked and expired tokens of one user that are still listed; the oldest are removed first. */
  endedTokensPerUserMax: 200,
  /** Changes told in one audit entry, in UTF-16 units of their JSON; larger ones are left out, and the entry says so. */
  auditChangesUnitsMax: 16 * 1024,
  /** Audit entries looked at by one filtered query before it answers with a cursor to go on from. */
  auditWalkMax: 50_000,
  /** Files of the dashboard, and their bytes, that are held in memory; a larger build is refused at the start. */
  dashboardFilesMax: 500,
  dashboardBytesMax: 32 * 1024 * 1024,

  /** Groups (sources, languages …) that `merlon eval` tells apart in each table; further ones are counted together. */
  evalGroupsMax: 5_000,
  /** Clusters of misses or false positives that are told apart; further ones are counted together. */
  evalClustersMax: 5_000,
  /** Samples shown of each cluster; all of them are in `cases.jsonl`. */
  evalClusterSamplesMax: 5,
  /** Cases of a baseline that are held for comparison; a larger baseline is refused. */
  evalBaselineCasesMax: 2_000_000,
  /** Cases named for each kind of change; all of them are in `changes.jsonl`. */
  evalChangesNamedMax: 50,
  /** Bad lines of labelled data that are named, in a result and on standard error; further ones are counted. */
  badLinesNamedMax: 100,
  /** Text of an evaluation, in UTF-16 units, by which the cost of rules is measured for its report: an even sample. */
  evalCostUnitsMax: 1024 * 1024,
  /** Text, in UTF-16 units, by which `merlon rules profile` measures; a message that goes beyond it is passed over. */
  profileUnitsMax: 16 * 1024 * 1024,

  /** Longest time that `merlon rules new` waits for another one in the same folder; then it gives up. */
  lockWaitMs: 10_000,

  /** Units of one text that training reads; what goes beyond them is not learned from. */
  trainTextUnitsMax: 8_000,

  /** Spans that wait for the collector of traces; further ones are dropped. */
  traceQueueMax: 2_048,
  /** Longest time that sending a batch of spans may take; then they are lost, and counted. */
  traceExportMs: 3_000,

  /** Time that running requests get to finish after SIGTERM. */
  drainMs: 10_000,

  /** Time that connections stay open for once nothing is being answered: longer than an answer and the next request are on their way. */
  drainLingerMs: 100,
} as const;
