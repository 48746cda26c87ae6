/**
 * The types in the respondents' scripts, for readers. No page loads this file, so that phones need not download it.
 *
 *
 * A design and its answers:
 *
 * @typedef {number | number[]} Value 0 or 1 (yes_no), index of an option (single), 0 or 1 per option (multi), bin
 *   (number), cell (place)
 * @typedef {{question: string, options: string[]}} Term
 * @typedef {Term | {all: Term[]} | {any: Term[]}} Condition
 * @typedef {{key: string, kind: "yes_no" | "single" | "multi" | "number" | "place", options: string[],
 *   unrelated: number[], disguise?: any, computed?: Rule, composite?: string, mayLeave?: boolean, insteadOf?: string}} Question
 *   computed: the rule of a composite question; composite: for a component on the page, the key of its question; mayLeave: whether
 *   it can stay empty; insteadOf: for a neutral question, the key of the component that it replaces if that is not asked
 * @typedef {Question & {isEvened: boolean, isBranching: boolean, isVarying: boolean}} Followed a composite question; isEvened:
 *   whether neutral questions are shown instead of follow-ups; isBranching: whether nothing is; isVarying: whether not everyone
 *   sees as many questions
 * @typedef {number | number[]} ComponentAnswer 0 or 1 (yes_no), index of an option (single), 0 or 1 per option (several), the
 *   number itself (number)
 * @typedef {{key: string, kind: "yes_no" | "single" | "several" | "number", points?: number[], options?: {key: string,
 *   points: number}[], number?: {low: number, high: number}, bands?: {from: number, to: number, points: number}[],
 *   asked_if?: any, instructed?: string, shared?: boolean}} Component shared: a filter that several questions of the block contain
 * @typedef {{components: Component[], missing: {at_most: number, as: "no_points" | "mean"}, uses?: any[], steps?: any[],
 *   levels?: {option: string, from?: number}[], base?: string, placebo_of?: string, other_half?: string}} Rule see docs/definition.md, *Composite questions*
 * @typedef {Object} Kind what a device does with questions of one kind
 * @property {boolean} [isSeveral] whether an answer can tick several options
 * @property {boolean} [isExhaustive] whether the shares of its options sum to all people
 * @property {(question: Question) => string[]} [names] names of its answers, by index
 * @property {(question: Question) => number} count number of its answers; with several options, for one option
 * @property {(disguise: any) => number} [outputs] number of values that can be sent, if they differ from the answers
 * @property {(question: Question, value: unknown) => boolean} fits whether a value is an answer
 * @property {(question: Question) => number} [items] number of items with separate shares
 * @property {(question: Question) => number} [draws] number of draws for its decoy
 * @property {(question: Question, coins: any) => Value} [decoy]
 * @property {(value: Value | null, item: number) => boolean} [has] whether an answer has an item
 * @property {(shares: number[], value: any) => number[]} [shares] probabilities whose product is that of an answer
 * @property {(shares: number[]) => Value} [rarest] the least likely answer
 * @property {(wording: any, texts: any) => {text: string, value: number}[]} [choices] as they are displayed
 * @property {(disguise: any) => bigint} [total] upper limit of the draw for a number or a place
 * @property {(disguise: any) => bigint} [decoys] number of these draws that send the same for all answers
 * @property {(disguise: any, value: any, draw: bigint) => number | null} [sent]
 * @property {(question: Question) => boolean} [isPartlyExact] whether some answers are sent undisguised
 * @typedef {{key: string, protected: boolean, truth_probability: number, refusal: number | null,
 *   asked_if: Condition | null, questions: Question[], light?: any, questions_per_person?: number,
 *   booklets?: number[][], most_shown?: number}} Block light: the truth probability of the direct group, or its disguise for a number or a
 *   place; missing if that group sends answers undisguised; booklets: the sets of questions from which a device draws
 *   one; missing if it draws any set of this size; most_shown: on the page of a survey with composite questions, how many of
 *   its questions are shown at most
 * @typedef {{blocks: string[], parts_per_person: number, blanks?: number}} Rotation keys of parts, how many of them a device asks,
 *   and how many of these ask nothing
 * @typedef {{mechanism: number, use: string, blocks: Block[], rotations?: Rotation[],
 *   group: {policy: "protected" | "choice" | "assigned", direct_share: number | null}, invited?: string}} Design
 * @typedef {number[][]} Drawn by block, the indexes of the questions that this device asks; empty for a part that is left out
 * @typedef {{total: number, size: number, listed?: number[][]}} Sets those listed, or all sets of `size` out of `total` indexes
 * @typedef {{direct: boolean, answers: (Value | null)[][], refused: boolean[], drawn?: Drawn}} SentRecord drawn: only for
 *   rotating designs
 * @typedef {Object<string, "skipped" | Object<string, Value>>} Answers
 *
 * The disguises of a number and of a place:
 *
 * @typedef {{low: number, high: number, decimals: number, bin: number, calendar?: "month" | "day"}} NumberRange in ticks
 *   of 10^-decimals; for a calendar, in months since January of the year 0, or in days
 * @typedef {{mechanism: string, range: NumberRange, window: number, cyclic: boolean, floor: string, peak: string,
 *   coin: string, lean: string, step: string, spans: number[][]}} WindowChannel
 * @typedef {{west: number, south: number, east: number, north: number, columns: number, rows: number}} Area
 *   edges in 10^-7 degrees; row 0 is in the south
 * @typedef {{numerator: string, denominator: string, rectangles: number[][], frames: number[][],
 *   snap: boolean, tiles?: number[][]}} Level
 * @typedef {{mechanism: string, area: Area, levels: Level[], regions: number[][][]}} PlanarWindowChannel
 *
 * How sure anyone can become, and the label that says so:
 *
 * @typedef {"skipped" | (Value | null)[]} Row one value per question of the block; null for questions that were not drawn
 * @typedef {Object<string, number[]>} Prevalence ten-thousandths per item, by question
 * @typedef {{shares: Prevalence, sets: [number, number][][], possible: [string, string], worst: Row | null}} Together
 *   probabilities of a block with mutually exclusive answers: shares (independent, before impossible rows are excluded); sets,
 *   each a list of (question, item); possible: the probability of possible rows, as a fraction; worst: its least likely decoy,
 *   null unless the worst booklet of a rotating block has two answers of a set
 * @typedef {{posterior: number, posteriorOf100: number, priorOf100: number}} Odds
 *   posterior: among people who send exactly this, the share whose true answers these are; prior: among all people;
 *   both also as people out of 100
 * @typedef {{of_100: number | null, once_in: number | null, one_of_100: number | null, one_once_in: number | null,
 *   skip_of_100: number | null, skip_once_in?: number | null, shared_of_100?: number | null, shared_once_in?: number | null,
 *   count?: number, takes_turns?: boolean}} Figures the largest certainty, from 50:50, from all that is sent, from one answer, about a skip from a skip,
 *   and about a filter from the answers that share it, in percent; above 99, wrong once in so many times instead.
 *   skip_once_in is missing if respondents read no sentence about skips; count: number of waves;
 *   takes_turns: whether each part is asked in one wave only
 * @typedef {Figures & {times: number, parts: number, not_composed: boolean, anchors?: number, waves?: Figures}} Whole the promise, from
 *   privacy/risk/amplification.py; not_composed: excludes a place, which counts as known; anchors: number of parts left out because
 *   everyone knows the true answer; waves: the figures of all waves of a series together
 */

