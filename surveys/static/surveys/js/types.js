/**
 * What the names of types in the respondents' scripts stand for. Only those who read them need this: no page loads it,
 * so that it weighs on no telephone.
 *
 * A design and its answers:
 *
 * @typedef {number | number[]} Value 0 or 1 (yes_no), option position (single), 0 or 1 per option (multi), bin
 *   (number), cell (place)
 * @typedef {{question: string, options: string[]}} Term
 * @typedef {Term | {all: Term[]} | {any: Term[]}} Condition
 * @typedef {{key: string, kind: "yes_no" | "single" | "multi" | "number" | "place", options: string[],
 *   unrelated: number[], disguise?: any}} Question
 * @typedef {Object} Kind what a device does with questions of one kind
 * @property {boolean} [isSeveral] whether an answer ticks any of several options
 * @property {boolean} [isExhaustive] whether the shares of its options sum to all people
 * @property {(question: Question) => string[]} [names] of its answers, by position
 * @property {(question: Question) => number} count of its answers; of several options, of one option's
 * @property {(disguise: any) => number} [outputs] values that can be sent, where they are others than the answers
 * @property {(question: Question, value: unknown) => boolean} fits whether a value answers it
 * @property {(question: Question) => number} [items] with shares of their own
 * @property {(question: Question) => number} [draws] of its decoy
 * @property {(question: Question, coins: any) => Value} [decoy]
 * @property {(value: Value | null, item: number) => boolean} [has] whether an answer has an item
 * @property {(shares: number[], value: any) => number[]} [shares] chances whose product is that of an answer
 * @property {(shares: number[]) => Value} [rarest] the least likely answer
 * @property {(wording: any, texts: any) => {text: string, value: number}[]} [choices] as they are shown
 * @property {(disguise: any) => bigint} [total] a number or a place draws below it
 * @property {(disguise: any) => bigint} [decoys] of these draws, how many send the same for all answers
 * @property {(disguise: any, value: any, draw: bigint) => number | null} [sent]
 * @property {(question: Question) => boolean} [isPartlyExact] whether some answers are sent as they are
 * @typedef {{key: string, protected: boolean, truth_probability: number, refusal: number | null,
 *   asked_if: Condition | null, questions: Question[], light?: any, questions_per_person?: number,
 *   booklets?: number[][]}} Block light: the truth probability of the direct group, or its disguise of a number or a
 *   place; absent where that group sends answers as they are; booklets: the sets of questions of which a device draws
 *   one; absent where it draws any so many
 * @typedef {{blocks: string[], parts_per_person: number}} Rotation keys of parts of which a device asks so many
 * @typedef {{mechanism: number, use: string, blocks: Block[], rotations?: Rotation[],
 *   group: {policy: "protected" | "choice" | "assigned", direct_share: number | null}, invited?: string}} Design
 * @typedef {number[][]} Drawn per block the positions of the questions that this device asks; none of a part left out
 * @typedef {{total: number, size: number, listed?: number[][]}} Sets those listed, or all of so many of so many positions
 * @typedef {{direct: boolean, answers: (Value | null)[][], refused: boolean[], drawn?: Drawn}} SentRecord drawn: of a
 *   design that rotates
 * @typedef {Object<string, "skipped" | Object<string, Value>>} Answers
 *
 * The disguise of a number and of a place:
 *
 * @typedef {{low: number, high: number, decimals: number, bin: number, calendar?: "month" | "day"}} NumberRange in ticks
 *   of 10^-decimals; of a calendar in months since January of the year 0, or in days
 * @typedef {{mechanism: string, range: NumberRange, window: number, cyclic: boolean, floor: string, peak: string,
 *   coin: string, lean: string, step: string, spans: number[][]}} WindowChannel
 * @typedef {{west: number, south: number, east: number, north: number, columns: number, rows: number}} Area
 *   edges in 10^-7 degrees; row 0 lies in the south
 * @typedef {{numerator: string, denominator: string, rectangles: number[][], frames: number[][],
 *   snap: boolean, tiles?: number[][]}} Level
 * @typedef {{mechanism: string, area: Area, levels: Level[], regions: number[][][]}} PlanarWindowChannel
 *
 * How sure anyone can be, and its label:
 *
 * @typedef {"skipped" | (Value | null)[]} Row one value per question of the block; null of what a rotating one left out
 * @typedef {Object<string, number[]>} Prevalence ten-thousandths per item, by question
 * @typedef {{shares: Prevalence, sets: [number, number][][], possible: [string, string], worst: Row | null}} Together
 *   chances of a block whose answers exclude each other: shares that are independent before rows with two items of
 *   a set, each a question and an item of it, are left out; how much of them that leaves; its least likely decoy, null
 *   where that of a rotating block's worst booklet has no two answers of a set
 * @typedef {{posterior: number, posteriorOf100: number, priorOf100: number}} Odds
 *   posterior: of people who send exactly this, the share who really have these answers; prior: of all people;
 *   both also in people of 100
 * @typedef {{of_100: number | null, once_in: number | null, one_of_100: number | null, one_once_in: number | null,
 *   skip_of_100: number | null, times: number, parts: number, not_composed: boolean, anchors?: number}} Whole the promise, from
 *   privacy/risk/budget.py: what an even chance becomes at most by all that is sent, by one answer, and, of a skip, by
 *   a skip; null above 99; parts: how many it is of; not_composed: without a place, which counts as known;
 *   anchors: parts that are left out since everybody knows what is true there
 */

