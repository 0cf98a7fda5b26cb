//! The steps of a plan, without a screen and a host.

use frontdesk_protocol::Host;
use serde_json::{Value, json};

use super::*;
use crate::app::cx::Out;
use crate::app::effects::call::ToolCall;
use crate::app::effects::effect::Effect;
use crate::app::effects::job::Work;
use crate::app::owner::Owner;
use crate::app::peer::{Peer, Reply};
use crate::app::shared::Shared;
use crate::testing::shared;

/// A plan for a number, with a digest. The host's word says what a verification shows.
#[derive(Debug, Clone)]
struct Plan {
    choice: u8,
    word: String,
    digest: Option<String>,
}

impl Previewed for Plan {
    type Choice = u8;

    fn dry_run(choice: &u8) -> ToolCall {
        let arguments = [("series_meeting_id".to_owned(), json!(choice))];
        ToolCall {
            peer: Peer::Host(Host::Work),
            tool: "remove_meeting_series".to_owned(),
            arguments: arguments.into_iter().collect(),
            options: Default::default(),
            changes_nothing: true,
            by_hand: false,
        }
    }

    fn read(choice: &u8, answer: &Answer) -> Result<Plan, CallError> {
        let value = &answer.result.as_ref().map_err(Clone::clone)?.value;
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        Ok(Plan {
            choice: *choice,
            word: text("word").unwrap_or_default(),
            digest: text("digest"),
        })
    }

    fn choice(&self) -> &u8 {
        &self.choice
    }

    fn digest(&self) -> Option<&str> {
        self.digest.as_deref()
    }

    fn is_refused(&self) -> bool {
        self.word == "refused"
    }

    fn nothing_to_do(&self) -> Option<&'static str> {
        (self.word == "empty").then_some("nothing changes")
    }

    fn difference(&self, now: &Plan) -> Vec<String> {
        vec![format!("{:?} → {:?}", self.digest, now.digest)]
    }

    fn judge(&self, look: Look, seen: Result<Plan, CallError>) -> Seen<Plan> {
        let plan = match seen {
            Ok(plan) => plan,
            Err(error) => return Seen::Nothing(error),
        };
        match (plan.word.as_str(), look) {
            ("done", _) => Seen::Done,
            ("gone", _) => Seen::Gone,
            ("look", Look::Preview) => Seen::LookAt(9),
            ("outdated", _) => Seen::Outdated,
            ("unclear", _) => Seen::Unclear(plan),
            _ => Seen::NotDone(plan),
        }
    }
}

/// A machine, and what it works on.
struct Bench {
    machine: Machine<Plan>,
    shared: Shared,
    out: Out,
}

impl Bench {
    /// A machine that shows this plan.
    fn showing(value: Value) -> Bench {
        let mut bench = Bench {
            machine: Machine::new(1),
            shared: shared(),
            out: Out::default(),
        };
        bench.on(Machine::ask);
        bench.answer(Ok(value));
        bench
    }

    /// A machine whose plan is being applied.
    fn applying() -> Bench {
        let mut bench = Bench::showing(json!({ "digest": "a" }));
        bench.machine.confirm().expect("a plan");
        bench.on(|machine, cx| machine.apply(cx, true));
        bench
    }

    fn on(&mut self, act: impl FnOnce(&mut Machine<Plan>, &mut Cx)) {
        let mut cx = Cx {
            shared: &mut self.shared,
            out: &mut self.out,
            owner: Owner::App,
        };
        act(&mut self.machine, &mut cx);
    }

    /// The last call, and its request.
    fn last(&self) -> Option<(RequestId, ToolCall)> {
        let mut effects = self.out.effects.iter().rev();
        effects.find_map(|effect| match effect {
            Effect::Run {
                request,
                work: Work::Call(call),
                ..
            } => Some((*request, ToolCall::clone(call))),
            _ => None,
        })
    }

    /// Answers the last call.
    fn answer(&mut self, result: Result<Value, CallError>) {
        let (request, call) = self.last().expect("a call");
        self.out = Out::default();
        let answer = call.answer(result.map(Reply::from));
        self.on(|machine, cx| machine.answered(cx, request, &answer));
    }