/**
 * The documents of a survey, and its state:
 *
 * @typedef {{isPath: boolean, survey: string, language: string}} Address isPath: whether it is one of Sottovoce's paths, and
 *   not on a host of files
 * @typedef {{texts: Record<string, string>, instead: Record<string, Record<string, string>>}} Sentences instead: texts that
 *   replace others, by kind of survey
 * @typedef {{survey: string, state: "missing" | "planned" | "open" | "closed", root?: string, versions?: string[],
 *   languages?: {tag: string, name: string, direction: string}[], definition?: string, words?: string,
 *   delete_on?: string | null, backup_days?: number, server: string, preview: boolean}} SurveyState from
 *   surveys/respondent/views.py; server: "" for the page's own server; definition and words: of an open
 *   survey, or of a closed one with its own sentences or form of address; before a survey opens, words has only these
 * @typedef {{design: Design, key: {survey: string, design_id: string, practice: boolean, by_invitation: boolean,
 *   whole: Whole | null, light?: Whole | null, panel?: string, turn?: {series: string, wave: number}}, words: Record<string, string>}}
 *   Definition words: digests; turn: if the parts take turns over a series
 * @typedef {{language: string, direction: string, title: string, about: Record<string, string>, blocks: object[],
 *   prevalence: Prevalence, yes: string, no: string, explanations?: {arm: number, texts: string[]},
 *   formality?: "formal" | "informal"}} Words formality: if the survey uses the language's other form of address
 * @typedef {Definition["key"] & Words & {design: Design, definition: Definition, root: string, state: SurveyState,
 *   own: string, voice: string, wording: object[], answers: {yes: string, no: string}}} Page own: the language of the interface;
 *   voice: the end of the names of its files
 */