/**
 * The documents of a survey, and how it stands:
 *
 * @typedef {{isPath: boolean, survey: string, language: string}} Address isPath: whether it is one of Sottovoce's, and not of
 *   a host of files
 * @typedef {{texts: Record<string, string>, instead: Record<string, Record<string, string>>}} Sentences instead: by a kind
 *   of surveys those that take the place of others
 * @typedef {{survey: string, state: "missing" | "planned" | "open" | "closed", root?: string, versions?: string[],
 *   languages?: {tag: string, name: string, direction: string}[], definition?: string, words?: string,
 *   delete_on?: string | null, backup_days?: number, server: string, preview: boolean}} SurveyState as
 *   surveys/respondent/views.py says it; server: "" where it is the page's own
 * @typedef {{design: Design, key: {survey: string, design_id: string, practice: boolean, by_invitation: boolean,
 *   whole: Whole | null, light?: Whole | null, panel?: string}, words: Record<string, string>}} Definition words: digests
 * @typedef {{language: string, direction: string, title: string, about: Record<string, string>, blocks: object[],
 *   prevalence: Prevalence, yes: string, no: string, explanations?: {arm: number, texts: string[]}}} Words
 * @typedef {Definition["key"] & Words & {design: Design, definition: Definition, root: string, state: SurveyState,
 *   own: string, wording: object[], answers: {yes: string, no: string}}} Page own: the language of Sottovoce's sentences
 */

/**
 * Where a respondent is. Never changed: every step makes the next one.
 *
 * @typedef {object} State
 * @property {Design} design
 * @property {boolean | null} direct the group: true direct, false protected, null not chosen yet
 * @property {Drawn} drawn what this device asks: in memory only, the same for the whole load
 * @property {Record<string, "skipped" | Record<string, number | number[]>>} answers true answers, in memory only
 * @property {(number | undefined)[][]} tables by block and question, the number of the table that shows it
 * @property {string} at id of the screen
 * @property {ReadonlySet<string>} seen every screen that was shown
 * @property {boolean} whole whether all questions stand on one page
 * @property {boolean} returning after "change" the way leads back to the review
 */

/** @typedef {{id: string, kind: string, block?: number, question?: number, rows?: number[]}} Screen rows: of a table */

/**
 * What the screens before the seal are made of.
 *
 * @typedef {object} Scene
 * @property {State} state
 * @property {() => State} now the state after what was done on this screen
 * @property {Record<string, string>} texts
 * @property {{title: string, questions: {text: string, help: string, options: string[]}[]}[]} wording
 * @property {Prevalence} prevalence
 * @property {(block: number, question: number) => string} nameOf random name of a question's controls
 * @property {Record<string, (...values: any[]) => void>} act
 * @property {((scene: Scene) => Node[]) | null} groupScreen how to answer, where there are two ways
 * @property {((scene: Scene) => Node[]) | undefined} wholeScreen all questions on one page, where that was chosen
 * @property {((scene: Scene) => Node[]) | undefined} reviewScreen once the first question was shown
 */

/**
 * One question on a screen.
 *
 * @typedef {object} Asked
 * @property {Question} question
 * @property {{text: string, help: string, options: string[]}} wording
 * @property {number | number[] | undefined} value the answer so far
 * @property {boolean} isProtected
 * @property {boolean} isSkippable
 * @property {string} name random, new with every load: a browser that keeps form entries cannot tell what it kept
 * @property {string} [id] of its place, where several questions stand on one page
 * @property {string} [level] of its heading
 * @property {boolean} [isRow] of a table
 * @property {Record<string, string>} texts
 * @property {(value: number | number[] | undefined) => void} onAnswer
 * @property {() => void} onContinue
 */

/**
 * A body that waits on this device.
 *
 * @typedef {object} Sealed
 * @property {string} text the exact text of the request; each delivery sends these same bytes
 * @property {number} eraseAfter milliseconds since 1970; from then on it is erased unsent
 * @property {boolean} isTyped whether the code in it was typed
 */

/**
 * How a delivery ended.
 *
 * @typedef {object} Outcome
 * @property {"delivered" | "refused" | "mistyped" | "stopped" | "expired" | "gone"} kind
 *   delivered: the server has it; refused: its invitation is not valid, and the body is erased; mistyped: the same, but
 *   the code was typed, and the body stays to go under the right one; stopped: any other refusal, the body stays and a
 *   later visit sends it again; expired: seven days went by; gone: another page was faster
 * @property {number} [status]
 * @property {string} [error] the server's name for its refusal
 * @property {string} [text] the refused request, where its code is to be put right
 */
