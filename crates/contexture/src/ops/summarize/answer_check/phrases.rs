//! Words and phrases by which refusals, errors of servers and orders are recognized. Data only; in long lists a bar stands between two.

/// How a sentence begins that refuses or apologises, in languages that models fall back to. A summary never speaks of who wrote
/// it, so of English only those are here that do without an `I`.
pub const APOLOGIES: &str = "\
    sorry|apologies|my apologies|we apologize|we apologise|we re sorry|as an ai|as a language model|\
    unfortunately i|please provide|cannot help|cannot assist|cannot comply|cannot summarize|cannot summarise|\
    can t help|can t assist|unable to help|unable to assist|unable to comply|unable to summarize|unable to summarise|\
    lo siento|lo lamento|no puedo|\
    je suis désolé|désolé|désolée|je ne peux|\
    es tut mir leid|tut mir leid|entschuldigung|ich kann|leider kann ich|\
    desculpe|sinto muito|não posso|mi dispiace|non posso|het spijt me|\
    извините|к сожалению я|я не могу|\
    抱歉|很抱歉|对不起|對不起|我无法|我無法|我不能|\
    申し訳|すみません|ごめんなさい|죄송";

/// What is not done, and what was asked for: together they refuse, wherever in a sentence they stand.
pub const NOT_DONE: &[&str] =
    &["cannot", "can t", "can not", "unable", "not able", "not possible", "could not", "couldn t", "won t"];
pub const ASKED_FOR: &[&str] = &["summar", "assist", "comply", "help with", "this request", "your request"];

/// What servers and gateways say. It may be what a file is about, and then the file has the words.
pub const FAULTS: &str = "\
    current quota|rate limit exceeded|rate limit reached|overloaded|bad gateway|\
    gateway timeout|service unavailable|internal server error|try again later|retry later";
/// A fault is told in fewer words.
pub const FAULT_WORDS: usize = 40;

/// How an answer begins that goes on to a summary; where nothing follows there is none.
pub const PREAMBLES: &[&str] =
    &["here is", "here s", "okay here", "ok here", "sure here", "certainly here", "below is"];

/// How a sentence begins that tells its reader what to do.
pub const ADDRESSES: &[&str] =
    &["you must", "you are", "you will", "you should", "you have to", "please", "do this now"];

/// What stands before a colon where somebody else is made to speak.
pub const ROLES: &[&str] = &["system", "assistant", "human", "developer", "system message", "system prompt"];

/// Words that speak to a model that reads them, and that no summary needs. A file may hold them; what is said about it must not.
pub const ORDERS: &str = "\
    ignore the above|ignore any previous|disregard all previous|disregard previous|disregard the above|disregard prior|\
    forget all previous|you are now a|you must now|your instructions|your system prompt|before reading on|\
    next agent must|im start|im end|endoftext";

/// What a model is told to ignore, and whose that is.
pub const ORDERED: &[&str] = &["instruction", "instructions", "prompt", "prompts", "guidelines", "rules"];
pub const WHOSE: &[&str] =
    &["all", "any", "above", "earlier", "every", "my", "preceding", "previous", "prior", "system", "these", "your"];

/// Words of which refusals, errors and orders are made, and those that join others. They name nothing of any file.
pub const COMMON: &str = "\
    a about above after again all also although an and another any are as at be because been before being below but by can cannot could \
    did do does done each else every for from had has have her here him his how if in into is it its just less like may me might more most \
    must my no nor not now of off on once only onto or other our out over own per same shall she should so some such than that the their \
    them then there these they this those to under until up upon very via was we were what when where which while who writer whose why will \
    with without would yes yet you your yours \
    afraid ai answer answers applicable apologize apologise assist assistance assistant available block blocked comply content contents decline \
    declined delete deny denied details due empty error errors exceeded fail failed failure file files given help ignore input instruction \
    instructions internal invalid issue language limit limits message missing model nil none null okay output please policies policy previous \
    print prior process prompt provide provided rate read reason refuse refused request requested requests respond response run safety say \
    server service something sorry summaries summarise summarised summarize summarized summary support supported system task timeout \
    unable unavailable undefined unknown user violates violation wrong";
