use crate::stop::StopSet;

/// Text that could still become a stop sequence.
#[derive(Default)]
pub(crate) struct Jail {
    text: String,
}

/// What the jail lets out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Release {
    /// Text that is no part of a stop sequence any more; may be empty.
    Text(String),
    /// The text before a stop sequence, and that sequence.
    Stop {
        before: String,
        stop: String,
        visible: bool,
    },
}

impl Jail {
    /// Takes in more text, and lets out what can be let out.
    pub(crate) fn push(&mut self, text: &str, stops: &StopSet) -> Release {
        self.text.push_str(text);
        if let Some(found) = stops.find(&self.text) {
            let release = Release::Stop {
                before: self.text[..found.at].to_string(),
                stop: found.sequence.text.clone(),
                visible: found.sequence.visible,
            };
            self.text.clear();
            return release;
        }
        let free = self.text.len() - stops.held(&self.text);
        Release::Text(self.text.drain(..free).collect())
    }

    /// Lets out everything that is left: the stream is at its end.
    pub(crate) fn drain(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Release {
        Release::Text(text.to_string())
    }

    #[test]
    fn a_text_that_begins_no_stop_goes_through() {
        let mut jail = Jail::default();
        assert_eq!(jail.push("hi", &StopSet::new().hidden("END")), text("hi"));
    }

    #[test]
    fn the_beginning_of_a_stop_is_kept_until_it_is_none() {
        let stops = StopSet::new().hidden("END");
        let mut jail = Jail::default();
        assert_eq!(jail.push("the E", &stops), text("the "));
        assert_eq!(jail.push("N", &stops), text(""));
        assert_eq!(jail.push("T", &stops), text("ENT"));
    }

    #[test]
    fn a_jail_that_was_drained_is_empty() {
        let mut jail = Jail::default();
        jail.push("EN", &StopSet::new().hidden("END"));
        assert_eq!(jail.drain(), "EN");
        assert_eq!(jail.drain(), "");
    }
}