    /// The phase, the notice and the last call since the last answer, in words.
    fn state(&self) -> String {
        let phase = match &self.machine.phase {
            Phase::Choosing => "choosing",
            Phase::Confirming(_) => "confirming",
            Phase::Applying { .. } => "applying",
            Phase::Checking(check) if check.error.is_some() => "checking in vain",
            Phase::Checking(_) => "checking",
            Phase::Done(done) if done.source == Source::Answer => "done",
            Phase::Done(_) => "done as seen",
            Phase::Gone(Gone::NeverSeen) => "never seen",
            Phase::Gone(Gone::Meanwhile) => "gone",
            Phase::Gone(Gone::AfterLoss) => "gone after loss",
        };
        let notice = match &self.machine.notice {
            None => "",
            Some(Notice::Changed { lines: None, .. }) => ", changed",
            Some(Notice::Changed { .. }) => ", changed so",
            Some(Notice::NotDone { .. }) => ", not done",
            Some(Notice::Unclear { .. }) => ", unclear",
            Some(Notice::Failed(_)) => ", failed",
        };
        let call = match self.last() {
            None => String::new(),
            Some((_, call)) if call.changes_nothing => {
                format!("; looks at {}", call.arguments["series_meeting_id"])
            }
            Some((_, call)) => format!("; applies {:?}", call.options.expected_plan),
        };
        format!("{phase}{notice}{call}")
    }
}

fn tool(code: ErrorCode) -> CallError {
    CallError::Tool(ToolError::new(code, "no"))
}

#[test]
fn only_the_confirmed_plan_is_applied_while_the_screen_shows_it() {
    let shown = |digest: &str, choice| Plan {
        choice,
        word: String::new(),
        digest: Some(digest.to_owned()),
    };
    for (now, is_fine, state) in [
        (shown("a", 1), true, "applying; applies Some(\"a\")"),
        (shown("a", 1), false, "confirming"),
        (shown("b", 1), true, "confirming"),
        (shown("a", 2), true, "confirming"),
    ] {
        let mut bench = Bench::showing(json!({ "digest": "a" }));
        bench.machine.confirm().expect("a plan");
        let at = bench.shared.now;
        bench.machine.preview = Remote::known(now.clone(), at);
        bench.on(|machine, cx| machine.apply(cx, is_fine));
        assert_eq!(bench.state(), state, "{now:?}");
    }
}

#[test]
fn a_plan_that_does_nothing_cannot_be_confirmed() {
    for (word, why) in [
        ("", None),
        ("refused", Some("the host refuses, as the screen says")),
        ("empty", Some("nothing changes")),
    ] {
        let mut bench = Bench::showing(json!({ "word": word }));
        assert_eq!(bench.machine.no_true_plan(), why);
        assert_eq!(bench.machine.confirm().is_some(), why.is_none());
        // Without a confirmation, nothing is applied.
        bench.machine.phase = Phase::Choosing;
        bench.on(|machine, cx| machine.apply(cx, true));
        assert_eq!(bench.state(), "choosing");
    }
}

#[test]
fn each_answer_to_the_change_leads_to_one_state() {
    let again = "choosing, changed; looks at 1";
    let mut cases = vec![
        (Ok(json!({})), "done"),
        (Ok(json!({ "word": "refused" })), again),
        (Err(CallError::no_answer("cut")), "checking; looks at 1"),
        (Err(CallError::unclear("no JSON")), "checking; looks at 1"),
        (
            Err(CallError::SignedOut("x".to_owned())),
            "choosing, failed",
        ),
        (
            Err(CallError::AccountClosed("x".to_owned())),
            "choosing, failed",
        ),
        (Err(CallError::Failed("x".to_owned())), "choosing, failed"),
    ];
    for code in ErrorCode::ALL {
        let state = match code {
            ErrorCode::NotFound => "gone",
            ErrorCode::Conflict | ErrorCode::Refused => again,
            ErrorCode::InvalidArgument
            | ErrorCode::Unauthorized
            | ErrorCode::Forbidden
            | ErrorCode::RateLimited
            | ErrorCode::Unavailable
            | ErrorCode::Internal => "choosing, failed",
            // The client reads this code as an unknown outcome.
            ErrorCode::OutcomeUnknown => continue,
        };
        cases.push((Err(tool(code)), state));
    }
    for (answer, state) in cases {
        let mut bench = Bench::applying();
        bench.answer(answer.clone());
        assert_eq!(bench.state(), state, "{answer:?}");
    }
}