/**
 * Where a respondent is. Immutable: every step makes a new state.
 *
 * @typedef {object} State
 * @property {Design} design
 * @property {boolean | null} direct the group: true direct, false protected, null not chosen yet
 * @property {Drawn} drawn what this device asks: only in memory, the same for the whole load
 * @property {Record<string, "skipped" | Record<string, number | number[]>>} answers true answers, only in memory
 * @property {(number | undefined)[][]} tables by block and question, the index of its table
 * @property {string} at id of the screen
 * @property {ReadonlySet<string>} seen every screen that was shown
 * @property {boolean} whole whether all questions are on one page
 * @property {boolean} returning whether the next step leads back to the review, after "change"
 * @property {Screen | false} [extra] a screen that was opened from the review, while it is shown
 * @property {(state: State, block: number, question: number) => boolean} [isAsked] with composite questions: whether a component
 *   is asked now
 * @property {{design: Design, drawn: Drawn}} [sent] with composite questions: the true design and draw; `design` and `drawn` have
 *   components in the place of these
 */

/** @typedef {{id: string, kind: string, block?: number, question?: number, rows?: number[]}} Screen rows: of a table */

/**
 * What the screens before sealing need.
 *
 * @typedef {object} Scene
 * @property {State} state
 * @property {() => State} now the current state, after actions on this screen
 * @property {Record<string, string>} texts
 * @property {{title: string, questions: {text: string, help: string, options: string[], none?: number}[]}[]} wording
 * @property {Prevalence} prevalence
 * @property {(block: number, question: number) => string} nameOf random name for a question's controls
 * @property {Record<string, (...values: any[]) => void>} act
 * @property {((scene: Scene) => Node[]) | null} groupScreen how to answer, if there are two ways
 * @property {((scene: Scene) => Node[]) | undefined} wholeScreen all questions on one page, if that was chosen
 * @property {((scene: Scene) => Node[]) | undefined} reviewScreen after the first question was shown
 */

/**
 * One question on a screen.
 *
 * @typedef {object} Asked
 * @property {Question} question
 * @property {{text: string, help: string, options: string[], none?: number}} wording none: position of an option that means
 *   none of the others
 * @property {number | number[] | undefined} value the answer so far
 * @property {boolean} isProtected
 * @property {boolean} isSkippable
 * @property {string} name random, new with every load, so that a browser that keeps form entries cannot know what it kept
 * @property {string} [id] id of its place, if several questions are on one page
 * @property {string} [level] level of its heading
 * @property {boolean} [isRow] whether it is a row of a table
 * @property {Record<string, string>} texts
 * @property {(value: number | number[] | undefined) => void} onAnswer
 * @property {() => void} onContinue
 */

/**
 * A body that waits on this device.
 *
 * @typedef {object} Sealed
 * @property {string} text the exact text of the request; each delivery sends the same bytes
 * @property {number} eraseAfter milliseconds since 1970, after which it is erased unsent
 * @property {boolean} isTyped whether its code was typed
 */

/**
 * How a delivery ended.
 *
 * @typedef {object} Outcome
 * @property {"delivered" | "refused" | "mistyped" | "stopped" | "expired" | "gone"} kind
 *   delivered: the server has it; refused: its invitation is not valid, and the body is erased; mistyped: the same, but the
 *   code was typed, and the body is kept to be sent with the right one; stopped: any other refusal, the body is kept and a
 *   later visit sends it again; expired: seven days have passed; gone: another page was faster, or the browser's data was cleared
 * @property {number} [status]
 * @property {string} [error] the server's name for its refusal
 * @property {string} [text] the refused request, if its code can be corrected
 */
