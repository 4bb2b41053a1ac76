/// The texts and tokens at which a stream stops.
#[derive(Default)]
pub struct StopSet {
    sequences: Vec<Sequence>,
    tokens: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sequence {
    pub(crate) text: String,
    /// Whether the sequence itself is part of the output.
    pub(crate) visible: bool,
}

/// Where a stop sequence begins in a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found<'a> {
    pub(crate) at: usize,
    pub(crate) sequence: &'a Sequence,
}

impl StopSet {
    pub fn new() -> Self {
        StopSet::default()
    }

    /// Adds a stop sequence that is left out of the output.
    pub fn hidden(self, text: &str) -> Self {
        self.with(text, false)
    }

    /// Adds a stop sequence that ends the output.
    pub fn visible(self, text: &str) -> Self {
        self.with(text, true)
    }

    /// Adds a token that stops the stream; its text is left out of the output.
    pub fn token(mut self, token: u32) -> Self {
        self.tokens.push(token);
        self
    }

    fn with(mut self, text: &str, visible: bool) -> Self {
        if !text.is_empty() {
            self.sequences.push(Sequence {
                text: text.to_string(),
                visible,
            });
        }
        self
    }

    pub(crate) fn has_token(&self, token: u32) -> bool {
        self.tokens.contains(&token)
    }

    /// The sequence that begins first; of two that begin at one place the one that was added first.
    pub(crate) fn find(&self, text: &str) -> Option<Found<'_>> {
        let mut best: Option<Found<'_>> = None;
        for sequence in &self.sequences {
            let Some(at) = text.find(&sequence.text) else {
                continue;
            };
            let comes_first = match &best {
                Some(found) => at < found.at,
                None => true,
            };
            if comes_first {
                best = Some(Found { at, sequence });
            }
        }
        best
    }

    /// How many bytes at the end of a text could still become a stop sequence.
    pub(crate) fn held(&self, text: &str) -> usize {
        self.sequences
            .iter()
            .filter_map(|sequence| {
                text.char_indices()
                    .map(|(at, _)| text.len() - at)
                    .find(|&length| sequence.text.starts_with(&text[text.len() - length..]))
            })
            .max()
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stops() -> StopSet {
        StopSet::new().hidden("END").visible("\n\n")
    }

    #[test]
    fn nothing_is_found_in_a_text_without_a_stop() {
        assert_eq!(stops().find("EN D\n"), None);
    }

    #[test]
    fn the_earliest_sequence_is_found() {
        let stops = stops();
        let found = stops.find("a\n\nEND").expect("a stop");
        assert_eq!((found.at, found.sequence.visible), (1, true));
    }

    #[test]
    fn of_two_at_one_place_the_first_added_is_found() {
        let stops = StopSet::new().hidden("END").visible("EN");
        let found = stops.find("END").expect("a stop");
        assert!(!found.sequence.visible);
    }

    #[test]
    fn the_longest_beginning_of_a_stop_is_held() {
        assert_eq!(stops().held("the EN"), 2);
        assert_eq!(stops().held("the\n"), 1);
        assert_eq!(stops().held("the"), 0);
    }

    #[test]
    fn letters_of_several_bytes_are_held_whole() {
        assert_eq!(StopSet::new().hidden("éa").held("né"), "é".len());
    }
}