#[test]
fn a_lost_answer_is_looked_after_until_the_outcome_is_known() {
    for (words, state) in [
        (&["done"][..], "done as seen"),
        (&["same"], "choosing, not done"),
        (&["unclear"], "choosing, unclear"),
        (&["gone"], "gone after loss"),
        (&["look"], "checking; looks at 9"),
        (&["look", "done"], "done as seen"),
        (&["look", "gone"], "gone after loss"),
        (&["outdated"], "choosing, changed; looks at 1"),
        (&["outdated", "new"], "choosing, changed so"),
        (&["error"], "checking in vain"),
    ] {
        let mut bench = Bench::applying();
        bench.answer(Err(CallError::no_answer("cut")));
        for word in words {
            bench.answer(match *word {
                "error" => Err(CallError::no_answer("cut")),
                word => Ok(json!({ "word": word, "digest": "b" })),
            });
        }
        assert_eq!(bench.state(), state, "{words:?}");
    }
}

#[test]
fn a_look_in_vain_is_repeated_only_on_request() {
    let mut bench = Bench::applying();
    bench.answer(Err(CallError::no_answer("cut")));
    bench.answer(Err(CallError::no_answer("cut")));
    assert_eq!(
        bench.machine.too_late(),
        Some("it is not known yet whether it was done")
    );
    assert!(bench.machine.confirm().is_none());
    let mut leaves = false;
    bench.on(|machine, cx| leaves = !machine.keeps(cx));
    assert!(!leaves, "it leaves without a question");
    assert_eq!(bench.state(), "checking in vain");
    bench.on(Machine::refresh);
    assert_eq!(bench.state(), "checking; looks at 1");
    bench.answer(Ok(json!({ "word": "done" })));
    assert_eq!(bench.state(), "done as seen");
}

#[test]
fn a_record_that_is_gone_was_never_there_or_has_been_seen() {
    let mut bench = Bench::showing(json!({}));
    bench.on(Machine::refresh);
    bench.answer(Err(tool(ErrorCode::NotFound)));
    assert_eq!(bench.state(), "gone");
    bench.machine = Machine::new(1);
    bench.on(Machine::ask);
    bench.answer(Err(tool(ErrorCode::NotFound)));
    assert_eq!(bench.state(), "never seen");
}

#[test]
fn another_choice_is_previewed_while_one_can_choose() {
    let mut bench = Bench::showing(json!({}));
    bench.on(|machine, cx| machine.choose(cx, 2));
    assert_eq!(bench.state(), "choosing; looks at 2");
    assert_eq!(
        bench.machine.no_true_plan(),
        Some("the plan is still loading")
    );
    bench.answer(Err(tool(ErrorCode::Forbidden)));
    let why = Some("there is no plan, as the screen says");
    assert_eq!(bench.machine.no_true_plan(), why);
    let mut bench = Bench::applying();
    bench.out = Out::default();
    bench.on(|machine, cx| machine.choose(cx, 2));
    assert_eq!(
        (bench.state().as_str(), bench.machine.choice),
        ("applying", 1)
    );
}

#[test]
fn news_bring_a_new_plan_while_one_can_choose() {
    let changed = |kind: &str| News::Changed {
        kind: kind.to_owned(),
        record: None,
    };
    let kinds = Bench::showing(json!({})).machine.kinds();
    let ours = kinds.first().expect("a kind").clone();
    for (news, state) in [
        (changed(&ours), "choosing; looks at 1"),
        (changed("photo"), "choosing"),
        (News::SignedIn, "choosing"),
    ] {
        let mut bench = Bench::showing(json!({}));
        bench.on(|machine, cx| machine.notified(cx, &news));
        assert_eq!(bench.state(), state, "{news:?}");
    }
    // A sign-in repeats what failed for want of one.
    let mut bench = Bench::applying();
    bench.answer(Err(CallError::SignedOut("x".to_owned())));
    bench.on(|machine, cx| machine.notified(cx, &News::SignedIn));
    assert_eq!(bench.state(), "choosing; looks at 1");
}
