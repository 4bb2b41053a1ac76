use jail::{Decoder, Limits, Output, Stop, StopSet, Words};

const STREAM: [&str; 4] = ["hi", " delta", " epsilon", " zeta"];

/// All of a stream, as far as it goes: the text, and what stopped it.
fn decode(words: &[&str], stops: StopSet, limits: Limits) -> (String, Option<Stop>) {
    let mut decoder = Decoder::new(Words::new(words), stops, limits);
    let mut all = String::new();
    for token in 0..words.len() as u32 {
        let Output { text, stop } = decoder.step(token);
        all.push_str(&text);
        if stop.is_some() {
            return (all, stop);
        }
    }
    all.push_str(&decoder.finish());
    (all, None)
}

fn hidden(text: &str) -> Option<Stop> {
    Some(Stop::Hidden(text.to_string()))
}

fn visible(text: &str) -> Option<Stop> {
    Some(Stop::Visible(text.to_string()))
}

/// The floor: the stop sequence lies in the second and third token.
mod floor {
    use super::*;

    fn row(min_tokens: usize) -> (String, Option<Stop>) {
        let limits = Limits {
            min_tokens,
            ..Limits::default()
        };
        decode(&STREAM, StopSet::new().hidden(" delta epsilon"), limits)
    }

    #[test]
    fn min_tokens_0() {
        assert_eq!(row(0), ("hi".to_string(), hidden(" delta epsilon")));
    }

    #[test]
    fn min_tokens_1() {
        assert_eq!(row(1), ("hi".to_string(), hidden(" delta epsilon")));
    }

    /// The second token reaches the floor, so it is watched already.
    #[test]
    fn min_tokens_2() {
        assert_eq!(row(2), ("hi".to_string(), hidden(" delta epsilon")));
    }

    /// The second token lies below the floor, so the sequence is never seen whole.
    #[test]
    fn min_tokens_3() {
        assert_eq!(row(3), ("hi delta epsilon zeta".to_string(), None));
    }
}

mod sequences {
    use super::*;

    fn text(stops: StopSet) -> (String, Option<Stop>) {
        decode(&STREAM, stops, Limits::default())
    }

    #[test]
    fn a_hidden_one_is_left_out() {
        let stops = StopSet::new().hidden(" epsilon");
        assert_eq!(text(stops), ("hi delta".to_string(), hidden(" epsilon")));
    }

    #[test]
    fn a_visible_one_ends_the_text() {
        let stops = StopSet::new().visible(" epsilon");
        let expected = "hi delta epsilon".to_string();
        assert_eq!(text(stops), (expected, visible(" epsilon")));
    }

    #[test]
    fn a_visible_one_that_two_tokens_share_ends_the_text() {
        let stops = StopSet::new().visible("ta eps");
        assert_eq!(text(stops), ("hi delta eps".to_string(), visible("ta eps")));
    }

    #[test]
    fn the_earliest_one_stops() {
        let stops = StopSet::new().hidden(" zeta").hidden("psi");
        assert_eq!(text(stops), ("hi delta e".to_string(), hidden("psi")));
    }

    #[test]
    fn of_two_at_one_place_the_first_added_stops() {
        let stops = StopSet::new().hidden(" delta").visible(" del");
        assert_eq!(text(stops), ("hi".to_string(), hidden(" delta")));
    }

    #[test]
    fn an_empty_one_stops_nothing() {
        let stops = StopSet::new().hidden("");
        assert_eq!(text(stops), ("hi delta epsilon zeta".to_string(), None));
    }
}

mod stream {
    use super::*;

    #[test]
    fn without_a_stop_everything_comes_out() {
        let expected = "hi delta epsilon zeta".to_string();
        assert_eq!(
            decode(&STREAM, StopSet::new(), Limits::default()),
            (expected, None)
        );
    }

    #[test]
    fn what_is_held_at_the_end_comes_out() {
        let stops = StopSet::new().hidden("zeta!");
        let expected = "hi delta epsilon zeta".to_string();
        assert_eq!(decode(&STREAM, stops, Limits::default()), (expected, None));
    }

    #[test]
    fn text_is_held_until_it_is_no_stop_any_more() {
        let words = Words::new(&["a", "b", "c"]);
        let mut decoder = Decoder::new(words, StopSet::new().hidden("abd"), Limits::default());
        let texts = [0, 1, 2].map(|token| decoder.step(token).text);
        assert_eq!(texts, ["", "", "abc"]);
    }

    #[test]
    fn a_stop_token_lets_out_what_is_held() {
        let stops = StopSet::new().hidden(" delta!").token(2);
        let (text, stop) = decode(&STREAM, stops, Limits::default());
        assert_eq!((text.as_str(), stop), ("hi delta", Some(Stop::Token(2))));
    }

    #[test]
    fn the_longest_stream_lets_out_what_is_held() {
        let limits = Limits {
            max_tokens: Some(2),
            ..Limits::default()
        };
        let stops = StopSet::new().hidden("delta epsilon");
        let (text, stop) = decode(&STREAM, stops, limits);
        assert_eq!((text.as_str(), stop), ("hi delta", Some(Stop::Length)));
    }
}
